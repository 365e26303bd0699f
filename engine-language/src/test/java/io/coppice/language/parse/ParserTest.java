package io.coppice.language.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Literal.StringLiteral;
import io.coppice.language.statement.Column;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.type.DataType;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ParserTest {
  @Test
  void createStatementsOf26PrintAsTheyWereRead() {
    Map<String, String> statements = Corpus.statements("create-26.7.txt");
    statements.forEach(
        (name, sql) -> assertThat(Parser.createTable(sql).text()).as(name).isEqualTo(sql));
    System.out.println(statements.size() + " CREATE statements of 26.7 printed as read");
    assertThat(statements).hasSize(145);
  }

  @Test
  void statementsAndMetadataOf18AreReadAndPrintingThemIsStable() {
    Map<String, String> statements = Corpus.statements("create-18.16.1.txt");
    statements.forEach(
        (name, sql) -> {
          CreateTable table = Parser.createTable(sql);
          assertThat(Parser.createTable(table.text())).as(name).isEqualTo(table);
        });
    assertThat(statements).hasSize(180);
  }

  @Test
  void expressionsPrintAs26FormatsThem() {
    List<String[]> rows = Corpus.rows("expressions-26.7.tsv");
    for (String[] row : rows) {
      Expression expression = Parser.expression(row[0]);
      assertThat(expression.text()).as(row[0]).isEqualTo(row[1]);
      assertThat(Parser.expression(row[1]).text()).as("again " + row[1]).isEqualTo(row[1]);
    }
    System.out.println(rows.size() + " expressions printed as 26.7 does");
  }

  @Test
  void typesAreNamedAndRefusedAs26Does() {
    List<String[]> rows = Corpus.rows("types-26.7.tsv");
    for (String[] row : rows) {
      if (row[1].startsWith("error ")) {
        assertThatThrownBy(() -> Parser.type(row[0]))
            .as(row[0])
            .isInstanceOfSatisfying(
                EngineException.class,
                e ->
                    assertThat(e.code().number())
                        .as(e.getMessage())
                        .isEqualTo(Integer.parseInt(row[1].substring(6))));
      } else {
        DataType type = Parser.type(row[0]);
        assertThat(type.text()).as(row[0]).isEqualTo(row[1]);
        assertThat(Parser.type(type.text())).as("again " + row[1]).isEqualTo(type);
      }
    }
    System.out.println(rows.size() + " types read as by 26.7");
  }

  @Test
  void everyClauseOfATableIsRead() {
    String sql =
        """
        ATTACH TABLE _ UUID '00000000-0000-0000-0000-0000000000ab'
        (
            `k` UInt64 COMMENT 'key' CODEC(Delta(8), ZSTD(3)),
            `v` String DEFAULT concat('a', toString(k)) TTL d + toIntervalDay(1),
            `m` UInt8 MATERIALIZED k % 3,
            `al` UInt8 ALIAS m + 1,
            `e` UInt8 EPHEMERAL,
            `f` UInt8 EPHEMERAL 5,
            `d` Date STATISTICS(uniq, tdigest) SETTINGS (max_compress_block_size = 16),
            INDEX i lower(v) TYPE bloom_filter(0.01) GRANULARITY 2,
            CONSTRAINT c CHECK k > 0,
            CONSTRAINT a ASSUME k < 9,
            PROJECTION p
            (
                SELECT sum(k)
                GROUP BY v
            )
        )
        ENGINE = ReplicatedReplacingMergeTree('/t/{shard}', '{replica}', k)
        PARTITION BY toYYYYMM(d)
        PRIMARY KEY k
        ORDER BY tuple(k, d DESC)
        SAMPLE BY k
        TTL d + toIntervalMonth(1) WHERE k > 1, d TO VOLUME 'cold', \
        d RECOMPRESS CODEC(ZSTD(9)), d + toIntervalYear(1) GROUP BY k SET v = max(v)
        SETTINGS index_granularity = 1024, storage_policy = 'x', ratio = 0.5, on = true, low = -1
        COMMENT 'it\\'s a table'""";
    CreateTable table = Parser.createTable(sql);
    assertThat(table.text()).isEqualTo(sql);
    assertThat(table.attach()).isTrue();
    assertThat(table.columns()).extracting(Column::kind).contains(Column.DefaultKind.values());
    assertThat(table.orderBy().orElseThrow().descending()).containsExactly(false, true);
    assertThat(table.settings().keySet()).startsWith("index_granularity");
  }

  @Test
  void theOldSyntaxOfMergeTreeIsKeptAsArguments() {
    CreateTable table =
        Parser.createTable("CREATE TABLE t (d Date, k UInt8) ENGINE = MergeTree(d, (k, d), 8192)");
    assertThat(table.engine().orElseThrow().arguments())
        .extracting(Expression::text)
        .containsExactly("d", "(k, d)", "8192");
    assertThat(table.engine().orElseThrow().arguments().get(1).keyElements()).hasSize(2);
  }

  @Test
  void keywordsMayNameColumns() {
    CreateTable table =
        Parser.createTable(
            "CREATE TABLE t (date Date, type String, key UInt8, values UInt8, interval UInt8,"
                + " comment String, `index` UInt8) ENGINE = MergeTree ORDER BY (date, key, type)");
    assertThat(table.columns()).hasSize(7);
    assertThat(table.orderBy().orElseThrow().elements()).hasSize(3);
  }

  @Test
  void bytesThatAreNotUtf8SurviveInStrings() {
    StringLiteral literal = (StringLiteral) Parser.expression("'\\xff\\xC3\\xA9\\0'");
    assertThat(literal.bytes()).containsExactly(0xff, 0xC3, 0xA9, 0);
    assertThat(literal.text()).isEqualTo("'\\xFFé\\0'");
    assertThat(((StringLiteral) Parser.expression("x'FF00'")).bytes()).containsExactly(0xff, 0);
  }

  @Test
  void errorsSayWhereWhatWasFoundAndWhatWasExpected() {
    assertThatThrownBy(() -> Parser.createTable("CREATE TABLE t\n(a UInt8,\n b ! String)"))
        .hasMessage("syntax error at line 3, column 4: found '!', expected one of ',', ')'");
    assertThatThrownBy(() -> Parser.expression("a + "))
        .hasMessage(
            "syntax error at line 1, column 5: found the end of the text, expected an expression");
    assertThatThrownBy(() -> Parser.type("Array(uint8)"))
        .hasMessage("unknown type 'uint8', perhaps UInt8");
    assertThatThrownBy(() -> Parser.createTable("CREATE TABLE t (a UInt8) ORDER BY a ORDER BY a"))
        .hasMessageContaining("more than one ORDER BY");
  }

  @Test
  void hostileTextEndsInATreeOrATypedError() {
    List<String> pieces =
        List.of(
            "(",
            "-",
            "- ",
            "NOT ",
            "a+",
            "[",
            "f(",
            "INTERVAL ",
            "CASE ",
            "CASE WHEN a THEN ",
            "a ? ",
            "x -> ",
            "(a,",
            "(x, y) -> ",
            "a.",
            "a::",
            "a[",
            "a AND ",
            "a IN (",
            "a BETWEEN ",
            "'",
            "`",
            "/*",
            "a||",
            "((a,b),",
            "CAST(",
            "tuple(",
            "DATE ",
            "x'",
            "INTERVAL (",
            "a ? b : ",
            "a = ",
            "map('a', [(1, ",
            "TRIM(",
            "$",
            "(SELECT ",
            "(SELECT -",
            "(SELECT a.* FROM (",
            "(WITH ",
            "(WITH 1 AS x SELECT ",
            "EXISTS(",
            "EXISTS(SELECT ",
            "a IN (SELECT ",
            "INTERVAL a IN (SELECT ",
            "EXISTS((",
            "f(DISTINCT ",
            "COLUMNS(",
            "* EXCEPT ",
            "a.*, ",
            "\\");
    for (String piece : pieces) {
      refusedOrRead(() -> Parser.expression(piece.repeat(50_000)));
      refusedOrRead(() -> Parser.createTable("CREATE TABLE t (" + piece.repeat(10_000)));
      refusedOrRead(
          () ->
              Parser.createTable(
                  "CREATE TABLE t (a UInt8) ENGINE = M ORDER BY " + piece.repeat(10_000)));
    }
    for (String piece :
        List.of(
            "Array(",
            "Tuple(a ",
            "Nullable(",
            "Map(String, ",
            "Array",
            "(",
            "Enum('a','b'",
            "Variant(",
            "JSON(((",
            "FixedString(9",
            "AggregateFunction(",
            "Tuple(",
            "INT ")) {
      refusedOrRead(() -> Parser.type(piece.repeat(50_000)));
      refusedOrRead(() -> Parser.createTable("CREATE TABLE t (a " + piece.repeat(10_000)));
    }
    assertThatThrownBy(() -> Parser.expression("a" + "+a".repeat(5000)))
        .isInstanceOfSatisfying(
            EngineException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_DEEP_RECURSION));
    assertThat(Parser.expression("a" + "+a".repeat(900)).text()).contains("a + a");
    assertThat(Parser.expression("a" + " AND a".repeat(50_000)).children()).hasSize(50_001);
  }

  /** Beginnings of statements and what is repeated behind them. */
  @Test
  void hostileStatementsEndInATreeOrATypedError() {
    String[][] cases = {
      {"SELECT 1 FROM ", "("},
      {"SELECT ", "a, "},
      {"SELECT ", "a AS b, "},
      {"SELECT ", "* EXCEPT (a"},
      {"SELECT ", "SELECT "},
      {"SELECT 1 ", "UNION ALL SELECT 1 "},
      {"SELECT 1 FROM (", "SELECT 1 FROM ("},
      {"SELECT 1 WHERE ", "a IN (SELECT "},
      {"SELECT 1 ORDER BY ", "(a, "},
      {"SELECT 1 SETTINGS ", "a = 1, "},
      {"WITH a AS (", "WITH a AS ("},
      {"WITH ", "(1 AS "},
      {"", "("},
      {"", ";"},
      {"EXPLAIN ", "EXPLAIN "},
      {"EXPLAIN ", "a = INTERVAL 1 IN (SELECT "},
      {"ALTER TABLE t ", "(ADD COLUMN "},
      {"ALTER TABLE t ", "ADD COLUMN a UInt8, "},
      {"ALTER TABLE t DROP PARTITION ", "("},
      {"INSERT INTO t (", "a, "},
      {"INSERT INTO t ", "("},
      {"INSERT INTO t SELECT ", "("},
      {"DESCRIBE ", "("},
      {"RENAME TABLE ", "a TO b, "},
      {"SYSTEM ", "STOP "},
      {"CREATE TABLE t AS ", "SELECT "},
    };
    for (String[] one : cases) {
      refusedOrRead(() -> Parser.statement(one[0] + one[1].repeat(20_000)));
    }
  }

  private static void refusedOrRead(Runnable parse) {
    try {
      parse.run();
    } catch (EngineException e) {
      assertThat(e.getMessage()).hasSizeLessThan(1000);
    }
  }

  @Test
  void tenThousandColumnsAreRead() {
    String columns =
        IntStream.range(0, 10_000)
            .mapToObj(i -> "`c " + i + "` Array(LowCardinality(Nullable(String))) DEFAULT f(" + i)
            .collect(Collectors.joining(") CODEC(ZSTD(1)),\n"));
    CreateTable table =
        Parser.createTable("CREATE TABLE t (" + columns + ")) ENGINE = MergeTree ORDER BY tuple()");
    assertThat(table.columns()).hasSize(10_000);
    assertThat(table.columns().get(9_999).type().orElseThrow().text())
        .isEqualTo("Array(LowCardinality(Nullable(String)))");
  }
}
