package io.coppice.merge.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.disk.LocalDisk;
import io.coppice.base.error.EngineException;
import io.coppice.fixtures.Golden;
import io.coppice.fixtures.PartFiles;
import io.coppice.fixtures.RandomData;
import io.coppice.fixtures.RandomSchemas;
import io.coppice.fixtures.RandomTables;
import io.coppice.fixtures.peer.ChdbPeer;
import io.coppice.fixtures.peer.PeerException;
import io.coppice.parts.format.SerializationFile;
import io.coppice.parts.name.PartName;
import io.coppice.parts.nativeformat.NativeWriter;
import io.coppice.parts.scan.LoadedPart;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts of random tables, merged by the engine and by us: the names and the bytes are the same. */
@Tag("peer")
class MergePeerTest {
  private static final long SEED = Long.getLong("coppice.seed", 20261201L);
  private static final long FIRST = Long.getLong("coppice.first", 0);
  private static final int TABLES = Integer.getInteger("coppice.tables", 150);
  private static final int MOST_COLUMNS = 8;
  private static final List<Integer> ROW_COUNTS = List.of(1, 2, 17, 100, 500, 1500, 5000);

  /** Tables whose merges are known to differ, and in what; one that does no more is taken out. */
  private static final Map<Long, String> UNLIKE =
      Map.of(20261339L, "the engine packs an index over a key column in a vertical merge");

  @TempDir Path directory;

  private final List<String> problems = new ArrayList<>();
  private int merged;
  private int vertical;
  private int compact;
  private int explained;

