package io.coppice.base.disk.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.DiskContract;
import io.coppice.base.disk.ReadableFile;
import io.coppice.base.disk.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SimDiskTest extends DiskContract {
  private final SimDisk disk = new SimDisk(1);

  @Override
  protected Disk disk() {
    return disk;
  }

  private static void write(Disk disk, String path, int size, boolean sync) throws IOException {
    byte[] bytes = new byte[size];
    Arrays.fill(bytes, (byte) 7);
    try (WritableFile file = disk.create(path)) {
      file.write(ByteBuffer.wrap(bytes));
      if (sync) {
        file.sync();
      }
    }
  }

  @Test
  void whatWasSyncedIsThereAfterEveryCrash() throws IOException {
    for (int seed = 0; seed < 200; seed++) {
      SimDisk before = new SimDisk(seed);
      before.createDirectories("d");
      before.syncDirectory("");
      write(before, "d/tmp", 100, true);
      before.rename("d/tmp", "d/a");
      before.syncDirectory("d");
      before.link("d/a", "d/b");
      before.delete("d/a");
      before.syncDirectory("d");
      SimDisk after = before.reboot();
      assertThat(after.list("d")).containsExactly(new Disk.Entry("b", false, 100));
      assertThat(after.readAll("d/b", 100)).containsOnly(7);
    }
  }

  private enum Fate {
    WHOLE,
    CUT,
    ZEROS,
    NOTHING
  }

  @Test
  void unsyncedContentsMeetEveryFateButNeverTouchSyncedOnes() throws IOException {
    Set<Fate> seen = EnumSet.noneOf(Fate.class);
    for (int seed = 0; seed < 300; seed++) {
      SimDisk before = new SimDisk(seed);
      try (WritableFile file = before.create("a")) {
        file.write(ByteBuffer.wrap("synced".getBytes(StandardCharsets.UTF_8)));
        file.sync();
        before.syncDirectory("");
        file.write(ByteBuffer.wrap("tail".getBytes(StandardCharsets.UTF_8)));
      }
      byte[] found = before.reboot().readAll("a", 10);
      String text = new String(found, StandardCharsets.UTF_8);
      assertThat(text).startsWith("synced");
      if (text.equals("syncedtail")) {
        seen.add(Fate.WHOLE);
      } else if (text.equals("synced")) {
        seen.add(Fate.NOTHING);
      } else if ("syncedtail".startsWith(text)) {
        seen.add(Fate.CUT);
      } else {
        assertThat(text).hasSize(10).endsWith("\0");
        seen.add(Fate.ZEROS);
      }
    }
    assertThat(seen).containsExactlyInAnyOrder(Fate.values());
  }

  @Test
  void unsyncedNamesEachMeetTheirOwnFate() throws IOException {
    Set<String> seen = new HashSet<>();
    for (int seed = 0; seed < 300; seed++) {
      SimDisk before = new SimDisk(seed);
      write(before, "old", 1, true);
      write(before, "gone", 1, true);
      before.syncDirectory("");
      before.rename("old", "renamed");
      before.delete("gone");
      write(before, "created", 1, true);
      before.link("renamed", "linked");
      SimDisk after = before.reboot();
      StringBuilder names = new StringBuilder();
      after.list("").forEach(entry -> names.append(entry.name()).append(' '));
      seen.add(names.toString());
      assertThat(after.exists("old")).isNotEqualTo(after.exists("renamed"));
    }
    // created or not, gone or not, renamed or not, linked or not
    assertThat(seen).hasSize(16);
  }

  @Test
  void renamesBetweenDirectoriesAreDurableOnceTheTargetIsSynced() throws IOException {
    Set<String> unsynced = new HashSet<>();
    for (int seed = 0; seed < 100; seed++) {
      SimDisk before = new SimDisk(seed);
      before.createDirectories("a");
      before.createDirectories("b");
      before.syncDirectory("");
      write(before, "a/f", 1, true);
      before.syncDirectory("a");
      before.rename("a/f", "b/f");
      before.syncDirectory("a");
      SimDisk copy = before;
      if (seed % 2 == 0) {
        before.syncDirectory("b");
        SimDisk after = copy.reboot();
        assertThat(after.exists("b/f")).isTrue();
        assertThat(after.exists("a/f")).isFalse();
      } else {
        SimDisk after = copy.reboot();
        assertThat(after.exists("a/f")).isNotEqualTo(after.exists("b/f"));
        unsynced.add(after.exists("a/f") ? "old" : "new");
      }
    }
    assertThat(unsynced).containsExactlyInAnyOrder("old", "new");
  }

  @Test
  void thePowerGoesAtTheOperationAskedForAndStaysAway() throws IOException {
    SimDisk counting = new SimDisk(0);
    counting.createDirectories("a/b");
    write(counting, "a/b/c", 5, true);
    long operations = counting.operations();
    assertThat(operations).isEqualTo(5); // two directories, create, write, sync
    for (long at = 0; at < operations; at++) {
      SimDisk crashing = new SimDisk(at).crashAt(at);
      assertThatThrownBy(
              () -> {
                crashing.createDirectories("a/b");
                write(crashing, "a/b/c", 5, true);
              })
          .isInstanceOf(PowerCutException.class);
      assertThat(crashing.crashed()).isTrue();
      assertThatThrownBy(() -> crashing.exists("a")).isInstanceOf(PowerCutException.class);
      assertThatThrownBy(() -> crashing.create("z")).isInstanceOf(PowerCutException.class);
      SimDisk after = crashing.reboot();
      assertThat(after.crashed()).isFalse();
      after.createDirectories("works/again");
    }
  }

  @Test
  void openFilesDieWithThePower() throws IOException {
    write(disk, "a", 3, true);
    ReadableFile reading = disk.open("a");
    WritableFile writing = disk.create("b");
    disk.crash();
    assertThatThrownBy(() -> reading.read(0, ByteBuffer.allocate(1)))
        .isInstanceOf(PowerCutException.class);
    assertThatThrownBy(() -> writing.write(ByteBuffer.allocate(1)))
        .isInstanceOf(PowerCutException.class);
    reading.close();
    writing.close();
  }

  @Test
  void equalSeedsGiveEqualDisks() throws IOException {
    for (int seed = 0; seed < 20; seed++) {
      StringBuilder both = new StringBuilder();
      for (int run = 0; run < 2; run++) {
        SimDisk before = new SimDisk(seed);
        for (int i = 0; i < 20; i++) {
          write(before, "f" + i, 10 * i, i % 3 == 0);
        }
        both.append(before.reboot().list("")).append('\n');
      }
      String[] runs = both.toString().split("\n");
      assertThat(runs[0]).isEqualTo(runs[1]);
    }
  }

  @Test
  void aFullDiskTakesWhatFitsAndDeletingMakesRoom() throws IOException {
    disk.withCapacity(100);
    write(disk, "a", 60, false);
    disk.link("a", "b");
    assertThat(disk.freeBytes()).isEqualTo(40);
    assertThatThrownBy(() -> write(disk, "c", 60, false))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("No space left");
    assertThat(disk.sizeBytes("c")).isEqualTo(40);
    disk.delete("a");
    assertThat(disk.freeBytes()).isZero();
    disk.replace("c", "b");
    assertThat(disk.freeBytes()).isEqualTo(60);
    disk.delete("b");
    assertThat(disk.freeBytes()).isEqualTo(100);
  }
}
