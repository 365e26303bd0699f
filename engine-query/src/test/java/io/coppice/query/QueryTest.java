package io.coppice.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.engine.Engine;
import io.coppice.engine.EngineConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queries with the values that ClickHouse 26.7 gives. */
class QueryTest {
  private static final List<String> TABLES =
      List.of(
          "CREATE TABLE t (id UInt64, k Int32, s String, n Nullable(Int64), f Float64,"
              + " d Date, dec Decimal(10, 2), lc LowCardinality(String), b Bool, arr Array(UInt8),"
              + " twice UInt64 ALIAS id * 2)"
              + " ENGINE = MergeTree PARTITION BY k % 2 ORDER BY id SETTINGS index_granularity = 2",
          "INSERT INTO t VALUES (1, 1, 'one', 10, 0.5, '2024-01-01', 1.25, 'x', true, [1]),"
              + " (2, 2, 'two', NULL, 1.5, '2024-01-02', -2.5, 'y', false, []),"
              + " (3, 1, 'three', 30, nan, '2024-01-03', 0, 'x', true, [1, 2]),"
              + " (4, 2, 'four', NULL, -1, '2024-02-01', 100.01, 'z', false, [3]),"
              + " (5, 3, '', -5, 0, '2024-02-02', 7, 'x', true, [])");

