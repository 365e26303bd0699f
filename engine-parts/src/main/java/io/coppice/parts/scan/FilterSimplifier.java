package io.coppice.parts.scan;

import io.coppice.base.error.EngineException;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Expression.Identifier;
import io.coppice.language.expression.Literal;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.DateTimeType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.DataType.EnumType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.TypedExpression;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Brings a filter into the form that tells most about granules. Every row that passes the filter
 * passes the result; the result is for pruning only, the rows are still chosen by the filter.
 *
 * <p>Stateless; any thread may call it.
 */
final class FilterSimplifier {
  /*
   *   - NOT moves inward to the conditions and into them where they have an opposite. Comparisons of floats
   *     have none, for NaN fails both.
   *   - Tuples compare element by element.
   *   - A whole number beyond the range of the other side's type is never reached: toUInt8(x) < 0 is FALSE.
   *   - What a condition on toYear(x) or toYYYYMM(x) says of x, and one on a pattern of the text's beginning,
   *     stands beside it.
   *   - AND and OR are flat, without constants and without repetition.
   *   - The equalities of one OR on one expression are one IN.
   *   - The conditions of one AND on one expression are taken together. If it can only equal some constants,
   *     those stay for which the other conditions hold; else the greatest lower and the least upper bound
   *     stay. Nothing left is FALSE. That is more than each condition tells about a granule: with 4 and 6 in
   *     a granule each of x = 5 and x != 5 may hold, both together never.
   */

  private static final Expression FALSE = Literal.IntegerLiteral.of(0);
  private static final Expression TRUE = Literal.IntegerLiteral.of(1);

  /** Most constants of a set, times the conditions, that are tried one by one. */
  private static final int MOST_TRIALS = 2000;

  private static final int MOST_TUPLES = 200;

  /** Characters that stand for themselves in a pattern. */
  private static final String PLAIN =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_- /:,;=@";

  private static final Set<String> FINITE = Set.of("plus", "minus", "multiply", "divide");

  private static final Map<String, String> OPPOSITES = opposites();

  private static final Set<String> TRUTH_VALUES = truthValues();

  private static Set<String> truthValues() {
    Set<String> names = new HashSet<>(OPPOSITES.keySet());
    names.addAll(List.of("and", "or", "not", "startsWith", "endsWith", "has", "empty", "notEmpty"));
    return names;
  }

  private static Map<String, String> opposites() {
    Map<String, String> both = new LinkedHashMap<>();
    List<List<String>> pairs =
        List.of(
            List.of("equals", "notEquals"),
            List.of("less", "greaterOrEquals"),
            List.of("greater", "lessOrEquals"),
            List.of("in", "notIn"),
            List.of("globalIn", "globalNotIn"),
            List.of("like", "notLike"),
            List.of("ilike", "notILike"),
            List.of("isNull", "isNotNull"));
    for (List<String> pair : pairs) {
      both.put(pair.get(0), pair.get(1));
      both.put(pair.get(1), pair.get(0));
    }
    return both;
  }

  private static final Map<String, String> FLIPPED =
      Map.of(
          "equals", "equals",
          "notEquals", "notEquals",
          "less", "greater",
          "lessOrEquals", "greaterOrEquals",
          "greater", "less",
          "greaterOrEquals", "lessOrEquals");

  private final ExpressionCompiler compiler;

  private FilterSimplifier(ExpressionCompiler compiler) {
    this.compiler = compiler;
  }

  /**
   * The simplified filter.
   *
   * @param columns types of the columns that the filter may name
   */
  static Expression simplify(Expression filter, Map<String, DataType> columns) {
    return new FilterSimplifier(ExpressionCompiler.of(columns).forKeys()).inward(filter, false);
  }

  // Moving NOT inward

