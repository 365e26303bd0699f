package io.coppice.parts.set;

import static io.coppice.parts.set.Directories.SETTINGS;
import static io.coppice.parts.set.Directories.name;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.sim.FaultyDisk;
import io.coppice.base.disk.sim.SimDisk;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.base.time.SimTime;
import io.coppice.parts.inspect.PartInspector;
import io.coppice.parts.robust.Samples;
import io.coppice.parts.table.TableSettings.Profile;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A table's life from the first insert to the last deletion, with the power cut, the disk failing
 * and the disk full at every operation. Afterwards the directory loads; what was acknowledged is
 * there, row by row; what is there is a whole part; what was deleted stays away; nothing is left
 * over.
 */
@Tag("crash")
class PartSetCrashTest {
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingIsLeftAllocated() {
    allocator.close();
  }

  /** The rows of each part, by its name: every part is built from its own seed. */
  private final Map<String, byte[]> rows = new TreeMap<>();

  private PartSet load(Disk disk) throws IOException {
    return PartSet.load(
        disk, SETTINGS.oldPartsLifetime(Duration.ZERO), allocator, Runnable::run, new SimTime(0));
  }

  /** What of the story was acknowledged before it broke off. */
  private static final class Acknowledged {
    /** Parts added, with the parts that each was acknowledged to cover. */
    final List<String> added = new ArrayList<>();

    final List<String> gone = new ArrayList<>();
    final List<String> mayBeGone = new ArrayList<>();
    final List<String> detached = new ArrayList<>();
  }

  private static final List<String> STORY =
      List.of("all_1_1_0", "all_2_2_0", "all_1_2_1", "all_3_3_0", "all_4_4_0");

  private void story(Disk disk, Acknowledged acknowledged) throws IOException {
    PartSet set = load(disk);
    for (int i = 0; i < STORY.size(); i++) {
      String part = STORY.get(i);
      set.add(Directories.build(disk, "tmp_insert_" + i, i, allocator), name(part));
      acknowledged.added.add(part);
      set.checkInvariants();
    }
    PartCleaner cleaner = new PartCleaner(set, 10);
    clean(set, cleaner, List.of("all_1_1_0", "all_2_2_0"), acknowledged);
    set.remove(name("all_3_3_0"));
    clean(set, cleaner, List.of("all_3_3_0"), acknowledged);
    acknowledged.mayBeGone.add("all_4_4_0");
    set.detach(name("all_4_4_0"), Optional.of("ignored"));
    acknowledged.detached.add("ignored_all_4_4_0");
    clean(set, cleaner, List.of("all_4_4_0"), acknowledged);
  }

  private static void clean(
      PartSet set, PartCleaner cleaner, List<String> parts, Acknowledged acknowledged)
      throws IOException {
    acknowledged.mayBeGone.addAll(parts);
    PartCleaner.Cleaned cleaned = cleaner.run();
    set.checkInvariants();
    if (!cleaned.failures().isEmpty()) {
      throw cleaned.failures().get(0);
    }
    assertThat(cleaned.deleted()).isEqualTo(parts.size());
    acknowledged.gone.addAll(parts);
  }

  private void expectRows() throws IOException {
    SimDisk disk = new SimDisk(1);
    for (int i = 0; i < STORY.size(); i++) {
      String built = Directories.build(disk, "tmp_insert_" + i, i, allocator);
      rows.put(
          STORY.get(i),
          Samples.rowsOf(disk.within(built), STORY.get(i), SETTINGS.hints(), allocator));
    }
  }

