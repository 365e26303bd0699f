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
import io.coppice.parts.expression.TypedExpression;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * What a filter says of a {@link KeySpace}, in the words of ClickHouse 26.7's EXPLAIN: {@code
 * and((a in (-Inf, 20]), (a in [11, +Inf)))}. It tells what 26.7 understands of the filter, which
 * may be less than {@link KeyCondition} does; granules are chosen by that.
 *
 * <p>Immutable; any thread may use it.
 */
final class ConditionText {
  /*
   * 26.7 keeps a condition as a stack of atoms and of operators on two, and prints the upper one first: the
   * last argument of `and` stands first. What it does not understand is true in `and` and takes the whole `or`
   * with it. `not` goes inward to the atoms, which have opposites, but for those that have none.
   */

  /** What nothing is known of. */
  private static final Term UNKNOWN = new Term("", Shape.UNKNOWN, -1, false);

  private static final String TRUE = "true";

  private static final String SET = "-element set)";

  /** Functions that may be monotonic, so that 26.7 follows them from a key. */
  private static final Set<String> FOLLOWED =
      Set.of(
          "abs",
          "ceil",
          "divide",
          "erf",
          "exp",
          "floor",
          "intDiv",
          "log",
          "minus",
          "multiply",
          "negate",
          "plus",
          "round",
          "sign",
          "sqrt",
          "tanh",
          "timeSlot",
          "trunc",
          "sigmoid",
          "asinh",
          "cbrt",
          "log10",
          "log2",
          "intExp2",
          "intExp10",
          "atan",
          "dateTrunc");

  private static final Set<String> FOLLOWED_STARTS = Set.of("to", "addDays", "add", "subtract");

  /** Functions that 26.7 takes for monotonic only where it knows both ends. */
  private static final Set<String> MAY_OVERFLOW = Set.of("plus", "minus", "multiply", "abs");

  private static final Map<String, String> OPPOSITE =
      Map.of(
          "less", "greaterOrEquals",
          "greaterOrEquals", "less",
          "greater", "lessOrEquals",
          "lessOrEquals", "greater",
          "equals", "notEquals",
          "notEquals", "equals");

  private static final Map<String, String> FLIPPED =
      Map.of(
          "less", "greater",
          "greater", "less",
          "lessOrEquals", "greaterOrEquals",
          "greaterOrEquals", "lessOrEquals",
          "equals", "equals",
          "notEquals", "notEquals");

  /** How much of a key's order a term allows. */
  private enum Shape {
    UNKNOWN,
    POINT,
    RANGE,
    OTHER
  }

  /**
   * A term as printed.
   *
   * @param key the key that it is about, or -1
   * @param straight whether the key's order is the order of what is compared
   */
  private record Term(String text, Shape shape, int key, boolean straight) {
    boolean unknown() {
      return shape == Shape.UNKNOWN;
    }
  }

  /**
   * A key, perhaps under functions.
   *
   * @param text as printed
   * @param over the expression over the names of keys
   */
  private record Side(int key, String text, Expression over, boolean chained) {}

  private final KeySpace space;
  private final List<String> texts;
  private final Map<String, DataType> columns;
  private final ExpressionCompiler compiler;
  private final List<Term> atoms = new ArrayList<>();
  private boolean disjunction;
  private boolean inexact;
  private final String text;

  /**
   * @param columns types of the columns that the filter may name
   */
  ConditionText(Expression filter, KeySpace space, Map<String, DataType> columns) {
    this.space = space;
    this.columns = columns;
    Map<String, DataType> schema = new LinkedHashMap<>(columns);
    for (int i = 0; i < space.size(); i++) {
      schema.put(KeySpace.name(i), bare(space.types().get(i)));
    }
    this.compiler = ExpressionCompiler.of(schema).forKeys();
    this.texts = space.expressions().stream().map(KeyCondition::written).toList();
    Term root = term(filter, false);
    this.text = root.unknown() ? TRUE : root.text();
  }

  /** The condition; {@code true} where nothing is known. */
  String text() {
    return text;
  }

  boolean unknown() {
    return text.equals(TRUE);
  }

