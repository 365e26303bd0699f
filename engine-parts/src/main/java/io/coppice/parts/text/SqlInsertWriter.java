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

/** INSERT statements of a bounded number of rows. */
final class SqlInsertWriter extends RowTextWriter {
  private final List<ValueText> texts = new ArrayList<>();
  private final byte[] head;
  private final long most;

  SqlInsertWriter(OutputStream out, Schema schema, Options options) {
    super(out);
    FormatSettings settings = options.settings();
    boolean replace = settings.is(FormatSetting.SQL_INSERT_REPLACE);
    StringBuilder text = new StringBuilder(replace ? "REPLACE" : "INSERT");
    text.append(" INTO ").append(settings.text(FormatSetting.SQL_INSERT_TABLE));
    List<String> names = new ArrayList<>();
    for (Field field : schema.getFields()) {
      String name = field.getName();
      names.add(settings.is(FormatSetting.SQL_INSERT_QUOTE) ? quoted(name) : name);
      texts.add(ValueText.of(ArrowMapping.typeOf(field), Style.QUOTED, options.zone(), settings));
    }
    if (settings.is(FormatSetting.SQL_INSERT_NAMES)) {
      text.append(" (").append(String.join(", ", names)).append(')');
    }
    this.head = ByteText.bytes(text.append(" VALUES ").toString());
    this.most = Math.max(1, settings.number(FormatSetting.SQL_INSERT_BATCH));
  }

  private static String quoted(String name) {
    return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`";
  }

  @Override
  void row(List<FieldVector> vectors, int row) {
    boolean first = rows() % most == 0;
    if (first) {
      if (rows() > 0) {
        buffer.put(";\n");
      }
      buffer.put(head, 0, head.length);
    } else {
      buffer.put(", ");
    }
    buffer.put('(');
    for (int i = 0; i < texts.size(); i++) {
      if (i > 0) {
        buffer.put(", ");
      }
      texts.get(i).append(vectors.get(i), row, buffer);
    }
    buffer.put(')');
  }

  @Override
  void end() {
    buffer.put(";\n");
  }
}
