package io.coppice.query.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.error.EngineException;
import io.coppice.engine.Durability;
import io.coppice.engine.Engine;
import io.coppice.engine.EngineConfig;
import io.coppice.fixtures.RandomSchemas;
import io.coppice.fixtures.peer.ChdbPeer;
import io.coppice.language.text.ByteText;
import io.coppice.parts.text.BatchWriter;
import io.coppice.parts.text.DataFormat;
import io.coppice.query.QueryResult;
import io.coppice.query.Session;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same random scripts in 26.7 and here: equal answers to every statement, equal codes of
 * errors; then each opens the directory that the other left and is asked again.
 */
@Tag("peer")
class ScriptPeerTest {
  private static final long SEED = Long.getLong("coppice.seed", 20261201L);
  private static final int SCRIPTS = Integer.getInteger("coppice.scripts", 300);
  private static final int FIRST = Integer.getInteger("coppice.first", 0);
  private static final int MOST_SHOWN = 40;

  private static final List<String> SETTINGS =
      List.of(RandomSchemas.sessionSettings(), "SET alter_sync = 2, mutations_sync = 2");

  @TempDir Path directory;

  private final List<String> problems = new ArrayList<>();
  private final Map<String, Integer> kinds = new TreeMap<>();
  private BufferAllocator allocator;
  private int statements;
  private int errors;

  @Test
  void scriptsHaveTheSameResults() throws IOException {
    System.out.println("seed: -Dcoppice.seed=" + SEED + ", scripts: " + SCRIPTS);
    Path theirs = directory.resolve("theirs");
    Path ours = directory.resolve("ours");
    Map<Integer, List<RandomScript.Step>> sound = new LinkedHashMap<>();
    Map<Integer, List<String>> answers = new LinkedHashMap<>();
    try (ChdbPeer peer = ChdbPeer.start(theirs);
        Engine engine = open(ours)) {
      Session session = new Session(engine);
      allocator = engine.allocator();
      begin(peer, session);
      for (int i = FIRST; i < FIRST + SCRIPTS; i++) {
        int number = i;
        List<RandomScript.Step> run = new ArrayList<>();
        try {
          RandomScript.run(
              SEED, i, engine.allocator(), step -> run(number, run, step, peer, session));
        } catch (RandomScript.Unlike e) {
          continue;
        }
        List<RandomScript.Step> last = RandomScript.last(run);
        sound.put(i, last);
        answers.put(i, last.stream().map(step -> shape(step, ask(peer, step.sql()))).toList());
      }
      assertThat(engine.allocator().getAllocatedMemory()).isZero();
    }
    problems.stream().limit(MOST_SHOWN).forEach(System.out::println);
    int before = problems.size();
    askTheOther(theirs, ours, sound, answers);
    System.out.printf(
        "26.7: seed %d, %d scripts, %d statements, %d of them errors; %d scripts equal; kinds %s%n",
        SEED, SCRIPTS, statements, errors, sound.size(), kinds);
    problems.stream().skip(before).limit(MOST_SHOWN).forEach(System.out::println);
    assertThat(problems.size()).as("problems, printed above").isZero();
    assertThat(sound).hasSize(SCRIPTS);
  }

  private static void begin(ChdbPeer peer, Session session) throws IOException {
    for (String setting : SETTINGS) {
      peer.run(setting);
      session.execute(setting).close();
    }
    // Aggregates that 26.7 compiles take a DateTime64 before 1970 for one behind all others.
    // A default made of a column that an earlier step of its PREWHERE asked for is made of zero.
    peer.run("SET compile_aggregate_expressions = 0, enable_multiple_prewhere_read_steps = 0");
  }

  private static Engine open(Path path) {
    return Engine.open(EngineConfig.at(path).withDurability(Durability.FAST));
  }

