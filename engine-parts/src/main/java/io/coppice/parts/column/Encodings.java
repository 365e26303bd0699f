package io.coppice.parts.column;

import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.DataType.Element;
import io.coppice.language.type.DataType.LowCardinalityType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Encoding.Mode;
import io.coppice.parts.column.Encoding.Substream;
import io.coppice.parts.name.StreamName;
import io.coppice.parts.table.ArrowMapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Makes the encoding of a column from its type. Stream names follow ClickHouse: the escaped column
 * name; {@code %2E} and the name for an element of a tuple, {@code %2Ekeys} and {@code %2Evalues}
 * for a map; {@code .null}, {@code .size}, {@code .dict}, {@code .sparse.idx}; {@code .size0},
 * {@code .size1}… for the sizes of arrays by depth, the first of which all columns of a Nested
 * share under the Nested's name.
 */
public final class Encodings {
  /**
   * What decides the form of a column besides its type.
   *
   * @param mode where the streams lie
   * @param stringSizes whether a column of strings, or such an element of a tuple, has a stream of
   *     sizes
   * @param nestedStringSizes whether strings inside arrays, maps and Nullable have one
   * @param sparseNullable whether Nullable columns may be sparse
   * @param emptyDictionaryNulls whether a Nullable dictionary has the empty stream that 18.16 gives
   *     it
   * @param kind which parts of the column are sparse; what its type does not allow counts for
   *     nothing
   */
  public record Options(
      Mode mode,
      boolean stringSizes,
      boolean nestedStringSizes,
      boolean sparseNullable,
      boolean emptyDictionaryNulls,
      Kind kind) {
    /** Everything in full. */
    public static Options of(Mode mode, boolean stringSizes) {
      return new Options(mode, stringSizes, stringSizes, false, false, Kind.DEFAULT);
    }
  }

  /**
   * Whether a column, or an element of a tuple, is sparse.
   *
   * @param elements of a tuple, in order; empty when all are full
   */
  public record Kind(boolean sparse, List<Kind> elements) {
    public static final Kind DEFAULT = new Kind(false, List.of());
    public static final Kind SPARSE = new Kind(true, List.of());

    public Kind {
      elements = List.copyOf(elements);
    }

    Kind element(int index) {
      return index < elements.size() ? elements.get(index) : DEFAULT;
    }
  }

  private final Mode mode;
  private final boolean stringSizes;
  private final boolean nestedStringSizes;
  private final boolean sparseNullable;
  private final boolean emptyDictionaryNulls;
  private final BufferAllocator allocator;
  private final String column;
  private final Optional<String> nested;

  private Encodings(String column, DataType type, Options options, BufferAllocator allocator) {
    this.mode = options.mode();
    boolean part = options.mode() != Mode.NATIVE;
    this.stringSizes = part && options.stringSizes();
    this.nestedStringSizes = part && options.nestedStringSizes();
    this.sparseNullable = options.sparseNullable();
    this.emptyDictionaryNulls = options.emptyDictionaryNulls();
    this.allocator = allocator;
    this.column = column;
    this.nested = type instanceof ArrayType ? nestedTable(column) : Optional.empty();
  }

  /**
   * The encoding of a column.
   *
   * @param allocator for dictionaries and values in passing; the encoding is closed before it
   */
  public static Encoding of(
      String column, DataType type, Options options, BufferAllocator allocator) {
    if (!ArrowMapping.readable(type)) {
      throw ArrowMapping.unreadable(column, type);
    }
    return new Encodings(column, type, options, allocator).root(type, options.kind());
  }

  /** The streams of a column, in order. Needs no memory: nothing can be read with it. */
  public static List<Substream> streams(String column, DataType type, Options options) {
    return new Encodings(column, type, options, null).root(type, options.kind()).streams();
  }

  /**
   * The Nested that a column {@code n.x} belongs to: what stands before the first dot. A column
   * whose name goes on with a digit is an array of tuples taken apart, which shares nothing.
   */
  public static Optional<String> nestedTable(String column) {
    int dot = column.indexOf('.');
    if (dot <= 0 || dot == column.length() - 1 || Character.isDigit(column.charAt(dot + 1))) {
      return Optional.empty();
    }
    return Optional.of(column.substring(0, dot));
  }

  private Encoding root(DataType type, Kind kind) {
    return build(type, StreamName.ofColumn(column), 0, kind, stringSizes);
  }

  private Encoding nested(DataType type, StreamName base, int depth) {
    return build(type, base, depth, Kind.DEFAULT, nestedStringSizes);
  }

