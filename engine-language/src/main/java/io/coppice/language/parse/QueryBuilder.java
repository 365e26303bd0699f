package io.coppice.language.parse;

import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Literal;
import io.coppice.language.statement.Query;
import io.coppice.language.statement.Select;
import io.coppice.language.statement.TableName;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.antlr.v4.runtime.Token;

/** The trees of queries. */
final class QueryBuilder {
  private static final int MAX_RATIO_DIGITS = 18;

  private final TreeBuilder expressions;

  QueryBuilder(TreeBuilder expressions) {
    this.expressions = expressions;
  }

  Query query(ClickHouseParser.QueryContext node) {
    Query.Body body = union(node.selectUnion());
    Optional<Query.Outfile> outfile = Optional.empty();
    Optional<String> format = Optional.empty();
    Map<String, Literal> settings = new LinkedHashMap<>();
    for (ClickHouseParser.OutputClauseContext clause : node.outputClause()) {
      if (clause instanceof ClickHouseParser.OutfileClauseContext file) {
        once(outfile.isPresent(), file.getStart());
        outfile = Optional.of(outfile(file));
      } else if (clause instanceof ClickHouseParser.FormatClauseContext named) {
        once(format.isPresent(), named.getStart());
        format = Optional.of(TreeBuilder.named(named.formatName().getStart()));
      } else {
        settings.putAll(
            expressions.settings(((ClickHouseParser.QuerySettingsContext) clause).setting()));
      }
    }
    return new Query(body, outfile, settings, format);
  }

  private static Query.Outfile outfile(ClickHouseParser.OutfileClauseContext node) {
    return new Query.Outfile(
        TreeBuilder.string(node.STRING(0).getSymbol()),
        node.APPEND() != null,
        node.TRUNCATE() != null,
        node.COMPRESSION() == null
            ? Optional.empty()
            : Optional.of(TreeBuilder.string(node.STRING(1).getSymbol())),
        node.LEVEL() == null ? -1 : (int) count(node.NUMBER().getSymbol()));
  }

  /** A number that counts something. */
  static long count(Token token) {
    return TreeBuilder.number(token, "")
        .integerValue()
        .filter(value -> value.bitLength() <= 31)
        .orElseThrow(() -> SyntaxErrors.error(token, "a whole number"))
        .longValue();
  }

  private static void once(boolean seen, Token token) {
    if (seen) {
      throw SyntaxErrors.error(token, "each clause once");
    }
  }

  Query.Body union(ClickHouseParser.SelectUnionContext node) {
    return union(node.selectOperand(), node.unionWord());
  }

  /** What stands in brackets within an expression. */
  Query.Body subquery(ClickHouseParser.SubqueryPrimaryContext node) {
    List<Query.Body> operands = new ArrayList<>();
    operands.add(select(node.select()));
    node.selectOperand().forEach(o -> operands.add(operand(o)));
    return joined(operands, node.unionWord());
  }

  private Query.Body union(
      List<ClickHouseParser.SelectOperandContext> nodes,
      List<ClickHouseParser.UnionWordContext> words) {
    return joined(nodes.stream().map(this::operand).toList(), words);
  }

  private static Query.Body joined(
      List<Query.Body> operands, List<ClickHouseParser.UnionWordContext> words) {
    if (operands.size() == 1) {
      return operands.get(0);
    }
    return new Query.Union(operands, words.stream().map(QueryBuilder::operator).toList());
  }

  private static Query.Operator operator(ClickHouseParser.UnionWordContext node) {
    if (node.UNION() != null) {
      return node.ALL() != null
          ? Query.Operator.UNION_ALL
          : node.DISTINCT() != null ? Query.Operator.UNION_DISTINCT : Query.Operator.UNION;
    }
    if (node.ALL() != null) {
      throw SyntaxErrors.error(node.getStop(), "INTERSECT or EXCEPT without ALL");
    }
    boolean distinct = node.DISTINCT() != null;
    if (node.INTERSECT() != null) {
      return distinct ? Query.Operator.INTERSECT_DISTINCT : Query.Operator.INTERSECT;
    }
    return distinct ? Query.Operator.EXCEPT_DISTINCT : Query.Operator.EXCEPT;
  }

