package io.coppice.parts.text;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.text.NearNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The forms in which rows come in and go out, by ClickHouse's names. {@link BatchWriter} writes
 * them, {@link BatchReader} reads them.
 */
public enum DataFormat {
  /** A line a row, fields between tabs, control characters escaped by backslash. */
  TSV(Family.TABS, Head.NONE, Use.BOTH, "TSV", "TabSeparated"),
  /** TSV below a line of column names. */
  TSV_WITH_NAMES(Family.TABS, Head.NAMES, Use.BOTH, "TSVWithNames", "TabSeparatedWithNames"),
  /** TSV below a line of column names and one of types. */
  TSV_WITH_NAMES_AND_TYPES(
      Family.TABS, Head.TYPES, Use.BOTH, "TSVWithNamesAndTypes", "TabSeparatedWithNamesAndTypes"),
  /** TSV in which nothing is escaped. */
  TSV_RAW(Family.RAW, Head.NONE, Use.BOTH, "TSVRaw", "TabSeparatedRaw", "Raw"),
  /** TSVRaw below a line of column names. */
  TSV_RAW_WITH_NAMES(
      Family.RAW,
      Head.NAMES,
      Use.BOTH,
      "TSVRawWithNames",
      "TabSeparatedRawWithNames",
      "RawWithNames"),
  /** TSVRaw below a line of column names and one of types. */
  TSV_RAW_WITH_NAMES_AND_TYPES(
      Family.RAW,
      Head.TYPES,
      Use.BOTH,
      "TSVRawWithNamesAndTypes",
      "TabSeparatedRawWithNamesAndTypes",
      "RawWithNamesAndTypes"),
  /** Fields between commas, texts in double quotes; the elements of a tuple are fields. */
  CSV(Family.COMMAS, Head.NONE, Use.BOTH, "CSV"),
  /** CSV below a line of column names. */
  CSV_WITH_NAMES(Family.COMMAS, Head.NAMES, Use.BOTH, "CSVWithNames"),
  /** CSV below a line of column names and one of types. */
  CSV_WITH_NAMES_AND_TYPES(Family.COMMAS, Head.TYPES, Use.BOTH, "CSVWithNamesAndTypes"),
  /** A line a row of fields as in TSV, each behind its name. */
  TSKV(Family.OTHER, Head.NONE, Use.OUT, "TSKV"),
  /** A JSON object a row. */
  JSON_EACH_ROW(
      Family.JSON_ROWS, Head.NONE, Use.BOTH, "JSONEachRow", "JSONLines", "JSONL", "NDJSON"),
  /** A JSON object a row, over many lines. */
  PRETTY_JSON_EACH_ROW(
      Family.JSON_ROWS, Head.NONE, Use.OUT, "PrettyJSONEachRow", "PrettyJSONLines", "PrettyNDJSON"),
  /** A JSON object a row, whose values are texts. */
  JSON_STRINGS_EACH_ROW(Family.JSON_ROWS, Head.NONE, Use.OUT, "JSONStringsEachRow"),
  /** A JSON array a row. */
  JSON_COMPACT_EACH_ROW(Family.JSON_ROWS, Head.NONE, Use.BOTH, "JSONCompactEachRow"),
  /** A JSON array a row, below one of names. */
  JSON_COMPACT_EACH_ROW_WITH_NAMES(
      Family.JSON_ROWS, Head.NAMES, Use.BOTH, "JSONCompactEachRowWithNames"),
  /** A JSON array a row, below one of names and one of types. */
  JSON_COMPACT_EACH_ROW_WITH_NAMES_AND_TYPES(
      Family.JSON_ROWS, Head.TYPES, Use.BOTH, "JSONCompactEachRowWithNamesAndTypes"),
  /** A JSON array a row, whose values are texts. */
  JSON_COMPACT_STRINGS_EACH_ROW(Family.JSON_ROWS, Head.NONE, Use.OUT, "JSONCompactStringsEachRow"),
  /** One JSON object with columns, rows as objects, and statistics. */
  JSON(Family.JSON_WHOLE, Head.NONE, Use.BOTH, "JSON"),
  /** As JSON, with rows as arrays. */
  JSON_COMPACT(Family.JSON_WHOLE, Head.NONE, Use.BOTH, "JSONCompact"),
  /** As JSON, with values as texts. */
  JSON_STRINGS(Family.JSON_WHOLE, Head.NONE, Use.OUT, "JSONStrings"),
  /** As JSONCompact, with values as texts. */
  JSON_COMPACT_STRINGS(Family.JSON_WHOLE, Head.NONE, Use.OUT, "JSONCompactStrings"),
  /** Rows in round brackets, as an INSERT has them. */
  VALUES(Family.OTHER, Head.NONE, Use.BOTH, "Values"),
  /** INSERT statements. */
  SQL_INSERT(Family.OTHER, Head.NONE, Use.OUT, "SQLInsert"),
  /** A table of Markdown. */
  MARKDOWN(Family.OTHER, Head.NONE, Use.OUT, "Markdown", "MD"),
  /** A line a value. */
  VERTICAL(Family.OTHER, Head.NONE, Use.OUT, "Vertical"),
  /** A table drawn with lines. */
  PRETTY(Family.PRETTY, Head.NONE, Use.OUT, "Pretty", "PrettyNoEscapes"),
  /** Pretty, all rows in one table. */
  PRETTY_MONO_BLOCK(
      Family.PRETTY, Head.NONE, Use.OUT, "PrettyMonoBlock", "PrettyNoEscapesMonoBlock"),
  /** A table drawn with few lines. */
  PRETTY_COMPACT(Family.PRETTY, Head.NONE, Use.OUT, "PrettyCompact", "PrettyCompactNoEscapes"),
  /** PrettyCompact, all rows in one table. */
  PRETTY_COMPACT_MONO_BLOCK(
      Family.PRETTY,
      Head.NONE,
      Use.OUT,
      "PrettyCompactMonoBlock",
      "PrettyCompactNoEscapesMonoBlock"),
  /** A table without lines. */
  PRETTY_SPACE(Family.PRETTY, Head.NONE, Use.OUT, "PrettySpace", "PrettySpaceNoEscapes"),
  /** PrettySpace, all rows in one table. */
  PRETTY_SPACE_MONO_BLOCK(
      Family.PRETTY, Head.NONE, Use.OUT, "PrettySpaceMonoBlock", "PrettySpaceNoEscapesMonoBlock"),
  /** Nothing at all. */
  NULL(Family.OTHER, Head.NONE, Use.OUT, "Null"),
  /** ClickHouse's own binary columns, block by block. */
  NATIVE(Family.BINARY, Head.TYPES, Use.BOTH, "Native"),
  /** Values one behind the other in binary form. */
  ROW_BINARY(Family.BINARY, Head.NONE, Use.BOTH, "RowBinary"),
  /** RowBinary behind the names of the columns. */
  ROW_BINARY_WITH_NAMES(Family.BINARY, Head.NAMES, Use.BOTH, "RowBinaryWithNames"),
  /** RowBinary behind the names and types of the columns. */
  ROW_BINARY_WITH_NAMES_AND_TYPES(
      Family.BINARY, Head.TYPES, Use.BOTH, "RowBinaryWithNamesAndTypes"),
  /** Arrow's IPC file; each field names its ClickHouse type in its metadata. */
  ARROW(Family.BINARY, Head.TYPES, Use.BOTH, "Arrow"),
  /** Arrow's IPC stream; each field names its ClickHouse type in its metadata. */
  ARROW_STREAM(Family.BINARY, Head.TYPES, Use.BOTH, "ArrowStream"),
  /** Parquet files; served by the module {@code engine-parquet}. */
  PARQUET(Family.BINARY, Head.TYPES, Use.BOTH, "Parquet");

