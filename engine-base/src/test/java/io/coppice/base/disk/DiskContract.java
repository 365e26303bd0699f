package io.coppice.base.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every {@link Disk} does. A subclass gives an empty one per test. */
public abstract class DiskContract {
  /** An empty disk, the same one within a test. */
  protected abstract Disk disk();

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private void write(String path, String text) throws IOException {
    try (WritableFile file = disk().create(path)) {
      file.write(bytes(text));
    }
  }

  private String content(String path) throws IOException {
    return new String(disk().readAll(path, 1000), StandardCharsets.UTF_8);
  }

  @Test
  void whatIsWrittenIsRead() throws IOException {
    ByteBuffer first = bytes("-hello-").position(1).limit(6);
    try (WritableFile file = disk().create("a")) {
      assertThat(file.sizeBytes()).isZero();
      file.write(first);
      assertThat(first.remaining()).isZero();
      file.write(bytes(" world"));
      file.write(ByteBuffer.allocate(0));
      file.sync();
      assertThat(file.sizeBytes()).isEqualTo(11);
    }
    assertThat(content("a")).isEqualTo("hello world");
    assertThat(disk().sizeBytes("a")).isEqualTo(11);
    assertThat(disk().exists("a")).isTrue();
    assertThat(disk().exists("b")).isFalse();
    assertThat(disk().exists("a/b")).isFalse();
  }

