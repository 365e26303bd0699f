package io.coppice.parts.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.disk.LocalDisk;
import io.coppice.base.error.EngineException;
import io.coppice.fixtures.Column;
import io.coppice.fixtures.Golden;
import io.coppice.fixtures.PartFiles;
import io.coppice.fixtures.RandomData;
import io.coppice.fixtures.RandomSchemas;
import io.coppice.fixtures.RandomTables;
import io.coppice.fixtures.peer.ChdbPeer;
import io.coppice.fixtures.peer.ClickHousePeer;
import io.coppice.fixtures.peer.PeerException;
import io.coppice.parts.scan.BatchStream;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.scan.Scan;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import io.coppice.parts.write.PartBuilder;
import io.coppice.parts.write.WrittenPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random tables with random rows, in and out of both engines: our parts are attached, read, checked
 * and merged; theirs are read by us; and of the same rows both write the same bytes.
 */
@Tag("peer")
class RandomSchemaPeerTest {
  private static final long SEED = Long.getLong("coppice.seed", 20261130L);
  private static final int TABLES = Integer.getInteger("coppice.tables", 300);
  private static final int MOST_COLUMNS = 8;
  private static final List<Integer> ROW_COUNTS = List.of(1, 2, 17, 100, 500, 1500, 1500, 5000);

  private static final int FIRST_MONDAY = 4;
  private static final int LAST_DAY = 49_672;

  @TempDir Path directory;

  private final List<String> problems = new ArrayList<>();
  private final Map<String, Integer> explained = new TreeMap<>();
  private int attached;
  private int checked;
  private int merged;
  private int equalBytes;
  private int theirs;
  private long rows;

  /** The rows that both engines get, and what they should become. */
  private record Case(
      String name,
      RandomTables.Table random,
      TableDefinition table,
      byte[] input,
      List<String> inserted,
      Path ours,
      List<String> parts,
      List<String> expected) {
    List<String> columns() {
      return random.columns().stream().map(Column::name).toList();
    }
  }

