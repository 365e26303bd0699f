package io.coppice.parts.text;

import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.text.ValueText.Style;
import java.io.OutputStream;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Schema;

/** {@code (1,'a'),(2,'b')}, without a line feed at the end. */
final class ValuesWriter extends RowTextWriter {
  private final List<ValueText> texts;

  ValuesWriter(OutputStream out, Schema schema, Options options) {
    super(out);
    this.texts =
        schema.getFields().stream()
            .map(
                field ->
                    ValueText.of(
                        ArrowMapping.typeOf(field),
                        Style.QUOTED,
                        options.zone(),
                        options.settings()))
            .toList();
  }

  @Override
  void row(List<FieldVector> vectors, int row) {
    if (rows() > 0) {
      buffer.put(',');
    }
    buffer.put('(');
    for (int i = 0; i < texts.size(); i++) {
      if (i > 0) {
        buffer.put(',');
      }
      texts.get(i).append(vectors.get(i), row, buffer);
    }
    buffer.put(')');
  }
}
