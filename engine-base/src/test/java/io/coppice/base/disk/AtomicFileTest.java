package io.coppice.base.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.disk.sim.FaultyDisk;
import io.coppice.base.disk.sim.PowerCutException;
import io.coppice.base.disk.sim.SimDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class AtomicFileTest {
  private static final byte[] OLD = "old content".getBytes(StandardCharsets.UTF_8);
  private static final byte[] NEW = "new content, longer".getBytes(StandardCharsets.UTF_8);

  private static SimDisk withOldContent(long seed) throws IOException {
    SimDisk disk = new SimDisk(seed);
    disk.createDirectories("d");
    disk.syncDirectory("");
    AtomicFile.write(disk, "d/f", OLD);
    return disk;
  }

  @Test
  void afterACrashAtAnyOperationTheFileIsOldOrNew() throws IOException {
    SimDisk rehearsal = withOldContent(0);
    long first = rehearsal.operations();
    AtomicFile.write(rehearsal, "d/f", NEW);
    long last = rehearsal.operations();
    int crashes = 0;
    for (int seed = 0; seed < 50; seed++) {
      for (long at = first; at <= last; at++) {
        SimDisk disk = withOldContent(seed).crashAt(at);
        boolean acknowledged;
        try {
          AtomicFile.write(disk, "d/f", NEW);
          acknowledged = true;
        } catch (PowerCutException e) {
          acknowledged = false;
        }
        SimDisk after = disk.reboot();
        byte[] found = after.readAll("d/f", 100);
        if (acknowledged) {
          assertThat(found).isEqualTo(NEW);
        } else {
          assertThat(found).isIn(OLD, NEW);
        }
        AtomicFile.write(after, "d/f", OLD); // what is left behind is not in the way
        assertThat(after.list("d")).hasSize(1);
        crashes++;
      }
    }
    System.out.printf("AtomicFile: %d crashes%n", crashes);
  }

  @Test
  void aFailureLeavesTheOldContentAndNoTemporaryFile() throws IOException {
    FaultyDisk rehearsal = new FaultyDisk(withOldContent(0));
    AtomicFile.write(rehearsal, "d/f", NEW);
    for (long at = 0; at < rehearsal.operationCount(); at++) {
      SimDisk inner = withOldContent(0);
      FaultyDisk disk = new FaultyDisk(inner).failAt(at);
      boolean failed = false;
      try {
        AtomicFile.write(disk, "d/f", NEW);
      } catch (IOException e) {
        failed = true;
      }
      assertThat(failed).as("operation %d", at).isTrue();
      assertThat(inner.readAll("d/f", 100)).isIn(OLD, NEW);
      AtomicFile.write(inner, "d/f", NEW);
      assertThat(inner.list("d")).hasSize(1);
    }
  }
}