  @Test
  void engine26TakesOurPartsAsItsOwnAndWritesTheSame() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (BufferAllocator allocator = new RootAllocator();
        ChdbPeer peer = ChdbPeer.start()) {
      peer.run("CREATE DATABASE d");
      peer.run(RandomSchemas.sessionSettings());
      peer.run(
          "SET max_threads = 1, max_insert_threads = 1, input_format_parallel_parsing = 0,"
              + " max_partitions_per_insert_block = 0, max_insert_block_size = 10000000,"
              + " min_insert_block_size_rows = 0, min_insert_block_size_bytes = 0");
      for (int i = 0; i < TABLES; i++) {
        RandomTables.Table random =
            new RandomTables(SEED + i, Golden.Engine.V26_7).next(MOST_COLUMNS);
        String label = "seed %d: %s".formatted(SEED + i, random.createSql("d.t"));
        try {
          Case one = build(i, random, Profile.MODERN, allocator);
          modern(peer, one, label, threads, allocator);
        } catch (PeerException | EngineException | IllegalStateException e) {
          problems.add(label + "\n    " + e);
        }
        peer.run("DROP TABLE IF EXISTS d.t SYNC");
        peer.run("DROP TABLE IF EXISTS d.o SYNC");
        if (allocator.getAllocatedMemory() != 0) {
          problems.add(label + "\n    leaves " + allocator.getAllocatedMemory() + " bytes");
          break;
        }
      }
    } finally {
      threads.shutdown();
    }
    say("26.7", TABLES);
  }

  private void say(String engine, int tables) {
    System.out.printf(
        "%s: seed %d, %d tables, %d rows; ours attached and read %d, checked %d, merged %d; theirs"
            + " read %d; equal bytes in %d of %d, explained %s; 0 skipped%n",
        engine,
        SEED,
        tables,
        rows,
        attached,
        checked,
        merged,
        theirs,
        equalBytes,
        tables,
        explained);
    assertThat(problems).as("%d problems".formatted(problems.size())).isEmpty();
    assertThat(attached).isEqualTo(tables);
    assertThat(theirs).isEqualTo(tables);
    assertThat(merged).isEqualTo(tables);
  }

  private Case build(
      int number, RandomTables.Table random, Profile profile, BufferAllocator allocator)
      throws IOException {
    TableDefinition table = TableDefinition.parse(random.createSql("d.t"), profile).existing();
    Path ours = Files.createDirectories(directory.resolve("ours" + number));
    int count =
        ROW_COUNTS.get(
            new Random((SEED + number) * 0x9E3779B97F4A7C15L).nextInt(ROW_COUNTS.size()));
    RandomData data = new RandomData(SEED + number).withoutLongStrings();
    List<String> inserted = new ArrayList<>();
    List<String> names;
    byte[] input;
    try (VectorSchemaRoot batch = data.batch(random.columns(), count, allocator);
        PartBuilder builder = PartBuilder.open(table, new LocalDisk(ours), allocator)) {
      if (profile == Profile.CLASSIC) {
        batch.getFieldVectors().forEach(RandomSchemaPeerTest::withinTheCalendarOf18);
      }
      Rows.addAsStored(batch, inserted);
      input = Rows.toNative(batch, allocator);
      builder.add(batch);
      names = builder.finish().stream().map(WrittenPart::name).map(n -> n.text()).toList();
    }
    rows += count;
    List<String> columns = random.columns().stream().map(Column::name).toList();
    List<LoadedPart> parts = Rows.parts(ours, names, table, allocator);
    List<String> expected = Rows.ofScan(Scan.of(parts).table(table).columns(columns), allocator);
    return new Case("t" + number, random, table, input, inserted, ours, names, expected);
  }

  /** The calendar of 18.16.1 has no 2106, and no Monday before 1970. */
  private static void withinTheCalendarOf18(FieldVector vector) {
    vector.getChildrenFromFields().forEach(RandomSchemaPeerTest::withinTheCalendarOf18);
    for (int row = 0; row < vector.getValueCount(); row++) {
      if (vector instanceof DateDayVector days && !days.isNull(row)) {
        days.set(row, Math.max(FIRST_MONDAY, Math.min(days.get(row), LAST_DAY)));
      } else if (vector instanceof UInt4Vector times
          && vector.getField().getMetadata().get(ArrowMapping.TYPE_KEY).contains("DateTime")
          && !times.isNull(row)) {
        times.set(row, (int) Math.min(times.get(row) & 0xFFFFFFFFL, LAST_DAY * 86_400L));
      }
    }
  }

  private void modern(
      ChdbPeer peer, Case one, String label, ExecutorService threads, BufferAllocator allocator)
      throws IOException {
    List<String> columns = one.columns();
    same(label, "what was inserted", sorted(one.inserted()), sorted(one.expected()));
    List<LoadedPart> ourParts = Rows.parts(one.ours(), one.parts(), one.table(), allocator);
    Scan scan = Scan.of(ourParts).table(one.table()).columns(columns);
    same(
        label,
        "on two threads",
        one.expected(),
        Rows.ofScan(scan.on(threads, 2).batchRows(50), allocator));
    try (BatchStream early = scan.on(threads, 2).batchRows(10).open(allocator)) {
      early.next();
    }
    if (allocator.getAllocatedMemory() != 0) {
      problems.add(label + "\n    an early close leaves " + allocator.getAllocatedMemory());
    }

    // Theirs, of the same rows.
    peer.run(one.random().createSql("d.t"));
    peer.run("SYSTEM STOP MERGES d.t");
    Path input = directory.resolve("input.native");
    Files.write(input, one.input());
    peer.run("INSERT INTO d.t FROM INFILE '" + input + "' FORMAT Native");
    Path table = peer.tableDirectory("d", "t");
    List<String> names = active(peer, "t");
    List<LoadedPart> theirParts = Rows.parts(table, names, one.table(), allocator);
    boolean tiesDiffer = readTheirs(label, one, theirParts, allocator);
    compare(label, one, table, names, tiesDiffer);

    // Ours, attached.
    peer.run(one.random().createSql("d.o"));
    peer.run("SYSTEM STOP MERGES d.o");
    Path other = peer.tableDirectory("d", "o");
    attach(peer::run, "d.o", one, other);
    String all = "SELECT * FROM d.o ORDER BY _part, _part_offset";
    boolean attachedWell =
        same(label, "our parts read by the engine", one.expected(), answer(peer, all, allocator));
    attached += attachedWell ? 1 : 0;
    if (!one.random().hashedNames()) {
      // Of hashed names this build of the engine says "File name too long", of its own parts too.
      String check = peer.text("CHECK TABLE d.o SETTINGS check_query_single_value_result = 0");
      for (String line : check.split("\n")) {
        String[] fields = line.split("\t", -1);
        if (fields.length < 2 || !fields[1].equals("1")) {
          problems.add(label + "\n    CHECK TABLE: " + line);
        }
      }
      checked++;
    }
    attach(peer::run, "d.o", one, other);
    peer.run("SYSTEM START MERGES d.o");
    peer.run("OPTIMIZE TABLE d.o FINAL");
    List<String> after = answer(peer, all, allocator);
    boolean mergedWell = same(label, "merged", sorted(twice(one.expected())), sorted(after));
    List<LoadedPart> mergedParts = Rows.parts(other, active(peer, "o"), one.table(), allocator);
    mergedWell &=
        same(
            label,
            "merged parts read by us",
            after,
            Rows.ofScan(Scan.of(mergedParts).table(one.table()).columns(columns), allocator));
    merged += mergedWell ? 1 : 0;
  }

  /** The rows of an answer, which may be large and goes through a file. */
  private List<String> answer(ChdbPeer peer, String sql, BufferAllocator allocator)
      throws IOException {
    Path file = directory.resolve("answer.native");
    peer.run(sql + " INTO OUTFILE '" + file + "' TRUNCATE FORMAT Native");
    return Rows.ofNative(Files.readAllBytes(file), allocator);
  }

  /**
   * Reads the engine's parts of the same rows. Returns whether rows with equal keys come in another
   * order: by several columns the engine does not always sort in a stable way.
   */
  private boolean readTheirs(
      String label, Case one, List<LoadedPart> parts, BufferAllocator allocator)
      throws IOException {
    List<String> found =
        Rows.ofScan(Scan.of(parts).table(one.table()).columns(one.columns()), allocator);
    if (found.equals(one.expected())) {
      theirs++;
      return false;
    }
    boolean ties =
        one.table().sortingKey().size() > 1 && sorted(found).equals(sorted(one.expected()));
    if (ties || same(label, "their parts read by us", one.expected(), found)) {
      theirs++;
    }
    return ties;
  }

  private void compare(String label, Case one, Path table, List<String> names, boolean tiesDiffer)
      throws IOException {
    List<String> differences = new ArrayList<>();
    if (!sorted(names).equals(sorted(one.parts()))) {
      differences.add("parts " + names + ", ours " + one.parts());
    } else {
      for (String name : names) {
        for (String line : PartFiles.differences(table.resolve(name), one.ours().resolve(name))) {
          differences.add(name + "/" + line);
        }
      }
    }
    if (differences.isEmpty()) {
      equalBytes++;
      return;
    }
    Optional<String> reason = reason(one, differences, tiesDiffer);
    if (reason.isPresent()) {
      explained.merge(reason.get(), 1, Integer::sum);
    } else {
      problems.add(label + "\n    " + String.join("\n    ", differences));
    }
  }

  /** Why bytes may differ; empty when they may not. */
  private static Optional<String> reason(Case one, List<String> differences, boolean tiesDiffer) {
    boolean codecs = one.random().columns().stream().anyMatch(c -> !c.codec().isEmpty());
    if (codecs && differences.stream().allMatch(d -> d.contains("/checksums.txt differs"))) {
      return Optional.of("hash of data.bin with several codecs");
    }
    boolean sameParts = differences.stream().noneMatch(d -> d.startsWith("parts "));
    return tiesDiffer && sameParts
        ? Optional.of("order of rows with equal keys")
        : Optional.empty();
  }

  private interface Statements {
    void run(String sql);
  }

  private static void attach(Statements engine, String table, Case one, Path directory)
      throws IOException {
    for (String part : one.parts()) {
      Rows.copy(one.ours().resolve(part), directory.resolve("detached").resolve(part));
      engine.run("ALTER TABLE " + table + " ATTACH PART '" + part + "'");
    }
  }

  private static List<String> active(ChdbPeer peer, String table) {
    return List.of(
        peer.text(
                "SELECT name FROM system.parts WHERE database = 'd' AND active AND table = '"
                    + table
                    + "'")
            .split("\n"));
  }

  private boolean same(String label, String what, List<String> expected, List<String> found) {
    Optional<String> difference = Rows.difference(expected, found);
    difference.ifPresent(d -> problems.add(label + "\n    " + what + ": " + d));
    return difference.isEmpty();
  }

  private static List<String> sorted(List<String> list) {
    return list.stream().sorted().toList();
  }

  private static List<String> twice(List<String> list) {
    List<String> twice = new ArrayList<>(list);
    twice.addAll(list);
    return twice;
  }

  @Test
  void server18TakesOurPartsAsItsOwnAndWritesTheSame() throws Exception {
    try (BufferAllocator allocator = new RootAllocator();
        ClickHousePeer peer = ClickHousePeer.up(directory.resolve("server"))) {
      peer.run("CREATE DATABASE d");
      for (int i = 0; i < TABLES; i++) {
        RandomTables.Table random =
            new RandomTables(SEED + i, Golden.Engine.V18_16_1).next(MOST_COLUMNS);
        String label = "seed %d: %s".formatted(SEED + i, random.createSql("d.t"));
        try {
          Case one = build(i, random, Profile.CLASSIC, allocator);
          classic(peer, one, label, allocator);
        } catch (PeerException | EngineException | IllegalStateException e) {
          problems.add(label + "\n    " + e);
        }
        peer.run("DROP TABLE IF EXISTS d.t");
        peer.run("DROP TABLE IF EXISTS d.o");
        if (allocator.getAllocatedMemory() != 0) {
          problems.add(label + "\n    leaves " + allocator.getAllocatedMemory() + " bytes");
          break;
        }
      }
    }
    say("18.16.1", TABLES);
  }

  private void classic(ClickHousePeer peer, Case one, String label, BufferAllocator allocator)
      throws IOException {
    List<String> columns = one.columns();
    same(label, "what was inserted", sorted(one.inserted()), sorted(one.expected()));
    peer.run(one.random().createSql("d.t"));
    peer.insert("INSERT INTO d.t FORMAT Native", one.input());
    Path table = peer.tableDirectory("d", "t");
    List<String> names = active(peer, "t");
    List<LoadedPart> theirParts = Rows.parts(table, names, one.table(), allocator);
    boolean tiesDiffer = readTheirs(label, one, theirParts, allocator);
    compare(label, one, table, names, tiesDiffer);

    peer.run(one.random().createSql("d.o"));
    Path other = peer.tableDirectory("d", "o");
    attach(peer::run, "d.o", one, other);
    boolean attachedWell =
        same(
            label,
            "our parts read by the engine",
            sorted(one.expected()),
            sorted(Rows.ofNative(peer.query("SELECT * FROM d.o", "Native"), allocator)));
    attached += attachedWell ? 1 : 0;
    attach(peer::run, "d.o", one, other);
    peer.run("OPTIMIZE TABLE d.o FINAL");
    List<String> after =
        sorted(Rows.ofNative(peer.query("SELECT * FROM d.o", "Native"), allocator));
    boolean mergedWell = same(label, "merged", sorted(twice(one.expected())), after);
    List<LoadedPart> mergedParts = Rows.parts(other, active(peer, "o"), one.table(), allocator);
    mergedWell &=
        same(
            label,
            "merged parts read by us",
            after,
            sorted(
                Rows.ofScan(Scan.of(mergedParts).table(one.table()).columns(columns), allocator)));
    merged += mergedWell ? 1 : 0;
  }

  private static List<String> active(ClickHousePeer peer, String table) {
    return List.of(
        peer.text(
                "SELECT name FROM system.parts WHERE database = 'd' AND active AND table = '"
                    + table
                    + "'")
            .split("\n"));
  }
}
