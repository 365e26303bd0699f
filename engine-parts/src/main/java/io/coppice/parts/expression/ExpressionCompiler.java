package io.coppice.parts.expression;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.Aliased;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Expression.Identifier;
import io.coppice.language.expression.Expression.Lambda;
import io.coppice.language.expression.Expression.Parenthesized;
import io.coppice.language.expression.Literal;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.PlainType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Gives expressions their types over a schema, folds constants and chooses the loops. Immutable;
 * any thread may use one.
 *
 * <p>Errors are those of ClickHouse: {@code UNKNOWN_IDENTIFIER}, {@code UNKNOWN_FUNCTION} ({@code
 * NOT_IMPLEMENTED} for what ClickHouse has and this does not), {@code ILLEGAL_TYPE_OF_ARGUMENT} and
 * so on. The time and random numbers are the machine's unless {@link #in} says otherwise.
 */
public final class ExpressionCompiler {
  private final Map<String, DataType> schema;
  private final String defaultZone;
  private final boolean deterministicOnly;
  private final Surroundings surroundings;

  private ExpressionCompiler(
      Map<String, DataType> schema,
      String defaultZone,
      boolean deterministicOnly,
      Surroundings surroundings) {
    this.schema = new LinkedHashMap<>(schema);
    this.defaultZone = defaultZone;
    this.deterministicOnly = deterministicOnly;
    this.surroundings = surroundings;
  }

  /** For columns by name; times without a zone are in UTC. */
  public static ExpressionCompiler of(Map<String, DataType> schema) {
    return new ExpressionCompiler(schema, "UTC", false, Surroundings.system());
  }

  /** As this one, with times that have no zone of their own in {@code zone}. */
  public ExpressionCompiler withZone(String zone) {
    return new ExpressionCompiler(schema, zone, deterministicOnly, surroundings);
  }

  /** As this one, but refusing functions whose result may change, as keys must. */
  public ExpressionCompiler forKeys() {
    return new ExpressionCompiler(schema, defaultZone, true, surroundings);
  }

  /** As this one, with the time, the random numbers and the zone of {@code other}. */
  public ExpressionCompiler in(Surroundings other) {
    return new ExpressionCompiler(schema, other.zone().getId(), deterministicOnly, other);
  }

  /** The names of the functions that can be evaluated, sorted. */
  public static Set<String> functions() {
    Set<String> names = new TreeSet<>(FunctionRegistry.instance().names());
    names.addAll(SurroundingFunctions.NAMES);
    return names;
  }

  /** The aggregate functions that ClickHouse has, whether they are served or not, sorted. */
  public static Set<String> aggregates() {
    return FunctionRegistry.instance().aggregateNames();
  }

  /** Whether a function gives the same for the same arguments whenever it is asked. */
  public static boolean deterministic(String name) {
    return FunctionRegistry.instance().deterministic(name);
  }

  /** ClickHouse's spelling of an aggregate function; empty if it has none of that name. */
  public static Optional<String> aggregate(String name) {
    return FunctionRegistry.instance().aggregate(name);
  }

  /** The expression over the schema. */
  public TypedExpression compile(Expression expression) {
    if (expression instanceof Parenthesized parenthesized) {
      return compile(parenthesized.inner());
    }
    if (expression instanceof Aliased aliased) {
      return compile(aliased.inner());
    }
    if (expression instanceof Literal literal) {
      return literal(literal);
    }
    if (expression instanceof Identifier identifier) {
      return column(identifier);
    }
    if (expression instanceof FunctionCall call) {
      return call(call);
    }
    throw EngineException.of(
        ErrorCode.NOT_IMPLEMENTED,
        "%s cannot be evaluated here: lambdas are arguments of functions as arrayMap, * is of"
            + " SELECT",
        expression.text());
  }

