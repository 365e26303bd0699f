package io.coppice.parts.text;

import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.text.ValueText.Style;
import java.io.IOException;
import java.io.OutputStream;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** A JSON object a line. Strings that are not UTF-8 keep their bytes. */
final class JsonWriter implements BatchWriter {
  private static final int FLUSH_BYTES = 1 << 16;

  private final OutputStream out;
  private final List<byte[]> keys = new ArrayList<>();
  private final List<ValueText> texts = new ArrayList<>();
  private final TextBuffer buffer = new TextBuffer();

  JsonWriter(OutputStream out, Schema schema, ZoneId zone) {
    this.out = out;
    for (Field field : schema.getFields()) {
      keys.add(ValueText.jsonKey(field.getName()));
      texts.add(ValueText.of(ArrowMapping.typeOf(field), Style.JSON, zone));
    }
  }

  @Override
  public void write(VectorSchemaRoot batch) throws IOException {
    List<FieldVector> vectors = batch.getFieldVectors();
    int columns = vectors.size();
    int rows = batch.getRowCount();
    for (int row = 0; row < rows; row++) {
      buffer.put('{');
      for (int i = 0; i < columns; i++) {
        if (i > 0) {
          buffer.put(',');
        }
        byte[] key = keys.get(i);
        buffer.put(key, 0, key.length);
        buffer.put(':');
        texts.get(i).append(vectors.get(i), row, buffer);
      }
      buffer.put('}');
      buffer.put('\n');
      if (buffer.size() >= FLUSH_BYTES) {
        flush();
      }
    }
    flush();
  }

  private void flush() throws IOException {
    buffer.writeTo(out);
    buffer.clear();
  }

  @Override
  public void close() throws IOException {
    flush();
    out.flush();
  }
}
