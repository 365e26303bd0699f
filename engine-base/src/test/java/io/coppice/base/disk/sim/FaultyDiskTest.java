package io.coppice.base.disk.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.disk.AtomicFile;
import io.coppice.base.disk.Disk;
import io.coppice.base.disk.DiskContract;
import io.coppice.base.disk.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class FaultyDiskTest extends DiskContract {
  private final FaultyDisk disk = new FaultyDisk(new SimDisk(2));

  @Override
  protected Disk disk() {
    return disk;
  }

  private static void flow(Disk disk) throws IOException {
    disk.createDirectories("d");
    try (WritableFile file = disk.create("d/a")) {
      file.write(ByteBuffer.wrap(new byte[10]));
      file.sync();
    }
    disk.readAll("d/a", 100);
  }

  @Test
  void everyOperationOfAFlowCanFail() throws IOException {
    FaultyDisk rehearsal = new FaultyDisk(new SimDisk(0));
    flow(rehearsal);
    assertThat(rehearsal.operations())
        .containsExactly(
            "create directories d", "create d/a", "write d/a", "sync d/a", "close d/a", "read d/a");
    for (long at = 0; at < rehearsal.operationCount(); at++) {
      FaultyDisk failing = new FaultyDisk(new SimDisk(0)).failAt(at);
      assertThatThrownBy(() -> flow(failing))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("operation " + at);
      failing.exists("d"); // one failure only
    }
  }

  @Test
  void aFullDiskStillReadsAndDeletes() throws IOException {
    AtomicFile.write(disk, "a", new byte[] {1});
    disk.fullFrom(disk.operationCount());
    assertThatThrownBy(() -> AtomicFile.write(disk, "a", new byte[] {2}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("No space left");
    assertThat(disk.readAll("a", 9)).containsExactly(1);
    disk.delete("a");
  }

  @Test
  void withoutPowerNothingWorks() {
    disk.powerCutAt(0);
    assertThatThrownBy(() -> disk.exists("a")).isInstanceOf(PowerCutException.class);
    assertThatThrownBy(() -> disk.list("")).isInstanceOf(PowerCutException.class);
  }

  @Test
  void aWriteThatFailsMayHaveWrittenAPart() throws IOException {
    disk.failAt(1);
    WritableFile file = disk.create("a");
    assertThatThrownBy(() -> file.write(ByteBuffer.wrap(new byte[10])))
        .isInstanceOf(IOException.class);
    file.close();
    assertThat(disk.sizeBytes("a")).isEqualTo(5);
  }

  @Test
  void readsCanBeWrongInOneBit() throws IOException {
    AtomicFile.write(disk, "a", new byte[100]);
    disk.flipBit("a", 8 * 50 + 3);
    byte[] whole = disk.readAll("a", 100);
    assertThat(whole[50]).isEqualTo((byte) 8);
    ByteBuffer part = ByteBuffer.allocate(20).position(5);
    try (var file = disk.open("a")) {
      assertThat(file.read(45, part)).isEqualTo(15);
    }
    assertThat(part.get(10)).isEqualTo((byte) 8);
    disk.flipBits(1, 1);
    assertThat(Long.bitCount(sum(disk.readAll("a", 100)))).isGreaterThan(0);
  }

  private static long sum(byte[] bytes) {
    long sum = 0;
    for (byte b : bytes) {
      sum += b & 0xff;
    }
    return sum;
  }
}
