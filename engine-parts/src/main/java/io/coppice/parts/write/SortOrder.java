package io.coppice.parts.write;

import io.coppice.base.bytes.Memory;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.DataType.FixedStringType;
import io.coppice.language.type.DataType.LowCardinalityType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Vectors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;

/**
 * The order of rows by a sorting key: stable, as ClickHouse orders an inserted block. NULL and NaN
 * come behind all values (before them where the key is descending), -0 equals 0.
 *
 * <p>Stateless; any thread may call it.
 */
public final class SortOrder {
  /*
   * Each key column is taken apart into levels: numbers as longs whose signed order is the column's
   * (NULL flags, halves of wide integers and the first eight bytes of strings among them), the rest as
   * comparers of two rows. Rows are sorted by the first level, then each run of equal rows by the next:
   * by radix where a run is long, by merging where it is short or compared.
   */

  private static final int RADIX_FROM = 512;
  private static final int INSERTION_TO = 12;

  /** Candidates are looked for among so many times the rows that are wanted. */
  private static final int MOST_CANDIDATES = 8;

  /** One column of a sorting key. The vector is borrowed. */
  public record Key(FieldVector vector, DataType type, boolean descending) {}

  private interface Level {
    int compare(int a, int b);
  }

  private record Longs(long[] values) implements Level {
    @Override
    public int compare(int a, int b) {
      return Long.compare(values[a], values[b]);
    }
  }

  private final List<Level> levels;
  private final int rows;
  private int[] spareRows = new int[0];
  private long[] spareKeys = new long[0];
  private long[] sortKeys = new long[0];

  private SortOrder(List<Level> levels, int rows) {
    this.levels = levels;
    this.rows = rows;
  }

  /** Row numbers in the order of the key; empty when the rows are in that order already. */
  public static Optional<int[]> permutation(List<Key> keys, int rows) {
    List<Level> levels = new ArrayList<>();
    for (Key key : keys) {
      addLevels(key.vector(), key.type(), rows, key.descending(), levels);
    }
    SortOrder order = new SortOrder(levels, rows);
    if (order.sorted()) {
      return Optional.empty();
    }
    int[] permutation = new int[rows];
    for (int i = 0; i < rows; i++) {
      permutation[i] = i;
    }
    order.spareRows = new int[rows];
    order.sort(permutation, 0, rows, 0);
    return Optional.of(permutation);
  }

  /**
   * Rows, their numbers ascending, among which are the {@code limit} that come first in the order
   * of the key: few more, unless many are equal by what can be told quickly. Empty where that is no
   * gain.
   */
  public static Optional<int[]> candidates(List<Key> keys, int rows, long limit) {
    if (limit <= 0 || limit > rows / MOST_CANDIDATES) {
      return Optional.empty();
    }
    Candidates candidates = new Candidates(rows, (int) limit);
    for (Key key : keys) {
      List<Level> levels = new ArrayList<>();
      addLevels(key.vector(), key.type(), rows, key.descending(), levels);
      for (Level level : levels) {
        if (!(level instanceof Longs longs) || !candidates.narrow(longs.values())) {
          return candidates.found();
        }
      }
    }
    return candidates.found();
  }

  /** Compares two rows by a key: negative, 0 or positive. For checks; slow. */
  public static int compareRows(List<Key> keys, int a, int b) {
    for (Key key : keys) {
      int c = compareValues(key.vector(), a, key.vector(), b, key.type());
      if (c != 0) {
        return key.descending() ? -c : c;
      }
    }
    return 0;
  }

  private boolean sorted() {
    for (int row = 1; row < rows; row++) {
      for (Level level : levels) {
        int c = level.compare(row - 1, row);
        if (c > 0) {
          return false;
        }
        if (c < 0) {
          break;
        }
      }
    }
    return true;
  }

  private void sort(int[] order, int from, int to, int depth) {
    if (to - from < 2 || depth == levels.size()) {
      return;
    }
    Level level = levels.get(depth);
    if (level instanceof Longs longs && to - from >= RADIX_FROM) {
      radix(order, from, to, longs.values());
    } else {
      merge(order, from, to, level);
    }
    if (depth + 1 == levels.size()) {
      return;
    }
    int start = from;
    for (int i = from + 1; i <= to; i++) {
      if (i == to || level.compare(order[start], order[i]) != 0) {
        sort(order, start, i, depth + 1);
        start = i;
      }
    }
  }