  private Encoding build(DataType given, StreamName base, int depth, Kind kind, boolean sizes) {
    DataType type = given.storage();
    if (kind.sparse() && maySparse(type)) {
      return sparse(type, base, sizes);
    }
    if (type instanceof NullableType t) {
      return new Nullables(
          new Substream(base.nullMap().text(), true, false, PlainType.UINT8),
          nested(t.inner(), base, depth));
    }
    if (type instanceof LowCardinalityType t) {
      return lowCardinality(t, base);
    }
    if (type instanceof ArrayType t) {
      return new Arrays(sizes(base, depth), nested(t.element(), base, depth + 1), cumulative());
    }
    if (type instanceof MapType t) {
      List<Encoding> pair =
          List.of(
              nested(t.key(), base.tupleElement("keys"), depth + 1),
              nested(t.value(), base.tupleElement("values"), depth + 1));
      return new Arrays(sizes(base, depth), new Tuples(pair, Optional.empty()), cumulative());
    }
    if (type instanceof TupleType t) {
      if (t.elements().isEmpty()) {
        return new Tuples(List.of(), Optional.of(data(base, PlainType.UINT8)));
      }
      List<Encoding> elements = new ArrayList<>();
      for (int i = 0; i < t.elements().size(); i++) {
        Element element = t.elements().get(i);
        elements.add(
            build(
                element.type(),
                base.tupleElement(t.elementName(i)),
                depth,
                kind.element(i),
                sizes));
      }
      return new Tuples(elements, Optional.empty());
    }
    return leaf(type, base, sizes);
  }

  private boolean maySparse(DataType type) {
    return Defaults.maySparse(type)
        || sparseNullable && type instanceof NullableType n && Defaults.maySparse(n.inner());
  }

  private boolean cumulative() {
    return mode == Mode.NATIVE;
  }

  private Substream sizes(StreamName base, int depth) {
    boolean shared = depth == 0 && nested.isPresent();
    StreamName name =
        shared ? StreamName.ofColumn(nested.get()).arraySizes(0) : base.arraySizes(depth);
    return new Substream(name.text(), true, shared, PlainType.UINT64);
  }

  private static Substream data(StreamName name, DataType type) {
    return new Substream(name.text(), false, false, type);
  }

  private static Encoding leaf(DataType type, StreamName base, boolean sizes) {
    Substream stream = data(base, type);
    if (type == PlainType.STRING) {
      Optional<Substream> sizeStream =
          sizes
              ? Optional.of(new Substream(base.stringSizes().text(), true, false, PlainType.UINT64))
              : Optional.empty();
      return new Strings(sizeStream, stream);
    }
    if (type == PlainType.BOOL) {
      return new Bools(stream);
    }
    if (type == PlainType.DATE) {
      return new FixedWidth(stream, 2, 4, FixedWidth.Widening.ZERO);
    }
    if (type instanceof DecimalType t && t.widthBytes() < 16) {
      return new FixedWidth(stream, t.widthBytes(), 16, FixedWidth.Widening.SIGN);
    }
    return FixedWidth.plain(stream, type);
  }

  private Encoding lowCardinality(LowCardinalityType type, StreamName base) {
    boolean nullable = type.inner() instanceof NullableType;
    DataType inner = (type.inner() instanceof NullableType n ? n.inner() : type.inner()).storage();
    Substream dictionary = data(base.dictionary(), inner);
    Substream prefix = mode == Mode.COMPACT ? data(base.dictionaryPrefix(), inner) : dictionary;
    Encoding keys = leaf(inner, base, false);
    Field field = ArrowMapping.field(column, type.inner());
    return new LowCardinality(
        mode,
        prefix,
        dictionary,
        nullable && emptyDictionaryNulls
            ? Optional.of(
                new Substream(base.dictionary().nullMap().text(), true, false, PlainType.UINT8))
            : Optional.empty(),
        new Substream(base.text(), true, false, PlainType.UINT64),
        keys,
        nullable,
        inner == PlainType.STRING ? 0 : inner.widthBytes(),
        keys instanceof FixedWidth f ? f.stride() : 0,
        inner instanceof PlainType p && p.floating(),
        LowCardinality.keyVectors(field, allocator));
  }

  private Encoding sparse(DataType type, StreamName base, boolean sizes) {
    DataType values = type instanceof NullableType n ? n.inner().storage() : type;
    Field field = ArrowMapping.field(column, type);
    return new Sparse(
        new Substream(base.sparseOffsets().text(), true, false, PlainType.UINT64),
        leaf(values, base, type instanceof NullableType ? nestedStringSizes : sizes),
        Defaults.of(type),
        () -> field.createVector(allocator),
        mode == Mode.COMPACT);
  }
}
