package io.coppice.language.parse;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.Aliased;
import io.coppice.language.expression.Expression.Asterisk;
import io.coppice.language.expression.Expression.Columns;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Expression.Identifier;
import io.coppice.language.expression.Expression.Lambda;
import io.coppice.language.expression.Expression.Parenthesized;
import io.coppice.language.expression.Expression.Subquery;
import io.coppice.language.expression.Literal;
import io.coppice.language.expression.Literal.BoolLiteral;
import io.coppice.language.expression.Literal.FloatLiteral;
import io.coppice.language.expression.Literal.IntegerLiteral;
import io.coppice.language.expression.Literal.NullLiteral;
import io.coppice.language.expression.Literal.StringLiteral;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.text.Quoted;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.IntervalType;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;

/**
 * ANTLR's tree to ours. Left-leaning chains of operators, which the parser builds without
 * recursion, are walked without it too; a result that is too deep for others to walk is refused.
 */
final class TreeBuilder {
  private static final Map<String, String> BINARY =
      Map.ofEntries(
          Map.entry("*", "multiply"),
          Map.entry("/", "divide"),
          Map.entry("%", "modulo"),
          Map.entry("MOD", "modulo"),
          Map.entry("+", "plus"),
          Map.entry("-", "minus"),
          Map.entry("=", "equals"),
          Map.entry("==", "equals"),
          Map.entry("!=", "notEquals"),
          Map.entry("<>", "notEquals"),
          Map.entry("<=>", "isNotDistinctFrom"),
          Map.entry("<", "less"),
          Map.entry("<=", "lessOrEquals"),
          Map.entry(">", "greater"),
          Map.entry(">=", "greaterOrEquals"));

  private static final Map<String, String> EXTRACTED =
      Map.of(
          "year", "toYear",
          "quarter", "toQuarter",
          "month", "toMonth",
          "day", "toDayOfMonth",
          "hour", "toHour",
          "minute", "toMinute",
          "second", "toSecond");

  private final String text;

  TreeBuilder(String text) {
    this.text = text;
  }

  CreateTable createTable(ClickHouseParser.CreateTableContext tree) {
    return new CreateTableBuilder(this).build(tree);
  }

  Expression singleExpression(ClickHouseParser.SingleExpressionContext tree) {
    Expression expression = expression(tree.expression());
    return tree.identifier() == null
        ? expression
        : new Aliased(expression, name(tree.identifier()));
  }

  /** A whole expression, checked for its depth. */
  Expression expression(ClickHouseParser.ExpressionContext tree) {
    Expression expression = logical(tree);
    record Level(Expression expression, int depth) {}
    Deque<Level> open = new ArrayDeque<>();
    open.push(new Level(expression, 1));
    while (!open.isEmpty()) {
      Level level = open.pop();
      if (level.depth() > Expression.MAX_DEPTH) {
        throw EngineException.of(
            ErrorCode.TOO_DEEP_RECURSION,
            "%s: expression nested deeper than %d levels",
            SyntaxErrors.position(tree.getStart()),
            Expression.MAX_DEPTH);
      }
      for (Expression child : level.expression().children()) {
        open.push(new Level(child, level.depth() + 1));
      }
    }
    return expression;
  }

  // Logic

  private Expression logical(ClickHouseParser.ExpressionContext tree) {
    Deque<ClickHouseParser.ExpressionContext> chain = new ArrayDeque<>();
    ClickHouseParser.ExpressionContext node = tree;
    for (var left = leftOf(node); left != null; left = leftOf(node)) {
      chain.push(node);
      node = left;
    }
    Joined joined = new Joined(leaf(node));
    while (!chain.isEmpty()) {
      ClickHouseParser.ExpressionContext next = chain.pop();
      if (next instanceof ClickHouseParser.AndExpressionContext and) {
        joined.add("and", true, logical(and.expression(1)));
      } else if (next instanceof ClickHouseParser.OrExpressionContext or) {
        joined.add("or", true, logical(or.expression(1)));
      } else {
        ClickHouseParser.TernaryExpressionContext ternary =
            (ClickHouseParser.TernaryExpressionContext) next;
        Expression then = logical(ternary.expression(1));
        Expression otherwise = logical(ternary.expression(2));
        joined.set(FunctionCall.of("if", joined.get(), then, otherwise));
      }
    }
    return joined.get();
  }

