package io.coppice.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.error.EngineException;
import io.coppice.engine.Engine;
import io.coppice.engine.Table;
import io.coppice.fixtures.peer.ChdbPeer;
import io.coppice.language.statement.TableName;
import io.coppice.parts.text.DataFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same ALTERs in 26.7 and here: each statement is refused by both with one code or by none, and
 * after each the definition, the names of parts and the rows are equal. Then each opens the
 * directory that the other left.
 */
@Tag("peer")
class AlterPeerTest {
  @TempDir Path directory;

  private static List<String> statements(String script) throws IOException {
    try (InputStream in = AlterPeerTest.class.getResourceAsStream("alter/" + script + ".sql")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      List<String> statements = new ArrayList<>();
      for (String statement : text.split(";\\n")) {
        String bare =
            statement.lines().filter(l -> !l.startsWith("--")).collect(Collectors.joining("\n"));
        if (!bare.isBlank()) {
          statements.add(bare.strip());
        }
      }
      return statements;
    }
  }

  private static String theirs(ChdbPeer peer) {
    StringBuilder state = new StringBuilder();
    for (String table :
        peer.text("SELECT name FROM system.tables WHERE database = 'default' ORDER BY name")
            .lines()
            .toList()) {
      state
          .append(
              new String(
                  peer.query("SHOW CREATE TABLE " + table, "TSVRaw"), StandardCharsets.UTF_8))
          .append(
              peer.text(
                  "SELECT name FROM system.parts WHERE active AND database = 'default' AND table ="
                      + " '"
                      + table
                      + "' AND rows > 0 ORDER BY name"))
          .append('\n')
          .append(sorted(peer.text("SELECT * FROM " + table)))
          .append('\n');
    }
    return state.toString();
  }

  private static String ours(Engine engine, Session session) throws IOException {
    StringBuilder state = new StringBuilder();
    for (Table table : engine.tables()) {
      state
          .append(table.create().text())
          .append('\n')
          .append(
              table.parts().stream()
                  .filter(p -> p.rows() > 0)
                  .map(p -> p.name().text())
                  .sorted()
                  .collect(Collectors.joining("\n")))
          .append('\n')
          .append(
              sorted(
                  Texts.text(
                      session,
                      engine.allocator(),
                      "SELECT * FROM " + TableName.of(table.name().table()).text(),
                      DataFormat.TSV)))
          .append('\n');
    }
    return state.toString();
  }

  /** What lies beside the parts that count: detached ones, and backups. */
  private static String detached(Path data) throws IOException {
    return below(data).stream()
        .map(path -> data.relativize(path).toString())
        .filter(p -> p.contains("/detached/") || p.startsWith("shadow"))
        .filter(p -> p.matches(".*/[^/.]*_[0-9]+_[0-9]+_0|.*increment.txt"))
        .map(p -> p.replaceAll("[0-9a-f]{3}/[0-9a-f-]{36}", "UUID"))
        .sorted()
        .collect(Collectors.joining("\n"));
  }

  /** What the tables remember of blocks, sorted: tables have other paths in each engine. */
  private static String remembered(Path data) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (Path path : below(data)) {
      if (path.getFileName().toString().startsWith("deduplication_log_")) {
        lines.append(Files.readString(path));
      }
    }
    return "\n" + sorted(lines.toString());
  }

  /** All that lies below a directory, but for what its engine takes away meanwhile. */
  private static List<Path> below(Path data) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        data,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
            found.add(path);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
            found.add(path);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path path, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path path, IOException e) throws IOException {
            if (e == null || e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }
        });
    return found;
  }

  private static String withoutParts(String state) {
    return state
        .lines()
        .filter(line -> !line.matches("[^\\s]+_[0-9]+_[0-9]+_[0-9]+(_[0-9]+)?"))
        .filter(line -> !line.isBlank())
        .collect(Collectors.joining("\n"));
  }

  private static String sorted(String rows) {
    return rows.lines().sorted().collect(Collectors.joining("\n"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "columns",
        "types",
        "indexes",
        "keys",
        "others",
        "nested",
        "partitions",
        "duplicates"
      })
  void eachStatementDoesTheSame(String script) throws IOException {
    List<String> unlike = new ArrayList<>();
    Path their = directory.resolve("their");
    Path our = directory.resolve("our");
    String theirLast;
    try (ChdbPeer peer = ChdbPeer.start(their);
        Engine engine = Engine.open(our)) {
      Session session = new Session(engine);
      peer.run("SET optimize_on_insert = 0"); // rows are folded by merges, which are not here
      String before = "";
      for (String sql : statements(script)) {
        ChdbPeer.Answer answer = peer.ask(sql, "TSV");
        if (List.of("partitions", "duplicates").contains(script) && sql.startsWith("CREATE")) {
          peer.run("SYSTEM STOP MERGES"); // of tables that are there; the other scripts need them
        }
        String expected = answer.ok() ? "done" : "error " + answer.code();
        String found;
        try {
          session.execute(sql).close();
          found = "done";
        } catch (EngineException e) {
          found = "error " + e.code().number() + " " + e.getMessage();
        }
        if (!found.equals("done") && found.startsWith(expected + " ")) {
          found = expected;
        }
        if (sql.startsWith("CHECK") && answer.ok()) {
          String rows = new String(answer.bytes(), StandardCharsets.UTF_8);
          expected = expected + " " + rows.lines().map(String::stripTrailing).sorted().toList();
          found +=
              " "
                  + Texts.text(session, engine.allocator(), sql, DataFormat.TSV)
                      .lines()
                      .map(String::stripTrailing)
                      .sorted()
                      .toList();
        }
        if (!found.equals(expected)) {
          unlike.add(
              sql + "\n  theirs: " + expected + " " + few(answer.error()) + "\n  ours:   " + found);
          continue;
        }
        String wanted = theirs(peer) + detached(their) + remembered(their);
        String is = ours(engine, session) + detached(our) + remembered(our);
        if (!is.equals(wanted) && !is.equals(before)) {
          unlike.add(sql + "\n  theirs:\n" + wanted + "\n  ours:\n" + is);
          before = is;
        }
      }
      theirLast = theirs(peer);
      assertThat(unlike).isEmpty();
      assertThat(engine.allocator().getAllocatedMemory()).isZero();
    }
    try (Engine engine = Engine.open(their)) {
      assertThat(ours(engine, new Session(engine))).isEqualTo(theirLast);
    }
    try (ChdbPeer peer = ChdbPeer.start(our)) {
      assertThat(withoutParts(theirs(peer))).isEqualTo(withoutParts(theirLast)); // it may merge
      for (String table : peer.text("SHOW TABLES").lines().toList()) {
        assertThat(peer.text("CHECK TABLE " + table).lines())
            .allSatisfy(part -> assertThat(part.strip()).endsWith("\t1"));
      }
    }
  }

  private static String few(String text) {
    return text.length() <= 200 ? text : text.substring(0, 200) + "…";
  }
}
