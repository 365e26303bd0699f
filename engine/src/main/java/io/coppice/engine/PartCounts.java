package io.coppice.engine;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Literal;
import io.coppice.parts.set.Part;
import io.coppice.parts.set.PartState;
import io.coppice.parts.table.SettingValue;
import io.coppice.parts.table.TableSettings.Profile;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * How many parts a table has, and what that means for an insert: it goes on, after a while, or not
 * at all. The settings are ClickHouse's: {@code parts_to_delay_insert}, {@code
 * parts_to_throw_insert}, {@code inactive_parts_to_delay_insert}, {@code
 * inactive_parts_to_throw_insert}, {@code max_parts_in_total}, {@code
 * max_avg_part_size_for_too_many_parts}, {@code max_delay_to_insert} and {@code
 * min_delay_to_insert_ms}. Immutable.
 */
final class PartCounts {
  private static final String UNMERGED =
      "nothing makes them fewer, as this engine merges no parts by itself: insert more rows at"
          + " once, or let async_insert = 1 gather small inserts";

  private final String table;
  private final Map<String, Literal> settings;
  private final InsertSettings insert;
  private final boolean classic;
  private final List<Part> parts;

  /**
   * @param settings of the table
   * @param parts all of them, those too that wait to be deleted
   */
  PartCounts(
      String table,
      Map<String, Literal> settings,
      Profile profile,
      InsertSettings insert,
      List<Part> parts) {
    this.table = table;
    this.settings = settings;
    this.insert = insert;
    this.classic = profile == Profile.CLASSIC;
    this.parts = parts;
  }

  private long setting(String name, long otherwise) {
    Literal given = settings.get(name);
    return given == null ? otherwise : new SettingValue(name, given).whole();
  }

  private static long chosen(OptionalLong given, long otherwise) {
    return given.isPresent() && given.getAsLong() > 0 ? given.getAsLong() : otherwise;
  }

  /**
   * How long an insert has to wait.
   *
   * @throws EngineException TOO_MANY_PARTS when it is refused
   */
  Duration delay() {
    List<Part> active = parts.stream().filter(part -> part.state() == PartState.ACTIVE).toList();
    long total = setting("max_parts_in_total", 100_000);
    if (total > 0 && active.size() >= total) {
      throw EngineException.of(
          ErrorCode.TOO_MANY_PARTS,
          "table %s has %d active parts in all its partitions (%s), expected fewer than"
              + " max_parts_in_total = %d; %s; is its partition key too fine?",
          table,
          active.size(),
          described(active),
          total,
          UNMERGED);
    }
    long inactive = parts.stream().filter(part -> part.state() == PartState.OUTDATED).count();
    long inactiveToThrow = setting("inactive_parts_to_throw_insert", 0);
    if (inactiveToThrow > 0 && inactive >= inactiveToThrow) {
      throw EngineException.of(
          ErrorCode.TOO_MANY_PARTS,
          "table %s has %d inactive parts, expected fewer than inactive_parts_to_throw_insert = %d;"
              + " they are deleted when they are older than old_parts_lifetime and no query reads"
              + " them",
          table,
          inactive,
          inactiveToThrow);
    }
    List<Part> most = most(active);
    long toThrow =
        chosen(insert.partsToThrow(), setting("parts_to_throw_insert", classic ? 300 : 3000));
    long toDelay =
        chosen(insert.partsToDelay(), setting("parts_to_delay_insert", classic ? 150 : 1000));
    boolean reached =
        most.size()
            >= Math.min(
                toThrow == 0 ? Long.MAX_VALUE : toThrow, toDelay == 0 ? Long.MAX_VALUE : toDelay);
    boolean large = reached && large(most);
    if (toThrow > 0 && most.size() >= toThrow && !large) {
      throw EngineException.of(
          ErrorCode.TOO_MANY_PARTS,
          "table %s has %d active parts in partition %s (%s), expected fewer than"
              + " parts_to_throw_insert = %d; %s",
          table,
          most.size(),
          most.get(0).name().partition(),
          described(most),
          toThrow,
          UNMERGED);
    }
    double factor = 0;
    if (toDelay > 0 && most.size() >= toDelay && !large) {
      factor = factor(most.size(), toDelay, toThrow);
    }
    long inactiveToDelay = setting("inactive_parts_to_delay_insert", 0);
    if (inactiveToDelay > 0 && inactive >= inactiveToDelay) {
      factor = Math.max(factor, factor(inactive, inactiveToDelay, inactiveToThrow));
    }
    if (factor == 0) {
      return Duration.ZERO;
    }
    long mostMillis = setting("max_delay_to_insert", 1) * 1000;
    return Duration.ofMillis(
        Math.max(
            setting("min_delay_to_insert_ms", 10),
            (long) ((mostMillis > 0 ? mostMillis : 1000) * factor)));
  }

  /** How far a count has come from where inserts wait to where they are refused. */
  private static double factor(long count, long toDelay, long toThrow) {
    long over = count - toDelay + 1;
    return toThrow > toDelay ? (double) over / (toThrow - toDelay) : over;
  }

  private boolean large(List<Part> some) {
    long limit = setting("max_avg_part_size_for_too_many_parts", 1L << 30);
    return limit > 0 && meanBytes(some) > limit;
  }

  /** The active parts of the partition that has most. */
  private static List<Part> most(List<Part> active) {
    Map<String, Integer> counts = new HashMap<>();
    active.forEach(part -> counts.merge(part.name().partition(), 1, Integer::sum));
    return counts.entrySet().stream()
        .max(
            Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
        .map(
            entry ->
                active.stream()
                    .filter(part -> part.name().partition().equals(entry.getKey()))
                    .toList())
        .orElse(List.of());
  }

  private static String described(List<Part> some) {
    Part oldest =
        some.stream().min(Comparator.comparingLong(part -> part.name().minBlock())).orElseThrow();
    return "mean size " + meanBytes(some) + " bytes, the oldest is " + oldest.name().text();
  }

  private static long meanBytes(List<Part> some) {
    return (long)
        some.stream()
            .flatMap(part -> part.loaded().stream())
            .mapToLong(part -> part.files().values().stream().mapToLong(Long::longValue).sum())
            .average()
            .orElse(0);
  }
}
