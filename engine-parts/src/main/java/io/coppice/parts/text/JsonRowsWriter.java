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

/** A JSON object or array a row. Strings that are not UTF-8 keep their bytes. */
final class JsonRowsWriter extends RowTextWriter {
  private final List<byte[]> keys = new ArrayList<>();
  private final List<JsonValues> values = new ArrayList<>();
  private final boolean arrays;
  private final boolean pretty;
  private final boolean oneArray;

  JsonRowsWriter(DataFormat format, OutputStream out, Schema schema, Options options)
      throws IOException {
    super(out);
    this.arrays =
        switch (format) {
          case JSON_COMPACT_EACH_ROW,
              JSON_COMPACT_EACH_ROW_WITH_NAMES,
              JSON_COMPACT_EACH_ROW_WITH_NAMES_AND_TYPES,
              JSON_COMPACT_STRINGS_EACH_ROW ->
              true;
          default -> false;
        };
    this.pretty = format == DataFormat.PRETTY_JSON_EACH_ROW;
    this.oneArray = !arrays && options.settings().is(FormatSetting.JSON_ARRAY_OF_ROWS);
    boolean texts =
        format == DataFormat.JSON_STRINGS_EACH_ROW
            || format == DataFormat.JSON_COMPACT_STRINGS_EACH_ROW;
    List<String> names = new ArrayList<>();
    List<String> types = new ArrayList<>();
    for (Field field : schema.getFields()) {
      DataType type = ArrowMapping.typeOf(field);
      names.add(field.getName());
      types.add(type.text());
      keys.add(ValueText.jsonKey(field.getName()));
      values.add(
          texts
              ? JsonValues.texts(type, options)
              : pretty
                  ? JsonValues.indented(type, options, "    ", 1)
                  : JsonValues.plain(type, options));
    }
    if (format.names()) {
      line(names);
    }
    if (format.types()) {
      line(types);
    }
    if (oneArray) {
      buffer.put("[\n");
    }
    flush();
  }

  private void line(List<String> texts) {
    buffer.put('[');
    for (int i = 0; i < texts.size(); i++) {
      if (i > 0) {
        buffer.put(", ");
      }
      byte[] text = ByteText.bytes(texts.get(i));
      ValueText.appendString(text, 0, text.length, Style.JSON, buffer);
    }
    buffer.put("]\n");
  }

  @Override
  void row(List<FieldVector> vectors, int row) {
    if (oneArray && rows() > 0) {
      buffer.put(",\n");
    }
    buffer.put(arrays ? '[' : '{');
    for (int i = 0; i < values.size(); i++) {
      if (i > 0) {
        buffer.put(arrays ? ", " : ",");
      }
      if (pretty) {
        buffer.put("\n    ");
      }
      if (!arrays) {
        buffer.put(keys.get(i), 0, keys.get(i).length);
        buffer.put(pretty ? ": " : ":");
      }
      values.get(i).append(vectors.get(i), row, buffer);
    }
    if (pretty) {
      buffer.put('\n');
    }
    buffer.put(arrays ? ']' : '}');
    if (!oneArray) {
      buffer.put('\n');
    }
  }

  @Override
  void end() {
    if (oneArray) {
      buffer.put(rows() > 0 ? "\n]\n" : "]\n");
    }
  }
}
