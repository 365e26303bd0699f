package io.coppice.parts.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.base.time.SimTime;
import io.coppice.parts.expression.Surroundings;
import io.coppice.parts.scan.Scan;
import io.coppice.parts.table.SmallTable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a row gets that does not say all. */
class DefaultValuesTest {
  /** 2026-03-28 23:30:00 UTC: already the next day in Berlin. */
  private static final long MOMENT = 1_774_740_600_123L;

  @TempDir Path directory;
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingIsLeftAllocated() {
    allocator.close();
  }

  private SmallTable table(String definition) {
    return new SmallTable(directory, allocator, definition + " ENGINE = MergeTree ORDER BY k");
  }

  private String inserted(String definition, String json) throws IOException {
    SmallTable table =
        new SmallTable(
                directory.resolve(Integer.toString((definition + json).hashCode())),
                allocator,
                definition + " ENGINE = MergeTree ORDER BY k")
            .insert(json);
    return table.tsv(table.scan());
  }

  @Test
  void arraysOfOneNestedAreFilledToTheLengthOfThoseThatAreGiven() throws IOException {
    assertThat(
            inserted(
                "(k Int32, n Nested(a Int8, b String, e Enum8('x' = 3), c Array(UInt8), d"
                    + " Nullable(Int8)))",
                "{\"k\":1,\"n.a\":[5,6]}{\"k\":2,\"n.a\":[]}{\"k\":3,\"n.a\":[7]}"))
        .isEqualTo(
            """
            1\t[5,6]\t['','']\t['x','x']\t[[],[]]\t[NULL,NULL]
            2\t[]\t[]\t[]\t[]\t[]
            3\t[7]\t['']\t['x']\t[[]]\t[NULL]
            """);
  }