  private Query.Body operand(ClickHouseParser.SelectOperandContext node) {
    return node.select() != null ? select(node.select()) : union(node.selectUnion());
  }

  private Select select(ClickHouseParser.SelectContext node) {
    Clauses clauses = new Clauses(node);
    Limits limits = new Limits();
    node.limitClause().forEach(limits::add);
    if (node.distinct() != null && node.distinct().ON() != null) {
      limits.distinctOn(node.distinct());
    }
    boolean totals = false;
    for (ClickHouseParser.GroupModifierContext modifier : node.groupModifier()) {
      if (modifier.TOTALS() == null) {
        throw UnservedWords.error(
            "WITH " + modifier.getText().toUpperCase(java.util.Locale.ROOT), modifier.getStart());
      }
      totals = true;
    }
    ClickHouseParser.SamplingContext sampled =
        node.sampling().stream().filter(s -> s.SAMPLE() != null).findFirst().orElse(null);
    return new Select(
        node.withElement().stream().map(this::with).toList(),
        node.distinct() != null && node.distinct().ON() == null,
        node.selectItem().stream().map(this::item).toList(),
        Optional.ofNullable(node.source()).map(this::source),
        node.sampling().stream().anyMatch(s -> s.FINAL() != null),
        Optional.ofNullable(sampled).map(QueryBuilder::sample),
        clauses.after(node.PREWHERE()),
        clauses.after(node.WHERE()),
        node.direction().stream().map(expressions::withoutDirection).toList(),
        node.GROUP() != null && node.direction().isEmpty(),
        totals,
        clauses.after(node.HAVING()),
        node.orderElement().stream().map(this::order).toList(),
        node.ORDER() != null && node.orderElement().isEmpty(),
        Optional.ofNullable(limits.by),
        Optional.ofNullable(limits.limit),
        Optional.ofNullable(limits.offset),
        limits.ties,
        expressions.settings(node.setting()));
  }

  /** Finds a clause's expression by the word before it. */
  private final class Clauses {
    private final ClickHouseParser.SelectContext node;

    Clauses(ClickHouseParser.SelectContext node) {
      this.node = node;
    }

    Optional<Expression> after(org.antlr.v4.runtime.tree.TerminalNode word) {
      if (word == null) {
        return Optional.empty();
      }
      for (ClickHouseParser.ExpressionContext expression : node.expression()) {
        if (expression.getStart().getTokenIndex() > word.getSymbol().getTokenIndex()) {
          return Optional.of(expressions.expression(expression));
        }
      }
      throw SyntaxErrors.error(word.getSymbol(), "an expression behind it");
    }
  }

  private final class Limits {
    private Select.LimitBy by;
    private Expression limit;
    private Expression offset;
    private boolean ties;

    /** One row for each of some expressions. */
    void distinctOn(ClickHouseParser.DistinctContext node) {
      once(by != null, node.getStart());
      by =
          new Select.LimitBy(
              Literal.IntegerLiteral.of(1),
              Optional.empty(),
              node.expression().stream().map(expressions::expression).toList());
    }

    void add(ClickHouseParser.LimitClauseContext node) {
      List<Expression> numbers = node.expression().stream().map(expressions::expression).toList();
      if (node.LIMIT() == null) {
        once(offset != null, node.getStart());
        offset = numbers.get(0);
        return;
      }
      // LIMIT m, n has the offset first; LIMIT n OFFSET m has it last.
      boolean comma = node.OFFSET() == null && numbers.size() == 2;
      Expression count = numbers.get(comma ? 1 : 0);
      Optional<Expression> skipped =
          numbers.size() < 2 ? Optional.empty() : Optional.of(numbers.get(comma ? 0 : 1));
      if (node.BY() != null) {
        once(by != null || limit != null, node.getStart());
        by = new Select.LimitBy(count, skipped, expressions.arguments(node.arguments()));
        return;
      }
      once(limit != null, node.getStart());
      limit = count;
      offset = skipped.orElse(offset);
      ties = node.TIES() != null;
    }
  }