  /** Whether a part of the condition is known, though the whole is not. */
  boolean partlyKnown() {
    return !atoms.isEmpty();
  }

  /** Whether the condition is all of the filter, so that it tells also which rows surely pass. */
  boolean exact() {
    return !unknown() && !inexact;
  }

  /** The keys that the condition is about, in their order. */
  List<String> keys() {
    if (unknown()) {
      return List.of();
    }
    Set<Integer> used = new TreeSet<>();
    atoms.forEach(atom -> used.addAll(keysOf(atom)));
    return used.stream().map(key -> KeyCondition.plain(space.expressions().get(key))).toList();
  }

  private List<Integer> keysOf(Term atom) {
    List<Integer> keys = new ArrayList<>();
    if (atom.key() >= 0) {
      keys.add(atom.key());
    } else {
      for (int i = 0; i < space.size(); i++) {
        if (atom.text().contains(printed(i))) {
          keys.add(i);
        }
      }
    }
    return keys;
  }

  /**
   * How 26.7 looks for the rows in the order of the keys: by binary search where one run of rows
   * fulfils the condition, else excluding ever smaller pieces. Empty where there is no condition.
   */
  String algorithm() {
    if (unknown()) {
      return "";
    }
    return oneRun() ? "binary search" : "generic exclusion search";
  }

  private boolean oneRun() {
    Shape[] of = new Shape[space.size()];
    for (Term atom : atoms) {
      if (disjunction || atom.shape() == Shape.OTHER || !atom.straight() || atom.key() < 0) {
        return false;
      }
      if (of[atom.key()] != Shape.POINT) {
        of[atom.key()] = atom.shape();
      }
    }
    if (of[0] == null) {
      return false;
    }
    for (int i = 1; i < of.length; i++) {
      boolean known = of[i] != null;
      if (known && of[i - 1] == null
          || known && of[i] == Shape.POINT && of[i - 1] == Shape.RANGE
          || of[i] == Shape.RANGE && of[i - 1] == Shape.RANGE) {
        return false;
      }
    }
    return true;
  }

  private static DataType bare(DataType type) {
    DataType plain = type.storage() instanceof LowCardinalityType low ? low.inner() : type;
    return plain instanceof NullableType nullable ? nullable.inner() : plain;
  }

  private Term term(Expression given, boolean negated) {
    Expression expression = given.bare();
    if (expression instanceof FunctionCall call) {
      switch (call.name()) {
        case "not":
          return term(call.arguments().get(0), !negated);
        case "and":
          return joined(call, negated ? "or" : "and", negated);
        case "or":
          return joined(call, negated ? "and" : "or", negated);
        default: // an atom
      }
    }
    if (constant(expression).isPresent()) {
      return UNKNOWN;
    }
    Term atom = atom(expression, negated);
    if (!atom.unknown()) {
      atoms.add(atom);
    }
    inexact |= atom.unknown() || atom.text().endsWith(SET);
    return atom;
  }

  private Term joined(FunctionCall call, String operator, boolean negated) {
    disjunction |= operator.equals("or");
    Term all = null;
    for (Expression argument : call.arguments()) {
      Term next = term(argument, negated);
      if (all == null) {
        all = next;
      } else if (all.unknown() || next.unknown()) {
        all = operator.equals("or") || all.unknown() && next.unknown() ? UNKNOWN : known(all, next);
      } else {
        all =
            new Term(
                operator + "(" + next.text() + ", " + all.text() + ")", Shape.OTHER, -1, false);
      }
    }
    return all == null ? UNKNOWN : all;
  }

  private static Term known(Term a, Term b) {
    return a.unknown() ? b : a;
  }