  private Expression inward(Expression given, boolean not) {
    Expression expression = given.bare();
    if (expression instanceof FunctionCall call) {
      List<Expression> arguments = call.arguments();
      if (call.name().equals("not") && arguments.size() == 1) {
        return inward(arguments.get(0), !not);
      }
      if (call.name().equals("and") || call.name().equals("or")) {
        List<Expression> moved = arguments.stream().map(a -> inward(a, not)).toList();
        return join(call.name().equals("and") != not, moved);
      }
      Optional<Boolean> constant = truth(expression);
      if (constant.isPresent()) {
        return constant(constant.get() != not && (!not || known(expression)));
      }
      Optional<Expression> elements = elements(call, not);
      if (elements.isPresent()) {
        return elements.get();
      }
      Optional<Expression> plainer = plainer(call, not);
      if (plainer.isPresent()) {
        return plainer.get();
      }
      String opposite = OPPOSITES.get(call.name());
      boolean turned = not && opposite != null && opposable(call);
      if (not && !turned) {
        return FunctionCall.of("not", expression);
      }
      FunctionCall leaf =
          turned ? new FunctionCall(opposite, call.parameters(), arguments, call.operator()) : call;
      return beyondType(leaf) ? FALSE : implied(wholeBound(withoutStrangers(leaf)));
    }
    if (expression instanceof Identifier) {
      return FunctionCall.operator(not ? "equals" : "notEquals", expression, FALSE);
    }
    return truth(expression)
        .map(t -> constant(t != not && (!not || known(expression))))
        .orElse(not ? FunctionCall.of("not", expression) : expression);
  }

  /** A condition that says the same, in a form that is known here. */
  private Optional<Expression> plainer(FunctionCall call, boolean not) {
    List<Expression> arguments = call.arguments();
    boolean comparison = FLIPPED.containsKey(call.name()) && arguments.size() == 2;
    if (comparison && arguments.stream().anyMatch(this::isNull)) {
      return Optional.of(FALSE); // NULL, whichever way
    }
    if (comparison && (!not || opposable(call))) {
      Optional<Expression> replaced =
          condition(call).flatMap(c -> withNullReplaced(c, not ? OPPOSITES.get(c.op()) : c.op()));
      if (replaced.isPresent()) {
        return replaced;
      }
    }
    boolean empty = call.name().equals("empty");
    if ((empty || call.name().equals("notEmpty"))
        && arguments.size() == 1
        && type(arguments.get(0)).filter(t -> t == PlainType.STRING).isPresent()) {
      String name = empty != not ? "equals" : "notEquals";
      return Optional.of(
          FunctionCall.operator(name, arguments.get(0), new Literal.StringLiteral("")));
    }
    boolean equality = call.name().equals("equals") || call.name().equals("notEquals");
    for (int i = 0; equality && i < arguments.size() && arguments.size() == 2; i++) {
      Optional<BigInteger> value = arguments.get(1 - i).integerValue();
      boolean zero = value.filter(v -> v.signum() == 0).isPresent();
      if (truthValue(arguments.get(i))
          && (zero || value.filter(BigInteger.ONE::equals).isPresent())) {
        boolean same = zero != call.name().equals("equals");
        return Optional.of(inward(arguments.get(i), same == not));
      }
    }
    return Optional.empty();
  }

  /** {@code ifNull(x, 7) < 10} is {@code x IS NULL OR x < 10}. */
  private Optional<Expression> withNullReplaced(Condition condition, String op) {
    if (!(condition.subject() instanceof FunctionCall call)
        || !call.name().equals("ifNull") && !call.name().equals("coalesce")
        || call.arguments().size() != 2
        || fixed(call.arguments().get(0))) {
      return Optional.empty();
    }
    Expression value = call.arguments().get(0);
    Expression constant = condition.constants().get(0);
    return truth(FunctionCall.of(op, call.arguments().get(1), constant))
        .map(
            holds ->
                join(
                    false,
                    List.of(
                        holds ? FunctionCall.operator("isNull", value) : FALSE,
                        inward(FunctionCall.operator(op, value, constant), false))));
  }

  private boolean isNull(Expression expression) {
    return fixed(expression) && truth(FunctionCall.of("isNull", expression)).orElse(false);
  }

  /** Whether an expression is 1, 0 or NULL. */
  private static boolean truthValue(Expression expression) {
    return expression.bare() instanceof FunctionCall call && TRUTH_VALUES.contains(call.name());
  }

