package io.coppice.parts.scan;

import io.coppice.language.expression.Expression;
import io.coppice.language.type.DataType;
import java.util.List;

/**
 * Expressions whose values a part tells in rows: a primary index, the bounds of minmax files or
 * indexes, a partition's value.
 *
 * @param expressions as the table has them; a filter is searched for their texts
 * @param types of the expressions
 * @param descending per expression, whether rows go down
 * @param ends what the ends of an interval are to the values in it
 */
record KeySpace(
    List<Expression> expressions, List<DataType> types, List<Boolean> descending, Ends ends) {
  /** What the ends of an interval are to the values in it. */
  enum Ends {
    /** Both ends are the one value there is. */
    VALUE,
    /** Neighbours in the order of rows, where NaN is greatest and -0 equals 0. */
    NEIGHBOURS,
    /** The least and the greatest of the values without NaN, of which there may be some. */
    EXTREMES
  }

  KeySpace {
    expressions = List.copyOf(expressions);
    types = List.copyOf(types);
    descending = List.copyOf(descending);
  }

  /** Expressions without an order of rows, or in ascending order. */
  static KeySpace of(List<Expression> expressions, List<DataType> types, Ends ends) {
    return new KeySpace(
        expressions, types, expressions.stream().map(e -> Boolean.FALSE).toList(), ends);
  }

  /** The same in an order of rows that goes down in some expressions. */
  KeySpace descending(List<Boolean> down) {
    return new KeySpace(expressions, types, down, ends);
  }

  int size() {
    return types.size();
  }

  /** Name that stands for expression {@code index} where a filter is rewritten over this space. */
  static String name(int index) {
    return "\0key" + index;
  }
}
