package io.coppice.parts.text;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Rows of a {@link WholeFileFormat}. */
final class WholeFileInput implements BatchReader {
  private final DataFormat format;
  private final InputStream in;
  private final String name;
  private final TableDefinition table;
  private final Options options;
  private final BufferAllocator allocator;
  private Optional<FileStream> file = Optional.empty();
  private Optional<WholeFileFormat.Opened> opened = Optional.empty();
  private boolean ended;

  WholeFileInput(
      DataFormat format,
      InputStream in,
      String name,
      TableDefinition table,
      Options options,
      BufferAllocator allocator) {
    this.format = format;
    this.in = in;
    this.name = name;
    this.table = table;
    this.options = options;
    this.allocator = allocator;
  }

  private WholeFileFormat.Opened start() throws IOException {
    file = Optional.of(FileStream.of(in));
    WholeFileFormat.Opened open = WholeFileFormat.of(format).open(file.get().path(), name);
    opened = Optional.of(open);
    Map<String, DataType> wanted = new LinkedHashMap<>();
    for (String column : open.columns().keySet()) {
      refuseNested(column);
      Optional<ColumnDefinition> known = InputColumn.named(table, column, options);
      known.ifPresent(definition -> wanted.put(column, definition.type()));
    }
    open.read(
        wanted,
        options.settings().is(FormatSetting.NULL_AS_DEFAULT),
        options.batchRows(),
        allocator);
    return open;
  }

  private void refuseNested(String column) {
    if (table.column(column).isEmpty()
        && table.columns().stream().anyMatch(c -> c.name().startsWith(column + "."))) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED,
          "%s: column %s is a Nested of table %s, whose arrays are not taken apart",
          name,
          column,
          table.name());
    }
  }

  @Override
  public Optional<VectorSchemaRoot> next() throws IOException {
    if (ended) {
      return Optional.empty();
    }
    WholeFileFormat.Opened open = opened.isPresent() ? opened.get() : start();
    Optional<VectorSchemaRoot> batch = open.next();
    ended = batch.isEmpty();
    return batch;
  }

  @Override
  public void close() throws IOException {
    try {
      if (opened.isPresent()) {
        opened.get().close();
      }
    } finally {
      if (file.isPresent() && file.get() != in) {
        file.get().close();
      }
    }
  }
}
