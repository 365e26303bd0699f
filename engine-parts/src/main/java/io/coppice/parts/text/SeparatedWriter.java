package io.coppice.parts.text;

import io.coppice.language.text.ByteText;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.text.ValueText.Style;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Lines of TSV or CSV. In CSV a column of tuples is spread over as many fields as it has elements,
 * in the line of names as well ({@code "t.1","t.2"}); an empty tuple is one empty field.
 */
final class SeparatedWriter extends RowTextWriter {
  private final int separator;
  private final String lineEnd;
  private final List<ValueText> texts = new ArrayList<>();

  SeparatedWriter(DataFormat format, OutputStream out, Schema schema, Options options)
      throws IOException {
    super(out);
    FormatSettings settings = options.settings();
    Style style =
        switch (format.family()) {
          case TABS -> Style.TSV;
          case RAW -> Style.RAW;
          default -> Style.CSV;
        };
    boolean tabs = format.tabs();
    this.separator = tabs ? '\t' : settings.text(FormatSetting.CSV_DELIMITER).charAt(0);
    this.lineEnd =
        settings.is(tabs ? FormatSetting.TSV_CRLF : FormatSetting.CSV_CRLF) ? "\r\n" : "\n";
    List<String> names = new ArrayList<>();
    List<String> types = new ArrayList<>();
    for (Field field : schema.getFields()) {
      DataType type = ArrowMapping.typeOf(field);
      texts.add(ValueText.of(type, style, options.zone(), settings));
      if (tabs) {
        names.add(field.getName());
        types.add(type.text());
      } else {
        spread(field.getName(), type, names);
        spreadTypes(type, types);
      }
    }
    if (format.names()) {
      line(names, style);
    }
    if (format.types()) {
      line(types, style);
    }
    flush();
  }

  /** The names of the CSV fields of a column. */
  static void spread(String name, DataType type, List<String> to) {
    if (type.storage() instanceof TupleType tuple && !tuple.elements().isEmpty()) {
      for (int i = 0; i < tuple.elements().size(); i++) {
        spread(name + "." + tuple.elementName(i), tuple.elements().get(i).type(), to);
      }
    } else {
      to.add(name);
    }
  }

  private static void spreadTypes(DataType type, List<String> to) {
    if (type.storage() instanceof TupleType tuple && !tuple.elements().isEmpty()) {
      tuple.elements().forEach(element -> spreadTypes(element.type(), to));
    } else {
      to.add(type.text());
    }
  }

  private void line(List<String> fields, Style style) {
    for (int i = 0; i < fields.size(); i++) {
      if (i > 0) {
        buffer.put(separator);
      }
      byte[] bytes = ByteText.bytes(fields.get(i));
      ValueText.appendString(bytes, 0, bytes.length, style, buffer);
    }
    buffer.put(lineEnd);
  }

  @Override
  void row(List<FieldVector> vectors, int row) {
    for (int i = 0; i < texts.size(); i++) {
      if (i > 0) {
        buffer.put(separator);
      }
      texts.get(i).append(vectors.get(i), row, buffer);
    }
    buffer.put(lineEnd);
  }
}
