package io.coppice.parts.text;

import io.coppice.base.bytes.Memory;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.text.ByteText;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.LowCardinalityType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Defaults;
import io.coppice.parts.column.Vectors;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;

/**
 * Reads values from text into vectors being filled, as ClickHouse 26.7 reads them with its default
 * settings; numbers and dates that do not fit their type are refused instead of wrapped round.
 *
 * <p>Made once per type, then used for every row, in the order of rows. Immutable; any thread may
 * use it with a cursor and vectors of its own.
 */
abstract class ValueParser {
  /** Reads the whole text of the cursor, backslash escapes in it: a field of TSV. */
  abstract void escaped(TextCursor in, FieldVector vector, int row);

  /** Reads the whole text of the cursor as it is: a field of CSV, quotes taken off. */
  abstract void plain(TextCursor in, FieldVector vector, int row);

  /** Reads a value inside an array, tuple or map, up to what is not part of it. */
  abstract void inner(TextCursor in, FieldVector vector, int row);

  /** Reads a value of JSON, up to what is not part of it. */
  abstract void json(TextCursor in, FieldVector vector, int row);

  /**
   * The parser for a type.
   *
   * @param zone of times that name none
   */
  static ValueParser of(DataType type, ZoneId zone) {
    DataType storage = type.storage();
    if (storage instanceof LowCardinalityType t) {
      return of(t.inner(), zone);
    }
    if (storage instanceof NullableType t) {
      return t.inner() == PlainType.NOTHING ? new OfNothing() : new OfNullable(of(t.inner(), zone));
    }
    if (storage instanceof ArrayType t) {
      return new OfList(of(t.element(), zone));
    }
    if (storage instanceof MapType t) {
      return new OfMap(of(t.key(), zone), of(t.value(), zone));
    }
    if (storage instanceof TupleType t) {
      List<ValueParser> elements = new ArrayList<>();
      for (DataType.Element element : t.elements()) {
        elements.add(of(element.type(), zone));
      }
      return new OfTuple(t, elements);
    }
    if (storage == PlainType.NOTHING) {
      return new OfNothing();
    }
    return new OfLeaf(storage, LeafParser.of(storage, zone));
  }

  private static void expectEnd(TextCursor in) {
    if (!in.atEnd()) {
      throw in.error("expected the end of the value");
    }
  }

  private static final class OfLeaf extends ValueParser {
    private final DataType type;
    private final LeafParser leaf;
    private final Defaults defaults;
    private final boolean escapes;
    private final boolean string;
    private final boolean whole;

    OfLeaf(DataType type, LeafParser leaf) {
      this.type = type;
      this.leaf = leaf;
      this.defaults = Defaults.of(type);
      this.string = type == PlainType.STRING || type instanceof DataType.FixedStringType;
      this.escapes = string || type instanceof DataType.EnumType;
      this.whole = type == PlainType.BOOL || type instanceof DataType.EnumType;
    }

    @Override
    void escaped(TextCursor in, FieldVector vector, int row) {
      if (escapes) {
        int from = in.position;
        while (from < in.end && in.bytes[from] != '\\') {
          from++;
        }
        if (from < in.end) {
          in.unescapeAll();
          leaf.text(in.scratch(), 0, in.scratchSize(), vector, row);
          return;
        }
      }
      leaf.text(in.bytes, in.position, in.end, vector, row);
      in.position = in.end;
    }

    @Override
    void plain(TextCursor in, FieldVector vector, int row) {
      leaf.text(in.bytes, in.position, in.end, vector, row);
      in.position = in.end;
    }

    @Override
    void inner(TextCursor in, FieldVector vector, int row) {
      if (in.peek() == '\'') {
        in.quoted();
        leaf.text(in.scratch(), 0, in.scratchSize(), vector, row);
        return;
      }
      if (string || type instanceof DataType.EnumType) {
        throw in.error("expected a text in single quotes");
      }
      int from = in.position;
      in.skipToken();
      leaf.bare(in.bytes, from, in.position, vector, row);
    }