  /** What is stored apart of values of nested types, computed from the values. */
  private Expression subcolumn(Expression of, String part, Identifier whole) {
    DataType type = Types.bare(compile(of).type());
    if (part.equals("null") && type instanceof DataType.NullableType) {
      return FunctionCall.of("isNull", of);
    }
    boolean list = type instanceof DataType.ArrayType || type instanceof DataType.MapType;
    if (list && part.equals("size0")) {
      return FunctionCall.of("length", of);
    }
    if (type instanceof DataType.MapType && part.equals("keys")) {
      return FunctionCall.of("mapKeys", of);
    }
    if (type instanceof DataType.MapType && part.equals("values")) {
      return FunctionCall.of("mapValues", of);
    }
    DataType element = type;
    while (element instanceof DataType.ArrayType array) {
      element = Types.bare(array.element());
    }
    if (!(element instanceof DataType.TupleType)) {
      throw EngineException.of(
          ErrorCode.UNKNOWN_IDENTIFIER,
          "unknown column %s: %s has no subcolumn %s",
          whole.text(),
          type.text(),
          part);
    }
    return FunctionCall.of("tupleElement", of, new Literal.StringLiteral(part));
  }

  private TypedExpression column(Identifier identifier) {
    String name = identifier.name();
    DataType type = schema.get(name);
    if (type != null) {
      return new TypedExpression.ColumnReference(name, type, identifier.text());
    }
    // The longest prefix that is a column, its elements by name behind it.
    List<String> parts = identifier.parts();
    for (int split = parts.size() - 1; split > 0; split--) {
      String prefix = String.join(".", parts.subList(0, split));
      if (schema.containsKey(prefix)) {
        Expression element = new Identifier(parts.subList(0, split));
        for (String part : parts.subList(split, parts.size())) {
          element = subcolumn(element, part, identifier);
        }
        return compile(element);
      }
    }
    throw EngineException.of(
        ErrorCode.UNKNOWN_IDENTIFIER,
        "unknown column %s; there are %s",
        identifier.text(),
        schema.size() > 20 ? schema.size() + " columns" : schema.keySet());
  }

  private TypedExpression.Constant literal(Literal literal) {
    Values value;
    DataType type;
    if (literal instanceof Literal.NullLiteral) {
      type = new NullableType(PlainType.NOTHING);
      value = Values.Nothings.of(1, true);
    } else if (literal instanceof Literal.BoolLiteral bool) {
      type = PlainType.BOOL;
      value = Values.Longs.constant(bool.value() ? 1 : 0);
    } else if (literal instanceof Literal.IntegerLiteral integer) {
      type = Types.ofInteger(integer.value());
      value = Values.Longs.constant(integer.value().longValue());
    } else if (literal instanceof Literal.FloatLiteral number) {
      type = PlainType.FLOAT64;
      value = new Values.Doubles(new double[] {number.value()}, true, null);
    } else {
      type = PlainType.STRING;
      value = Values.Strings.constant(((Literal.StringLiteral) literal).bytes());
    }
    return new TypedExpression.Constant(value, type, literal.text());
  }

