package io.coppice.parts.nativeformat;

import io.coppice.language.type.DataType;
import io.coppice.parts.column.Encoding;
import io.coppice.parts.column.Encoding.Mode;
import io.coppice.parts.column.Encodings;
import io.coppice.parts.stream.ArrowFlags;
import io.coppice.parts.stream.ChannelSink;
import io.coppice.parts.table.ArrowMapping;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * ClickHouse's Native format, as it writes it to files and over HTTP (revision 0): blocks one
 * behind another, each
 *
 * <pre>
 *   varint columns, varint rows
 *   per column: varint size and name, varint size and type, the data as in {@link Encoding.Mode#NATIVE}
 * </pre>
 *
 * <p>Confined to one thread. Borrows the channel and the batches.
 */
public final class NativeWriter implements AutoCloseable {
  private final ChannelSink sink;
  private final BufferAllocator allocator;

  public NativeWriter(WritableByteChannel channel, BufferAllocator allocator) {
    ArrowFlags.require();
    this.sink = new ChannelSink(channel);
    this.allocator = allocator;
  }

  /** Writes one block; a batch without rows writes nothing. */
  public void write(VectorSchemaRoot batch) throws IOException {
    int rows = batch.getRowCount();
    if (rows == 0) {
      return;
    }
    sink.putVarUInt(batch.getFieldVectors().size());
    sink.putVarUInt(rows);
    List<FieldVector> vectors = batch.getFieldVectors();
    for (int i = 0; i < vectors.size(); i++) {
      // A vector may be shared with another batch, where it has another name.
      Field field = batch.getSchema().getFields().get(i);
      FieldVector vector = vectors.get(i);
      DataType type = ArrowMapping.typeOf(field);
      putString(field.getName());
      putString(type.text());
      try (Encoding encoding =
          Encodings.of(
              field.getName(), type, Encodings.Options.of(Mode.NATIVE, false), allocator)) {
        encoding.writePrefix(s -> sink);
        encoding.write(vector, 0, rows, s -> sink);
        encoding.writeSuffix(s -> sink);
      }
    }
  }

  private void putString(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    sink.putVarUInt(bytes.length);
    sink.write(bytes, 0, bytes.length);
  }

  /** Writes out what has been gathered; the channel stays open. */
  @Override
  public void close() throws IOException {
    sink.close();
  }
}
