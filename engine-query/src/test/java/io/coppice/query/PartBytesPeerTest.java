package io.coppice.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.Durability;
import io.coppice.engine.Engine;
import io.coppice.engine.EngineConfig;
import io.coppice.fixtures.peer.ChdbPeer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same statements in 26.7 and here make the same parts: the same names, the same files, and the
 * same bytes in each. Looked at after every statement that changes a table, or at the end if parts
 * are only added; parts do not change, so each is compared once.
 */
@Tag("peer")
class PartBytesPeerTest {
  private static final String ACTIVE =
      "SELECT table, name, path FROM system.parts"
          + " WHERE active AND database = 'default' ORDER BY table, name";

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"covering", "conversions", "codecs", "indexes"})
  void filesAreTheSame(String script) throws IOException {
    String text;
    try (InputStream in = getClass().getResourceAsStream("parts/" + script + ".sql")) {
      text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    List<String> problems = new ArrayList<>();
    int parts = 0;
    SortedSet<String> known = new TreeSet<>();
    try (ChdbPeer peer = ChdbPeer.start(directory.resolve("theirs"));
        Engine engine =
            Engine.open(
                EngineConfig.at(directory.resolve("ours")).withDurability(Durability.FAST))) {
      Session session = new Session(engine);
      peer.run("SET mutations_sync = 2, allow_deprecated_syntax_for_merge_tree = 1");
      List<String> statements = List.of(text.split(";\\n"));
      boolean onlyGrows = statements.stream().noneMatch(s -> s.matches("(?s)(ALTER|TRUNCATE).*"));
      for (String statement : statements) {
        peer.run(statement);
        session.execute(statement).close();
        if (script.equals("covering") && statement.startsWith("CREATE")) {
          peer.run("SYSTEM STOP MERGES"); // of tables that are there; mutations need them
        }
        if (!statement.startsWith("ALTER") && !statement.matches("(?s)(INSERT|TRUNCATE).*")
            || onlyGrows && statement != statements.get(statements.size() - 1)) {
          continue;
        }
        Map<String, Path> theirs = parts(peer.text(ACTIVE));
        Map<String, Path> ours = parts(Texts.tsv(session, engine.allocator(), ACTIVE));
        if (!ours.keySet().equals(theirs.keySet())) {
          problems.add(statement + "\n  parts " + theirs.keySet() + "\n  found " + ours.keySet());
          continue;
        }
        for (Map.Entry<String, Path> part : theirs.entrySet()) {
          if (!known.add(part.getKey())) {
            continue;
          }
          parts++;
          compare(statement, part.getKey(), part.getValue(), ours.get(part.getKey()), problems);
        }
      }
    }
    System.out.printf("%s: %d parts compared%n", script, parts);
    assertThat(problems).as(String.join("\n", problems)).isEmpty();
    assertThat(parts).isPositive();
  }

  private static SortedMap<String, Path> parts(String tsv) {
    SortedMap<String, Path> parts = new TreeMap<>();
    for (String line : tsv.lines().toList()) {
      String[] fields = line.split("\t");
      parts.put(fields[0] + " " + fields[1], Path.of(fields[2]));
    }
    return parts;
  }

  private static SortedSet<String> files(Path part) throws IOException {
    try (Stream<Path> files = Files.walk(part)) {
      SortedSet<String> names = new TreeSet<>();
      files.filter(Files::isRegularFile).forEach(f -> names.add(part.relativize(f).toString()));
      return names;
    }
  }

  private static void compare(
      String statement, String part, Path theirs, Path ours, List<String> problems)
      throws IOException {
    SortedSet<String> names = files(theirs);
    SortedSet<String> found = files(ours);
    if (!names.equals(found)) {
      SortedSet<String> missing = new TreeSet<>(names);
      missing.removeAll(found);
      SortedSet<String> more = new TreeSet<>(found);
      more.removeAll(names);
      problems.add(
          statement + "\n  part " + part + ": files missing " + missing + ", too many " + more);
    }
    names.retainAll(found);
    for (String name : names) {
      byte[] expected = Files.readAllBytes(theirs.resolve(name));
      byte[] is = Files.readAllBytes(ours.resolve(name));
      if (!Arrays.equals(is, expected)) {
        problems.add(
            statement
                + "\n  part "
                + part
                + ": "
                + name
                + " differs at "
                + Arrays.mismatch(is, expected)
                + "\n  "
                + shown(name, expected)
                + "\n  "
                + shown(name, is));
      }
    }
  }

  private static String shown(String name, byte[] bytes) {
    return name.endsWith(".json") || name.endsWith(".txt") && !name.equals("checksums.txt")
        ? new String(bytes, StandardCharsets.UTF_8)
        : bytes.length + " bytes";
  }
}
