package io.coppice.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.engine.Engine;
import io.coppice.query.system.SystemTables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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
          .isEqualTo(
              table
                      .name()
                      .matches("asynchronous_inserts|errors|detached_parts|data_skipping_indices")
                  ? "0"
                  : "1");
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
        .hasMessageContaining(
            "system.nothing does not exist; there are asynchronous_inserts, build_options");
  }

  @Test
  void namedElementsHaveLinesOfTheirOwn() throws IOException {
    session
        .execute(
            "CREATE TABLE t (b Array(Tuple(a Tuple(b Int8, c Array(Tuple(z Int8))), d Map(String,"
                + " Tuple(x Int8, `y y` String)))), c Tuple(Int8, Tuple(q Int8)) CODEC(NONE))"
                + " ENGINE = MergeTree ORDER BY tuple()")
        .close();
    assertThat(text("DESCRIBE TABLE t"))
        .isEqualTo(
            "b\tArray(Tuple(\\n    a Tuple(\\n        b Int8,\\n        c Array(Tuple(\\n"
                + "            z Int8))),\\n    d Map(String, Tuple(\\n        x Int8,\\n"
                + "        `y y` String))))\t\t\t\t\t\n"
                + "c\tTuple(Int8, Tuple(\\n    q Int8))\t\t\t\tNONE\t");
  }

  @Test
  void settingsSayWhatTheSessionSet() throws IOException {
    session.execute("SET session_timezone = 'Europe/Berlin'").close();
    assertThat(text("SELECT value, changed FROM system.settings WHERE name = 'session_timezone'"))
        .isEqualTo("Europe/Berlin\t1");
    assertThat(text("SELECT changed FROM system.settings WHERE name = 'join_use_nulls'"))
        .as("what has its default only is listed, too")
        .isEqualTo("0");
  }

  @Test
  void showAsksTheSystemTables() throws IOException {
    session
        .execute(
            "CREATE TABLE t (a Int8 COMMENT 'c', b Nullable(String) DEFAULT 'x') ENGINE ="
                + " MergeTree ORDER BY a")
        .close();
    assertThat(text("SHOW COLUMNS FROM t"))
        .isEqualTo("a\tInt8\tNO\tPRI SOR\t\\N\t\nb\tNullable(String)\tYES\t\t\\'x\\'\t");
    assertThat(text("SHOW FULL COLUMNS FROM t LIKE 'a'"))
        .isEqualTo("a\tInt8\tNO\tPRI SOR\t\\N\t\\N\t\tc\t");
    assertThat(text("SHOW CREATE DATABASE default"))
        .isEqualTo("CREATE DATABASE default\\nENGINE = Atomic");
    assertThat(text("SHOW SETTINGS LIKE 'max_block_size'")).startsWith("max_block_size\t");
    assertThat(text("SHOW CHANGED SETTINGS")).isEmpty();
    session.execute("SET max_block_size = 7").close();
    assertThat(text("SHOW CHANGED SETTINGS")).isEqualTo("max_block_size\tNonZeroUInt64\t7");
    assertThat(text("SHOW FUNCTIONS LIKE 'toDate'")).startsWith("toDate\t0\t");
    assertThat(text("SHOW ENGINES")).startsWith("AggregatingMergeTree\t");
  }

  @Test
  void systemCommandsAreCarriedOutOrRefused() throws IOException {
    session.execute("CREATE TABLE t (a Int8) ENGINE = MergeTree ORDER BY a").close();
    for (String command :
        List.of("STOP MERGES", "START MERGES t", "FLUSH LOGS", "DROP MARK CACHE")) {
      session.execute("SYSTEM " + command).close();
    }
    assertThatThrownBy(() -> text("SYSTEM STOP MERGES nothing"))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("nothing does not exist");
    assertThatThrownBy(() -> text("SYSTEM SHUTDOWN"))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("SYSTEM SHUTDOWN is not served");
  }
}
