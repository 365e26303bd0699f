package io.coppice.merge.select;

import io.coppice.base.check.Check;
import io.coppice.parts.name.PartName;
import java.util.List;
import java.util.Optional;

/**
 * Neighbours of one partition, at least one, in the order of their blocks; none overlaps another.
 */
public record PartRange(List<CandidatePart> parts) {
  public PartRange {
    parts = List.copyOf(parts);
    Check.argument(!parts.isEmpty(), "a range without parts");
    for (int i = 1; i < parts.size(); i++) {
      PartName left = parts.get(i - 1).name();
      PartName right = parts.get(i).name();
      Check.argument(
          left.partition().equals(right.partition()) && left.maxBlock() < right.minBlock(),
          "parts %s and %s follow each other in a range",
          left,
          right);
    }
  }

  public String partition() {
    return parts.get(0).name().partition();
  }

  public int count() {
    return parts.size();
  }

  /** Bytes of all parts. */
  public long sizeBytes() {
    return parts.stream().mapToLong(CandidatePart::sizeBytes).sum();
  }

  /** Rows of all parts. */
  public long rowCount() {
    return parts.stream().mapToLong(CandidatePart::rowCount).sum();
  }

  /** Seconds since the youngest part was written. */
  public long minAgeSeconds() {
    return parts.stream().mapToLong(CandidatePart::ageSeconds).min().orElseThrow();
  }

  /** The parts from index {@code from} to before {@code to}. */
  public PartRange between(int from, int to) {
    return new PartRange(parts.subList(from, to));
  }

  /**
   * The name of the part that a merge makes of them: their blocks, a level above the highest, the
   * last mutation that any of them went through.
   */
  public PartName resultName() {
    PartName first = parts.get(0).name();
    PartName last = parts.get(parts.size() - 1).name();
    long level = 0;
    long mutation = 0;
    Optional<PartName.DayRange> days = first.days();
    for (CandidatePart part : parts) {
      level = Math.max(level, part.name().level());
      mutation = Math.max(mutation, part.name().mutation());
      Optional<PartName.DayRange> its = part.name().days();
      days = days.flatMap(d -> its.map(i -> span(d, i)));
    }
    return new PartName(
        first.partition(), first.minBlock(), last.maxBlock(), level + 1, mutation, days);
  }

  private static PartName.DayRange span(PartName.DayRange a, PartName.DayRange b) {
    return new PartName.DayRange(Math.min(a.first(), b.first()), Math.max(a.last(), b.last()));
  }

  @Override
  public String toString() {
    return count() == 1
        ? parts.get(0).name().text()
        : parts.get(0).name() + " to " + parts.get(parts.size() - 1).name();
  }
}