  @Test
  void anExpressionOfANestedColumnHasTheLastWord() {
    assertThatThrownBy(
            () ->
                inserted(
                    "(k Int32, `n.a` Array(Int8), `n.b` Array(Int8) DEFAULT [1])",
                    "{\"k\":1,\"n.a\":[5,6]}"))
        .isInstanceOfSatisfying(
            EngineException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.SIZES_OF_ARRAYS_DONT_MATCH));
  }

  @Test
  void rowsThatSayNothingAreRows() throws IOException {
    assertThat(inserted("(k Int32, s String DEFAULT concat('x', toString(k)))", "{}{}{}"))
        .isEqualTo("0\tx0\n0\tx0\n0\tx0\n");
  }

  @Test
  void rowsThatSayNothingAreRowsAlsoWhenAllIsComputed() throws IOException {
    assertThat(inserted("(k Int32 DEFAULT 7, s String DEFAULT 'a')", "{}{}"))
        .isEqualTo("7\ta\n7\ta\n");
    assertThat(inserted("(k Int32 DEFAULT 7, s String DEFAULT 'a')", "{}{\"k\":1}{}{\"s\":\"z\"}"))
        .isEqualTo("1\ta\n7\ta\n7\ta\n7\tz\n");
  }

  @Test
  void failingDefaultsAreToldWithColumnExpressionAndRow() {
    assertThatThrownBy(
            () ->
                inserted(
                    "(k Int32, d Int32 DEFAULT intDiv(100, k))", "{\"k\":5}{\"k\":0}{\"k\":2}"))
        .isInstanceOfSatisfying(
            EngineException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ILLEGAL_DIVISION))
        .hasMessageContainingAll("column d DEFAULT intDiv(100, k)", "row 2 of the batch", "k=0");
  }

  @Test
  void failingConversionsOfTheInputAreToldToo() {
    assertThatThrownBy(
            () -> inserted("(k Int32, s String, d Date DEFAULT s)", "{\"k\":5,\"s\":\"never\"}"))
        .isInstanceOf(EngineException.class)
        .hasMessageContainingAll("column d DEFAULT s", "row 1 of the batch", "never");
  }

  @Test
  void timeAndChanceComeFromOutside() throws IOException {
    String definition =
        "(k Int32, t DateTime DEFAULT now(), u DateTime64(3) DEFAULT now64(), d Date DEFAULT today(),"
            + " y Date DEFAULT yesterday(), r UInt32 DEFAULT rand(), l UInt64 DEFAULT rand64(), i"
            + " UUID DEFAULT generateUUIDv4())";
    String rows = "{\"k\":1}{\"k\":2}{\"k\":3}";
    Surroundings first = surroundings(ZoneOffset.UTC);
    SmallTable table = table(definition).in(first).insert(rows);
    String once = table.tsv(table.scan());
    String[] lines = once.split("\n");
    assertThat(lines).hasSize(3);
    assertThat(lines)
        .allSatisfy(
            line ->
                assertThat(line)
                    .contains(
                        "\t2026-03-28 23:30:00\t2026-03-28 23:30:00.123\t2026-03-28\t2026-03-27\t")
                    .matches(".*-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
    assertThat(Arrays.stream(lines).map(l -> l.split("\t")[5]).distinct()).hasSize(3);
    assertThat(Arrays.stream(lines).map(l -> l.split("\t")[7]).distinct()).hasSize(3);

    SmallTable again =
        new SmallTable(
                directory.resolve("again"),
                allocator,
                definition + " ENGINE = MergeTree ORDER BY k")
            .in(surroundings(ZoneOffset.UTC))
            .insert(rows);
    assertThat(again.tsv(again.scan())).isEqualTo(once);
  }

  private static Surroundings surroundings(ZoneId zone) {
    return new Surroundings(new SimTime(MOMENT), new Random(42), zone);
  }

  @Test
  void theDayIsThatOfTheZone() throws IOException {
    SmallTable table =
        table(
                "(k Int32, d Date MATERIALIZED today(), t DateTime MATERIALIZED '2026-01-01 00:00:00')")
            .in(surroundings(ZoneId.of("Europe/Berlin")))
            .insert("{\"k\":1}");
    assertThat(table.tsv(table.scan().columns("d", "t").in(Surroundings.system())))
        .isEqualTo("2026-03-29\t2025-12-31 23:00:00\n");
  }

  @Test
  void oneMomentForAllBatchesOfABuild() throws IOException {
    SimTime time = new SimTime(MOMENT);
    StringBuilder rows = new StringBuilder();
    IntStream.range(0, 2500).forEach(i -> rows.append("{\"k\":").append(i).append('}'));
    SmallTable table =
        table("(k Int32, t DateTime64(3) DEFAULT now64())")
            .in(new Surroundings(new TickingTime(time), new Random(1), ZoneOffset.UTC));
    table.insert(rows.toString());
    assertThat(table.tsv(table.scan().columns("t")).lines().distinct()).hasSize(1);
  }

  /** A clock that goes on by a second whenever it is looked at. */
  private record TickingTime(SimTime time) implements io.coppice.base.time.TimeSource {
    @Override
    public long wallMillis() {
      time.advance(Duration.ofSeconds(1));
      return time.wallMillis();
    }

    @Override
    public long monotonicNanos() {
      return time.monotonicNanos();
    }
  }

  @Test
  void zonelessTimesAreOfTheZoneInKeysAndConditions() throws IOException {
    Surroundings berlin = Surroundings.system().in(ZoneId.of("Europe/Berlin"));
    SmallTable table =
        new SmallTable(
                directory,
                allocator,
                "(k DateTime) ENGINE = MergeTree PARTITION BY toDate(k) ORDER BY k")
            .in(berlin)
            .insert("{\"k\":1774740600}{\"k\":1774738800}{\"k\":1774735200}");
    assertThat(table.parts())
        .extracting(p -> p.name().substring(0, 8))
        .containsExactlyInAnyOrder("20260329", "20260328");
    Scan scan = table.scan().where("k = '2026-03-29 00:30:00'");
    assertThat(table.tsv(scan)).isEqualTo("2026-03-28 23:30:00\n");
    assertThat(table.tsv(scan.in(Surroundings.system()))).isEmpty();
    assertThat(table.tsv(table.scan().where("toDate(k) = '2026-03-29'"))).hasLineCount(2);
  }

  @Test
  void failingKeysAndConditionsAreToldWithTheirExpression() throws IOException {
    assertThatThrownBy(
            () ->
                new SmallTable(
                        directory.resolve("key"),
                        allocator,
                        "(k Int32) ENGINE = MergeTree ORDER BY intDiv(100, k)")
                    .insert("{\"k\":5}{\"k\":0}"))
        .isInstanceOf(EngineException.class)
        .hasMessageContainingAll("key intDiv(100, k)", "row 2 of the batch", "k=0");
    SmallTable table = table("(k Int32)").insert("{\"k\":0}");
    assertThatThrownBy(() -> table.tsv(table.scan().where("intDiv(100, k) = 1")))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("condition intDiv(100, k) = 1");
  }

  @Test
  void keysMustNotAskTheClock() {
    assertThatThrownBy(
            () ->
                new SmallTable(
                        directory,
                        allocator,
                        "(k Int32) ENGINE = MergeTree PARTITION BY UTCTimestamp() ORDER BY k")
                    .insert("{\"k\":1}"))
        .isInstanceOfSatisfying(
            EngineException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_ARGUMENTS));
  }

  @Test
  void conditionsAskTheSameClock() throws IOException {
    SmallTable table = table("(k Date)").in(surroundings(ZoneOffset.UTC));
    table.insert("{\"k\":\"2026-03-27\"}{\"k\":\"2026-03-28\"}{\"k\":\"2026-03-29\"}");
    assertThat(table.tsv(table.scan().where("k = today()"))).isEqualTo("2026-03-28\n");
    assertThat(table.tsv(table.scan().where("k >= today() - 1 AND k < now()")))
        .isEqualTo("2026-03-27\n2026-03-28\n");
    assertThat(table.tsv(table.scan().where("toDateTime64(k, 3) > now64(6)")))
        .isEqualTo("2026-03-29\n");
    assertThat(table.tsv(table.scan().where("rand() >= 0"))).hasLineCount(3);
    long drawn = new Random(42).nextInt() & 0xFFFFFFFFL;
    assertThat(
            table
                .in(surroundings(ZoneOffset.UTC))
                .tsv(table.scan().where("randConstant() = " + drawn)))
        .hasLineCount(3);
  }
}
