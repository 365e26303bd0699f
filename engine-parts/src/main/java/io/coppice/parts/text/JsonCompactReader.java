package io.coppice.parts.text;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.parse.Parser;
import io.coppice.language.text.ByteText;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Reads JSON arrays, one a row, below one of names and one of types if the format has them, or for
 * JSONCompact in the object that describes the columns.
 */
final class JsonCompactReader extends RowReader {
  private final DataFormat format;
  private final List<ColumnDefinition> columns = new ArrayList<>();
  private final List<Optional<Integer>> places = new ArrayList<>();
  private final List<ValueParser> parsers = new ArrayList<>();

  /** Whether columns and rows are parts of one object. */
  private final boolean whole;

  private boolean started;
  private boolean ended;

  JsonCompactReader(
      DataFormat format,
      InputStream in,
      String name,
      TableDefinition table,
      Options options,
      BufferAllocator allocator) {
    super(format != DataFormat.JSON_COMPACT, in, name, table, options, allocator);
    this.format = format;
    this.whole = format == DataFormat.JSON_COMPACT;
  }

  @Override
  List<ColumnDefinition> columns() {
    return columns;
  }

  private void start() throws IOException {
    started = true;
    List<String> names =
        InputColumn.ordinary(table, options).stream().map(ColumnDefinition::name).toList();
    Map<String, String> described = whole ? described() : Map.of();
    if (whole) {
      names = List.copyOf(described.keySet());
    }
    if (format.names() && find()) {
      names = texts();
    }
    Set<String> seen = new HashSet<>();
    for (String column : names) {
      if (!seen.add(column)) {
        throw EngineException.of(
            ErrorCode.DUPLICATE_COLUMN, "%s: column %s is there twice", name, column);
      }
      Optional<ColumnDefinition> known = InputColumn.named(table, column, options);
      places.add(known.map(c -> columns.size()));
      known.ifPresent(
          c -> {
            if (whole) {
              JsonWhole.check(this, c, described.get(column));
            }
            columns.add(c);
            parsers.add(ValueParser.of(c.type(), options.zone()));
          });
    }
    if (format.types() && find()) {
      checkTypes(names, texts());
    }
  }

  private void checkTypes(List<String> names, List<String> types) {
    if (types.size() != names.size()) {
      throw at(0, names.size() + " names, then " + types.size() + " types");
    }
    for (int i = 0; i < types.size(); i++) {
      if (places.get(i).isPresent()) {
        ColumnDefinition column = columns.get(places.get(i).get());
        if (!Parser.type(types.get(i)).equals(column.type())) {
          throw at(
              0,
              String.format(
                  "column %s has type %s, table %s has it as %s",
                  column.name(), types.get(i), table.name(), column.type().text()));
        }
      }
    }
  }

  /** The columns that the object around the rows describes; the first row is next then. */
  private Map<String, String> described() throws IOException {
    boolean opened = input.at(input.behindSpace(0)) == '{';
    Map<String, String> columns =
        JsonWhole.start(input, name)
            .orElseThrow(
                () ->
                    EngineException.of(
                        opened
                            ? ErrorCode.INCORRECT_DATA
                            : ErrorCode.CANNOT_PARSE_INPUT_ASSERTION_FAILED,
                        "%s, %s: expected an object with columns in \"meta\", rows in \"data\"",
                        name,
                        input.where(0)));
    input.consume(1);
    return columns;
  }

  @Override
  boolean findRow() throws IOException {
    if (!started) {
      start();
    }
    return !ended && find();
  }

  /** Moves to the next row's bracket; false at the end. */
  private boolean find() throws IOException {
    int i = 0;
    while (input.available(i)) {
      int b = input.at(i);
      if (b == '[') {
        input.consume(i);
        return true;
      }
      if (whole && b == ']') {
        ended = true;
        int behind = input.behindSpace(i + 1);
        if (input.at(behind) != '}' && input.at(behind) != ',') {
          throw at(behind, "expected a comma or the end of the object behind its rows");
        }
        return false;
      }
      if (b != ' ' && b != '\t' && b != '\n' && b != '\r' && b != ',') {
        throw at(i, "expected an array in brackets, one a row");
      }
      i++;
    }
    if (whole) {
      throw at(i, "the input ends among its rows");
    }
    input.consume(i);
    return false;
  }

  /** The texts of the array of texts that stands next. */
  private List<String> texts() throws IOException {
    int size = rowSize("array");
    segments.ifPresent(s -> s.head(1));
    List<String> texts = new ArrayList<>();
    cursor.on(input.bytes(), input.start(), input.start() + size);
    cursor.expect('[', "an array");
    cursor.skipSpace();
    while (!cursor.accept(']')) {
      cursor.jsonString();
      texts.add(ByteText.of(Arrays.copyOf(cursor.scratch(), cursor.scratchSize())));
      cursor.skipSpace();
      cursor.accept(',');
      cursor.skipSpace();
    }
    input.consume(size);
    return texts;
  }

  @Override
  void row(RowBatch batch) throws IOException {
    int size = rowSize("array");
    int row = batch.row();
    cursor.on(input.bytes(), input.start(), input.start() + size);
    int i = 0;
    try {
      cursor.expect('[', "an array");
      for (; i < places.size(); i++) {
        cursor.skipSpace();
        if (i > 0) {
          cursor.expect(',', "a comma and value " + (i + 1) + " of " + places.size());
          cursor.skipSpace();
        }
        value(batch, places.get(i), row);
      }
      cursor.skipSpace();
      cursor.expect(']', "the end of the row behind " + places.size() + " values");
    } catch (EngineException e) {
      String label =
          i < places.size() && places.get(i).isPresent()
              ? ", " + columns.get(places.get(i).get()).name()
              : "";
      throw e.within(name + ", " + input.where(cursor.position - input.start()) + label);
    }
    batch.endRow();
    input.consume(size);
  }

  private void value(RowBatch batch, Optional<Integer> place, int row) {
    if (place.isEmpty()) {
      cursor.skipJson();
      return;
    }
    int column = place.get();
    boolean lacks =
        cursor.word("null")
            && !columns.get(column).type().nullable()
            && options.settings().is(FormatSetting.NULL_AS_DEFAULT);
    if (lacks) {
      cursor.position += "null".length();
      batch.missing(column);
    } else {
      parsers.get(column).json(cursor, batch.vector(column), row);
    }
  }
}
