package io.coppice.merge.select;

import static io.coppice.merge.select.Parts.MIB;
import static io.coppice.merge.select.Parts.equal;
import static io.coppice.merge.select.Parts.ofSizes;
import static io.coppice.merge.select.Parts.ofSizesAndAge;
import static io.coppice.merge.select.Parts.settings;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SimpleMergeSelectorTest {
  private static final long SEED = Long.getLong("coppice.seed", 20261201);

  private static String one(MergeSettings settings, List<CandidatePart> parts) {
    return one(SimpleMergeSelector.of(settings, false), parts, MergeLimits.NONE);
  }

  private static String one(
      SimpleMergeSelector selector, List<CandidatePart> parts, MergeLimits limits) {
    List<PartRange> chosen = selector.select(List.of(new PartRange(parts)), List.of(limits));
    return chosen.isEmpty() ? "" : chosen.get(0).resultName().text();
  }

  @Test
  void equalPartsAreMergedFromFiveOn() {
    assertThat(one(settings(), equal(4, 1000))).isEmpty();
    assertThat(one(settings(), equal(5, 1000))).isEqualTo("all_1_5_1");
    assertThat(one(settings(), equal(9, 1000))).isEqualTo("all_1_9_1");
  }

  @Test
  void aLargePartIsLeftAlone() {
    long large = 1000 * MIB;
    assertThat(one(settings(), ofSizes(large, 10, 10, 10, 10, 10))).isEqualTo("all_2_6_1");
    assertThat(one(settings(), ofSizes(large, 10, 10, 10))).isEmpty();
  }

  @Test
  void ofEqualMergesTheLastIsTaken() {
    MergeSettings two = settings("max_parts_to_merge_at_once", 2, "merge_selector_base", 2);
    assertThat(one(two, equal(7, 1000))).isEqualTo("all_6_7_1");
  }

  @Test
  void smallPartsAtTheRightAreLeftForLater() {
    long[] sizes = {400 * MIB, 400 * MIB, 400 * MIB, 400 * MIB, 400 * MIB, 400 * MIB, 1, 1};
    assertThat(one(settings(), ofSizes(sizes))).isEqualTo("all_1_6_1");
    MergeSettings off =
        settings("merge_selector_enable_heuristic_to_remove_small_parts_at_right", 0);
    // Of all eight (2400 + 8 * 5) / 6.1 = 400.0, of the last seven (2000 + 7 * 5) / 5.1 = 399.0;
    // the
    // last six are too narrow.
    assertThat(one(off, ofSizes(sizes))).isEqualTo("all_2_8_1");
  }

  @Test
  void onlyTheWindowIsLookedAt() {
    assertThat(one(settings("merge_selector_window_size", 6), equal(20, 1000)))
        .isEqualTo("all_15_20_1");
    assertThat(one(settings("merge_selector_window_size", 4), equal(20, 1000))).isEmpty();
    assertThat(one(settings("merge_selector_window_size", 0), equal(20, 1000))).isEmpty();
  }

  @Test
  void fewPartsAreMergedWhenTheyAreOld() {
    assertThat(one(settings(), ofSizesAndAge(3000, 10, 10))).isEmpty();
    assertThat(one(settings(), ofSizesAndAge(3600, 10, 10))).isEqualTo("all_1_2_1");
    assertThat(one(settings(), ofSizesAndAge(3600, 100 * MIB, 10))).isEmpty();
  }

  @Test
  void ageForcesMergesOfAnyWidth() {
    MergeSettings forced =
        settings("min_age_to_force_merge_seconds", 100, "min_parts_to_merge_at_once", 10);
    assertThat(one(forced, ofSizesAndAge(99, 1000 * MIB, 10))).isEmpty();
    assertThat(one(forced, ofSizesAndAge(100, 1000 * MIB, 10))).isEqualTo("all_1_2_1");
    MergeSettings whole =
        settings(
            "min_age_to_force_merge_seconds", 100, "min_age_to_force_merge_on_partition_only", 1);
    assertThat(one(whole, ofSizesAndAge(100, 1000 * MIB, 10))).isEmpty();
  }

  @Test
  void thereMustBeAsManyPartsAsIsSaid() {
    assertThat(one(settings("min_parts_to_merge_at_once", 8), equal(7, 1000))).isEmpty();
    assertThat(one(settings("min_parts_to_merge_at_once", 8), equal(8, 1000)))
        .isEqualTo("all_1_8_1");
  }

  @Test
  void limitsHoldToTheByteAndTheRow() {
    SimpleMergeSelector selector = SimpleMergeSelector.of(settings(), false);
    List<CandidatePart> parts = equal(5, 1000);
    assertThat(one(selector, parts, new MergeLimits(5000, 5))).isEqualTo("all_1_5_1");
    assertThat(one(selector, parts, new MergeLimits(4999, 5))).isEmpty();
    assertThat(one(selector, parts, new MergeLimits(5000, 4))).isEmpty();
  }

  @Test
  void theBestOfAllPartitionsComesFirst() {
    List<CandidatePart> small = new ArrayList<>();
    List<CandidatePart> large = new ArrayList<>();
    for (int i = 1; i <= 6; i++) {
      large.add(Parts.part("a_%d_%d_0".formatted(i, i), 50 * MIB));
      small.add(Parts.part("b_%d_%d_0".formatted(i, i), MIB));
    }
    SimpleMergeSelector selector = SimpleMergeSelector.of(settings(), false);
    List<PartRange> both =
        selector.select(
            List.of(new PartRange(large), new PartRange(small)),
            List.of(MergeLimits.NONE, MergeLimits.NONE, MergeLimits.NONE));
    assertThat(both.stream().map(range -> range.resultName().text()))
        .containsExactly("b_1_6_1", "a_1_6_1");
  }

  @Test
  void saysWhatIsMissing() {
    SimpleMergeSelector selector = SimpleMergeSelector.of(settings(), false);
    assertThat(selector.whyNone(List.of(new PartRange(equal(3, 0))), MergeLimits.NONE))
        .isEqualTo(
            "3 possible merges are too narrow: the widest has 3.00 times the size of its largest"
                + " part, 5.00 are asked for");
    assertThat(selector.whyNone(List.of(new PartRange(equal(5, 1000))), new MergeLimits(1500, 9)))
        .isEqualTo(
            "4 are larger than the 1500 bytes and 9 rows that pool, disk and settings allow");
    assertThat(selector.whyNone(List.of(new PartRange(equal(1, 9))), MergeLimits.NONE))
        .isEqualTo("no two parts are neighbours that may be merged");
  }

  @Test
  void whatIsChosenIsWithinTheRules() {
    System.out.println("-Dcoppice.seed=" + SEED);
    Random random = new Random(SEED);
    int chosen = 0;
    for (int round = 0; round < 400; round++) {
      List<PartRange> ranges = TablePredicate.idle().ranges(Parts.random(random));
      int most = 2 + random.nextInt(20);
      MergeSettings settings =
          settings(
              "max_parts_to_merge_at_once", most, "merge_selector_base", 2 + random.nextInt(5));
      long first = (long) Math.pow(10, random.nextDouble() * 11);
      List<MergeLimits> limits =
          List.of(
              new MergeLimits(first, 5_000_000),
              new MergeLimits(first / 2, 4_000_000),
              new MergeLimits(first / 10, 1_000_000));
      SimpleMergeSelector selector = SimpleMergeSelector.of(settings, random.nextBoolean());
      List<PartRange> merges = selector.select(ranges, limits);
      assertThat(selector.select(ranges, limits)).as("asked again").isEqualTo(merges);
      Set<CandidatePart> used = new HashSet<>();
      for (int i = 0; i < merges.size(); i++) {
        PartRange merge = merges.get(i);
        assertThat(limits.get(i).allow(merge.sizeBytes(), merge.rowCount())).isTrue();
        assertThat(merge.count()).isBetween(2, most);
        assertThat(ranges)
            .as("neighbours of one range")
            .anyMatch(
                range -> java.util.Collections.indexOfSubList(range.parts(), merge.parts()) >= 0);
        for (CandidatePart part : merge.parts()) {
          assertThat(used.add(part)).as("%s once", part.name()).isTrue();
        }
        chosen++;
      }
      if (!merges.isEmpty()) {
        assertThat(selector.select(ranges, limits.subList(0, 1)))
            .as("the first is the same without the others")
            .isEqualTo(merges.subList(0, 1));
      }
    }
    assertThat(chosen).isGreaterThan(200);
  }

  @Test
  void chanceMovesTheWindowOfTheStochasticRule() {
    MergeSettings settings = settings("merge_selector_window_size", 20);
    Set<String> results = new HashSet<>();
    for (int seed = 0; seed < 20; seed++) {
      SimpleMergeSelector selector =
          SimpleMergeSelector.stochastic(settings, false, new Random(seed));
      results.add(one(selector, equal(100, 1000), MergeLimits.NONE));
      assertThat(
              one(
                  SimpleMergeSelector.stochastic(settings, false, new Random(seed)),
                  equal(100, 1000),
                  MergeLimits.NONE))
          .isIn(results);
    }
    assertThat(results).hasSizeGreaterThan(5).doesNotContain("");
  }
}
