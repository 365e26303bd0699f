package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.sim.SimDisk;
import io.coppice.base.error.EngineException;
import io.coppice.language.parse.Parser;
import io.coppice.language.statement.CreateDatabase;
import io.coppice.language.statement.TableName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The power is cut at every operation of a story of statements. After it the directory opens, what
 * was acknowledged is there, and the statement that was cut is there whole or not at all.
 */
class CrashTest {
  private static final int SEEDS = 3;

  /** Each cut is logged by what it cut; a thousand of them say nothing to a reader. */
  private static final java.util.logging.Logger LOG =
      java.util.logging.Logger.getLogger("io.coppice.engine");

  /** The rows of each table by its name. */
  private static final class Contents extends TreeMap<String, List<Long>> {
    private static final long serialVersionUID = 1L;

    Contents copy() {
      Contents copy = new Contents();
      copy.putAll(this);
      return copy;
    }
  }

  private interface Step {
    void run(Engine engine, Contents contents) throws IOException;
  }

  private static TableName named(String table) {
    return TableName.of("default", table);
  }

  private static Step create(String table) {
    return (engine, contents) -> {
      engine.createTable(
          "CREATE TABLE " + table + " (a Int64, b Int64 DEFAULT a) ENGINE = MergeTree ORDER BY a");
      contents.put("default." + table, List.of());
    };
  }

  private static Step insert(String table, long value) {
    return (engine, contents) -> {
      EngineTest.insert(engine.table(table), engine.allocator(), value);
      List<Long> rows = new ArrayList<>(contents.get("default." + table));
      rows.add(value);
      contents.put("default." + table, rows);
    };
  }

  private static List<Step> story() {
    return List.of(
        create("t"),
        insert("t", 1),
        create("u"),
        insert("u", 2),
        insert("t", 3),
        (engine, contents) -> {
          engine.exchangeTables(named("t"), named("u"));
          List<Long> t = contents.get("default.t");
          contents.put("default.t", contents.get("default.u"));
          contents.put("default.u", t);
        },
        (engine, contents) -> {
          engine.renameTable(named("u"), named("w"));
          contents.put("default.w", contents.remove("default.u"));
        },
        (engine, contents) -> {
          engine.createDatabase((CreateDatabase) Parser.statement("CREATE DATABASE d"));
          engine.renameTable(named("w"), TableName.of("d", "w"));
          contents.put("d.w", contents.remove("default.w"));
        },
        (engine, contents) -> {
          engine.renameDatabase("d", "e");
          contents.put("e.w", contents.remove("d.w"));
        },
        (engine, contents) -> {
          engine.createTable(
              "CREATE OR REPLACE TABLE t (a Int64, c Int64) ENGINE = MergeTree ORDER BY a");
          contents.put("default.t", List.of());
        },
        insert("t", 9),
        (engine, contents) -> {
          engine.truncateTable(named("t"), false);
          contents.put("default.t", List.of());
        },
        insert("t", 10),
        (engine, contents) -> {
          engine.dropTable(named("t"), false);
          contents.remove("default.t");
        },
        (engine, contents) -> {
          engine.dropDatabase("e", false);
          contents.remove("e.w");
        });
  }

  private static Engine open(Disk disk, AtomicLong uuids) {
    return Engine.open(
        EngineConfig.on(disk)
            .withThreads(1)
            .withUuids(() -> new UUID(uuids.incrementAndGet() << 32, 1)));
  }

  private static Contents read(Engine engine) throws IOException {
    Contents found = new Contents();
    for (Table table : engine.tables()) {
      found.put(table.name().text(), EngineTest.read(table, engine.allocator(), "a"));
    }
    assertThat(engine.unserved()).isEmpty();
    return found;
  }

  /** Runs the story until the end or the cut; true when the cut came. */
  private static boolean run(SimDisk disk, Contents before, Contents after) throws IOException {
    AtomicLong uuids = new AtomicLong();
    Engine engine;
    try {
      engine = open(disk, uuids);
    } catch (EngineException e) {
      return true;
    }
    try {
      for (Step step : story()) {
        step.run(engine, after);
        if (disk.crashed()) {
          return true;
        }
        before.clear();
        before.putAll(after);
      }
      return false;
    } catch (EngineException | IOException e) {
      return true;
    } finally {
      try {
        engine.close();
      } catch (RuntimeException e) {
        // The disk is gone; what is left of the engine's memory is not what is looked at here.
        assertThat(disk.crashed()).isTrue();
      }
    }
  }

  @BeforeAll
  static void beQuiet() {
    LOG.setLevel(java.util.logging.Level.OFF);
  }

  @AfterAll
  static void speakAgain() {
    LOG.setLevel(null);
  }

  @Test
  void nothingAcknowledgedIsLostAtAnyOperation() throws IOException {
    SimDisk rehearsal = new SimDisk(0);
    assertThat(run(rehearsal, new Contents(), new Contents())).isFalse();
    long operations = rehearsal.operations();
    int cuts = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      for (long at = 1; at <= operations; at++) {
        SimDisk disk = new SimDisk(seed * 1_000_003 + at).crashAt(at);
        Contents before = new Contents();
        Contents after = new Contents();
        if (!run(disk, before, after)) {
          continue;
        }
        cuts++;
        try (Engine engine = open(disk.reboot(), new AtomicLong(1_000_000))) {
          Contents found = read(engine);
          // The step that was cut has not said what it would have become: one more step may be in.
          assertThat(found.equals(before) || found.equals(next(before, found)))
              .as(
                  "seed %d, cut at operation %d: found %s, acknowledged %s",
                  seed, at, found, before)
              .isTrue();
        }
      }
    }
    System.out.println(
        "crash sweep of the engine: "
            + operations
            + " operations, "
            + cuts
            + " cuts, "
            + SEEDS
            + " seeds");
    assertThat(cuts).isGreaterThan((int) operations);
  }

  /** What the contents are after the one step that follows, if {@code found} is that. */
  private static Contents next(Contents before, Contents found) throws IOException {
    Contents state = new Contents();
    AtomicLong uuids = new AtomicLong();
    try (Engine engine = open(new SimDisk(0), uuids)) {
      for (Step step : story()) {
        Contents was = state.copy();
        step.run(engine, state);
        if (was.equals(before) && state.equals(found)) {
          return state;
        }
      }
    }
    return before;
  }
}
