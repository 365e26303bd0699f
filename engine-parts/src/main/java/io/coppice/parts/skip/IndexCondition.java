package io.coppice.parts.skip;

import io.coppice.base.check.Check;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.FieldVector;

/**
 * An atomic condition on one expression of an index. Rows where the expression is NULL fulfil none
 * of them but {@link IsNull}.
 *
 * <p>Constants are rows of vectors of the expression's own type (of its element's type for {@link
 * Has}); the caller has converted them without loss. Patterns and tokens are bytes.
 */
public sealed interface IndexCondition {
  /** Which expression of the index it is about, from 0. */
  int column();

  /** A constant: one row of a vector. Borrowed; not NULL. */
  record Constant(FieldVector vector, int row) {
    public Constant {
      Check.argument(0 <= row && row < vector.getValueCount(), "row %d", row);
      Check.argument(!vector.isNull(row), "a constant that is NULL");
    }
  }

  /** An end of a range. */
  record Bound(Constant value, boolean included) {}

  /** {@code x = value}. */
  record Equal(int column, Constant value) implements IndexCondition {}

  /** {@code x IN (values)}; no value: nothing fulfils it. */
  record In(int column, List<Constant> values) implements IndexCondition {
    public In {
      values = List.copyOf(values);
    }
  }

  /** {@code x > lower}, {@code x <= upper} and the like. */
  record Range(int column, Optional<Bound> lower, Optional<Bound> upper)
      implements IndexCondition {}

  /** {@code x IS NULL}. */
  record IsNull(int column) implements IndexCondition {}

  /** {@code has(x, value)} for an Array x; a mere value for {@code arrayJoin} alike. */
  record Has(int column, Constant value) implements IndexCondition {}

  /** {@code x LIKE pattern} with {@code %}, {@code _} and backslashes. */
  record Like(int column, Bytes pattern) implements IndexCondition {}

  /** {@code startsWith(x, text)}. */
  record StartsWith(int column, Bytes text) implements IndexCondition {}

  /** {@code endsWith(x, text)}. */
  record EndsWith(int column, Bytes text) implements IndexCondition {}

  /** {@code position(x, text) > 0}: the text stands anywhere. */
  record Contains(int column, Bytes text) implements IndexCondition {}

  /** {@code hasToken(x, token)}. */
  record HasToken(int column, Bytes token) implements IndexCondition {}

  /** Some bytes; equal by content. */
  final class Bytes {
    private final byte[] bytes;

    private Bytes(byte[] bytes) {
      this.bytes = bytes;
    }

    /** A copy of {@code bytes}. */
    public static Bytes of(byte[] bytes) {
      return new Bytes(bytes.clone());
    }

    /** The UTF-8 form of {@code text}. */
    public static Bytes of(String text) {
      return new Bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    byte[] array() {
      return bytes;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Bytes that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }
}
