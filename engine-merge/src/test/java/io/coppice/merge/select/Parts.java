package io.coppice.merge.select;

import io.coppice.language.expression.Literal;
import io.coppice.parts.name.PartName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;

/** Parts made up for tests. */
final class Parts {
  static final long MIB = 1L << 20;

  private Parts() {}

  static CandidatePart part(String name, long sizeBytes) {
    return new CandidatePart(PartName.parse(name), sizeBytes, sizeBytes / 100, 0);
  }

  /** Parts of partition {@code all}, one block each, of these sizes. */
  static List<CandidatePart> ofSizes(long... sizes) {
    return ofSizesAndAge(0, sizes);
  }

  static List<CandidatePart> ofSizesAndAge(long ageSeconds, long... sizes) {
    List<CandidatePart> parts = new ArrayList<>();
    for (long size : sizes) {
      long block = parts.size() + 1;
      parts.add(new CandidatePart(new PartName("all", block, block, 0), size, 1, ageSeconds));
    }
    return parts;
  }

  static List<CandidatePart> equal(int count, long size) {
    return ofSizes(java.util.stream.LongStream.generate(() -> size).limit(count).toArray());
  }

  /** Parts of some partitions, of any size and age, some merged before. */
  static List<CandidatePart> random(Random random) {
    List<CandidatePart> parts = new ArrayList<>();
    for (int partition = 0; partition < 1 + random.nextInt(4); partition++) {
      long block = 1;
      for (int i = 0; i < random.nextInt(40); i++) {
        long last = block + random.nextInt(3);
        parts.add(
            new CandidatePart(
                new PartName("p" + partition, block, last, random.nextInt(4)),
                (long) Math.pow(10, random.nextDouble() * 10),
                random.nextInt(1_000_000),
                random.nextInt(10_000)));
        block = last + 1 + random.nextInt(2);
      }
    }
    return parts;
  }

  static MergeSettings settings(Object... namesAndValues) {
    Map<String, Literal> given = new TreeMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      Object value = namesAndValues[i + 1];
      given.put(
          (String) namesAndValues[i],
          value instanceof Number number
              ? Literal.IntegerLiteral.of(number.longValue())
              : new Literal.StringLiteral(value.toString()));
    }
    return MergeSettings.of(given);
  }

  static MergeSituation situation(List<CandidatePart> parts) {
    return situation(parts, TablePredicate.idle(), new MergePool(16, 0, 0), 1000);
  }

  static MergeSituation situation(
      List<CandidatePart> parts, MergePredicate predicate, MergePool pool, long nowSeconds) {
    return new MergeSituation(
        parts,
        predicate,
        pool,
        Long.MAX_VALUE,
        Long.MAX_VALUE,
        TtlSchedule.empty(),
        false,
        nowSeconds);
  }

  static MergeChooser chooser(MergeSettings settings) {
    return MergeChooser.of(settings, new Random(1), new ScheduledMergeSelector(List.of()));
  }

  static TablePredicate inUse(String... names) {
    return new TablePredicate(
        java.util.Arrays.stream(names).map(PartName::parse).toList(),
        List.of(),
        OptionalLong.empty(),
        List.of());
  }
}
