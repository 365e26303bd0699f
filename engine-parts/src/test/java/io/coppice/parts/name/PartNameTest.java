package io.coppice.parts.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.fixtures.Golden;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartNameTest {
  @Test
  void aNameIsReadAndPrinted() {
    PartName name = PartName.parse("20181230--1_5_9_2_11");
    assertThat(name).isEqualTo(new PartName("20181230--1", 5, 9, 2, 11));
    assertThat(name.text()).isEqualTo("20181230--1_5_9_2_11");
    assertThat(PartName.parse("-16433_4_4_0").partition()).isEqualTo("-16433");
    assertThat(PartName.parse("all_1_1_4294967295").level()).isEqualTo(PartName.MAX_LEVEL);
    assertThat(name.dataVersion()).isEqualTo(11);
    assertThat(PartName.parse("all_7_9_2").dataVersion()).isEqualTo(7);
  }

  @Test
  void aNameWithDaysIsReadAndPrinted() {
    PartName name = PartName.parseWithDays("20180115_20180131_1_1_0");
    assertThat(name.partition()).isEqualTo("201801");
    assertThat(name.days()).contains(new PartName.DayRange(20180115, 20180131));
    assertThat(name.text()).isEqualTo("20180115_20180131_1_1_0");
    assertThat(PartName.parseWithDays("20180115_20180131_1_4_1_9").mutation()).isEqualTo(9);
    assertThat(PartName.tryParseWithDays("20180115_20180201_1_1_0")).isEmpty();
    assertThat(PartName.tryParseWithDays("all_1_1_0")).isEmpty();
  }

  @Test
  void aPatchPartNamesThePartitionItUpdates() {
    PartName name = PartName.parse("patch-2c6abf3d9eb3e3b530eed9ebb739195f-all_6_6_0_5");
    assertThat(name.patch()).isTrue();
    assertThat(name.patchedPartition()).contains("all");
    assertThat(PartName.parse("all_1_1_0").patch()).isFalse();
  }

  @Test
  void whatIsNoNameIsRefused() {
    for (String text :
        List.of(
            "",
            "all",
            "all_1_1",
            "_1_1_0",
            "all_2_1_0",
            "all_1_1_0_0",
            "all_1_1_0_1_2",
            "all_+1_1_0",
            "all_01_1_0",
            "all_1_1_-1",
            "all_1_1_0 ",
            "a/b_1_1_0",
            ".._1_1_0",
            "all_1_1_4294967296",
            "all_99999999999999999999_1_0",
            "all_9223372036854775808_9223372036854775808_0",
            "tmp_insert_all_1_1_0",
            "x".repeat(300) + "_1_1_0")) {
      assertThat(PartName.tryParse(text)).as(text).isEmpty();
      assertThatThrownBy(() -> PartName.parse(text)).isInstanceOf(EngineException.class);
    }
  }

  @Test
  void coveringFollowsBlocksLevelAndMutation() {
    assertThat(covers("all_1_5_2", "all_2_4_1")).isTrue();
    assertThat(covers("all_1_5_2", "all_1_5_2")).isTrue();
    assertThat(covers("all_1_5_2_9", "all_1_5_2")).isTrue();
    assertThat(covers("all_1_5_2", "all_1_5_2_9")).isFalse();
    assertThat(covers("all_1_5_2", "all_1_4_2")).as("equal level, other blocks").isFalse();
    assertThat(covers("all_1_5_999999999", "all_1_4_999999999")).isTrue();
    assertThat(covers("all_1_5_2", "b_2_4_1")).isFalse();
    assertThat(covers("all_1_5_2", "all_4_6_0")).isFalse();
    assertThat(PartName.parse("all_1_5_2").disjoint(PartName.parse("all_5_6_1"))).isFalse();
    assertThat(PartName.parse("all_1_5_2").disjoint(PartName.parse("all_6_6_0"))).isTrue();
  }

  private static boolean covers(String a, String b) {
    return PartName.parse(a).covers(PartName.parse(b));
  }

  @Test
  void coveringIsTransitiveAndNeverBetweenDisjointParts() {
    String given = System.getProperty("coppice.seed", "");
    long seed = given.isEmpty() ? 7 : Long.decode(given);
    System.out.println("-Dcoppice.seed=" + seed);
    Random random = new Random(seed);
    List<PartName> names = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      long min = random.nextInt(6);
      names.add(
          new PartName("p", min, min + random.nextInt(4), random.nextInt(3), random.nextInt(3)));
    }
    for (PartName a : names) {
      assertThat(PartName.parse(a.text())).isEqualTo(a);
      assertThat(a.covers(a)).isTrue();
      for (PartName b : names) {
        if (a.covers(b)) {
          assertThat(a.disjoint(b)).isFalse();
          assertThat(b.covers(a)).isEqualTo(a.equals(b));
        }
        for (PartName c : names) {
          if (a.covers(b) && b.covers(c)) {
            assertThat(a.covers(c)).as("%s %s %s", a, b, c).isTrue();
          }
        }
      }
    }
  }

  @Test
  void detachedNamesSayWhy() {
    assertThat(DetachedName.tryParse("all_1_1_0").orElseThrow().reason()).isEmpty();
    DetachedName broken = DetachedName.tryParse("broken-on-start_all_1_1_0_try2").orElseThrow();
    assertThat(broken.reason()).contains("broken-on-start");
    assertThat(broken.part()).isEqualTo(PartName.parse("all_1_1_0"));
    assertThat(broken.attempt()).isEqualTo(2);
    assertThat(broken.text()).isEqualTo("broken-on-start_all_1_1_0_try2");
    for (String reason : DetachedName.REASONS) {
      String text = reason + "_201801_1_2_1_5";
      DetachedName name = DetachedName.tryParse(text).orElseThrow();
      assertThat(name.reason()).contains(reason);
      assertThat(name.text()).isEqualTo(text);
      String withDays = reason + "_20180115_20180131_1_2_1";
      assertThat(DetachedName.tryParseWithDays(withDays).orElseThrow().text()).isEqualTo(withDays);
    }
    assertThat(DetachedName.tryParse("funny_all_1_1_0")).isEmpty();
    assertThat(DetachedName.tryParse("all_1_1_0_try")).isEmpty();
  }

  @Test
  void mutationsAreNamedByTheirBlock() {
    assertThat(MutationName.tryParse("mutation_2.txt")).contains(new MutationName(2));
    assertThat(new MutationName(2).text()).isEqualTo("mutation_2.txt");
    for (String text :
        List.of("mutation_.txt", "mutation_0.txt", "mutation_02.txt", "mutation_2")) {
      assertThat(MutationName.tryParse(text)).isEmpty();
    }
  }

  @Test
  void everyGoldenPartHasAName(@TempDir Path temp) {
    int count = 0;
    for (Golden.Engine engine : Golden.Engine.values()) {
      for (Golden golden : Golden.all(engine)) {
        if (!golden.has(engine == Golden.Engine.V26_7 ? "parts.tar.gz" : "part.tar")) {
          continue;
        }
        for (Path part :
            golden.unpackParts(temp.resolve(engine.version()).resolve(golden.name()))) {
          String text = part.getFileName().toString();
          PartName name =
              golden.name().startsWith("old_syntax")
                  ? PartName.parseWithDays(text)
                  : PartName.parse(text);
          assertThat(name.text()).isEqualTo(text);
          count++;
        }
      }
    }
    System.out.println("part names: " + count);
    assertThat(count).isGreaterThan(400);
  }
}
