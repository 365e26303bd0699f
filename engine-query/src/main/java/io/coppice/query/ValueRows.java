package io.coppice.query;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.engine.TableInsert;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Expression.Parenthesized;
import io.coppice.language.expression.Literal;
import io.coppice.language.parse.Parser;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Gather;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.TypedExpression;
import io.coppice.parts.table.ColumnDefinition;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** The rows of {@code VALUES (1, 'a'), (2, 'b')}: each value any expression of constants. */
final class ValueRows {
  /** Digits of a decimal number that a Float64 keeps whatever they are. */
  private static final int FLOAT_DIGITS = 15;

  private ValueRows() {}

  /** Adds all rows to an insert. */
  static void add(Context context, String text, List<ColumnDefinition> columns, TableInsert into)
      throws IOException {
    if (text.isBlank()) {
      return;
    }
    String inner = text.strip();
    inner = inner.endsWith(",") ? inner.substring(0, inner.length() - 1) : inner;
    // A list of arguments is what it looks like.
    List<Expression> rows = ((FunctionCall) Parser.expression("tuple(" + inner + ")")).arguments();
    List<ResultColumn> given =
        columns.stream().map(column -> new ResultColumn(column.name(), column.type())).toList();
    List<FieldVector> vectors = Batches.vectors(given, context.allocator());
    try (VectorSchemaRoot one = Batches.bare(1)) {
      ExpressionCompiler compiler = context.compiler(Map.of());
      int[] first = {0};
      for (int row = 0; row < rows.size(); row++) {
        List<Expression> values = values(rows.get(row), row, columns.size());
        for (int i = 0; i < columns.size(); i++) {
          TypedExpression value = value(compiler, values.get(i), columns.get(i), row);
          try (FieldVector made =
              value.evaluate(one, vectors.get(i).getField(), context.allocator())) {
            Gather.append(made, first, 0, 1, vectors.get(i), row);
          }
        }
      }
      vectors.forEach(vector -> Vectors.finish(vector, rows.size()));
      into.add(Batches.of(Batches.schema(given), vectors, rows.size()));
    } finally {
      Vectors.close(vectors);
    }
  }

  private static List<Expression> values(Expression row, int number, int columns) {
    List<Expression> values = new ArrayList<>();
    if (row instanceof Parenthesized one) {
      values.add(one.inner());
    } else if (row instanceof FunctionCall tuple && tuple.name().equals("tuple")) {
      values.addAll(tuple.arguments());
    } else {
      throw EngineException.of(
          ErrorCode.SYNTAX_ERROR, "VALUES, row %d: %s, expected (…)", number + 1, row.text());
    }
    if (values.size() != columns) {
      throw EngineException.of(
          ErrorCode.CANNOT_PARSE_INPUT_ASSERTION_FAILED,
          "VALUES, row %d has %d values, expected %d",
          number + 1,
          values.size(),
          columns);
    }
    return values;
  }

  private static TypedExpression value(
      ExpressionCompiler compiler, Expression value, ColumnDefinition column, int row) {
    try {
      return compiler.compile(
          FunctionCall.of(
              "CAST", exact(value, column), new Literal.StringLiteral(column.type().text())));
    } catch (EngineException e) {
      throw e.within("VALUES, row " + (row + 1) + ", column " + column.name());
    }
  }

  /**
   * A number as its text where the column keeps more digits than a float has.
   *
   * @throws EngineException NOT_IMPLEMENTED when the number as written may have had more
   */
  private static Expression exact(Expression value, ColumnDefinition column) {
    DataType type =
        column.type().storage() instanceof DataType.NullableType nullable
            ? nullable.inner()
            : column.type().storage();
    boolean wide = type instanceof PlainType plain && plain.integer() && plain.widthBytes() > 8;
    boolean negated =
        value.bare() instanceof FunctionCall call
            && call.name().equals("negate")
            && call.arguments().get(0).bare() instanceof Literal.FloatLiteral;
    Expression bare =
        negated ? ((FunctionCall) value.bare()).arguments().get(0).bare() : value.bare();
    if (!(bare instanceof Literal.FloatLiteral number)
        || !Double.isFinite(number.value())
        || !(wide || type instanceof DataType.DecimalType)) {
      return value;
    }
    BigDecimal digits = new BigDecimal(Double.toString(number.value())).stripTrailingZeros();
    if (wide || digits.precision() > FLOAT_DIGITS) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED,
          "the number %s may have had more digits than are kept of it; write it in quotes",
          value.text());
    }
    return new Literal.StringLiteral((negated ? digits.negate() : digits).toPlainString());
  }
}
