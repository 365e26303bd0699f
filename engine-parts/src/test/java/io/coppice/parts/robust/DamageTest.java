package io.coppice.parts.robust;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.disk.LocalDisk;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.fixtures.Column;
import io.coppice.parts.format.ChecksumsFile;
import io.coppice.parts.inspect.PartInspector;
import io.coppice.parts.nativeformat.NativeWriter;
import io.coppice.parts.scan.BatchStream;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.scan.Scan;
import io.coppice.parts.table.TableSettings.Profile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whole parts of every kind with one file damaged, then all columns read, and read with conditions
 * that look at the keys and the indexes: the rows are right or there is an {@link EngineException},
 * soon and with little memory.
 *
 * <p>Bytes that checksums cover never give a wrong row. Where the damage is sealed (every checksum
 * is made anew) rows may be wrong, but nothing else may happen.
 */
class DamageTest {
  private static final long SEED = Long.getLong("coppice.seed", 11L);
  private static final long DIRECT_LIMIT = 192L << 20;
  private static final long MOST_HEAP_BYTES = 256L << 20;

  private static final List<String> CONDITIONS =
      List.of(
          "",
          "day >= '2040-01-01' AND id > 1000",
          "maybe > 5 AND day != '2000-01-01'",
          "name = 'abc' OR name LIKE '%the%'",
          "id % 7 = 3");

  private static final String MARKS_PER_COLUMN = "compact, marks per column, strings in one stream";

  @TempDir Path temp;