    @Override
    void json(TextCursor in, FieldVector vector, int row) {
      in.skipSpace();
      if (in.peek() == '"') {
        in.jsonString();
        if (in.scratchSize() == 0 && !string && !whole) {
          defaults.append(vector, row);
        } else {
          leaf.text(in.scratch(), 0, in.scratchSize(), vector, row);
        }
        return;
      }
      int from = in.position;
      if (string) {
        if (in.word("null")) {
          in.position += 4;
          defaults.append(vector, row);
          return;
        }
        in.skipJson(); // numbers, objects and arrays are kept as their text
        leaf.text(in.bytes, from, in.position, vector, row);
        return;
      }
      in.skipToken();
      if (in.position == from) {
        throw in.error("expected a value of type " + type.text());
      }
      int size = in.position - from;
      if (size == 4 && matches(in.bytes, from, "null")) {
        defaults.append(vector, row);
      } else if (type == PlainType.BOOL || in.bytes[from] < 'a' || in.bytes[from] > 'z') {
        leaf.json(in.bytes, from, in.position, vector, row);
      } else if (size == 4 && matches(in.bytes, from, "true")) {
        leaf.bare(ONE, 0, 1, vector, row);
      } else if (size == 5 && matches(in.bytes, from, "false")) {
        leaf.bare(ZERO, 0, 1, vector, row);
      } else {
        in.position = from;
        throw in.error("expected a value of type " + type.text());
      }
    }

    private static final byte[] ONE = {'1'};
    private static final byte[] ZERO = {'0'};

    private static boolean matches(byte[] bytes, int from, String word) {
      for (int i = 0; i < word.length(); i++) {
        if (bytes[from + i] != word.charAt(i)) {
          return false;
        }
      }
      return true;
    }
  }

  private static final class OfNullable extends ValueParser {
    private final ValueParser inner;
    private final byte[] tsv = {'\\', 'N'};

    OfNullable(ValueParser inner) {
      this.inner = inner;
    }

    private static void setNull(FieldVector vector, int row) {
      BitVectorHelper.unsetBit(vector.getValidityBuffer(), row);
      // Offsets of strings go on even where there is no string.
      if (vector instanceof org.apache.arrow.vector.BaseVariableWidthVector) {
        long offsets = Vectors.offsets(vector) + row * 4L;
        int end = row == 0 ? 0 : Memory.getInt(offsets);
        Memory.putInt(offsets, end);
        Memory.putInt(offsets + 4, end);
      }
    }

    private static void setValid(FieldVector vector, int row) {
      BitVectorHelper.setBit(vector.getValidityBuffer(), row);
    }

    @Override
    void escaped(TextCursor in, FieldVector vector, int row) {
      if (in.end - in.position == 2
          && in.bytes[in.position] == tsv[0]
          && in.bytes[in.position + 1] == tsv[1]) {
        in.position = in.end;
        setNull(vector, row);
        return;
      }
      inner.escaped(in, vector, row);
      setValid(vector, row);
    }

    @Override
    void plain(TextCursor in, FieldVector vector, int row) {
      inner.plain(in, vector, row);
      setValid(vector, row);
    }

    @Override
    void inner(TextCursor in, FieldVector vector, int row) {
      if (in.word("null")) {
        in.position += 4;
        setNull(vector, row);
        return;
      }
      inner.inner(in, vector, row);
      setValid(vector, row);
    }

    @Override
    void json(TextCursor in, FieldVector vector, int row) {
      in.skipSpace();
      if (in.word("null")) {
        in.position += 4;
        setNull(vector, row);
        return;
      }
      inner.json(in, vector, row);
      setValid(vector, row);
    }
  }

  private static final class OfNothing extends ValueParser {
    @Override
    void escaped(TextCursor in, FieldVector vector, int row) {
      in.position = in.end;
    }

    @Override
    void plain(TextCursor in, FieldVector vector, int row) {
      in.position = in.end;
    }

    @Override
    void inner(TextCursor in, FieldVector vector, int row) {
      in.skipToken();
    }