  private static ClickHouseParser.ExpressionContext leftOf(
      ClickHouseParser.ExpressionContext node) {
    if (node instanceof ClickHouseParser.AndExpressionContext and) {
      return and.expression(0);
    }
    if (node instanceof ClickHouseParser.OrExpressionContext or) {
      return or.expression(0);
    }
    return node instanceof ClickHouseParser.TernaryExpressionContext ternary
        ? ternary.expression(0)
        : null;
  }

  private Expression leaf(ClickHouseParser.ExpressionContext node) {
    if (node instanceof ClickHouseParser.LambdaContext lambda) {
      List<String> parameters =
          lambda.lambdaParameters().expressionName().stream()
              .map(name -> named(name.getStart()))
              .toList();
      return new Lambda(parameters, logical(lambda.expression()));
    }
    if (node instanceof ClickHouseParser.NotExpressionContext not) {
      return FunctionCall.operator("not", logical(not.expression()));
    }
    ClickHouseParser.PredicateContext predicate =
        ((ClickHouseParser.PredicateExpressionContext) node).predicate();
    return predicate.BETWEEN() == null ? value(predicate.value(0)) : between(predicate);
  }

  private Expression between(ClickHouseParser.PredicateContext between) {
    Expression operand = value(between.value(0));
    Expression low = value(between.value(1));
    Expression high = value(between.value(2));
    return between.NOT() == null
        ? FunctionCall.operator(
            "and",
            FunctionCall.operator("greaterOrEquals", operand, low),
            FunctionCall.operator("lessOrEquals", operand, high))
        : FunctionCall.operator(
            "or",
            FunctionCall.operator("less", operand, low),
            FunctionCall.operator("greater", operand, high));
  }

  /** Collects {@code a AND b AND c} into one call, as ClickHouse does for some operators. */
  private static final class Joined {
    private Expression single;
    private String function = "";
    private boolean operator;
    private List<Expression> arguments = new ArrayList<>();

    Joined(Expression first) {
      single = first;
    }

    void add(String function, boolean operator, Expression right) {
      if (!this.function.equals(function)) {
        Expression left = get();
        this.function = function;
        this.operator = operator;
        arguments = new ArrayList<>();
        arguments.add(left);
      }
      arguments.add(right);
    }

    void set(Expression expression) {
      single = expression;
      function = "";
    }

    Expression get() {
      return function.isEmpty()
          ? single
          : new FunctionCall(function, List.of(), arguments, operator);
    }
  }

  // Values

  private Expression value(ClickHouseParser.ValueContext tree) {
    Deque<ClickHouseParser.ValueContext> chain = new ArrayDeque<>();
    ClickHouseParser.ValueContext node = tree;
    for (var left = leftOf(node); left != null; left = leftOf(node)) {
      chain.push(node);
      node = left;
    }
    Joined joined;
    if (node instanceof ClickHouseParser.NegateValueContext negate) {
      joined = new Joined(negated(negate.value()));
    } else if (node instanceof ClickHouseParser.PlusValueContext plus) {
      joined = new Joined(value(plus.value()));
    } else {
      joined = new Joined(primary(((ClickHouseParser.PrimaryValueContext) node).primary()));
    }
    while (!chain.isEmpty()) {
      ClickHouseParser.ValueContext next = chain.pop();
      if (next instanceof ClickHouseParser.ConcatValueContext concat) {
        joined.add("concat", false, value(concat.value(1)));
      } else {
        joined.set(applied(joined.get(), next));
      }
    }
    return joined.get();
  }

  /** Settings in the order written; the last of two of one name counts. */
  Map<String, Literal> settings(List<ClickHouseParser.SettingContext> nodes) {
    Map<String, Literal> settings = new LinkedHashMap<>();
    for (ClickHouseParser.SettingContext node : nodes) {
      String name = name(node.identifier());
      Expression value = value(node.value());
      if (!(value instanceof Literal literal)) {
        throw SyntaxErrors.error(
            node.value().getStart(), "a number, a string or a bool for setting " + name);
      }
      settings.put(name, literal);
    }
    return settings;
  }