  private void radix(int[] order, int from, int to, long[] values) {
    int n = to - from;
    if (sortKeys.length < n) {
      sortKeys = new long[n];
      spareKeys = new long[n];
    }
    long or = 0;
    long and = -1;
    for (int i = 0; i < n; i++) {
      long key = values[order[from + i]] ^ Long.MIN_VALUE;
      sortKeys[i] = key;
      or |= key;
      and &= key;
    }
    long differs = or ^ and;
    long[] keys = sortKeys;
    long[] otherKeys = spareKeys;
    int[] rowsNow = Arrays.copyOfRange(order, from, to);
    int[] otherRows = new int[n];
    int[] counts = new int[257];
    for (int shift = 0; shift < 64; shift += 8) {
      if ((differs >>> shift & 0xFF) == 0) {
        continue;
      }
      Arrays.fill(counts, 0);
      for (int i = 0; i < n; i++) {
        counts[(int) (keys[i] >>> shift & 0xFF) + 1]++;
      }
      for (int i = 0; i < 256; i++) {
        counts[i + 1] += counts[i];
      }
      for (int i = 0; i < n; i++) {
        int place = counts[(int) (keys[i] >>> shift & 0xFF)]++;
        otherKeys[place] = keys[i];
        otherRows[place] = rowsNow[i];
      }
      long[] swapKeys = keys;
      keys = otherKeys;
      otherKeys = swapKeys;
      int[] swapRows = rowsNow;
      rowsNow = otherRows;
      otherRows = swapRows;
    }
    System.arraycopy(rowsNow, 0, order, from, n);
  }

  private void merge(int[] order, int from, int to, Level level) {
    if (to - from <= INSERTION_TO) {
      for (int i = from + 1; i < to; i++) {
        int row = order[i];
        int j = i - 1;
        while (j >= from && level.compare(order[j], row) > 0) {
          order[j + 1] = order[j];
          j--;
        }
        order[j + 1] = row;
      }
      return;
    }
    int middle = (from + to) >>> 1;
    merge(order, from, middle, level);
    merge(order, middle, to, level);
    if (level.compare(order[middle - 1], order[middle]) <= 0) {
      return;
    }
    int left = middle - from;
    System.arraycopy(order, from, spareRows, 0, left);
    int a = 0;
    int b = middle;
    int out = from;
    while (a < left && b < to) {
      if (level.compare(spareRows[a], order[b]) <= 0) {
        order[out++] = spareRows[a++];
      } else {
        order[out++] = order[b++];
      }
    }
    System.arraycopy(spareRows, a, order, out, left - a);
  }

  private static void addLevels(
      FieldVector vector, DataType given, int rows, boolean descending, List<Level> to) {
    DataType type = given.storage();
    if (type instanceof LowCardinalityType t) {
      addLevels(vector, t.inner(), rows, descending, to);
      return;
    }
    if (type instanceof NullableType t) {
      long[] flags = new long[rows];
      if (vector.getNullCount() > 0) {
        for (int row = 0; row < rows; row++) {
          flags[row] = vector.isNull(row) ? 1 : 0;
        }
        addLongs(flags, descending, to);
      }
      addLevels(vector, t.inner(), rows, descending, to);
      return;
    }
    if (type instanceof TupleType t) {
      List<FieldVector> children = ((StructVector) vector).getChildrenFromFields();
      for (int i = 0; i < children.size(); i++) {
        addLevels(children.get(i), t.elements().get(i).type(), rows, descending, to);
      }
      return;
    }
    if (type instanceof ArrayType || type instanceof MapType) {
      to.add(
          descending
              ? (a, b) -> compareValues(vector, b, vector, a, type)
              : (a, b) -> compareValues(vector, a, vector, b, type));
      return;
    }
    if (type == PlainType.STRING || type instanceof FixedStringType || type == PlainType.IPV6) {
      boolean whole = longest(vector, rows) < 8;
      addLongs(prefixes(vector, rows, whole), descending, to);
      if (whole) {
        return;
      }
      to.add(
          descending
              ? (a, b) -> compareBytes(vector, b, vector, a)
              : (a, b) -> compareBytes(vector, a, vector, b));
      return;
    }
    int width = type.widthBytes();
    if (width > 8) {
      boolean signed =
          type == PlainType.INT128 || type == PlainType.INT256 || type instanceof DecimalType;
      int stride = ((BaseFixedWidthVector) vector).getTypeWidth();
      long data = Vectors.data(vector);
      for (int word = width / 8 - 1; word >= 0; word--) {
        long flip = signed && word == width / 8 - 1 ? 0 : Long.MIN_VALUE;
        long[] words = new long[rows];
        for (int row = 0; row < rows; row++) {
          words[row] = Memory.getLong(data + (long) row * stride + word * 8L) ^ flip;
        }
        zeroNulls(vector, words);
        addLongs(words, descending, to);
      }
      return;
    }
    long[] values = new long[rows];
    readLongs(vector, type, values);
    zeroNulls(vector, values);
    addLongs(values, descending, to);
  }

