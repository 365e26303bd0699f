package io.coppice.query;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The queries whose plans are compared, and the tables that they are about. */
final class ExplainQueries {
  /** Partitioned with skip indexes; every type of key; keys that are functions of columns. */
  static final List<String> TABLES =
      List.of(
          "CREATE DATABASE g",
          "CREATE TABLE g.t (a UInt32, b String, d Date, v UInt32, c Nullable(Int32), w UInt64,"
              + " INDEX ix_v v TYPE minmax GRANULARITY 2) ENGINE = MergeTree"
              + " PARTITION BY toYYYYMM(d) ORDER BY (a, b)"
              + " SETTINGS index_granularity = 64, min_bytes_for_wide_part = 0,"
              + " auto_statistics_types = ''",
          "INSERT INTO g.t SELECT number, 'k' || toString(intDiv(number, 1000)),"
              + " toDate('2024-01-01') + intDiv(number, 180), number * 7919 % 10000,"
              + " if(number % 2 = 1, NULL, number % 300), sipHash64(number) FROM numbers(10000)",
          "CREATE TABLE g.u (x UInt64, i Int64, f Float64, dec Decimal(10, 3), dt DateTime('UTC'),"
              + " dt6 DateTime64(3, 'UTC'), lc LowCardinality(String), e Enum8('a' = 1, 'b' = 2),"
              + " u UUID, fs FixedString(3), nn Nullable(Int32), dd Date32, bo Bool, i8 Int8,"
              + " ip IPv4, ns Nullable(String), big UInt256) ENGINE = MergeTree"
              + " ORDER BY (i, f, dec, dt, dt6, lc, e, u, fs, nn, dd, bo, i8, ip, ns, big)"
              + " SETTINGS allow_nullable_key = 1, auto_statistics_types = ''",
          "INSERT INTO g.u (x, i) VALUES (1, 1)",
          "CREATE TABLE g.w (ts DateTime('UTC'), n Int32, s String) ENGINE = MergeTree PARTITION BY"
              + " (toDate(ts), n % 10) ORDER BY (toStartOfHour(ts), n + 1, lower(s), -n) SETTINGS"
              + " auto_statistics_types = ''",
          "INSERT INTO g.w VALUES ('2024-01-01 10:00:00', 5, 'x')",
          "CREATE TABLE g.n (a UInt32, s String, INDEX bf s TYPE bloom_filter) ENGINE = MergeTree"
              + " ORDER BY a SETTINGS auto_statistics_types = ''",
          "INSERT INTO g.n SELECT number, toString(number) FROM numbers(10000)");

  private ExplainQueries() {}

  /**
   * Queries by what makes their plans differ from 26.7's; those whose plans are equal by the empty
   * text.
   */
  static Map<String, List<String>> all() throws IOException {
    Map<String, List<String>> byReason = new LinkedHashMap<>();
    String reason = "";
    try (InputStream in = ExplainQueries.class.getResourceAsStream("explain-queries.txt")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      for (String line : text.lines().toList()) {
        if (line.startsWith("# ")) {
          reason = line.substring(2);
        } else {
          byReason.computeIfAbsent(reason, r -> new ArrayList<>()).add(line);
        }
      }
    }
    return byReason;
  }
}
