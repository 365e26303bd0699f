package io.coppice.query.system;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * One row of a system table: the values of some columns; the others have their types' defaults.
 * Confined to one thread.
 */
public final class SystemRow {
  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSS");

  private final Map<String, String> fields = new LinkedHashMap<>();

  /** Sets a column to a text, a number, a UUID or what else prints as ClickHouse reads it. */
  SystemRow set(String column, Object value) {
    fields.put(column, escaped(String.valueOf(value)));
    return this;
  }

  /** Sets a flag. */
  SystemRow set(String column, boolean value) {
    return set(column, value ? 1 : 0);
  }

  /** Sets a column if there is a value; a Nullable one stays NULL otherwise. */
  SystemRow set(String column, Optional<?> value) {
    value.ifPresent(v -> set(column, v));
    return this;
  }

  /** Sets a column if there is a value. */
  SystemRow set(String column, OptionalLong value) {
    value.ifPresent(v -> set(column, v));
    return this;
  }

  /** Sets an array of texts. */
  SystemRow set(String column, Collection<String> texts) {
    return set(
        column,
        texts.stream()
            .map(text -> "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'")
            .collect(Collectors.joining(",", "[", "]")));
  }

  /** Sets an array of numbers. */
  SystemRow numbers(String column, Collection<Long> numbers) {
    return set(
        column, numbers.stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]")));
  }

  /** Sets a DateTime, milliseconds since 1970. */
  SystemRow time(String column, long millis) {
    return set(column, SECONDS.format(utc(millis)));
  }

  /** Sets a DateTime64(6), milliseconds since 1970. */
  SystemRow micros(String column, long millis) {
    return set(column, MICROS.format(utc(millis)));
  }

  private static LocalDateTime utc(long millis) {
    return LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), ZoneOffset.UTC);
  }

  /** The field as TSV has it; {@code \N} where nothing was set. */
  public String field(String column) {
    return fields.getOrDefault(column, "\\N");
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n");
  }
}
