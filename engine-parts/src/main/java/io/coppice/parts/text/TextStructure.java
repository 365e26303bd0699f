package io.coppice.parts.text;

import io.coppice.language.text.ByteText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The columns of an input of text, from its lines of names and types or from what its first rows
 * look like: numbers, dates, times, texts, in JSON truth values and arrays as well.
 */
final class TextStructure {
  private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]{1,18}");
  private static final Pattern FLOAT =
      Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(inf|nan)");
  private static final Pattern DATE = Pattern.compile("[0-9]{4}-[01][0-9]-[0-3][0-9]");
  private static final Pattern TIME =
      Pattern.compile("[0-9]{4}-[01][0-9]-[0-3][0-9][ T][0-2][0-9]:[0-5][0-9]:[0-5][0-9]");
  private static final Pattern FINE_TIME =
      Pattern.compile(
          "[0-9]{4}-[01][0-9]-[0-3][0-9][ T][0-2][0-9]:[0-5][0-9]:[0-5][0-9]\\.[0-9]{1,9}");

  private final DataFormat format;
  private final String name;
  private final FormatSettings settings;

  private TextStructure(DataFormat format, String name, FormatSettings settings) {
    this.format = format;
    this.name = name;
    this.settings = settings;
  }

  /**
   * The columns that the head of an input shows.
   *
   * @param whole whether the head is all of it
   */
  static String of(
      DataFormat format, byte[] head, boolean whole, String name, FormatSettings settings)
      throws IOException {
    int end = head.length;
    while (!whole && end > 0 && head[end - 1] != '\n') {
      end--; // the last line may be cut
    }
    byte[] lines = Arrays.copyOf(head, end);
    TextStructure structure = new TextStructure(format, name, settings);
    if (format.separated()) {
      return structure.separated(lines);
    }
    return structure.json(lines);
  }

  /** What values of a column may be, from the narrowest on. */
  private static String guess(String text, boolean quoted) {
    if (!quoted && INTEGER.matcher(text).matches()) {
      return "Int64";
    }
    if (!quoted && FLOAT.matcher(text).matches()) {
      return "Float64";
    }
    if (!quoted && (text.equals("true") || text.equals("false"))) {
      return "Bool";
    }
    if (DATE.matcher(text).matches()) {
      return "Date";
    }
    if (TIME.matcher(text).matches()) {
      return "DateTime";
    }
    return FINE_TIME.matcher(text).matches() ? "DateTime64(9)" : "String";
  }

  private static String common(String a, String b) {
    if (a == null || a.equals(b)) {
      return b;
    }
    if (b == null) {
      return a;
    }
    List<String> numbers = List.of("Int64", "Float64");
    List<String> times = List.of("Date", "DateTime", "DateTime64(9)");
    for (List<String> family : List.of(numbers, times)) {
      if (family.contains(a) && family.contains(b)) {
        return family.get(Math.max(family.indexOf(a), family.indexOf(b)));
      }
    }
    return "String";
  }

  private static String type(String guess) {
    if (guess == null) {
      return "Nullable(String)";
    }
    return guess.startsWith("Array") ? guess : "Nullable(" + guess + ")";
  }

  private String separated(byte[] lines) throws IOException {
    SeparatedLines all = new SeparatedLines(format, new ByteArrayInputStream(lines), settings);
    List<SeparatedLines.FieldText> first = all.next();
    if (first.isEmpty()) {
      throw StructureReader.unknown(format, name, "it has no line");
    }
    List<String> names = first.stream().map(SeparatedLines.FieldText::text).toList();
    if (format.types()) {
      List<String> types = all.next().stream().map(SeparatedLines.FieldText::text).toList();
      if (types.size() != names.size()) {
        throw StructureReader.unknown(format, name, "it has not as many types as names");
      }
      return StructureReader.columns(names, types);
    }
    List<List<SeparatedLines.FieldText>> rows = new ArrayList<>();
    if (!format.names()) {
      rows.add(first);
    }
    for (List<SeparatedLines.FieldText> row = all.next(); !row.isEmpty(); row = all.next()) {
      rows.add(row);
    }
    String[] found = guesses(rows, names.size());
    boolean header = !format.names() && header(rows, names, found);
    if (header) {
      found = guesses(rows.subList(1, rows.size()), names.size());
    }
    List<String> columns = new ArrayList<>();
    List<String> types = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      columns.add(format.names() || header ? names.get(i) : "c" + (i + 1));
      types.add(type(found[i]));
    }
    return StructureReader.columns(columns, types);
  }

  /** Whether the first of several lines has texts where the others have something else. */
  private boolean header(
      List<List<SeparatedLines.FieldText>> rows, List<String> names, String[] all) {
    boolean may =
        settings.is(
            format.tabs() ? FormatSetting.TSV_DETECT_HEADER : FormatSetting.CSV_DETECT_HEADER);
    if (!may || rows.size() < 2) {
      return false;
    }
    String[] others = guesses(rows.subList(1, rows.size()), names.size());
    boolean texts = names.stream().allMatch(text -> guess(text, false).equals("String"));
    return texts && !Arrays.equals(others, all);
  }

  private String[] guesses(List<List<SeparatedLines.FieldText>> rows, int columns) {
    String[] found = new String[columns];
    for (List<SeparatedLines.FieldText> row : rows) {
      if (row.size() != columns) {
        throw StructureReader.unknown(
            format, name, "a row has " + row.size() + " fields, the first line has " + columns);
      }
      for (int i = 0; i < columns; i++) {
        SeparatedLines.FieldText field = row.get(i);
        if (!field.isNull()) {
          found[i] = common(found[i], guess(field.text(), field.quoted() && !format.tabs()));
        }
      }
    }
    return found;
  }

  private String json(byte[] text) {
    TextCursor cursor = new TextCursor().on(text, 0, text.length);
    Map<String, String> found = new LinkedHashMap<>();
    List<String> names = new ArrayList<>();
    boolean head = format.names();
    cursor.skipSpace();
    boolean objects = format == DataFormat.JSON_EACH_ROW || format == DataFormat.JSON;
    boolean list = objects && cursor.accept('[');
    while (true) {
      cursor.skipSpace();
      while (cursor.accept(',')) {
        cursor.skipSpace();
      }
      if (cursor.atEnd() || list && cursor.accept(']')) {
        break;
      }
      if (objects) {
        object(cursor, found);
      } else if (head) {
        names.addAll(texts(cursor));
        head = false;
        if (format.types()) {
          cursor.skipSpace();
          return StructureReader.columns(names, texts(cursor));
        }
      } else {
        array(cursor, names, found);
      }
    }
    if (found.isEmpty()) {
      throw StructureReader.unknown(format, name, "it has no row");
    }
    return StructureReader.columns(
        List.copyOf(found.keySet()), found.values().stream().map(TextStructure::type).toList());
  }

  private List<String> texts(TextCursor cursor) {
    List<String> texts = new ArrayList<>();
    cursor.expect('[', "an array of texts");
    cursor.skipSpace();
    while (!cursor.accept(']')) {
      cursor.jsonString();
      texts.add(scratch(cursor));
      cursor.skipSpace();
      cursor.accept(',');
      cursor.skipSpace();
    }
    return texts;
  }

  private static String scratch(TextCursor cursor) {
    return ByteText.of(Arrays.copyOf(cursor.scratch(), cursor.scratchSize()));
  }

  private void object(TextCursor cursor, Map<String, String> found) {
    cursor.expect('{', "an object, one a row");
    cursor.skipSpace();
    while (!cursor.accept('}')) {
      cursor.jsonString();
      String key = scratch(cursor);
      cursor.skipSpace();
      cursor.expect(':', "a colon behind the name");
      note(found, key, value(cursor));
      cursor.skipSpace();
      cursor.accept(',');
      cursor.skipSpace();
    }
  }

  private void array(TextCursor cursor, List<String> names, Map<String, String> found) {
    cursor.expect('[', "an array, one a row");
    cursor.skipSpace();
    for (int i = 0; !cursor.accept(']'); i++) {
      String key = i < names.size() ? names.get(i) : "c" + (i + 1);
      note(found, key, value(cursor));
      cursor.skipSpace();
      cursor.accept(',');
      cursor.skipSpace();
    }
  }

  private void note(Map<String, String> found, String key, String guess) {
    String before = found.get(key);
    boolean arrays = guess != null && before != null && guess.startsWith("Array");
    if (arrays != (before != null && before.startsWith("Array")) && guess != null) {
      throw StructureReader.unknown(
          format, name, "column " + key + " holds arrays in some rows and not in others");
    }
    boolean emptier = arrays && guess.equals("Array(Nullable(String))");
    found.put(key, arrays ? (emptier ? before : guess) : common(before, guess));
  }

  /** What the value that stands next may be; null where it is null. */
  private String value(TextCursor cursor) {
    cursor.skipSpace();
    if (cursor.peek() == '"') {
      cursor.jsonString();
      return guess(scratch(cursor), true);
    }
    if (cursor.peek() == '{') {
      throw StructureReader.unknown(format, name, "it has objects inside of rows");
    }
    if (cursor.accept('[')) {
      String element = null;
      cursor.skipSpace();
      while (!cursor.accept(']')) {
        element = common(element, value(cursor));
        cursor.skipSpace();
        cursor.accept(',');
        cursor.skipSpace();
      }
      return "Array(" + type(element) + ")";
    }
    int from = cursor.position;
    cursor.skipToken();
    String text =
        new String(
            cursor.bytes, from, cursor.position - from, java.nio.charset.StandardCharsets.UTF_8);
    if (text.isEmpty()) {
      throw cursor.error("expected a value");
    }
    return text.equals("null") ? null : guess(text, false);
  }
}