  /** A query and its rows as TSV. */
  private static final String[][] QUERIES = {
    {"SELECT 1", "1"},
    {"SELECT 1 + 1 AS x, x * 2", "2\t4"},
    {"SELECT arrayMap(x -> x + k, arr) FROM t ORDER BY id LIMIT 3", "[2]\n[]\n[2,3]"},
    {"SELECT arrayMap(id -> id * 10, arr) FROM t WHERE id = 3", "[10,20]"},
    {"SELECT k AS x, arrayMap(x -> x + 1, arr) FROM t WHERE id = 3", "1\t[2,3]"},
    {"SELECT id * 2 AS y, arrayMap(x -> x + y, arr) FROM t WHERE id = 3", "6\t[7,8]"},
    {
      "SELECT k, arrayMap(x -> x + k + count(), [1]) FROM t GROUP BY k ORDER BY k LIMIT 1", "1\t[4]"
    },
    {"SELECT arrayFilter((x, i) -> i > 1, ['a', 'b'], [1, 2])", "['b']"},
    {"SELECT id FROM t WHERE arrayExists(x -> x > 2, arr)", "4"},
    {"SELECT sum(arraySum(x -> x * id, arr)) FROM t", "22"},
    {"SELECT count() FROM t", "5"},
    {"SELECT count(*), count(n), count() + 1 FROM t WHERE id > 1", "4\t2\t5"},
    {"SELECT * FROM t WHERE id = 2", "2\t2\ttwo\t\\N\t1.5\t2024-01-02\t-2.5\ty\tfalse\t[]"},
    {"SELECT * EXCEPT (f, d, dec, lc, b, arr) FROM t ORDER BY id DESC LIMIT 1", "5\t3\t\t-5"},
    {
      "SELECT * EXCEPT (f, d, dec, lc, b, arr) REPLACE (id + 1 AS id) FROM t WHERE t.id = 5",
      "6\t3\t\t-5"
    },
    {"SELECT COLUMNS('^d') FROM t WHERE id = 1", "2024-01-01\t1.25"},
    {"SELECT id, twice FROM t WHERE twice = 6", "3\t6"},
    {"SELECT q.id FROM t AS q WHERE q.k = 3", "5"},
    {"SELECT default.t.id FROM default.t PREWHERE id < 4 WHERE k = 1 ORDER BY id", "1\n3"},
    {"SELECT id + 1 AS id FROM t WHERE id = 2 ORDER BY id", "2"},
    {"WITH 3 AS x SELECT id FROM t WHERE id = x", "3"},
    {"WITH big AS (SELECT id FROM t WHERE id > 3) SELECT sum(id) FROM big", "9"},
    {"SELECT n FROM t ORDER BY n", "-5\n10\n30\n\\N\n\\N"},
    {"SELECT n FROM t ORDER BY n DESC", "30\n10\n-5\n\\N\n\\N"},
    {"SELECT n FROM t ORDER BY n NULLS FIRST LIMIT 3", "\\N\n\\N\n-5"},
    {"SELECT f FROM t ORDER BY f DESC", "1.5\n0.5\n0\n-1\nnan"},
    {"SELECT f FROM t ORDER BY f ASC NULLS FIRST LIMIT 2", "nan\n-1"},
    {"SELECT s FROM t ORDER BY length(s), s DESC", "\ntwo\none\nfour\nthree"},
    {"SELECT id FROM t ORDER BY k DESC, 1 DESC LIMIT 2 OFFSET 1", "4\n2"},
    {"SELECT DISTINCT k FROM t ORDER BY k", "1\n2\n3"},
    {"SELECT DISTINCT lc, b FROM t ORDER BY ALL", "x\ttrue\ny\tfalse\nz\tfalse"},
    {"SELECT k, id FROM t ORDER BY k, id LIMIT 1 BY k", "1\t1\n2\t2\n3\t5"},
    {"SELECT k, id FROM t ORDER BY k, id LIMIT 1, 1 BY k", "1\t3\n2\t4"},
    {
      "SELECT k, count(), sum(id), sum(n), min(s), max(d) FROM t GROUP BY k ORDER BY k",
      "1\t2\t4\t40\tone\t2024-01-03\n2\t2\t6\t\\N\tfour\t2024-02-01\n" + "3\t1\t5\t-5\t\t2024-02-02"
    },
    {
      "SELECT lc, sum(dec), avg(dec) FROM t GROUP BY lc ORDER BY lc",
      "x\t8.25\t2.75\ny\t-2.5\t-2.5\nz\t100.01\t100.01"
    },
    {
      "SELECT k % 2 AS odd, groupArray(id) FROM t GROUP BY odd ORDER BY odd", "0\t[2,4]\n1\t[1,3,5]"
    },
    {"SELECT groupArray(1)(s), groupArray(n) FROM t WHERE k < 3 AND b", "['one']\t[10,30]"},
    {"SELECT argMin(s, id), argMax(s, id), argMax(id, n) FROM t", "one\t\t3"},
    {"SELECT any(s), anyLast(s), any(n) FROM t WHERE k = 2 GROUP BY k", "two\tfour\t\\N"},
    {
      "SELECT uniqExact(k), count(DISTINCT lc), sum(DISTINCT k), uniqExact(k, lc) FROM t",
      "3\t3\t6\t4"
    },
    {
      "SELECT countIf(k = 1), sumIf(id, b), avgIf(id, k = 2), minIf(n, id > 1) FROM t",
      "2\t9\t3\t-5"
    },
    {
      "SELECT sum(id), avg(id), min(id), max(s), any(id), count(), sum(n), groupArray(id) FROM t"
          + " WHERE id > 100",
      "0\tnan\t0\t\t0\t0\t\\N\t[]"
    },
    {"SELECT k FROM t WHERE 0 GROUP BY k", ""},
    {"SELECT maxIf(CAST('b', 'Enum8(''a'' = -3, ''b'' = 1)'), 0) FROM t", "a"},
    {
      "SELECT toTypeName(sumIf(id, n > 0)), sumIf(id, n > 100), sumIf(n, n > 100), countIf(n > 0)"
          + " FROM t",
      "UInt64\t0\t\\N\t2"
    },
    {
      "SELECT toTypeName(min(lc)), min(f), max(f), argMax(id, f), argMin(id, f) FROM t",
      "String\t-1\t1.5\t2\t4"
    },
    {"SELECT default.t.* EXCEPT (f, d, dec, lc, b, arr) FROM t WHERE id = 1", "1\t1\tone\t10"},
    {"SELECT sum(1), count(NULL), sum(NULL), max(toNullable(2)) FROM t", "5\t0\t\\N\t2"},
    {
      "SELECT toTypeName(sum(k)), toTypeName(avg(k)), toTypeName(sum(n)), toTypeName(sum(dec)),"
          + " toTypeName(groupArray(n)), toTypeName(min(b)) FROM t",
      "Int64\tFloat64\tNullable(Int64)\tDecimal(38, 2)\tArray(Int64)\tBool"
    },
    {"SELECT k, count() AS c FROM t GROUP BY k HAVING c > 1 ORDER BY c DESC, k", "1\t2\n2\t2"},
    {"SELECT k + 1, max(id) - min(id) FROM t GROUP BY k + 1 ORDER BY 1", "2\t2\n3\t2\n4\t0"},
    {"SELECT toYYYYMM(d) AS m, count() FROM t GROUP BY ALL ORDER BY m", "202401\t3\n202402\t2"},
    {"SELECT arr, count() FROM t GROUP BY arr ORDER BY arr", "[]\t2\n[1]\t1\n[1,2]\t1\n[3]\t1"},
    {"SELECT n, count() FROM t GROUP BY n ORDER BY n", "-5\t1\n10\t1\n30\t1\n\\N\t2"},
    {"SELECT id FROM t WHERE id IN (SELECT k FROM t) ORDER BY id", "1\n2\n3"},
    {"SELECT id FROM t WHERE (k, lc) IN (SELECT 1, 'x') ORDER BY id", "1\n3"},
    {"SELECT id FROM t WHERE d NOT IN (SELECT d FROM t WHERE id > 1)", "1"},
    {"SELECT id FROM t WHERE id > (SELECT avg(id) FROM t) ORDER BY id", "4\n5"},
    {"SELECT (SELECT max(id) FROM t) + 1, (SELECT id FROM t WHERE 0)", "6\t\\N"},
    {"SELECT toTypeName((SELECT 1))", "Nullable(UInt8)"},
    {"SELECT count() FROM t WHERE exists(SELECT 1 FROM t WHERE id = 77)", "0"},
    {"SELECT sum(x) FROM (SELECT id * 2 AS x FROM t WHERE k = 1)", "8"},
    {"SELECT max(c) FROM (SELECT count() AS c FROM t GROUP BY k)", "2"},
    {"SELECT `plus(id, 1)` FROM (SELECT id + 1 FROM t WHERE id = 1)", "2"},
    {"SELECT number FROM numbers(3)", "0\n1\n2"},
    {"SELECT sum(number), count() FROM numbers(10, 200000)", "20001900000\t200000"},
    {
      "SELECT number % 3 AS r, count() FROM numbers(100000) GROUP BY r ORDER BY r",
      "0\t33334\n1\t33333\n2\t33333"
    },
    {"SELECT number FROM numbers(1000000) ORDER BY number DESC LIMIT 2", "999999\n999998"},
    {"SELECT 1 AS x UNION ALL SELECT 2", "1\n2"},
    {
      "SELECT x FROM (SELECT 1 AS x UNION ALL SELECT -300 UNION ALL SELECT 1) ORDER BY x",
      "-300\n1\n1"
    },
    {"SELECT 1 UNION DISTINCT SELECT 1", "1"},
    {"SELECT id, id FROM t WHERE id = 1", "1\t1"},
    {"SELECT id FROM t LIMIT 0", ""},
    {"SHOW TABLES", "t"},
    {"SHOW TABLES LIKE 'x%'", ""},
    {"EXISTS TABLE t", "1"},
    {"EXISTS nothing", "0"},
    {"DESCRIBE (SELECT id, n FROM t)", "id\tUInt64\t\t\t\t\t\nn\tNullable(Int64)\t\t\t\t\t"},
  };

