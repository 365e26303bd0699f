package io.coppice.engine;

import io.coppice.language.parse.Parser;
import io.coppice.language.statement.CreateDatabase;
import io.coppice.language.statement.TableName;
import java.io.IOException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The power is cut at every operation of a story of statements. After it the directory opens, what
 * was acknowledged is there, and the statement that was cut is there whole or not at all.
 */
class CrashTest {
  private static final int SHORT_SWEEPS = 2;

  /** Each cut is logged by what it cut; a thousand of them say nothing to a reader. */
  private static final Logger LOG = Logger.getLogger("io.coppice.engine");

  @BeforeAll
  static void beQuiet() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void speakAgain() {
    LOG.setLevel(null);
  }

  private static TableName named(String table) {
    return TableName.of("default", table);
  }

  private static String create(String table) {
    return "CREATE TABLE " + table + " (a Int64, b Int64 DEFAULT a) ENGINE = MergeTree ORDER BY a";
  }

  @Test
  void databasesAndTables() throws IOException {
    new CrashStory("databases and tables")
        .create(create("t"))
        .insert("t", 1)
        .create(create("u"))
        .insert("u", 2)
        .insert("t", 3)
        .then(engine -> engine.exchangeTables(named("t"), named("u")))
        .then(engine -> engine.renameTable(named("u"), named("w")))
        .database("CREATE DATABASE d")
        .then(engine -> engine.renameTable(named("w"), TableName.of("d", "w")))
        .then(engine -> engine.renameDatabase("d", "e"))
        .then(CrashTest::detachAndAttach)
        .insert("e.w", 4)
        .create("CREATE OR REPLACE TABLE t (a Int64, c Int64) ENGINE = MergeTree ORDER BY a")
        .insert("t", 9)
        .then(engine -> engine.truncateTable(named("t"), false))
        .insert("t", 10)
        .then(engine -> engine.dropTable(named("t"), false))
        .then(engine -> engine.dropDatabase("e", false))
        .cutEverywhere(SHORT_SWEEPS);
  }

  /** Between the two the next start brings the database back, as it does in ClickHouse. */
  private static void detachAndAttach(Engine engine) {
    engine.detachDatabase("e", false);
    engine.createDatabase((CreateDatabase) Parser.statement("ATTACH DATABASE e"));
  }

  @Test
  void tablesDetachedAndAttached() throws IOException {
    String attach = "ATTACH DATABASE e UUID '00000000-0000-0000-0000-00000000000e' ENGINE = Atomic";
    new CrashStory("detached and attached")
        .database(attach)
        .create(create("e.t"))
        .insert("e.t", 1)
        .then(engine -> engine.detachTable(TableName.of("e", "t"), false, true))
        .then(CrashTest::detachAndAttach)
        .then(engine -> engine.attachTable(TableName.of("e", "t"), false))
        .insert("e.t", 2)
        .create(
            create("e.u")
                .replace(
                    "CREATE TABLE e.u",
                    "ATTACH TABLE e.u UUID '" + "0".repeat(8) + "-0000-0000-0000-00000000000a'"))
        .insert("e.u", 3)
        .then(engine -> engine.dropDatabase("e", false))
        .cutEverywhere(SHORT_SWEEPS);
  }

  @Test
  void alter() throws IOException {
    for (String settings : new String[] {"", " SETTINGS min_bytes_for_wide_part = 0"}) {
      new CrashStory("alter" + settings)
          .create(create("t") + settings)
          .insert("t", 1, 2)
          .insert("t", 3)
          .alter("ALTER TABLE t ADD COLUMN c Int64 DEFAULT b + 1, COMMENT COLUMN a 'x'")
          .alter("ALTER TABLE t DROP COLUMN c")
          .alter("ALTER TABLE t RENAME COLUMN b TO c")
          .insert("t", 4)
          .alter("ALTER TABLE t ADD COLUMN b Int64 DEFAULT 7")
          .alter("ALTER TABLE t MODIFY COLUMN c Int32, CLEAR COLUMN b")
          .alter("ALTER TABLE t DROP COLUMN c, ADD COLUMN c Int64 DEFAULT 8")
          .cutEverywhere(SHORT_SWEEPS);
    }
  }

  private static String parted(String table) {
    return "CREATE TABLE "
        + table
        + " (a Int64, p Int64) ENGINE = MergeTree PARTITION BY p ORDER BY a";
  }

  @Test
  void partitions() throws IOException {
    new CrashStory("partitions")
        .create(parted("t"))
        .create(parted("u"))
        .insertParted("t", 1, 10, 11)
        .insertParted("t", 1, 12)
        .insertParted("t", 2, 20)
        .insertParted("u", 1, 13)
        .alter("ALTER TABLE t DETACH PARTITION 1")
        .alter("ALTER TABLE t ATTACH PARTITION 1")
        .alter("ALTER TABLE t MOVE PARTITION 1 TO TABLE u")
        .alter("ALTER TABLE t REPLACE PARTITION 1 FROM u")
        .alter("ALTER TABLE u ATTACH PARTITION 2 FROM t")
        .alter("ALTER TABLE u REPLACE PARTITION 2 FROM t")
        .alter("ALTER TABLE t FREEZE WITH NAME 'b'")
        .alter("ALTER TABLE u FREEZE PARTITION 1")
        .alter("ALTER TABLE u DROP PARTITION 1")
        .alter("ALTER TABLE t DETACH PARTITION ALL")
        .alter("ALTER TABLE t ATTACH PARTITION ALL")
        .alter("ALTER TABLE t UNFREEZE PARTITION 1 WITH NAME 'b'")
        .alter("ALTER TABLE t UNFREEZE WITH NAME 'b'")
        .then(engine -> engine.truncateTable(named("t"), false))
        .cutEverywhere(SHORT_SWEEPS);
  }

  @Test
  void duplicates() throws IOException {
    new CrashStory("duplicates")
        .create(create("t") + " SETTINGS non_replicated_deduplication_window = 2")
        .insert("t", 1)
        .insert("t", 1)
        .insert("t", 2)
        .insert("t", 2)
        .insert("t", 3)
        .insert("t", 1)
        .then(engine -> engine.truncateTable(named("t"), false))
        .insert("t", 1)
        .insert("t", 1)
        .repeatingTheStepThatWasCut()
        .cutEverywhere(SHORT_SWEEPS);
  }
}
