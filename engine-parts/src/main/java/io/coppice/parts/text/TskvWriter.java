package io.coppice.parts.text;

import io.coppice.language.text.ByteText;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.text.ValueText.Style;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Lines of {@code name=value} between tabs. */
final class TskvWriter extends RowTextWriter {
  private final List<byte[]> keys = new ArrayList<>();
  private final List<ValueText> texts = new ArrayList<>();

  TskvWriter(OutputStream out, Schema schema, Options options) {
    super(out);
    for (Field field : schema.getFields()) {
      TextBuffer key = new TextBuffer();
      byte[] name = ByteText.bytes(field.getName());
      TextBuffer escaped = new TextBuffer();
      ValueText.appendString(name, 0, name.length, Style.TSV, escaped);
      for (byte b : escaped.toByteArray()) {
        if (b == '=') {
          key.put('\\');
        }
        key.put(b);
      }
      key.put('=');
      keys.add(key.toByteArray());
      texts.add(
          ValueText.of(ArrowMapping.typeOf(field), Style.TSV, options.zone(), options.settings()));
    }
  }

  @Override
  void row(List<FieldVector> vectors, int row) {
    for (int i = 0; i < keys.size(); i++) {
      if (i > 0) {
        buffer.put('\t');
      }
      buffer.put(keys.get(i), 0, keys.get(i).length);
      texts.get(i).append(vectors.get(i), row, buffer);
    }
    buffer.put('\n');
  }
}
