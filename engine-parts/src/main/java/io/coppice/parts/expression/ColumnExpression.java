package io.coppice.parts.expression;

import io.coppice.base.error.EngineException;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Literal;
import io.coppice.language.type.DataType;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * The expression that a column's values come from, as DEFAULT, MATERIALIZED or ALIAS say, converted
 * to the column's type. What goes wrong is told with the column, the expression, and the row whose
 * values it was for.
 *
 * <p>Immutable; any thread may evaluate it.
 */
public final class ColumnExpression {
  private static final int SHOWN_VALUE_CHARS = 100;

  private final String label;
  private final TypedExpression expression;

  private ColumnExpression(String label, TypedExpression expression) {
    this.label = label;
    this.expression = expression;
  }

  /**
   * The expression, converted.
   *
   * @param kind what it is to the column, as {@code DEFAULT}
   * @param compiler over the columns that it may use
   * @throws EngineException for an expression that does not compile, naming column and expression
   */
  public static ColumnExpression of(
      String column,
      String kind,
      DataType type,
      Expression expression,
      ExpressionCompiler compiler) {
    return of(
        "column " + column + " " + kind + " " + expression.text(), type, expression, compiler);
  }

  /**
   * The conversion of a column that is given as another type.
   *
   * @throws EngineException naming column and types when there is none
   */
  public static ColumnExpression conversion(String column, DataType from, DataType to) {
    return of(
        "column " + column + ", given as " + from.text() + ", converted to " + to.text(),
        to,
        Expression.Identifier.of(column),
        ExpressionCompiler.of(Map.of(column, from)));
  }

  /** An expression that is compiled already, under a label for messages. */
  public static ColumnExpression labelled(String label, TypedExpression compiled) {
    return new ColumnExpression(label, compiled);
  }

  private static ColumnExpression of(
      String label, DataType type, Expression expression, ExpressionCompiler compiler) {
    Expression cast =
        Expression.FunctionCall.of("CAST", expression, new Literal.StringLiteral(type.text()));
    try {
      return new ColumnExpression(label, compiler.compile(cast));
    } catch (EngineException e) {
      throw e.within(label);
    }
  }

  /** The columns that it uses, in the order of first use. */
  public Set<String> columns() {
    return expression.columns();
  }

  /**
   * The values for the rows of {@code batch}, which is borrowed; the caller closes the vector.
   *
   * @throws EngineException naming column, expression and row of a value that there is not
   */
  public FieldVector evaluate(VectorSchemaRoot batch, Field field, BufferAllocator allocator) {
    try {
      return expression.evaluate(batch, field, allocator);
    } catch (EngineException e) {
      throw e.within(label + place(batch, field, allocator));
    }
  }

  /** The first row by which the expression fails, with the values that it has there. */
  private String place(VectorSchemaRoot batch, Field field, BufferAllocator allocator) {
    if (batch.getRowCount() == 1) {
      return ", row 1 of the batch" + values(batch);
    }
    for (int row = 0; row < batch.getRowCount(); row++) {
      try (VectorSchemaRoot one = batch.slice(row, 1)) {
        try (FieldVector made = expression.evaluate(one, field, allocator)) {
          continue;
        } catch (EngineException e) {
          return ", row " + (row + 1) + " of the batch" + values(one);
        }
      }
    }
    return "";
  }

  private String values(VectorSchemaRoot one) {
    Map<String, String> shown = new TreeMap<>();
    for (String column : List.copyOf(columns())) {
      FieldVector vector = one.getVector(column);
      String text = vector == null ? "?" : String.valueOf(vector.getObject(0));
      shown.put(
          column,
          text.length() <= SHOWN_VALUE_CHARS ? text : text.substring(0, SHOWN_VALUE_CHARS) + "…");
    }
    return shown.isEmpty() ? "" : " " + shown;
  }
}
