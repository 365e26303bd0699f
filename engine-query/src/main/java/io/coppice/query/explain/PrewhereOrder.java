package io.coppice.query.explain;

import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Expression.Identifier;
import io.coppice.parts.expression.ExpressionCompiler;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which conditions 26.7 looks at before it reads other columns, and in which order it prints them:
 * the one to be looked at first stands last.
 *
 * @param moved as printed
 * @param left conditions that wait until all columns are read
 */
public record PrewhereOrder(List<Expression> moved, List<Expression> left) {
  public PrewhereOrder {
    moved = List.copyOf(moved);
    left = List.copyOf(left);
  }

  private record Candidate(Expression condition, int keyPosition, long bytes, int columns) {}

  /**
   * Sorts conditions all of which must hold.
   *
   * @param queried all columns that the query reads
   * @param primaryKey the names of the primary key's columns, in its order
   * @param bytes compressed sizes of columns; those of compact parts are not known
   */
  public static PrewhereOrder of(
      List<Expression> conditions,
      Set<String> queried,
      List<String> primaryKey,
      Map<String, Long> bytes) {
    List<Expression> left = new ArrayList<>();
    List<Expression> movable = new ArrayList<>();
    for (Expression condition : conditions) {
      Set<String> columns = columns(condition);
      boolean moves =
          !columns.isEmpty() && columns.size() < queried.size() && deterministic(condition);
      (moves ? movable : left).add(condition);
    }
    Set<Integer> positions = new HashSet<>();
    movable.forEach(condition -> positions.add(position(columns(condition), primaryKey)));
    int valid = 0;
    while (positions.contains(valid)) {
      valid++;
    }
    List<Candidate> candidates = new ArrayList<>();
    for (Expression condition : movable) {
      Set<String> columns = columns(condition);
      int position = position(columns, primaryKey);
      candidates.add(
          new Candidate(
              condition,
              position < valid ? position : Integer.MAX_VALUE,
              columns.stream().mapToLong(column -> bytes.getOrDefault(column, 0L)).sum(),
              columns.size()));
    }
    // What the key has left out much of already comes last.
    candidates.sort(
        Comparator.comparingInt((Candidate c) -> -c.keyPosition())
            .thenComparingLong(Candidate::bytes)
            .thenComparingInt(Candidate::columns));
    List<Expression> printed = new ArrayList<>();
    candidates.forEach(candidate -> printed.add(0, candidate.condition()));
    return new PrewhereOrder(printed, left);
  }

  private static int position(Set<String> columns, List<String> primaryKey) {
    return columns.stream()
        .mapToInt(primaryKey::indexOf)
        .filter(at -> at >= 0)
        .min()
        .orElse(Integer.MAX_VALUE);
  }

  /** The names in an expression. */
  public static Set<String> columns(Expression expression) {
    Set<String> names = new LinkedHashSet<>();
    collect(expression, names);
    return names;
  }

  private static void collect(Expression expression, Set<String> names) {
    if (expression instanceof Identifier identifier) {
      names.add(identifier.name());
    }
    expression.children().forEach(child -> collect(child, names));
  }

  private static boolean deterministic(Expression expression) {
    return (!(expression instanceof FunctionCall call)
            || ExpressionCompiler.deterministic(call.name()))
        && expression.children().stream().allMatch(PrewhereOrder::deterministic);
  }
}
