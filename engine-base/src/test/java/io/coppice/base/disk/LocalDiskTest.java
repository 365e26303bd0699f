package io.coppice.base.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

  @Test
  void aPipeOrDeviceIsNotOpened() throws Exception {
    Path pipe = directory.resolve("pipe");
    int made = new ProcessBuilder("mkfifo", pipe.toString()).inheritIO().start().waitFor();
    assertThat(made).isZero();
    Files.createSymbolicLink(directory.resolve("zeros"), Path.of("/dev/zero"));
    for (String file : List.of("pipe", "zeros")) {
      assertThatThrownBy(() -> disk().open(file))
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining(file)
          .hasMessageContaining("is no regular file");
      assertThatThrownBy(() -> disk().readAll(file, 100))
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining(file);
    }
  }
}