  private static ClickHouseParser.ValueContext leftOf(ClickHouseParser.ValueContext node) {
    if (node instanceof ClickHouseParser.PrimaryValueContext
        || node instanceof ClickHouseParser.NegateValueContext
        || node instanceof ClickHouseParser.PlusValueContext) {
      return null;
    }
    return (ClickHouseParser.ValueContext) node.getChild(0);
  }

  private Expression applied(Expression left, ClickHouseParser.ValueContext node) {
    if (node instanceof ClickHouseParser.BinaryValueContext binary) {
      Expression right = value(binary.value(1));
      String sign = binary.op.getText().toUpperCase(Locale.ROOT);
      return sign.equals("DIV")
          ? FunctionCall.of("intDiv", left, right)
          : FunctionCall.operator(BINARY.get(sign), left, right);
    }
    if (node instanceof ClickHouseParser.CastValueContext cast) {
      return castOf(left, cast, "");
    }
    if (node instanceof ClickHouseParser.ElementValueContext element) {
      return FunctionCall.operator("arrayElement", left, logical(element.expression()));
    }
    if (node instanceof ClickHouseParser.MemberValueContext member) {
      return member(left, member);
    }
    if (node instanceof ClickHouseParser.LikeValueContext like) {
      Expression right = value(like.value(1));
      boolean not = like.NOT() != null;
      return switch (like.op.getType()) {
        case ClickHouseParser.LIKE -> FunctionCall.operator(not ? "notLike" : "like", left, right);
        case ClickHouseParser.ILIKE ->
            FunctionCall.operator(not ? "notILike" : "ilike", left, right);
        default -> {
          Expression match = FunctionCall.of("match", left, right);
          yield not ? FunctionCall.operator("not", match) : match;
        }
      };
    }
    if (node instanceof ClickHouseParser.InValueContext in) {
      Expression set = value(in.value(1));
      if (set instanceof Parenthesized p && isTuple(p.inner())) {
        set = p.inner();
      }
      String name = in.GLOBAL() == null ? "in" : "globalIn";
      String function = in.NOT() == null ? name : name.equals("in") ? "notIn" : "globalNotIn";
      return FunctionCall.operator(function, left, set);
    }
    ClickHouseParser.IsNullValueContext isNull = (ClickHouseParser.IsNullValueContext) node;
    return FunctionCall.operator(isNull.NOT() == null ? "isNull" : "isNotNull", left);
  }

  private static boolean isTuple(Expression expression) {
    return expression instanceof FunctionCall call
        && call.operator()
        && call.name().equals("tuple");
  }

  private Expression member(Expression left, ClickHouseParser.MemberValueContext member) {
    if (member.NUMBER() == null && member.identifier() == null) {
      if (left instanceof Identifier table) {
        return columns(Optional.of(table.name()), Optional.empty(), member.columnsModifier());
      }
      throw SyntaxErrors.error(member.getStop(), "the name of a table before '.*'");
    }
    if (member.identifier() != null) {
      return FunctionCall.of("tupleElement", left, new StringLiteral(name(member.identifier())));
    }
    // After a dot the lexer takes 1.2 for a number.
    Expression result = left;
    for (String part : member.NUMBER().getText().split("\\.", -1)) {
      if (part.isEmpty() || part.length() > 9 || !part.chars().allMatch(Character::isDigit)) {
        throw SyntaxErrors.error(member.NUMBER().getSymbol(), "the number of a tuple's element");
      }
      result =
          FunctionCall.operator("tupleElement", result, IntegerLiteral.of(Long.parseLong(part)));
    }
    return result;
  }

