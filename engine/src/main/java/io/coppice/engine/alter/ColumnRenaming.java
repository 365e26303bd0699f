package io.coppice.engine.alter;

import io.coppice.language.expression.Expression;
import io.coppice.language.statement.CreateTable;
import java.util.List;

/**
 * A column under another name in the expressions that use it.
 *
 * @param from the name it had
 * @param to the name it gets
 */
record ColumnRenaming(String from, String to) {
  Expression in(Expression expression) {
    if (expression instanceof Expression.Identifier identifier) {
      return identifier.name().equals(from) ? Expression.Identifier.of(to) : identifier;
    }
    if (expression instanceof Expression.FunctionCall call) {
      return new Expression.FunctionCall(
          call.name(), call.parameters(), in(call.arguments()), call.operator());
    }
    if (expression instanceof Expression.Parenthesized p) {
      return new Expression.Parenthesized(in(p.inner()));
    }
    if (expression instanceof Expression.Aliased aliased) {
      return new Expression.Aliased(in(aliased.inner()), aliased.alias());
    }
    if (expression instanceof Expression.Lambda lambda) {
      return lambda.parameters().contains(from)
          ? lambda
          : new Expression.Lambda(lambda.parameters(), in(lambda.body()));
    }
    return expression;
  }

  private List<Expression> in(List<Expression> expressions) {
    return expressions.stream().map(this::in).toList();
  }

  CreateTable.TtlElement in(CreateTable.TtlElement element) {
    CreateTable.TtlAction action = element.action();
    if (action instanceof CreateTable.TtlAction.Delete delete) {
      action = new CreateTable.TtlAction.Delete(delete.where().map(this::in));
    } else if (action instanceof CreateTable.TtlAction.GroupBy group) {
      action =
          new CreateTable.TtlAction.GroupBy(
              in(group.keys()),
              group.assignments().stream()
                  .map(
                      a ->
                          new CreateTable.Assignment(
                              a.column().equals(from) ? to : a.column(), in(a.expression())))
                  .toList());
    }
    return new CreateTable.TtlElement(in(element.expression()), action);
  }
}
