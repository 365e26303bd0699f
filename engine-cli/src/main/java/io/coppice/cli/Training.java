package io.coppice.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs what most commands are made of. The launcher has the JVM archive the classes that this
 * loads; commands start the faster the more of their classes are among them. It prints nothing.
 */
final class Training {
  private static final List<String> STATEMENTS =
      List.of(
          "SELECT 1",
          "CREATE TABLE t (id UInt64, at DateTime, day Date DEFAULT toDate(at), name String, kind"
              + " LowCardinality(String), price Decimal(10, 2), rate Nullable(Float64), tags"
              + " Array(String)) ENGINE = MergeTree PARTITION BY toYYYYMM(at) ORDER BY (kind, id)",
          "INSERT INTO t (id, at, name, kind, price, tags) VALUES (1, '2024-01-01 00:00:00', 'a',"
              + " 'k', 1.5, ['x']), (2, '2024-01-02 00:00:00', 'b', 'l', 2.5, [])",
          "INSERT INTO t (id, at, name, kind, price, rate, tags) SELECT number, toDateTime(number),"
              + " toString(number), 'k', number, number / 2, ['y'] FROM numbers(100)",
          "SELECT * FROM t LIMIT 1",
          "SELECT count() FROM t WHERE kind = 'k' AND day < '2024-01-02' AND name LIKE 'a%'",
          "SELECT kind, count(), sum(price), avg(rate), min(at), max(name), uniqExact(id) AS u FROM"
              + " t GROUP BY kind HAVING u > 1 ORDER BY u DESC, kind LIMIT 5",
          "SELECT DISTINCT name FROM t WHERE id IN (SELECT id FROM t WHERE id < 5) ORDER BY name",
          "SELECT id, if(id > 3, upper(name), concat(name, '!')), round(rate, 1) FROM t ORDER BY at"
              + " DESC LIMIT 3 FORMAT PrettyCompact",
          "SELECT * FROM t LIMIT 2 FORMAT JSON",
          "SELECT * FROM t LIMIT 2 FORMAT JSONEachRow",
          "SELECT * FROM t LIMIT 2 FORMAT CSVWithNames",
          "SELECT * FROM t LIMIT 2 FORMAT Vertical",
          "SHOW TABLES",
          "DESCRIBE TABLE t",
          "SHOW CREATE TABLE t",
          "SELECT name, rows FROM system.parts WHERE active",
          "EXPLAIN SELECT count() FROM t WHERE id = 1",
          "ALTER TABLE t DROP PARTITION 197001",
          "OPTIMIZE TABLE t FINAL");

  private Training() {}

  public static void main(String[] arguments) throws IOException {
    try (Temporary temporary = new Temporary("coppice-training")) {
      String data = temporary.directory().resolve("data").toString();
      for (String statement : STATEMENTS) {
        run("local", "--path", data, "--query", statement);
      }
      run("local", "--query", "SELECT wrong");
      run("local", "--wrong");
      run(
          "demo",
          "--rows",
          "20000",
          "--picture",
          temporary.directory().resolve("p.svg").toString());
      for (Path part : parts(Path.of(data))) {
        run("part", "info", part.toString());
        run("part", "verify", part.toString());
      }
    }
  }

  private static List<Path> parts(Path data) throws IOException {
    try (var files = Files.walk(data)) {
      return files.filter(f -> f.endsWith("checksums.txt")).map(Path::getParent).toList();
    }
  }

  private static void run(String... arguments) {
    PrintStream errors =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    Shell shell =
        new Shell(
            new ByteArrayInputStream(new byte[0]), OutputStream.nullOutputStream(), errors, false);
    Main.run(shell, arguments);
  }
}