  /**
   * {@code -1} is a literal, so is {@code -nan}, which is nan; {@code -1::T} casts the text '-1'.
   */
  private Expression negated(ClickHouseParser.ValueContext operand) {
    if (operand instanceof ClickHouseParser.CastValueContext cast
        && cast.value() instanceof ClickHouseParser.PrimaryValueContext inner
        && inner.primary() instanceof ClickHouseParser.NumberPrimaryContext number) {
      return castOf(number(number.NUMBER().getSymbol(), ""), cast, "-");
    }
    if (operand instanceof ClickHouseParser.PrimaryValueContext inner) {
      if (inner.primary() instanceof ClickHouseParser.NumberPrimaryContext number) {
        return number(number.NUMBER().getSymbol(), "-");
      }
      Expression value = primary(inner.primary());
      return value instanceof FloatLiteral literal
          ? Double.isNaN(literal.value()) ? literal : new FloatLiteral(-literal.value())
          : FunctionCall.operator("negate", value);
    }
    return FunctionCall.operator("negate", value(operand));
  }

  private Expression castOf(
      Expression operand, ClickHouseParser.CastValueContext cast, String sign) {
    boolean textual =
        !(operand instanceof StringLiteral
                || operand instanceof NullLiteral
                || operand instanceof BoolLiteral)
            && constant(operand);
    Expression value = textual ? new StringLiteral(sign + source(cast.value())) : operand;
    return FunctionCall.of("CAST", value, typeLiteral(cast.dataType()));
  }

  private static boolean constant(Expression expression) {
    if (expression instanceof Literal) {
      return true;
    }
    if (expression instanceof Parenthesized p) {
      return constant(p.inner());
    }
    return expression instanceof FunctionCall call
        && call.operator()
        && (call.name().equals("tuple") || call.name().equals("array"))
        && call.arguments().stream().allMatch(TreeBuilder::constant);
  }

  // Primaries

  private Expression primary(ClickHouseParser.PrimaryContext node) {
    if (node instanceof ClickHouseParser.NumberPrimaryContext number) {
      return number(number.NUMBER().getSymbol(), "");
    }
    if (node instanceof ClickHouseParser.StringPrimaryContext string) {
      return new StringLiteral(string(string.getStart()));
    }
    if (node instanceof ClickHouseParser.NullPrimaryContext) {
      return new NullLiteral();
    }
    if (node instanceof ClickHouseParser.BoolPrimaryContext bool) {
      return new BoolLiteral(bool.TRUE() != null);
    }
    if (node instanceof ClickHouseParser.CasePrimaryContext choice) {
      return choice(choice);
    }
    if (node instanceof ClickHouseParser.CastPrimaryContext cast) {
      Expression target =
          cast.dataType() == null ? logical(cast.expression(1)) : typeLiteral(cast.dataType());
      return FunctionCall.of("CAST", logical(cast.expression(0)), target);
    }
    if (node instanceof ClickHouseParser.ExtractPrimaryContext extract) {
      String function = EXTRACTED.get(name(extract.identifier()).toLowerCase(Locale.ROOT));
      if (function == null) {
        throw SyntaxErrors.error(
            extract.identifier().getStart(), "YEAR, QUARTER, MONTH, DAY, HOUR, MINUTE or SECOND");
      }
      return FunctionCall.of(function, logical(extract.expression()));
    }
    if (node instanceof ClickHouseParser.SubstringPrimaryContext substring) {
      return new FunctionCall(
          "substring",
          List.of(),
          substring.expression().stream().map(this::logical).toList(),
          false);
    }
    if (node instanceof ClickHouseParser.TrimPrimaryContext trim) {
      if (trim.kind == null) {
        return FunctionCall.of("trimBoth", logical(trim.expression(0)));
      }
      String function =
          switch (trim.kind.getType()) {
            case ClickHouseParser.BOTH -> "trimBoth";
            case ClickHouseParser.LEADING -> "trimLeft";
            default -> "trimRight";
          };
      return FunctionCall.of(function, logical(trim.expression(1)), logical(trim.expression(0)));
    }
    if (node instanceof ClickHouseParser.IntervalPrimaryContext interval) {
      return FunctionCall.of("toInterval" + unit(interval.unit).text(), value(interval.value()));
    }
    if (node instanceof ClickHouseParser.IntervalTextPrimaryContext interval) {
      return intervals(interval.STRING().getSymbol());
    }
    if (node instanceof ClickHouseParser.DatePrimaryContext date) {
      return FunctionCall.of(
          date.DATE() != null ? "toDate" : "toDateTime",
          new StringLiteral(string(date.STRING().getSymbol())));
    }
    if (node instanceof ClickHouseParser.TuplePrimaryContext tuple) {
      return tuple(tuple);
    }
    if (node instanceof ClickHouseParser.ArrayPrimaryContext array) {
      return new FunctionCall("array", List.of(), arguments(array.arguments()), true);
    }
    if (node instanceof ClickHouseParser.CallPrimaryContext call) {
      return call(call);
    }
    if (node instanceof ClickHouseParser.NamePrimaryContext name) {
      return named(name);
    }
    if (node instanceof ClickHouseParser.SubqueryPrimaryContext subquery) {
      return new Subquery(new QueryBuilder(this).subquery(subquery), false);
    }
    if (node instanceof ClickHouseParser.ExistsPrimaryContext exists) {
      return new Subquery(new QueryBuilder(this).union(exists.selectUnion()), true);
    }
    if (node instanceof ClickHouseParser.DistinctCallPrimaryContext call) {
      // As ClickHouse's parser has it: count(DISTINCT x) is countDistinct(x).
      return new FunctionCall(
          named(call.functionName().getStart()) + "Distinct",
          List.of(),
          call.direction().stream().map(this::withoutDirection).toList(),
          false);
    }
    if (node instanceof ClickHouseParser.MatchingColumnsPrimaryContext columns) {
      return columns(
          Optional.empty(),
          Optional.of(string(columns.STRING().getSymbol())),
          columns.columnsModifier());
    }
    ClickHouseParser.AsteriskPrimaryContext all = (ClickHouseParser.AsteriskPrimaryContext) node;
    return all.columnsModifier().isEmpty()
        ? new Asterisk()
        : columns(Optional.empty(), Optional.empty(), all.columnsModifier());
  }

