package io.coppice.language.statement;

import io.coppice.language.expression.Literal;
import io.coppice.language.expression.QueryBody;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A query with what becomes of its result.
 *
 * @param body one SELECT, or several joined
 * @param settings behind the query; those of a SELECT stand in it
 */
public record Query(
    Body body, Optional<Outfile> outfile, Map<String, Literal> settings, Optional<String> format)
    implements Statement {
  public Query {
    settings = StatementText.ordered(settings);
  }

  /** A query without output clauses. */
  public static Query of(Body body) {
    return new Query(body, Optional.empty(), Map.of(), Optional.empty());
  }

  /** A SELECT, or a union of them. */
  public sealed interface Body extends QueryBody permits Select, Union {}

  /**
   * Results joined from left to right.
   *
   * @param operators between the operands, one fewer than these
   */
  public record Union(List<Body> operands, List<Operator> operators) implements Body {
    public Union {
      operands = List.copyOf(operands);
      operators = List.copyOf(operators);
    }

    @Override
    public String text(int indent) {
      return SelectText.union(this, indent);
    }
  }

  /** How two results are joined. */
  public enum Operator {
    UNION_ALL("UNION ALL"),
    UNION_DISTINCT("UNION DISTINCT"),
    /** {@code UNION} alone: the setting {@code union_default_mode} decides. */
    UNION("UNION"),
    INTERSECT("INTERSECT"),
    INTERSECT_DISTINCT("INTERSECT DISTINCT"),
    EXCEPT("EXCEPT"),
    EXCEPT_DISTINCT("EXCEPT DISTINCT");

    private final String text;

    Operator(String text) {
      this.text = text;
    }

    /** As written. */
    public String text() {
      return text;
    }
  }

  /** {@code INTO OUTFILE}. */
  public record Outfile(
      String path, boolean append, boolean truncate, Optional<String> compression, int level) {}

  @Override
  public String text() {
    return SelectText.query(this);
  }
}