  private static final Object[][] ERRORS = {
    {"SELECT missing FROM t", ErrorCode.UNKNOWN_IDENTIFIER},
    {"SELECT id FROM missing", ErrorCode.UNKNOWN_TABLE},
    {"SELECT id, count() FROM t", ErrorCode.NOT_AN_AGGREGATE},
    {"SELECT id FROM t WHERE sum(id) > 1", ErrorCode.ILLEGAL_AGGREGATION},
    {"SELECT sum(sum(id)) FROM t", ErrorCode.ILLEGAL_AGGREGATION},
    {"SELECT sum(s) FROM t", ErrorCode.ILLEGAL_TYPE_OF_ARGUMENT},
    {"SELECT avg(d) FROM t", ErrorCode.NOT_IMPLEMENTED},
    {"SELECT sum(INTERVAL 1 DAY)", ErrorCode.ILLEGAL_TYPE_OF_ARGUMENT},
    {"SELECT sumIf(id, s) FROM t", ErrorCode.ILLEGAL_TYPE_OF_ARGUMENT},
    {"SELECT argMin(id) FROM t", ErrorCode.NUMBER_OF_ARGUMENTS_DOESNT_MATCH},
    {"SELECT id FROM t WHERE s", ErrorCode.ILLEGAL_TYPE_OF_COLUMN_FOR_FILTER},
    {"SELECT (SELECT id FROM t)", ErrorCode.INCORRECT_RESULT_OF_SCALAR_SUBQUERY},
    {"SELECT quantileTDigest(id) FROM t", ErrorCode.NOT_IMPLEMENTED},
    {"SELECT quantile(1.5)(id) FROM t", ErrorCode.PARAMETER_OUT_OF_BOUND},
    {"SELECT quantile(s) FROM t", ErrorCode.ILLEGAL_TYPE_OF_ARGUMENT},
    {"SELECT id FROM t FINAL", ErrorCode.ILLEGAL_FINAL},
    {"SELECT id FROM t SAMPLE 0.1", ErrorCode.SAMPLING_NOT_SUPPORTED},
    {"SELECT count() FROM t GROUP BY k WITH TOTALS", ErrorCode.NOT_IMPLEMENTED},
    {"SELECT 1 UNION SELECT 2", ErrorCode.EXPECTED_ALL_OR_DISTINCT},
    {"SELECT 1 UNION ALL SELECT 1, 2", ErrorCode.UNION_ALL_RESULT_STRUCTURES_MISMATCH},
    {"SELECT id FROM t ORDER BY 2", ErrorCode.BAD_ARGUMENTS},
    {"SELECT id FROM t LIMIT 'a'", ErrorCode.INVALID_LIMIT_EXPRESSION},
    {"SELECT id FROM t SETTINGS no_such_setting = 1", ErrorCode.UNKNOWN_SETTING},
    {"SELECT a AS b, b AS a", ErrorCode.UNKNOWN_IDENTIFIER},
    {"INSERT INTO t (nothing) VALUES (1)", ErrorCode.NO_SUCH_COLUMN_IN_TABLE},
    {"OPTIMIZE TABLE t", ErrorCode.NOT_IMPLEMENTED},
    {"USE nowhere", ErrorCode.UNKNOWN_DATABASE},
  };

