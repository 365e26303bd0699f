package io.coppice.bench;

import io.coppice.engine.Durability;
import io.coppice.engine.Engine;
import io.coppice.engine.EngineConfig;
import io.coppice.engine.Table;
import io.coppice.engine.TableInsert;
import io.coppice.fixtures.peer.ChdbPeer;
import io.coppice.language.statement.TableName;
import io.coppice.parts.nativeformat.NativeReader;
import io.coppice.parts.text.BatchWriter;
import io.coppice.parts.text.DataFormat;
import io.coppice.query.QueryResult;
import io.coppice.query.Session;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * How fast are loading and queries through statements beside chDB and DuckDB, in one run over the
 * same rows, each engine with as many threads? For every query the rows must be equal; the least
 * time of each engine counts, chDB's as its own call takes.
 *
 * <pre>
 * bench/run Queries [--scale 1] [--rounds 7] [--threads 2] [--only NAME] [--no-chdb] [--no-duckdb]
 * </pre>
 *
 * <p>Before a query counts each engine is asked it for four seconds, unless one round is all that
 * is wanted. Then the engines take turns, so that what else the machine does is shared out. It
 * prints a row a query: milliseconds of each, the ratio to chDB, and whether the bar is met.
 */
public final class Queries {
  private static final int LOADS = 5;
  private static final double WARM_UP_MILLIS = 4_000;
  private static final double LEAST_MILLIS = 500;

  private final Options options;
  private final PrintStream out;

  /**
   * What was asked for.
   *
   * @param only the name of the one query to run, or of a table
   */
  record Options(
      double scale, int rounds, int threads, Optional<String> only, boolean chdb, boolean duckdb) {
    static Options of(String... arguments) {
      double scale = 1;
      int rounds = 7;
      int threads = 2;
      Optional<String> only = Optional.empty();
      boolean chdb = true;
      boolean duckdb = true;
      for (int i = 0; i < arguments.length; i++) {
        switch (arguments[i]) {
          case "--scale" -> scale = Double.parseDouble(arguments[++i]);
          case "--rounds" -> rounds = Integer.parseInt(arguments[++i]);
          case "--threads" -> threads = Integer.parseInt(arguments[++i]);
          case "--only" -> only = Optional.of(arguments[++i]);
          case "--no-chdb" -> chdb = false;
          case "--no-duckdb" -> duckdb = false;
          default -> throw new IllegalArgumentException("unknown option " + arguments[i]);
        }
      }
      return new Options(scale, rounds, threads, only, chdb, duckdb);
    }
  }