    @Override
    void json(TextCursor in, FieldVector vector, int row) {
      in.skipJson();
    }
  }

  /** First row of a list's elements, its start noted. */
  private static int start(FieldVector vector, int row) {
    long offsets = Vectors.offsets(vector) + row * 4L;
    int start = row == 0 ? 0 : Memory.getInt(offsets);
    if (row == 0) {
      Memory.putInt(offsets, 0);
    }
    return start;
  }

  private static void end(FieldVector vector, int row, int end) {
    Memory.putInt(Vectors.offsets(vector) + (row + 1) * 4L, end);
  }

  private static final class OfList extends ValueParser {
    private final ValueParser element;

    OfList(ValueParser element) {
      this.element = element;
    }

    @Override
    void escaped(TextCursor in, FieldVector vector, int row) {
      inner(in, vector, row);
      expectEnd(in);
    }

    @Override
    void plain(TextCursor in, FieldVector vector, int row) {
      in.skipSpace();
      inner(in, vector, row);
      in.skipSpace();
      expectEnd(in);
    }

    @Override
    void inner(TextCursor in, FieldVector vector, int row) {
      read(in, vector, row, false);
    }

    @Override
    void json(TextCursor in, FieldVector vector, int row) {
      in.skipSpace();
      if (in.word("null")) {
        in.position += 4;
        end(vector, row, start(vector, row));
        return;
      }
      read(in, vector, row, true);
    }

    private void read(TextCursor in, FieldVector vector, int row, boolean json) {
      in.expect('[', "an array in brackets");
      int at = start(vector, row);
      FieldVector elements = ((ListVector) vector).getDataVector();
      in.skipSpace();
      while (!in.accept(']')) {
        Vectors.reserve(elements, at + 1);
        if (json) {
          element.json(in, elements, at++);
        } else {
          element.inner(in, elements, at++);
        }
        in.skipSpace();
        if (!in.accept(',') && in.peek() != ']') {
          throw in.error("expected a comma or the end of the array");
        }
        in.skipSpace();
      }
      end(vector, row, at);
    }
  }

  private static final class OfMap extends ValueParser {
    private final ValueParser key;
    private final ValueParser value;

    OfMap(ValueParser key, ValueParser value) {
      this.key = key;
      this.value = value;
    }

    @Override
    void escaped(TextCursor in, FieldVector vector, int row) {
      inner(in, vector, row);
      expectEnd(in);
    }

    @Override
    void plain(TextCursor in, FieldVector vector, int row) {
      in.skipSpace();
      inner(in, vector, row);
      in.skipSpace();
      expectEnd(in);
    }

    @Override
    void inner(TextCursor in, FieldVector vector, int row) {
      read(in, vector, row, false);
    }

    @Override
    void json(TextCursor in, FieldVector vector, int row) {
      in.skipSpace();
      if (in.word("null")) {
        in.position += 4;
        end(vector, row, start(vector, row));
        return;
      }
      read(in, vector, row, true);
    }

    private void read(TextCursor in, FieldVector vector, int row, boolean json) {
      in.expect('{', "a map in braces");
      int at = start(vector, row);
      FieldVector entries = ((ListVector) vector).getDataVector();
      List<FieldVector> pair = entries.getChildrenFromFields();
      in.skipSpace();
      while (!in.accept('}')) {
        Vectors.reserve(entries, at + 1);
        if (json) {
          jsonKey(in, pair.get(0), at);
        } else {
          key.inner(in, pair.get(0), at);
        }
        in.skipSpace();
        in.expect(':', "a colon behind the key");
        in.skipSpace();
        if (json) {
          value.json(in, pair.get(1), at);
        } else {
          value.inner(in, pair.get(1), at);
        }
        at++;
        in.skipSpace();
        if (!in.accept(',') && in.peek() != '}') {
          throw in.error("expected a comma or the end of the map");
        }
        in.skipSpace();
      }
      end(vector, row, at);
    }

