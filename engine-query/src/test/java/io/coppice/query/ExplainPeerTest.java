package io.coppice.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.error.EngineException;
import io.coppice.engine.Engine;
import io.coppice.engine.EngineConfig;
import io.coppice.fixtures.peer.ChdbPeer;
import io.coppice.parts.text.DataFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** EXPLAIN with {@code indexes = 1} of the same queries over the same parts in 26.7 and here. */
@Tag("peer")
class ExplainPeerTest {
  @TempDir Path directory;

  @Test
  void textsAreEqualButForNamedReasons() throws IOException {
    List<String> unlike = new ArrayList<>();
    List<String> alike = new ArrayList<>();
    Map<String, Integer> compared = new LinkedHashMap<>();
    try (ChdbPeer peer = ChdbPeer.start();
        Engine engine = Engine.open(EngineConfig.at(directory).withThreads(2))) {
      Session session = new Session(engine);
      peer.run("SET max_threads = 2");
      for (String statement : ExplainQueries.TABLES) {
        peer.run(statement);
        session.execute(statement).close();
      }
      for (Map.Entry<String, List<String>> group : ExplainQueries.all().entrySet()) {
        for (String query : group.getValue()) {
          String sql = "EXPLAIN indexes = 1 " + query;
          ChdbPeer.Answer answer = peer.ask(sql, "TSVRaw");
          assertThat(answer.ok()).as("%s: %s", sql, answer.error()).isTrue();
          String theirs = new String(answer.bytes(), StandardCharsets.UTF_8).stripTrailing();
          String ours = ours(session, engine, sql);
          compared.merge(group.getKey(), 1, Integer::sum);
          if (!ours.equals(theirs) && group.getKey().isEmpty()) {
            unlike.add(sql + "\n--- theirs\n" + theirs + "\n--- ours\n" + ours);
          } else if (ours.equals(theirs) && !group.getKey().isEmpty()) {
            alike.add(group.getKey() + ": " + sql);
          }
        }
      }
      assertThat(engine.allocator().getAllocatedMemory()).isZero();
    }
    unlike.forEach(System.out::println);
    System.out.println("explanations compared: " + compared);
    assertThat(unlike).isEmpty();
    assertThat(alike).as("named as differing, and equal").isEmpty();
  }

  private static String ours(Session session, Engine engine, String sql) throws IOException {
    try {
      return Texts.text(session, engine.allocator(), sql, DataFormat.TSV_RAW).stripTrailing();
    } catch (EngineException e) {
      return "error " + e.code().number() + ": " + e.getMessage();
    }
  }
}
