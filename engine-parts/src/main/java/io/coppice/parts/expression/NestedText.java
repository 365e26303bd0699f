package io.coppice.parts.expression;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.Function.Call;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Arrays and tuples as they are printed, read: {@code [1, 2]}, {@code ('a', [])}. The texts of the
 * innermost values are collected column by column and converted together.
 */
final class NestedText {
  private final byte[] text;
  private int at;

  private NestedText(byte[] text) {
    this.text = text;
  }

  /** The values of texts, all of {@code type}; of NULL, the default. */
  static Values read(Values.Strings texts, DataType type, Call call) {
    Node node = node(type);
    for (int i = 0; i < texts.size(); i++) {
      if (texts.isNull(i)) {
        node.addDefault();
        continue;
      }
      NestedText in = new NestedText(texts.get(i));
      node.read(in);
      if (in.at < in.text.length) {
        throw EngineException.of(
            ErrorCode.UNEXPECTED_DATA_AFTER_PARSED_VALUE,
            "%s: text behind the value of %s at byte %d",
            call.name(),
            type.text(),
            in.at);
      }
    }
    Values values = node.build(call).withNulls(texts.nulls());
    return Conversions.constantLike(values, texts);
  }

  private static Node node(DataType type) {
    DataType bare = Types.bare(type);
    if (bare instanceof ArrayType array) {
      return new ArrayNode(node(array.element()));
    }
    if (bare instanceof TupleType tuple) {
      return new TupleNode(tuple.elements().stream().map(e -> node(e.type())).toList());
    }
    return new Leaf(bare);
  }

  private abstract static sealed class Node {
    abstract void read(NestedText in);

    abstract void addDefault();

    abstract Values build(Call call);
  }

  private static final class ArrayNode extends Node {
    private final Node element;
    private final List<Integer> ends = new ArrayList<>();
    private int size;

    ArrayNode(Node element) {
      this.element = element;
    }

    @Override
    void read(NestedText in) {
      in.expect('[', ErrorCode.CANNOT_READ_ARRAY_FROM_TEXT);
      in.blanks();
      while (!in.next(']')) {
        element.read(in);
        size++;
        in.blanks();
        if (!in.next(',')) {
          in.expect(']', ErrorCode.CANNOT_PARSE_INPUT_ASSERTION_FAILED);
          break;
        }
        in.blanks();
      }
      ends.add(size);
    }

    @Override
    void addDefault() {
      ends.add(size);
    }

    @Override
    Values build(Call call) {
      int[] offsets = new int[ends.size() + 1];
      for (int i = 0; i < ends.size(); i++) {
        offsets[i + 1] = ends.get(i);
      }
      return new Values.Lists(offsets, element.build(call), false, null);
    }
  }

  private static final class TupleNode extends Node {
    private final List<Node> elements;
    private int size;

    TupleNode(List<Node> elements) {
      this.elements = elements;
    }

    @Override
    void read(NestedText in) {
      in.expect('(', ErrorCode.CANNOT_PARSE_INPUT_ASSERTION_FAILED);
      for (int i = 0; i < elements.size(); i++) {
        in.blanks();
        if (i > 0) {
          in.expect(',', ErrorCode.CANNOT_PARSE_INPUT_ASSERTION_FAILED);
          in.blanks();
        }
        elements.get(i).read(in);
      }
      in.blanks();
      if (elements.size() == 1) {
        in.next(',');
      }
      in.expect(')', ErrorCode.CANNOT_PARSE_INPUT_ASSERTION_FAILED);
      size++;
    }

    @Override
    void addDefault() {
      elements.forEach(Node::addDefault);
      size++;
    }

    @Override
    Values build(Call call) {
      return new Values.Tuples(
          size, elements.stream().map(e -> e.build(call)).toList(), false, null);
    }
  }

  private static final class Leaf extends Node {
    private final DataType type;
    private final boolean bareText;
    private final List<byte[]> texts = new ArrayList<>();

    Leaf(DataType type) {
      this.type = type;
      DataType plain = Types.notNull(type);
      this.bareText = Types.number(plain) || plain instanceof DataType.IntervalType;
    }

    @Override
    void read(NestedText in) {
      if (in.word("NULL")) {
        texts.add(null);
      } else if (bareText) {
        texts.add(in.token());
      } else {
        texts.add(in.quoted());
      }
    }

    @Override
    void addDefault() {
      texts.add(null);
    }

    @Override
    Values build(Call call) {
      Values.StringsBuilder out = new Values.StringsBuilder(texts.size());
      boolean[] nulls = null;
      for (int i = 0; i < texts.size(); i++) {
        byte[] value = texts.get(i);
        if (value == null) {
          nulls = nulls == null ? new boolean[texts.size()] : nulls;
          nulls[i] = true;
          out.end();
        } else {
          out.add(value);
        }
      }
      Values.Strings strings = out.build(nulls);
      boolean nullable = type instanceof NullableType;
      if (nulls == null || nullable) {
        DataType from = nullable ? new NullableType(PlainType.STRING) : PlainType.STRING;
        return Conversions.convert(strings, from, type, call, texts.size());
      }
      DataType with = new NullableType(type);
      Values values =
          Conversions.convert(
              strings, new NullableType(PlainType.STRING), with, call, texts.size());
      return Defaults.inPlaceOfNulls(values, type);
    }
  }

  private void blanks() {
    while (at < text.length && text[at] == ' ') {
      at++;
    }
  }

  private boolean next(char wanted) {
    boolean there = at < text.length && text[at] == wanted;
    at += there ? 1 : 0;
    return there;
  }

  private void expect(char wanted, ErrorCode code) {
    if (!next(wanted)) {
      throw EngineException.of(code, "expected %s at byte %d of %s", wanted, at, shown());
    }
  }

  private String shown() {
    String whole = new String(text, StandardCharsets.UTF_8);
    return whole.length() > 60 ? whole.substring(0, 60) + "…" : whole;
  }

  private boolean word(String word) {
    int end = at + word.length();
    boolean there =
        end <= text.length
            && Arrays.equals(
                text, at, end, word.getBytes(StandardCharsets.UTF_8), 0, word.length());
    at = there ? end : at;
    return there;
  }

  private byte[] token() {
    int from = at;
    while (at < text.length && ",]) ".indexOf(text[at]) < 0) {
      at++;
    }
    return Arrays.copyOfRange(text, from, at);
  }

  private byte[] quoted() {
    expect('\'', ErrorCode.CANNOT_PARSE_QUOTED_STRING);
    byte[] out = new byte[text.length - at];
    int size = 0;
    while (true) {
      if (at == text.length) {
        throw EngineException.of(
            ErrorCode.CANNOT_PARSE_QUOTED_STRING, "a quote is not closed in %s", shown());
      }
      byte b = text[at++];
      if (b == '\'') {
        return Arrays.copyOf(out, size);
      }
      if (b == '\\' && at < text.length) {
        b =
            switch (text[at++]) {
              case 'n' -> (byte) '\n';
              case 't' -> (byte) '\t';
              case 'r' -> (byte) '\r';
              case '0' -> (byte) 0;
              case 'b' -> (byte) '\b';
              case 'f' -> (byte) '\f';
              default -> text[at - 1];
            };
      }
      out[size++] = b;
    }
  }
}