  private TypedExpression call(FunctionCall call) {
    FunctionRegistry registry = FunctionRegistry.instance();
    String name = registry.canonicalName(call.name());
    if (!call.parameters().isEmpty()) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED,
          "%s: functions with parameters cannot be evaluated here",
          call.text());
    }
    boolean ofSurroundings = SurroundingFunctions.NAMES.contains(name);
    if (deterministicOnly && (ofSurroundings || !registry.deterministic(name))) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS,
          "%s gives another result each time; a key must not use it",
          call.text());
    }
    if (LambdaFunctions.takesLambda(name)
        && !call.arguments().isEmpty()
        && call.arguments().get(0).bare() instanceof Lambda lambda) {
      return higherOrder(name, lambda, call.arguments().subList(1, call.arguments().size()));
    }
    List<TypedExpression> arguments = new ArrayList<>();
    for (Expression argument : call.arguments()) {
      arguments.add(compile(argument));
    }
    List<Function.Argument> types = new ArrayList<>();
    for (TypedExpression argument : arguments) {
      types.add(new Function.Argument(argument.type(), argument.constantValue()));
    }
    Function.Resolved resolved =
        ofSurroundings
            ? SurroundingFunctions.resolve(
                new Function.Call(name, types, defaultZone), surroundings)
            : registry.resolve(call.name(), types, defaultZone);
    String text = canonical(name, arguments);
    TypedExpression.FunctionResult result =
        new TypedExpression.FunctionResult(
            name, arguments, LazyBranches.of(name, arguments, resolved), text);
    boolean constant = arguments.stream().allMatch(a -> a.constantValue().isPresent());
    if (constant && (registry.deterministic(name) || resolved.sameForAll())) {
      Values value = result.values(new TypedExpression.Batch(Map.of(), 1));
      return new TypedExpression.Constant(
          value.constant() ? value : value.asConstant(), resolved.type(), text);
    }
    return result;
  }

  /** A function of a lambda: an expression of the arrays and the columns that the body reads. */
  private TypedExpression higherOrder(String name, Lambda lambda, List<Expression> arrays) {
    List<TypedExpression> arguments = new ArrayList<>();
    List<Function.Argument> types = new ArrayList<>();
    for (Expression array : arrays) {
      TypedExpression compiled = compile(array);
      arguments.add(compiled);
      types.add(new Function.Argument(Types.bare(compiled.type()), compiled.constantValue()));
    }
    List<String> parameters = lambda.parameters();
    if (parameters.size() != arrays.size() || arrays.isEmpty()) {
      throw EngineException.of(
          arrays.isEmpty()
              ? ErrorCode.NUMBER_OF_ARGUMENTS_DOESNT_MATCH
              : ErrorCode.ILLEGAL_TYPE_OF_ARGUMENT,
          "function %s: lambda %s has %d parameters for %d arrays",
          name,
          lambda.text(),
          parameters.size(),
          arrays.size());
    }
    Function.Call call = new Function.Call(name, types, defaultZone);
    Map<String, DataType> inner = new LinkedHashMap<>(schema);
    for (int i = 0; i < parameters.size(); i++) {
      inner.put(parameters.get(i), LambdaFunctions.element(call, i));
    }
    TypedExpression body =
        new ExpressionCompiler(inner, defaultZone, deterministicOnly, surroundings)
            .compile(lambda.body());
    List<String> captured =
        body.columns().stream().filter(column -> !parameters.contains(column)).toList();
    Function.Resolved resolved = LambdaFunctions.resolve(call, body, parameters, captured);
    String text =
        name
            + "("
            + (parameters.size() == 1
                ? parameters.get(0)
                : parameters.stream().collect(Collectors.joining(", ", "(", ")")))
            + " -> "
            + body.text()
            + arguments.stream().map(a -> ", " + a.text()).collect(Collectors.joining())
            + ")";
    for (String column : captured) {
      arguments.add(column(Identifier.of(column)));
    }
    TypedExpression.FunctionResult result =
        new TypedExpression.FunctionResult(name, arguments, resolved, text, body.repeatable());
    boolean constant = arguments.stream().allMatch(a -> a.constantValue().isPresent());
    return constant && body.repeatable()
        ? new TypedExpression.Constant(
            result.values(new TypedExpression.Batch(Map.of(), 1)), resolved.type(), text)
        : result;
  }

  /** One text for an expression however it was written: {@code a + 1} is {@code plus(a, 1)}. */
  private static String canonical(String name, List<TypedExpression> arguments) {
    StringBuilder text = new StringBuilder(name).append('(');
    String comma = "";
    for (TypedExpression argument : arguments) {
      text.append(comma).append(argument.text());
      comma = ", ";
    }
    return text.append(')').toString();
  }

  /** The elements of a compiled tuple, or the expression itself: the columns of a key. */
  public List<TypedExpression> compileKey(Expression key) {
    return key.keyElements().stream().map(this::compile).toList();
  }

  /** The type an expression has, without evaluating it. */
  public DataType typeOf(Expression expression) {
    return compile(expression).type();
  }
}
