package io.coppice.language.expression;

import io.coppice.base.check.Check;
import java.util.List;
import java.util.Optional;

/**
 * An expression as it was written, not yet typed. Immutable; at most {@link #MAX_DEPTH} deep when
 * it comes from the parser.
 *
 * <p>{@link #text()} prints what {@code SHOW CREATE TABLE} of ClickHouse 26.7 prints. That keeps
 * the difference between {@code a + b} and {@code plus(a, b)} and redundant parentheses, so the
 * tree does too: {@link FunctionCall#operator()} and {@link Parenthesized}.
 */
public sealed interface Expression
    permits Literal,
        Expression.Identifier,
        Expression.FunctionCall,
        Expression.Lambda,
        Expression.Parenthesized,
        Expression.Aliased,
        Expression.Asterisk,
        Expression.Columns,
        Expression.Subquery {

  /** As ClickHouse's max_ast_depth. */
  int MAX_DEPTH = 1000;

  /** ClickHouse's canonical text on one line. */
  default String text() {
    return ExpressionText.print(this, 0);
  }

  /**
   * ClickHouse's canonical text, of several lines where a query stands in it.
   *
   * @param indent spaces before every line but the first
   */
  default String text(int indent) {
    return ExpressionText.print(this, indent);
  }

  /** The expression without parentheses and alias around it. */
  default Expression bare() {
    Expression bare = this;
    while (true) {
      if (bare instanceof Parenthesized p) {
        bare = p.inner();
      } else if (bare instanceof Aliased a) {
        bare = a.inner();
      } else {
        return bare;
      }
    }
  }

  /** The expressions directly inside this one. */
  default List<Expression> children() {
    return List.of();
  }

  /** Adds the names that the expression mentions. */
  default void collectNames(java.util.Set<String> to) {
    if (this instanceof Identifier identifier) {
      to.add(identifier.name());
    }
    children().forEach(child -> child.collectNames(to));
  }

  /**
   * The elements of a key: those of a tuple, {@code tuple()} having none, else the expression
   * itself.
   */
  default List<Expression> keyElements() {
    Expression bare = bare();
    return bare instanceof FunctionCall call && call.name().equals("tuple")
        ? call.arguments()
        : List.of(bare);
  }

  /** A name, with what it is qualified by: {@code a}, {@code nested.x}. */
  record Identifier(List<String> parts) implements Expression {
    public Identifier {
      parts = List.copyOf(parts);
      Check.argument(!parts.isEmpty(), "identifier without name");
    }

    public static Identifier of(String name) {
      return new Identifier(List.of(name));
    }

    /** The parts joined by dots: the name of the column meant, if it is not a qualified one. */
    public String name() {
      return String.join(".", parts);
    }
  }

  /**
   * A function applied: {@code name(parameters)(arguments)}. Operators, {@code [a, b]} and {@code
   * (a, b)} are the functions that ClickHouse makes of them, with {@code operator} set.
   *
   * @param name as written; ClickHouse knows most functions by one case only
   * @param parameters of parametric (aggregate) functions, mostly none
   */
  record FunctionCall(
      String name, List<Expression> parameters, List<Expression> arguments, boolean operator)
      implements Expression {
    public FunctionCall {
      parameters = List.copyOf(parameters);
      arguments = List.copyOf(arguments);
    }

    /** {@code name(arguments)}. */
    public static FunctionCall of(String name, Expression... arguments) {
      return new FunctionCall(name, List.of(), List.of(arguments), false);
    }

    /** The operator whose function is {@code name}, as {@code plus} for {@code +}. */
    public static FunctionCall operator(String name, Expression... arguments) {
      return new FunctionCall(name, List.of(), List.of(arguments), true);
    }

    @Override
    public List<Expression> children() {
      return arguments;
    }
  }

  /** {@code x -> body}, {@code (x, y) -> body}. */
  record Lambda(List<String> parameters, Expression body) implements Expression {
    public Lambda {
      parameters = List.copyOf(parameters);
    }

    @Override
    public List<Expression> children() {
      return List.of(body);
    }

    /** The names of its parameters mean nothing outside. */
    @Override
    public void collectNames(java.util.Set<String> to) {
      java.util.Set<String> names = new java.util.LinkedHashSet<>();
      body.collectNames(names);
      names.removeIf(name -> parameters.contains(name.split("\\.", 2)[0]));
      to.addAll(names);
    }
  }

  /** Parentheses that were written and are kept in the text. */
  record Parenthesized(Expression inner) implements Expression {
    @Override
    public List<Expression> children() {
      return List.of(inner);
    }
  }

  /** {@code inner AS alias}. */
  record Aliased(Expression inner, String alias) implements Expression {
    @Override
    public List<Expression> children() {
      return List.of(inner);
    }
  }

  /** {@code *}, as in {@code count(*)}. */
  record Asterisk() implements Expression {}

  /**
   * Several columns at once: {@code t.*}, {@code * EXCEPT (a)}, {@code COLUMNS('regexp')}.
   *
   * @param qualifier the table before the dot
   * @param matching the regular expression that names must match
   * @param except names left out
   * @param replaced expressions that stand in place of columns, each aliased by the column's name
   */
  record Columns(
      Optional<String> qualifier,
      Optional<String> matching,
      List<String> except,
      List<Aliased> replaced)
      implements Expression {
    public Columns {
      except = List.copyOf(except);
      replaced = List.copyOf(replaced);
    }
  }

  /**
   * A query whose result is a value or a set.
   *
   * @param exists whether only its having rows matters
   */
  record Subquery(QueryBody body, boolean exists) implements Expression {}

  /** The integer that this expression is, if it is a literal. */
  default Optional<java.math.BigInteger> integerValue() {
    return bare() instanceof Literal.IntegerLiteral literal
        ? Optional.of(literal.value())
        : Optional.empty();
  }
}