  private void check(Disk disk, Acknowledged acknowledged, String when) throws IOException {
    PartSet set = load(disk);
    set.checkInvariants();
    assertThat(set.loadReport().broken()).as(when).isEmpty();
    List<String> active = new ArrayList<>();
    try (PartSnapshot snapshot = set.snapshot()) {
      for (Part part : snapshot.parts()) {
        String name = part.name().text();
        active.add(name);
        assertThat(Samples.rows(List.of(part.loaded().orElseThrow()), allocator))
            .as("%s: rows of %s", when, name)
            .isEqualTo(rows.get(name));
        assertThat(PartInspector.of(disk.within(name), name).inspect(allocator).faults())
            .as(when)
            .isEmpty();
      }
    }
    for (String part : acknowledged.added) {
      boolean covered = active.stream().anyMatch(a -> name(a).covers(name(part)));
      assertThat(covered || acknowledged.mayBeGone.contains(part))
          .as("%s: %s was acknowledged, active are %s", when, part, active)
          .isTrue();
    }
    assertThat(Collections.disjoint(active, acknowledged.gone)).as("%s: %s", when, active).isTrue();
    for (Disk.Entry entry : disk.list("")) {
      assertThat(PartDirectory.temporary(entry.name())).as("%s: %s", when, entry).isFalse();
    }
    for (String detached : acknowledged.detached) {
      assertThat(
              PartInspector.of(disk.within("detached/" + detached), detached)
                  .inspect(allocator)
                  .faults())
          .as(when)
          .isEmpty();
    }
    // What is outdated still can be deleted, and the next start finds the same.
    PartCleaner.Cleaned cleaned = new PartCleaner(set, 100).run();
    assertThat(cleaned.failures()).as(when).isEmpty();
    assertThat(load(disk).parts().stream().map(p -> p.name().text()).toList())
        .as(when)
        .isEqualTo(active);
  }

  @Test
  void acknowledgedPartsSurviveAPowerCutAtEveryOperation() throws IOException {
    expectRows();
    SimDisk rehearsal = new SimDisk(1);
    story(rehearsal, new Acknowledged());
    long operations = rehearsal.operations();
    int acknowledgedParts = 0;
    int seeds = 4;
    for (long at = 0; at <= operations; at++) {
      for (long seed = 0; seed < seeds; seed++) {
        SimDisk disk = new SimDisk(at * seeds + seed).crashAt(at);
        Acknowledged acknowledged = new Acknowledged();
        try {
          story(disk, acknowledged);
        } catch (IOException powerCut) {
          assertThat(disk.crashed()).isTrue();
        }
        acknowledgedParts += acknowledged.added.size();
        check(disk.reboot(), acknowledged, "power cut at " + at + ", seed " + seed);
      }
    }
    System.out.printf(
        "crash sweep: %d operations, power cut at each with %d seeds, %d acknowledged parts whole%n",
        operations, seeds, acknowledgedParts);
  }

  @Test
  void theDirectoryIsInOrderWhenAnyOperationFails() throws IOException {
    expectRows();
    FaultyDisk rehearsal = new FaultyDisk(new SimDisk(1));
    story(rehearsal, new Acknowledged());
    long operations = rehearsal.operationCount();
    int stopped = 0;
    for (long at = 0; at < operations; at++) {
      SimDisk disk = new SimDisk(1);
      Acknowledged acknowledged = new Acknowledged();
      stopped += run(new FaultyDisk(disk).failAt(at), acknowledged);
      check(disk, acknowledged, "failing at " + at + ": " + rehearsal.operations().get((int) at));
      check(disk.reboot(), acknowledged, "failing at " + at + ", then a power cut");
    }
    System.out.printf(
        "crash sweep: %d operations and reads, each failing once, %d stopped the story%n",
        operations, stopped);
  }

  @Test
  void theDirectoryIsInOrderWhenTheDiskIsFullFromAnyOperationOn() throws IOException {
    expectRows();
    FaultyDisk rehearsal = new FaultyDisk(new SimDisk(1));
    story(rehearsal, new Acknowledged());
    long operations = rehearsal.operationCount();
    int stopped = 0;
    for (long at = 0; at < operations; at++) {
      SimDisk disk = new SimDisk(1);
      Acknowledged acknowledged = new Acknowledged();
      stopped += run(new FaultyDisk(disk).fullFrom(at), acknowledged);
      check(disk, acknowledged, "full from " + at);
    }
    System.out.printf(
        "crash sweep: disk full from each of %d operations on, %d stopped the story%n",
        operations, stopped);
  }

