package io.coppice.parts.expression;

import io.coppice.base.bytes.Memory;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Vectors;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;

/**
 * What a function is when all arguments but one are constants and its result is a truth value: a
 * test of that argument's value where it lies in its vector. Immutable; any thread may use it.
 */
sealed interface ArgumentTest {
  /** Which argument is tested. */
  int argument();

  /** Whether a vector of the argument's values is one that can be tested as it lies. */
  boolean takes(FieldVector vector);

  /**
   * Keeps the numbers of rows that pass, in their order, at the start of {@code rows}; no row is
   * NULL.
   *
   * @return how many pass
   */
  int select(FieldVector vector, int[] rows, int count);

  /**
   * Whole numbers between two, both included, or all others.
   *
   * @param unsigned whether narrow numbers have no sign where they lie
   */
  record Longs(int argument, long from, long to, boolean others, boolean unsigned)
      implements ArgumentTest {
    @Override
    public boolean takes(FieldVector vector) {
      return vector instanceof BaseFixedWidthVector fixed
          && !(vector instanceof org.apache.arrow.vector.BitVector)
          && fixed.getTypeWidth() <= 8;
    }

    @Override
    public int select(FieldVector vector, int[] rows, int count) {
      if (count == 0) {
        return 0;
      }
      long data = Vectors.data(vector);
      // x lies in [from, to] exactly when x - from, without sign, is at most to - from.
      long low = from;
      long span = to - from;
      int kept = 0;
      switch (((BaseFixedWidthVector) vector).getTypeWidth()) {
        case 1 -> {
          for (int i = 0; i < count; i++) {
            int row = rows[i];
            byte raw = Memory.getByte(data + row);
            long value = unsigned ? raw & 0xFFL : raw;
            rows[kept] = row;
            kept += Long.compareUnsigned(value - low, span) <= 0 != others ? 1 : 0;
          }
        }
        case 2 -> {
          for (int i = 0; i < count; i++) {
            int row = rows[i];
            short raw = Memory.getShort(data + row * 2L);
            long value = unsigned ? raw & 0xFFFFL : raw;
            rows[kept] = row;
            kept += Long.compareUnsigned(value - low, span) <= 0 != others ? 1 : 0;
          }
        }
        case 4 -> {
          for (int i = 0; i < count; i++) {
            int row = rows[i];
            int raw = Memory.getInt(data + row * 4L);
            long value = unsigned ? raw & 0xFFFFFFFFL : raw;
            rows[kept] = row;
            kept += Long.compareUnsigned(value - low, span) <= 0 != others ? 1 : 0;
          }
        }
        default -> {
          for (int i = 0; i < count; i++) {
            int row = rows[i];
            long value = Memory.getLong(data + row * 8L);
            rows[kept] = row;
            kept += Long.compareUnsigned(value - low, span) <= 0 != others ? 1 : 0;
          }
        }
      }
      return kept;
    }
  }

  /** Floats between two, both included, or all others: then NaN as well. */
  record Doubles(int argument, double from, double to, boolean others) implements ArgumentTest {
    @Override
    public boolean takes(FieldVector vector) {
      return vector instanceof org.apache.arrow.vector.Float8Vector
          || vector instanceof org.apache.arrow.vector.Float4Vector;
    }

    @Override
    public int select(FieldVector vector, int[] rows, int count) {
      long data = count == 0 ? 0 : Vectors.data(vector);
      double low = from;
      double high = to;
      int kept = 0;
      if (vector instanceof org.apache.arrow.vector.Float8Vector) {
        for (int i = 0; i < count; i++) {
          int row = rows[i];
          double value = Double.longBitsToDouble(Memory.getLong(data + row * 8L));
          rows[kept] = row;
          kept += (value >= low & value <= high) != others ? 1 : 0;
        }
        return kept;
      }
      for (int i = 0; i < count; i++) {
        int row = rows[i];
        float value = Float.intBitsToFloat(Memory.getInt(data + row * 4L));
        rows[kept] = row;
        kept += (value >= low & value <= high) != others ? 1 : 0;
      }
      return kept;
    }
  }

  /** Strings that a matcher of bytes takes, or all others. */
  record Strings(int argument, ByteMatcher matcher, boolean others) implements ArgumentTest {
    @Override
    public boolean takes(FieldVector vector) {
      return vector instanceof BaseVariableWidthVector;
    }

    @Override
    public int select(FieldVector vector, int[] rows, int count) {
      if (count == 0) {
        return 0;
      }
      return matcher.select(Vectors.data(vector), Vectors.offsets(vector), rows, count, others);
    }
  }

  /** A comparison of whole numbers of one type with a constant of it. */
  static ArgumentTest longs(
      int argument, ComparisonFunctions.Sign sign, long constant, DataType type) {
    boolean unsigned = !ArrowValues.signed(type);
    long least = type == PlainType.UINT64 ? 0 : Long.MIN_VALUE;
    long most = type == PlainType.UINT64 ? -1 : Long.MAX_VALUE;
    return switch (sign) {
      case EQUALS -> new Longs(argument, constant, constant, false, unsigned);
      case NOT_EQUALS -> new Longs(argument, constant, constant, true, unsigned);
      case GREATER_OR_EQUALS -> new Longs(argument, constant, most, false, unsigned);
      case LESS -> new Longs(argument, constant, most, true, unsigned);
      case LESS_OR_EQUALS -> new Longs(argument, least, constant, false, unsigned);
      case GREATER -> new Longs(argument, least, constant, true, unsigned);
    };
  }

  /** A comparison of floats with a constant, which is not NaN. */
  static ArgumentTest doubles(int argument, ComparisonFunctions.Sign sign, double constant) {
    double least = Double.NEGATIVE_INFINITY;
    double most = Double.POSITIVE_INFINITY;
    return switch (sign) {
      case EQUALS -> new Doubles(argument, constant, constant, false);
      case NOT_EQUALS -> new Doubles(argument, constant, constant, true);
      case GREATER_OR_EQUALS -> new Doubles(argument, constant, most, false);
      case LESS_OR_EQUALS -> new Doubles(argument, least, constant, false);
      case LESS ->
          constant == least
              ? new Doubles(argument, 1, 0, false)
              : new Doubles(argument, least, Math.nextDown(constant), false);
      case GREATER ->
          constant == most
              ? new Doubles(argument, 1, 0, false)
              : new Doubles(argument, Math.nextUp(constant), most, false);
    };
  }
}