  private Term atom(Expression expression, boolean negated) {
    if (expression instanceof FunctionCall call) {
      List<Expression> arguments = call.arguments();
      switch (call.name()) {
        case "isNull":
        case "isNotNull":
          return isNull(arguments.get(0), call.name().equals("isNull") != negated);
        case "in":
        case "globalIn":
          return in(arguments, !negated);
        case "notIn":
        case "globalNotIn":
          return in(arguments, negated);
        case "has":
          return in(List.of(arguments.get(1), arguments.get(0)), !negated);
        case "like":
          return like(arguments, negated);
        case "notLike":
          return like(arguments, !negated);
        case "startsWith":
          return starting(arguments.get(0), string(arguments.get(1)), negated);
        case "match":
          return matching(arguments, negated);
        case "empty":
          return comparison(
              negated ? "notEquals" : "equals", arguments.get(0), KeyCondition.text(new byte[0]));
        case "notEmpty":
          return comparison(
              negated ? "equals" : "notEquals", arguments.get(0), KeyCondition.text(new byte[0]));
        default:
          if (OPPOSITE.containsKey(call.name()) && arguments.size() == 2) {
            return comparison(
                negated ? OPPOSITE.get(call.name()) : call.name(),
                arguments.get(0),
                arguments.get(1));
          }
      }
    }
    Term known = comparison("notEquals", expression, Literal.IntegerLiteral.of(0));
    return negated && !known.unknown() ? not(known) : known;
  }

  /** The opposite of a term that has none of its own. */
  private static Term not(Term term) {
    return new Term("not(" + term.text() + ")", Shape.OTHER, term.key(), false);
  }

  private Optional<TypedExpression> compiles(Expression expression) {
    try {
      return Optional.of(compiler.compile(expression));
    } catch (EngineException e) {
      return Optional.empty(); // of which nothing is known, then
    }
  }

  private Optional<TypedExpression> constant(Expression expression) {
    return compiles(expression).filter(compiled -> compiled.columns().isEmpty());
  }

  /** A key, or a function of one whose order may be the key's. */
  private Optional<Side> side(Expression given) {
    Expression expression = given.bare();
    String wanted = KeyCondition.plain(expression);
    int key = texts.indexOf(wanted);
    if (key >= 0) {
      return Optional.of(new Side(key, printed(key), Identifier.of(KeySpace.name(key)), false));
    }
    if (!(expression instanceof FunctionCall call)
        || call.arguments().isEmpty()
        || call.arguments().size() > 3
        || !followed(call)) {
      return Optional.empty();
    }
    Optional<Side> inner = Optional.empty();
    List<String> printed = new ArrayList<>();
    List<Expression> over = new ArrayList<>();
    for (Expression argument : call.arguments()) {
      if (constant(argument).isPresent()) {
        printed.add(argument.text());
        over.add(argument);
        continue;
      }
      Optional<Side> found = side(argument);
      if (inner.isPresent() || found.isEmpty()) {
        return Optional.empty();
      }
      inner = found;
      printed.add(found.get().text());
      over.add(found.get().over());
    }
    return inner.map(
        side ->
            new Side(
                side.key(),
                call.name() + "(" + String.join(", ", printed) + ")",
                new FunctionCall(call.name(), call.parameters(), over, false),
                true));
  }

  private static boolean followed(FunctionCall call) {
    return FOLLOWED.contains(call.name())
        || FOLLOWED_STARTS.stream().anyMatch(call.name()::startsWith);
  }

  private String printed(int key) {
    return KeyCondition.plain(space.expressions().get(key));
  }

  private Term comparison(String operator, Expression left, Expression right) {
    if (constant(right).isPresent()) {
      return compared(operator, left, right);
    }
    return constant(left).isPresent() ? compared(FLIPPED.get(operator), right, left) : UNKNOWN;
  }

  private Term compared(String operator, Expression given, Expression constant) {
    Optional<Side> side = side(given);
    if (side.isPresent()) {
      Optional<TypedExpression> compiled = compiles(side.get().over());
      return compiled
          .flatMap(c -> range(operator, bare(c.type()), constant))
          .map(
              range ->
                  new Term(
                      "(" + side.get().text() + range + ")",
                      shape(operator),
                      side.get().key(),
                      !side.get().chained() || straight(compiled.get())))
          .orElse(UNKNOWN);
    }
    return given.bare() instanceof Identifier column
        ? wrapped(operator, column, constant)
        : UNKNOWN;
  }

