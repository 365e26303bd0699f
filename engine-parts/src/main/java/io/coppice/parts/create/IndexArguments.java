package io.coppice.parts.create;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Literal;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.TypedExpression;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/** What ClickHouse asks of the arguments of skip indexes made of bloom filters. */
final class IndexArguments {
  private final CreateTable.Index index;
  private final List<Expression> arguments;

  private IndexArguments(CreateTable.Index index) {
    this.index = index;
    this.arguments = index.type().arguments();
  }

  /** {@code bloom_filter} and {@code bloom_filter(rate)} with a rate between 0 and 1. */
  static void checkBloomFilter(CreateTable.Index index) {
    IndexArguments of = new IndexArguments(index);
    if (of.arguments.size() > 1) {
      throw EngineException.of(
          ErrorCode.NUMBER_OF_ARGUMENTS_DOESNT_MATCH,
          "index %s of type %s: expected at most one argument, the rate of false positives",
          index.name(),
          index.type().text());
    }
    for (Expression argument : of.arguments) {
      double rate = argument.bare() instanceof Literal.FloatLiteral number ? number.value() : -1;
      if (!(rate > 0 && rate < 1)) {
        throw of.bad("expected a rate of false positives between 0 and 1, as 0.025");
      }
    }
  }

  /**
   * {@code tokenbf_v1(bytes, hashes, seed)} and {@code ngrambf_v1(n, bytes, hashes, seed)} of
   * strings and arrays of strings.
   *
   * @param compiler over the columns of the table
   */
  static void checkTokens(CreateTable.Index index, boolean grams, ExpressionCompiler compiler) {
    IndexArguments of = new IndexArguments(index);
    for (Expression element : index.expression().keyElements()) {
      Optional<DataType> type =
          CreateCheck.compiled(compiler, element, "index " + index.name())
              .map(TypedExpression::type);
      if (type.isPresent() && type.get().storage() == PlainType.IPV6) {
        throw EngineException.of(
            ErrorCode.NOT_IMPLEMENTED,
            "index %s of type %s: words of the bytes of IPv6 are not served; index toString(%s)",
            index.name(),
            index.type().text(),
            element.text());
      }
      if (type.isPresent() && !hasTokens(type.get())) {
        throw of.bad(
            "%s has type %s, expected String, FixedString, LowCardinality of these or Array of"
                + " these",
            element.text(), type.get().text());
      }
    }
    String wanted = grams ? "the length of n-grams, " : "";
    if (of.arguments.size() != (grams ? 4 : 3)) {
      throw of.bad(
          "expected %d arguments: %sbytes of the filter, hash functions and a seed",
          grams ? 4 : 3, wanted);
    }
    int last = of.arguments.size() - 1;
    for (int i = 0; i <= last; i++) {
      BigInteger number =
          of.arguments.get(i).bare() instanceof Literal.IntegerLiteral literal
              ? literal.value()
              : BigInteger.ONE.negate();
      if (number.signum() < 0 || number.signum() == 0 && i < last) {
        throw of.bad(
            "argument %s, expected a whole number%s",
            of.arguments.get(i).text(), i < last ? " above 0" : "");
      }
    }
  }

  private static boolean hasTokens(DataType given) {
    DataType type = given.storage();
    if (type instanceof DataType.ArrayType array) {
      return string(array.element().storage());
    }
    return string(type instanceof DataType.LowCardinalityType low ? low.inner().storage() : type);
  }

  private static boolean string(DataType type) {
    return type == PlainType.STRING || type instanceof DataType.FixedStringType;
  }

  @FormatMethod
  private EngineException bad(@FormatString String message, Object... values) {
    return EngineException.of(
        ErrorCode.BAD_ARGUMENTS,
        "index %s of type %s: %s",
        index.name(),
        index.type().text(),
        String.format(message, values));
  }
}