  /** A set without what the other side's type cannot be. */
  private Expression withoutStrangers(FunctionCall leaf) {
    Optional<Condition> set =
        leaf.name().endsWith("n") || leaf.name().endsWith("N")
            ? condition(leaf).filter(c -> c.constants().size() > 1)
            : Optional.empty();
    Optional<DataType> type = set.flatMap(c -> type(c.subject()));
    if (type.isEmpty()) {
      return leaf;
    }
    List<Expression> kept =
        set.get().constants().stream().filter(c -> !converted(c, type.get()).never()).toList();
    boolean in = set.get().op().equals("equals");
    if (kept.isEmpty()) {
      return in ? FALSE : TRUE;
    }
    return kept.size() == set.get().constants().size()
        ? leaf
        : in
            ? oneOf(set.get().subject(), kept)
            : FunctionCall.operator(
                "notIn", set.get().subject(), new FunctionCall("tuple", List.of(), kept, true));
  }

  /** {@code x < 2.5} is {@code x <= 2} for a whole number x. */
  private Expression wholeBound(Expression leaf) {
    Optional<Condition> bound =
        condition(leaf)
            .filter(c -> c.op().startsWith("less") || c.op().startsWith("greater"))
            .filter(c -> c.constants().get(0).bare() instanceof Literal.FloatLiteral)
            .filter(
                c ->
                    type(c.subject())
                        .filter(t -> t instanceof PlainType plain && plain.integer())
                        .isPresent());
    if (bound.isEmpty()) {
      return leaf;
    }
    double end = ((Literal.FloatLiteral) bound.get().constants().get(0).bare()).value();
    boolean upper = bound.get().op().startsWith("less");
    double whole = upper ? Math.floor(end) : Math.ceil(end);
    if (whole == end || !(Math.abs(whole) < 1L << 53)) {
      return leaf;
    }
    return FunctionCall.operator(
        upper ? "lessOrEquals" : "greaterOrEquals",
        bound.get().subject(),
        Literal.IntegerLiteral.of((long) whole));
  }

  /** A condition together with what follows from it for what it is about. */
  private Expression implied(Expression leaf) {
    Optional<Expression> more = condition(leaf).flatMap(this::ofCalendar);
    if (more.isEmpty() && leaf instanceof FunctionCall call && call.name().equals("match")) {
      more = prefix(call);
    }
    return more.map(m -> join(true, List.of(leaf, m))).orElse(leaf);
  }

  /** What toYear(x) and toYYYYMM(x) say of x. */
  private Optional<Expression> ofCalendar(Condition condition) {
    if (!(condition.subject() instanceof FunctionCall call)
        || call.arguments().size() != 1
        || condition.constants().size() != 1
        || condition.constants().get(0).integerValue().isEmpty()) {
      return Optional.empty();
    }
    Expression time = call.arguments().get(0).bare();
    Optional<DataType> type = type(time);
    boolean day = type.filter(t -> t == PlainType.DATE).isPresent();
    boolean utc =
        type.filter(t -> t instanceof DateTimeType d && d.zone().orElse("UTC").equals("UTC"))
            .isPresent();
    BigInteger value = condition.constants().get(0).integerValue().get();
    if (!day && !utc || value.bitLength() > 20) {
      return Optional.empty();
    }
    int number = value.intValue();
    int year = call.name().equals("toYear") ? number : number / 100;
    int month = call.name().equals("toYear") ? 1 : number % 100;
    boolean known = call.name().equals("toYear") || call.name().equals("toYYYYMM");
    if (!known || year < 1971 || year > 2100 || month < 1 || month > 12) {
      return Optional.empty();
    }
    boolean whole = call.name().equals("toYear");
    LocalDate from = LocalDate.of(year, month, 1);
    Expression start = moment(from, day);
    Expression end = moment(whole ? from.plusYears(1) : from.plusMonths(1), day);
    return Optional.of(
        switch (condition.op()) {
          case "equals" ->
              join(
                  true,
                  List.of(
                      FunctionCall.operator("greaterOrEquals", time, start),
                      FunctionCall.operator("less", time, end)));
          case "notEquals" ->
              join(
                  false,
                  List.of(
                      FunctionCall.operator("less", time, start),
                      FunctionCall.operator("greaterOrEquals", time, end)));
          case "less" -> FunctionCall.operator("less", time, start);
          case "lessOrEquals" -> FunctionCall.operator("less", time, end);
          case "greater" -> FunctionCall.operator("greaterOrEquals", time, end);
          default -> FunctionCall.operator("greaterOrEquals", time, start);
        });
  }

