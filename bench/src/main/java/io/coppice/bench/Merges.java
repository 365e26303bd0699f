package io.coppice.bench;

import io.coppice.bench.MergeSimulation.Result;
import io.coppice.bench.MergeSimulation.Sample;
import io.coppice.bench.SimulationPicture.Curve;
import io.coppice.language.expression.Literal;
import io.coppice.merge.select.MergeSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * How many parts are there while rows come in, and how often is each byte written? Inserts of
 * several patterns are replayed against the rule that chooses merges, without data and on virtual
 * time.
 *
 * <pre>
 * bench/run Merges --simulate [--seed 20261201] [--minutes 120] [--threads 16] [--megabytes 100] [--picture FILE.svg]
 * </pre>
 *
 * <p>A tree of merges with five children a node, which is what {@code merge_selector_base} = 5 aims
 * at, would write each byte once and once more a level, 1 + log5(n) times for n equal blocks, and
 * have two of four possible parts a level, 2 log5(n). The curves stand beside that, and beside the
 * algorithm Trivial, which merges any ten. {@code --megabytes} are what a thread merges in a
 * second. The same arguments, the same figures and the same picture.
 */
public final class Merges {
  private static final int SAMPLES = 240;
  private static final double BASE = 5;

  private final Options options;
  private final PrintStream out;

  /**
   * What was asked for.
   *
   * @param megabytes per second of one merge
   */
  record Options(long seed, int minutes, int threads, long megabytes, Optional<Path> picture) {
    static Options of(String... arguments) {
      long seed = 20261201;
      int minutes = 120;
      int threads = 16;
      long megabytes = 100;
      Optional<Path> picture = Optional.empty();
      boolean simulate = false;
      for (int i = 0; i < arguments.length; i++) {
        switch (arguments[i]) {
          case "--simulate" -> simulate = true;
          case "--seed" -> seed = Long.decode(arguments[++i]);
          case "--minutes" -> minutes = Integer.parseInt(arguments[++i]);
          case "--threads" -> threads = Integer.parseInt(arguments[++i]);
          case "--megabytes" -> megabytes = Long.parseLong(arguments[++i]);
          case "--picture" -> picture = Optional.of(Path.of(arguments[++i]));
          default -> throw new IllegalArgumentException("unknown option " + arguments[i]);
        }
      }
      if (!simulate) {
        throw new IllegalArgumentException("expected --simulate");
      }
      return new Options(seed, minutes, threads, megabytes, picture);
    }
  }

  Merges(Options options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  /** The program; see the class. */
  public static void main(String[] arguments) throws IOException {
    new Merges(Options.of(arguments), System.out).run();
  }

  void run() throws IOException {
    out.printf(
        "seed %d, %d minutes, %d threads, %d MB/s each%n",
        options.seed, options.minutes, options.threads, options.megabytes);
    out.println(
        "| pattern | rule | inserts | GB | parts, mean | most in a partition | at the end | merges"
            + " | written times | tree of base 5 | threads busy |");
    out.println("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    long until = options.minutes * 60_000L;
    SimulationPicture picture = new SimulationPicture();
    for (InsertPattern pattern : InsertPattern.values()) {
      List<InsertPattern.Insert> inserts = pattern.inserts(options.seed, until);
      Result simple = simulate(inserts, until, "Simple");
      Result trivial = simulate(inserts, until, "Trivial");
      List<Sample> tree = tree(inserts, until);
      row(pattern, "Simple", inserts.size(), simple, tree);
      row(pattern, "Trivial", inserts.size(), trivial, tree);
      picture.add(
          pattern.words(),
          until,
          List.of(
              new Curve("Trivial", "stroke=\"#c9a24b\"", trivial.samples()),
              new Curve("tree of base 5", "stroke=\"#777\" stroke-dasharray=\"5 4\"", tree),
              new Curve("Simple", "stroke=\"#1f6f4a\" stroke-width=\"1.6\"", simple.samples())));
    }
    if (options.picture.isPresent()) {
      Files.writeString(options.picture.get(), picture.svg());
    }
  }

  private Result simulate(List<InsertPattern.Insert> inserts, long until, String algorithm) {
    MergeSettings settings =
        MergeSettings.of(Map.of("merge_selector_algorithm", new Literal.StringLiteral(algorithm)));
    return new MergeSimulation(
            settings, options.threads, options.megabytes * 1_000_000, options.seed)
        .run(inserts, until, SAMPLES);
  }

  /** What a tree of merges would have, had all inserts until then been equal. */
  private static List<Sample> tree(List<InsertPattern.Insert> inserts, long until) {
    List<Sample> samples = new ArrayList<>();
    int[] counts = new int[50];
    int next = 0;
    for (int i = 0; i < SAMPLES; i++) {
      long at = until / SAMPLES * i;
      while (next < inserts.size() && inserts.get(next).atMillis() <= at) {
        counts[inserts.get(next++).partition()]++;
      }
      double parts = 0;
      double times = 0;
      for (int count : counts) {
        double levels = count == 0 ? 0 : Math.log(count) / Math.log(BASE);
        parts += count == 0 ? 0 : Math.max(1, (BASE - 1) / 2 * levels);
        times += count * (1 + levels);
      }
      samples.add(new Sample(at, (int) Math.round(parts), times / next));
    }
    return samples;
  }

  private void row(
      InsertPattern pattern, String rule, int inserts, Result result, List<Sample> tree) {
    out.printf(
        Locale.ROOT,
        "| %s | %s | %d | %.1f | %.1f | %d | %d | %d | %.2f | %.2f | %.1f %% |%n",
        pattern.words(),
        rule,
        inserts,
        result.insertedBytes() / 1e9,
        result.meanParts(),
        result.mostParts(),
        result.active().size(),
        result.merges(),
        result.writtenTimes(),
        tree.get(tree.size() - 1).writtenTimes(),
        100 * result.busyShare());
  }
}
