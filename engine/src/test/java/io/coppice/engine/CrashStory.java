package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.sim.SimDisk;
import io.coppice.base.error.EngineException;
import io.coppice.base.hash.FileHash;
import io.coppice.language.parse.Parser;
import io.coppice.language.statement.CreateDatabase;
import io.coppice.language.statement.Statement;
import io.coppice.parts.name.PartName;
import io.coppice.parts.scan.BatchStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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

  /** The first seed; which writes survive a cut depends on it. */
  private static final long FIRST_SEED = Long.getLong("coppice.seed", 1);

  /** With so many seeds every operation is cut; 0 leaves it to the test. */
  private static final int FULL_SWEEPS = Integer.getInteger("coppice.crash.seeds", 0);

  /** Further seeds of a short sweep cut one operation of so many. */
  private static final int STRIDE = 25;

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

  /**
   * The parts that are frozen, each with what is in it. They come and go one by one, each whole;
   * what was being made or deleted is not looked at.
   */
  private static Set<String> frozen(Disk disk) throws IOException {
    Set<String> parts = new TreeSet<>();
    if (disk.exists("shadow")) {
      frozen(disk, "shadow", parts);
    }
    return parts;
  }

  private static void frozen(Disk disk, String directory, Set<String> parts) throws IOException {
    String last = directory.substring(directory.lastIndexOf('/') + 1);
    if (last.startsWith("tmp_")) {
      return;
    }
    if (PartName.tryParse(last).isPresent()) {
      StringBuilder part = new StringBuilder(directory);
      for (Disk.Entry file : disk.list(directory)) {
        byte[] content = disk.readAll(directory + "/" + file.name(), 1 << 20);
        part.append(' ').append(file.name()).append('=').append(FileHash.of(content));
      }
      parts.add(part.toString());
      return;
    }
    for (Disk.Entry entry : disk.list(directory)) {
      if (entry.directory()) {
        frozen(disk, directory + "/" + entry.name(), parts);
      }
    }
  }

  /** Runs until the end or the cut; says how many steps were acknowledged. */
  private int run(SimDisk disk, List<Seen> states) throws IOException {
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
          states.add(new Seen(state(engine), frozen(disk)));
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

  /** What there was after a step. */
  private record Seen(String state, Set<String> frozen) {}

  /**
   * Cuts at every operation with the first seed, and with {@code shortSweeps} further ones at some
   * of them; {@code -Dcoppice.crash.seeds=n} cuts at every operation with n seeds.
   */
  void cutEverywhere(int shortSweeps) throws IOException {
    List<Seen> states = new ArrayList<>();
    states.add(new Seen("", Set.of()));
    run(new SimDisk(0), states);
    assertThat(states).hasSize(steps.size() + 1);
    SimDisk rehearsal = new SimDisk(0);
    assertThat(run(rehearsal, null)).isEqualTo(steps.size());
    long operations = rehearsal.operations();
    int seeds = FULL_SWEEPS > 0 ? FULL_SWEEPS : 1 + shortSweeps;
    System.out.printf(
        "crash sweep %s: seeds %d to %d (-Dcoppice.seed=%d -Dcoppice.crash.seeds=%d)%n",
        name, FIRST_SEED, FIRST_SEED + seeds - 1, FIRST_SEED, seeds);
    int cuts = 0;
    int tried = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + seeds; seed++) {
      boolean everywhere = seed == FIRST_SEED || FULL_SWEEPS > 0;
      long step = everywhere ? 1 : STRIDE;
      for (long at = everywhere ? 1 : 1 + Math.floorMod(seed, step); at <= operations; at += step) {
        tried++;
        SimDisk disk = new SimDisk(seed * 1_000_003 + at).crashAt(at);
        int done = run(disk, null);
        if (done < steps.size()) {
          cuts++;
          reopen(disk.reboot(), done, states, "seed %d, cut at operation %d".formatted(seed, at));
        }
      }
    }
    System.out.printf("crash sweep %s: %d operations, %d cuts%n", name, operations, cuts);
    assertThat(cuts).isGreaterThan(tried * 9 / 10);
  }

  private void reopen(SimDisk disk, int done, List<Seen> states, String cut) throws IOException {
    Seen before = states.get(done);
    Seen after = states.get(done + 1);
    try (Engine engine = open(disk, new AtomicLong(1_000_000))) {
      assertThat(state(engine))
          .as("%s, %s, in step %d", name, cut, done + 1)
          .isIn(before.state(), after.state());
      Set<String> either = new TreeSet<>(before.frozen());
      either.addAll(after.frozen());
      Set<String> both = new TreeSet<>(before.frozen());
      both.retainAll(after.frozen());
      assertThat(frozen(disk))
          .as("%s, %s, frozen in step %d", name, cut, done + 1)
          .containsAll(both)
          .isSubsetOf(either);
      if (repeating && done > 0) {
        steps.get(done).run(engine);
        assertThat(state(engine)).as("%s, %s, repeated", name, cut).isEqualTo(after.state());
      }
    }
  }
}