    /** A key of JSON is a string that holds the key's text, of tuples and arrays as well. */
    private void jsonKey(TextCursor in, FieldVector vector, int row) {
      in.skipSpace();
      in.jsonString();
      byte[] text = java.util.Arrays.copyOf(in.scratch(), in.scratchSize());
      key.plain(new TextCursor().on(text, 0, text.length), vector, row);
    }
  }

  private static final class OfTuple extends ValueParser {
    private final TupleType type;
    private final List<ValueParser> elements;
    private final List<Defaults> defaults = new ArrayList<>();
    private final boolean named;
    private final Map<String, Integer> byName = new HashMap<>();

    OfTuple(TupleType type, List<ValueParser> elements) {
      this.type = type;
      this.elements = elements;
      this.named = !elements.isEmpty() && type.elements().get(0).name().isPresent();
      for (int i = 0; i < elements.size(); i++) {
        defaults.add(Defaults.of(type.elements().get(i).type()));
        byName.put(key(ByteText.bytes(type.elementName(i))), i);
      }
    }

    private static String key(byte[] bytes) {
      return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    @Override
    void escaped(TextCursor in, FieldVector vector, int row) {
      inner(in, vector, row);
      expectEnd(in);
    }

    @Override
    void plain(TextCursor in, FieldVector vector, int row) {
      in.skipSpace();
      inner(in, vector, row);
      in.skipSpace();
      expectEnd(in);
    }

    @Override
    void inner(TextCursor in, FieldVector vector, int row) {
      in.expect('(', "a tuple in round brackets");
      List<FieldVector> children = vector.getChildrenFromFields();
      for (int i = 0; i < elements.size(); i++) {
        in.skipSpace();
        if (i > 0) {
          in.expect(',', "a comma and element " + (i + 1) + " of " + elements.size());
          in.skipSpace();
        }
        elements.get(i).inner(in, children.get(i), row);
      }
      in.skipSpace();
      if (elements.size() == 1) {
        in.accept(',');
        in.skipSpace();
      }
      in.expect(')', "the end of the tuple");
    }

    @Override
    void json(TextCursor in, FieldVector vector, int row) {
      in.skipSpace();
      List<FieldVector> children = vector.getChildrenFromFields();
      if (in.word("null")) {
        in.position += 4;
        for (int i = 0; i < elements.size(); i++) {
          defaults.get(i).append(children.get(i), row);
        }
      } else if (named) {
        object(in, children, row);
      } else {
        list(in, children, row);
      }
    }

    private void list(TextCursor in, List<FieldVector> children, int row) {
      in.expect('[', "a tuple in brackets");
      for (int i = 0; i < elements.size(); i++) {
        in.skipSpace();
        if (i > 0) {
          in.expect(',', "a comma and element " + (i + 1) + " of " + elements.size());
        }
        elements.get(i).json(in, children.get(i), row);
      }
      in.skipSpace();
      in.expect(']', "the end of the tuple");
    }

    private void object(TextCursor in, List<FieldVector> children, int row) {
      in.expect('{', "a tuple as an object");
      boolean[] seen = new boolean[elements.size()];
      in.skipSpace();
      while (!in.accept('}')) {
        in.skipSpace();
        in.jsonString();
        Integer index =
            byName.get(new String(in.scratch(), 0, in.scratchSize(), StandardCharsets.ISO_8859_1));
        in.skipSpace();
        in.expect(':', "a colon behind the name");
        if (index == null) {
          in.skipJson();
        } else if (seen[index]) {
          throw new EngineException(
              ErrorCode.INCORRECT_DATA, "element " + type.elementName(index) + " is there twice");
        } else {
          seen[index] = true;
          elements.get(index).json(in, children.get(index), row);
        }
        in.skipSpace();
        if (!in.accept(',') && in.peek() != '}') {
          throw in.error("expected a comma or the end of the object");
        }
        in.skipSpace();
      }
      for (int i = 0; i < seen.length; i++) {
        if (!seen[i]) {
          defaults.get(i).append(children.get(i), row);
        }
      }
    }
  }
}
