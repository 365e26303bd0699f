package io.coppice.parts.expression;

import io.coppice.language.type.DataType;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.FieldVector;

/**
 * A column while it is computed with: plain arrays by physical kind. A constant holds one row that
 * stands for all. Not shared while written; readable by any thread afterwards.
 *
 * <p>Rows are addressed through {@link #at(int)}, which is 0 for constants, so that loops need no
 * second form. Values of rows that are NULL are unspecified.
 */
public abstract sealed class Values {
  private final int size;
  private final boolean constant;
  private final boolean[] nulls;

  private Values(int size, boolean constant, boolean[] nulls) {
    this.size = size;
    this.constant = constant;
    this.nulls = nulls;
  }

  /** The values of a vector's rows, which are copied. */
  public static Values of(FieldVector vector, DataType type) {
    return ArrowValues.read(vector, type);
  }

  /** Row {@code row} alone, as a constant. */
  public final Values constantAt(int row) {
    return pick(new int[] {row}, 1).asConstant();
  }

  /** Rows held, 1 for a constant. */
  public final int size() {
    return size;
  }

  public final boolean constant() {
    return constant;
  }

  /** Which rows are NULL, or null if none is. Not to be changed. */
  final boolean[] nulls() {
    return nulls;
  }

  public final boolean isNull(int row) {
    return nulls != null && nulls[constant ? 0 : row];
  }

  /** Where the value of {@code row} is. */
  final int at(int row) {
    return constant ? 0 : row;
  }

  /** All ones, or 0 for a constant: {@code row & mask} is where the value is. */
  final int mask() {
    return constant ? 0 : -1;
  }

  /** The same values with other nulls. */
  abstract Values withNulls(boolean[] nulls);

  /** The rows {@code rows[0], rows[1], …}; never a constant. */
  abstract Values pick(int[] rows, int count);

  /** The same row for all. */
  abstract Values asConstant();

  /** The values repeated to {@code rows} if constant. */
  final Values full(int rows) {
    return constant ? pick(new int[rows], rows) : this;
  }

  final boolean[] pickNulls(int[] rows, int count) {
    if (nulls == null) {
      return null;
    }
    boolean[] picked = new boolean[count];
    for (int i = 0; i < count; i++) {
      picked[i] = nulls[at(rows[i])];
    }
    return picked;
  }

  /** Integers to 64 bits, by sign or zero extended; all kinds of time, enums, Decimal to 18. */
  static final class Longs extends Values {
    final long[] values;

    Longs(long[] values, boolean constant, boolean[] nulls) {
      super(values.length, constant, nulls);
      this.values = values;
    }

    Longs(long[] values) {
      this(values, false, null);
    }

    static Longs constant(long value) {
      return new Longs(new long[] {value}, true, null);
    }

    @Override
    Longs withNulls(boolean[] nulls) {
      return new Longs(values, constant(), nulls);
    }

    @Override
    Longs pick(int[] rows, int count) {
      long[] picked = new long[count];
      for (int i = 0; i < count; i++) {
        picked[i] = values[at(rows[i])];
      }
      return new Longs(picked, false, pickNulls(rows, count));
    }

    @Override
    Longs asConstant() {
      return new Longs(values, true, nulls());
    }
  }

  /** Floating point of any width. */
  static final class Doubles extends Values {
    final double[] values;

    Doubles(double[] values, boolean constant, boolean[] nulls) {
      super(values.length, constant, nulls);
      this.values = values;
    }

    @Override
    Doubles withNulls(boolean[] nulls) {
      return new Doubles(values, constant(), nulls);
    }

    @Override
    Doubles pick(int[] rows, int count) {
      double[] picked = new double[count];
      for (int i = 0; i < count; i++) {
        picked[i] = values[at(rows[i])];
      }
      return new Doubles(picked, false, pickNulls(rows, count));
    }

    @Override
    Doubles asConstant() {
      return new Doubles(values, true, nulls());
    }
  }

  /** Integers and decimals of 128 and 256 bits. */
  static final class Bigs extends Values {
    final BigInteger[] values;

    Bigs(BigInteger[] values, boolean constant, boolean[] nulls) {
      super(values.length, constant, nulls);
      this.values = values;
    }

    @Override
    Bigs withNulls(boolean[] nulls) {
      return new Bigs(values, constant(), nulls);
    }

    @Override
    Bigs pick(int[] rows, int count) {
      BigInteger[] picked = new BigInteger[count];
      for (int i = 0; i < count; i++) {
        picked[i] = values[at(rows[i])];
      }
      return new Bigs(picked, false, pickNulls(rows, count));
    }

    @Override
    Bigs asConstant() {
      return new Bigs(values, true, nulls());
    }
  }

  /** String, FixedString, UUID and IPv6: row {@code i} is {@code bytes[ends[i-1]..ends[i])}. */
  static final class Strings extends Values {
    final byte[] bytes;

    /** One more than there are rows; the first is 0. */
    final int[] offsets;

    Strings(byte[] bytes, int[] offsets, boolean constant, boolean[] nulls) {
      super(offsets.length - 1, constant, nulls);
      this.bytes = bytes;
      this.offsets = offsets;
    }