  private Columns columns(
      Optional<String> qualifier,
      Optional<String> matching,
      List<ClickHouseParser.ColumnsModifierContext> modifiers) {
    List<Aliased> replaced = new ArrayList<>();
    for (ClickHouseParser.ColumnsModifierContext modifier : modifiers) {
      if (modifier instanceof ClickHouseParser.ReplaceColumnsContext replace) {
        for (int i = 0; i < replace.expression().size(); i++) {
          replaced.add(new Aliased(logical(replace.expression(i)), name(replace.identifier(i))));
        }
      }
    }
    return new Columns(qualifier, matching, excepted(modifiers), replaced);
  }

  static List<String> excepted(List<ClickHouseParser.ColumnsModifierContext> modifiers) {
    List<String> names = new ArrayList<>();
    for (ClickHouseParser.ColumnsModifierContext modifier : modifiers) {
      if (modifier instanceof ClickHouseParser.ExceptColumnsContext except) {
        except.identifier().forEach(name -> names.add(name(name)));
      }
    }
    return names;
  }

  private static Expression named(ClickHouseParser.NamePrimaryContext node) {
    List<String> parts = new ArrayList<>();
    parts.add(named(node.compoundName().getStart()));
    node.compoundName().identifier().forEach(part -> parts.add(name(part)));
    if (parts.size() == 1 && node.getStart().getType() == ClickHouseParser.ID) {
      switch (parts.get(0).toLowerCase(Locale.ROOT)) {
        case "nan" -> {
          return new FloatLiteral(Double.NaN);
        }
        case "inf", "infinity" -> {
          return new FloatLiteral(Double.POSITIVE_INFINITY);
        }
        default -> {}
      }
    }
    return new Identifier(parts);
  }

  private Expression tuple(ClickHouseParser.TuplePrimaryContext node) {
    List<Expression> elements = arguments(node.arguments());
    boolean commaAtEnd = ",".equals(node.getChild(node.getChildCount() - 2).getText());
    if (elements.size() == 1 && !commaAtEnd) {
      Expression inner = elements.get(0);
      return inner instanceof Parenthesized ? inner : new Parenthesized(inner);
    }
    if (elements.isEmpty() && commaAtEnd) {
      throw SyntaxErrors.error(node.getStop(), "an expression");
    }
    return new FunctionCall("tuple", List.of(), elements, true);
  }

