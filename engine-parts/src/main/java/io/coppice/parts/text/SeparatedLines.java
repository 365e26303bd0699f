package io.coppice.parts.text;

import io.coppice.language.text.ByteText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The fields of lines of TSV and CSV as texts, to look at. Confined to one thread. */
final class SeparatedLines {
  private final boolean tabs;
  private final boolean escapes;
  private final int separator;
  private final String nullText;
  private final RecordInput input;

  /**
   * A field.
   *
   * @param isNull whether it stands for no value
   */
  record FieldText(String text, boolean quoted, boolean isNull) {}

  SeparatedLines(DataFormat format, InputStream in, FormatSettings settings) throws IOException {
    this.tabs = format.tabs();
    this.escapes = format.family() == DataFormat.Family.TABS;
    this.separator = tabs ? '\t' : settings.text(FormatSetting.CSV_DELIMITER).charAt(0);
    this.nullText = settings.text(tabs ? FormatSetting.TSV_NULL : FormatSetting.CSV_NULL);
    this.input = new RecordInput(in, 1 << 16);
    long skipped =
        settings.number(
            tabs ? FormatSetting.TSV_SKIP_FIRST_LINES : FormatSetting.CSV_SKIP_FIRST_LINES);
    for (long i = 0; i < skipped; i++) {
      next();
    }
  }

  /** The fields of the next line; none at the end. */
  List<FieldText> next() throws IOException {
    List<FieldText> fields = new ArrayList<>();
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    boolean quoted = false;
    boolean inside = false;
    int i = 0;
    if (!input.available(0)) {
      return fields;
    }
    while (true) {
      int b = input.at(i);
      if (b < 0 || !inside && (b == separator || b == '\n')) {
        fields.add(field(text.toByteArray(), quoted));
        text.reset();
        quoted = false;
        inside = false;
        i++;
        if (b != separator) {
          input.consume(Math.min(i, input.size()));
          return fields;
        }
      } else if (!tabs && b == '"' && (inside || text.size() == 0)) {
        if (inside && input.at(i + 1) == '"') {
          text.write('"');
          i++;
        } else {
          quoted = true;
          inside = !inside;
        }
        i++;
      } else {
        text.write(b);
        i++;
      }
    }
  }

  private FieldText field(byte[] bytes, boolean quoted) {
    byte[] value = bytes;
    if (!tabs && !quoted) {
      int end = value.length;
      while (end > 0 && (value[end - 1] == '\r' || value[end - 1] == ' ')) {
        end--;
      }
      value = Arrays.copyOf(value, end);
    }
    String plain = ByteText.of(value);
    boolean isNull = !quoted && (plain.equals(nullText) || !tabs && plain.isEmpty());
    if (escapes) {
      TextCursor cursor = new TextCursor().on(value, 0, value.length);
      cursor.unescapeAll();
      plain = ByteText.of(Arrays.copyOf(cursor.scratch(), cursor.scratchSize()));
    }
    return new FieldText(plain, quoted, isNull);
  }
}
