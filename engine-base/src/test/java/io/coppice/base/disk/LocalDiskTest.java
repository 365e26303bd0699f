package io.coppice.base.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalDiskTest extends DiskContract {
  @TempDir Path directory;

  @Override
  protected Disk disk() {
    return new LocalDisk(directory);
  }

  @Test
  void deletingATreeDoesNotFollowSymbolicLinks(@TempDir Path outside) throws IOException {
    Files.writeString(outside.resolve("precious"), "x");
    Files.createDirectories(directory.resolve("d"));
    Files.createSymbolicLink(directory.resolve("d/link"), outside);
    Files.createSymbolicLink(directory.resolve("top"), outside);
    disk().deleteRecursively("d");
    disk().deleteRecursively("top");
    assertThat(directory).isEmptyDirectory();
    assertThat(outside.resolve("precious")).exists();
  }

  @Test
  void saysWhereItIs() {
    assertThat(disk().describe("a/b")).isEqualTo(directory.resolve("a/b").toString());
    assertThat(new LocalDisk(directory.resolve("absent"))).hasToString(directory + "/absent");
  }
}
