package io.coppice.parts.text;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.text.ByteText;
import io.coppice.language.type.DataType;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Reads JSON objects, one a row: behind each other, on lines, between commas, in one array, or for
 * the format JSON in the object that describes the columns too.
 *
 * <p>Read by hand, byte by byte: strings of ClickHouse need not be UTF-8, which libraries for JSON
 * refuse or replace.
 */
final class JsonReader extends RowReader {
  private final List<ColumnDefinition> columns = new ArrayList<>();
  private final List<ValueParser> parsers = new ArrayList<>();
  private final List<Boolean> nullable = new ArrayList<>();
  private final Map<String, Integer> byName = new HashMap<>();
  private boolean started;
  private boolean array;
  private boolean ended;

  /** Whether columns and rows may be parts of one object. */
  private final boolean whole;

  /** Whether they are. */
  private boolean within;

  JsonReader(
      DataFormat format,
      InputStream in,
      String name,
      TableDefinition table,
      Options options,
      BufferAllocator allocator) {
    super(format == DataFormat.JSON_EACH_ROW, in, name, table, options, allocator);
    this.whole = format == DataFormat.JSON;
    for (ColumnDefinition column : table.columns()) {
      boolean given =
          column.defaultKind() == io.coppice.language.statement.Column.DefaultKind.DEFAULT
              || column.defaultKind() == io.coppice.language.statement.Column.DefaultKind.EPHEMERAL;
      given &= options.columns().isEmpty() || options.columns().contains(column.name());
      if (given && ArrowMapping.readable(column.type())) {
        byName.put(latin(ByteText.bytes(column.name())), columns.size());
        columns.add(column);
        parsers.add(ValueParser.of(column.type(), options.zone()));
        nullable.add(holdsNull(column.type()));
      }
    }
  }

  private static boolean holdsNull(DataType type) {
    return type.nullable();
  }

  private static String latin(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Override
  List<ColumnDefinition> columns() {
    return columns;
  }

  /** Passes over space and what stands between objects; whether an object is next. */
  @Override
  boolean findRow() throws IOException {
    if (whole && !started && !within) {
      Optional<Map<String, String>> described = JsonWhole.start(input, name);
      within = described.isPresent();
      described
          .orElse(Map.of())
          .forEach(
              (column, type) ->
                  table.column(column).ifPresent(c -> JsonWhole.check(this, c, type)));
    }
    int commas = 0;
    int i = 0;
    while (!ended) {
      int b = input.at(i);
      if (b < 0) {
        if (array) {
          throw at(i, "the input ends inside its array");
        }
        ended = true;
      } else if (b == ' ' || b == '\t' || b == '\n' || b == '\r') {
        i++;
      } else if (b == ',' && started && commas == 0) {
        commas++;
        i++;
      } else if (b == '[' && !started) {
        started = true;
        array = true;
        commas++; // no comma before the first object
        i++;
      } else if (b == ']' && array) {
        array = false;
        if (within) {
          endWhole(i + 1);
          return false;
        }
        int rest = i + 1;
        for (int c = input.at(rest); c >= 0; c = input.at(++rest)) {
          if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
            throw at(rest, "expected the end behind the array");
          }
        }
        ended = true;
      } else if (b == '{') {
        started = true;
        input.consume(i);
        return true;
      } else if (b == 0xEF && !started && input.at(i + 1) == 0xBB && input.at(i + 2) == 0xBF) {
        i += 3; // a byte order mark
      } else {
        throw at(i, "expected an object in braces, one a row");
      }
    }
    return false;
  }

  /** Checks that the object around the rows goes on or ends; the rest of it does not matter. */
  private void endWhole(int place) throws IOException {
    ended = true;
    int behind = input.behindSpace(place);
    if (input.at(behind) != '}' && input.at(behind) != ',') {
      throw at(behind, "expected a comma or the end of the object behind its rows");
    }
  }

  @Override
  void row(RowBatch batch) throws IOException {
    int size = rowSize("object");
    int row = batch.row();
    boolean[] seen = new boolean[columns.size()];
    cursor.on(input.bytes(), input.start(), input.start() + size);
    String label = "";
    try {
      cursor.expect('{', "an object");
      cursor.skipSpace();
      while (!cursor.accept('}')) {
        label = "";
        cursor.jsonString();
        String key = latin(java.util.Arrays.copyOf(cursor.scratch(), cursor.scratchSize()));
        label = ", " + ByteText.of(key.getBytes(StandardCharsets.ISO_8859_1));
        cursor.skipSpace();
        cursor.expect(':', "a colon behind the name");
        value(batch, key, seen, row);
        cursor.skipSpace();
        if (!cursor.accept(',') && cursor.peek() != '}') {
          throw cursor.error("expected a comma or the end of the object");
        }
        cursor.skipSpace();
      }
    } catch (EngineException e) {
      throw e.within(name + ", " + input.where(cursor.position - input.start()) + label);
    }
    for (int i = 0; i < seen.length; i++) {
      if (!seen[i]) {
        batch.missing(i);
      }
    }
    batch.endRow();
    input.consume(size);
  }

  private void value(RowBatch batch, String key, boolean[] seen, int row) {
    Integer index = byName.get(key);
    if (index == null) {
      String column = ByteText.of(key.getBytes(StandardCharsets.ISO_8859_1));
      if (!options.skipUnknown()) {
        InputColumn.named(table, column, options); // throws: what is not in byName cannot be given
        throw InputColumn.unknown(table, column);
      }
      cursor.skipJson();
      return;
    }
    if (seen[index]) {
      throw new EngineException(ErrorCode.INCORRECT_DATA, "the name is there twice");
    }
    cursor.skipSpace();
    if (cursor.word("null")
        && !nullable.get(index)
        && options.settings().is(FormatSetting.NULL_AS_DEFAULT)) {
      cursor.position += 4;
      return; // stands for the default
    }
    seen[index] = true;
    parsers.get(index).json(cursor, batch.vector(index), row);
  }
}
