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
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Reads JSON arrays, one a row, below one of names and one of types if the format has them. */
final class JsonCompactReader implements BatchReader {
  private static final long MOST_BATCH_BYTES = 64L << 20;
  private static final int BUFFER_BYTES = 1 << 20;
  private static final int MOST_DEPTH = 1000;

  private final DataFormat format;
  private final String name;
  private final TableDefinition table;
  private final Options options;
  private final BufferAllocator allocator;
  private final RecordInput input;
  private final Segments segments;
  private final TextCursor cursor = new TextCursor();
  private final List<ColumnDefinition> columns = new ArrayList<>();
  private final List<Optional<Integer>> places = new ArrayList<>();
  private final List<ValueParser> parsers = new ArrayList<>();
  private boolean started;

  JsonCompactReader(
      DataFormat format,
      InputStream in,
      String name,
      TableDefinition table,
      Options options,
      BufferAllocator allocator) {
    this.format = format;
    this.input = new RecordInput(in, BUFFER_BYTES);
    this.segments = new Segments(options.segment());
    this.name = name;
    this.table = table;
    this.options = options;
    this.allocator = allocator;
  }

  private void start() throws IOException {
    started = true;
    List<String> names =
        InputColumn.ordinary(table, options).stream().map(ColumnDefinition::name).toList();
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

  private EngineException at(int place, String message) {
    return EngineException.of(
        ErrorCode.INCORRECT_DATA, "%s, %s: %s", name, input.where(place), message);
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
      if (b != ' ' && b != '\t' && b != '\n' && b != '\r' && b != ',') {
        throw at(i, "expected an array in brackets, one a row");
      }
      i++;
    }
    input.consume(i);
    return false;
  }

  /** Size of the array at the start of the record. */
  private int size() throws IOException {
    int depth = 0;
    boolean string = false;
    for (int i = 0; input.available(i); i++) {
      int b = input.at(i);
      if (string) {
        if (b == '\\') {
          i++;
        } else {
          string = b != '"';
        }
      } else if (b == '"') {
        string = true;
      } else if (b == '[' || b == '{') {
        if (++depth > MOST_DEPTH) {
          throw at(i, "nested deeper than " + MOST_DEPTH + " levels");
        }
      } else if ((b == ']' || b == '}') && --depth == 0) {
        return i + 1;
      }
    }
    throw at(0, "expected the end of the array that starts here");
  }

  /** The texts of the array of texts that stands next. */
  private List<String> texts() throws IOException {
    int size = size();
    segments.head(1);
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
  public boolean blockEnds() {
    return segments.ended();
  }

  @Override
  public Optional<VectorSchemaRoot> next() throws IOException {
    if (!started) {
      start();
    }
    if (!find()) {
      return Optional.empty();
    }
    RowBatch batch =
        new RowBatch(table, columns, options, Math.min(options.batchRows(), 1024), allocator);
    boolean done = false;
    try {
      long from = input.consumed();
      boolean more = true;
      while (more && batch.rows() < options.batchRows()) {
        row(batch);
        more =
            !segments.row(input.consumed()) && input.consumed() - from < MOST_BATCH_BYTES && find();
      }
      VectorSchemaRoot root = batch.finish();
      done = true;
      return Optional.of(root);
    } finally {
      if (!done) {
        batch.close();
      }
    }
  }

  private void row(RowBatch batch) throws IOException {
    int size = size();
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

  @Override
  public void close() {}
}
