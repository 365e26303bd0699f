package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.fixtures.peer.ChdbPeer;
import io.coppice.language.parse.Parser;
import io.coppice.language.statement.CreateDatabase;
import io.coppice.language.statement.TableName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A data directory passes between 26.7 and us, and each finds what the other left. */
@Tag("peer")
class EnginePeerTest {
  @TempDir Path directory;

  @Test
  void eachOpensWhatTheOtherLeft() throws IOException {
    String shown;
    try (ChdbPeer peer = ChdbPeer.start(directory)) {
      peer.run("CREATE TABLE t (a Int64, b Int64 DEFAULT a * 2) ENGINE = MergeTree ORDER BY a");
      peer.run("INSERT INTO t (a) VALUES (3), (1)");
      peer.run("CREATE DATABASE d");
      peer.run("CREATE TABLE d.`we ird/t` (a Int64) ENGINE = MergeTree ORDER BY a");
      peer.run("INSERT INTO d.`we ird/t` SELECT number FROM numbers(10)");
      peer.run("CREATE TABLE d.gone (a Int64) ENGINE = MergeTree ORDER BY a");
      peer.run("DROP TABLE d.gone");
      peer.run("CREATE TABLE d.apart (a Int64) ENGINE = MergeTree ORDER BY a");
      peer.run("DETACH TABLE d.apart PERMANENTLY");
      peer.run("CREATE TABLE d.memory (a Int64) ENGINE = Memory");
      peer.run("CREATE VIEW d.view AS SELECT 1");
      shown = new String(peer.query("SHOW CREATE TABLE t", "TSVRaw"), "UTF-8").strip();
    }
    try (Engine engine = Engine.open(directory)) {
      assertThat(engine.databases()).containsExactly("d", "default");
      assertThat(engine.tables())
          .extracting(table -> table.name().text())
          .containsExactly("d.`we ird/t`", "default.t");
      assertThat(engine.unserved()).extracting(u -> u.name()).containsExactly("d.memory", "d.view");
      assertThat(engine.table("t").create().text()).isEqualTo(shown);
      assertThat(EngineTest.read(engine.table("t"), engine.allocator(), "b"))
          .containsExactly(2L, 6L);
      assertThat(engine.table("d.`we ird/t`").rowCount()).isEqualTo(10);
      EngineTest.insert(engine.table("t"), engine.allocator(), 8, 7);
      engine.createTable(
          "CREATE TABLE ours (a Int64) ENGINE = MergeTree ORDER BY a DESC"
              + " SETTINGS allow_experimental_reverse_key = 1");
      EngineTest.insert(engine.table("ours"), engine.allocator(), 1, 2);
      engine.renameTable(TableName.of("d", "we ird/t"), TableName.of("moved"));
      engine.attachTable(TableName.of("d", "apart"), false);
      EngineTest.insert(engine.table("d.apart"), engine.allocator(), 5);
      engine.createDatabase((CreateDatabase) Parser.statement("CREATE DATABASE e"));
      engine.createTable(
          "CREATE TABLE e.`x.y` (a Int64, n Nested(p Int64)) ENGINE = MergeTree"
              + " PARTITION BY a % 2 ORDER BY tuple() COMMENT 'it''s'");
      EngineTest.insert(engine.table("e.`x.y`"), engine.allocator(), 1, 2, 3);
    }
    try (ChdbPeer peer = ChdbPeer.start(directory)) {
      assertThat(peer.text("SELECT a, b FROM t ORDER BY a")).isEqualTo("1\t2\n3\t6\n7\t14\n8\t16");
      assertThat(peer.text("SELECT a FROM ours")).isEqualTo("2\n1");
      assertThat(peer.text("SELECT sum(a) FROM moved")).isEqualTo("45");
      assertThat(peer.text("SELECT a FROM d.apart")).isEqualTo("5");
      assertThat(peer.text("SELECT a, n.p FROM e.`x.y` ORDER BY a"))
          .isEqualTo("1\t[]\n2\t[]\n3\t[]");
      assertThat(peer.text("CHECK TABLE t").lines())
          .allSatisfy(part -> assertThat(part.strip()).endsWith("	1"));
      assertThat(peer.text("SELECT count() FROM d.view")).isEqualTo("1");
      for (String table : List.of("t", "ours", "moved", "e.`x.y`")) {
        String theirs =
            new String(peer.query("SHOW CREATE TABLE " + table, "TSVRaw"), "UTF-8").strip();
        assertThat(theirs).as(table).startsWith("CREATE TABLE ");
      }
      peer.run("INSERT INTO ours VALUES (3)");
      peer.run("RENAME TABLE ours TO theirs");
    }
    try (Engine engine = Engine.open(directory)) {
      assertThat(EngineTest.read(engine.table("theirs"), engine.allocator(), "a"))
          .containsExactly(2L, 1L, 3L);
    }
  }
}