  private static Expression moment(LocalDate date, boolean day) {
    return new Literal.StringLiteral(day ? date.toString() : date + " 00:00:00");
  }

  /** What every text begins with that a pattern matches. */
  private static Optional<Expression> prefix(FunctionCall match) {
    if (match.arguments().size() != 2
        || !(match.arguments().get(1).bare() instanceof Literal.StringLiteral pattern)
        || !pattern.value().startsWith("^")
        || pattern.value().contains("|")
        || pattern.value().contains("(?")) {
      return Optional.empty();
    }
    String text = pattern.value();
    int end = 1;
    while (end < text.length() && PLAIN.indexOf(text.charAt(end)) >= 0) {
      end++;
    }
    if (end < text.length() && "*?{".indexOf(text.charAt(end)) >= 0) {
      end--; // the last character may be missing
    }
    return end <= 1
        ? Optional.empty()
        : Optional.of(
            FunctionCall.of(
                "startsWith",
                match.arguments().get(0),
                new Literal.StringLiteral(text.substring(1, end))));
  }

  private static Expression constant(boolean value) {
    return value ? TRUE : FALSE;
  }

  /** Whether a constant is not NULL, so that its opposite may hold. */
  private boolean known(Expression constant) {
    return truth(FunctionCall.of("isNotNull", constant)).orElse(true);
  }

  private boolean opposable(FunctionCall call) {
    boolean ordered = call.name().startsWith("less") || call.name().startsWith("greater");
    return !ordered
        || call.arguments().stream()
            .allMatch(a -> type(a).filter(FilterSimplifier::withoutNaN).isPresent() || finite(a));
  }

  /** Whether a float is a quotient, product or the like of what cannot be NaN. */
  private boolean finite(Expression given) {
    Expression expression = given.bare();
    if (expression instanceof Literal.FloatLiteral number) {
      return Double.isFinite(number.value());
    }
    if (!(expression instanceof FunctionCall call)
        || !FINITE.contains(call.name())
        || call.arguments().size() != 2) {
      return type(expression).filter(FilterSimplifier::withoutNaN).isPresent();
    }
    boolean zero =
        call.name().equals("divide")
            && call.arguments().get(1).integerValue().filter(v -> v.signum() != 0).isEmpty();
    return !zero
        && call.arguments().stream().allMatch(a -> fixed(a) ? constantFinite(a) : whole(a));
  }

  private boolean whole(Expression expression) {
    return type(expression).filter(FilterSimplifier::withoutNaN).isPresent();
  }

  private static boolean constantFinite(Expression constant) {
    return constant.integerValue().isPresent()
        || constant.bare() instanceof Literal.FloatLiteral number
            && Double.isFinite(number.value());
  }

  private static boolean withoutNaN(DataType type) {
    return !(type instanceof PlainType plain && plain.floating()) && !composite(type);
  }

  private static boolean composite(DataType type) {
    return type instanceof ArrayType || type instanceof TupleType || type instanceof MapType;
  }

  // Tuples

  /** A condition on a tuple as conditions on its elements. */
  private Optional<Expression> elements(FunctionCall call, boolean not) {
    if (call.arguments().size() != 2
        || !(call.arguments().get(0).bare() instanceof FunctionCall left)
        || !(call.arguments().get(1).bare() instanceof FunctionCall right)
        || !left.name().equals("tuple")
        || left.arguments().isEmpty()) {
      return Optional.empty();
    }
    String name = not ? OPPOSITES.get(call.name()) : call.name();
    if (name == null) {
      return Optional.empty();
    }
    return switch (name) {
      case "in", "globalIn" -> tupleIn(left, right, true);
      case "notIn", "globalNotIn" ->
          // A NULL in a tuple is not found, so that the tuple is not in the set.
          left.arguments().stream().allMatch(this::neverNull)
              ? tupleIn(left, right, false)
              : Optional.empty();
      case "equals", "notEquals" -> sameSize(left, right).map(r -> equalElements(left, r, name));
      case "less", "lessOrEquals", "greater", "greaterOrEquals" ->
          not && !left.arguments().stream().allMatch(this::comparable)
              ? Optional.empty()
              : sameSize(left, right).map(r -> orderedElements(left, r, name, 0));
      default -> Optional.empty();
    };
  }