  @Test
  void partsMergedHaveTheBytesOfTheEngine() throws Exception {
    try (BufferAllocator allocator = new RootAllocator();
        ChdbPeer peer = ChdbPeer.start()) {
      peer.run("CREATE DATABASE d");
      peer.run(RandomSchemas.sessionSettings());
      peer.run(
          "SET max_threads = 1, max_insert_threads = 1, input_format_parallel_parsing = 0,"
              + " max_partitions_per_insert_block = 0, max_insert_block_size = 10000000,"
              + " min_insert_block_size_rows = 0, min_insert_block_size_bytes = 0");
      for (long i = FIRST; i < FIRST + TABLES; i++) {
        long seed = SEED + i;
        RandomTables.Table table = new RandomTables(seed, Golden.Engine.V26_7).next(MOST_COLUMNS);
        String create = create(table, new Random(seed * 0x9E3779B97F4A7C15L + 5));
        if (create.contains("enable_block_number_column")) {
          continue; // columns of which merges are refused, as MergeTaskTest shows
        }
        String label = "seed %d: %s".formatted(seed, create);
        try {
          one(peer, seed, table, create, label, allocator);
        } catch (PeerException | EngineException | IllegalStateException e) {
          problems.add(label + "\n    " + e);
        }
        peer.run("DROP TABLE IF EXISTS d.t SYNC");
        if (allocator.getAllocatedMemory() != 0) {
          problems.add(label + "\n    leaves " + allocator.getAllocatedMemory() + " bytes");
          break;
        }
      }
    }
    System.out.printf(
        "seed %d, %d tables: %d merges with equal bytes, %d of them vertical, %d to Compact;"
            + " %d explained%n",
        SEED, TABLES, merged, vertical, compact, explained);
    assertThat(problems).as("%d problems".formatted(problems.size())).isEmpty();
    assertThat(merged).isGreaterThan(TABLES / 2);
    assertThat(explained).isLessThanOrEqualTo(TABLES / 50);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ReplacingMergeTree",
        "ReplacingMergeTree(ver)",
        "ReplacingMergeTree(ver, del)",
        "CollapsingMergeTree(sign)"
      })
  void foldedPartsHaveTheBytesOfTheEngine(String engine) throws Exception {
    try (BufferAllocator allocator = new RootAllocator();
        ChdbPeer peer = ChdbPeer.start()) {
      peer.run("CREATE DATABASE d");
      peer.run("SET optimize_on_insert = 0, max_threads = 1, max_insert_threads = 1");
      for (String settings :
          List.of(
              "min_bytes_for_wide_part = 0, enable_vertical_merge_algorithm = 0",
              "min_bytes_for_wide_part = 0, vertical_merge_algorithm_min_rows_to_activate = 1,"
                  + " vertical_merge_algorithm_min_columns_to_activate = 1",
              "index_granularity = 100, merge_max_block_size = 37, min_bytes_for_wide_part = 0",
              "index_granularity = 100")) {
        String create =
            "CREATE TABLE d.t (k UInt32, s String, w LowCardinality(String), ver UInt8, del UInt8,"
                + " sign Int8, z UInt64, INDEX i z TYPE minmax GRANULARITY 2) ENGINE = "
                + engine
                + " ORDER BY k SETTINGS auto_statistics_types = '', "
                + settings;
        peer.run(create);
        peer.run("SYSTEM STOP MERGES d.t");
        for (int part = 1; part <= 3; part++) {
          peer.run(
              ("INSERT INTO d.t SELECT cityHash64(number, %1$d) %% 3000, toString(number),"
                      + " toString(number %% 7), cityHash64(number, %1$d, 'v') %% 4,"
                      + " cityHash64(number, %1$d, 'd') %% 2,"
                      + " if(cityHash64(number, %1$d, 's') %% 2 = 0, 1, -1),"
                      + " if(number %% 50 = 0, number, 0) FROM numbers(2500)")
                  .formatted(part));
        }
        Path theirs = peer.tableDirectory("d", "t");
        Path ours = Files.createDirectories(directory.resolve("f" + settings.hashCode()));
        List<PartName> sources = new ArrayList<>();
        for (String name : active(peer)) {
          sources.add(PartName.parse(name));
          Merges.copy(theirs.resolve(name), ours.resolve(name));
        }
        peer.run("SYSTEM START MERGES d.t");
        peer.run("OPTIMIZE TABLE d.t FINAL");
        sources.sort(java.util.Comparator.comparingLong(PartName::minBlock));
        Merges.Result result = Merges.merge(create, new LocalDisk(ours), sources, allocator);
        assertThat(active(peer)).containsExactly(result.name());
        assertThat(
                PartFiles.differences(theirs.resolve(result.name()), ours.resolve(result.name())))
            .as("%s", create)
            .isEmpty();
        peer.run("DROP TABLE d.t SYNC");
      }
    }
  }

  private static String create(RandomTables.Table table, Random random) {
    String sql = table.createSql("d.t");
    StringBuilder settings =
        new StringBuilder(sql.contains(" SETTINGS ") ? ", " : " SETTINGS ")
            .append("auto_statistics_types = ''");
    if (random.nextInt(2) == 0) {
      settings.append(
          ", vertical_merge_algorithm_min_rows_to_activate = 1,"
              + " vertical_merge_algorithm_min_columns_to_activate = 1");
    }
    if (random.nextInt(4) == 0) {
      settings.append(", merge_max_block_size = ").append(1 + random.nextInt(300));
    }
    return sql + settings;
  }

  private void one(
      ChdbPeer peer,
      long seed,
      RandomTables.Table table,
      String create,
      String label,
      BufferAllocator allocator)
      throws IOException {
    peer.run(create);
    peer.run("SYSTEM STOP MERGES d.t");
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    RandomData data = new RandomData(seed).withoutLongStrings();
    int inserts = 1 + random.nextInt(4);
    for (int i = 0; i < inserts; i++) {
      int rows = ROW_COUNTS.get(random.nextInt(ROW_COUNTS.size()));
      Path input = directory.resolve("input.native");
      try (VectorSchemaRoot batch = data.batch(table.columns(), rows, allocator)) {
        Files.write(input, toNative(batch, allocator));
      }
      peer.run("INSERT INTO d.t FROM INFILE '" + input + "' FORMAT Native");
    }
    Path theirs = peer.tableDirectory("d", "t");
    Path ours = Files.createDirectories(directory.resolve("t" + seed));
    Map<String, List<PartName>> partitions = new TreeMap<>();
    for (String name : active(peer)) {
      PartName part = PartName.parse(name);
      partitions.computeIfAbsent(part.partition(), p -> new ArrayList<>()).add(part);
      Merges.copy(theirs.resolve(name), ours.resolve(name));
    }
    peer.run("SYSTEM START MERGES d.t");
    peer.run("OPTIMIZE TABLE d.t FINAL");
    List<String> after = active(peer);
    List<String> differences = new ArrayList<>();
    List<String> names = new ArrayList<>();
    boolean wasVertical = false;
    boolean wasCompact = false;
    for (List<PartName> sources : partitions.values()) {
      sources.sort(java.util.Comparator.comparingLong(PartName::minBlock));
      Merges.Result result = Merges.merge(create, new LocalDisk(ours), sources, allocator);
      wasVertical |= result.vertical();
      wasCompact |= result.compact();
      names.add(result.name());
      if (after.contains(result.name())) {
        for (String line :
            PartFiles.differences(theirs.resolve(result.name()), ours.resolve(result.name()))) {
          differences.add(result.name() + "/" + line);
        }
        if (!differences.isEmpty()) {
          differences.add(explain(theirs, result.name(), allocator));
          differences.add(explain(ours, result.name(), allocator));
        }
      }
    }
    if (!names.stream().sorted().toList().equals(after.stream().sorted().toList())) {
      differences.add("parts " + after + ", ours " + names);
    }
    if (UNLIKE.containsKey(seed)) {
      System.out.println("known to differ: seed " + seed + ", " + UNLIKE.get(seed));
      if (differences.isEmpty()) {
        problems.add(label + "\n    differs no more: take it out of the list");
      }
    } else if (differences.isEmpty()) {
      merged++;
      vertical += wasVertical ? 1 : 0;
      compact += wasCompact ? 1 : 0;
    } else if (create.contains("LowCardinality")
        && create.contains("index_granularity_bytes")
        && differences.stream().noneMatch(d -> d.startsWith("parts "))) {
      // What a merged dictionary takes in the engine's memory, by which it cuts granules, is not
      // always known to the byte.
      explained++;
      System.out.println(
          "explained by the size of LowCardinality: "
              + label
              + "\n    "
              + String.join("\n    ", differences));
    } else {
      problems.add(label + "\n    " + String.join("\n    ", differences));
    }
  }

  /** What a part looks like, for the message of a failure. */
  private static String explain(Path table, String name, BufferAllocator allocator)
      throws IOException {
    LoadedPart part =
        LoadedPart.open(new LocalDisk(table.resolve(name)), name, LoadedPart.Hints.NONE, allocator);
    return name
        + ": granules "
        + IntStream.range(0, Math.min(50, part.granuleCount())).mapToObj(part::rowsIn).toList()
        + part.serialization().map(SerializationFile::columns);
  }

  private static byte[] toNative(VectorSchemaRoot batch, BufferAllocator allocator)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (NativeWriter writer = new NativeWriter(Channels.newChannel(out), allocator)) {
      writer.write(batch);
    }
    return out.toByteArray();
  }

  private static List<String> active(ChdbPeer peer) {
    return List.of(
        peer.text(
                "SELECT name FROM system.parts WHERE database = 'd' AND active AND table = 't'"
                    + " ORDER BY name")
            .split("\n"));
  }
}
