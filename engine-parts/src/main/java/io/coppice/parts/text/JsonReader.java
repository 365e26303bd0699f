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
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Reads JSON objects, one a row: behind each other, on lines, between commas, or in one array.
 *
 * <p>Read by hand, byte by byte: strings of ClickHouse need not be UTF-8, which libraries for JSON
 * refuse or replace.
 */
final class JsonReader implements BatchReader {
  private static final long MOST_BATCH_BYTES = 64L << 20;
  private static final int BUFFER_BYTES = 1 << 20;
  private static final int MOST_DEPTH = 1000;

  private final String name;
  private final TableDefinition table;
  private final Options options;
  private final BufferAllocator allocator;
  private final RecordInput input;
  private final Segments segments;
  private final TextCursor cursor = new TextCursor();
  private final List<ColumnDefinition> columns = new ArrayList<>();
  private final List<ValueParser> parsers = new ArrayList<>();
  private final List<Boolean> nullable = new ArrayList<>();
  private final Map<String, Integer> byName = new HashMap<>();
  private boolean started;
  private boolean array;
  private boolean ended;

  JsonReader(
      InputStream in,
      String name,
      TableDefinition table,
      Options options,
      BufferAllocator allocator) {
    this.input = new RecordInput(in, BUFFER_BYTES);
    this.segments = new Segments(options.segment());
    this.name = name;
    this.table = table;
    this.options = options;
    this.allocator = allocator;
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

  private EngineException at(int place, String message) {
    return EngineException.of(
        ErrorCode.INCORRECT_DATA, "%s, %s: %s", name, input.where(place), message);
  }

  /** Passes over space and what stands between objects; whether an object is next. */
  private boolean findObject() throws IOException {
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

  /** Size of the object at the start of the record. */
  private int objectSize() throws IOException {
    int depth = 0;
    int i = 0;
    boolean string = false;
    while (true) {
      if (!input.available(i)) {
        throw at(0, "expected the end of the object that starts here");
      }
      byte[] bytes = input.bytes();
      int start = input.start();
      int size = input.size();
      for (; i < size; i++) {
        byte b = bytes[start + i];
        if (string) {
          if (b == '\\') {
            i++;
          } else if (b == '"') {
            string = false;
          }
        } else if (b == '"') {
          string = true;
        } else if (b == '{' || b == '[') {
          if (++depth > MOST_DEPTH) {
            throw at(i, "nested deeper than " + MOST_DEPTH + " levels");
          }
        } else if (b == '}' || b == ']') {
          if (--depth == 0) {
            return i + 1;
          }
        }
      }
    }
  }

  @Override
  public boolean blockEnds() {
    return segments.ended();
  }

  @Override
  public Optional<VectorSchemaRoot> next() throws IOException {
    if (!findObject()) {
      return Optional.empty();
    }
    RowBatch batch =
        new RowBatch(table, columns, options, Math.min(options.batchRows(), 1024), allocator);
    boolean done = false;
    String start = input.where(0);
    try {
      long from = input.consumed();
      boolean more = true;
      while (more && batch.rows() < options.batchRows()) {
        row(batch);
        more =
            !segments.row(input.consumed())
                && input.consumed() - from < MOST_BATCH_BYTES
                && findObject();
      }
      VectorSchemaRoot root = batch.finish();
      done = true;
      return Optional.of(root);
    } catch (EngineException e) {
      throw e.getMessage().startsWith(name + ", line")
          ? e
          : e.within(name + ", from " + start + " on");
    } finally {
      if (!done) {
        batch.close();
      }
    }
  }

  private void row(RowBatch batch) throws IOException {
    int size = objectSize();
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

  @Override
  public void close() {}
}
