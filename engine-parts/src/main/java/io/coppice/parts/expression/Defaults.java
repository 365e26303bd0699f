package io.coppice.parts.expression;

import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.EnumType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import java.math.BigInteger;

/** The value that a type has where none is given. */
final class Defaults {
  private Defaults() {}

  /** A constant of the default value of {@code type}. */
  static Values of(DataType type) {
    DataType bare = Types.bare(type);
    if (bare instanceof NullableType nullable) {
      if (nullable.inner() == PlainType.NOTHING) {
        return Values.Nothings.of(1, true);
      }
      return of(nullable.inner()).withNulls(new boolean[] {true});
    }
    if (bare instanceof EnumType enumeration) {
      return Values.Longs.constant(enumeration.entries().get(0).value());
    }
    if (Types.floating(bare)) {
      return new Values.Doubles(new double[1], true, null);
    }
    if (Types.big(bare)) {
      return new Values.Bigs(new BigInteger[] {BigInteger.ZERO}, true, null);
    }
    if (bare == PlainType.STRING) {
      return Values.Strings.constant(new byte[0]);
    }
    if (Types.bytes(bare)) {
      return Values.Strings.constant(new byte[bare.widthBytes()]);
    }
    if (bare instanceof ArrayType array) {
      return new Values.Lists(new int[2], empty(array.element()), true, null);
    }
    if (bare instanceof MapType map) {
      return new Values.Lists(new int[2], empty(Families.pair(map)), true, null);
    }
    if (bare instanceof TupleType tuple) {
      return new Values.Tuples(
          1, tuple.elements().stream().map(e -> of(e.type())).toList(), true, null);
    }
    return bare == PlainType.NOTHING ? Values.Nothings.of(1, true) : Values.Longs.constant(0);
  }

  /** A column without rows. */
  static Values empty(DataType type) {
    return of(type).pick(new int[0], 0);
  }

  /** {@code values} without nulls, the default where they were. */
  static Values inPlaceOfNulls(Values values, DataType type) {
    Values filler = of(type);
    if (values instanceof Values.Nothings) {
      return filler;
    }
    int rows = values.size();
    boolean[] keep = new boolean[rows];
    for (int i = 0; i < rows; i++) {
      keep[i] = !values.isNull(i);
    }
    Values plain = values.withNulls(null);
    Values chosen = ConditionalFunctions.choose(keep, plain, filler, rows);
    return values.constant() ? chosen.asConstant() : chosen;
  }
}
