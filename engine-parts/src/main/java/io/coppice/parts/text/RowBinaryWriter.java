package io.coppice.parts.text;

import io.coppice.language.text.ByteText;
import io.coppice.parts.stream.ChannelSink;
import io.coppice.parts.table.ArrowMapping;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Values one behind the other; before them, if the format has it, names and types. */
final class RowBinaryWriter implements BatchWriter {
  private final OutputStream out;
  private final ChannelSink sink;
  private final List<RowBinaryValue> values = new ArrayList<>();

  RowBinaryWriter(DataFormat format, OutputStream out, Schema schema, BufferAllocator allocator)
      throws IOException {
    this.out = out;
    this.sink = new ChannelSink(Channels.newChannel(out));
    List<Field> fields = schema.getFields();
    if (format.names()) {
      sink.putVarUInt(fields.size());
      for (Field field : fields) {
        put(field.getName());
      }
    }
    for (Field field : fields) {
      if (format.types()) {
        put(ArrowMapping.typeOf(field).text());
      }
      values.add(RowBinaryValue.of(field.getName(), ArrowMapping.typeOf(field), allocator));
    }
  }

  private void put(String text) throws IOException {
    byte[] bytes = ByteText.bytes(text);
    sink.putVarUInt(bytes.length);
    sink.write(bytes, 0, bytes.length);
  }

  @Override
  public void write(VectorSchemaRoot batch) throws IOException {
    List<FieldVector> vectors = batch.getFieldVectors();
    for (int row = 0; row < batch.getRowCount(); row++) {
      for (int i = 0; i < values.size(); i++) {
        values.get(i).write(vectors.get(i), row, sink);
      }
    }
  }

  @Override
  public void close() throws IOException {
    values.forEach(RowBinaryValue::close);
    sink.close();
    out.flush();
  }
}
