package io.coppice.parts.text;

import io.coppice.language.text.ByteText;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.TupleType;
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

/**
 * Lines of TSV or CSV. In CSV a column of tuples is spread over as many fields as it has elements,
 * in the line of names as well ({@code "t.1","t.2"}); an empty tuple is one empty field.
 */
final class SeparatedWriter implements BatchWriter {
  private static final int FLUSH_BYTES = 1 << 16;

  private final OutputStream out;
  private final int separator;
  private final List<ValueText> texts = new ArrayList<>();
  private final TextBuffer buffer = new TextBuffer();

  SeparatedWriter(DataFormat format, OutputStream out, Schema schema, ZoneId zone)
      throws IOException {
    this.out = out;
    Style style = format.tabs() ? Style.TSV : Style.CSV;
    this.separator = format.tabs() ? '\t' : ',';
    List<String> names = new ArrayList<>();
    List<String> types = new ArrayList<>();
    for (Field field : schema.getFields()) {
      DataType type = ArrowMapping.typeOf(field);
      texts.add(ValueText.of(type, style, zone));
      types.add(type.text());
      if (format.tabs()) {
        names.add(field.getName());
      } else {
        spread(field.getName(), type, names);
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

  private void line(List<String> fields, Style style) {
    for (int i = 0; i < fields.size(); i++) {
      if (i > 0) {
        buffer.put(separator);
      }
      byte[] bytes = ByteText.bytes(fields.get(i));
      ValueText.appendString(bytes, 0, bytes.length, style, buffer);
    }
    buffer.put('\n');
  }

  @Override
  public void write(VectorSchemaRoot batch) throws IOException {
    List<FieldVector> vectors = batch.getFieldVectors();
    int columns = vectors.size();
    int rows = batch.getRowCount();
    for (int row = 0; row < rows; row++) {
      for (int i = 0; i < columns; i++) {
        if (i > 0) {
          buffer.put(separator);
        }
        texts.get(i).append(vectors.get(i), row, buffer);
      }
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