  private Expression choice(ClickHouseParser.CasePrimaryContext node) {
    List<Expression> arguments = new ArrayList<>();
    node.expression().forEach(e -> arguments.add(logical(e)));
    if (node.ELSE() == null) {
      arguments.add(new NullLiteral());
    }
    boolean ofValue = node.getChild(1) instanceof ClickHouseParser.ExpressionContext;
    return new FunctionCall(
        ofValue ? "caseWithExpression" : "multiIf", List.of(), arguments, false);
  }

  private Expression call(ClickHouseParser.CallPrimaryContext node) {
    String name = named(node.functionName().getStart());
    String lower = name.toLowerCase(Locale.ROOT);
    // Two pairs of brackets: parameters, then arguments. The first pair may be empty.
    boolean parametric = node.getChildCount() - node.arguments().size() > 3;
    List<Expression> first = new ArrayList<>();
    List<Expression> second = new ArrayList<>();
    boolean behind = false;
    int brackets = 0;
    for (int i = 1; i < node.getChildCount(); i++) {
      if (node.getChild(i) instanceof ClickHouseParser.ArgumentsContext list) {
        (behind ? second : first).addAll(arguments(list));
      } else if (node.getChild(i).getText().equals(")")) {
        brackets++;
        behind = brackets == 1;
      }
    }
    if (parametric) {
      String function = node.DISTINCT() == null ? name : name + "Distinct";
      return new FunctionCall(function, first, second, false);
    }
    return rewritten(name, lower, first);
  }

  /** What ClickHouse's parser makes of some functions with a syntax of their own. */
  private static Expression rewritten(String name, String lower, List<Expression> arguments) {
    int count = arguments.size();
    switch (lower) {
      case "position" -> {
        if (count == 1
            && arguments.get(0) instanceof FunctionCall in
            && in.operator()
            && in.name().equals("in")) {
          return FunctionCall.of("position", in.arguments().get(1), in.arguments().get(0));
        }
      }
      case "datediff", "date_diff", "timestampdiff", "timestamp_diff" -> {
        Optional<IntervalType.Unit> unit =
            count >= 3 ? bareUnit(arguments.get(0)) : Optional.empty();
        if (unit.isPresent()) {
          List<Expression> named = new ArrayList<>(arguments);
          named.set(0, new StringLiteral(unit.get().text().toLowerCase(Locale.ROOT)));
          return new FunctionCall("dateDiff", List.of(), named, false);
        }
      }
      case "dateadd", "date_add", "timestampadd", "timestamp_add" -> {
        return shifted("plus", name, arguments);
      }
      case "ltrim" -> {
        return new FunctionCall("trimLeft", List.of(), arguments, false);
      }
      case "rtrim" -> {
        return new FunctionCall("trimRight", List.of(), arguments, false);
      }
      case "datesub", "date_sub", "timestampsub", "timestamp_sub" -> {
        return shifted("minus", name, arguments);
      }
      default -> {}
    }
    return new FunctionCall(name, List.of(), arguments, false);
  }

  private static Expression shifted(String function, String name, List<Expression> arguments) {
    if (arguments.size() == 2) {
      return FunctionCall.of(function, arguments.get(0), arguments.get(1));
    }
    Optional<IntervalType.Unit> unit =
        arguments.size() == 3 ? bareUnit(arguments.get(0)) : Optional.empty();
    return unit.<Expression>map(
            u ->
                FunctionCall.of(
                    function,
                    arguments.get(2),
                    FunctionCall.of("toInterval" + u.text(), arguments.get(1))))
        .orElseGet(() -> new FunctionCall(name, List.of(), arguments, false));
  }

  private static Optional<IntervalType.Unit> bareUnit(Expression expression) {
    return expression instanceof Identifier identifier && identifier.parts().size() == 1
        ? unitNamed(identifier.name())
        : Optional.empty();
  }

  private static Optional<IntervalType.Unit> unitNamed(String name) {
    for (IntervalType.Unit unit : IntervalType.Unit.values()) {
      if (name.equalsIgnoreCase(unit.text()) || name.equalsIgnoreCase(unit.text() + "s")) {
        return Optional.of(unit);
      }
    }
    return Optional.empty();
  }

  private static IntervalType.Unit unit(Token word) {
    return unitNamed(word.getText()).orElseThrow(() -> SyntaxErrors.error(word, "a unit, as DAY"));
  }

