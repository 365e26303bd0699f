package io.coppice.parts.expression;

import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.PlainType;
import java.math.BigDecimal;
import java.math.BigInteger;

/** Numbers of one kind as numbers of another. */
final class Numbers {
  private static final BigInteger[] POWERS = new BigInteger[160];

  static {
    POWERS[0] = BigInteger.ONE;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = POWERS[i - 1].multiply(BigInteger.TEN);
    }
  }

  private Numbers() {}

  static BigInteger power10(int exponent) {
    return POWERS[exponent];
  }

  /** The integer, or the unscaled number of a decimal or time. */
  static BigInteger big(Values values, DataType type, int row) {
    if (values instanceof Values.Doubles doubles) {
      return new BigDecimal(doubles.values[doubles.at(row)]).toBigInteger();
    }
    return Types.bigAt(values, type, row);
  }

  static BigDecimal decimal(Values values, DataType type, int row) {
    if (values instanceof Values.Doubles doubles) {
      return new BigDecimal(doubles.values[doubles.at(row)]);
    }
    return new BigDecimal(big(values, type, row), Types.scale(type));
  }

  static Values ofBigs(BigInteger[] values, DataType type, boolean constant) {
    if (Types.big(type)) {
      return new Values.Bigs(values, constant, null);
    }
    long[] longs = new long[values.length];
    for (int i = 0; i < longs.length; i++) {
      longs[i] = values[i].longValue();
    }
    return new Values.Longs(longs, constant, null);
  }

  /** Any number as floating point. */
  static Values.Doubles doubles(Values values, DataType type) {
    if (values instanceof Values.Doubles doubles) {
      return doubles;
    }
    double[] out = new double[values.size()];
    int scale = Types.scale(type);
    if (values instanceof Values.Longs longs) {
      double divisor = scale == 0 ? 1 : power10(scale).doubleValue();
      for (int i = 0; i < out.length; i++) {
        out[i] = Types.doubleOf(longs.values[i], type);
        if (scale != 0) {
          out[i] /= divisor;
        }
      }
    } else {
      Values.Bigs bigs = (Values.Bigs) values;
      double divisor = scale == 0 ? 1 : power10(scale).doubleValue();
      for (int i = 0; i < out.length; i++) {
        out[i] = bigs.values[i].doubleValue() / divisor;
      }
    }
    return new Values.Doubles(out, values.constant(), values.nulls());
  }

  /** Cuts doubles to the precision of {@code type}. */
  static void round(double[] values, DataType type) {
    if (type == PlainType.FLOAT32) {
      for (int i = 0; i < values.length; i++) {
        values[i] = (float) values[i];
      }
    } else if (type == PlainType.BFLOAT16) {
      for (int i = 0; i < values.length; i++) {
        int bits = Float.floatToRawIntBits((float) values[i]);
        values[i] = Float.intBitsToFloat(bits & 0xffff0000);
      }
    }
  }

  static BigInteger min(DataType type) {
    int bits = Types.width(type) * 8;
    return Types.signed(type) || !(type instanceof PlainType)
        ? BigInteger.ONE.shiftLeft(bits - 1).negate()
        : BigInteger.ZERO;
  }

  static BigInteger max(DataType type) {
    if (type == PlainType.BOOL) {
      return BigInteger.ONE;
    }
    int bits = Types.width(type) * 8;
    return BigInteger.ONE
        .shiftLeft(Types.signed(type) || type instanceof DecimalType ? bits - 1 : bits)
        .subtract(BigInteger.ONE);
  }

  static boolean fits(BigInteger value, DataType type) {
    if (type == PlainType.BOOL) {
      return value.signum() >= 0 && value.bitLength() <= 1;
    }
    boolean signed = Types.signed(type);
    int bits = Types.width(type) * 8;
    return value.signum() < 0
        ? (signed || !(type instanceof PlainType)) && value.bitLength() < bits
        : value.bitLength() <= (signed || type instanceof DecimalType ? bits - 1 : bits);
  }
}
