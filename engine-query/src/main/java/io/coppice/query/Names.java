package io.coppice.query;

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
import io.coppice.language.statement.TableName;
import io.coppice.parts.aggregate.AggregateFunctions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;

/**
 * What names mean in one SELECT: aliases, which every clause sees, before columns, but not within
 * what they stand for. Resolved expressions hold columns of the source and constants; brackets,
 * aliases and subqueries are gone from them, so that equal ones are equal objects.
 */
final class Names {
  private static final Set<String> IN = Set.of("in", "notIn", "globalIn", "globalNotIn");

  private final Source source;
  private final Subqueries subqueries;
  private final Map<String, Expression> aliases = new HashMap<>();
  private final Deque<String> within = new ArrayDeque<>();

  /** Parameters of the lambdas around what is resolved, and the names they get. */
  private final Map<String, String> bound = new HashMap<>();

  Names(Source source, Subqueries subqueries) {
    this.source = source;
    this.subqueries = subqueries;
  }

  /** A name for an expression; the first expression of a name counts. */
  void alias(String name, Expression expression) {
    aliases.putIfAbsent(name, expression);
  }

  /** The aliases that are given anywhere in an expression. */
  void collect(Expression expression) {
    if (expression instanceof Aliased aliased) {
      alias(aliased.alias(), aliased.inner());
    }
    expression.children().forEach(this::collect);
  }

  /** The columns that an item of the list stands for, each named; the item itself if it is one. */
  List<Expression> expand(Expression item) {
    if (item instanceof Asterisk) {
      return expand(new Columns(Optional.empty(), Optional.empty(), List.of(), List.of()));
    }
    if (!(item instanceof Columns columns)) {
      return List.of(item);
    }
    columns
        .qualifier()
        .filter(
            q -> source.qualifiers().stream().noneMatch(name -> String.join(".", name).equals(q)))
        .ifPresent(
            q -> {
              throw EngineException.of(
                  ErrorCode.UNKNOWN_IDENTIFIER, "%s: nothing is named %s here", item.text(), q);
            });
    Optional<Pattern> pattern = columns.matching().map(Names::pattern);
    List<Expression> found = new ArrayList<>();
    for (ResultColumn column : source.visible()) {
      String name = column.name();
      if (columns.except().contains(name)
          || pattern.filter(p -> !p.matcher(name).find()).isPresent()) {
        continue;
      }
      Expression meant =
          columns.replaced().stream()
              .filter(replaced -> replaced.alias().equals(name))
              .map(Aliased::inner)
              .findFirst()
              .orElse(Identifier.of(name));
      found.add(new Aliased(meant, name));
    }
    return found;
  }

  private static Pattern pattern(String regexp) {
    try {
      return Pattern.compile(regexp);
    } catch (PatternSyntaxException e) {
      throw EngineException.of(
          ErrorCode.CANNOT_COMPILE_REGEXP, "COLUMNS('%s'): %s", regexp, e.getMessage());
    }
  }

  /** An expression as written, but for the names of tables before columns. */
  Expression unqualified(Expression expression) {
    if (expression instanceof Parenthesized parenthesized) {
      return unqualified(parenthesized.inner());
    }
    if (expression instanceof FunctionCall call) {
      return new FunctionCall(
          call.name(),
          call.parameters(),
          call.arguments().stream().map(this::unqualified).toList(),
          call.operator());
    }
    return expression instanceof Identifier identifier
        ? withoutQualifier(identifier).orElse(identifier)
        : expression;
  }

  /** A name without the table before it, if there is one before it. */
  private Optional<Identifier> withoutQualifier(Identifier identifier) {
    List<String> parts = identifier.parts();
    for (List<String> qualifier : source.qualifiers()) {
      int size = qualifier.size();
      if (parts.size() > size && parts.subList(0, size).equals(qualifier)) {
        Identifier rest = new Identifier(parts.subList(size, parts.size()));
        if (Needed.column(rest, source).isPresent()) {
          return Optional.of(rest);
        }
      }
    }
    return Optional.empty();
  }

  /** An item that {@code *} gave: the column itself, whatever aliases there are. */
  Expression resolveItem(Expression item) {
    if (item instanceof Aliased aliased) {
      within.push(aliased.alias());
      try {
        return resolve(aliased.inner());
      } finally {
        within.pop();
      }
    }
    return resolve(item);
  }