  private boolean neverNull(Expression expression) {
    return compiled(expression).filter(e -> !e.type().nullable()).isPresent();
  }

  private boolean comparable(Expression expression) {
    return type(expression).filter(FilterSimplifier::withoutNaN).isPresent();
  }

  private static Optional<FunctionCall> sameSize(FunctionCall left, Expression given) {
    return given.bare() instanceof FunctionCall right
            && right.name().equals("tuple")
            && right.arguments().size() == left.arguments().size()
        ? Optional.of(right)
        : Optional.empty();
  }

  private Expression equalElements(FunctionCall left, FunctionCall right, String name) {
    List<Expression> parts = new ArrayList<>();
    for (int i = 0; i < left.arguments().size(); i++) {
      parts.add(compared(name, left.arguments().get(i), right.arguments().get(i)));
    }
    return join(name.equals("equals"), parts);
  }

  private Expression compared(String name, Expression left, Expression right) {
    return inward(FunctionCall.operator(name, left, right), false);
  }

  /** The first elements are in strict order, or equal and the rest in order. */
  private Expression orderedElements(FunctionCall left, FunctionCall right, String name, int from) {
    Expression a = left.arguments().get(from);
    Expression b = right.arguments().get(from);
    if (from + 1 == left.arguments().size()) {
      return compared(name, a, b);
    }
    String strict = name.startsWith("less") ? "less" : "greater";
    Expression rest = orderedElements(left, right, name, from + 1);
    return join(
        false,
        List.of(compared(strict, a, b), join(true, List.of(compared("equals", a, b), rest))));
  }

  private Optional<Expression> tupleIn(FunctionCall left, FunctionCall set, boolean in) {
    List<Expression> tuples =
        sameSize(left, set)
                .filter(s -> s.arguments().stream().noneMatch(e -> sameSize(left, e).isPresent()))
                .isPresent()
            ? List.of(set)
            : set.arguments();
    if (tuples.size() > MOST_TUPLES) {
      return Optional.empty();
    }
    List<Expression> each = new ArrayList<>();
    for (Expression tuple : tuples) {
      Optional<FunctionCall> values = sameSize(left, tuple);
      if (values.isEmpty()) {
        return Optional.empty();
      }
      each.add(equalElements(left, values.get(), in ? "equals" : "notEquals"));
    }
    return Optional.of(join(!in, each));
  }

  // Joining

  private Expression join(boolean and, List<Expression> given) {
    String name = and ? "and" : "or";
    Expression decisive = and ? FALSE : TRUE;
    Map<String, Expression> distinct = new LinkedHashMap<>();
    for (Expression one : given) {
      List<Expression> flat =
          one instanceof FunctionCall call && call.name().equals(name)
              ? call.arguments()
              : List.of(one);
      for (Expression each : flat) {
        if (each.equals(decisive)) {
          return decisive;
        }
        if (!each.equals(and ? TRUE : FALSE)) {
          distinct.putIfAbsent(each.text(), each);
        }
      }
    }
    List<Expression> parts = new ArrayList<>(distinct.values());
    parts = and ? together(parts) : alternatives(parts);
    if (parts.contains(decisive)) {
      return decisive;
    }
    if (parts.isEmpty()) {
      return and ? TRUE : FALSE;
    }
    return parts.size() == 1 ? parts.get(0) : new FunctionCall(name, List.of(), parts, true);
  }

  /** A comparison of an expression with a constant, or with several of which one suffices. */
  private record Condition(
      Expression whole, Expression subject, String op, List<Expression> constants) {}

  private Optional<Condition> condition(Expression expression) {
    if (!(expression instanceof FunctionCall call) || call.arguments().size() != 2) {
      return Optional.empty();
    }
    Expression left = call.arguments().get(0).bare();
    Expression right = call.arguments().get(1).bare();
    boolean in = call.name().equals("in") || call.name().equals("globalIn");
    boolean notIn = call.name().equals("notIn") || call.name().equals("globalNotIn");
    if (in || notIn) {
      List<Expression> constants =
          right instanceof FunctionCall set
                  && (set.name().equals("tuple") || set.name().equals("array"))
              ? set.arguments()
              : List.of(right);
      return !fixed(left) && constants.stream().allMatch(this::fixed)
          ? Optional.of(new Condition(expression, left, in ? "equals" : "notEquals", constants))
          : Optional.empty();
    }
    if (!FLIPPED.containsKey(call.name()) || fixed(left) == fixed(right)) {
      return Optional.empty();
    }
    return Optional.of(
        fixed(right)
            ? new Condition(expression, left, call.name(), List.of(right))
            : new Condition(expression, right, FLIPPED.get(call.name()), List.of(left)));
  }

