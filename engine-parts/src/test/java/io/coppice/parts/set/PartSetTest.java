package io.coppice.parts.set;

import static io.coppice.parts.set.Directories.SETTINGS;
import static io.coppice.parts.set.Directories.build;
import static io.coppice.parts.set.Directories.cut;
import static io.coppice.parts.set.Directories.name;
import static io.coppice.parts.set.Directories.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.LocalDisk;
import io.coppice.base.disk.sim.FaultyDisk;
import io.coppice.base.disk.sim.SimDisk;
import io.coppice.base.disk.sim.TrackingDisk;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.base.time.SimTime;
import io.coppice.parts.inspect.PartInspector;
import io.coppice.parts.name.DetachedName;
import io.coppice.parts.robust.Samples;
import io.coppice.parts.scan.BatchStream;
import io.coppice.parts.scan.Scan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartSetTest {
  private final BufferAllocator allocator = new RootAllocator();
  private final SimTime time = new SimTime(1_800_000_000_000L);
  private final SimDisk disk = new SimDisk(1);

  @AfterEach
  void nothingIsLeftAllocated() {
    allocator.close();
  }

  private PartSet load(Disk from) throws IOException {
    return load(from, SETTINGS);
  }

  private PartSet load(Disk from, PartSetSettings settings) throws IOException {
    PartSet set = PartSet.load(from, settings, allocator, Runnable::run, time);
    set.checkInvariants();
    return set;
  }

  private static List<String> active(PartSet set) {
    set.checkInvariants();
    try (PartSnapshot snapshot = set.snapshot()) {
      return snapshot.parts().stream().map(p -> p.name().text()).toList();
    }
  }

  private static List<String> states(PartSet set) {
    set.checkInvariants();
    return set.parts().stream().map(Part::toString).toList();
  }

  private List<String> names(String directory) throws IOException {
    return disk.list(directory).stream().map(Disk.Entry::name).toList();
  }

  @Test
  void anEmptyDirectoryBecomesATableWithoutParts() throws IOException {
    PartSet set = load(disk.within("table"));
    assertThat(active(set)).isEmpty();
    assertThat(names("table")).containsExactly("format_version.txt");
    assertThat(disk.readAll("table/format_version.txt", 10)).containsExactly('1');
  }

  @Test
  void onlyPartsThatNoOtherCoversAreActive() throws IOException {
    for (String part :
        List.of(
            "all_1_1_0", "all_2_2_0", "all_1_2_1", "all_3_3_0", "all_3_3_0_7", "202610_1_1_0")) {
      put(disk, part, 1, allocator);
    }
    disk.createDirectories("not-a-part");
    PartSet set = load(disk);
    assertThat(active(set)).containsExactly("202610_1_1_0", "all_1_2_1", "all_3_3_0_7");
    assertThat(states(set))
        .containsExactly(
            "202610_1_1_0 ACTIVE",
            "all_1_1_0 OUTDATED",
            "all_1_2_1 ACTIVE",
            "all_2_2_0 OUTDATED",
            "all_3_3_0 OUTDATED",
            "all_3_3_0_7 ACTIVE");
    assertThat(set.loadReport()).isEqualTo(new LoadReport(3, 3, List.of(), List.of()));
  }

  @Test
  void partsOfTablesWithADateColumnAreNamedByDays() throws IOException {
    put(disk, "20261001_20261031_1_1_0", 1, allocator);
    PartSetSettings monthly =
        new PartSetSettings(
            io.coppice.parts.format.FormatVersionFile.MONTHLY,
            SETTINGS.hints(),
            SETTINGS.oldPartsLifetime(),
            100,
            1 << 30,
            true,
            false);
    assertThat(active(load(disk, monthly))).containsExactly("20261001_20261031_1_1_0");
    assertThatThrownBy(() -> load(disk))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("format_version.txt says 0, expected 1");
  }

  @Test
  void loadingOnManyThreadsFindsTheSame() throws IOException {
    for (int i = 1; i <= 20; i++) {
      put(disk, "all_" + i + "_" + i + "_0", i, allocator);
    }
    cut(disk, "all_7_7_0/count.txt");
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      PartSet set = PartSet.load(disk, SETTINGS, allocator, threads, time);
      assertThat(active(set)).hasSize(19).doesNotContain("all_7_7_0");
      assertThat(set.loadReport().broken()).hasSize(1);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void partsWithBlocksInCommonOfWhichNoneCoversTheOtherAreRefused() throws IOException {
    put(disk, "all_1_2_1", 1, allocator);
    put(disk, "all_2_3_1", 2, allocator);
    assertThatThrownBy(() -> load(disk))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("all_1_2_1 and all_2_3_1 have blocks in common");
    assertThat(names("")).contains("all_1_2_1", "all_2_3_1");
  }

  @Test
  void aBrokenPartGoesToDetachedAndWhatItCoveredCounts() throws IOException {
    put(disk, "all_1_1_0", 1, allocator);
    put(disk, "all_2_2_0", 2, allocator);
    put(disk, "all_1_2_1", 3, allocator);
    put(disk, "all_1_2_2", 4, allocator);
    cut(disk, "all_1_2_1/data.bin");
    disk.delete("all_1_2_2/columns.txt");
    disk.createDirectories("detached/broken-on-start_all_1_2_1");
    PartSet set = load(disk);
    assertThat(active(set)).containsExactly("all_1_1_0", "all_2_2_0");
    assertThat(names("detached"))
        .containsExactly(
            "broken-on-start_all_1_2_1",
            "broken-on-start_all_1_2_1_try1",
            "broken-on-start_all_1_2_2");
    LoadReport.Broken first = set.loadReport().broken().get(0);
    assertThat(first.part()).isEqualTo(name("all_1_2_1"));
    assertThat(first.movedTo().orElseThrow().text()).isEqualTo("broken-on-start_all_1_2_1_try1");
    assertThat(first.reason()).contains("data.bin has ");
    assertThat(first.sizeBytes()).isPositive();
    assertThat(active(load(disk))).containsExactly("all_1_1_0", "all_2_2_0");
  }

  @Test
  void tooManyBrokenPartsAreAnErrorAndNothingIsMoved() throws IOException {
    for (String part : List.of("all_1_1_0", "all_2_2_0", "all_3_3_0")) {
      put(disk, part, 1, allocator);
      cut(disk, part + "/data.bin");
    }
    for (PartSetSettings settings :
        List.of(SETTINGS.brokenParts(2, 1 << 30), SETTINGS.brokenParts(100, 100))) {
      assertThatThrownBy(() -> load(disk, settings))
          .isInstanceOfSatisfying(
              EngineException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_UNEXPECTED_DATA_PARTS))
          .hasMessageContaining("3 parts with ");
    }
    assertThat(names("")).contains("all_1_1_0", "all_2_2_0", "all_3_3_0");
    assertThat(active(load(disk, SETTINGS.brokenParts(3, 1 << 30)))).isEmpty();
  }

  @Test
  void aDiskThatFailsBreaksNoPart() throws IOException {
    put(disk, "all_1_1_0", 1, allocator);
    load(disk);
    FaultyDisk counting = new FaultyDisk(disk);
    load(counting);
    for (long i = 0; i < counting.operationCount(); i++) {
      FaultyDisk faulty = new FaultyDisk(disk).failAt(i);
      assertThatThrownBy(() -> load(faulty)).isInstanceOf(IOException.class);
    }
    assertThat(active(load(disk))).containsExactly("all_1_1_0");
    assertThat(disk.exists("detached")).isFalse();
  }

  @Test
  void leftoversOfACrashAreCleaned() throws IOException {
    put(disk, "all_1_1_0", 1, allocator);
    for (String left :
        List.of(
            "tmp_insert_all_2_2_0",
            "tmp_merge_all_1_2_1",
            "tmp-fetch_all_4_4_0",
            "delete_tmp_all_0_0_0",
            "detached/tmp_clone_all_5_5_0",
            "detached/deleting_all_6_6_0",
            "detached/attaching_all_7_7_0",
            "detached/all_8_8_0",
            "detached/attaching_all_8_8_0")) {
      disk.createDirectories(left);
      Directories.write(disk, left + "/x.bin", new byte[] {1});
    }
    PartSet set = load(disk);
    assertThat(names("")).containsExactly("all_1_1_0", "detached", "format_version.txt");
    assertThat(names("detached")).containsExactly("all_7_7_0", "all_8_8_0", "attaching_all_8_8_0");
    assertThat(set.loadReport().leftovers()).hasSize(7);
  }

  @Test
  void aPartThatIsAddedOutdatesThoseItCovers() throws IOException {
    put(disk, "all_1_1_0", 1, allocator);
    put(disk, "all_2_2_0", 2, allocator);
    PartSet set = load(disk);
    Part part = set.prepare(build(disk, "tmp_merge_1", 3, allocator), name("all_1_2_1"));
    assertThat(active(set)).containsExactly("all_1_1_0", "all_2_2_0");
    assertThat(part.state()).isEqualTo(PartState.PRE_ACTIVE);
    assertThat(set.activate(part)).hasSize(2);
    assertThat(states(set))
        .containsExactly("all_1_1_0 OUTDATED", "all_1_2_1 ACTIVE", "all_2_2_0 OUTDATED");
    assertThat(active(load(disk))).containsExactly("all_1_2_1");
    assertThat(PartInspector.of(disk.within("all_1_2_1"), "all_1_2_1").inspect(allocator).faults())
        .isEmpty();
  }

  @Test
  void aPartThatDoesNotGoWithOthersIsRefusedAndStaysWhereItWas() throws IOException {
    put(disk, "all_2_4_1", 1, allocator);
    PartSet set = load(disk);
    String built = build(disk, "tmp_insert_1", 2, allocator);
    for (String refused : List.of("all_2_4_1", "all_3_3_0", "all_4_5_1", "all_1_2_1")) {
      assertThatThrownBy(() -> set.add(built, name(refused)))
          .as(refused)
          .isInstanceOf(EngineException.class);
    }
    cut(disk, built + "/data.bin");
    assertThatThrownBy(() -> set.add(built, name("all_5_5_0")))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("part all_5_5_0: data.bin has ");
    assertThatThrownBy(() -> set.add("all_2_4_1", name("all_6_6_0")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(states(set)).containsExactly("all_2_4_1 ACTIVE");
    assertThat(disk.exists(built)).isTrue();
    disk.createDirectories("all_9_9_0");
    String whole = build(disk, "tmp_insert_2", 2, allocator);
    assertThatThrownBy(() -> set.add(whole, name("all_9_9_0")))
        .hasMessageContaining("is there already");
    assertThat(states(set)).containsExactly("all_2_4_1 ACTIVE");
  }

  @Test
  void aPartThatIsTakenBackIsDeleted() throws IOException {
    PartSet set = load(disk);
    Part part = set.prepare(build(disk, "tmp_insert_1", 3, allocator), name("all_1_1_0"));
    assertThatThrownBy(() -> set.add("tmp_insert_1/x", name("all_1_1_0")))
        .hasMessageContaining("here already");
    set.rollback(part);
    assertThat(states(set)).containsExactly("all_1_1_0 OUTDATED");
    assertThat(new PartCleaner(set, 10).run().deleted()).isEqualTo(1);
    assertThat(part.state()).isEqualTo(PartState.GONE);
    assertThat(disk.exists("all_1_1_0")).isFalse();
    assertThatThrownBy(() -> set.activate(part)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void outdatedPartsStayAsLongAsTheirLifetimeAndTheirReaders() throws IOException {
    put(disk, "all_1_1_0", 1, allocator);
    put(disk, "all_2_2_0", 2, allocator);
    PartSet set = load(disk, SETTINGS.oldPartsLifetime(Duration.ofSeconds(480)));
    PartCleaner cleaner = new PartCleaner(set, 1);
    byte[] before;
    PartSnapshot snapshot = set.snapshot();
    before = Samples.rows(snapshot.loadedParts(), allocator);
    set.add(build(disk, "tmp_merge_1", 3, allocator), name("all_1_2_1"));
    time.advance(Duration.ofSeconds(479));
    assertThat(cleaner.run().nextMillis()).isEmpty();
    time.advance(Duration.ofSeconds(1));
    assertThat(cleaner.run().deleted()).isZero();
    assertThat(Samples.rows(snapshot.loadedParts(), allocator)).isEqualTo(before);
    snapshot.close();
    snapshot.close();
    PartCleaner.Cleaned first = cleaner.run();
    assertThat(first.deleted()).isEqualTo(1);
    assertThat(first.nextMillis()).isEqualTo(OptionalLong.of(0));
    assertThat(cleaner.run())
        .isEqualTo(new PartCleaner.Cleaned(1, List.of(), OptionalLong.empty()));
    assertThat(states(set)).containsExactly("all_1_2_1 ACTIVE");
    assertThat(names("")).containsExactly("all_1_2_1", "format_version.txt", "tmp_merge_1");
  }

  @Test
  void theCleanerSaysWhenItWantsToRunAgain() throws IOException {
    put(disk, "all_1_1_0", 1, allocator);
    put(disk, "all_1_1_1", 2, allocator);
    PartSet set = load(disk, SETTINGS.oldPartsLifetime(Duration.ofSeconds(100)));
    time.advance(Duration.ofSeconds(40));
    assertThat(new PartCleaner(set, 5).run())
        .isEqualTo(new PartCleaner.Cleaned(0, List.of(), OptionalLong.of(60_000)));
  }

  @Test
  void aScanReleasesItsSnapshotWhenItIsClosed() throws IOException {
    put(disk, "all_1_1_0", 1, allocator);
    PartSet set = load(disk);
    PartSnapshot snapshot = set.snapshot();
    long rows = 0;
    try (BatchStream batches =
        Scan.of(snapshot.loadedParts()).columns("id").releasing(snapshot).open(allocator)) {
      set.remove(name("all_1_1_0"));
      assertThat(new PartCleaner(set, 5).run().deleted()).isZero();
      while (batches.next()) {
        rows += batches.batch().getRowCount();
      }
    }
    assertThat(rows).isEqualTo(20);
    assertThat(new PartCleaner(set, 5).run().deleted()).isEqualTo(1);
    assertThat(states(set)).isEmpty();
    assertThat(active(load(disk))).isEmpty();
  }

  @Test
  void onlyActivePartsAreRemovedOrDetached() throws IOException {
    put(disk, "all_1_1_0", 1, allocator);
    PartSet set = load(disk);
    set.remove(name("all_1_1_0"));
    for (String part : List.of("all_1_1_0", "all_2_2_0")) {
      assertThatThrownBy(() -> set.remove(name(part)))
          .isInstanceOfSatisfying(
              EngineException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.NO_SUCH_DATA_PART));
      assertThatThrownBy(() -> set.detach(name(part), Optional.empty()))
          .isInstanceOf(EngineException.class);
    }
  }

  @Test
  void aPartCanBeDetachedWhileItIsRead() throws IOException {
    put(disk, "all_1_1_0", 1, allocator);
    put(disk, "all_2_2_0", 2, allocator);
    PartSet set = load(disk);
    try (PartSnapshot snapshot = set.snapshot()) {
      byte[] before = Samples.rows(snapshot.loadedParts(), allocator);
      assertThat(set.detach(name("all_1_1_0"), Optional.of("broken")).text())
          .isEqualTo("broken_all_1_1_0");
      assertThat(active(set)).containsExactly("all_2_2_0");
      new PartCleaner(set, 5).run();
      assertThat(Samples.rows(snapshot.loadedParts(), allocator)).isEqualTo(before);
    }
    assertThat(new PartCleaner(set, 5).run().deleted()).isEqualTo(1);
    assertThat(names("")).containsExactly("all_2_2_0", "detached", "format_version.txt");
    assertThat(
            PartInspector.of(disk.within("detached/broken_all_1_1_0"), "all_1_1_0")
                .inspect(allocator)
                .faults())
        .isEmpty();
  }

  @Test
  void everyReasonIsAPrefixAndNamesThatAreTakenAreNumbered() throws IOException {
    PartSet set = load(disk);
    int block = 1;
    for (String reason : List.of("covered-by-broken", "unexpected", "ignored", "")) {
      for (int attempt = 0; attempt < 3; attempt++) {
        String part = "all_" + block + "_" + block + "_0";
        set.add(build(disk, "tmp_insert_" + reason + attempt, 3, allocator), name(part));
        DetachedName detached =
            set.detach(name(part), reason.isEmpty() ? Optional.empty() : Optional.of(reason));
        assertThat(detached.text())
            .isEqualTo(
                (reason.isEmpty() ? "" : reason + "_")
                    + part
                    + (attempt == 0 ? "" : "_try" + attempt));
        assertThat(DetachedName.tryParse(detached.text())).contains(detached);
        assertThat(new PartCleaner(set, 5).run().deleted()).isEqualTo(1);
      }
      block++;
    }
    assertThat(names("detached")).hasSize(12);
  }

  @Test
  void aDeletionThatFailsIsTriedAgain() throws IOException {
    put(disk, "all_1_1_0", 1, allocator);
    put(disk, "all_2_2_0", 2, allocator);
    FaultyDisk counting = new FaultyDisk(disk);
    PartSet rehearsal = load(counting);
    long from = counting.operationCount();
    rehearsal.remove(name("all_1_1_0"));
    rehearsal.remove(name("all_2_2_0"));
    assertThat(new PartCleaner(rehearsal, 5).run().deleted()).isEqualTo(2);
    long to = counting.operationCount();
    assertThat(to - from).isGreaterThan(6);
    for (long at = from; at < to; at++) {
      SimDisk fresh = new SimDisk(1);
      put(fresh, "all_1_1_0", 1, allocator);
      put(fresh, "all_2_2_0", 2, allocator);
      load(fresh);
      FaultyDisk faulty = new FaultyDisk(fresh);
      PartSet set = load(faulty);
      faulty.failAt(at - from + faulty.operationCount());
      set.remove(name("all_1_1_0"));
      set.remove(name("all_2_2_0"));
      PartCleaner cleaner = new PartCleaner(set, 5);
      PartCleaner.Cleaned first = cleaner.run();
      set.checkInvariants();
      PartCleaner.Cleaned second = cleaner.run();
      assertThat(first.deleted() + second.deleted()).as("failing at %d", at).isEqualTo(2);
      assertThat(first.failures()).as("failing at %d", at).hasSize(1);
      assertThat(states(set)).isEmpty();
      assertThat(fresh.list("")).hasSize(1);
    }
  }

  @Test
  void nothingIsLeftOpenOnADiskOfThisMachine(@TempDir Path directory) throws IOException {
    TrackingDisk tracking = new TrackingDisk(new LocalDisk(directory));
    put(tracking, "all_1_1_0", 1, allocator);
    put(tracking, "all_2_2_0", 2, allocator);
    cut(tracking, "all_2_2_0/data.bin");
    PartSet set = load(tracking);
    set.add(build(tracking, "tmp_insert_3", 3, allocator), name("all_3_3_0"));
    try (PartSnapshot snapshot = set.snapshot()) {
      Samples.rows(snapshot.loadedParts(), allocator);
      BatchStream early = Scan.of(snapshot.loadedParts()).batchRows(1).open(allocator);
      early.next();
      early.close();
    }
    set.detach(name("all_1_1_0"), Optional.empty());
    new PartCleaner(set, 5).run();
    tracking.checkNothingOpen();
    assertThat(active(load(tracking))).containsExactly("all_3_3_0");
    tracking.checkNothingOpen();
  }

  @Test
  void manyThreadsAddReadAndDeleteAtOnce() throws Exception {
    PartSet set = load(disk, SETTINGS.oldPartsLifetime(Duration.ZERO));
    int writers = 3;
    int each = 12;
    for (int writer = 0; writer < writers; writer++) {
      for (int i = 1; i <= each; i++) {
        build(disk, "tmp_insert_" + writer + "_" + i, i, allocator);
      }
    }
    ExecutorService threads = Executors.newFixedThreadPool(writers + 2);
    try {
      List<java.util.concurrent.Callable<Object>> work = new java.util.ArrayList<>();
      for (int writer = 0; writer < writers; writer++) {
        int w = writer;
        work.add(
            () -> {
              for (int i = 1; i <= each; i++) {
                // Every third part covers the two before it.
                String part =
                    i % 3 == 0
                        ? "p" + w + "_" + (i - 2) + "_" + (i - 1) + "_1"
                        : "p" + w + "_" + i + "_" + i + "_0";
                set.add("tmp_insert_" + w + "_" + i + "/all_1_1_0", name(part));
                set.checkInvariants();
              }
              return null;
            });
      }
      for (int reader = 0; reader < 2; reader++) {
        boolean cleans = reader == 0;
        work.add(
            () -> {
              for (int i = 0; i < 60; i++) {
                try (PartSnapshot snapshot = set.snapshot()) {
                  Samples.rows(snapshot.loadedParts(), allocator);
                }
                if (cleans) {
                  assertThat(new PartCleaner(set, 2).run().failures()).isEmpty();
                }
                set.checkInvariants();
              }
              return null;
            });
      }
      for (var done : threads.invokeAll(work)) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
    PartCleaner cleaner = new PartCleaner(set, 100);
    cleaner.run();
    assertThat(states(set)).hasSize(writers * each / 3).allMatch(s -> s.endsWith("_1 ACTIVE"));
    assertThat(active(load(disk))).hasSize(writers * each / 3);
  }
}