  /**
   * An expression of columns and constants.
   *
   * @throws EngineException UNKNOWN_IDENTIFIER, NOT_IMPLEMENTED
   */
  Expression resolve(Expression expression) {
    if (expression instanceof Literal) {
      return expression;
    }
    if (expression instanceof Parenthesized parenthesized) {
      return resolve(parenthesized.inner());
    }
    if (expression instanceof Aliased aliased) {
      return resolveItem(aliased);
    }
    if (expression instanceof Identifier identifier) {
      return identifier(identifier);
    }
    if (expression instanceof FunctionCall call) {
      return call(call);
    }
    if (expression instanceof Subquery subquery) {
      return subquery.exists() ? subqueries.exists(subquery) : subqueries.scalar(subquery);
    }
    if (expression instanceof Lambda lambda) {
      return lambda(lambda);
    }
    throw EngineException.of(
        ErrorCode.NOT_IMPLEMENTED,
        "%s stands for several columns, which is served only as an item of SELECT",
        expression.text());
  }

  /** Parameters that hide a column or an alias get names of their own. */
  private Expression lambda(Lambda lambda) {
    Map<String, String> outer = Map.copyOf(bound);
    List<String> parameters = new ArrayList<>();
    for (String parameter : lambda.parameters()) {
      String free = parameter;
      while (source.types().containsKey(free)
          || aliases.containsKey(free)
          || outer.containsValue(free)) {
        free += "'";
      }
      parameters.add(free);
    }
    for (int i = 0; i < parameters.size(); i++) {
      bound.put(lambda.parameters().get(i), parameters.get(i));
    }
    try {
      return new Lambda(parameters, resolve(lambda.body()));
    } finally {
      bound.clear();
      bound.putAll(outer);
    }
  }

  /** What stands behind an alias, where parameters of lambdas around its use mean nothing. */
  private Expression unbound(Expression expression) {
    Map<String, String> outer = Map.copyOf(bound);
    bound.clear();
    try {
      return resolve(expression);
    } finally {
      bound.putAll(outer);
    }
  }

  private Expression call(FunctionCall call) {
    List<Expression> arguments = call.arguments();
    if (IN.contains(call.name()) && arguments.size() == 2) {
      Optional<Expression> set = set(arguments.get(1));
      if (set.isPresent()) {
        return FunctionCall.of(call.name(), resolve(arguments.get(0)), set.get());
      }
    }
    boolean counts = AggregateFunctions.known(call.name());
    List<Expression> resolved = new ArrayList<>();
    for (Expression argument : arguments) {
      if (argument instanceof Asterisk && counts) {
        continue;
      }
      if (argument instanceof Asterisk || argument instanceof Columns) {
        expand(argument).forEach(column -> resolved.add(resolveItem(column)));
      } else {
        resolved.add(resolve(argument));
      }
    }
    return new FunctionCall(call.name(), call.parameters(), resolved, false);
  }

  /** The set behind IN, where it is a query or a table. */
  private Optional<Expression> set(Expression behind) {
    if (behind.bare() instanceof Subquery subquery && !subquery.exists()) {
      return Optional.of(subqueries.set(subquery));
    }
    if (behind instanceof Identifier identifier
        && identifier.parts().size() <= 2
        && !aliases.containsKey(identifier.name())
        && !source.types().containsKey(identifier.name())) {
      List<String> parts = identifier.parts();
      return subqueries.set(
          parts.size() == 1
              ? TableName.of(parts.get(0))
              : TableName.of(parts.get(0), parts.get(1)));
    }
    return Optional.empty();
  }

  private Expression identifier(Identifier identifier) {
    String name = identifier.name();
    if (bound.containsKey(identifier.parts().get(0))) {
      List<String> parts = new ArrayList<>(identifier.parts());
      parts.set(0, bound.get(parts.get(0)));
      return new Identifier(parts);
    }
    if (aliases.containsKey(name) && !within.contains(name)) {
      within.push(name);
      try {
        return unbound(aliases.get(name));
      } finally {
        within.pop();
      }
    }
    if (source.types().containsKey(name)) {
      return Identifier.of(name);
    }
    List<String> parts = identifier.parts();
    Optional<Identifier> plain = withoutQualifier(identifier);
    if (plain.isPresent()) {
      String column = plain.get().name();
      return source.types().containsKey(column) ? Identifier.of(column) : plain.get();
    }
    if (Needed.column(identifier, source).isPresent()) {
      return identifier;
    }
    if (parts.size() > 1 && aliases.containsKey(parts.get(0)) && !within.contains(parts.get(0))) {
      Expression element = unbound(Identifier.of(parts.get(0)));
      for (String part : parts.subList(1, parts.size())) {
        element = FunctionCall.of("tupleElement", element, new Literal.StringLiteral(part));
      }
      return element;
    }
    throw EngineException.of(
        ErrorCode.UNKNOWN_IDENTIFIER,
        "unknown column %s; there are %s",
        identifier.text(),
        source.visible().size() > 20
            ? source.visible().size() + " columns"
            : source.visible().stream().map(ResultColumn::name).collect(Collectors.joining(", ")));
  }
}