  private static void addLongs(long[] values, boolean descending, List<Level> to) {
    if (descending) {
      for (int i = 0; i < values.length; i++) {
        values[i] = ~values[i];
      }
    }
    to.add(new Longs(values));
  }

  /** What lies under a NULL is anything; rows that are NULL are equal to each other. */
  static void zeroNulls(FieldVector vector, long[] values) {
    if (vector.getField().isNullable() && vector.getNullCount() > 0) {
      for (int row = 0; row < values.length; row++) {
        if (vector.isNull(row)) {
          values[row] = 0;
        }
      }
    }
  }

  static void readLongs(FieldVector vector, DataType type, long[] values) {
    for (int row = 0; row < values.length; row++) {
      values[row] = orderedLong(vector, row, type);
    }
  }

  /** A long whose signed order is that of a value of up to eight bytes. */
  private static long orderedLong(FieldVector vector, int row, DataType type) {
    long data = Vectors.data(vector);
    if (vector instanceof BitVector) {
      return (Memory.getByte(data + (row >>> 3)) >>> (row & 7)) & 1L;
    }
    if (vector instanceof Float8Vector) {
      return ordered(Double.longBitsToDouble(Memory.getLong(data + row * 8L)));
    }
    if (vector instanceof Float4Vector) {
      return ordered(Float.intBitsToFloat(Memory.getInt(data + row * 4L)));
    }
    if (type == PlainType.BFLOAT16) {
      return ordered(Float.intBitsToFloat(Memory.getShort(data + row * 2L) << 16));
    }
    int stride = ((BaseFixedWidthVector) vector).getTypeWidth();
    long at = data + (long) row * stride;
    boolean unsigned =
        type instanceof PlainType p && p.integer() && !p.signed()
            || type == PlainType.IPV4
            || type instanceof DataType.DateTimeType;
    return switch (stride) {
      case 1 -> unsigned ? Memory.getByte(at) & 0xFF : Memory.getByte(at);
      case 2 -> unsigned ? Memory.getShort(at) & 0xFFFF : Memory.getShort(at);
      case 4 -> unsigned ? Memory.getInt(at) & 0xFFFFFFFFL : Memory.getInt(at);
      default -> unsigned ? Memory.getLong(at) ^ Long.MIN_VALUE : Memory.getLong(at);
    };
  }

  /** -0 as 0, every NaN as the greatest. */
  private static long ordered(double value) {
    if (Double.isNaN(value)) {
      return Long.MAX_VALUE;
    }
    long bits = Double.doubleToRawLongBits(value == 0 ? 0.0 : value);
    return bits < 0 ? ~bits ^ Long.MIN_VALUE : bits;
  }

  private static int longest(FieldVector vector, int rows) {
    if (vector instanceof BaseFixedWidthVector fixed) {
      return fixed.getTypeWidth();
    }
    int longest = 0;
    for (int row = 0; row < rows; row++) {
      longest = Math.max(longest, size(vector, row));
    }
    return longest;
  }

  /**
   * The first eight bytes of strings.
   *
   * @param whole whether none has more than seven: then the size stands in the eighth, and tells
   *     apart what differs in zero bytes at its end
   */
  static long[] prefixes(FieldVector vector, int rows, boolean whole) {
    long[] prefixes = new long[rows];
    boolean nulls = vector.getField().isNullable() && vector.getNullCount() > 0;
    for (int row = 0; row < rows; row++) {
      if (nulls && vector.isNull(row)) {
        prefixes[row] = Long.MIN_VALUE;
        continue;
      }
      long at = start(vector, row);
      int size = size(vector, row);
      long prefix = 0;
      if (size >= 8) {
        prefix = Long.reverseBytes(Memory.getLong(at));
      } else {
        for (int i = 0; i < size; i++) {
          prefix |= (Memory.getByte(at + i) & 0xFFL) << 56 - 8 * i;
        }
      }
      prefixes[row] = (whole ? prefix | size : prefix) ^ Long.MIN_VALUE;
    }
    return prefixes;
  }