    static Strings constant(byte[] value) {
      return new Strings(value, new int[] {0, value.length}, true, null);
    }

    int from(int row) {
      return offsets[at(row)];
    }

    int to(int row) {
      return offsets[at(row) + 1];
    }

    int length(int row) {
      int at = at(row);
      return offsets[at + 1] - offsets[at];
    }

    byte[] get(int row) {
      return Arrays.copyOfRange(bytes, from(row), to(row));
    }

    @Override
    Strings withNulls(boolean[] nulls) {
      return new Strings(bytes, offsets, constant(), nulls);
    }

    @Override
    Strings pick(int[] rows, int count) {
      StringsBuilder out = new StringsBuilder(count);
      for (int i = 0; i < count; i++) {
        out.add(bytes, from(rows[i]), to(rows[i]));
      }
      return out.build(pickNulls(rows, count));
    }

    @Override
    Strings asConstant() {
      return new Strings(bytes, offsets, true, nulls());
    }
  }

  /** Array and Map, the latter an array of pairs. */
  static final class Lists extends Values {
    final int[] offsets;
    final Values elements;

    Lists(int[] offsets, Values elements, boolean constant, boolean[] nulls) {
      super(offsets.length - 1, constant, nulls);
      this.offsets = offsets;
      this.elements = elements;
    }

    @Override
    Lists withNulls(boolean[] nulls) {
      return new Lists(offsets, elements, constant(), nulls);
    }

    @Override
    Lists pick(int[] rows, int count) {
      int[] picked = new int[count + 1];
      long total = 0;
      for (int i = 0; i < count; i++) {
        int at = at(rows[i]);
        total += offsets[at + 1] - offsets[at];
        picked[i + 1] = Math.toIntExact(total);
      }
      int[] inner = new int[(int) total];
      int n = 0;
      for (int i = 0; i < count; i++) {
        int at = at(rows[i]);
        for (int j = offsets[at]; j < offsets[at + 1]; j++) {
          inner[n++] = j;
        }
      }
      return new Lists(picked, elements.pick(inner, n), false, pickNulls(rows, count));
    }

    @Override
    Lists asConstant() {
      return new Lists(offsets, elements, true, nulls());
    }
  }

  /** Tuple: columns side by side, each of as many rows or constant. */
  static final class Tuples extends Values {
    final List<Values> elements;

    Tuples(int size, List<Values> elements, boolean constant, boolean[] nulls) {
      super(size, constant, nulls);
      this.elements = List.copyOf(elements);
    }

    @Override
    Tuples withNulls(boolean[] nulls) {
      return new Tuples(size(), elements, constant(), nulls);
    }

    @Override
    Tuples pick(int[] rows, int count) {
      int[] at = rows;
      if (constant()) {
        at = new int[count];
      }
      int[] picked = at;
      return new Tuples(
          count,
          elements.stream().map(e -> e.pick(picked, count)).toList(),
          false,
          pickNulls(rows, count));
    }

    @Override
    Tuples asConstant() {
      return new Tuples(1, elements.stream().map(Values::asConstant).toList(), true, nulls());
    }
  }

  /** The column of NULLs that is nothing else. */
  static final class Nothings extends Values {
    private Nothings(boolean[] nulls, boolean constant) {
      super(nulls.length, constant, nulls);
    }

    static Nothings of(int size, boolean constant) {
      boolean[] nulls = new boolean[size];
      Arrays.fill(nulls, true);
      return new Nothings(nulls, constant);
    }

    @Override
    Values withNulls(boolean[] nulls) {
      return this;
    }

    @Override
    Values pick(int[] rows, int count) {
      return of(count, false);
    }

    @Override
    Values asConstant() {
      return of(1, true);
    }
  }

  /** Strings one after the other. */
  static final class StringsBuilder {
    private byte[] bytes;
    private final int[] offsets;
    private int rows;
    private int size;

    StringsBuilder(int rows) {
      this.bytes = new byte[Math.max(16, rows * 8)];
      this.offsets = new int[rows + 1];
    }

    /** Room for {@code more} bytes; where they go in {@link #bytes()}. */
    int reserve(int more) {
      if (size + more < 0) {
        throw io.coppice.base.error.EngineException.of(
            io.coppice.base.error.ErrorCode.TOO_LARGE_STRING_SIZE,
            "strings of one batch exceed 2 GiB; use smaller batches");
      }
      if (size + more > bytes.length) {
        bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 16, (size + more) * 2L));
      }
      return size;
    }

    byte[] bytes() {
      return bytes;
    }

    void append(byte[] from, int start, int end) {
      int at = reserve(end - start);
      System.arraycopy(from, start, bytes, at, end - start);
      size += end - start;
    }

    void append(byte b) {
      bytes[reserve(1)] = b;
      size++;
    }

    /** Ends the current string. */
    void end() {
      offsets[++rows] = size;
    }

    void add(byte[] from, int start, int end) {
      append(from, start, end);
      end();
    }

    void add(byte[] value) {
      add(value, 0, value.length);
    }

    Strings build(boolean[] nulls) {
      return new Strings(bytes, offsets, false, nulls);
    }
  }
}
