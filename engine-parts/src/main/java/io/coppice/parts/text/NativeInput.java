package io.coppice.parts.text;

import io.coppice.parts.nativeformat.NativeReader;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Blocks of the Native format, those columns that the table has. */
final class NativeInput implements BatchReader {
  private final TableDefinition table;
  private final Options options;
  private final NativeReader reader;

  NativeInput(
      InputStream in,
      String name,
      TableDefinition table,
      Options options,
      BufferAllocator allocator) {
    this.table = table;
    this.options = options;
    this.reader = new NativeReader(Channels.newChannel(in), name, allocator);
  }

  @Override
  public Optional<VectorSchemaRoot> next() throws IOException {
    while (true) {
      Optional<VectorSchemaRoot> block = reader.next();
      if (block.isEmpty()) {
        return block;
      }
      if (block.get().getRowCount() == 0) {
        block.get().close();
        continue;
      }
      return Optional.of(known(block.get(), table, options));
    }
  }

  /** Closes the vectors that the table does not have; all when one of them is refused. */
  static VectorSchemaRoot known(VectorSchemaRoot batch, TableDefinition table, Options options) {
    List<FieldVector> kept = new ArrayList<>();
    List<FieldVector> left = new ArrayList<>();
    boolean done = false;
    try {
      for (FieldVector vector : batch.getFieldVectors()) {
        boolean known = InputColumn.named(table, vector.getName(), options).isPresent();
        (known ? kept : left).add(vector);
      }
      done = true;
    } finally {
      if (!done) {
        batch.close();
      }
    }
    if (left.isEmpty()) {
      return batch;
    }
    left.forEach(FieldVector::close);
    return new VectorSchemaRoot(
        kept.stream().map(FieldVector::getField).toList(), kept, batch.getRowCount());
  }

  @Override
  public void close() {
    reader.close();
  }
}