  @TempDir Path directory;
  private Engine engine;
  private Session session;

  @BeforeEach
  void open() throws IOException {
    engine = Engine.open(EngineConfig.at(directory).withThreads(2));
    session = new Session(engine);
    for (String statement : TABLES) {
      session.execute(statement).close();
    }
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private String tsv(String sql) throws IOException {
    return Texts.tsv(session, engine.allocator(), sql);
  }

  @Test
  void queriesGiveWhatTheyGiveInClickHouse() throws IOException {
    for (String[] query : QUERIES) {
      String found;
      try {
        found = tsv(query[0]);
      } catch (RuntimeException e) {
        throw new AssertionError(query[0], e);
      }
      assertThat(found).as(query[0]).isEqualTo(query[1]);
      assertThat(engine.allocator().getAllocatedMemory()).as("memory after " + query[0]).isZero();
    }
  }

  @Test
  void whatIsWrongHasClickHousesCode() {
    for (Object[] error : ERRORS) {
      assertThatThrownBy(() -> tsv((String) error[0]))
          .as((String) error[0])
          .isInstanceOfSatisfying(
              EngineException.class,
              e -> assertThat(e.code()).as(error[0] + ": " + e).isEqualTo(error[1]));
      assertThat(engine.allocator().getAllocatedMemory()).as("memory after " + error[0]).isZero();
    }
  }

  @Test
  void threadsChangeNoResult() throws IOException {
    session
        .execute(
            "CREATE TABLE many (id UInt64, x Float64) ENGINE = MergeTree ORDER BY id"
                + " SETTINGS index_granularity = 512")
        .close();
    session
        .execute("INSERT INTO many SELECT number, (number % 1009) / 7 FROM numbers(300000)")
        .close();
    String query =
        "SELECT id % 10 AS k, sum(x), avg(x), anyLast(id), uniqExact(id % 777) FROM many GROUP BY k"
            + " ORDER BY k";
    String two = tsv(query);
    String first = tsv("SELECT id FROM many WHERE x > 3 LIMIT 5");
    engine.close();
    engine = Engine.open(EngineConfig.at(directory).withThreads(1));
    session = new Session(engine);
    assertThat(tsv(query)).isEqualTo(two);
    assertThat(tsv("SELECT id FROM many WHERE x > 3 LIMIT 5")).isEqualTo(first);
  }

  @Test
  void partsAndPlacesAreColumnsToo() throws IOException {
    assertThat(
            tsv(
                "SELECT id, _part, _partition_id, _part_index, _part_offset, _part_starting_offset,"
                    + " _part_granule_offset, _partition_value, _table, _database, _part_uuid,"
                    + " _block_number, _part_data_version FROM t ORDER BY id LIMIT 2"))
        .isEqualTo(
            "1\t1_1_1_0\t1\t1\t0\t2\t0\t(1)\tt\tdefault\t00000000-0000-0000-0000-000000000000"
                + "\t1\t1\n"
                + "2\t0_2_2_0\t0\t0\t0\t0\t0\t(0)\tt\tdefault"
                + "\t00000000-0000-0000-0000-000000000000\t2\t2");
    assertThat(tsv("SELECT id FROM t WHERE _part = '1_1_1_0' AND _part_offset > 0 ORDER BY id"))
        .isEqualTo("3\n5");
    assertThat(tsv("SELECT id FROM t WHERE _partition_id IN ('0', '7') ORDER BY id"))
        .isEqualTo("2\n4");
    assertThat(tsv("SELECT q._part_offset FROM t AS q WHERE id = 5")).isEqualTo("2");
    assertThat(tsv("SELECT _partition_id, count() FROM t GROUP BY 1 ORDER BY 1"))
        .isEqualTo("0\t2\n1\t3");
    assertThatThrownBy(() -> tsv("SELECT _part FROM (SELECT * FROM t)"))
        .isInstanceOfSatisfying(
            EngineException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_IDENTIFIER));
  }

