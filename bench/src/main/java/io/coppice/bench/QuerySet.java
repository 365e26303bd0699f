package io.coppice.bench;

import io.coppice.fixtures.ArrowBatches;
import io.coppice.fixtures.Flights;
import io.coppice.fixtures.Lineitem;
import io.coppice.parts.nativeformat.NativeWriter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A table and what is asked of it, the same in every engine.
 *
 * @param table its name
 * @param createSql the statement that makes it
 * @param orderBy what its rows are sorted by
 * @param duckdbColumns what DuckDB selects of batches where times are numbers of seconds
 */
record QuerySet(
    String table,
    String createSql,
    String orderBy,
    String duckdbColumns,
    List<Question> questions) {
  QuerySet {
    questions = List.copyOf(questions);
  }

  /**
   * A query.
   *
   * @param bar the least speed that is asked of Coppice, chDB's being 1
   */
  record Question(String name, String sql, double bar) {}

  private static final double HALF = 0.5;
  private static final double MORE = 1.5;

  /** TPC-H lineitem; keys of the point and range read lie at these parts of all orders. */
  static QuerySet lineitem(double scale) {
    long point = (long) (6_000_000 * scale * 0.61) / 32 * 32 + 5;
    long from = (long) (6_000_000 * scale * 0.37) / 32 * 32 + 1;
    List<Question> questions = new ArrayList<>();
    questions.add(
        new Question(
            "Q1",
            "SELECT l_returnflag, l_linestatus, sum(l_quantity), sum(l_extendedprice),"
                + " sum(l_extendedprice * (1 - l_discount)),"
                + " sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)), avg(l_quantity),"
                + " avg(l_extendedprice), avg(l_discount), count() FROM lineitem"
                + " WHERE l_shipdate <= toDate('1998-09-02') GROUP BY l_returnflag, l_linestatus"
                + " ORDER BY l_returnflag, l_linestatus",
            HALF));
    questions.add(
        new Question(
            "Q6",
            "SELECT sum(l_extendedprice * l_discount) FROM lineitem"
                + " WHERE l_shipdate >= toDate('1994-01-01') AND l_shipdate < toDate('1995-01-01')"
                + " AND l_discount BETWEEN 0.05 AND 0.07 AND l_quantity < 24",
            HALF));
    questions.add(
        new Question("point read", "SELECT * FROM lineitem WHERE l_orderkey = " + point, MORE));
    questions.add(
        new Question(
            "range read",
            "SELECT * FROM lineitem WHERE l_orderkey BETWEEN " + from + " AND " + (from + 8000),
            MORE));
    questions.add(
        new Question(
            "top-10 group",
            "SELECT l_partkey, count() AS c, sum(l_quantity) AS q FROM lineitem"
                + " GROUP BY l_partkey ORDER BY c DESC, q DESC, l_partkey LIMIT 10",
            HALF));
    questions.add(
        new Question(
            "LIKE", "SELECT count() FROM lineitem WHERE l_comment LIKE '%special%'", HALF));
    questions.add(new Question("uniqExact", "SELECT uniqExact(l_partkey) FROM lineitem", HALF));
    questions.add(new Question("full scan", "SELECT * FROM lineitem", HALF));
    return new QuerySet(
        "lineitem", BenchData.createSql("lineitem"), "l_orderkey, l_linenumber", "*", questions);
  }

  /** The flights. */
  static QuerySet flights() {
    List<Question> questions = new ArrayList<>();
    questions.add(
        new Question(
            "Q1",
            "SELECT origin, count(), sum(distance), avg(delay), max(delay),"
                + " countIf(delay > 15) FROM flights WHERE date < '2001-06-15 00:00:00'"
                + " GROUP BY origin ORDER BY origin",
            HALF));
    questions.add(
        new Question(
            "Q6",
            "SELECT sum(distance * delay) FROM flights WHERE date >= '2001-02-01 00:00:00'"
                + " AND date < '2001-05-01 00:00:00' AND delay BETWEEN 5 AND 15"
                + " AND distance < 1000",
            HALF));
    questions.add(
        new Question(
            "point read",
            "SELECT * FROM flights WHERE origin = 'ABQ' AND date = '2001-03-05 10:00:00'",
            MORE));
    questions.add(
        new Question(
            "range read",
            "SELECT * FROM flights WHERE origin = 'ORD' AND date >= '2001-04-01 00:00:00'"
                + " AND date < '2001-04-08 00:00:00'",
            MORE));
    questions.add(
        new Question(
            "top-10 group",
            "SELECT origin, destination, count() AS c, avg(delay) FROM flights"
                + " GROUP BY origin, destination ORDER BY c DESC, origin, destination LIMIT 10",
            HALF));
    questions.add(
        new Question("LIKE", "SELECT count() FROM flights WHERE destination LIKE '%AT%'", HALF));
    questions.add(new Question("uniqExact", "SELECT uniqExact(date) FROM flights", HALF));
    questions.add(new Question("full scan", "SELECT * FROM flights", HALF));
    return new QuerySet(
        "flights",
        Flights.createSql("flights"),
        "origin, date",
        "* REPLACE (make_timestamp(CAST(date AS BIGINT) * 1000000) AS date)",
        questions);
  }

  /** The rows as a Native file, made when it is not there. */
  Path file(double scale, BufferAllocator allocator) throws IOException {
    Path file = BenchData.directory().resolve(table + "-" + scale + ".native");
    if (Files.exists(file)) {
      return file;
    }
    Files.createDirectories(BenchData.directory());
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    try (FileChannel channel =
            FileChannel.open(
                temporary,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
        NativeWriter writer = new NativeWriter(channel, allocator);
        ArrowBatches rows =
            table.equals("flights")
                ? Flights.open(allocator, 65_409)
                : Lineitem.open(scale, BenchData.MONEY, allocator, 65_409)) {
      while (rows.next()) {
        writer.write(rows.batch());
      }
    }
    Files.move(temporary, file);
    return file;
  }
}
