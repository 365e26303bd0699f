package io.coppice.query.explain;

import io.coppice.base.error.EngineException;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Expression.Identifier;
import io.coppice.language.expression.Literal;
import io.coppice.language.type.DataType;
import io.coppice.parts.expression.ConstantText;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.TypedExpression;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Expressions as 26.7's EXPLAIN prints them: operators, constants computed, {@code a MOD 7}. Not
 * thread-safe for the compiler's sake.
 */
public final class PlanTexts {
  /** An operator between its two arguments. */
  private record Operator(String text, int rank) {}

  private static final int OR = 1;
  private static final int AND = 2;
  private static final int NOT = 3;
  private static final int COMPARED = 4;
  private static final int SUM = 6;
  private static final int PRODUCT = 7;
  private static final int NEGATED = 8;
  private static final int ATOM = 9;

  private static final Map<String, Operator> OPERATORS =
      Map.ofEntries(
          Map.entry("or", new Operator("OR", OR)),
          Map.entry("and", new Operator("AND", AND)),
          Map.entry("equals", new Operator("=", COMPARED)),
          Map.entry("notEquals", new Operator("!=", COMPARED)),
          Map.entry("less", new Operator("<", COMPARED)),
          Map.entry("greater", new Operator(">", COMPARED)),
          Map.entry("lessOrEquals", new Operator("<=", COMPARED)),
          Map.entry("greaterOrEquals", new Operator(">=", COMPARED)),
          Map.entry("like", new Operator("LIKE", COMPARED)),
          Map.entry("notLike", new Operator("NOT LIKE", COMPARED)),
          Map.entry("ilike", new Operator("ILIKE", COMPARED)),
          Map.entry("notILike", new Operator("NOT ILIKE", COMPARED)),
          Map.entry("plus", new Operator("+", SUM)),
          Map.entry("minus", new Operator("−", SUM)),
          Map.entry("multiply", new Operator("*", PRODUCT)),
          Map.entry("divide", new Operator("/", PRODUCT)),
          Map.entry("intDiv", new Operator("DIV", PRODUCT)),
          Map.entry("modulo", new Operator("MOD", PRODUCT)));

  private static final Map<String, String> SETS =
      Map.of("in", "IN", "globalIn", "IN", "notIn", "NOT IN", "globalNotIn", "NOT IN");

  private final ExpressionCompiler compiler;
  private final String zone;
  private final Function<Expression, Optional<String>> names;

  /**
   * Texts of resolved expressions.
   *
   * @param compiler over the columns that they name
   * @param zone of times whose type names none
   * @param names of what is not to be printed in full, as the results of subqueries
   */
  public PlanTexts(
      ExpressionCompiler compiler, String zone, Function<Expression, Optional<String>> names) {
    this.compiler = compiler;
    this.zone = zone;
    this.names = names;
  }

  /** The texts of expressions, with commas between them. */
  public String list(List<Expression> expressions) {
    return expressions.stream().map(this::of).collect(Collectors.joining(", "));
  }

  /** The text of an expression. */
  public String of(Expression expression) {
    return print(expression, 0);
  }

  private String print(Expression given, int outside) {
    Expression expression = given.bare();
    if (expression instanceof FunctionCall call) {
      Optional<String> constant = constant(call);
      return constant.orElseGet(() -> print(call, outside));
    }
    if (expression instanceof Identifier identifier) {
      return identifier.name();
    }
    return constant(expression).orElseGet(expression::text);
  }

  /** The text of a value that is known beforehand. */
  private Optional<String> constant(Expression expression) {
    try {
      TypedExpression compiled = compiler.compile(expression);
      return compiled.columns().isEmpty()
          ? ConstantText.of(compiled, zone).map(ConstantText::written)
          : Optional.empty();
    } catch (EngineException e) {
      return Optional.empty(); // an aggregate function, or an error that running it will tell
    }
  }

  private String print(FunctionCall call, int outside) {
    List<Expression> arguments = call.arguments();
    Operator operator = OPERATORS.get(call.name());
    if (operator != null && arguments.size() >= 2) {
      // The right side of a difference stands without brackets in 26.7.
      return within(
          outside,
          operator.rank(),
          arguments.stream()
              .map(argument -> print(argument, operator.rank()))
              .collect(Collectors.joining(" " + operator.text() + " ")));
    }
    if (SETS.containsKey(call.name()) && arguments.size() == 2) {
      return within(
          outside,
          COMPARED,
          side(arguments.get(0))
              + " "
              + SETS.get(call.name())
              + " "
              + set(arguments.get(0), arguments.get(1)));
    }
    switch (call.name()) {
      case "not":
        return within(outside, NOT, "NOT " + print(arguments.get(0), NOT));
      case "negate":
        return within(outside, NEGATED, "-" + print(arguments.get(0), NEGATED));
      case "isNull":
        return within(outside, COMPARED, print(arguments.get(0), ATOM) + " IS NULL");
      case "isNotNull":
        return within(outside, COMPARED, print(arguments.get(0), ATOM) + " IS NOT NULL");
      case "array":
        return "[" + list(arguments) + "]";
      case "countDistinct":
        return "uniqExact(" + list(arguments) + ")";
      case "count":
        return "count(" + (unchanging(arguments) ? "" : list(arguments)) + ")";
      default:
        String parameters = call.parameters().isEmpty() ? "" : "(" + list(call.parameters()) + ")";
        return call.name() + parameters + "(" + list(arguments) + ")";
    }
  }

  private boolean unchanging(List<Expression> arguments) {
    return arguments.stream().allMatch(argument -> constant(argument).isPresent());
  }

  private String side(Expression side) {
    return side.bare() instanceof FunctionCall tuple && tuple.name().equals("tuple")
        ? "tuple(" + list(tuple.arguments()) + ")"
        : print(side, COMPARED);
  }

  /** The elements of a set, each once, as they are stored. */
  private String set(Expression side, Expression set) {
    Optional<String> name = names.apply(set);
    if (name.isPresent()) {
      return name.get();
    }
    List<Expression> elements =
        set.bare() instanceof FunctionCall call
                && (call.name().equals("tuple") || call.name().equals("array"))
            ? call.arguments()
            : List.of(set);
    Set<String> texts = new LinkedHashSet<>();
    for (Expression element : elements) {
      if (!(element.bare() instanceof Literal.NullLiteral)) {
        texts.add(stored(side, element));
      }
    }
    return "(" + String.join(", ", texts) + ")";
  }

  private String stored(Expression side, Expression element) {
    try {
      DataType type = compiler.typeOf(side);
      boolean converts = !(type instanceof DataType.TupleType);
      Expression value =
          converts
              ? FunctionCall.of("CAST", element, new Literal.StringLiteral(type.text()))
              : element;
      return ConstantText.of(compiler.compile(value), zone)
          .map(ConstantText::stored)
          .orElseGet(() -> of(element));
    } catch (EngineException e) {
      return of(element);
    }
  }

  private static String within(int outside, int rank, String text) {
    return rank < outside ? "(" + text + ")" : text;
  }
}
