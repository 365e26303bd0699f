package io.coppice.query;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.type.DataType;
import io.coppice.parts.expression.TypedExpression;
import java.util.Map;

/** Conditions on rows. Stateless. */
final class Conditions {
  private Conditions() {}

  /**
   * A condition over columns.
   *
   * @throws EngineException ILLEGAL_TYPE_OF_COLUMN_FOR_FILTER for what is no truth value
   */
  static TypedExpression compile(
      Context context, Expression condition, Map<String, DataType> types) {
    TypedExpression compiled = context.compiler(types).compile(condition);
    if (!compiled.filterable()) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_TYPE_OF_COLUMN_FOR_FILTER,
          "condition %s has type %s, expected UInt8; compare it with something",
          condition.text(),
          compiled.type().text());
    }
    return compiled;
  }
}
