package io.coppice.parts.format;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.text.Identifiers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The columns of a part in order: {@code columns.txt}.
 *
 * <pre>
 *   columns format version: 1
 *   2 columns:
 *   `id` UInt32
 *   `col with \` and \\` Array(String)
 * </pre>
 *
 * <p>Each line ends with a line feed. Names are in backquotes always, escaped by backslashes; the
 * type is in ClickHouse's text. Only stored columns are listed; no checksum covers the file.
 *
 * <p>Checked on reading: the version, the count against the lines, no name twice, nothing behind.
 * Golden files: every part of {@code golden/18.16.1} and {@code golden/26.7}.
 */
public record ColumnsFile(List<Column> columns) {
  /** The file's name. */
  public static final String NAME = "columns.txt";

  /** Most bytes read: a thousand times what ten thousand columns take. */
  public static final int LIMIT_BYTES = 1 << 28;

  private static final int SHORTEST_LINE = "``T\n".length();

  /** A column as the part has it; the type is text because unknown types must be carried, too. */
  public record Column(String name, String type) {}

  public ColumnsFile {
    columns = List.copyOf(columns);
  }

  /**
   * Reads the file.
   *
   * @param name for messages
   * @throws EngineException CANNOT_PARSE_INPUT_ASSERTION_FAILED or DUPLICATE_COLUMN
   */
  public static ColumnsFile read(byte[] bytes, String name) {
    TextReader in = new TextReader(bytes, name);
    in.expect("columns format version: 1\n");
    int count = (int) in.number(in.remaining() / SHORTEST_LINE);
    in.expect(" columns:\n");
    List<Column> columns = new ArrayList<>(count);
    Set<String> names = new HashSet<>();
    for (int i = 0; i < count; i++) {
      String column = in.backQuoted();
      in.expect(" ");
      String type = in.line();
      if (type.isEmpty() || type.endsWith("\r")) {
        throw in.broken("a type before it");
      }
      if (!names.add(column)) {
        throw EngineException.of(
            ErrorCode.DUPLICATE_COLUMN, "%s: column %s is there twice", name, column);
      }
      columns.add(new Column(column, type));
    }
    in.expectEnd();
    return new ColumnsFile(columns);
  }

  /** The bytes of the file. */
  public byte[] write() {
    StringBuilder out = new StringBuilder("columns format version: 1\n");
    out.append(columns.size()).append(" columns:\n");
    for (Column column : columns) {
      out.append(Identifiers.backQuote(column.name())).append(' ').append(column.type());
      out.append('\n');
    }
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }
}