  private BufferAllocator allocator;
  private final List<Subject> subjects = new ArrayList<>();
  private final Map<String, int[]> counts = new LinkedHashMap<>();
  private final com.sun.management.ThreadMXBean threads =
      (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();

  /** A part that is whole, and what it answers. */
  private record Subject(
      String name,
      Samples.Table table,
      Map<String, byte[]> files,
      List<String> conditions,
      List<byte[]> answers) {}

  @BeforeEach
  void build() throws IOException {
    allocator = new RootAllocator(DIRECT_LIMIT);
    List<Column> modern = new ArrayList<>(Samples.manyColumns(true));
    modern.add(new Column("rare", "UInt64", "", 3));
    String indexes =
        ", INDEX i_minmax maybe TYPE minmax GRANULARITY 1"
            + ", INDEX i_set day TYPE set(100) GRANULARITY 2"
            + ", INDEX i_bloom name TYPE bloom_filter GRANULARITY 1"
            + ", INDEX i_token name TYPE tokenbf_v1(256, 2, 0) GRANULARITY 1"
            + ", INDEX i_ngram name TYPE ngrambf_v1(3, 256, 2, 0) GRANULARITY 1";
    String key = "PARTITION BY id % 1 ORDER BY (day, id) SETTINGS index_granularity = 32";
    String sparse = ", ratio_of_defaults_for_sparse_serialization = 0.05";
    subject(
        "wide, indexes packed",
        modern,
        indexes,
        key + sparse + ", min_bytes_for_wide_part = 0, packed_skip_index_max_bytes = 1048576");
    subject(
        "wide, indexes in files of their own",
        modern.subList(0, 8),
        indexes,
        key + ", min_bytes_for_wide_part = 0");
    subject("compact", modern, indexes, key + sparse);
    subject(
        MARKS_PER_COLUMN,
        modern,
        "",
        key
            + ", write_marks_for_substreams_in_compact_parts = 0"
            + ", serialization_info_version = 'basic', compress_marks = 0"
            + ", compress_primary_key = 0");
    Samples.Table classic =
        Samples.table(
            Samples.manyColumns(false),
            "",
            "PARTITION BY toYYYYMM(day) ORDER BY (day, id) SETTINGS index_granularity = 32",
            Profile.CLASSIC);
    add("classic", classic, CONDITIONS);
  }

  private void subject(String name, List<Column> columns, String indexes, String rest)
      throws IOException {
    add(name, Samples.table(columns, indexes, rest, Profile.MODERN), CONDITIONS);
  }

  private void add(String name, Samples.Table table, List<String> conditions) throws IOException {
    Map<String, byte[]> files = largest(name, table, SEED);
    List<byte[]> answers = new ArrayList<>();
    Subject unasked = new Subject(name, table, files, conditions, answers);
    for (String condition : conditions) {
      answers.add(ask(unasked, files, condition, false));
    }
    for (int i = 0; i < conditions.size(); i++) {
      assertThat(ask(unasked, files, conditions.get(i), true))
          .as("%s: %s", name, conditions.get(i))
          .isEqualTo(answers.get(i));
    }
    subjects.add(unasked);
  }

  private Map<String, byte[]> largest(String name, Samples.Table table, long seed)
      throws IOException {
    Path directory = temp.resolve(name + seed);
    LocalDisk disk = new LocalDisk(directory);
    disk.createDirectories("");
    String part =
        Samples.build(table, disk, seed, 100, 1, allocator).stream()
            .max(java.util.Comparator.comparingLong(p -> p.rowCount()))
            .orElseThrow()
            .name()
            .text();
    return Samples.files(disk.within(part));
  }

  @AfterEach
  void close() {
    assertThat(allocator.getAllocatedMemory()).isZero();
    allocator.close();
  }

  private byte[] ask(Subject subject, Map<String, byte[]> files, String condition, boolean pruning)
      throws IOException {
    LoadedPart part =
        LoadedPart.open(new MemoryDisk(files), "all_1_1_0", subject.table().hints(), allocator);
    Scan scan = Scan.of(part).table(subject.table().definition()).pruning(pruning);
    if (!condition.isEmpty()) {
      scan = scan.where(condition);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (BatchStream batches = scan.open(allocator);
        NativeWriter writer = new NativeWriter(Channels.newChannel(out), allocator)) {
      while (batches.next()) {
        writer.write(batches.batch());
      }
    }
    return out.toByteArray();
  }

  /**
   * Reads a damaged part in all ways.
   *
   * @param file what was damaged
   * @param mayBeTold whether wrong rows are wrong
   */
  private void attempt(
      Subject subject, Map<String, byte[]> files, String file, boolean mayBeTold, String how) {
    // A column of another name, where nothing else in the part has its name, is one that an ALTER
    // has dropped; the one that is missing then is one that it has added.
    boolean covered =
        mayBeTold && !(subject.name().equals(MARKS_PER_COLUMN) && file.equals("columns.txt"));
    int[] count = counts.computeIfAbsent(subject.name(), n -> new int[2]);
    long heapBefore = threads.getCurrentThreadAllocatedBytes();
    boolean refused = false;
    for (int i = 0; i < subject.conditions().size(); i++) {
      String when =
          String.format(
              "seed %d, %s, %s %s, condition %s",
              SEED, subject.name(), file, how, subject.conditions().get(i));
      try {
        byte[] answer = ask(subject, files, subject.conditions().get(i), true);
        if (covered) {
          assertThat(answer).as(when).isEqualTo(subject.answers().get(i));
        }
      } catch (EngineException e) {
        refused = true;
        assertThat(e.code().kind() == ErrorCode.Kind.USAGE && covered && file.endsWith(".bin"))
            .as("%s: %s", when, e.getMessage())
            .isFalse();
        assertThat(
                files.keySet().stream().anyMatch(e.getMessage()::contains)
                    || e.getMessage().contains(file))
            .as("%s names no file: %s", when, e.getMessage())
            .isTrue();
        if (i == 0 && e.getMessage().startsWith("part ")) {
          break; // it will not open for the next condition either
        }
      } catch (IOException | RuntimeException | Error e) {
        throw new AssertionError(when + ": " + e, e);
      }
    }
    long heapBytes = threads.getCurrentThreadAllocatedBytes() - heapBefore;
    assertThat(heapBytes)
        .as("heap bytes for %s %s %s", subject.name(), file, how)
        .isLessThan(MOST_HEAP_BYTES);
    count[refused ? 0 : 1]++;
    assertThat(allocator.getAllocatedMemory()).as(how).isZero();
  }

  private static Map<String, byte[]> with(Map<String, byte[]> files, String file, byte[] content) {
    Map<String, byte[]> copy = new TreeMap<>(files);
    copy.put(file, content);
    return copy;
  }

  private void print(String what) {
    counts.forEach(
        (name, count) ->
            System.out.printf(
                "damage: %s, %s: %d refused, %d read as they were%n",
                what, name, count[0], count[1]));
    System.out.printf(
        "damage: %s: %d parts%n", what, counts.values().stream().mapToInt(c -> c[0] + c[1]).sum());
  }

  @Test
  void noByteThatAChecksumCoversGivesAWrongRowWhenItIsFlipped() {
    Random random = new Random(SEED);
    for (Subject subject : subjects) {
      for (Map.Entry<String, byte[]> file : subject.files().entrySet()) {
        int size = file.getValue().length;
        int tries = Math.min(size, 16);
        for (int i = 0; i < tries; i++) {
          int at = size <= 16 || i < 8 ? i : random.nextInt(size);
          byte[] flipped = file.getValue().clone();
          flipped[at] ^= (byte) (1 << random.nextInt(8));
          attempt(
              subject,
              with(subject.files(), file.getKey(), flipped),
              file.getKey(),
              true,
              "flipped at " + at);
        }
      }
    }
    print("a bit flipped");
  }

  @Test
  void aFileCutAtAnyLengthOrMadeLongerIsRefused() {
    for (Subject subject : subjects) {
      for (Map.Entry<String, byte[]> file : subject.files().entrySet()) {
        int size = file.getValue().length;
        for (int to = 0; to < size; to += size > 400 ? 7 : 1) {
          attempt(
              subject,
              with(subject.files(), file.getKey(), Arrays.copyOf(file.getValue(), to)),
              file.getKey(),
              true,
              "cut to " + to);
        }
        for (int more : new int[] {1, 8, 1000}) {
          attempt(
              subject,
              with(subject.files(), file.getKey(), Arrays.copyOf(file.getValue(), size + more)),
              file.getKey(),
              true,
              more + " bytes longer");
        }
      }
    }
    print("cut");
  }

  @Test
  void aFileThatIsMissingOrAnothersIsRefused() throws IOException {
    for (Subject subject : subjects) {
      Map<String, byte[]> other = largest(subject.name(), subject.table(), SEED + 1);
      for (String file : subject.files().keySet()) {
        Map<String, byte[]> without = new TreeMap<>(subject.files());
        without.remove(file);
        attempt(subject, without, file, true, "removed");
        if (other.containsKey(file)) {
          attempt(
              subject, with(subject.files(), file, other.get(file)), file, true, "of another part");
        }
        for (String from : subject.files().keySet()) {
          if (!from.equals(file)) {
            attempt(
                subject,
                with(subject.files(), file, subject.files().get(from)),
                file,
                true,
                "with the content of " + from);
          }
        }
      }
    }
    print("files removed and swapped");
  }

  /** Without compression equal rows give files of equal sizes, whose frames are all whole. */
  @Test
  void aDataFileOfEqualSizeFromAnotherPartIsRefused() throws IOException {
    List<Column> columns =
        List.of(
            new Column("id", "UInt32", "NONE", 0),
            new Column("other", "UInt32", "NONE", 0),
            new Column("list", "Decimal(18, 4)", "NONE", 0));
    for (String settings : List.of("min_bytes_for_wide_part = 0", "index_granularity = 64")) {
      Samples.Table table =
          Samples.table(columns, "", "ORDER BY tuple() SETTINGS " + settings, Profile.MODERN);
      add("equal sizes, " + settings, table, List.of("", "id % 7 = 3"));
      Subject subject = subjects.remove(subjects.size() - 1);
      Map<String, byte[]> other = largest("other " + settings, table, SEED + 1);
      int equal = 0;
      for (String file : subject.files().keySet()) {
        if (file.endsWith(".bin") && other.get(file).length == subject.files().get(file).length) {
          equal++;
          Map<String, byte[]> swapped = with(subject.files(), file, other.get(file));
          attempt(subject, swapped, file, true, "of another part, as large");
          assertThat(
                  PartInspector.of(new MemoryDisk(swapped), "all_1_1_0")
                      .inspect(allocator)
                      .faults())
              .isNotEmpty();
        }
      }
      assertThat(equal).isPositive();
    }
    print("data files of equal size swapped");
  }

  @Test
  void nonsenseUnderRightChecksumsIsReadAsSomethingOrRefused() {
    sealed(1_500, SEED);
    print("nonsense under right checksums");
  }

  /** By hand, each time with another seed: {@code -Dtest.groups=hunt -Dcoppice.seed=…}. */
  @Tag("hunt")
  @Test
  void nonsenseOfManyKinds() {
    sealed(20_000, SEED);
    print("hunt");
  }

  private void sealed(int mutations, long seed) {
    Random random = new Random(seed);
    try (BufferAllocator own = new RootAllocator();
        PartBytes bytes = new PartBytes(own)) {
      for (int i = 0; i < mutations; i++) {
        Subject subject = subjects.get(random.nextInt(subjects.size()));
        List<String> names = List.copyOf(subject.files().keySet());
        String file = names.get(random.nextInt(names.size()));
        byte[] content = subject.files().get(file);
        Map<String, byte[]> damaged;
        String how = "sealed again, mutation " + i + " of seed " + seed;
        ChecksumsFile.Entry entry = bytes.checksums(subject.files()).files().get(file);
        if (entry == null) {
          damaged = with(subject.files(), file, Mutators.mutate(content, random));
        } else if (entry.content().isPresent() && content.length > 0 && random.nextInt(10) > 0) {
          int frame = random.nextInt(bytes.frames(content));
          damaged = bytes.withFrame(subject.files(), file, frame, c -> Mutators.mutate(c, random));
        } else {
          damaged = bytes.with(subject.files(), file, Mutators.mutate(content, random));
        }
        attempt(subject, damaged, file, false, how);
        if (i % 10 == 0) {
          inspect(damaged, how);
        }
        if (i % 5 == 0 && entry != null) {
          damaged.remove(ChecksumsFile.NAME);
          attempt(subject, damaged, file, false, how + ", without checksums.txt");
        }
      }
    }
  }

  private void inspect(Map<String, byte[]> damaged, String how) {
    try {
      PartInspector.of(new MemoryDisk(damaged), "all_1_1_0").inspect(allocator);
    } catch (RuntimeException | Error e) {
      throw new AssertionError("inspecting " + how + ": " + e, e);
    }
  }
}
