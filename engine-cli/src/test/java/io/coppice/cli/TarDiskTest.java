package io.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.ReadableFile;
import io.coppice.base.error.EngineException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TarDiskTest {
  @TempDir Path directory;

  private Path archive;

  @BeforeEach
  void writeArchive() throws IOException {
    archive = directory.resolve("x.tar");
    try (OutputStream out = Files.newOutputStream(archive);
        TarArchiveOutputStream tar = new TarArchiveOutputStream(out)) {
      tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
      put(tar, "./a/one.txt", "0123456789");
      put(tar, "a/b/two.txt", "two");
      put(tar, "a/" + "long".repeat(50) + ".txt", "long");
      put(tar, "../out.txt", "out");
      TarArchiveEntry link = new TarArchiveEntry("a/link.txt", TarConstants.LF_LINK);
      link.setLinkName("a/one.txt");
      tar.putArchiveEntry(link);
      tar.closeArchiveEntry();
      TarArchiveEntry symbolic = new TarArchiveEntry("a/symbolic.txt", TarConstants.LF_SYMLINK);
      symbolic.setLinkName("/etc/hostname");
      tar.putArchiveEntry(symbolic);
      tar.closeArchiveEntry();
    }
  }

  private static void put(TarArchiveOutputStream tar, String name, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    TarArchiveEntry entry = new TarArchiveEntry(name, true);
    entry.setSize(bytes.length);
    tar.putArchiveEntry(entry);
    tar.write(bytes);
    tar.closeArchiveEntry();
  }

  @Test
  void listsAndReadsAtAnyPlace() throws IOException {
    try (TarDisk disk = TarDisk.open(archive)) {
      assertThat(disk.list("")).containsExactly(new Disk.Entry("a", true, 0));
      Disk a = disk.within("a");
      assertThat(a.list("").stream().map(Disk.Entry::name))
          .containsExactly("b", "link.txt", "long".repeat(50) + ".txt", "one.txt");
      assertThat(a.readAll("b/two.txt", 100)).isEqualTo("two".getBytes(StandardCharsets.UTF_8));
      assertThat(a.readAll("link.txt", 100)).isEqualTo(a.readAll("one.txt", 100));
      assertThat(a.sizeBytes("one.txt")).isEqualTo(10);
      try (ReadableFile file = a.open("one.txt")) {
        ByteBuffer four = ByteBuffer.allocate(4);
        assertThat(file.read(7, four)).isEqualTo(3);
        assertThat(new String(four.array(), 0, 3, StandardCharsets.UTF_8)).isEqualTo("789");
        assertThat(file.read(10, ByteBuffer.allocate(1))).isZero();
        file.close();
        assertThatThrownBy(() -> file.read(0, ByteBuffer.allocate(1)))
            .isInstanceOf(IOException.class);
      }
      assertThat(disk.allDirectories()).isEqualTo(List.of("", "a", "a/b"));
    }
  }

  @Test
  void nothingOutsideIsSeenAndNothingIsChanged() throws IOException {
    try (TarDisk disk = TarDisk.open(archive)) {
      assertThat(disk.exists("a/symbolic.txt")).isFalse();
      assertThat(disk.exists("out.txt")).isFalse();
      assertThatThrownBy(() -> disk.open("../out.txt"))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> disk.open("none")).isInstanceOf(NoSuchFileException.class);
      assertThatThrownBy(() -> disk.list("none")).isInstanceOf(NoSuchFileException.class);
      assertThatThrownBy(() -> disk.list("a/one.txt")).isInstanceOf(NotDirectoryException.class);
      assertThatThrownBy(() -> disk.readAll("a/one.txt", 9)).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> disk.create("new")).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> disk.delete("a/one.txt")).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> disk.rename("a", "b")).isInstanceOf(IOException.class);
    }
  }

  @Test
  void anArchiveThatIsCutBeforeItsEndMarkIsAnError() throws IOException {
    byte[] whole = Files.readAllBytes(archive);
    int end = whole.length; // the writer pads with zeros
    while (whole[end - 1] == 0) {
      end--;
    }
    int marked = (end + 511) / 512 * 512 + 1024;
    Path cut = directory.resolve("cut.tar");
    for (int length = 0; length < whole.length; length += 97) {
      Files.write(cut, java.util.Arrays.copyOf(whole, length));
      if (length < marked) {
        assertThatThrownBy(() -> TarDisk.open(cut).close())
            .as("%d of %d bytes", length, whole.length)
            .isInstanceOf(EngineException.class)
            .hasMessageContaining(cut.toString());
      } else {
        try (TarDisk disk = TarDisk.open(cut)) {
          assertThat(disk.exists("a/b/two.txt")).isTrue();
        }
      }
    }
  }

  @Test
  void aPipeInAnArchiveIsThereAndIsNotRead() throws IOException {
    Path odd = directory.resolve("odd.tar");
    try (OutputStream out = Files.newOutputStream(odd);
        TarArchiveOutputStream tar = new TarArchiveOutputStream(out)) {
      tar.putArchiveEntry(new TarArchiveEntry("a/pipe", TarConstants.LF_FIFO));
      tar.closeArchiveEntry();
    }
    try (TarDisk disk = TarDisk.open(odd)) {
      assertThat(disk.exists("a/pipe")).isTrue();
      assertThatThrownBy(() -> disk.readAll("a/pipe", 10))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("a/pipe: is no regular file");
    }
  }
}
