package io.coppice.parts.format;

import com.fasterxml.jackson.core.JsonParser;
import io.coppice.base.check.Check;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How the columns of a part are serialized: {@code serialization.json}. A part without it has all
 * columns in full and strings in one stream.
 *
 * <p>One line of JSON without blanks and without a line feed (here broken to fit):
 *
 * <pre>
 *   {"columns":[{"kind":"Sparse","name":"u","num_defaults":980,"num_rows":1000},
 *               {"kind":"Default","name":"t","num_defaults":0,"num_rows":1000,"subcolumns":[
 *                 {"kind":"Default","num_defaults":0,"num_rows":1000}]}],
 *    "propagate_types_serialization_versions_to_nested_types":true,
 *    "types_serialization_versions":{"string":1},
 *    "version":1}
 * </pre>
 *
 * <p>Members are in alphabetical order; columns in the order of their names' bytes. Listed are the
 * columns whose type can be sparse; {@code subcolumns} are the elements of a Tuple. {@code /} is
 * written {@code \/}, control characters as {@code \}{@code u00XX}. num_defaults is an estimate
 * above a thousand rows, unless {@code exact_num_defaults} stands behind num_rows, which the
 * setting compute_exact_num_defaults_for_sparse_columns does. {@code propagate_…} stands there when
 * true.
 *
 * <p>Version 0 has columns and version only; strings are then in one stream. In version 1 {@code
 * string} is 0 for that and 1 for sizes in a stream of their own, {@code map} 1 for buckets, {@code
 * nullable} 1 for Nullable columns that may be sparse.
 *
 * <p>Checked on reading: the version, every member known and of its type, counts not negative, no
 * column twice. Golden files: every part of {@code golden/26.7}.
 *
 * @param version 0 or 1
 * @param propagate whether the versions count for types inside Array, Map, Tuple, Nullable; absent
 *     in version 0
 * @param typeVersions by the name of the type; empty in version 0
 */
