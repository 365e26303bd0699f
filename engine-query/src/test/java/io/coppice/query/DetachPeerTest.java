package io.coppice.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.error.EngineException;
import io.coppice.engine.Engine;
import io.coppice.fixtures.peer.ChdbPeer;
import io.coppice.fixtures.peer.PeerException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Databases and tables detached and attached in 26.7 and here: the same answers, or the same
 * numbers of errors; and each finds the other's directory as its own.
 */
@Tag("peer")
class DetachPeerTest {
  private static final List<String> STATEMENTS =
      List.of(
          "CREATE DATABASE d",
          "CREATE TABLE d.t (x UInt32) ENGINE = MergeTree ORDER BY x",
          "INSERT INTO d.t VALUES (1)",
          "DETACH DATABASE d",
          "SELECT name FROM system.databases WHERE name = 'd'",
          "SELECT * FROM d.t",
          "CREATE TABLE d.u (x UInt32) ENGINE = MergeTree ORDER BY x",
          "CREATE DATABASE d",
          "CREATE DATABASE IF NOT EXISTS d",
          "DROP DATABASE d",
          "DROP DATABASE IF EXISTS d",
          "CREATE DATABASE other",
          "RENAME DATABASE other TO d",
          "ATTACH DATABASE d ENGINE = Atomic",
          "ATTACH DATABASE d",
          "SELECT * FROM d.t",
          "ATTACH DATABASE d",
          "ATTACH DATABASE IF NOT EXISTS d",
          "ATTACH DATABASE nothing",
          "DETACH DATABASE nothing",
          "DETACH DATABASE IF EXISTS nothing",
          "DETACH DATABASE d PERMANENTLY",
          "DETACH TABLE d.t",
          "ATTACH TABLE d.t",
          "ATTACH TABLE d.t",
          "ATTACH TABLE IF NOT EXISTS d.t",
          "DETACH TABLE d.t PERMANENTLY",
          "CREATE TABLE d.t (x UInt32) ENGINE = MergeTree ORDER BY x",
          "DETACH DATABASE d",
          "ATTACH DATABASE d",
          "SELECT * FROM d.t",
          "ATTACH TABLE d.t",
          "SELECT * FROM d.t",
          "DETACH TABLE d.t",
          "DETACH DATABASE d",
          "ATTACH DATABASE d",
          "SELECT * FROM d.t",
          "ATTACH DATABASE e UUID '22222222-2222-2222-2222-222222222222' ENGINE = Atomic",
          "ATTACH TABLE e.t (x UInt32) ENGINE = MergeTree ORDER BY x",
          "ATTACH TABLE e.t UUID '33333333-3333-3333-3333-333333333333' (x UInt32) ENGINE ="
              + " MergeTree ORDER BY x",
          "INSERT INTO e.t VALUES (7)",
          "CREATE TABLE e.u UUID '33333333-3333-3333-3333-333333333333' (x UInt32) ENGINE ="
              + " MergeTree ORDER BY x",
          "SELECT * FROM e.t",
          "DETACH TABLE e.t",
          "ATTACH TABLE e.t",
          "SELECT * FROM e.t",
          "DETACH DATABASE e",
          "ATTACH DATABASE e UUID '22222222-2222-2222-2222-222222222222' ENGINE = Atomic",
          "SELECT * FROM e.t",
          "DETACH DATABASE d");

  @TempDir Path directory;

  @Test
  void theSameIsAnswered() throws IOException {
    List<String> problems = new ArrayList<>();
    try (ChdbPeer peer = ChdbPeer.start(directory.resolve("theirs"));
        Engine engine = Engine.open(directory.resolve("ours"))) {
      Session session = new Session(engine);
      for (String statement : STATEMENTS) {
        String expected = theirs(peer, statement);
        String found = ours(session, engine, statement);
        if (!found.equals(expected)) {
          problems.add(statement + "\n  " + expected + "\n  found " + found);
        }
      }
    }
    assertThat(problems).as(String.join("\n", problems)).isEmpty();
    String all = "SELECT (SELECT sum(x) FROM d.t), (SELECT sum(x) FROM e.t)";
    try (ChdbPeer peer = ChdbPeer.start(directory.resolve("ours"))) {
      assertThat(peer.text(all)).isEqualTo("1\t7");
    }
    try (Engine engine = Engine.open(directory.resolve("theirs"))) {
      Session session = new Session(engine);
      for (String table : List.of("d.t", "e.t")) {
        assertThat(ours(session, engine, "SELECT sum(x) FROM " + table))
            .isEqualTo(table.equals("d.t") ? "1" : "7");
      }
    }
  }

  private static String theirs(ChdbPeer peer, String statement) throws IOException {
    try {
      return peer.text(statement).strip();
    } catch (PeerException e) {
      return "error " + e.code();
    }
  }

  private static String ours(Session session, Engine engine, String statement) throws IOException {
    try {
      if (statement.startsWith("SELECT")) {
        return Texts.tsv(session, engine.allocator(), statement).strip();
      }
      session.execute(statement).close();
      return "";
    } catch (EngineException e) {
      return "error " + e.code().number();
    }
  }
}
