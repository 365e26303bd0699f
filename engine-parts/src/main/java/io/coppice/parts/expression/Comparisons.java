package io.coppice.parts.expression;

import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import java.util.Arrays;

/** The order of values of one type, as ClickHouse sorts them; NULL and NaN last. */
final class Comparisons {
  private Comparisons() {}

  /** -1, 0 or 1: other numbers mean other things to callers. */
  static int compare(Values a, int i, Values b, int j, DataType type) {
    boolean na = a.isNull(i);
    boolean nb = b.isNull(j);
    if (na || nb) {
      return na == nb ? 0 : na ? 1 : -1;
    }
    DataType inner = Types.notNull(Types.bare(type));
    if (a instanceof Values.Longs x && b instanceof Values.Longs y) {
      long left = x.values[x.at(i)];
      long right = y.values[y.at(j)];
      return inner == PlainType.UINT64
          ? Long.compareUnsigned(left, right)
          : Long.compare(left, right);
    }
    if (a instanceof Values.Doubles x && b instanceof Values.Doubles y) {
      double left = x.values[x.at(i)];
      double right = y.values[y.at(j)];
      return left == right ? 0 : Double.compare(left, right);
    }
    if (a instanceof Values.Bigs x && b instanceof Values.Bigs y) {
      return x.values[x.at(i)].compareTo(y.values[y.at(j)]);
    }
    if (a instanceof Values.Strings x && b instanceof Values.Strings y) {
      if (inner == PlainType.UUID) {
        return compareUuids(x, i, y, j);
      }
      return Integer.signum(
          Arrays.compareUnsigned(x.bytes, x.from(i), x.to(i), y.bytes, y.from(j), y.to(j)));
    }
    if (a instanceof Values.Tuples x && b instanceof Values.Tuples y) {
      TupleType tuple = (TupleType) inner;
      for (int k = 0; k < tuple.elements().size(); k++) {
        int order =
            compare(
                x.elements.get(k),
                x.at(i),
                y.elements.get(k),
                y.at(j),
                tuple.elements().get(k).type());
        if (order != 0) {
          return order;
        }
      }
      return 0;
    }
    if (a instanceof Values.Lists x && b instanceof Values.Lists y) {
      DataType element =
          inner instanceof MapType map ? Families.pair(map) : ((ArrayType) inner).element();
      int ia = x.offsets[x.at(i)];
      int ib = y.offsets[y.at(j)];
      int ea = x.offsets[x.at(i) + 1];
      int eb = y.offsets[y.at(j) + 1];
      while (ia < ea && ib < eb) {
        int order = compare(x.elements, ia++, y.elements, ib++, element);
        if (order != 0) {
          return order;
        }
      }
      return Integer.compare(ea - ia, eb - ib);
    }
    return 0;
  }

  /** As numbers of 128 bits, little-endian: the second half of the text first. */
  private static int compareUuids(Values.Strings a, int i, Values.Strings b, int j) {
    for (int k = 15; k >= 0; k--) {
      int order = Integer.compare(a.bytes[a.from(i) + k] & 0xff, b.bytes[b.from(j) + k] & 0xff);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  /** Strings where the shorter is filled up with zero bytes, as FixedString wants. */
  static int comparePadded(Values.Strings a, int i, Values.Strings b, int j) {
    int la = a.length(i);
    int lb = b.length(j);
    int fa = a.from(i);
    int fb = b.from(j);
    for (int k = 0; k < Math.max(la, lb); k++) {
      int left = k < la ? a.bytes[fa + k] & 0xff : 0;
      int right = k < lb ? b.bytes[fb + k] & 0xff : 0;
      if (left != right) {
        return left < right ? -1 : 1;
      }
    }
    return 0;
  }

  /** Whether any element is NaN: such a value equals nothing. */
  static boolean nan(Values values, int row) {
    return values instanceof Values.Doubles doubles
        && Double.isNaN(doubles.values[doubles.at(row)]);
  }
}
