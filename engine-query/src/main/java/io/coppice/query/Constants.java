package io.coppice.query;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Literal;
import io.coppice.language.text.ByteText;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.TypedExpression;
import io.coppice.parts.text.TextBuffer;
import io.coppice.parts.text.ValueText;
import java.math.BigInteger;
import java.util.Map;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Values as expressions, and expressions as values. Stateless. */
final class Constants {
  private Constants() {}

  /** A row of a vector as an expression of exactly its type. */
  static Expression typed(Context context, FieldVector vector, int row, DataType type) {
    Expression value =
        vector.isNull(row) ? new Literal.NullLiteral() : plain(context, vector, row, type);
    return FunctionCall.of("CAST", value, new Literal.StringLiteral(type.text()));
  }

  /** A row of a vector, not NULL, as an expression of a type that can be compared with its own. */
  static Expression comparable(Context context, FieldVector vector, int row, DataType type) {
    Expression value = plain(context, vector, row, type);
    DataType bare = type.bare();
    boolean asIs =
        bare == PlainType.STRING
            || bare instanceof PlainType plain && plain.integer() && plain.widthBytes() <= 8;
    return asIs ? value : FunctionCall.of("CAST", value, new Literal.StringLiteral(bare.text()));
  }

  private static Expression plain(Context context, FieldVector vector, int row, DataType type) {
    TextBuffer text = new TextBuffer();
    ValueText.of(type.bare(), ValueText.Style.PLAIN, context.surroundings().zone())
        .append(vector, row, text);
    String value = ByteText.of(text.toByteArray());
    DataType bare = type.bare();
    return bare instanceof PlainType plain && plain.integer() && plain.widthBytes() <= 8
        ? new Literal.IntegerLiteral(new BigInteger(value))
        : new Literal.StringLiteral(value);
  }

  /** The value of a LIMIT or OFFSET, or of an argument that must be a number of rows. */
  static long count(Context context, String what, Expression expression) {
    ExpressionCompiler compiler = context.compiler(Map.of());
    TypedExpression compiled = compiler.compile(expression);
    boolean whole =
        compiled.type() instanceof PlainType plain && plain.integer() && plain.widthBytes() <= 8;
    if (!whole || compiled.constantValue().isEmpty()) {
      throw EngineException.of(
          ErrorCode.INVALID_LIMIT_EXPRESSION,
          "%s %s has type %s, expected a constant whole number",
          what,
          expression.text(),
          compiled.type().text());
    }
    TypedExpression number =
        compiler.compile(
            FunctionCall.of("CAST", expression, new Literal.StringLiteral(PlainType.INT64.text())));
    try (VectorSchemaRoot one = Batches.bare(1);
        FieldVector vector = number.evaluate(one, context.allocator())) {
      long value = ((BigIntVector) vector).get(0);
      if (value < 0 && compiled.type() != PlainType.UINT64) {
        throw EngineException.of(
            ErrorCode.NOT_IMPLEMENTED,
            "%s %s: a number below 0 counts from the end, which is not served yet",
            what,
            expression.text());
      }
      return value < 0 ? Long.MAX_VALUE : value;
    }
  }
}