  private boolean run(
      int number,
      List<RandomScript.Step> before,
      RandomScript.Step step,
      ChdbPeer peer,
      Session session)
      throws RandomScript.Unlike {
    before.add(step);
    String theirs = shape(step, ask(peer, step.sql()));
    String ours = shape(step, ask(session, step.sql()));
    boolean failed = theirs.startsWith("error ");
    statements++;
    errors += failed ? 1 : 0;
    kinds.merge(kind(step.sql()), 1, Integer::sum);
    if (!code(ours).equals(code(theirs))) {
      problems.add(
          "script %d, statement %d:%n%s%n  theirs: %s%n  ours:   %s"
              .formatted(
                  number,
                  before.size() - 1,
                  before.stream()
                      .filter(s -> !s.sql().startsWith("SELECT") || s == step)
                      .map(s -> "    " + few(s.sql(), 300) + ";")
                      .collect(Collectors.joining("\n")),
                  few(without(theirs, ours), 600),
                  few(without(ours, theirs), 600)));
      throw new RandomScript.Unlike();
    }
    return !failed;
  }

  private static String kind(String sql) {
    return sql.replaceAll(
        "(?s)^(ALTER) TABLE \\S+( \\w+ \\w+).*|^(SELECT).*|^(\\w+ \\w+).*", "$1$2$3$4");
  }

  private void askTheOther(
      Path theirs,
      Path ours,
      Map<Integer, List<RandomScript.Step>> sound,
      Map<Integer, List<String>> answers)
      throws IOException {
    try (ChdbPeer peer = ChdbPeer.start(ours);
        Engine engine = open(theirs)) {
      Session session = new Session(engine);
      allocator = engine.allocator();
      begin(peer, session);
      sound.forEach(
          (number, steps) -> {
            for (int i = 0; i < steps.size(); i++) {
              String sql = steps.get(i).sql();
              String said = answers.get(number).get(i);
              again(number, sql, said, "26.7 of ours", shape(steps.get(i), ask(peer, sql)));
              again(number, sql, said, "we of theirs", shape(steps.get(i), ask(session, sql)));
            }
          });
    }
  }

  private void again(int number, String sql, String said, String who, String now) {
    if (!code(now).equals(code(said))) {
      problems.add(
          "script %d, %s:%n    %s%n  before: %s%n  now:    %s"
              .formatted(number, who, sql, few(said, 600), few(now, 600)));
    }
  }

  private static String ask(ChdbPeer peer, String sql) {
    ChdbPeer.Answer answer = peer.ask(sql, "TSV");
    return answer.ok()
        ? ByteText.of(answer.bytes())
        : "error " + answer.code() + "\n" + answer.error();
  }

  private String ask(Session session, String sql) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (QueryResult result = session.execute(sql)) {
      if (result.columns().isEmpty()) {
        return "";
      }
      try (BatchWriter writer =
          BatchWriter.open(DataFormat.TSV, out, result.schema(), ZoneOffset.UTC, allocator)) {
        while (result.next()) {
          writer.write(result.batch());
        }
      }
      return ByteText.of(out.toByteArray());
    } catch (EngineException e) {
      return "error " + e.code().number() + "\n" + e.getMessage();
    } catch (IOException | RuntimeException e) {
      return "failure " + e + " at " + Stream.of(e.getStackTrace()).limit(6).toList();
    }
  }

  /** Rows without an order in a defined one. */
  private static String shape(RandomScript.Step step, String answer) {
    if (step.ordered() || answer.startsWith("error ")) {
      return answer;
    }
    return answer.lines().sorted().collect(Collectors.joining("\n"));
  }

  /** The lines that the other answer does not have; the whole where there are none. */
  private static String without(String answer, String other) {
    List<String> lines = new ArrayList<>(answer.lines().toList());
    int all = lines.size();
    other.lines().forEach(lines::remove);
    return lines.isEmpty() ? "nothing more of " + all + " lines" : String.join("\n", lines);
  }

  private static String code(String answer) {
    return answer.startsWith("error ") ? answer.lines().findFirst().get() : answer.strip();
  }

  private static String few(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most) + "…";
  }
}
