package io.coppice.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.engine.Engine;
import io.coppice.query.system.SystemTables;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the database system tells. */
class SystemTablesTest {
  @TempDir Path directory;
  private Engine engine;
  private Session session;

  @BeforeEach
  void open() {
    engine = Engine.open(directory);
    session = new Session(engine);
  }

  @AfterEach
  void close() {
    assertThat(engine.allocator().getAllocatedMemory()).isZero();
    engine.close();
  }

  private String text(String sql) throws IOException {
    return Texts.tsv(session, engine.allocator(), sql);
  }

  @Test
  void everyTableCanBeRead() throws IOException {
    session.execute("CREATE TABLE t (a Int8) ENGINE = MergeTree ORDER BY a").close();
    session.execute("INSERT INTO t VALUES (1)").close();
    for (SystemTables.SystemTable table : SystemTables.all()) {
      assertThat(text("SELECT count() > 0 FROM system." + table.name()))
          .as(table.name())
          .isEqualTo(table.name().matches("errors|detached_parts|data_skipping_indices") ? "0" : "1");
      text("SELECT * FROM system." + table.name());
    }
  }

  @Test
  void whatHappenedIsCounted() throws IOException {
    session.execute("CREATE TABLE t (a Int8) ENGINE = MergeTree ORDER BY a").close();
    session.execute("INSERT INTO t VALUES (1), (2)").close();
    assertThatThrownBy(() -> text("SELECT * FROM nothing")).isInstanceOf(EngineException.class);
    assertThatThrownBy(() -> text("SELECT * FROM nothing")).isInstanceOf(EngineException.class);
    assertThat(text("SELECT name, code, value FROM system.errors"))
        .isEqualTo("UNKNOWN_TABLE\t60\t2");
    assertThat(
            text(
                "SELECT event, value FROM system.events WHERE event IN ('InsertedRows',"
                    + " 'InsertQuery', 'FailedQuery') ORDER BY event"))
        .isEqualTo("FailedQuery\t2\nInsertQuery\t1\nInsertedRows\t2");
    assertThat(text("SELECT value FROM system.metrics WHERE metric = 'PartsActive'"))
        .isEqualTo("1");
  }

  @Test
  void thePartLogKnowsWhatBecameOfParts() throws IOException {
    session.execute("CREATE TABLE t (a Int8) ENGINE = MergeTree ORDER BY a").close();
    session.execute("INSERT INTO t VALUES (1), (2)").close();
    session.execute("TRUNCATE TABLE t").close();
    assertThat(text("SELECT event_type, table, part_name, rows FROM system.part_log"))
        .isEqualTo("NewPart\tt\tall_1_1_0\t2\nRemovePart\tt\tall_1_1_0\t2");
  }

  @Test
  void namesAreLookedUpAsElsewhere() throws IOException {
    session.execute("USE system").close();
    assertThat(text("SELECT name, database FROM databases WHERE name = 'system'"))
        .isEqualTo("system\tsystem");
    assertThat(text("SELECT one.dummy FROM one")).isEqualTo("0");
    assertThat(text("SHOW TABLES LIKE 'part%'")).isEqualTo("part_log\nparts\nparts_columns");
    assertThat(text("DESCRIBE TABLE system.build_options"))
        .isEqualTo("name\tString\t\t\t\t\t\nvalue\tString\t\t\t\t\t");
    assertThatThrownBy(() -> text("SELECT * FROM system.nothing"))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("system.nothing does not exist; there are build_options");
  }

  @Test
  void settingsSayWhatTheSessionSet() throws IOException {
    session.execute("SET session_timezone = 'Europe/Berlin'").close();
    assertThat(
            text("SELECT value, changed FROM system.settings WHERE name = 'session_timezone'"))
        .isEqualTo("Europe/Berlin\t1");
  }
}