  /** Whether a chain never goes down on its whole argument, as far as 26.7 knows. */
  private static boolean straight(TypedExpression compiled) {
    TypedExpression at = compiled;
    while (at instanceof TypedExpression.FunctionResult f) {
      if (MAY_OVERFLOW.contains(f.function())) {
        return false;
      }
      Optional<TypedExpression> next = f.variableArgument();
      if (next.isEmpty()) {
        return false;
      }
      at = next.get();
    }
    return KeyCondition.wholeDirection(compiled).orElse(false);
  }

  private static Shape shape(String operator) {
    return switch (operator) {
      case "equals" -> Shape.POINT;
      case "notEquals" -> Shape.OTHER;
      default -> Shape.RANGE;
    };
  }

  private Optional<String> range(String operator, DataType type, Expression constant) {
    return RangeText.of(compiler, type, constant).flatMap(range -> range.text(operator));
  }

  /** {@code column op constant} where a key is a function of the column. */
  private Term wrapped(String operator, Identifier column, Expression constant) {
    if (!columns.containsKey(column.name())) {
      return UNKNOWN;
    }
    for (int key = 0; key < space.size(); key++) {
      Expression expression = space.expressions().get(key).bare();
      Optional<TypedExpression> compiled = compiles(expression);
      if (expression instanceof Identifier
          || compiled.isEmpty()
          || !compiled.get().columns().equals(Set.of(column.name()))) {
        continue;
      }
      boolean equality = operator.equals("equals");
      if (!equality && !straight(compiled.get())) {
        continue;
      }
      Expression applied =
          KeyCondition.substitute(
              expression,
              column.name(),
              FunctionCall.of(
                  "CAST",
                  constant,
                  new Literal.StringLiteral(bare(columns.get(column.name())).text())));
      // Neighbours may have one result, which is in the range then.
      String on =
          switch (operator) {
            case "less" -> "lessOrEquals";
            case "greater" -> "greaterOrEquals";
            default -> operator;
          };
      Optional<String> range = range(on, bare(compiled.get().type()), applied);
      if (range.isPresent()) {
        return new Term("(" + printed(key) + range.get() + ")", shape(on), key, true);
      }
    }
    return UNKNOWN;
  }

  private Term isNull(Expression operand, boolean yes) {
    return side(operand)
        .filter(side -> !side.chained())
        .map(
            side ->
                new Term(
                    "(" + side.text() + (yes ? " isNull" : " isNotNull") + ")",
                    Shape.OTHER,
                    side.key(),
                    false))
        .orElse(UNKNOWN);
  }

  private Term in(List<Expression> arguments, boolean yes) {
    Optional<List<Expression>> elements = elements(arguments.get(0), arguments.get(1).bare());
    if (elements.isEmpty()) {
      return UNKNOWN;
    }
    List<Expression> sides =
        arguments.get(0).bare() instanceof FunctionCall tuple && tuple.name().equals("tuple")
            ? tuple.arguments()
            : List.of(arguments.get(0));
    Set<String> distinct = new HashSet<>();
    elements.get().stream()
        .filter(element -> !(element.bare() instanceof Literal.NullLiteral))
        .forEach(element -> distinct.add(KeyCondition.plain(element)));
    List<String> printed = new ArrayList<>();
    int key = -1;
    boolean straight = true;
    for (Expression each : sides) {
      Optional<Side> side = side(each);
      if (side.isPresent()) {
        printed.add(side.get().text());
        key = side.get().key();
        straight &= !side.get().chained();
      } else if (each.bare() instanceof Identifier column) {
        for (int i = 0; i < space.size(); i++) {
          if (functionOf(i, column)) {
            printed.add(printed(i));
            key = i;
            break;
          }
        }
      }
    }
    if (printed.isEmpty()) {
      return UNKNOWN;
    }
    String of = printed.size() == 1 ? printed.get(0) : "(" + String.join(", ", printed) + ")";
    boolean point = yes && distinct.size() == 1 && printed.size() == 1 && straight;
    return new Term(
        "(" + of + (yes ? " in " : " notIn ") + distinct.size() + SET,
        point ? Shape.POINT : Shape.OTHER,
        printed.size() == 1 ? key : -1,
        straight);
  }

  private boolean functionOf(int key, Identifier column) {
    Expression expression = space.expressions().get(key).bare();
    return !(expression instanceof Identifier)
        && compiles(expression)
            .filter(compiled -> compiled.columns().equals(Set.of(column.name())))
            .isPresent();
  }

