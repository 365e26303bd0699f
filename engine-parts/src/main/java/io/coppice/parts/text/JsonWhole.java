package io.coppice.parts.text;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.parse.Parser;
import io.coppice.language.text.ByteText;
import io.coppice.parts.table.ColumnDefinition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What stands around the rows of one JSON object with all of them: {@code {"meta": [{"name": "a",
 * "type": "UInt8"}], "data": [ … ], "rows": 1}}. As 26.7 reads it: the columns come first, what
 * stands between them and the rows is passed over, and what comes behind the rows is not looked at.
 */
final class JsonWhole {
  private static final String META = "meta";
  private static final String DATA = "data";

  private final RecordInput input;
  private final String name;
  private final TextCursor cursor = new TextCursor();
  private int place;

  private JsonWhole(RecordInput input, String name) {
    this.input = input;
    this.name = name;
  }

  /**
   * Reads names and types of the columns and goes to the array of rows, whose bracket stands next
   * then.
   *
   * @param name of the input, for messages
   * @return empty if the input is no such object; nothing is consumed then
   */
  static Optional<Map<String, String>> start(RecordInput input, String name) throws IOException {
    JsonWhole whole = new JsonWhole(input, name);
    Optional<Map<String, String>> columns = whole.columns();
    if (columns.isPresent()) {
      input.consume(whole.place);
    }
    return columns;
  }

  private Optional<Map<String, String>> columns() throws IOException {
    place = input.behindSpace(0);
    if (!passes('{') || !META.equals(key().orElse("")) || input.at(place) != '[') {
      return Optional.empty();
    }
    int behind = input.behindBrackets(place, false, name);
    Optional<Map<String, String>> columns = behind < 0 ? Optional.empty() : described(behind);
    place = behind;
    while (columns.isPresent()) {
      place = input.behindSpace(place);
      Optional<String> key = passes(',') ? key() : Optional.empty();
      if (key.isEmpty()) {
        return Optional.empty();
      }
      if (key.get().equals(DATA)) {
        return input.at(place) == '[' ? columns : Optional.empty();
      }
      place = behindValue();
    }
    return columns;
  }

  private boolean passes(int expected) throws IOException {
    if (input.at(place) != expected) {
      return false;
    }
    place = input.behindSpace(place + 1);
    return true;
  }

  /** The name that stands next, and the colon behind it passed over. */
  private Optional<String> key() throws IOException {
    if (input.at(place) != '"') {
      return Optional.empty();
    }
    int start = place;
    int end = behindString();
    if (end < 0) {
      return Optional.empty();
    }
    String key = text(start, end);
    place = input.behindSpace(end);
    return passes(':') ? Optional.of(key) : Optional.empty();
  }

  private int behindString() throws IOException {
    for (int i = place + 1; input.available(i); i++) {
      int b = input.at(i);
      if (b == '\\') {
        i++;
      } else if (b == '"') {
        return i + 1;
      }
    }
    return -1;
  }

  private int behindValue() throws IOException {
    int first = input.at(place);
    if (first == '"') {
      return Math.max(place, behindString());
    }
    if (first == '[' || first == '{') {
      return Math.max(place, input.behindBrackets(place, false, name));
    }
    int i = place;
    while (input.at(i) >= 0 && ",}".indexOf(input.at(i)) < 0) {
      i++;
    }
    return i;
  }

  private String text(int start, int end) {
    on(start, end);
    cursor.jsonString();
    return ByteText.of(Arrays.copyOf(cursor.scratch(), cursor.scratchSize()));
  }

  private void on(int start, int end) {
    int first = input.start();
    cursor.on(input.bytes(), first + start, first + end);
  }

  /** Names and types of the array of descriptions that ends there, if it is one. */
  private Optional<Map<String, String>> described(int behind) {
    on(place, behind);
    Map<String, String> columns = new LinkedHashMap<>();
    try {
      cursor.expect('[', "the columns");
      cursor.skipSpace();
      while (!cursor.accept(']')) {
        Map<String, String> fields = fields();
        if (fields.size() != 2 || !fields.containsKey("name") || !fields.containsKey("type")) {
          return Optional.empty();
        }
        String column = fields.get("name");
        if (columns.put(column, fields.get("type")) != null) {
          throw EngineException.of(
              ErrorCode.INCORRECT_DATA, "%s: column %s is described twice", name, column);
        }
        cursor.skipSpace();
        cursor.accept(',');
        cursor.skipSpace();
      }
    } catch (EngineException e) {
      if (columns.isEmpty() || e.getMessage().startsWith(name)) {
        throw e;
      }
      return Optional.empty();
    }
    return columns.isEmpty() ? Optional.empty() : Optional.of(columns);
  }

  private Map<String, String> fields() {
    Map<String, String> fields = new LinkedHashMap<>();
    cursor.expect('{', "a column");
    cursor.skipSpace();
    while (!cursor.accept('}')) {
      List<String> pair = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        cursor.jsonString();
        pair.add(ByteText.of(Arrays.copyOf(cursor.scratch(), cursor.scratchSize())));
        cursor.skipSpace();
        if (i == 0) {
          cursor.expect(':', "a colon behind the name");
          cursor.skipSpace();
        }
      }
      fields.put(pair.get(0), pair.get(1));
      cursor.accept(',');
      cursor.skipSpace();
    }
    return fields;
  }

  /**
   * Checks that a column is described as what it is.
   *
   * @throws EngineException INCORRECT_DATA
   */
  static void check(RowReader reader, ColumnDefinition column, String type) {
    if (!Parser.type(type).equals(column.type())) {
      throw EngineException.of(
          ErrorCode.INCORRECT_DATA,
          "%s: column %s has type %s, table %s has it as %s",
          reader.name,
          column.name(),
          type,
          reader.table.name(),
          column.type().text());
    }
  }
}
