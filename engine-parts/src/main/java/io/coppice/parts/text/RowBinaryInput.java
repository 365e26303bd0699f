package io.coppice.parts.text;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.parse.Parser;
import io.coppice.language.text.ByteText;
import io.coppice.language.type.DataType;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.stream.ChannelSource;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Rows of RowBinary. With types before them, columns may have other types than the table's. */
final class RowBinaryInput implements BatchReader {
  private static final int MOST_COLUMNS = 1_000_000;
  private static final int MOST_TEXT_BYTES = 1 << 24;

  private final DataFormat format;
  private final String name;
  private final TableDefinition table;
  private final Options options;
  private final BufferAllocator allocator;
  private final ChannelSource source;
  private final List<Column> columns = new ArrayList<>();
  private boolean started;
  private long rowsRead;

  /** A column of the input; its values are passed over where the table does not want them. */
  private record Column(String name, DataType type, boolean wanted, RowBinaryValue value) {}

  RowBinaryInput(
      DataFormat format,
      InputStream in,
      String name,
      TableDefinition table,
      Options options,
      BufferAllocator allocator) {
    this.format = format;
    this.name = name;
    this.table = table;
    this.options = options;
    this.allocator = allocator;
    this.source = new ChannelSource(Channels.newChannel(in), name);
  }

  private String text() throws IOException {
    byte[] bytes = new byte[source.readCount(MOST_TEXT_BYTES, "bytes of a name or type")];
    source.read(bytes, 0, bytes.length);
    return ByteText.of(bytes);
  }

  /** The names and, if there are any, types before the rows. */
  static List<List<String>> head(DataFormat format, InputStream in, String name)
      throws IOException {
    RowBinaryInput input = new RowBinaryInput(format, in, name, null, null, null);
    return input.head();
  }

  private List<List<String>> head() throws IOException {
    int count = source.readCount(MOST_COLUMNS, "columns");
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add(text());
    }
    List<String> types = new ArrayList<>();
    for (int i = 0; format.types() && i < count; i++) {
      types.add(text());
    }
    return List.of(names, types);
  }

  private void start() throws IOException {
    started = true;
    if (!format.names()) {
      for (ColumnDefinition column : InputColumn.ordinary(table, options)) {
        add(column.name(), column.type(), true);
      }
      return;
    }
    List<List<String>> head = head();
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < head.get(0).size(); i++) {
      String column = head.get(0).get(i);
      if (!seen.add(column)) {
        throw EngineException.of(
            ErrorCode.DUPLICATE_COLUMN, "%s: column %s is there twice", name, column);
      }
      Optional<ColumnDefinition> known = InputColumn.named(table, column, options);
      if (format.types()) {
        add(column, Parser.type(head.get(1).get(i)), known.isPresent());
      } else {
        ColumnDefinition definition =
            known.orElseThrow(() -> InputColumn.unknown(table, column)); // its size is not known
        add(column, definition.type(), true);
      }
    }
  }

  private void add(String column, DataType type, boolean wanted) {
    if (!ArrowMapping.readable(type)) {
      throw ArrowMapping.unreadable(column, type);
    }
    columns.add(new Column(column, type, wanted, RowBinaryValue.of(column, type, allocator)));
  }

  @Override
  public boolean blockEnds() {
    return false;
  }

  @Override
  public Optional<VectorSchemaRoot> next() throws IOException {
    if (!started) {
      if (source.atEnd()) {
        return Optional.empty();
      }
      start();
    }
    if (source.atEnd() || columns.isEmpty()) {
      return Optional.empty();
    }
    List<FieldVector> vectors = new ArrayList<>();
    boolean done = false;
    try {
      for (Column column : columns) {
        vectors.add(ArrowMapping.field(column.name(), column.type()).createVector(allocator));
      }
      int rows = 0;
      while (rows < options.batchRows() && !source.atEnd()) {
        row(vectors, rows++);
      }
      VectorSchemaRoot batch = wanted(vectors, rows);
      done = true;
      return Optional.of(batch);
    } finally {
      if (!done) {
        Vectors.close(vectors);
      }
    }
  }

  private void row(List<FieldVector> vectors, int row) throws IOException {
    rowsRead++;
    for (int i = 0; i < columns.size(); i++) {
      FieldVector vector = vectors.get(i);
      Vectors.reserve(vector, row + 1);
      try {
        columns.get(i).value().read(source, vector, row);
      } catch (EngineException e) {
        throw e.within("row " + rowsRead + ", column " + columns.get(i).name());
      }
    }
  }

  private VectorSchemaRoot wanted(List<FieldVector> vectors, int rows) {
    List<FieldVector> kept = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).wanted()) {
        Vectors.finish(vectors.get(i), rows);
        kept.add(vectors.get(i));
      } else {
        vectors.get(i).close();
      }
    }
    return new VectorSchemaRoot(kept.stream().map(FieldVector::getField).toList(), kept, rows);
  }

  @Override
  public void close() {
    columns.forEach(column -> column.value().close());
  }
}
