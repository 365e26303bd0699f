package io.coppice.parts.text;

import io.coppice.language.text.FloatText;
import io.coppice.language.type.DataType;
import io.coppice.parts.table.ArrowMapping;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * One JSON object of all rows, with the columns before and statistics behind them. It is valid
 * UTF-8: bytes of strings that are none become U+FFFD.
 */
final class JsonWholeWriter extends RowTextWriter {
  private final List<byte[]> keys = new ArrayList<>();
  private final List<JsonValues> values = new ArrayList<>();
  private final boolean compact;
  private final FormatSettings settings;
  private Optional<Statistics> statistics = Optional.empty();

  JsonWholeWriter(DataFormat format, OutputStream out, Schema schema, Options options)
      throws IOException {
    super(new Utf8Output(out));
    this.settings = options.settings();
    this.compact = format == DataFormat.JSON_COMPACT || format == DataFormat.JSON_COMPACT_STRINGS;
    boolean texts = format == DataFormat.JSON_STRINGS || format == DataFormat.JSON_COMPACT_STRINGS;
    buffer.put("{\n\t\"meta\":\n\t[");
    boolean first = true;
    for (Field field : schema.getFields()) {
      DataType type = ArrowMapping.typeOf(field);
      byte[] name = ValueText.jsonKey(field.getName());
      byte[] typeName = ValueText.jsonKey(type.text());
      buffer.put(first ? "\n\t\t{\n\t\t\t\"name\": " : ",\n\t\t{\n\t\t\t\"name\": ");
      buffer.put(name, 0, name.length);
      buffer.put(",\n\t\t\t\"type\": ");
      buffer.put(typeName, 0, typeName.length);
      buffer.put("\n\t\t}");
      first = false;
      keys.add(name);
      values.add(
          texts
              ? JsonValues.texts(type, options)
              : compact
                  ? JsonValues.plain(type, options)
                  : JsonValues.indented(type, options, "\t", 3));
    }
    buffer.put("\n\t],\n\n\t\"data\":\n\t[\n");
    flush();
  }

  @Override
  void row(List<FieldVector> vectors, int row) {
    if (rows() > 0) {
      buffer.put(",\n");
    }
    buffer.put(compact ? "\t\t[" : "\t\t{\n");
    for (int i = 0; i < values.size(); i++) {
      if (i > 0) {
        buffer.put(compact ? ", " : ",\n");
      }
      if (!compact) {
        buffer.put("\t\t\t");
        buffer.put(keys.get(i), 0, keys.get(i).length);
        buffer.put(": ");
      }
      values.get(i).append(vectors.get(i), row, buffer);
    }
    buffer.put(compact ? "]" : "\n\t\t}");
  }

  @Override
  public void finish(Statistics given) {
    statistics = Optional.of(given);
  }

  @Override
  void end() {
    buffer.put("\n\t],\n\n\t\"rows\": ");
    buffer.putLong(rows());
    if (statistics.isPresent() && statistics.get().rowsBeforeLimit().isPresent()) {
      buffer.put(",\n\n\t\"rows_before_limit_at_least\": ");
      buffer.putLong(statistics.get().rowsBeforeLimit().getAsLong());
    }
    if (statistics.isPresent() && settings.is(FormatSetting.WRITE_STATISTICS)) {
      buffer.put(",\n\n\t\"statistics\":\n\t{\n\t\t\"elapsed\": ");
      buffer.put(FloatText.of(statistics.get().seconds()));
      buffer.put(",\n\t\t\"rows_read\": ");
      buffer.putLong(statistics.get().rowsRead());
      buffer.put(",\n\t\t\"bytes_read\": ");
      buffer.putLong(statistics.get().bytesRead());
      buffer.put("\n\t}");
    }
    buffer.put("\n}\n");
  }
}
