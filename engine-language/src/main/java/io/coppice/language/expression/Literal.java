package io.coppice.language.expression;

import io.coppice.base.check.Check;
import io.coppice.language.text.ByteText;
import java.math.BigInteger;

/** A constant as it was written. */
public sealed interface Literal extends Expression {
  /** NULL. */
  record NullLiteral() implements Literal {}

  /** true or false, of type Bool. */
  record BoolLiteral(boolean value) implements Literal {}

  /** A whole number from -2^63 to 2^64 - 1; beyond that ClickHouse reads a Float64. */
  record IntegerLiteral(BigInteger value) implements Literal {
    private static final BigInteger MIN = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MAX = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

    public IntegerLiteral {
      Check.argument(fits(value), "integer literal %s", value);
    }

    public static IntegerLiteral of(long value) {
      return new IntegerLiteral(BigInteger.valueOf(value));
    }

    /** Whether {@code value} can be an integer literal. */
    public static boolean fits(BigInteger value) {
      return value.compareTo(MIN) >= 0 && value.compareTo(MAX) <= 0;
    }
  }

  /** A Float64. */
  record FloatLiteral(double value) implements Literal {}

  /**
   * A string of any bytes.
   *
   * @param value the bytes as {@link ByteText} has them: UTF-8 decoded, stray bytes kept apart
   */
  record StringLiteral(String value) implements Literal {
    /** The bytes meant. */
    public byte[] bytes() {
      return ByteText.bytes(value);
    }
  }
}
