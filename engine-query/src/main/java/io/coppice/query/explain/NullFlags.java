package io.coppice.query.explain;

import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Expression.Identifier;
import io.coppice.language.expression.Expression.Lambda;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The columns of which a query asks only whether they are NULL: 26.7 reads the flags alone, and
 * calls them {@code c.null}. Immutable.
 */
public final class NullFlags {
  private static final String SUFFIX = ".null";

  private final Set<String> columns;

  private NullFlags(Set<String> columns) {
    this.columns = columns;
  }

  /**
   * Those among some columns.
   *
   * @param nullable columns that may be NULL and are in no key and no index
   * @param all expressions of the query, resolved
   */
  public static NullFlags of(Set<String> nullable, List<Expression> all) {
    Set<String> asked = new HashSet<>();
    Set<String> read = new HashSet<>();
    all.forEach(expression -> collect(expression, asked, read));
    asked.retainAll(nullable);
    asked.removeAll(read);
    return new NullFlags(asked);
  }

  private static void collect(Expression expression, Set<String> asked, Set<String> read) {
    if (expression instanceof Identifier identifier) {
      read.add(identifier.parts().get(0));
      read.add(identifier.name());
    } else if (expression instanceof FunctionCall call && ofColumn(call)) {
      asked.add(((Identifier) call.arguments().get(0)).name());
    } else {
      expression.children().forEach(child -> collect(child, asked, read));
    }
  }

  private static boolean ofColumn(FunctionCall call) {
    return Set.of("isNull", "isNotNull", "count").contains(call.name())
        && call.arguments().size() == 1
        && call.arguments().get(0) instanceof Identifier;
  }

  /** Whether a name is that of flags. */
  public boolean flag(String name) {
    return name.endsWith(SUFFIX)
        && columns.contains(name.substring(0, name.length() - SUFFIX.length()));
  }

  /** An expression over the flags. */
  public Expression of(Expression expression) {
    if (columns.isEmpty() || expression instanceof Lambda) {
      return expression;
    }
    if (!(expression instanceof FunctionCall call)) {
      return expression;
    }
    if (ofColumn(call)) {
      String column = ((Identifier) call.arguments().get(0)).name();
      if (!columns.contains(column)) {
        return call;
      }
      Expression flag = Identifier.of(column + SUFFIX);
      return switch (call.name()) {
        case "isNull" -> flag;
        case "isNotNull" -> FunctionCall.of("not", flag);
        default -> FunctionCall.of("sum", FunctionCall.of("not", flag));
      };
    }
    return new FunctionCall(
        call.name(),
        call.parameters(),
        call.arguments().stream().map(this::of).toList(),
        call.operator());
  }

  /** Expressions over the flags. */
  public List<Expression> of(List<Expression> expressions) {
    return expressions.stream().map(this::of).toList();
  }
}