  /** Whether a comparison asks for what the type of a whole number doesn't have. */
  private boolean beyondType(Expression expression) {
    Optional<Condition> condition = condition(expression);
    Optional<DataType> type =
        condition
            .flatMap(c -> type(c.subject()))
            .filter(t -> t instanceof PlainType plain && plain.integer() && t.widthBytes() <= 8);
    if (type.isEmpty()) {
      return false;
    }
    int bits = 8 * type.get().widthBytes();
    boolean signed = ((PlainType) type.get()).signed();
    BigInteger range = BigInteger.ONE.shiftLeft(signed ? bits - 1 : bits);
    Expression least = new Literal.IntegerLiteral(signed ? range.negate() : BigInteger.ZERO);
    Expression greatest = new Literal.IntegerLiteral(range.subtract(BigInteger.ONE));
    if (condition.get().constants().isEmpty()) {
      return condition.get().op().equals("equals"); // IN of nothing
    }
    Expression constant = condition.get().constants().get(0);
    return switch (condition.get().op()) {
      case "equals" ->
          condition.get().constants().stream().allMatch(c -> converted(c, type.get()).never());
      case "less" -> holds("lessOrEquals", constant, least);
      case "lessOrEquals" -> holds("less", constant, least);
      case "greater" -> holds("greaterOrEquals", constant, greatest);
      case "greaterOrEquals" -> holds("greater", constant, greatest);
      default -> false;
    };
  }

  private boolean holds(String comparison, Expression a, Expression b) {
    return truth(FunctionCall.of(comparison, a, b)).orElse(false);
  }

  private boolean fixed(Expression expression) {
    return compiled(expression).filter(e -> e.columns().isEmpty()).isPresent();
  }

  /** Equalities on one expression become one IN. */
  private List<Expression> alternatives(List<Expression> parts) {
    Map<String, List<Condition>> equalities = new LinkedHashMap<>();
    for (Expression part : parts) {
      condition(part)
          .filter(c -> c.op().equals("equals"))
          .ifPresent(
              c -> equalities.computeIfAbsent(c.subject().text(), t -> new ArrayList<>()).add(c));
    }
    equalities.values().removeIf(same -> same.size() < 2);
    if (equalities.isEmpty()) {
      return parts;
    }
    List<Expression> result = new ArrayList<>(parts);
    for (List<Condition> same : equalities.values()) {
      Map<String, Expression> constants = new LinkedHashMap<>();
      for (Condition one : same) {
        result.remove(one.whole());
        one.constants().forEach(c -> constants.putIfAbsent(c.text(), c));
      }
      result.add(oneOf(same.get(0).subject(), List.copyOf(constants.values())));
    }
    return result;
  }

  private static Expression oneOf(Expression subject, List<Expression> constants) {
    return constants.size() == 1
        ? FunctionCall.operator("equals", subject, constants.get(0))
        : FunctionCall.operator(
            "in", subject, new FunctionCall("tuple", List.of(), constants, true));
  }

  // Conditions on one expression under one AND

  private List<Expression> together(List<Expression> parts) {
    Map<String, Expression> subjects = new LinkedHashMap<>();
    for (Expression part : parts) {
      condition(part).ifPresent(c -> subjects.putIfAbsent(c.subject().text(), c.subject()));
    }
    List<Expression> result = parts;
    for (Map.Entry<String, Expression> subject : subjects.entrySet()) {
      Optional<DataType> type = type(subject.getValue()).filter(t -> !composite(t));
      if (type.isPresent() && result.size() > 1) {
        result = together(result, subject.getKey(), subject.getValue(), type.get());
      }
    }
    return result;
  }

