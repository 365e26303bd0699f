package io.coppice.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.coppice.base.error.EngineException;
import io.coppice.engine.Engine;
import io.coppice.engine.EngineConfig;
import io.coppice.fixtures.peer.ChdbPeer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is left of parts that are dropped, statement by statement: their names, also of old ones.
 */
@Tag("peer")
class DroppedPartsPeerTest {
  private static final String PARTS =
      "SELECT name, active, rows FROM system.parts WHERE database = 'default' ORDER BY name";

  @TempDir Path directory;

  @Test
  void nothingIsLeftOfDroppedPartsAndOfThoseBeforeThem() throws IOException {
    List<String> unlike = new ArrayList<>();
    int statements = 0;
    try (Engine engine = Engine.open(EngineConfig.at(directory));
        ChdbPeer peer = ChdbPeer.start()) {
      Session session = new Session(engine);
      for (String sql : script()) {
        ChdbPeer.Answer answer = peer.ask(sql, "Null");
        String theirs = answer.ok() ? "done" : "error " + answer.code();
        String ours = "done";
        try {
          session.execute(sql).close();
        } catch (EngineException e) {
          ours = "error " + e.code().number();
        }
        theirs += "\n" + peer.text(PARTS).stripTrailing();
        ours += "\n" + Texts.tsv(session, engine.allocator(), PARTS).stripTrailing();
        statements++;
        if (!ours.equals(theirs)) {
          unlike.add(sql + "\n  theirs: " + theirs + "\n  ours: " + ours);
        }
      }
    }
    assertThat(statements).isGreaterThan(30);
    assertThat(unlike).isEmpty();
  }

  private static List<String> script() throws IOException {
    try (InputStream in = DroppedPartsPeerTest.class.getResourceAsStream("parts/dropped.sql")) {
      if (in == null) {
        return fail("no script");
      }
      return List.of(new String(in.readAllBytes(), StandardCharsets.UTF_8).split(";\n"));
    }
  }
}
