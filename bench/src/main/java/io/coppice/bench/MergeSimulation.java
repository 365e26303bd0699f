package io.coppice.bench;

import io.coppice.bench.InsertPattern.Insert;
import io.coppice.merge.select.CandidatePart;
import io.coppice.merge.select.MergeChooser;
import io.coppice.merge.select.MergeDecision;
import io.coppice.merge.select.MergePool;
import io.coppice.merge.select.MergeSettings;
import io.coppice.merge.select.MergeSituation;
import io.coppice.merge.select.ScheduledMergeSelector;
import io.coppice.merge.select.TablePredicate;
import io.coppice.merge.select.TtlSchedule;
import io.coppice.parts.name.PartName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * A table without data on a clock without time: inserts come as a pattern has them, merges are
 * chosen as the library chooses them and take as long as their bytes take. Nothing waits: inserts
 * are neither delayed nor refused, so that it shows how many parts there would be. One thread's.
 */
final class MergeSimulation {
  /** How long nothing may happen until merges are chosen again, as parts have become older. */
  private static final long LOOK_AGAIN_MILLIS = 5000;

  private static final long MERGE_START_MILLIS = 20;

  private final MergeChooser chooser;
  private final int threads;
  private final long bytesPerSecond;
  private final NavigableMap<PartName, Simulated> active = new TreeMap<>();
  private final Set<PartName> inUse = new HashSet<>();
  private final PriorityQueue<Running> running =
      new PriorityQueue<>(
          Comparator.comparingLong(Running::endMillis)
              .thenComparing(one -> one.merge.resultName()));
  private final Map<String, Integer> counts = new HashMap<>();
  private final List<Sample> samples = new ArrayList<>();
  private long lastBlock;
  private long insertedBytes;
  private long mergedBytes;
  private long merges;
  private int mostParts;
  private long busyMillis;
  private long nowMillis;

  /** A part that would be there. */
  record Simulated(PartName name, long sizeBytes, long rowCount, long atMillis) {}

  private record Running(MergeDecision.Merge merge, long endMillis) {}

  /**
   * The table at a moment.
   *
   * @param parts active ones
   * @param writtenTimes bytes written by inserts and merges over those inserted
   */
  record Sample(long atMillis, int parts, double writtenTimes) {}

  /**
   * What came of it.
   *
   * @param samples a few hundred, evenly spread
   * @param active parts at the end
   * @param mostParts that a partition ever had
   * @param busyShare of the threads' time that merges took
   */
  record Result(
      List<Sample> samples,
      List<Simulated> active,
      long insertedBytes,
      long mergedBytes,
      long merges,
      int mostParts,
      double busyShare) {
    double writtenTimes() {
      return (double) (insertedBytes + mergedBytes) / insertedBytes;
    }

    double meanParts() {
      return samples.stream().mapToInt(Sample::parts).average().orElse(0);
    }
  }

  /**
   * A table that is empty.
   *
   * @param threads that merge, one merge each
   * @param bytesPerSecond of sources that one merge gets through
   */
  MergeSimulation(MergeSettings settings, int threads, long bytesPerSecond, long seed) {
    this.chooser =
        MergeChooser.of(settings, new Random(seed), new ScheduledMergeSelector(List.of()));
    this.threads = threads;
    this.bytesPerSecond = bytesPerSecond;
  }

  /** Runs the inserts, in the order of time, and goes on until {@code untilMillis}. */
  Result run(List<Insert> inserts, long untilMillis, int sampleCount) {
    int next = 0;
    long nextSample = 0;
    while (nowMillis < untilMillis) {
      long insertAt = next < inserts.size() ? inserts.get(next).atMillis() : Long.MAX_VALUE;
      long mergeEnd = running.isEmpty() ? Long.MAX_VALUE : running.peek().endMillis();
      long event = Math.min(nowMillis + LOOK_AGAIN_MILLIS, Math.min(insertAt, mergeEnd));
      while (nextSample <= event && nextSample < untilMillis) {
        sample(nextSample);
        nextSample += untilMillis / sampleCount;
      }
      nowMillis = event;
      if (mergeEnd == event) {
        finish(running.remove());
      } else if (insertAt == event) {
        insert(inserts.get(next++));
      }
      start();
    }
    return new Result(
        List.copyOf(samples),
        List.copyOf(active.values()),
        insertedBytes,
        mergedBytes,
        merges,
        mostParts,
        (double) busyMillis / ((double) threads * untilMillis));
  }

  private void sample(long atMillis) {
    if (insertedBytes > 0) {
      double times = (double) (insertedBytes + mergedBytes) / insertedBytes;
      samples.add(new Sample(atMillis, active.size(), times));
    }
  }

  private void insert(Insert insert) {
    long block = ++lastBlock;
    String partition = "%03d".formatted(insert.partition());
    add(
        new Simulated(
            new PartName(partition, block, block, 0),
            insert.sizeBytes(),
            insert.rowCount(),
            insert.atMillis()));
    insertedBytes += insert.sizeBytes();
  }

  private void add(Simulated part) {
    active.put(part.name(), part);
    int count = counts.merge(part.name().partition(), 1, Integer::sum);
    mostParts = Math.max(mostParts, count);
  }

  private void finish(Running done) {
    MergeDecision.Merge merge = done.merge();
    for (CandidatePart source : merge.range().parts()) {
      active.remove(source.name());
      inUse.remove(source.name());
      counts.merge(source.name().partition(), -1, Integer::sum);
    }
    long bytes = merge.range().sizeBytes();
    add(new Simulated(merge.resultName(), bytes, merge.range().rowCount(), done.endMillis()));
    mergedBytes += bytes;
    merges++;
  }

  private void start() {
    while (running.size() < threads) {
      List<CandidatePart> parts =
          active.values().stream()
              .map(
                  part ->
                      new CandidatePart(
                          part.name(),
                          part.sizeBytes(),
                          part.rowCount(),
                          (nowMillis - part.atMillis()) / 1000))
              .toList();
      MergeSituation situation =
          new MergeSituation(
              parts,
              new TablePredicate(inUse, List.of(), OptionalLong.empty(), List.of()),
              new MergePool(threads, running.size(), 0),
              Long.MAX_VALUE,
              Long.MAX_VALUE,
              TtlSchedule.empty(),
              true,
              nowMillis / 1000);
      var merge = chooser.next(situation).merge();
      if (merge.isEmpty()) {
        return;
      }
      merge.get().range().parts().forEach(part -> inUse.add(part.name()));
      long millis = MERGE_START_MILLIS + merge.get().range().sizeBytes() * 1000 / bytesPerSecond;
      busyMillis += millis;
      running.add(new Running(merge.get(), nowMillis + millis));
    }
  }
}