  private List<Expression> together(
      List<Expression> parts, String text, Expression subject, DataType type) {
    Optional<Condition> fewest = Optional.empty();
    List<Condition> conditions = new ArrayList<>();
    for (Expression part : parts) {
      Optional<Condition> one = condition(part).filter(c -> c.subject().text().equals(text));
      one.ifPresent(conditions::add);
      if (one.isPresent()
          && one.get().op().equals("equals")
          && (fewest.isEmpty() || fewest.get().constants().size() > one.get().constants().size())) {
        fewest = one;
      }
    }
    return fewest.isPresent()
        ? candidates(parts, text, fewest.get(), type)
        : bounds(parts, subject, conditions, type);
  }

  /** Of the constants that the expression may equal, those for which all else holds. */
  private List<Expression> candidates(
      List<Expression> parts, String text, Condition equality, DataType type) {
    List<Expression> others = new ArrayList<>();
    boolean floats = type instanceof PlainType plain && plain.floating();
    for (Expression part : parts) {
      // 0 and -0 are equal and may have other results of a function.
      boolean usable =
          floats
              ? condition(part).filter(c -> c.subject().text().equals(text)).isPresent()
              : mentions(part, text);
      if (part != equality.whole() && usable) {
        others.add(part);
      }
    }
    if (others.isEmpty() || (long) others.size() * equality.constants().size() > MOST_TRIALS) {
      return parts;
    }
    List<Expression> kept = new ArrayList<>();
    boolean[] decided = new boolean[others.size()];
    java.util.Arrays.fill(decided, true);
    for (Expression constant : equality.constants()) {
      Converted converted = converted(constant, type);
      if (converted.never()) {
        continue;
      }
      boolean may = true;
      for (int i = 0; i < others.size() && may; i++) {
        Expression other = others.get(i);
        Optional<Boolean> holds =
            converted.value().flatMap(value -> truth(replaced(other, text, value)));
        decided[i] &= holds.isPresent();
        may = holds.orElse(true);
      }
      if (may) {
        kept.add(constant);
      }
    }
    if (kept.isEmpty()) {
      return List.of(FALSE);
    }
    List<Expression> result = new ArrayList<>();
    for (Expression part : parts) {
      if (part == equality.whole()) {
        result.add(oneOf(equality.subject(), kept));
      } else if (!others.contains(part) || !decided[others.indexOf(part)]) {
        result.add(part);
      }
    }
    return result;
  }

  private List<Expression> bounds(
      List<Expression> parts, Expression subject, List<Condition> conditions, DataType type) {
    if (type instanceof EnumType) {
      return parts; // ordered by number or by name, as the constant is
    }
    Optional<Condition> lower = Optional.empty();
    Optional<Condition> upper = Optional.empty();
    List<Condition> unequal = new ArrayList<>();
    List<Expression> result = new ArrayList<>(parts);
    for (Condition one : conditions) {
      if (one.op().equals("notEquals")) {
        unequal.add(one);
        continue;
      }
      boolean low = one.op().startsWith("greater");
      Optional<Condition> other = low ? lower : upper;
      Optional<Condition> tighter = other.isEmpty() ? Optional.of(one) : tighter(other.get(), one);
      if (tighter.isEmpty()) {
        return parts; // constants that do not compare
      }
      if (other.isPresent()) {
        result.remove(tighter.get() == other.get() ? one.whole() : other.get().whole());
      }
      if (low) {
        lower = tighter;
      } else {
        upper = tighter;
      }
    }
    if (lower.isEmpty() && upper.isEmpty()) {
      return parts;
    }
    lower = strict(lower, unequal, result, subject);
    upper = strict(upper, unequal, result, subject);
    if (lower.isPresent() && upper.isPresent()) {
      Expression from = value(lower.get(), type);
      Expression to = value(upper.get(), type);
      boolean open =
          !lower.get().op().endsWith("OrEquals") || !upper.get().op().endsWith("OrEquals");
      if (truth(FunctionCall.of("greater", from, to)).orElse(false)
          || open && truth(FunctionCall.of("equals", from, to)).orElse(false)) {
        return List.of(FALSE);
      }
    }
    return result;
  }

  private Expression value(Condition bound, DataType type) {
    Expression constant = bound.constants().get(0);
    return converted(constant, type).value().orElse(constant);
  }

