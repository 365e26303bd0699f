package io.coppice.query;

import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Expression.Identifier;
import io.coppice.language.statement.Select;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.LowCardinalityType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.table.TableDefinition;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How far the order that a query asks for is that in which parts hold their rows.
 *
 * @param elements how many of ORDER BY, from the first, are in the order of the parts
 * @param reversed whether they are in it when parts are read from their ends
 */
record KeyOrder(int elements, boolean reversed) {

  /**
   * The order of a table's parts, if it is one that ORDER BY begins with. Elements of the sorting
   * key that the condition fixes to one value may be left out.
   *
   * @param order resolved
   * @param written the same elements with their directions
   * @param where the condition on rows
   */
  static Optional<KeyOrder> of(
      TableDefinition table,
      ExpressionCompiler compiler,
      List<Expression> order,
      List<Select.OrderElement> written,
      Optional<Expression> where) {
    if (order.stream().anyMatch(element -> !(element instanceof Identifier))) {
      return Optional.empty();
    }
    Set<String> fixed = new HashSet<>();
    where.ifPresent(condition -> fixed(condition, compiler, fixed));
    List<Expression> key = table.sortingKey();
    int elements = 0;
    Boolean reversed = null;
    for (int place = 0; place < key.size() && elements < order.size(); place++) {
      String text = ColumnNames.of(key.get(place));
      Select.OrderElement element = written.get(elements);
      boolean same = ColumnNames.of(order.get(elements)).equals(text);
      boolean down = element.descending() != table.descending().get(place);
      // What a function makes of columns is not compared while parts are merged.
      boolean fits =
          same
              && key.get(place).bare() instanceof Identifier
              && (reversed == null || reversed == down)
              && ordered(compiler.typeOf(key.get(place)), element, down);
      if (fits) {
        reversed = down;
        elements++;
      } else if (!fixed.contains(text)) {
        break;
      }
    }
    return elements == 0 ? Optional.empty() : Optional.of(new KeyOrder(elements, reversed));
  }

  /** Whether the values that have no order of their own are where the query wants them. */
  private static boolean ordered(DataType type, Select.OrderElement element, boolean down) {
    DataType stored =
        type.storage() instanceof LowCardinalityType low ? low.inner() : type.storage();
    boolean special = type.nullable() || stored instanceof PlainType plain && plain.floating();
    return element.collation().isEmpty()
        && (!special || !down && !element.descending() && !element.nullsFirst().orElse(false));
  }

  /** Adds the texts of what a condition fixes to one value. */
  private static void fixed(Expression condition, ExpressionCompiler compiler, Set<String> to) {
    if (!(condition.bare() instanceof FunctionCall call)) {
      return;
    }
    if (call.name().equals("and")) {
      call.arguments().forEach(argument -> fixed(argument, compiler, to));
    } else if (call.name().equals("equals") && call.arguments().size() == 2) {
      Expression left = call.arguments().get(0).bare();
      Expression right = call.arguments().get(1).bare();
      if (left instanceof Identifier && constant(right, compiler)) {
        to.add(ColumnNames.of(left));
      } else if (right instanceof Identifier && constant(left, compiler)) {
        to.add(ColumnNames.of(right));
      }
    }
  }

  private static boolean constant(Expression expression, ExpressionCompiler compiler) {
    return compiler.compile(expression).columns().isEmpty();
  }
}