  private static long start(FieldVector vector, int row) {
    return vector instanceof BaseFixedWidthVector fixed
        ? Vectors.data(vector) + (long) row * fixed.getTypeWidth()
        : Vectors.data(vector) + Memory.getInt(Vectors.offsets(vector) + row * 4L);
  }

  private static int size(FieldVector vector, int row) {
    if (vector instanceof BaseFixedWidthVector fixed) {
      return fixed.getTypeWidth();
    }
    long offsets = Vectors.offsets(vector) + row * 4L;
    return Memory.getInt(offsets + 4) - Memory.getInt(offsets);
  }

  private static int compareBytes(FieldVector x, int a, FieldVector y, int b) {
    boolean nullA = x.getField().isNullable() && x.isNull(a);
    boolean nullB = y.getField().isNullable() && y.isNull(b);
    if (nullA || nullB) {
      return Boolean.compare(nullA, nullB);
    }
    long p = start(x, a);
    long q = start(y, b);
    int n = size(x, a);
    int m = size(y, b);
    int common = Math.min(n, m);
    int i = 0;
    for (; common - i >= 8; i += 8) {
      long u = Memory.getLong(p + i);
      long v = Memory.getLong(q + i);
      if (u != v) {
        return Long.compareUnsigned(Long.reverseBytes(u), Long.reverseBytes(v));
      }
    }
    for (; i < common; i++) {
      int c = Integer.compare(Memory.getByte(p + i) & 0xFF, Memory.getByte(q + i) & 0xFF);
      if (c != 0) {
        return c;
      }
    }
    return Integer.compare(n, m);
  }

  /** Compares a value of one vector with a value of another of the same type. */
  public static int compareValues(FieldVector x, int a, FieldVector y, int b, DataType given) {
    DataType type = given.storage();
    if (type instanceof LowCardinalityType t) {
      return compareValues(x, a, y, b, t.inner());
    }
    if (type instanceof NullableType t) {
      boolean nullA = x.isNull(a);
      boolean nullB = y.isNull(b);
      return nullA || nullB ? Boolean.compare(nullA, nullB) : compareValues(x, a, y, b, t.inner());
    }
    if (type instanceof TupleType t) {
      List<FieldVector> left = ((StructVector) x).getChildrenFromFields();
      List<FieldVector> right = ((StructVector) y).getChildrenFromFields();
      for (int i = 0; i < left.size(); i++) {
        int c = compareValues(left.get(i), a, right.get(i), b, t.elements().get(i).type());
        if (c != 0) {
          return c;
        }
      }
      return 0;
    }
    if (type instanceof ArrayType t) {
      return compareLists((ListVector) x, a, (ListVector) y, b, t.element());
    }
    if (type instanceof MapType t) {
      DataType pair =
          new TupleType(
              List.of(
                  new DataType.Element(Optional.empty(), t.key()),
                  new DataType.Element(Optional.empty(), t.value())));
      return compareLists((ListVector) x, a, (ListVector) y, b, pair);
    }
    if (type == PlainType.STRING || type instanceof FixedStringType || type == PlainType.IPV6) {
      return compareBytes(x, a, y, b);
    }
    int width = type.widthBytes();
    if (width > 8) {
      boolean signed =
          type == PlainType.INT128 || type == PlainType.INT256 || type instanceof DecimalType;
      long p = start(x, a);
      long q = start(y, b);
      for (int word = width / 8 - 1; word >= 0; word--) {
        long flip = signed && word == width / 8 - 1 ? 0 : Long.MIN_VALUE;
        int c =
            Long.compare(
                Memory.getLong(p + word * 8L) ^ flip, Memory.getLong(q + word * 8L) ^ flip);
        if (c != 0) {
          return c;
        }
      }
      return 0;
    }
    return Long.compare(orderedLong(x, a, type), orderedLong(y, b, type));
  }

  private static int compareLists(ListVector x, int a, ListVector y, int b, DataType elementType) {
    int n = size(x, a);
    int m = size(y, b);
    int p = Memory.getInt(Vectors.offsets(x) + a * 4L);
    int q = Memory.getInt(Vectors.offsets(y) + b * 4L);
    for (int i = 0; i < Math.min(n, m); i++) {
      int c = compareValues(x.getDataVector(), p + i, y.getDataVector(), q + i, elementType);
      if (c != 0) {
        return c;
      }
    }
    return Integer.compare(n, m);
  }
}