  @Test
  void loadingIsSafeToRepeatAfterAPowerCutAtEveryOperation() throws IOException {
    expectRows();
    SimDisk rehearsal = withDamage(1);
    long before = rehearsal.operations();
    load(rehearsal);
    long operations = rehearsal.operations() - before;
    int seeds = 4;
    for (long at = 0; at <= operations; at++) {
      for (long seed = 0; seed < seeds; seed++) {
        SimDisk disk = withDamage(at * seeds + seed);
        disk.crashAt(disk.operations() + at);
        try {
          load(disk);
        } catch (IOException powerCut) {
          assertThat(disk.crashed()).isTrue();
        }
        Disk after = disk.reboot();
        String when = "power cut at " + at + ", seed " + seed;
        PartSet set = load(after);
        set.checkInvariants();
        try (PartSnapshot snapshot = set.snapshot()) {
          assertThat(snapshot.parts().stream().map(p -> p.name().text()).toList())
              .as(when)
              .containsExactly("all_1_1_0", "all_2_2_0");
        }
        assertThat(after.list("detached").stream().map(Disk.Entry::name).toList())
            .as(when)
            .containsExactly("all_9_9_0", "broken-on-start_all_1_2_1");
        assertThat(after.list("").stream().map(Disk.Entry::name).toList())
            .as(when)
            .containsExactly("all_1_1_0", "all_2_2_0", "detached", "format_version.txt");
      }
    }
    System.out.printf(
        "crash sweep: loading with damage and leftovers, %d operations, power cut at each with %d"
            + " seeds%n",
        operations, seeds);
  }

  /** Two parts, a broken one over them, and leftovers; durable. */
  private SimDisk withDamage(long seed) throws IOException {
    SimDisk disk = new SimDisk(seed);
    for (String part : List.of("all_1_1_0", "all_2_2_0", "all_1_2_1")) {
      Directories.put(disk, part, 1, allocator);
    }
    Directories.cut(disk, "all_1_2_1/data.bin");
    for (String left :
        List.of(
            "delete_tmp_all_5_5_0",
            "tmp_insert_6",
            "detached/deleting_all_7_7_0",
            "detached/attaching_all_9_9_0")) {
      disk.createDirectories(left);
      Directories.write(disk, left + "/x.bin", new byte[] {1});
    }
    syncAll(disk, "");
    return disk;
  }

  private static void syncAll(Disk disk, String directory) throws IOException {
    disk.syncDirectory(directory);
    for (Disk.Entry entry : disk.list(directory)) {
      if (entry.directory()) {
        syncAll(disk, directory.isEmpty() ? entry.name() : directory + "/" + entry.name());
      }
    }
  }

  @Test
  void withoutSyncingAPowerCutLosesPartsButBreaksNoRow() throws IOException {
    expectRows();
    Samples.Table lazy =
        Samples.table(Directories.TABLE.columns(), "", "ORDER BY id", Profile.MODERN);
    PartSetSettings settings = PartSetSettings.of(lazy.definition());
    int whole = 0;
    int detached = 0;
    int refused = 0;
    for (long seed = 0; seed < 300; seed++) {
      SimDisk disk = new SimDisk(seed);
      PartSet set = PartSet.load(disk, settings, allocator, Runnable::run, new SimTime(0));
      for (int i = 0; i < 2; i++) {
        String directory = "tmp_insert_" + i;
        disk.createDirectories(directory);
        Samples.build(lazy, disk.within(directory), i, 20, 1, allocator);
        set.add(directory + "/all_1_1_0", name(STORY.get(i)));
      }
      Disk after = disk.reboot();
      PartSet found = load(after);
      found.checkInvariants();
      detached += found.loadReport().broken().size();
      try (PartSnapshot snapshot = found.snapshot()) {
        for (Part part : snapshot.parts()) {
          try {
            assertThat(Samples.rows(List.of(part.loaded().orElseThrow()), allocator))
                .isEqualTo(rows.get(part.name().text()));
            whole++;
          } catch (EngineException e) {
            assertThat(e.code().kind()).isEqualTo(ErrorCode.Kind.CORRUPTION);
            refused++;
          }
        }
      }
    }
    System.out.printf(
        "crash sweep: 600 parts without sync: %d whole, %d detached, %d refused when read%n",
        whole, detached, refused);
  }

  private int run(Disk disk, Acknowledged acknowledged) throws IOException {
    try {
      story(disk, acknowledged);
      return 0;
    } catch (IOException expected) {
      return 1;
    } catch (EngineException e) {
      assertThat(e.code().kind()).as(e.getMessage()).isEqualTo(ErrorCode.Kind.WEATHER);
      return 1;
    }
  }
}
