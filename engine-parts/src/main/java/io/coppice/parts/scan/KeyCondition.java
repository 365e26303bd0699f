package io.coppice.parts.scan;

import io.coppice.base.error.EngineException;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Expression.Identifier;
import io.coppice.language.expression.Literal;
import io.coppice.language.text.ByteText;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.LowCardinalityType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.Monotonicity;
import io.coppice.parts.expression.TypedExpression;
import io.coppice.parts.expression.Values;
import io.coppice.parts.skip.IndexAnswer;
import io.coppice.parts.write.SortOrder;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * What a filter says of the expressions of a {@link KeySpace}: whether rows whose values lie in a
 * box may, or may not, pass.
 *
 * <p>Immutable; any thread may use it. {@link #over} binds it to values.
 */
final class KeyCondition {
  /*
   * The filter is a tree of AND, OR, NOT over comparisons. A comparison is understood when, with each of the
   * space's expressions replaced by a name, one side is a constant and the other
   *   - is a name, or a chain of functions over one that is monotonic where it matters: the comparison is made
   *     for every row of values at once, and a box is answered from its two ends; or
   *   - is a column that the space has only under a function, as `t` is under toDate(t): the function is
   *     applied to the constant instead. Such an answer never says "all rows pass".
   * Whatever else is said of the space's expressions alone is known where each has one value: then the
   * condition is evaluated as it stands. Everything else is unknown. The comparison itself is done by the
   * expressions' own functions, so that types convert here exactly as they do in the filter.
   *
   * A NULL fulfils no condition but IS NULL; whichever way a condition on it is counted here, its opposite is
   * counted the other way, so that AND, OR and NOT leave no row out.
   */

  private static final int MOST_SET_ELEMENTS = 4096;

  private final KeySpace space;
  private final List<String> texts;
  private final Map<String, DataType> columns;
  private final ExpressionCompiler overKeys;
  private final Node root;

  private enum Op {
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL,
    EQUAL,
    NOT_EQUAL;

    Op flipped() {
      return switch (this) {
        case LESS -> GREATER;
        case LESS_OR_EQUAL -> GREATER_OR_EQUAL;
        case GREATER -> LESS;
        case GREATER_OR_EQUAL -> LESS_OR_EQUAL;
        case EQUAL, NOT_EQUAL -> this;
      };
    }
  }

  /** Remainders of dividing by it fit into a byte, signed or not. */
  private static final BigInteger MOST_DIVISOR = BigInteger.valueOf(128);

  private static final Set<String> STRICT = Set.of("negate", "plus", "minus");

  private static final Map<String, Op> OPS =
      Map.of(
          "less", Op.LESS,
          "lessOrEquals", Op.LESS_OR_EQUAL,
          "greater", Op.GREATER,
          "greaterOrEquals", Op.GREATER_OR_EQUAL,
          "equals", Op.EQUAL,
          "notEquals", Op.NOT_EQUAL);

  private sealed interface Node {}

  private record And(List<Node> nodes) implements Node {}

  private record Or(List<Node> nodes) implements Node {}

  private record Not(Node node) implements Node {}

  private record Known(IndexAnswer answer) implements Node {}

  /** Answers to one condition, each right. */
  private record Both(List<Node> nodes) implements Node {}

  private record IsNull(int column) implements Node {}

  /** A condition over {@code columns} that is evaluated where they have one value. */
  private record Exact(TypedExpression filter, List<Integer> columns) implements Node {}

  /**
   * A comparison of {@code expression}, over the one key {@code column}, with a constant.
   *
   * @param at what is compared for a value of the key
   * @param next the same for the value after it; empty if there is no such
   * @param previous the same for the value before it
   * @param floats whether the expression may be NaN
   * @param relaxed whether that all rows pass can never be said
   */
  private record Atom(
      int column,
      TypedExpression expression,
      Op op,
      Compared at,
      Optional<Compared> next,
      Optional<Compared> previous,
      boolean floats,
      boolean relaxed)
      implements Node {}

  /**
   * How an expression lies to a constant.
   *
   * @param less it is less
   * @param equal they are equal
   * @param ordered it equals itself: it is neither NULL nor NaN; empty if that is always so
   */
  private record Compared(
      TypedExpression less, TypedExpression equal, Optional<TypedExpression> ordered) {}

  private static final Node UNKNOWN = new Known(IndexAnswer.UNKNOWN);

  private static final byte UNORDERED = 2;

  /** No comparison: the expression has no value for some row. */
  private static final int FAILED = 3;

  /**
   * @param columns types of the columns that the filter may name
   */
  KeyCondition(Expression filter, KeySpace space, Map<String, DataType> columns) {
    this.space = space;
    this.columns = columns;
    Map<String, DataType> schema = new LinkedHashMap<>(columns);
    for (int i = 0; i < space.size(); i++) {
      schema.put(KeySpace.name(i), bare(space.types().get(i)));
    }
    this.overKeys = ExpressionCompiler.of(schema).forKeys(); // rand() is another in the filter
    this.texts = space.expressions().stream().map(KeyCondition::written).toList();
    this.root = node(filter);
  }

  private static DataType bare(DataType type) {
    return type.storage() instanceof LowCardinalityType low ? low.inner() : type;
  }

  /** The text of an expression however it was written: {@code a + 1} is {@code plus(a, 1)}. */
  static String plain(Expression given) {
    return withoutOperators(given).text();
  }

  private static Expression withoutOperators(Expression given) {
    Expression expression = given.bare();
    return expression instanceof FunctionCall call
        ? new FunctionCall(
            call.name(),
            call.parameters(),
            call.arguments().stream().map(KeyCondition::withoutOperators).toList(),
            false)
        : expression;
  }

  /**
   * The text of a key as a filter has it. Partition keys have moduloLegacy for %: of another type,
   * and with the same values as long as that is wide enough for every remainder.
   */
  static String written(Expression key) {
    boolean remainder =
        key.bare() instanceof FunctionCall call
            && call.name().equals("moduloLegacy")
            && call.arguments().size() == 2
            && call.arguments()
                .get(1)
                .integerValue()
                .filter(divisor -> divisor.abs().compareTo(MOST_DIVISOR) <= 0)
                .isPresent();
    return remainder
        ? plain(
            new FunctionCall("modulo", List.of(), ((FunctionCall) key.bare()).arguments(), false))
        : plain(key);
  }

  /** Whether nothing can be told whatever the box. */
  boolean unknown() {
    return unknown(root);
  }

  private static boolean unknown(Node node) {
    if (node instanceof And and) {
      return and.nodes().stream().allMatch(KeyCondition::unknown);
    }
    if (node instanceof Or or) {
      return or.nodes().stream().anyMatch(KeyCondition::unknown);
    }
    if (node instanceof Both both) {
      return both.nodes().stream().allMatch(KeyCondition::unknown);
    }
    if (node instanceof Not not) {
      return unknown(not.node());
    }
    return node.equals(UNKNOWN);
  }

  private Node node(Expression given) {
    Expression expression = given.bare();
    if (expression instanceof FunctionCall call) {
      switch (call.name()) {
        case "and":
          return new And(call.arguments().stream().map(this::node).toList());
        case "or":
          return new Or(call.arguments().stream().map(this::node).toList());
        case "not":
          return new Not(node(call.arguments().get(0)));
        default: // a condition
      }
    }
    if (constant(expression).isPresent()) {
      return compiles(expression)
          .filter(TypedExpression::filterable)
          .map(e -> e.filter(new VectorSchemaRoot(List.of(), List.of(), 1)).get(0))
          .<Node>map(t -> new Known(t ? IndexAnswer.ALWAYS : IndexAnswer.NEVER))
          .orElse(UNKNOWN);
    }
    Node known = condition(expression);
    if (exactAtPoints(known)) {
      return known;
    }
    Optional<Node> exact = exact(expression);
    return exact.isEmpty()
        ? known
        : known.equals(UNKNOWN) ? exact.get() : new Both(List.of(known, exact.get()));
  }

  /** Whether a condition is answered as well as can be where each key has one value. */
  private static boolean exactAtPoints(Node node) {
    if (node instanceof And and) {
      return and.nodes().stream().allMatch(KeyCondition::exactAtPoints);
    }
    if (node instanceof Or or) {
      return or.nodes().stream().allMatch(KeyCondition::exactAtPoints);
    }
    if (node instanceof Not not) {
      return exactAtPoints(not.node());
    }
    if (node instanceof Both both) {
      return both.nodes().stream().anyMatch(KeyCondition::exactAtPoints);
    }
    return node instanceof Atom atom ? !atom.relaxed() : !node.equals(UNKNOWN);
  }

  private Optional<Node> exact(Expression expression) {
    return compiles(rewrite(expression))
        .filter(TypedExpression::filterable)
        .flatMap(e -> keys(e.columns()).map(keys -> new Exact(e, keys)));
  }

  /** The keys of those names; empty if one is none, or may be equal and yet differ. */
  private Optional<List<Integer>> keys(Set<String> names) {
    List<Integer> keys = new ArrayList<>();
    for (int i = 0; i < space.size(); i++) {
      if (names.contains(KeySpace.name(i))
          && (space.ends() == KeySpace.Ends.VALUE || !floating(space.types().get(i)))) {
        keys.add(i);
      }
    }
    return keys.size() == names.size() && !keys.isEmpty() ? Optional.of(keys) : Optional.empty();
  }

  private Node condition(Expression expression) {
    if (expression instanceof FunctionCall call) {
      switch (call.name()) {
        case "isNull":
          return isNull(call.arguments().get(0));
        case "isNotNull":
          return new Not(isNull(call.arguments().get(0)));
        case "in", "globalIn":
          return in(call);
        case "notIn", "globalNotIn":
          return new Not(in(call));
        case "like":
          return like(call);
        case "notLike":
          return new Not(like(call));
        case "startsWith":
          return startsWith(call.arguments().get(0), constantText(call.arguments().get(1)), false);
        default:
          if (OPS.containsKey(call.name()) && call.arguments().size() == 2) {
            return comparison(
                OPS.get(call.name()), call.arguments().get(0), call.arguments().get(1));
          }
      }
    }
    // A bare value holds where it is not 0.
    return comparison(Op.NOT_EQUAL, expression, Literal.IntegerLiteral.of(0));
  }

  private Optional<TypedExpression> compiles(Expression expression) {
    try {
      return Optional.of(overKeys.compile(expression));
    } catch (EngineException e) {
      return Optional
          .empty(); // the filter itself says so when it is compiled; here nothing is known
    }
  }

  private Optional<Expression> constant(Expression expression) {
    return compiles(expression).filter(e -> e.columns().isEmpty()).map(e -> expression);
  }

  private Node comparison(Op op, Expression left, Expression right) {
    if (constant(right).isPresent()) {
      return compare(op, left, right);
    }
    if (constant(left).isPresent()) {
      return compare(op.flipped(), right, left);
    }
    return UNKNOWN;
  }

  private Node compare(Op op, Expression side, Expression constant) {
    Expression bareSide = side.bare();
    // (a, b) = (1, 2) is a = 1 AND b = 2.
    if (op == Op.EQUAL
        && bareSide instanceof FunctionCall tuple
        && tuple.name().equals("tuple")
        && constant.bare() instanceof FunctionCall values
        && values.name().equals("tuple")
        && values.arguments().size() == tuple.arguments().size()) {
      List<Node> parts = new ArrayList<>();
      for (int i = 0; i < tuple.arguments().size(); i++) {
        parts.add(compare(op, tuple.arguments().get(i), values.arguments().get(i)));
      }
      return new And(parts);
    }
    Expression rewritten = rewrite(bareSide);
    Optional<TypedExpression> compiled = compiles(rewritten);
    if (compiled.isEmpty() || textBesideNumber(compiled.get().type(), constant)) {
      return UNKNOWN;
    }
    List<Node> all = new ArrayList<>();
    Optional<Integer> key = onlyKey(compiled.get().columns());
    if (key.isPresent() && chained(compiled.get())) {
      all.add(atom(key.get(), rewritten, compiled.get(), op, constant, false));
    }
    if (bareSide instanceof Identifier identifier) {
      for (int i = 0; i < space.size(); i++) {
        wrapped(op, identifier, constant, i).ifPresent(all::add);
      }
    }
    return all.isEmpty() ? UNKNOWN : all.size() == 1 ? all.get(0) : new Both(all);
  }

  /**
   * Whether a string is compared with a number that is not exactly it, which is unlike an order.
   */
  private boolean textBesideNumber(DataType side, Expression constant) {
    DataType type = bare(side);
    DataType plain = type instanceof NullableType n ? n.inner() : type;
    boolean number =
        plain instanceof DataType.DecimalType
            || plain instanceof PlainType p && (p.integer() || p.floating());
    if (!number || constantText(constant).isEmpty()) {
      return false;
    }
    Expression converted =
        FunctionCall.of("CAST", constant, new Literal.StringLiteral(plain.text()));
    return compiles(FunctionCall.of("equals", converted, constant))
        .filter(e -> e.filter(new VectorSchemaRoot(List.of(), List.of(), 1)).get(0))
        .isEmpty();
  }

  private Node atom(
      int key,
      Expression side,
      TypedExpression compiled,
      Op op,
      Expression constant,
      boolean relaxed) {
    boolean floats = floating(compiled.type());
    boolean unordered = floats || compiled.type().nullable() || space.types().get(key).nullable();
    Optional<Compared> at = compared(side, constant, unordered);
    if (at.isEmpty()) {
      return UNKNOWN;
    }
    boolean inOrder =
        compiled instanceof TypedExpression.ColumnReference
            && space.ends() != KeySpace.Ends.EXTREMES;
    Optional<Compared> next = Optional.empty();
    Optional<Compared> previous = Optional.empty();
    if (space.ends() == KeySpace.Ends.NEIGHBOURS && key + 1 < space.size() && whole(key)) {
      next = compared(moved(side, key, "plus"), constant, unordered);
      previous = compared(moved(side, key, "minus"), constant, unordered);
    }
    return new Atom(
        key, compiled, op, at.get(), next, previous, floats, relaxed || floats && !inOrder);
  }

  private Optional<Compared> compared(Expression side, Expression constant, boolean unordered) {
    Optional<TypedExpression> less = compiles(FunctionCall.of("less", side, constant));
    Optional<TypedExpression> equal = compiles(FunctionCall.of("equals", side, constant));
    Optional<TypedExpression> ordered =
        unordered ? compiles(FunctionCall.of("equals", side, side)) : Optional.empty();
    boolean usable =
        less.filter(TypedExpression::filterable).isPresent()
            && equal.filter(TypedExpression::filterable).isPresent()
            && unordered == ordered.filter(TypedExpression::filterable).isPresent();
    return usable ? Optional.of(new Compared(less.get(), equal.get(), ordered)) : Optional.empty();
  }

  /** Whether a key's values are whole, so that each has a next one. */
  private boolean whole(int key) {
    DataType type = bare(space.types().get(key));
    type = type instanceof NullableType n ? n.inner() : type;
    return type instanceof PlainType p
            && (p.integer() || p == PlainType.DATE || p == PlainType.DATE32)
        || type instanceof DataType.DateTimeType;
  }

  /**
   * The expression of the key's next or previous value. Where there is none the value is any other:
   * no row is beyond the last value, so that whatever is said of such rows is right.
   */
  private Expression moved(Expression side, int key, String function) {
    Expression moved =
        FunctionCall.of(
            "CAST",
            FunctionCall.of(
                function, Identifier.of(KeySpace.name(key)), Literal.IntegerLiteral.of(1)),
            new Literal.StringLiteral(bare(space.types().get(key)).text()));
    return substitute(side, KeySpace.name(key), moved);
  }

  private static boolean floating(DataType given) {
    DataType type = bare(given);
    return (type instanceof NullableType n ? n.inner() : type) instanceof PlainType p
        && p.floating();
  }

  /** The expression with the space's expressions replaced by their names. */
  private Expression rewrite(Expression given) {
    Expression expression = given.bare();
    int key = texts.indexOf(plain(expression));
    if (key >= 0) {
      Expression name = Identifier.of(KeySpace.name(key));
      boolean legacy = !texts.get(key).equals(plain(space.expressions().get(key)));
      return legacy
          ? compiles(expression)
              .<Expression>map(
                  e -> FunctionCall.of("CAST", name, new Literal.StringLiteral(e.type().text())))
              .orElse(expression)
          : name;
    }
    if (expression instanceof FunctionCall call) {
      return new FunctionCall(
          call.name(),
          call.parameters(),
          call.arguments().stream().map(this::rewrite).toList(),
          call.operator());
    }
    return expression;
  }

  private Optional<Integer> onlyKey(Set<String> names) {
    if (names.size() != 1) {
      return Optional.empty();
    }
    String name = names.iterator().next();
    for (int i = 0; i < space.size(); i++) {
      if (KeySpace.name(i).equals(name)) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }

  /** Whether an expression is a column under functions of one variable argument each. */
  private static boolean chained(TypedExpression expression) {
    TypedExpression at = expression;
    while (at instanceof TypedExpression.FunctionResult f) {
      Optional<TypedExpression> next = f.variableArgument();
      if (next.isEmpty()) {
        return false;
      }
      at = next.get();
    }
    return at instanceof TypedExpression.ColumnReference;
  }

  /** {@code column op constant} where key {@code index} is a function of that column alone. */
  private Optional<Node> wrapped(Op op, Identifier column, Expression constant, int index) {
    Expression key = space.expressions().get(index).bare();
    if (key instanceof Identifier || !columns.containsKey(column.name())) {
      return Optional.empty();
    }
    Optional<TypedExpression> compiled = compiles(key);
    if (compiled.isEmpty() || !compiled.get().columns().equals(Set.of(column.name()))) {
      return Optional.empty();
    }
    DataType type = bare(columns.get(column.name()));
    DataType plain = type instanceof NullableType n ? n.inner() : type;
    Expression converted =
        FunctionCall.of("CAST", constant, new Literal.StringLiteral(plain.text()));
    boolean lossless =
        compiles(FunctionCall.of("equals", converted, constant))
            .filter(e -> e.columns().isEmpty())
            .filter(e -> e.filter(new VectorSchemaRoot(List.of(), List.of(), 1)).get(0))
            .isPresent();
    if (!lossless) {
      return Optional.empty();
    }
    Optional<Boolean> increasing = wholeDirection(compiled.get());
    boolean strict = increasing.isPresent() && strict(compiled.get());
    Op on = op;
    if (op != Op.EQUAL) {
      if (increasing.isEmpty() || op == Op.NOT_EQUAL && !strict) {
        return Optional.empty();
      }
      on = increasing.get() ? op : op.flipped();
      if (!strict) {
        on = on == Op.LESS ? Op.LESS_OR_EQUAL : on == Op.GREATER ? Op.GREATER_OR_EQUAL : on;
      }
    }
    Expression applied = substitute(key, column.name(), converted);
    Expression name = Identifier.of(KeySpace.name(index));
    Op finalOp = on;
    return compiles(name).map(c -> atom(index, name, c, finalOp, applied, !strict));
  }

  /** Whether a monotonic chain gives different whole numbers for different ones. */
  private static boolean strict(TypedExpression expression) {
    TypedExpression at = expression;
    while (at instanceof TypedExpression.FunctionResult f) {
      DataType type = bare(f.type());
      boolean whole =
          (type instanceof NullableType n ? n.inner() : type) instanceof PlainType p && p.integer();
      if (!STRICT.contains(f.function()) || !whole) {
        return false;
      }
      at = f.variableArgument().orElseThrow();
    }
    return true;
  }

  static Expression substitute(Expression given, String column, Expression value) {
    Expression expression = given.bare();
    if (expression instanceof Identifier i && i.name().equals(column)) {
      return value;
    }
    if (expression instanceof FunctionCall call) {
      return new FunctionCall(
          call.name(),
          call.parameters(),
          call.arguments().stream().map(a -> substitute(a, column, value)).toList(),
          call.operator());
    }
    return expression;
  }

  /** Whether a chain goes up or down on its whole argument; empty when it does neither. */
  static Optional<Boolean> wholeDirection(TypedExpression expression) {
    boolean up = true;
    TypedExpression at = expression;
    while (at instanceof TypedExpression.FunctionResult f) {
      Monotonicity m = f.monotonicity(Optional.empty(), Optional.empty());
      Optional<TypedExpression> next = f.variableArgument();
      if (!m.monotonic() || next.isEmpty()) {
        return Optional.empty();
      }
      up ^= !m.increasing();
      at = next.get();
    }
    return at instanceof TypedExpression.ColumnReference ? Optional.of(up) : Optional.empty();
  }

  private Node isNull(Expression operand) {
    Expression rewritten = rewrite(operand);
    for (int i = 0; i < space.size(); i++) {
      if (rewritten instanceof Identifier id && id.name().equals(KeySpace.name(i))) {
        return new IsNull(i);
      }
    }
    return UNKNOWN;
  }

  private Node in(FunctionCall call) {
    Expression side = call.arguments().get(0);
    Expression set = call.arguments().get(1).bare();
    List<Expression> elements =
        set instanceof FunctionCall values
                && (values.name().equals("tuple") || values.name().equals("array"))
            ? values.arguments()
            : List.of(set);
    if (elements.size() > MOST_SET_ELEMENTS
        || elements.stream().anyMatch(e -> constant(e).isEmpty())) {
      return UNKNOWN;
    }
    boolean tuples = side.bare() instanceof FunctionCall t && t.name().equals("tuple");
    if (tuples
        && set instanceof FunctionCall one
        && one.name().equals("tuple")
        && one.arguments().stream().noneMatch(e -> e.bare() instanceof FunctionCall)) {
      return compare(Op.EQUAL, side, set);
    }
    return new Or(elements.stream().map(e -> compare(Op.EQUAL, side, e)).toList());
  }

  private Optional<byte[]> constantText(Expression expression) {
    return expression.bare() instanceof Literal.StringLiteral s
        ? Optional.of(s.bytes())
        : Optional.empty();
  }

  private Node like(FunctionCall call) {
    Optional<byte[]> pattern = constantText(call.arguments().get(1));
    if (pattern.isEmpty()) {
      return UNKNOWN;
    }
    byte[] bytes = pattern.get();
    java.io.ByteArrayOutputStream prefix = new java.io.ByteArrayOutputStream();
    int i = 0;
    for (; i < bytes.length && bytes[i] != '%' && bytes[i] != '_'; i++) {
      if (bytes[i] == '\\') {
        i++;
        if (i == bytes.length) {
          return UNKNOWN;
        }
      }
      prefix.write(bytes[i]);
    }
    boolean exact = i == bytes.length - 1 && bytes[i] == '%';
    Optional<byte[]> start = Optional.of(prefix.toByteArray());
    return i == bytes.length
        ? compare(Op.EQUAL, call.arguments().get(0), text(start.get()))
        : startsWith(call.arguments().get(0), start, !exact);
  }

  static Expression text(byte[] bytes) {
    return new Literal.StringLiteral(ByteText.of(bytes));
  }

  private Node startsWith(Expression side, Optional<byte[]> prefix, boolean onlyNecessary) {
    if (prefix.isEmpty() || prefix.get().length == 0) {
      return UNKNOWN;
    }
    Optional<TypedExpression> compiled = compiles(rewrite(side.bare()));
    DataType type = compiled.map(c -> bare(c.type())).orElse(PlainType.NOTHING);
    if (type != PlainType.STRING
        && !(type instanceof NullableType n && n.inner() == PlainType.STRING)) {
      return UNKNOWN;
    }
    byte[] end = prefix.get().clone();
    int last = end.length - 1;
    while (last >= 0 && end[last] == (byte) 0xFF) {
      last--;
    }
    List<Node> both = new ArrayList<>();
    both.add(compare(Op.GREATER_OR_EQUAL, side, text(prefix.get())));
    if (last >= 0) {
      end = java.util.Arrays.copyOf(end, last + 1);
      end[last]++;
      both.add(compare(Op.LESS, side, text(end)));
    }
    if (onlyNecessary) {
      both.add(UNKNOWN);
    }
    return new And(both);
  }

  /** The condition over values. */
  Bound over(List<FieldVector> values, int rows) {
    return new Bound(values, rows);
  }

  /** Comparisons made for every row of values. Confined to one thread; borrows the vectors. */
  final class Bound {
    private final List<FieldVector> values;
    private final Map<Compared, Optional<byte[]>> compared = new java.util.IdentityHashMap<>();
    private final Map<Exact, Optional<BitSet>> evaluated = new java.util.IdentityHashMap<>();
    private final Map<TypedExpression, Values> arguments = new java.util.IdentityHashMap<>();
    private final VectorSchemaRoot batch;
    private final int rows;

    private Bound(List<FieldVector> values, int rows) {
      this.values = values;
      this.rows = rows;
      List<FieldVector> named = new ArrayList<>();
      List<org.apache.arrow.vector.types.pojo.Field> fields = new ArrayList<>();
      for (int i = 0; i < values.size(); i++) {
        org.apache.arrow.vector.types.pojo.Field f = values.get(i).getField();
        fields.add(
            new org.apache.arrow.vector.types.pojo.Field(
                KeySpace.name(i), f.getFieldType(), f.getChildren()));
        named.add(values.get(i));
      }
      this.batch = new NamedBatch(fields, named, rows);
    }

    /** Whether rows in the box may pass, and whether they may not. */
    IndexAnswer ask(KeyBox box) {
      return ask(root, box);
    }

    private IndexAnswer ask(Node node, KeyBox box) {
      if (node instanceof And and) {
        IndexAnswer answer = IndexAnswer.ALWAYS;
        for (Node one : and.nodes()) {
          answer = answer.and(ask(one, box));
          if (!answer.mayBeTrue()) {
            return answer;
          }
        }
        return answer;
      }
      if (node instanceof Or or) {
        IndexAnswer answer = IndexAnswer.NEVER;
        for (Node one : or.nodes()) {
          answer = answer.or(ask(one, box));
          if (answer.mayBeTrue() && answer.mayBeFalse() && unknown(one)) {
            return answer;
          }
        }
        return answer;
      }
      if (node instanceof Both both) {
        boolean mayBeTrue = true;
        boolean mayBeFalse = true;
        for (Node one : both.nodes()) {
          IndexAnswer answer = ask(one, box);
          mayBeTrue &= answer.mayBeTrue();
          mayBeFalse &= answer.mayBeFalse();
        }
        return new IndexAnswer(mayBeTrue, mayBeFalse);
      }
      if (node instanceof Not not) {
        return ask(not.node(), box).not();
      }
      if (node instanceof Known known) {
        return known.answer();
      }
      if (node instanceof IsNull isNull) {
        return askNull(isNull.column(), box);
      }
      return node instanceof Exact exact ? ask(exact, box) : ask((Atom) node, box);
    }

    private IndexAnswer ask(Exact exact, KeyBox box) {
      int row = onlyRow(exact.columns(), box);
      Optional<BitSet> holds =
          row < 0 ? Optional.empty() : evaluated.computeIfAbsent(exact, this::evaluate);
      return holds
          .map(h -> h.get(row) ? IndexAnswer.ALWAYS : IndexAnswer.NEVER)
          .orElse(IndexAnswer.UNKNOWN);
    }

    private Optional<BitSet> evaluate(Exact exact) {
      try {
        return Optional.of(exact.filter().filter(batch));
      } catch (EngineException e) {
        return Optional
            .empty(); // of some other row, maybe; the filter says so if it is of one read
      }
    }

    /** A row that has the one value that each of the keys has in the box, or -1. */
    private int onlyRow(List<Integer> keys, KeyBox box) {
      for (int key : keys) {
        if (!point(key, box.low[key], box.high[key])) {
          return -1;
        }
      }
      for (int candidate : keys) {
        int row = box.low[candidate];
        if (keys.stream().allMatch(key -> same(key, row, box.low[key]))) {
          return row;
        }
      }
      return -1;
    }

    private boolean point(int key, int low, int high) {
      return low >= 0 && high >= 0 && same(key, low, high);
    }

    private boolean same(int key, int a, int b) {
      return a == b
          || SortOrder.compareValues(values.get(key), a, values.get(key), b, space.types().get(key))
              == 0;
    }

    private IndexAnswer askNull(int column, KeyBox box) {
      FieldVector vector = values.get(column);
      int low = box.low[column];
      int high = box.high[column];
      boolean lowNull = low >= 0 && vector.isNull(low);
      boolean highNull =
          high < 0
              ? vector.getField().isNullable()
              : vector.isNull(high) && box.highIncluded[column];
      return new IndexAnswer(highNull, !lowNull);
    }

    private IndexAnswer ask(Atom atom, KeyBox box) {
      int low = box.low[atom.column()];
      int high = box.high[atom.column()];
      boolean withLow = box.lowIncluded[atom.column()];
      boolean withHigh = box.highIncluded[atom.column()];
      int a = low < 0 ? -1 : side(atom.at(), low);
      int b = high < 0 ? 1 : side(atom.at(), high);
      if (a == FAILED || b == FAILED) {
        return IndexAnswer.UNKNOWN;
      }
      boolean ofKey = atom.expression() instanceof TypedExpression.ColumnReference;
      if (a == UNORDERED && (ofKey || last(values.get(atom.column()), low))) {
        // Behind a NULL or a NaN there is nothing else.
        return new IndexAnswer(atom.floats() && atom.op() == Op.NOT_EQUAL, true);
      }
      boolean mayBeNaN = atom.floats() && (high < 0 || b == UNORDERED && withHigh);
      if (low >= 0 && !withLow && atom.next().isPresent()) {
        int next = side(atom.next().get(), low);
        withLow = next != FAILED;
        a = withLow ? next : a;
      }
      if (high >= 0 && !withHigh && b != UNORDERED && atom.previous().isPresent()) {
        int previous = side(atom.previous().get(), high);
        withHigh = previous != FAILED;
        b = withHigh ? previous : b;
      }
      if (!ofKey) {
        boolean exact = space.ends() == KeySpace.Ends.VALUE || !floating(keyType(atom));
        Optional<Boolean> up =
            exact && point(atom.column(), low, high)
                ? Optional.of(true)
                : directionIfKnown(atom, low, high);
        if (up.isEmpty()) {
          return IndexAnswer.UNKNOWN;
        }
        // Different arguments may have one result: an end left out may still be there. A NULL is
        // the greatest of the arguments, its result not the least.
        withLow = true;
        withHigh = true;
        boolean lowOpen = up.get() ? low < 0 : high < 0;
        boolean highOpen = up.get() ? high < 0 : low < 0;
        int first = up.get() ? a : b;
        int last = up.get() ? b : a;
        a = lowOpen || first == UNORDERED ? -1 : first;
        b = highOpen ? 1 : last;
      }
      boolean below = a < 0;
      boolean above = b > 0;
      boolean lowEqual = a == 0 && withLow;
      boolean highEqual = b == 0 && withHigh;
      IndexAnswer answer =
          switch (atom.op()) {
            case LESS -> new IndexAnswer(below, above || highEqual);
            case LESS_OR_EQUAL -> new IndexAnswer(below || lowEqual, above);
            case GREATER -> new IndexAnswer(above, below || lowEqual || mayBeNaN);
            case GREATER_OR_EQUAL -> new IndexAnswer(above || highEqual, below || mayBeNaN);
            case EQUAL ->
                new IndexAnswer((below || lowEqual) && (above || highEqual), a != 0 || b != 0);
            case NOT_EQUAL ->
                new IndexAnswer(
                    atom.relaxed() && atom.floats() || a != 0 || b != 0,
                    (below || lowEqual) && (above || highEqual));
          };
      return atom.relaxed() ? new IndexAnswer(answer.mayBeTrue(), true) : answer;
    }

    /** Whether a value is NULL or NaN, behind which there are only such. */
    private static boolean last(FieldVector vector, int row) {
      return vector.isNull(row)
          || vector instanceof Float8Vector doubles && Double.isNaN(doubles.get(row))
          || vector instanceof Float4Vector floats && Float.isNaN(floats.get(row));
    }

    private Optional<Boolean> directionIfKnown(Atom atom, int low, int high) {
      try {
        return direction(atom.expression(), atom.column(), low, high);
      } catch (EngineException e) {
        return Optional.empty(); // some row's argument cannot be computed
      }
    }

    private DataType keyType(Atom atom) {
      return space.types().get(atom.column());
    }

    private int side(Compared of, int row) {
      return compared
          .computeIfAbsent(of, this::compare)
          .map(sides -> (int) sides[row])
          .orElse(FAILED);
    }

    /**
     * Per row -1, 0 or 1 as the expression is below, at or above the constant; UNORDERED for NULL
     * and NaN. Empty if it cannot be computed for all rows.
     */
    private Optional<byte[]> compare(Compared of) {
      try {
        BitSet less = of.less().filter(batch);
        BitSet equal = of.equal().filter(batch);
        Optional<BitSet> ordered = of.ordered().map(e -> e.filter(batch));
        byte[] sides = new byte[rows];
        for (int row = 0; row < rows; row++) {
          boolean unordered = ordered.isPresent() && !ordered.get().get(row);
          sides[row] = unordered ? UNORDERED : (byte) (less.get(row) ? -1 : equal.get(row) ? 0 : 1);
        }
        return Optional.of(sides);
      } catch (EngineException e) {
        return Optional.empty(); // the filter itself says so if it is of a row that is read
      }
    }

    /** Values of what a function is applied to, for every row. */
    private Values argument(TypedExpression expression, int column) {
      Values known = arguments.get(expression);
      if (known == null) {
        try (FieldVector vector = expression.evaluate(batch, values.get(column).getAllocator())) {
          known = Values.of(vector, expression.type());
        }
        arguments.put(expression, known);
      }
      return known;
    }

    private Optional<Boolean> direction(TypedExpression expression, int column, int low, int high) {
      Optional<Boolean> whole = wholeDirection(expression);
      if (whole.isPresent()) {
        return whole;
      }
      List<TypedExpression.FunctionResult> inward = new ArrayList<>();
      TypedExpression at = expression;
      while (at instanceof TypedExpression.FunctionResult f) {
        inward.add(f);
        at = f.variableArgument().orElseThrow();
      }
      boolean up = true;
      for (int i = inward.size() - 1; i >= 0; i--) {
        Values argument = argument(inward.get(i).variableArgument().orElseThrow(), column);
        int from = up ? low : high;
        int to = up ? high : low;
        Monotonicity m =
            inward
                .get(i)
                .monotonicity(
                    from < 0 ? Optional.empty() : Optional.of(argument.constantAt(from)),
                    to < 0 ? Optional.empty() : Optional.of(argument.constantAt(to)));
        if (!m.monotonic()) {
          return Optional.empty();
        }
        up ^= !m.increasing();
      }
      return Optional.of(up);
    }
  }

  /** A batch whose vectors go by other names than their own. */
  private static final class NamedBatch extends VectorSchemaRoot {
    private final Map<String, FieldVector> byName = new java.util.HashMap<>();

    NamedBatch(
        List<org.apache.arrow.vector.types.pojo.Field> fields,
        List<FieldVector> vectors,
        int rows) {
      super(fields, vectors, rows);
      for (int i = 0; i < vectors.size(); i++) {
        byName.put(fields.get(i).getName(), vectors.get(i));
      }
    }

    @Override
    public FieldVector getVector(String name) {
      return byName.get(name);
    }
  }
}
