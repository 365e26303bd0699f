package io.coppice.base.disk.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.disk.AtomicFile;
import io.coppice.base.disk.Disk;
import io.coppice.base.disk.DiskContract;
import io.coppice.base.disk.ReadableFile;
import io.coppice.base.disk.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TrackingDiskTest extends DiskContract {
  private final TrackingDisk disk = new TrackingDisk(new SimDisk(4));

  @Override
  protected Disk disk() {
    return disk;
  }

  @AfterEach
  void nothingStaysOpen() {
    disk.checkNothingOpen();
  }

  @Test
  void filesLeftOpenAreNamedWithThePlaceThatOpenedThem() throws IOException {
    WritableFile writing = disk.create("a");
    assertThat(disk.openFiles()).hasSize(1);
    assertThatThrownBy(disk::checkNothingOpen)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("a")
        .cause()
        .hasStackTraceContaining("filesLeftOpenAreNamed");
    writing.close();
    ReadableFile reading = disk.open("a");
    assertThat(disk.openFiles().get(0).writing()).isFalse();
    reading.close();
  }

  @Test
  void whatWasReadIsKnown() throws IOException {
    AtomicFile.write(disk, "a", new byte[100]);
    AtomicFile.write(disk, "b", new byte[100]);
    disk.readAll("a", 100);
    try (ReadableFile file = disk.open("a")) {
      file.read(90, ByteBuffer.allocate(50));
    }
    assertThat(disk.pathsRead()).containsExactly("a");
    assertThat(disk.bytesRead()).isEqualTo(Map.of("a", 110L));
    disk.forgetReads();
    assertThat(disk.pathsRead()).isEmpty();
  }
}