  private Select.With with(ClickHouseParser.WithElementContext node) {
    if (node instanceof ClickHouseParser.WithQueryContext query) {
      return new Select.With.Table(
          TreeBuilder.name(query.identifier()), union(query.selectUnion()));
    }
    ClickHouseParser.WithExpressionContext value = (ClickHouseParser.WithExpressionContext) node;
    return new Select.With.Value(
        expressions.expression(value.expression()), TreeBuilder.name(value.identifier()));
  }

  private Expression item(ClickHouseParser.SelectItemContext node) {
    Expression expression = expressions.expression(node.expression());
    if (node.identifier() != null) {
      return new Expression.Aliased(expression, TreeBuilder.name(node.identifier()));
    }
    return node.alias() == null
        ? expression
        : new Expression.Aliased(expression, TreeBuilder.named(node.alias().getStart()));
  }

  Select.Source source(ClickHouseParser.SourceContext node) {
    Optional<String> alias =
        node.identifier() != null
            ? Optional.of(TreeBuilder.name(node.identifier()))
            : Optional.ofNullable(node.alias()).map(a -> TreeBuilder.named(a.getStart()));
    if (node.tableName() != null) {
      return new Select.Source.Table(tableName(node.tableName()), alias);
    }
    return node.tableFunction() != null
        ? new Select.Source.Function(function(node.tableFunction()), alias)
        : new Select.Source.Subquery(union(node.selectUnion()), alias);
  }

  Expression.FunctionCall function(ClickHouseParser.TableFunctionContext node) {
    return new Expression.FunctionCall(
        TreeBuilder.named(node.getStart()),
        List.of(),
        expressions.arguments(node.arguments()),
        false);
  }

  static TableName tableName(ClickHouseParser.TableNameContext node) {
    List<ClickHouseParser.IdentifierContext> name = node.identifier();
    return new TableName(
        name.size() == 2 ? Optional.of(TreeBuilder.name(name.get(0))) : Optional.empty(),
        TreeBuilder.name(name.get(name.size() - 1)));
  }

  private static Select.Sample sample(ClickHouseParser.SamplingContext node) {
    return new Select.Sample(
        ratio(node.ratio(0)),
        node.ratio().size() < 2 ? Optional.empty() : Optional.of(ratio(node.ratio(1))));
  }

  private static Select.Ratio ratio(ClickHouseParser.RatioContext node) {
    BigDecimal numerator = decimal(node.NUMBER(0).getSymbol());
    BigDecimal denominator =
        node.NUMBER().size() < 2 ? BigDecimal.ONE : decimal(node.NUMBER(1).getSymbol());
    if (denominator.signum() == 0) {
      throw SyntaxErrors.error(node.NUMBER(1).getSymbol(), "a number other than 0");
    }
    int scale = Math.max(0, Math.max(numerator.scale(), denominator.scale()));
    return new Select.Ratio(
        numerator.movePointRight(scale).toBigIntegerExact(),
        denominator.movePointRight(scale).toBigIntegerExact());
  }

  private static BigDecimal decimal(Token token) {
    try {
      BigDecimal value = new BigDecimal(token.getText());
      if (Math.abs((long) value.scale()) <= MAX_RATIO_DIGITS) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Hexadecimal and the like: reported below.
    }
    throw SyntaxErrors.error(token, "a plain number");
  }

  private Select.OrderElement order(ClickHouseParser.OrderElementContext node) {
    ClickHouseParser.DirectionContext direction = node.direction();
    return new Select.OrderElement(
        expressions.aliased(direction),
        direction.DESC() != null,
        node.NULLS() == null ? Optional.empty() : Optional.of(node.FIRST() != null),
        node.COLLATE() == null
            ? Optional.empty()
            : Optional.of(TreeBuilder.string(node.STRING().getSymbol())));
  }
}
