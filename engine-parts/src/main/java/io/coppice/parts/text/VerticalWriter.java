package io.coppice.parts.text;

import io.coppice.language.text.ByteText;
import io.coppice.language.type.DataType;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.text.ValueText.Style;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** A line a value behind its column's name, a headline a row. */
final class VerticalWriter extends RowTextWriter {
  private final List<byte[]> names = new ArrayList<>();
  private final List<ValueText> texts = new ArrayList<>();
  private final List<Boolean> counts = new ArrayList<>();
  private final long most;
  private final long threshold;
  private boolean cut;

  VerticalWriter(OutputStream out, Schema schema, Options options) {
    super(out);
    this.most = options.settings().number(FormatSetting.PRETTY_MAX_ROWS);
    this.threshold = options.settings().number(FormatSetting.PRETTY_NUMBER_TIP);
    int widest = 0;
    for (Field field : schema.getFields()) {
      widest = Math.max(widest, TextWidth.of(ByteText.bytes(field.getName())));
    }
    for (Field field : schema.getFields()) {
      DataType type = ArrowMapping.typeOf(field);
      byte[] name = ByteText.bytes(field.getName());
      String blanks = " ".repeat(widest - TextWidth.of(name) + 1);
      names.add(ByteText.bytes(field.getName() + ":" + blanks));
      texts.add(ValueText.of(type, Style.SHOWN, options.zone(), options.settings()));
      counts.add(Numbers.counts(type));
    }
  }

  @Override
  void row(List<FieldVector> vectors, int row) {
    if (rows() >= most) {
      cut = true;
      return;
    }
    if (rows() > 0) {
      buffer.put('\n');
    }
    String headline = "Row " + (rows() + 1) + ":";
    buffer.put(headline + "\n");
    byte[] line =
        "─".repeat(Long.toString(rows() + 2).length() + 5).getBytes(StandardCharsets.UTF_8);
    buffer.put(line, 0, line.length);
    buffer.put('\n');
    for (int i = 0; i < texts.size(); i++) {
      buffer.put(names.get(i), 0, names.get(i).length);
      int before = buffer.size();
      texts.get(i).append(vectors.get(i), row, buffer);
      if (counts.get(i)) {
        buffer.put(
            Numbers.tip(
                new String(
                    buffer.array(), before, buffer.size() - before, StandardCharsets.ISO_8859_1),
                threshold));
      }
      buffer.put('\n');
    }
  }

  @Override
  void end() {
    if (cut) {
      buffer.put("\nShowed first " + most + ".\n");
    }
  }
}