  /** Of two bounds of one side the one that is implied by neither; empty if that is not known. */
  private Optional<Condition> tighter(Condition a, Condition b) {
    DataType type = type(a.subject()).orElseThrow();
    Expression x = value(a, type);
    Expression y = value(b, type);
    boolean low = a.op().startsWith("greater");
    Optional<Boolean> less = truth(FunctionCall.of("less", x, y));
    Optional<Boolean> equal = truth(FunctionCall.of("equals", x, y));
    Optional<Boolean> greater = truth(FunctionCall.of("greater", x, y));
    if (less.isEmpty() || equal.isEmpty() || greater.isEmpty()) {
      return Optional.empty();
    }
    if (equal.get()) {
      return Optional.of(a.op().endsWith("OrEquals") ? b : a);
    }
    if (!less.get() && !greater.get()) {
      return Optional.empty(); // NaN
    }
    return Optional.of(less.get() == low ? b : a);
  }

  /** {@code x <= c} with {@code x != c} is {@code x < c}. */
  private Optional<Condition> strict(
      Optional<Condition> bound,
      List<Condition> unequal,
      List<Expression> parts,
      Expression subject) {
    if (bound.isEmpty() || !bound.get().op().endsWith("OrEquals")) {
      return bound;
    }
    DataType type = type(subject).orElseThrow();
    Expression end = value(bound.get(), type);
    for (Condition one : unequal) {
      for (Expression constant : one.constants()) {
        Expression other = converted(constant, type).value().orElse(constant);
        if (truth(FunctionCall.of("equals", end, other)).orElse(false)) {
          String op = bound.get().op().startsWith("less") ? "less" : "greater";
          Expression whole = FunctionCall.operator(op, subject, bound.get().constants().get(0));
          parts.set(parts.indexOf(bound.get().whole()), whole);
          return Optional.of(new Condition(whole, subject, op, bound.get().constants()));
        }
      }
    }
    return bound;
  }

  // Constants

  /**
   * A constant as a value of a type.
   *
   * @param value empty if it is not quite a value of the type
   * @param never whether no value of the type equals it
   */
  private record Converted(Optional<Expression> value, boolean never) {}

  private Converted converted(Expression constant, DataType type) {
    Expression cast = FunctionCall.of("CAST", constant, new Literal.StringLiteral(type.text()));
    Optional<Boolean> same = truth(FunctionCall.of("equals", cast, constant));
    if (same.orElse(false)) {
      return new Converted(Optional.of(cast), false);
    }
    boolean isNull = truth(FunctionCall.of("isNull", constant)).orElse(false);
    boolean numbers = number(type) && type(constant).filter(FilterSimplifier::number).isPresent();
    return new Converted(Optional.empty(), isNull || same.isPresent() && numbers);
  }

  private static boolean number(DataType type) {
    return type instanceof DecimalType
        || type instanceof PlainType plain && (plain.integer() || plain.floating());
  }

  private static boolean mentions(Expression given, String text) {
    Expression expression = given.bare();
    return expression.text().equals(text)
        || expression.children().stream().anyMatch(child -> mentions(child, text));
  }

  private static Expression replaced(Expression given, String text, Expression value) {
    Expression expression = given.bare();
    if (expression.text().equals(text)) {
      return value;
    }
    if (expression instanceof FunctionCall call) {
      return new FunctionCall(
          call.name(),
          call.parameters(),
          call.arguments().stream().map(a -> replaced(a, text, value)).toList(),
          call.operator());
    }
    return expression;
  }

  private Optional<TypedExpression> compiled(Expression expression) {
    try {
      return Optional.of(compiler.compile(expression));
    } catch (EngineException e) {
      return Optional.empty(); // the filter itself says so when it is compiled; nothing is known
    }
  }

  /** The type without Nullable and LowCardinality. */
  private Optional<DataType> type(Expression expression) {
    return compiled(expression).map(e -> e.type().bare());
  }

  /** Whether a constant holds; NULL does not. */
  private Optional<Boolean> truth(Expression expression) {
    try {
      return compiled(expression)
          .filter(e -> e.columns().isEmpty() && e.filterable())
          .map(e -> e.filter(new VectorSchemaRoot(List.of(), List.of(), 1)).get(0));
    } catch (EngineException e) {
      return Optional.empty(); // says so when it runs
    }
  }
}
