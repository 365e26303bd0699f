package io.coppice.query;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Literal;
import io.coppice.language.statement.Select;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.ExpressionCompiler;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * SAMPLE: rows whose sampling key lies in a part of all the values that its type has.
 *
 * @param key the table's SAMPLE BY
 */
record Sampling(Select.Ratio ratio, Optional<Select.Ratio> offset, Expression key) {

  /**
   * A sample of a source.
   *
   * @throws EngineException SAMPLING_NOT_SUPPORTED without a sampling key, NOT_IMPLEMENTED for a
   *     number of rows
   */
  static Sampling of(Select.Sample sample, Optional<Expression> key) {
    if (key.isEmpty()) {
      throw EngineException.of(
          ErrorCode.SAMPLING_NOT_SUPPORTED,
          "SAMPLE: what is read has no sampling key; a table has one by SAMPLE BY");
    }
    if (sample.ratio().numerator().compareTo(sample.ratio().denominator()) > 0) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED,
          "SAMPLE %s: a number of rows is not served yet; say which part of all, as 0.1",
          sample.ratio().text());
    }
    return new Sampling(sample.ratio(), sample.offset(), key.get());
  }

  /** How many rows of all each row of the sample stands for. */
  Expression factor() {
    return new Literal.FloatLiteral(
        ratio.denominator().doubleValue() / ratio.numerator().doubleValue());
  }

  /** What holds for the rows of the sample; nothing if it is all. */
  Optional<Expression> condition(Names names, ExpressionCompiler compiler) {
    Expression resolved = names.resolve(key);
    DataType type = compiler.typeOf(resolved);
    boolean unsigned =
        type == PlainType.UINT64
            || type == PlainType.UINT32
            || type == PlainType.UINT16
            || type == PlainType.UINT8;
    if (!unsigned) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_TYPE_OF_COLUMN_FOR_FILTER,
          "SAMPLE: the sampling key %s has type %s, expected an unsigned integer",
          resolved.text(),
          type.text());
    }
    BigInteger all = BigInteger.ONE.shiftLeft(8 * type.widthBytes());
    BigInteger from = offset.map(o -> part(all, o)).orElse(BigInteger.ZERO);
    BigInteger to =
        offset
            .map(
                o ->
                    all.multiply(
                            o.numerator()
                                .multiply(ratio.denominator())
                                .add(ratio.numerator().multiply(o.denominator())))
                        .divide(o.denominator().multiply(ratio.denominator())))
            .orElseGet(() -> part(all, ratio));
    List<Expression> conditions = new ArrayList<>();
    if (from.signum() > 0) {
      conditions.add(
          FunctionCall.of("greaterOrEquals", resolved, new Literal.IntegerLiteral(from)));
    }
    if (to.compareTo(all) < 0) {
      conditions.add(FunctionCall.of("less", resolved, new Literal.IntegerLiteral(to)));
    }
    return switch (conditions.size()) {
      case 0 -> Optional.empty();
      case 1 -> Optional.of(conditions.get(0));
      default -> Optional.of(FunctionCall.of("and", conditions.get(0), conditions.get(1)));
    };
  }

  private static BigInteger part(BigInteger all, Select.Ratio ratio) {
    return all.multiply(ratio.numerator()).divide(ratio.denominator());
  }
}