  @Test
  void groupsBeyondTheMemoryBudgetAreRefused() throws IOException {
    session.execute("CREATE TABLE wide (id UInt64) ENGINE = MergeTree ORDER BY id").close();
    session.execute("INSERT INTO wide SELECT number FROM numbers(1500000)").close();
    engine.close();
    engine = Engine.open(EngineConfig.at(directory).withThreads(2).withMemoryBytes(24L << 20));
    session = new Session(engine);
    assertThat(tsv("SELECT count(), sum(id) FROM wide")).isEqualTo("1500000\t1124999250000");
    for (String query :
        List.of(
            "SELECT id * 3 AS k, count(), sum(id) FROM wide GROUP BY k ORDER BY k LIMIT 1",
            "SELECT uniqExact(id * 7000000007) FROM wide")) {
      assertThatThrownBy(() -> tsv(query))
          .as(query)
          .isInstanceOfSatisfying(
              EngineException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT_EXCEEDED));
      assertThat(engine.allocator().getAllocatedMemory()).as("memory after " + query).isZero();
    }
    assertThat(tsv("SELECT max(id) FROM wide")).isEqualTo("1499999");
  }

  @Test
  void samplesAreThoseOf26Point7() throws IOException {
    session
        .execute(
            "CREATE TABLE s (id UInt64, h UInt32) ENGINE = MergeTree ORDER BY (h, id) SAMPLE BY h")
        .close();
    session.execute("INSERT INTO s SELECT number, intHash32(number) FROM numbers(1000)").close();
    assertThat(tsv("SELECT count() FROM s SAMPLE 0.1")).isEqualTo("88");
    assertThat(tsv("SELECT count() FROM s SAMPLE 1/3")).isEqualTo("344");
    assertThat(tsv("SELECT count() FROM s SAMPLE 1/10 OFFSET 1/2")).isEqualTo("96");
    assertThat(tsv("SELECT count(), any(_sample_factor) FROM s SAMPLE 0.25 WHERE id < 2000"))
        .isEqualTo("249\t4");
    assertThat(tsv("SELECT id % 5 AS k, id FROM s WHERE id < 12 ORDER BY k LIMIT 2 WITH TIES"))
        .matches("(0\t(0|5|10)\n?){3}");
    assertThat(tsv("SELECT id FROM s WHERE id < 4 ORDER BY id LIMIT 1, 2 WITH TIES"))
        .isEqualTo("1\n2");
  }

  @Test
  void insertsTakeValuesFormatsAndQueries() throws IOException {
    session
        .execute("CREATE TABLE u (a Int64, b String DEFAULT 'd') ENGINE = MergeTree ORDER BY a")
        .close();
    try (QueryResult result = session.execute("INSERT INTO u (a) VALUES (1), (1 + 1)")) {
      assertThat(result.writtenRows()).isEqualTo(2);
      assertThat(result.next()).isFalse();
    }
    session.execute("INSERT INTO u FORMAT TSV\n3\tthree\n4\tf\\tour\n").close();
    session.execute("INSERT INTO u (b, a) FORMAT CSV\n\"five\",5\n").close();
    session.execute("INSERT INTO u FORMAT JSONEachRow {\"a\": 6}").close();
    session.execute("INSERT INTO u (b, a) SELECT s, id + 6 FROM t WHERE id = 1").close();
    assertThat(tsv("SELECT a, b FROM u ORDER BY a"))
        .isEqualTo("1\td\n2\td\n3\tthree\n4\tf\\tour\n5\tfive\n6\td\n7\tone");
    session.execute("CREATE TABLE v ENGINE = MergeTree ORDER BY a AS SELECT a, b FROM u").close();
    assertThat(tsv("SELECT count(), max(b) FROM v")).isEqualTo("7\tthree");
  }

  @Test
  void columnsAreNamedAsInClickHouse() throws IOException {
    try (QueryResult result =
        session.execute(
            "SELECT q.k, q.k + 1, (k, 1), [k, 2], tuple(k), -k, k IS NULL, k::Int8, (k + 1) AS z,"
                + " COUNT(*), count(DISTINCT q.id), k BETWEEN 1 AND 2 FROM t AS q GROUP BY k")) {
      assertThat(result.columns())
          .extracting(ResultColumn::name)
          .containsExactly(
              "k",
              "plus(k, 1)",
              "(k, 1)",
              "[k, 2]",
              "(k)",
              "negate(k)",
              "isNull(k)",
              "CAST(k, 'Int8')",
              "z",
              "COUNT()",
              "countDistinct(id)",
              "and(greaterOrEquals(k, 1), lessOrEquals(k, 2))");
    }
  }

  @Test
  void decimalsAreInsertedAsTheyAreWritten() throws IOException {
    session
        .execute("CREATE TABLE d (a Decimal(18, 4), i Int128) ENGINE = MergeTree ORDER BY a")
        .close();
    session
        .execute("INSERT INTO d VALUES (0.29, 1), (-1.005, -2), (4.35, '99999999999999999999')")
        .close();
    session.execute("INSERT INTO d VALUES (5, 99999999999999999999)").close();
    assertThat(tsv("SELECT a, i FROM d ORDER BY a"))
        .isEqualTo("-1.005\t-2\n0.29\t1\n4.35\t99999999999999999999\n5\t99999999999999999999");
  }

  @Test
  void definitionsWorkInTheCurrentDatabase() throws IOException {
    for (String statement :
        List.of(
            "CREATE DATABASE d",
            "USE d",
            "CREATE TABLE a (x Int64) ENGINE = MergeTree ORDER BY x",
            "INSERT INTO a VALUES (1)",
            "CREATE TABLE b AS a",
            "INSERT INTO b VALUES (2), (3)",
            "EXCHANGE TABLES a AND b",
            "RENAME TABLE b TO c",
            "TRUNCATE TABLE c",
            "DETACH TABLE c",
            "ATTACH TABLE c")) {
      session.execute(statement).close();
    }
    assertThat(tsv("SHOW TABLES")).isEqualTo("a\nc");
    assertThat(tsv("SELECT x FROM a ORDER BY x")).isEqualTo("2\n3");
    assertThat(tsv("SELECT count() FROM d.c")).isEqualTo("0");
    assertThat(tsv("SHOW CREATE TABLE a")).startsWith("CREATE TABLE d.a\\n(\\n");
    session.execute("DROP TABLE a, c").close();
    session.execute("DROP DATABASE d").close();
    assertThat(tsv("SHOW DATABASES")).isEqualTo("default\nsystem");
    assertThat(tsv("DESCRIBE TABLE default.t")).startsWith("id\tUInt64\t\t\t\t\t\n");
  }
}