  private static Expression intervals(Token token) {
    String[] words = string(token).trim().split("\\s+", -1);
    List<Expression> intervals = new ArrayList<>();
    for (int i = 0; i + 1 < words.length; i += 2) {
      Optional<IntervalType.Unit> unit = unitNamed(words[i + 1]);
      boolean number = words[i].matches("[+-]?[0-9]{1,18}");
      if (unit.isEmpty() || !number) {
        throw SyntaxErrors.error(token, "numbers and units, as '1 day 2 hours'");
      }
      intervals.add(
          FunctionCall.of(
              "toInterval" + unit.get().text(), IntegerLiteral.of(Long.parseLong(words[i]))));
    }
    if (intervals.isEmpty() || words.length % 2 != 0) {
      throw SyntaxErrors.error(token, "numbers and units, as '1 day 2 hours'");
    }
    return intervals.size() == 1
        ? intervals.get(0)
        : new FunctionCall("tuple", List.of(), intervals, true);
  }

  /** Arguments, none of which may have a direction. */
  List<Expression> arguments(ClickHouseParser.ArgumentsContext list) {
    List<Expression> arguments = new ArrayList<>();
    if (list != null) {
      list.direction().forEach(d -> arguments.add(withoutDirection(d)));
    }
    return arguments;
  }

  Expression withoutDirection(ClickHouseParser.DirectionContext node) {
    if (node.ASC() != null || node.DESC() != null) {
      throw SyntaxErrors.error(
          node.getStop(), "no direction; ASC and DESC belong to elements of ORDER BY");
    }
    return aliased(node);
  }

  Expression aliased(ClickHouseParser.DirectionContext node) {
    Expression expression = logical(node.expression());
    return node.identifier() == null
        ? expression
        : new Aliased(expression, name(node.identifier()));
  }

  // Words

  static String name(ClickHouseParser.IdentifierContext node) {
    return named(node.getStart());
  }

  /** The name that a word or a quoted name is. */
  static String named(Token token) {
    return token.getType() == ClickHouseParser.QUOTED_ID
        ? Quoted.value(token.getText())
        : token.getText();
  }

  static String string(Token token) {
    String literal = token.getText();
    return switch (token.getType()) {
      case ClickHouseParser.HEX_STRING ->
          Quoted.hexValue(literal.substring(2, literal.length() - 1));
      case ClickHouseParser.BIN_STRING ->
          Quoted.binValue(literal.substring(2, literal.length() - 1));
      case ClickHouseParser.HEREDOC -> literal.substring(2, literal.length() - 2);
      default -> Quoted.value(literal);
    };
  }

  static Literal number(Token token, String sign) {
    String digits = token.getText().replace("_", "").toLowerCase(Locale.ROOT);
    BigInteger whole;
    if (digits.startsWith("0x")) {
      whole = new BigInteger(digits.substring(2), 16);
    } else if (digits.startsWith("0b")) {
      whole = new BigInteger(digits.substring(2), 2);
    } else if (digits.chars().allMatch(Character::isDigit) && digits.length() <= 25) {
      whole = new BigInteger(digits);
    } else {
      return new FloatLiteral(Double.parseDouble(sign + digits));
    }
    BigInteger value = sign.isEmpty() ? whole : whole.negate();
    return IntegerLiteral.fits(value)
        ? new IntegerLiteral(value)
        : new FloatLiteral(value.doubleValue());
  }

  DataType type(ClickHouseParser.DataTypeContext node) {
    return TypeParser.parse(source(node));
  }

  private StringLiteral typeLiteral(ClickHouseParser.DataTypeContext node) {
    return new StringLiteral(type(node).text());
  }

  /** The text a node was made from, as written. */
  String source(ParserRuleContext node) {
    // Token positions count code points, the text's are UTF-16.
    int from = text.offsetByCodePoints(0, node.getStart().getStartIndex());
    int to = text.offsetByCodePoints(from, length(node));
    return text.substring(from, to);
  }

  private static int length(ParserRuleContext node) {
    return node.getStop().getStopIndex() + 1 - node.getStart().getStartIndex();
  }
}
