package io.coppice.parts.text;

import io.coppice.base.bytes.Memory;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.parts.text.ValueText.Style;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;

/**
 * Values of JSON in the ways in which formats want them: on one line, as texts in quotes, or
 * containers over many lines. Immutable; any thread may use it.
 */
abstract class JsonValues extends ValueText {
  /** Values on one line. */
  static JsonValues plain(DataType type, BatchWriter.Options options) {
    return new Plain(ValueText.of(type, Style.JSON, options.zone(), options.settings()));
  }

  /** Values as texts, all of them in quotes. */
  static JsonValues texts(DataType type, BatchWriter.Options options) {
    return new Texts(ValueText.of(type, Style.SHOWN, options.zone(), options.settings()));
  }

  /**
   * Values whose containers are spread over lines.
   *
   * @param indent what a level is moved in by
   * @param depth levels that the value stands in already
   */
  static JsonValues indented(DataType type, BatchWriter.Options options, String indent, int depth) {
    DataType storage = type.storage();
    if (storage instanceof ArrayType array && container(array.element())) {
      return new Listed(indented(array.element(), options, indent, depth + 1), indent, depth);
    }
    if (storage instanceof MapType map) {
      return new Mapped(
          ValueText.jsonMapKey(map.key(), options.zone(), options.settings()),
          indented(map.value(), options, indent, depth + 1),
          indent,
          depth);
    }
    if (storage instanceof TupleType tuple) {
      List<JsonValues> elements = new ArrayList<>();
      List<byte[]> names = new ArrayList<>();
      boolean named =
          !tuple.elements().isEmpty()
              && tuple.elements().get(0).name().isPresent()
              && options.settings().is(FormatSetting.JSON_NAMED_TUPLES);
      for (int i = 0; i < tuple.elements().size(); i++) {
        elements.add(indented(tuple.elements().get(i).type(), options, indent, depth + 1));
        if (named) {
          names.add(ValueText.jsonKey(tuple.elementName(i)));
        }
      }
      return new Tupled(elements, names, indent, depth);
    }
    return plain(type, options);
  }

  /** Whether values of a type hold others. */
  static boolean container(DataType type) {
    DataType storage = type.storage();
    return storage instanceof ArrayType
        || storage instanceof MapType
        || storage instanceof TupleType;
  }

  private static void line(TextBuffer to, String indent, int depth) {
    to.put('\n');
    for (int i = 0; i < depth; i++) {
      to.put(indent);
    }
  }

  private static final class Plain extends JsonValues {
    private final ValueText text;

    Plain(ValueText text) {
      this.text = text;
    }

    @Override
    public void append(FieldVector vector, int row, TextBuffer to) {
      text.append(vector, row, to);
    }
  }

  private static final class Texts extends JsonValues {
    private final ValueText text;

    Texts(ValueText text) {
      this.text = text;
    }

    @Override
    public void append(FieldVector vector, int row, TextBuffer to) {
      TextBuffer value = new TextBuffer();
      text.append(vector, row, value);
      ValueText.appendString(value.array(), 0, value.size(), Style.JSON, to);
    }
  }

  private static final class Listed extends JsonValues {
    private final JsonValues element;
    private final String indent;
    private final int depth;

    Listed(JsonValues element, String indent, int depth) {
      this.element = element;
      this.indent = indent;
      this.depth = depth;
    }

    @Override
    public void append(FieldVector vector, int row, TextBuffer to) {
      long offsets = vector.getOffsetBuffer().memoryAddress() + row * 4L;
      FieldVector elements = ((ListVector) vector).getDataVector();
      int start = Memory.getInt(offsets);
      int end = Memory.getInt(offsets + 4);
      if (start == end) {
        to.put("[]");
        return;
      }
      to.put('[');
      for (int i = start; i < end; i++) {
        if (i > start) {
          to.put(',');
        }
        line(to, indent, depth + 1);
        element.append(elements, i, to);
      }
      line(to, indent, depth);
      to.put(']');
    }
  }

  private static final class Mapped extends JsonValues {
    private final ValueText key;
    private final JsonValues value;
    private final String indent;
    private final int depth;

    Mapped(ValueText key, JsonValues value, String indent, int depth) {
      this.key = key;
      this.value = value;
      this.indent = indent;
      this.depth = depth;
    }

    @Override
    public void append(FieldVector vector, int row, TextBuffer to) {
      long offsets = vector.getOffsetBuffer().memoryAddress() + row * 4L;
      List<FieldVector> pair = ((ListVector) vector).getDataVector().getChildrenFromFields();
      int start = Memory.getInt(offsets);
      int end = Memory.getInt(offsets + 4);
      if (start == end) {
        to.put("{}");
        return;
      }
      to.put('{');
      for (int i = start; i < end; i++) {
        if (i > start) {
          to.put(',');
        }
        line(to, indent, depth + 1);
        key.append(pair.get(0), i, to);
        to.put(": ");
        value.append(pair.get(1), i, to);
      }
      line(to, indent, depth);
      to.put('}');
    }
  }

  private static final class Tupled extends JsonValues {
    private final List<JsonValues> elements;
    private final List<byte[]> names;
    private final String indent;
    private final int depth;

    Tupled(List<JsonValues> elements, List<byte[]> names, String indent, int depth) {
      this.elements = elements;
      this.names = names;
      this.indent = indent;
      this.depth = depth;
    }

    @Override
    public void append(FieldVector vector, int row, TextBuffer to) {
      List<FieldVector> children = vector.getChildrenFromFields();
      boolean named = !names.isEmpty();
      to.put(named ? '{' : '[');
      if (elements.isEmpty()) {
        to.put('\n');
      }
      for (int i = 0; i < elements.size(); i++) {
        if (i > 0) {
          to.put(',');
        }
        line(to, indent, depth + 1);
        if (named) {
          to.put(names.get(i), 0, names.get(i).length);
          to.put(": ");
        }
        elements.get(i).append(children.get(i), row, to);
      }
      line(to, indent, depth);
      to.put(named ? '}' : ']');
    }
  }
}