  @Test
  void readsStartAnywhereAndEndWithTheFile() throws IOException {
    write("a", "0123456789");
    try (ReadableFile file = disk().open("a")) {
      assertThat(file.sizeBytes()).isEqualTo(10);
      ByteBuffer target = ByteBuffer.allocate(8).position(2).limit(6);
      assertThat(file.read(3, target)).isEqualTo(4);
      assertThat(target.position()).isEqualTo(6);
      assertThat(target.array()).containsExactly(0, 0, '3', '4', '5', '6', 0, 0);
      ByteBuffer direct = ByteBuffer.allocateDirect(8);
      assertThat(file.read(7, direct)).isEqualTo(3);
      assertThat(direct.position()).isEqualTo(3);
      assertThat(direct.get(0)).isEqualTo((byte) '7');
      assertThat(file.read(10, direct)).isZero();
      assertThat(file.read(1L << 40, direct)).isZero();
      assertThatThrownBy(() -> file.read(-1, direct)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void largeContentsSurviveInPieces() throws IOException {
    byte[] content = new byte[3_000_000];
    new Random(5).nextBytes(content);
    try (WritableFile file = disk().create("large")) {
      for (int at = 0; at < content.length; ) {
        int size = Math.min(content.length - at, 1 + at % 700_001);
        file.write(ByteBuffer.wrap(content, at, size));
        at += size;
      }
    }
    assertThat(disk().readAll("large", content.length)).isEqualTo(content);
  }

  @Test
  void smallFilesAboveTheLimitAreRefused() throws IOException {
    write("a", "0123456789");
    assertThat(disk().readAll("a", 10)).hasSize(10);
    assertThatThrownBy(() -> disk().readAll("a", 9))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("limit of 9");
  }

  @Test
  void afterClosingNothingCanBeWrittenOrRead() throws IOException {
    WritableFile writing = disk().create("a");
    writing.write(bytes("x"));
    writing.close();
    writing.close();
    assertThatThrownBy(() -> writing.write(bytes("y"))).isInstanceOf(IOException.class);
    assertThatThrownBy(writing::sync).isInstanceOf(IOException.class);
    ReadableFile reading = disk().open("a");
    reading.close();
    reading.close();
    assertThatThrownBy(() -> reading.read(0, ByteBuffer.allocate(1)))
        .isInstanceOf(IOException.class);
    assertThat(content("a")).isEqualTo("x");
  }

  @Test
  void filesAreCreatedOnceAndInDirectoriesThatExist() throws IOException {
    write("a", "x");
    assertThatThrownBy(() -> disk().create("a")).isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> disk().create("d/a")).isInstanceOf(NoSuchFileException.class);
    disk().createDirectories("d");
    assertThatThrownBy(() -> disk().create("d")).isInstanceOf(FileAlreadyExistsException.class);
    write("d/a", "y");
    assertThat(content("d/a")).isEqualTo("y");
  }

  @Test
  void whatIsAbsentIsSaidToBe() {
    assertThatThrownBy(() -> disk().open("a")).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> disk().readAll("a", 9)).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> disk().sizeBytes("a")).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> disk().list("a")).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> disk().delete("a")).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> disk().rename("a", "b")).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> disk().replace("a", "b")).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> disk().link("a", "b")).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> disk().syncDirectory("a")).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void directoriesAreNotReadAsFilesNorFilesAsDirectories() throws IOException {
    disk().createDirectories("d");
    write("f", "x");
    assertThatThrownBy(() -> disk().open("d")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> disk().readAll("d", 9)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> disk().sizeBytes("d")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> disk().list("f")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> disk().syncDirectory("f")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> disk().createDirectories("f")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> disk().createDirectories("f/g")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> disk().create("f/g")).isInstanceOf(IOException.class);
  }

  @Test
  void listsNamesInOrderWithTheirSizes() throws IOException {
    assertThat(disk().list("")).isEmpty();
    disk().createDirectories("d/e");
    disk().createDirectories("d/e");
    write("d/b", "12");
    write("d/a%2Eb", "1");
    write("d/Z", "");
    assertThat(disk().list("d"))
        .containsExactly(
            new Disk.Entry("Z", false, 0),
            new Disk.Entry("a%2Eb", false, 1),
            new Disk.Entry("b", false, 2),
            new Disk.Entry("e", true, 0));
    assertThat(disk().list("")).containsExactly(new Disk.Entry("d", true, 0));
    assertThat(disk().list("d/e")).isEmpty();
  }

  @Test
  void listsOnlyTheNamesThatAreWanted() throws IOException {
    disk().createDirectories("d/e");
    write("d/b", "12");
    write("d/c", "1");
    assertThat(disk().list("d", name -> !name.equals("c")))
        .containsExactly(new Disk.Entry("b", false, 2), new Disk.Entry("e", true, 0));
    assertThat(disk().list("d", name -> false)).isEmpty();
    assertThatThrownBy(() -> disk().list("a", name -> false))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void anOpenDirectoryReadsItsFiles() throws IOException {
    disk().createDirectories("d/e");
    write("d/b", "12");
    write("top", "abc");
    try (OpenDirectory opened = disk().openDirectory("d")) {
      assertThat(opened.entries()).isEqualTo(disk().list("d"));
      assertThat(opened.readListed("b", 2)).isEqualTo("12".getBytes(StandardCharsets.UTF_8));
      assertThatThrownBy(() -> opened.readListed("b", 1)).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> opened.readListed("b", 3)).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> opened.readListed("c", 1)).isInstanceOf(NoSuchFileException.class);
      assertThatThrownBy(() -> opened.readListed("e", 1)).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> opened.readListed("../top", 3))
          .isInstanceOf(IllegalArgumentException.class);
    }
    try (OpenDirectory opened = disk().openDirectory("")) {
      assertThat(opened.readListed("top", 3)).isEqualTo("abc".getBytes(StandardCharsets.UTF_8));
    }
    assertThatThrownBy(() -> disk().openDirectory("a")).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> disk().openDirectory("top")).isInstanceOf(IOException.class);
  }

  @Test
  void renamesFilesAndDirectoriesButNotOverOthers() throws IOException {
    disk().createDirectories("tmp_x/sub");
    write("tmp_x/sub/a", "x");
    write("f", "y");
    disk().rename("tmp_x", "x");
    assertThat(disk().exists("tmp_x")).isFalse();
    assertThat(content("x/sub/a")).isEqualTo("x");
    assertThatThrownBy(() -> disk().rename("f", "x/sub/a"))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> disk().rename("f", "x"))
        .isInstanceOf(FileAlreadyExistsException.class);
    disk().createDirectories("empty");
    assertThatThrownBy(() -> disk().rename("x", "empty"))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> disk().rename("f", "nowhere/f")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> disk().rename("x", "x/sub/y")).isInstanceOf(IOException.class);
    disk().rename("f", "x/f");
    assertThat(content("x/f")).isEqualTo("y");
  }

  @Test
  void replacesFilesButNotDirectories() throws IOException {
    write("old", "old");
    write("new", "new");
    try (ReadableFile reading = disk().open("old")) {
      disk().replace("new", "old");
      ByteBuffer target = ByteBuffer.allocate(3);
      assertThat(reading.read(0, target)).isEqualTo(3);
      assertThat(new String(target.array(), StandardCharsets.UTF_8)).isEqualTo("old");
    }
    assertThat(content("old")).isEqualTo("new");
    assertThat(disk().exists("new")).isFalse();
    disk().replace("old", "other");
    assertThat(content("other")).isEqualTo("new");
    disk().createDirectories("d");
    assertThatThrownBy(() -> disk().replace("other", "d")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> disk().replace("d", "e")).isInstanceOf(IOException.class);
  }

  @Test
  void linksAreNamesOfTheSameFile() throws IOException {
    write("a", "x");
    disk().createDirectories("d");
    disk().link("a", "d/b");
    assertThatThrownBy(() -> disk().link("a", "d/b"))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> disk().link("d", "e")).isInstanceOf(IOException.class);
    disk().delete("a");
    assertThat(content("d/b")).isEqualTo("x");
  }

  @Test
  void deletesFilesAndEmptyDirectories() throws IOException {
    disk().createDirectories("d");
    write("d/a", "x");
    assertThatThrownBy(() -> disk().delete("d")).isInstanceOf(DirectoryNotEmptyException.class);
    disk().delete("d/a");
    disk().delete("d");
    assertThat(disk().list("")).isEmpty();
  }

  @Test
  void deletesWholeTrees() throws IOException {
    disk().createDirectories("d/e/f");
    disk().createDirectories("d/g");
    write("d/a", "x");
    write("d/e/f/b", "x");
    write("kept", "x");
    disk().deleteRecursively("d");
    disk().deleteRecursively("d");
    disk().deleteRecursively("nothing/there");
    assertThat(disk().list("")).extracting(Disk.Entry::name).containsExactly("kept");
  }

  @ParameterizedTest
  @ValueSource(strings = {"..", "../a", "a/../b", "/a", "a/", "a//b", ".", "./a", "a/.", "a\0b"})
  void pathsThatAreNotPlainAreRefused(String path) {
    Class<IllegalArgumentException> refusal = IllegalArgumentException.class;
    assertThatThrownBy(() -> disk().create(path)).isInstanceOf(refusal);
    assertThatThrownBy(() -> disk().open(path)).isInstanceOf(refusal);
    assertThatThrownBy(() -> disk().readAll(path, 1)).isInstanceOf(refusal);
    assertThatThrownBy(() -> disk().exists(path)).isInstanceOf(refusal);
    assertThatThrownBy(() -> disk().sizeBytes(path)).isInstanceOf(refusal);
    assertThatThrownBy(() -> disk().list(path)).isInstanceOf(refusal);
    assertThatThrownBy(() -> disk().createDirectories(path)).isInstanceOf(refusal);
    assertThatThrownBy(() -> disk().rename(path, "x")).isInstanceOf(refusal);
    assertThatThrownBy(() -> disk().rename("x", path)).isInstanceOf(refusal);
    assertThatThrownBy(() -> disk().replace(path, "x")).isInstanceOf(refusal);
    assertThatThrownBy(() -> disk().link("x", path)).isInstanceOf(refusal);
    assertThatThrownBy(() -> disk().delete(path)).isInstanceOf(refusal);
    assertThatThrownBy(() -> disk().deleteRecursively(path)).isInstanceOf(refusal);
    assertThatThrownBy(() -> disk().syncDirectory(path)).isInstanceOf(refusal);
    assertThatThrownBy(() -> disk().within(path)).isInstanceOf(refusal);
  }

  @Test
  void theRootIsNotAFileAndIsNotDeleted() throws IOException {
    disk().createDirectories("");
    disk().syncDirectory("");
    assertThat(disk().exists("")).isTrue();
    for (String path : List.of("")) {
      assertThatThrownBy(() -> disk().delete(path)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> disk().deleteRecursively(path))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> disk().create(path)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aDirectoryIsADiskOfItsOwn() throws IOException {
    Disk inner = disk().within("d/e");
    inner.createDirectories("");
    try (WritableFile file = inner.create("a")) {
      file.write(bytes("x"));
    }
    inner.syncDirectory("");
    assertThat(content("d/e/a")).isEqualTo("x");
    assertThat(inner.within("").list("")).hasSize(1);
    assertThat(inner.describe("a")).isEqualTo(disk().describe("d/e/a"));
    assertThatThrownBy(() -> inner.open("../a")).isInstanceOf(IllegalArgumentException.class);
    assertThat(inner.freeBytes()).isPositive();
  }

  @Test
  void openFilesOutliveTheirNames() throws IOException {
    write("a", "x");
    try (ReadableFile file = disk().open("a")) {
      disk().delete("a");
      assertThat(file.read(0, ByteBuffer.allocate(1))).isEqualTo(1);
    }
  }
}