  /** Formats that are handled alike. */
  enum Family {
    TABS,
    RAW,
    COMMAS,
    JSON_ROWS,
    JSON_WHOLE,
    PRETTY,
    BINARY,
    OTHER
  }

  /** What stands before the rows. */
  enum Head {
    NONE,
    NAMES,
    TYPES
  }

  private enum Use {
    BOTH,
    OUT
  }

  private final Family family;
  private final Head head;
  private final Use use;
  private final String text;
  private final List<String> aliases;

  DataFormat(Family family, Head head, Use use, String text, String... aliases) {
    this.family = family;
    this.head = head;
    this.use = use;
    this.text = text;
    this.aliases = List.of(aliases);
  }

  /** ClickHouse's name. */
  public String text() {
    return text;
  }

  /** Other names of it. */
  public List<String> aliases() {
    return aliases;
  }

  /** Whether the format is text, for a person to read. */
  public boolean readable() {
    return family != Family.BINARY;
  }

  /** Whether {@link BatchReader} reads it. */
  public boolean input() {
    return use == Use.BOTH;
  }

  /** Whether an input in this format tells the names and types of its columns. */
  public boolean describesItself() {
    return head == Head.TYPES;
  }

  /** Whether it is read by jumping in a file, by a {@link WholeFileFormat}. */
  public boolean wholeFile() {
    return this == PARQUET;
  }