  /** The elements of a set, each a constant. */
  private Optional<List<Expression>> elements(Expression side, Expression set) {
    List<Expression> elements =
        set instanceof FunctionCall values
                && (values.name().equals("tuple") || values.name().equals("array"))
            ? values.arguments()
            : List.of(set);
    boolean ofTuples =
        side.bare() instanceof FunctionCall tuple
            && tuple.name().equals("tuple")
            && set instanceof FunctionCall one
            && one.name().equals("tuple")
            && one.arguments().stream().noneMatch(e -> e.bare() instanceof FunctionCall);
    if (ofTuples) {
      elements = List.of(set);
    }
    return elements.stream().allMatch(element -> constant(element).isPresent())
        ? Optional.of(elements)
        : Optional.empty();
  }

  private static Optional<byte[]> string(Expression expression) {
    return expression.bare() instanceof Literal.StringLiteral literal
        ? Optional.of(literal.bytes())
        : Optional.empty();
  }

  private Term like(List<Expression> arguments, boolean negated) {
    Optional<byte[]> pattern = string(arguments.get(1));
    if (pattern.isEmpty()) {
      return UNKNOWN;
    }
    byte[] bytes = pattern.get();
    java.io.ByteArrayOutputStream prefix = new java.io.ByteArrayOutputStream();
    int at = 0;
    for (; at < bytes.length && bytes[at] != '%' && bytes[at] != '_'; at++) {
      if (bytes[at] == '\\' && ++at == bytes.length) {
        return UNKNOWN;
      }
      prefix.write(bytes[at]);
    }
    if (at == bytes.length) {
      return compared(
          negated ? "notEquals" : "equals",
          arguments.get(0),
          KeyCondition.text(prefix.toByteArray()));
    }
    boolean exact = at == bytes.length - 1 && bytes[at] == '%';
    return negated && !exact
        ? UNKNOWN
        : starting(arguments.get(0), Optional.of(prefix.toByteArray()), negated);
  }

  /** A regular expression that begins with plain characters after {@code ^}. */
  private Term matching(List<Expression> arguments, boolean negated) {
    Optional<byte[]> pattern = string(arguments.get(1));
    if (negated || pattern.isEmpty()) {
      return UNKNOWN;
    }
    String written = ByteText.of(pattern.get());
    if (!written.startsWith("^") || written.contains("|")) {
      return UNKNOWN;
    }
    int at = 1;
    while (at < written.length() && ".*+?()[]{}\\^$".indexOf(written.charAt(at)) < 0) {
      at++;
    }
    boolean repeated = at < written.length() && "*?{".indexOf(written.charAt(at)) >= 0;
    String prefix = written.substring(1, repeated ? at - 1 : at);
    return starting(
        arguments.get(0), Optional.of(new Literal.StringLiteral(prefix).bytes()), false);
  }

  private Term starting(Expression given, Optional<byte[]> prefix, boolean negated) {
    Optional<Side> side = side(given).filter(s -> !s.chained());
    if (side.isEmpty() || prefix.isEmpty() || prefix.get().length == 0) {
      return UNKNOWN;
    }
    if (bare(space.types().get(side.get().key())) != PlainType.STRING) {
      return UNKNOWN;
    }
    byte[] end = prefix.get().clone();
    int last = end.length - 1;
    while (last >= 0 && end[last] == (byte) 0xFF) {
      last--;
    }
    String upper = "+Inf)";
    if (last >= 0) {
      end = java.util.Arrays.copyOf(end, last + 1);
      end[last]++;
      upper = KeyCondition.text(end).text() + ")";
    }
    String text =
        "("
            + side.get().text()
            + " in ["
            + KeyCondition.text(prefix.get()).text()
            + ", "
            + upper
            + ")";
    Term term = new Term(text, Shape.RANGE, side.get().key(), true);
    return negated ? not(term) : term;
  }

  /** One row without columns, over which constants are computed. */
  static VectorSchemaRoot nothing() {
    return new VectorSchemaRoot(List.of(), List.of(), 1);
  }
}
