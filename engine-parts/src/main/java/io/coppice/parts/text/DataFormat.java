package io.coppice.parts.text;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The forms in which rows come in and go out, by ClickHouse's names. {@link BatchWriter} writes
 * them, {@link BatchReader} reads them.
 */
public enum DataFormat {
  /** A line a row, fields between tabs, control characters escaped by backslash. */
  TSV("TSV", "TabSeparated"),
  /** TSV below a line of column names. */
  TSV_WITH_NAMES("TSVWithNames", "TabSeparatedWithNames"),
  /** TSV below a line of column names and one of types. */
  TSV_WITH_NAMES_AND_TYPES("TSVWithNamesAndTypes", "TabSeparatedWithNamesAndTypes"),
  /** Fields between commas, texts in double quotes; the elements of a tuple are fields. */
  CSV("CSV", "CSV"),
  /** CSV below a line of column names. */
  CSV_WITH_NAMES("CSVWithNames", "CSVWithNames"),
  /** A JSON object a row. */
  JSON_EACH_ROW("JSONEachRow", "JSONLines"),
  /** ClickHouse's own binary columns, block by block. */
  NATIVE("Native", "Native"),
  /** Arrow's IPC stream; each field names its ClickHouse type in its metadata. */
  ARROW_STREAM("ArrowStream", "ArrowStream");

  private final String text;
  private final String alias;

  DataFormat(String text, String alias) {
    this.text = text;
    this.alias = alias;
  }

  /** ClickHouse's name. */
  public String text() {
    return text;
  }

  /** Whether the format is text, for a person to read. */
  public boolean readable() {
    return this != NATIVE && this != ARROW_STREAM;
  }

  boolean separated() {
    return this == CSV || this == CSV_WITH_NAMES || tabs();
  }

  boolean tabs() {
    return this == TSV || this == TSV_WITH_NAMES || this == TSV_WITH_NAMES_AND_TYPES;
  }

  boolean names() {
    return this == TSV_WITH_NAMES || this == TSV_WITH_NAMES_AND_TYPES || this == CSV_WITH_NAMES;
  }

  boolean types() {
    return this == TSV_WITH_NAMES_AND_TYPES;
  }

  /**
   * The format of that name, whatever its case.
   *
   * @throws EngineException UNKNOWN_FORMAT
   */
  public static DataFormat named(String name) {
    String wanted = name.toLowerCase(Locale.ROOT);
    for (DataFormat format : values()) {
      if (format.text.toLowerCase(Locale.ROOT).equals(wanted)
          || format.alias.toLowerCase(Locale.ROOT).equals(wanted)) {
        return format;
      }
    }
    throw EngineException.of(
        ErrorCode.UNKNOWN_FORMAT,
        "unknown format %s; there are %s",
        name,
        Arrays.stream(values()).map(DataFormat::text).collect(Collectors.joining(", ")));
  }

  /**
   * The format that a file of this name most likely has: by its extension, as ClickHouse guesses.
   *
   * @throws EngineException UNKNOWN_FORMAT when the extension tells nothing
   */
  public static DataFormat ofFileName(String name) {
    int dot = name.lastIndexOf('.');
    String extension = dot < 0 ? "" : name.substring(dot + 1).toLowerCase(Locale.ROOT);
    return switch (extension) {
      case "tsv", "tab" -> TSV;
      case "csv" -> CSV;
      case "jsonl", "ndjson", "json" -> JSON_EACH_ROW;
      case "native" -> NATIVE;
      case "arrows", "arrowstream" -> ARROW_STREAM;
      default ->
          throw EngineException.of(
              ErrorCode.UNKNOWN_FORMAT, "the name %s does not tell the format; say which", name);
    };
  }

  @Override
  public String toString() {
    return text;
  }
}
