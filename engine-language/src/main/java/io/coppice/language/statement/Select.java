package io.coppice.language.statement;

import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Literal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One SELECT over at most one table.
 *
 * @param distinct whether equal rows come once; {@code DISTINCT ON} is a limit by
 * @param items what is selected, aliased where written so
 * @param groupBy none also where there is no GROUP BY at all
 * @param offset rows left out before the limit
 */
public record Select(
    List<With> with,
    boolean distinct,
    List<Expression> items,
    Optional<Source> from,
    boolean finalRead,
    Optional<Sample> sample,
    Optional<Expression> prewhere,
    Optional<Expression> where,
    List<Expression> groupBy,
    boolean groupByAll,
    boolean withTotals,
    Optional<Expression> having,
    List<OrderElement> orderBy,
    boolean orderByAll,
    Optional<LimitBy> limitBy,
    Optional<Expression> limit,
    Optional<Expression> offset,
    boolean withTies,
    Map<String, Literal> settings)
    implements Query.Body {
  public Select {
    with = List.copyOf(with);
    items = List.copyOf(items);
    groupBy = List.copyOf(groupBy);
    orderBy = List.copyOf(orderBy);
    settings = StatementText.ordered(settings);
  }

  /** An element of WITH. */
  public sealed interface With {
    /** {@code expression AS name}. */
    record Value(Expression expression, String name) implements With {}

    /** {@code name AS (query)}. */
    record Table(String name, Query.Body body) implements With {}
  }

  /** What FROM reads. */
  public sealed interface Source {
    /** The name that columns may be qualified by, if one was given. */
    Optional<String> alias();

    /** A table. */
    record Table(TableName name, Optional<String> alias) implements Source {}

    /** A table function. */
    record Function(FunctionCall call, Optional<String> alias) implements Source {}

    /** A query's result. */
    record Subquery(Query.Body body, Optional<String> alias) implements Source {}
  }

  /**
   * {@code SAMPLE ratio OFFSET offset}.
   *
   * @param offset absent for 0
   */
  public record Sample(Ratio ratio, Optional<Ratio> offset) {}

  /** A fraction, or a number of rows where it is above 1. */
  public record Ratio(BigInteger numerator, BigInteger denominator) {
    /** As ClickHouse prints it: {@code 0.5} is {@code 5 / 10}. */
    public String text() {
      return denominator.equals(BigInteger.ONE)
          ? numerator.toString()
          : numerator + " / " + denominator;
    }
  }

  /**
   * An element of ORDER BY.
   *
   * @param nullsFirst absent where not said: NULL and NaN come last
   */
  public record OrderElement(
      Expression expression,
      boolean descending,
      Optional<Boolean> nullsFirst,
      Optional<String> collation) {}

  /** {@code LIMIT n OFFSET m BY expressions}. */
  public record LimitBy(Expression limit, Optional<Expression> offset, List<Expression> by) {
    public LimitBy {
      by = List.copyOf(by);
    }
  }

  @Override
  public String text(int indent) {
    return SelectText.select(this, indent);
  }
}
