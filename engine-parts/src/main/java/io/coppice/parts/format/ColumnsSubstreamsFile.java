package io.coppice.parts.format;

import io.coppice.language.text.Identifiers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The streams of every column, in the order they are written: {@code columns_substreams.txt}.
 *
 * <pre>
 *   columns substreams version: 1
 *   2 columns:
 *   1 substreams for column `id`:
 *   TAB id
 *   2 substreams for column `a`:
 *   TAB a.size0
 *   TAB a
 * </pre>
 *
 * <p>Each line ends with a line feed; there is no blank behind the tab. Names of streams are
 * escaped, and never replaced by a hash. In Compact parts with {@code .mrk4} or {@code .cmrk4} a
 * mark has one place per stream listed here. No checksum covers the file.
 *
 * <p>Checked on reading: the version, both counts against the lines, nothing behind. Golden files:
 * every part of {@code golden/26.7}.
 */
public record ColumnsSubstreamsFile(List<Column> columns) {
  /** The file's name. */
  public static final String NAME = "columns_substreams.txt";

  /** Most bytes read. */
  public static final int LIMIT_BYTES = 1 << 28;

  private static final int SHORTEST_COLUMN = "0 substreams for column ``:\n".length();
  private static final int SHORTEST_STREAM = "\ts\n".length();

  /** A column and its streams in order; a column may have none. */
  public record Column(String name, List<String> streams) {
    public Column {
      streams = List.copyOf(streams);
    }
  }

  public ColumnsSubstreamsFile {
    columns = List.copyOf(columns);
  }

  /**
   * Reads the file.
   *
   * @param name for messages
   * @throws io.coppice.base.error.EngineException CANNOT_PARSE_INPUT_ASSERTION_FAILED
   */
  public static ColumnsSubstreamsFile read(byte[] bytes, String name) {
    TextReader in = new TextReader(bytes, name);
    in.expect("columns substreams version: 1\n");
    int count = (int) in.number(in.remaining() / SHORTEST_COLUMN);
    in.expect(" columns:\n");
    List<Column> columns = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int streamCount = (int) in.number(in.remaining() / SHORTEST_STREAM);
      in.expect(" substreams for column ");
      String column = in.backQuoted();
      in.expect(":\n");
      List<String> streams = new ArrayList<>(streamCount);
      for (int k = 0; k < streamCount; k++) {
        in.expect("\t");
        String stream = in.line();
        if (stream.isEmpty() || stream.indexOf('/') >= 0) {
          throw in.broken("the name of a stream before it");
        }
        streams.add(stream);
      }
      columns.add(new Column(column, streams));
    }
    in.expectEnd();
    return new ColumnsSubstreamsFile(columns);
  }

  /** All streams in order; a stream shared by columns is there once per column. */
  public List<String> streams() {
    return columns.stream().flatMap(column -> column.streams().stream()).toList();
  }

  /** The bytes of the file. */
  public byte[] write() {
    StringBuilder out = new StringBuilder("columns substreams version: 1\n");
    out.append(columns.size()).append(" columns:\n");
    for (Column column : columns) {
      out.append(column.streams().size()).append(" substreams for column ");
      out.append(Identifiers.backQuote(column.name())).append(":\n");
      for (String stream : column.streams()) {
        out.append('\t').append(stream).append('\n');
      }
    }
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }
}
