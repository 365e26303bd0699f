package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.sim.SimDisk;
import io.coppice.base.error.EngineException;
import io.coppice.language.parse.Parser;
import io.coppice.language.statement.CreateDatabase;
import io.coppice.language.statement.Statement;
import io.coppice.parts.scan.BatchStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * A story of statements in which the power is cut at every operation of the disk. What there was
 * after each step is written down in a run without cuts; after a cut there must be what there was
 * after the last step that was acknowledged, or what the step that was cut would have made.
 */
final class CrashStory {
  /** One step; it has been carried out when it returns. */
  interface Step {
    void run(Engine engine) throws IOException;
  }

  private final String name;
  private final List<Step> steps = new ArrayList<>();
  private boolean repeating;

  CrashStory(String name) {
    this.name = name;
  }

  CrashStory then(Step step) {
    steps.add(step);
    return this;
  }

  CrashStory create(String sql) {
    return then(engine -> engine.createTable(sql));
  }

  CrashStory database(String sql) {
    Statement statement = Parser.statement(sql);
    return then(engine -> engine.createDatabase((CreateDatabase) statement));
  }

  CrashStory insert(String table, long... values) {
    return then(engine -> EngineTest.insert(engine.table(table), engine.allocator(), values));
  }

  /** Rows with these values in column a, and {@code partition} in column p. */
  CrashStory insertParted(String table, long partition, long... values) {
    return then(
        engine -> {
          try (BigIntVector a = new BigIntVector("a", engine.allocator());
              BigIntVector p = new BigIntVector("p", engine.allocator())) {
            for (int i = 0; i < values.length; i++) {
              a.setSafe(i, values[i]);
              p.setSafe(i, partition);
            }
            a.setValueCount(values.length);
            p.setValueCount(values.length);
            engine.table(table).insert(VectorSchemaRoot.of(a, p));
          }
        });
  }

  CrashStory alter(String sql) {
    return then(engine -> engine.alterTable(sql));
  }

  /**
   * Whoever was not answered does it again, and then it must be as if it had been done once: for
   * steps that say the same twice.
   */
  CrashStory repeatingTheStepThatWasCut() {
    repeating = true;
    return this;
  }

  private static Engine open(Disk disk, AtomicLong uuids) {
    return Engine.open(
        EngineConfig.on(disk)
            .withThreads(1)
            .withUuids(() -> new UUID(uuids.incrementAndGet() << 32, 1)));
  }

  /** All that can be seen: definitions, rows, what is detached. */
  private static String state(Engine engine) throws IOException {
    StringBuilder state = new StringBuilder();
    for (Table table : engine.tables()) {
      state.append(table.create().text()).append('\n');
      List<String> rows = new ArrayList<>();
      try (BatchStream batches = table.scan().open(engine.allocator())) {
        while (batches.next()) {
          for (int row = 0; row < batches.batch().getRowCount(); row++) {
            StringBuilder values = new StringBuilder();
            for (FieldVector vector : batches.batch().getFieldVectors()) {
              values.append(vector.getName()).append('=').append(vector.getObject(row)).append(' ');
            }
            rows.add(values.toString());
          }
        }
      }
      for (Disk.Entry entry : detached(table.directory())) {
        rows.add("detached " + entry.name());
      }
      Collections.sort(rows);
      rows.forEach(row -> state.append(row).append('\n'));
    }
    assertThat(engine.unserved()).isEmpty();
    return state.toString();
  }

  private static List<Disk.Entry> detached(Disk table) throws IOException {
    return table.exists("detached") ? table.list("detached") : List.of();
  }

  /** Runs until the end or the cut; says how many steps were acknowledged. */
  private int run(SimDisk disk, List<String> states) throws IOException {
    int done = 0;
    Engine engine;
    try {
      engine = open(disk, new AtomicLong());
    } catch (EngineException e) {
      return done;
    }
    try {
      for (Step step : steps) {
        step.run(engine);
        if (disk.crashed()) {
          return done;
        }
        done++;
        if (states != null) {
          states.add(state(engine));
        }
      }
      return done;
    } catch (EngineException | IOException e) {
      assertThat(disk.crashed()).as("step %d: %s", done, e).isTrue();
      return done;
    } finally {
      try {
        engine.close();
      } catch (RuntimeException e) {
        // The disk is gone; what is left of the engine's memory is not what is looked at here.
        assertThat(disk.crashed()).isTrue();
      }
    }
  }

  void cutEverywhere(int seeds) throws IOException {
    List<String> states = new ArrayList<>();
    states.add("");
    run(new SimDisk(0), states);
    assertThat(states).hasSize(steps.size() + 1);
    SimDisk rehearsal = new SimDisk(0);
    assertThat(run(rehearsal, null)).isEqualTo(steps.size());
    long operations = rehearsal.operations();
    int cuts = 0;
    for (long seed = 1; seed <= seeds; seed++) {
      for (long at = 1; at <= operations; at++) {
        SimDisk disk = new SimDisk(seed * 1_000_003 + at).crashAt(at);
        int done = run(disk, null);
        if (done == steps.size()) {
          continue;
        }
        cuts++;
        try (Engine engine = open(disk.reboot(), new AtomicLong(1_000_000))) {
          String found = state(engine);
          assertThat(found)
              .as("%s, seed %d, cut at operation %d, in step %d", name, seed, at, done + 1)
              .isIn(states.get(done), states.get(done + 1));
          if (repeating && done > 0) {
            steps.get(done).run(engine);
            assertThat(state(engine))
                .as("%s, seed %d, cut at operation %d, repeated", name, seed, at)
                .isEqualTo(states.get(done + 1));
          }
        }
      }
    }
    System.out.printf(
        "crash sweep %s: %d operations, %d cuts, %d seeds%n", name, operations, cuts, seeds);
    assertThat(cuts).isGreaterThan((int) (operations * seeds * 9 / 10));
  }
}