  Queries(Options options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  /** Loads and asks; see the class. */
  public static void main(String[] arguments) throws IOException, SQLException {
    new Queries(Options.of(arguments), System.out).run();
  }

  void run() throws IOException, SQLException {
    Path duckdbDirectory = BenchData.directory().resolve("duckdb");
    try (BufferAllocator allocator = new RootAllocator();
        ChdbPeer peer = options.chdb() ? ChdbPeer.start() : null;
        DuckDbTables duckdb =
            options.duckdb()
                ? DuckDbTables.open(duckdbDirectory, options.threads(), allocator)
                : null) {
      out.printf(
          "%s threads each, scale %s, least of %s%n",
          options.threads(), options.scale(), options.rounds());
      out.printf("%-28s %12s %12s %12s %8s%n", "", "coppice ms", "chdb ms", "duckdb ms", "ratio");
      measure(QuerySet.lineitem(options.scale()), allocator, peer, duckdb);
      measure(QuerySet.flights(), allocator, peer, duckdb);
    }
  }

  private void measure(QuerySet set, BufferAllocator allocator, ChdbPeer peer, DuckDbTables duckdb)
      throws IOException, SQLException {
    if (options.only().isPresent()
        && !options.only().get().equals(set.table())
        && set.questions().stream().noneMatch(q -> q.name().equals(options.only().get()))) {
      return;
    }
    Path file = set.file(options.scale(), allocator);
    double theirs = peer == null ? Double.NaN : load(peer, set, file);
    double third = duckdb == null ? Double.NaN : load(duckdb, set, file);
    if (options.only().isEmpty()) {
      load(set, file, theirs, third, Durability.DURABLE).close();
    }
    try (Engine engine = load(set, file, theirs, third, Durability.FAST)) {
      Session session = new Session(engine);
      for (QuerySet.Question question : set.questions()) {
        boolean wanted =
            options.only().isEmpty()
                || options.only().get().equals(question.name())
                || options.only().get().equals(set.table());
        if (wanted) {
          measure(set, question, session, allocator, peer, duckdb);
        }
      }
    }
    BenchData.deleteRecursively(directory(set));
  }

  private static Path directory(QuerySet set) {
    return BenchData.directory().resolve("engine-" + set.table());
  }

  /** An engine with the rows as a table; the caller closes it. */
  private Engine load(QuerySet set, Path file, double theirs, double third, Durability durability)
      throws IOException {
    Least least = new Least();
    Engine engine = null;
    while (least.more()) {
      if (engine != null) {
        engine.close();
      }
      BenchData.deleteRecursively(directory(set));
      engine =
          Engine.open(
              EngineConfig.at(directory(set))
                  .withThreads(options.threads())
                  .withDurability(durability));
      new Session(engine).execute(set.createSql()).close();
      Table table = engine.table(TableName.of("default", set.table()));
      long start = System.nanoTime();
      try (FileChannel channel = FileChannel.open(file);
          NativeReader reader = new NativeReader(channel, file.toString(), engine.allocator());
          TableInsert insert = table.insert()) {
        Optional<VectorSchemaRoot> block = reader.next();
        while (block.isPresent()) {
          try (VectorSchemaRoot batch = block.get()) {
            insert.add(batch);
          }
          block = reader.next();
        }
        insert.finish();
      }
      least.add(millisSince(start));
    }
    print(set.table() + " load " + durability, least.millis, theirs, third, 0.8);
    return engine;
  }

  /** The least time of loads, of which the first few seconds don't count, as with questions. */
  private final class Least {
    private double millis = Double.MAX_VALUE;
    private double warm = options.only().isPresent() ? WARM_UP_MILLIS : 0;
    private int rounds = options.only().isPresent() ? 1 : LOADS;

    boolean more() {
      return rounds > 0;
    }

    void add(double took) {
      if (warm < WARM_UP_MILLIS) {
        warm += took;
      } else {
        millis = Math.min(millis, took);
        rounds--;
      }
    }
  }

  private static double millisSince(long start) {
    return (System.nanoTime() - start) / 1e6;
  }

  private double load(DuckDbTables duckdb, QuerySet set, Path file)
      throws IOException, SQLException {
    Least least = new Least();
    while (least.more()) {
      least.add(duckdb.load(set.table(), file, set.duckdbColumns(), set.orderBy()));
    }
    return least.millis;
  }

  private double load(ChdbPeer peer, QuerySet set, Path file) {
    Least least = new Least();
    while (least.more()) {
      peer.run("DROP TABLE IF EXISTS " + set.table() + " SYNC");
      peer.run(set.createSql());
      peer.run("SYSTEM STOP MERGES " + set.table());
      String insert =
          "INSERT INTO "
              + set.table()
              + " FROM INFILE '"
              + file
              + "' SETTINGS max_threads = "
              + options.threads()
              + " FORMAT Native";
      ChdbPeer.Answer answer = peer.ask(insert, "Null");
      if (!answer.ok()) {
        throw new IllegalStateException(answer.error());
      }
      least.add(answer.millis());
    }
    return least.millis;
  }

  private void measure(
      QuerySet set,
      QuerySet.Question question,
      Session session,
      BufferAllocator allocator,
      ChdbPeer peer,
      DuckDbTables duckdb)
      throws IOException, SQLException {
    String asked = question.sql() + " SETTINGS max_threads = " + options.threads();
    double ours = Double.MAX_VALUE;
    double theirs = Double.NaN;
    double third = Double.NaN;
    warmUp(asked, session, peer);
    double spent = 0;
    for (int round = 0; round < options.rounds() || spent < least(); round++) {
      double took = ask(asked, session);
      spent += took;
      ours = Math.min(ours, took);
      if (peer != null) {
        took = peer.ask(asked, "Null").millis();
        theirs = round == 0 ? took : Math.min(theirs, took);
      }
      if (duckdb != null) {
        took = duckdb.ask(question.sql());
        third = round == 0 ? took : Math.min(third, took);
      }
    }
    print(set.table() + " " + question.name(), ours, theirs, third, question.bar());
    if (peer != null && !question.name().equals("full scan")) {
      compare(asked, session, allocator, peer);
    }
  }

  /** What asking takes at least: of questions of a few milliseconds seven rounds say little. */
  private double least() {
    return options.rounds() == 1 ? 0 : LEAST_MILLIS;
  }

  /**
   * Each engine is asked for a while of its own before it counts, so that all is compiled by then.
   */
  private void warmUp(String asked, Session session, ChdbPeer peer) throws IOException {
    if (options.rounds() == 1) {
      return;
    }
    for (double spent = 0; spent < WARM_UP_MILLIS; ) {
      spent += ask(asked, session);
    }
    for (double spent = 0; peer != null && spent < WARM_UP_MILLIS; ) {
      spent += peer.ask(asked, "Null").millis();
    }
  }

  private static double ask(String asked, Session session) throws IOException {
    long start = System.nanoTime();
    try (QueryResult result = session.execute(asked)) {
      while (result.next()) {
        if (result.batch().getRowCount() == 0) {
          throw new IllegalStateException("a batch without rows");
        }
      }
    }
    return millisSince(start);
  }

  private void compare(String asked, Session session, BufferAllocator allocator, ChdbPeer peer)
      throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (QueryResult result = session.execute(asked);
        BatchWriter writer =
            BatchWriter.open(DataFormat.TSV, text, result.schema(), ZoneOffset.UTC, allocator)) {
      while (result.next()) {
        writer.write(result.batch());
      }
    }
    String here = whole(text.toString(StandardCharsets.UTF_8));
    String there = whole(new String(peer.query(asked, "TSV"), StandardCharsets.UTF_8));
    if (!here.equals(there)) {
      out.printf("  the rows are not equal:%n  ours   %s%n  theirs %s%n", few(here), few(there));
    }
  }

  /** The lines in order, fractions cut: float sums depend on the order, which is chDB's own. */
  private static String whole(String text) {
    return text.lines().sorted().toList().toString().replaceAll("\\.\\d+", "");
  }

  private static String few(String text) {
    return text.length() <= 300 ? text : text.substring(0, 300) + "…";
  }

  private void print(String name, double ours, double theirs, double third, double bar) {
    double ratio = theirs / ours;
    String verdict = Double.isNaN(ratio) ? "" : ratio >= bar ? "ok" : "below " + bar;
    out.printf("%-28s %12.2f %12.2f %12.2f %8.2f  %s%n", name, ours, theirs, third, ratio, verdict);
  }
}