public record SerializationFile(
    int version, boolean propagate, Map<String, Integer> typeVersions, List<Column> columns) {
  /** The file's name. */
  public static final String NAME = "serialization.json";

  /** Most bytes read. */
  public static final int LIMIT_BYTES = 1 << 28;

  /** How the values of a column, or of an element of a Tuple, are laid out. */
  public enum Kind {
    /** Every value in full. */
    DEFAULT("Default"),
    /** Only values that are not the default, and where they are. */
    SPARSE("Sparse");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    static Kind of(String text, JsonParser in) {
      for (Kind kind : values()) {
        if (kind.text.equals(text)) {
          return kind;
        }
      }
      throw Json.broken(in, "kind Default or Sparse");
    }
  }

  /**
   * Kind and counts.
   *
   * @param exact whether the defaults were counted and not estimated, where the file says so
   * @param subcolumns the elements of a Tuple in order; empty for other types
   */
  public record Info(
      Kind kind, long defaultCount, long rowCount, boolean exact, Optional<List<Info>> subcolumns) {
    public Info {
      Check.argument(0 <= defaultCount && 0 <= rowCount, "%d of %d", defaultCount, rowCount);
      subcolumns = subcolumns.map(List::copyOf);
    }

    /** Info of a column that is no Tuple. */
    public Info(Kind kind, long defaultCount, long rowCount) {
      this(kind, defaultCount, rowCount, false, Optional.empty());
    }
  }

  /** A column by its name. */
  public record Column(String name, Info info) {}

  public SerializationFile {
    Check.argument(version == 0 || version == 1, "version %d", version);
    typeVersions = java.util.Collections.unmodifiableMap(new TreeMap<>(typeVersions));
    columns =
        columns.stream()
            .sorted(java.util.Comparator.comparing(Column::name, Utf8Order.INSTANCE))
            .toList();
  }

  /** Info of {@code column}, empty if it is not listed: then it is in full. */
  public Optional<Info> info(String column) {
    return columns.stream().filter(c -> c.name().equals(column)).findFirst().map(Column::info);
  }

  /** Whether strings have their sizes in a stream of their own. */
  public boolean stringsWithSizes() {
    return typeVersions.getOrDefault("string", 0) == 1;
  }

  /**
   * Reads the file.
   *
   * @param name for messages
   * @throws EngineException CORRUPTED_DATA
   */
  public static SerializationFile read(byte[] bytes, String name) {
    return new Reader().read(bytes, name);
  }

  private static final class Reader {
    private int version = -1;
    private boolean propagate;
    private final Map<String, Integer> typeVersions = new TreeMap<>();
    private final Map<String, Column> columns = new TreeMap<>();

    SerializationFile read(byte[] bytes, String file) {
      Json.read(bytes, 0, file, this::member);
      if (version < 0) {
        throw EngineException.of(ErrorCode.CORRUPTED_DATA, "%s: member version is missing", file);
      }
      return new SerializationFile(version, propagate, typeVersions, List.copyOf(columns.values()));
    }

    private void member(String name, JsonParser in) throws IOException {
      switch (name) {
        case "columns" -> Json.array(in, this::column);
        case "version" -> version = (int) Json.number(in, 0, 1);
        case "propagate_types_serialization_versions_to_nested_types" -> propagate = Json.bool(in);
        case "types_serialization_versions" ->
            Json.object(
                in, (type, value) -> typeVersions.put(type, (int) Json.number(value, 0, 1)));
        default -> throw Json.unknown(in, name);
      }
    }

    private void column(JsonParser in) throws IOException {
      String[] columnName = new String[1];
      Info info = info(in, columnName);
      if (columnName[0] == null) {
        throw Json.broken(in, "a column with a name");
      }
      if (columns.put(columnName[0], new Column(columnName[0], info)) != null) {
        throw Json.broken(in, "column " + columnName[0] + " once");
      }
    }

    private static Info info(JsonParser in, String[] columnName) throws IOException {
      Kind[] kind = new Kind[1];
      long[] counts = {-1, -1};
      List<Info> subcolumns = new ArrayList<>();
      boolean[] tuple = new boolean[1];
      boolean[] exact = new boolean[1];
      Json.object(
          in,
          (name, value) -> {
            switch (name) {
              case "kind" -> kind[0] = Kind.of(Json.string(value), value);
              case "num_defaults" -> counts[0] = Json.number(value, 0, Long.MAX_VALUE);
              case "num_rows" -> counts[1] = Json.number(value, 0, Long.MAX_VALUE);
              case "exact_num_defaults" -> exact[0] = Json.bool(value);
              case "subcolumns" -> {
                tuple[0] = true;
                Json.array(value, element -> subcolumns.add(info(element, new String[1])));
              }
              case "name" -> columnName[0] = Json.string(value);
              default -> throw Json.unknown(value, name);
            }
          });
      if (kind[0] == null || counts[0] < 0 || counts[1] < 0) {
        throw Json.broken(in, "kind, num_defaults and num_rows before it");
      }
      return new Info(
          kind[0],
          counts[0],
          counts[1],
          exact[0],
          tuple[0] ? Optional.of(subcolumns) : Optional.empty());
    }
  }

  /** The bytes of the file. */
  public byte[] write() {
    StringBuilder out = new StringBuilder("{\"columns\":[");
    String separator = "";
    for (Column column : columns) {
      out.append(separator);
      separator = ",";
      write(out, Optional.of(column.name()), column.info());
    }
    out.append(']');
    if (version > 0) {
      if (propagate) {
        out.append(",\"propagate_types_serialization_versions_to_nested_types\":true");
      }
      out.append(",\"types_serialization_versions\":{");
      separator = "";
      for (Map.Entry<String, Integer> type : typeVersions.entrySet()) {
        Json.quote(out.append(separator), type.getKey()).append(':').append(type.getValue());
        separator = ",";
      }
      out.append('}');
    }
    out.append(",\"version\":").append(version).append('}');
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void write(StringBuilder out, Optional<String> name, Info info) {
    out.append("{\"kind\":\"").append(info.kind().text).append('"');
    name.ifPresent(n -> Json.quote(out.append(",\"name\":"), n));
    out.append(",\"num_defaults\":").append(info.defaultCount());
    out.append(",\"num_rows\":").append(info.rowCount());
    if (info.exact()) {
      out.append(",\"exact_num_defaults\":true");
    }
    if (info.subcolumns().isPresent()) {
      out.append(",\"subcolumns\":[");
      String separator = "";
      for (Info element : info.subcolumns().get()) {
        out.append(separator);
        separator = ",";
        write(out, Optional.empty(), element);
      }
      out.append(']');
    }
    out.append('}');
  }
}