  /** Whether ClickHouse reads it in segments, on several threads. */
  boolean segmented() {
    return separated() || family == Family.JSON_ROWS;
  }

  /** Whether an input is rows without blocks. */
  boolean rows() {
    return segmented()
        || this == VALUES
        || this == ROW_BINARY
        || this == ROW_BINARY_WITH_NAMES
        || this == ROW_BINARY_WITH_NAMES_AND_TYPES;
  }

  Family family() {
    return family;
  }

  boolean separated() {
    return family == Family.COMMAS || tabs();
  }

  boolean tabs() {
    return family == Family.TABS || family == Family.RAW;
  }

  boolean names() {
    return head != Head.NONE;
  }

  boolean types() {
    return head == Head.TYPES;
  }

  /** This format with a line of names before the rows, if there is one. */
  static Optional<DataFormat> find(Family family, Head head) {
    return Arrays.stream(values())
        .filter(format -> format.family == family && format.head == head)
        .findFirst();
  }

  /** The names of all formats, aliases among them. */
  public static List<String> names(boolean inputs) {
    List<String> names = new ArrayList<>();
    for (DataFormat format : values()) {
      if (!inputs || format.input()) {
        names.add(format.text);
        names.addAll(format.aliases);
      }
    }
    return names;
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
          || format.aliases.stream().anyMatch(a -> a.toLowerCase(Locale.ROOT).equals(wanted))) {
        return format;
      }
    }
    String near = NearNames.hint(name, names(false));
    throw EngineException.of(
        ErrorCode.UNKNOWN_FORMAT,
        "unknown format %s%s",
        name,
        near.isEmpty()
            ? "; there are "
                + String.join(", ", Arrays.stream(values()).map(DataFormat::text).toList())
            : near);
  }

  /**
   * The format of that name to read from.
   *
   * @throws EngineException UNKNOWN_FORMAT, FORMAT_IS_NOT_SUITABLE_FOR_INPUT
   */
  public static DataFormat inputNamed(String name) {
    DataFormat format = named(name);
    if (!format.input()) {
      throw outputOnly(format);
    }
    return format;
  }

  /** The error for reading what is written only. */
  static EngineException outputOnly(DataFormat format) {
    return EngineException.of(
        ErrorCode.FORMAT_IS_NOT_SUITABLE_FOR_INPUT,
        "format %s is for output; to read there are %s",
        format.text,
        String.join(
            ", ",
            Arrays.stream(values()).filter(DataFormat::input).map(DataFormat::text).toList()));
  }

  /**
   * The format that a file of this name most likely has: by its extension, as ClickHouse guesses.
   *
   * @throws EngineException UNKNOWN_FORMAT when the extension tells nothing
   */
  public static DataFormat ofFileName(String name) {
    String bare = FileCompression.withoutEnding(name);
    String file = bare.substring(bare.lastIndexOf('/') + 1);
    int dot = file.lastIndexOf('.');
    String extension = dot < 0 ? "" : file.substring(dot + 1).toLowerCase(Locale.ROOT);
    return switch (extension) {
      case "tsv", "tab" -> TSV;
      case "csv" -> CSV;
      case "jsonl", "ndjson", "json" -> JSON_EACH_ROW;
      case "native" -> NATIVE;
      case "arrow", "feather" -> ARROW;
      case "arrows", "arrowstream" -> ARROW_STREAM;
      case "parquet", "pq" -> PARQUET;
      case "bin", "rowbinary" -> ROW_BINARY;
      case "md" -> MARKDOWN;
      default -> {
        Optional<DataFormat> same =
            Arrays.stream(values())
                .filter(format -> format.text.toLowerCase(Locale.ROOT).equals(extension))
                .findFirst();
        yield same.orElseThrow(
            () ->
                EngineException.of(
                    ErrorCode.UNKNOWN_FORMAT,
                    "the name %s does not tell the format; say which",
                    name));
      }
    };
  }

  @Override
  public String toString() {
    return text;
  }
}
