package io.coppice.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.error.EngineException;
import io.coppice.engine.Engine;
import io.coppice.fixtures.peer.ChdbPeer;
import io.coppice.parts.text.DataFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same queries over the same rows in ClickHouse 26.7 and here: equal texts. */
@Tag("peer")
class QueryPeerTest {
  private static final int QUERIES = 150;
  private static final DataFormat FORMAT = DataFormat.TSV_WITH_NAMES_AND_TYPES;
  private static final String CREATE =
      "CREATE TABLE t (id UInt64, k Int32, s String, n Nullable(Int64), f Float64, d Date,"
          + " dt DateTime('UTC'), dec Decimal(10, 2), lc LowCardinality(String),"
          + " nl LowCardinality(Nullable(String)), b Bool, e Enum8('red' = 1, 'green' = 2,"
          + " 'blue' = -3), u8 UInt8, i128 Int128, fs FixedString(3), arr Array(UInt8))"
          + " ENGINE = MergeTree PARTITION BY k % 3 ORDER BY (k, id)"
          + " SETTINGS index_granularity = 64";
  private static final String INSERT =
      "INSERT INTO t SELECT number AS x, toInt32(x % 11) - 2,"
          + " substring('abcabdaefgh', 1 + x % 8, x % 5),"
          + " if(x % 4 = 0, NULL, toInt64(x % 97) - 40), (x % 33) / 4 - 3,"
          + " toDate('2024-01-01') + x % 200, toDateTime('2024-01-01 00:00:00', 'UTC') + x * 911,"
          + " toDecimal64(x % 1000, 2) / 8 - 30, ['x', 'y', 'zz', ''][1 + x % 4],"
          + " if(x % 5 = 1, NULL, ['p', 'q', 'r'][1 + x % 3]), x % 3 = 1,"
          + " CAST(['red', 'green', 'blue'][1 + x % 3], 'Enum8(''red'' = 1, ''green'' = 2,"
          + " ''blue'' = -3)'), x % 251, toInt128(x) * 1000000007 - 5000000000,"
          + " toFixedString(['abc', 'de', 'f'][1 + x % 3], 3),"
          + " if(x % 6 = 0, [], [toUInt8(x % 3), toUInt8(x % 4)])"
          + " FROM numbers(2000)";

  @TempDir Path directory;

  @Test
  void queriesAreEqual() throws IOException {
    long seed = Long.getLong("coppice.seed", 20261130L);
    System.out.println("seed: -Dcoppice.seed=" + seed);
    RandomQueries queries = new RandomQueries(seed);
    Set<String> asked = new LinkedHashSet<>();
    while (asked.size() < QUERIES) {
      asked.add(queries.next());
    }
    List<String> unlike = new ArrayList<>();
    try (ChdbPeer peer = ChdbPeer.start();
        Engine engine = Engine.open(directory)) {
      Session session = new Session(engine);
      peer.run(CREATE);
      peer.run(INSERT);
      session.execute(CREATE).close();
      String rows =
          new String(peer.query("SELECT * FROM t ORDER BY id", "TSV"), StandardCharsets.UTF_8);
      session.execute("INSERT INTO t FORMAT TSV\n" + rows).close();
      for (String query : asked) {
        ChdbPeer.Answer answer = peer.ask(query, FORMAT.text());
        String theirs =
            answer.ok()
                ? new String(answer.bytes(), StandardCharsets.UTF_8).stripTrailing()
                : "error " + answer.code();
        String ours;
        try {
          ours = Texts.text(session, engine.allocator(), query, FORMAT).stripTrailing();
        } catch (EngineException e) {
          ours = "error " + e.code().number();
          if (!ours.equals(theirs)) {
            ours += ": " + e.getMessage();
          }
        }
        if (!ours.equals(theirs)) {
          unlike.add(
              query + "\n  theirs: " + few(theirs + answer.error()) + "\n  ours:   " + few(ours));
        }
      }
      assertThat(engine.allocator().getAllocatedMemory()).isZero();
    }
    assertThat(unlike).as("of %d queries, seed %d", QUERIES, seed).isEmpty();
  }

  private static String few(String text) {
    return text.length() <= 400 ? text : text.substring(0, 400) + "…";
  }
}
