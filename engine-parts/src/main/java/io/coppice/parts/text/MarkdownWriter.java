package io.coppice.parts.text;

import io.coppice.language.text.ByteText;
import io.coppice.language.type.DataType;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.text.ValueText.Style;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** A table of Markdown, numbers to the right. */
final class MarkdownWriter extends RowTextWriter {
  private final List<ValueText> texts = new ArrayList<>();

  MarkdownWriter(OutputStream out, Schema schema, Options options) throws IOException {
    super(out);
    StringBuilder names = new StringBuilder("|");
    StringBuilder rule = new StringBuilder("|");
    for (Field field : schema.getFields()) {
      DataType type = ArrowMapping.typeOf(field);
      names.append(' ').append(field.getName()).append(" |");
      rule.append(Numbers.toTheRight(type) ? "-:|" : ":-|");
      texts.add(ValueText.of(type, Style.TSV, options.zone(), options.settings()));
    }
    byte[] head = ByteText.bytes(names + "\n" + rule + "\n");
    buffer.put(head, 0, head.length);
    flush();
  }

  @Override
  void row(List<FieldVector> vectors, int row) {
    buffer.put("| ");
    for (int i = 0; i < texts.size(); i++) {
      if (i > 0) {
        buffer.put(" | ");
      }
      texts.get(i).append(vectors.get(i), row, buffer);
    }
    buffer.put(" |\n");
  }
}
