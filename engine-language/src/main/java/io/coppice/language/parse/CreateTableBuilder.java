package io.coppice.language.parse;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Expression.Identifier;
import io.coppice.language.expression.Literal;
import io.coppice.language.expression.Literal.NullLiteral;
import io.coppice.language.statement.Alter;
import io.coppice.language.statement.Column;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.statement.Definition;
import io.coppice.language.statement.TableName;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.NullableType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.antlr.v4.runtime.tree.TerminalNode;

/** The tree of one CREATE TABLE, gathered clause by clause. */
final class CreateTableBuilder {
  /** As ClickHouse has it when the index type does not say otherwise. */
  private static final int TEXT_INDEX_GRANULARITY = 100_000_000;

  private final TreeBuilder expressions;
  private final List<Column> columns = new ArrayList<>();
  private final List<CreateTable.Index> indexes = new ArrayList<>();
  private final List<CreateTable.Projection> projections = new ArrayList<>();
  private final List<CreateTable.Constraint> constraints = new ArrayList<>();
  private final List<String> keyColumns = new ArrayList<>();
  private Optional<Definition> engine = Optional.empty();
  private Optional<Expression> partitionBy = Optional.empty();
  private Optional<Expression> primaryKey = Optional.empty();
  private Optional<CreateTable.SortingKey> orderBy = Optional.empty();
  private Optional<Expression> sampleBy = Optional.empty();
  private List<CreateTable.TtlElement> ttl = List.of();
  private Map<String, Literal> settings = Map.of();
  private Optional<String> comment = Optional.empty();

  CreateTableBuilder(TreeBuilder expressions) {
    this.expressions = expressions;
  }

  CreateTable build(ClickHouseParser.CreateTableContext tree) {
    tree.tableElement().forEach(this::element);
    if (!keyColumns.isEmpty()) {
      once(primaryKey, "PRIMARY KEY");
      Expression[] names = keyColumns.stream().map(Identifier::of).toArray(Expression[]::new);
      primaryKey = Optional.of(FunctionCall.operator("tuple", names));
    }
    tree.tableClause().forEach(this::clause);
    if (orderBy.isEmpty() && primaryKey.isPresent()) {
      Expression key = primaryKey.get();
      orderBy =
          Optional.of(
              new CreateTable.SortingKey(
                  key, Collections.nCopies(key.keyElements().size(), false)));
    }
    if (tree.FROM() != null) {
      throw SyntaxErrors.error(
          tree.FROM().getSymbol(), "no FROM where the columns are said; ATTACH TABLE name FROM");
    }
    TableName name = QueryBuilder.tableName(tree.tableName(0));
    Optional<CreateTable.Source> source = source(tree);
    if (columns.isEmpty() && source.isEmpty()) {
      throw SyntaxErrors.error(tree.getStop(), "the columns in brackets, or AS and what has them");
    }
    return new CreateTable(
        tree.ATTACH() != null,
        tree.REPLACE() != null,
        tree.EXISTS() != null,
        name.database(),
        name.table(),
        tree.UUID() == null
            ? Optional.empty()
            : Optional.of(TreeBuilder.string(tree.STRING(0).getSymbol())),
        columns,
        indexes,
        projections,
        constraints,
        engine,
        partitionBy,
        primaryKey,
        orderBy,
        sampleBy,
        ttl,
        settings,
        comment,
        source);
  }

  private Optional<CreateTable.Source> source(ClickHouseParser.CreateTableContext tree) {
    if (tree.selectUnion() != null) {
      return Optional.of(
          new CreateTable.Source.Rows(
              new QueryBuilder(expressions).union(tree.selectUnion()), tree.EMPTY() != null));
    }
    if (tree.tableName().size() > 2 || (tree.tableName().size() == 2 && tree.EMPTY() != null)) {
      throw SyntaxErrors.error(tree.tableName(1).getStart(), "AS once, and EMPTY with a query");
    }
    return tree.tableName().size() == 2
        ? Optional.of(new CreateTable.Source.Like(QueryBuilder.tableName(tree.tableName(1))))
        : Optional.empty();
  }

  // Elements of the list

  private void element(ClickHouseParser.TableElementContext node) {
    if (node instanceof ClickHouseParser.ColumnElementContext column) {
      columns.add(clauses(column.columnSpec()).orNullByDefault().column(name(column.columnSpec())));
    } else if (node instanceof ClickHouseParser.IndexElementContext index) {
      indexes.add(index(index));
    } else if (node instanceof ClickHouseParser.ConstraintElementContext constraint) {
      constraints.add(
          new CreateTable.Constraint(
              TreeBuilder.name(constraint.identifier()),
              constraint.kind.getType() == ClickHouseParser.ASSUME,
              expressions.expression(constraint.expression())));
    } else if (node instanceof ClickHouseParser.ProjectionElementContext projection) {
      projections.add(projection(projection.identifier(), projection.parenthesized()));
    } else {
      once(primaryKey, "PRIMARY KEY");
      primaryKey =
          Optional.of(
              expressions.expression(
                  ((ClickHouseParser.PrimaryKeyElementContext) node).expression()));
    }
  }

  CreateTable.Projection projection(
      ClickHouseParser.IdentifierContext name, ClickHouseParser.ParenthesizedContext body) {
    String select = expressions.source(body);
    return new CreateTable.Projection(
        TreeBuilder.name(name), select.substring(1, select.length() - 1));
  }

  private CreateTable.Index index(ClickHouseParser.IndexElementContext index) {
    return index(index.identifier(), index.expression(), index.function(), index.NUMBER());
  }

  CreateTable.Index index(
      ClickHouseParser.IdentifierContext name,
      ClickHouseParser.ExpressionContext expression,
      ClickHouseParser.FunctionContext kind,
      TerminalNode number) {
    Definition type = definition(kind);
    int granularity = type.name().equals("text") ? TEXT_INDEX_GRANULARITY : 1;
    if (number != null) {
      granularity =
          TreeBuilder.number(number.getSymbol(), "")
              .integerValue()
              .filter(value -> value.signum() > 0 && value.bitLength() <= 31)
              .orElseThrow(
                  () -> SyntaxErrors.error(number.getSymbol(), "a granularity of 1 to 2147483647"))
              .intValue();
    }
    return new CreateTable.Index(
        TreeBuilder.name(name), expressions.expression(expression), type, granularity);
  }

  /** A column that is defined here, and so has a type or a default. */
  Column column(ClickHouseParser.ColumnSpecContext node) {
    return clauses(node).column(name(node));
  }

  private static String name(ClickHouseParser.ColumnSpecContext node) {
    return columnName(node.columnName());
  }

  private ColumnClauses clauses(ClickHouseParser.ColumnSpecContext node) {
    String name = name(node);
    ColumnClauses clauses = clauses(name, node.dataType(), node.columnClause());
    if (clauses.type.isEmpty() && clauses.defaults.isEmpty()) {
      throw SyntaxErrors.error(node.getStop(), "a type or a default after column '" + name + "'");
    }
    return clauses;
  }

  /** The properties of a column that are to change, and whether it is to be Nullable. */
  Alter.ModifyColumn change(
      String name,
      ClickHouseParser.ChangeColumnContext node,
      boolean ifExists,
      Optional<Alter.Place> place) {
    if (node.getChildCount() == 0) {
      throw SyntaxErrors.error(node.getStart(), "what is to change of column '" + name + "'");
    }
    ColumnClauses clauses = clauses(name, node.dataType(), node.columnClause());
    return new Alter.ModifyColumn(clauses.column(name), ifExists, place, clauses.nullability);
  }

  private ColumnClauses clauses(
      String name,
      ClickHouseParser.DataTypeContext type,
      List<ClickHouseParser.ColumnClauseContext> nodes) {
    ColumnClauses clauses = new ColumnClauses();
    clauses.type = Optional.ofNullable(type).map(expressions::type);
    nodes.forEach(clause -> clauses.add(name, clause));
    return clauses;
  }

  static String columnName(ClickHouseParser.ColumnNameContext node) {
    List<String> parts = new ArrayList<>();
    parts.add(TreeBuilder.named(node.getStart()));
    node.identifier().forEach(part -> parts.add(TreeBuilder.name(part)));
    return String.join(".", parts);
  }

  private final class ColumnClauses {
    private final Set<String> seen = new HashSet<>();
    private Optional<DataType> type = Optional.empty();
    private Optional<Column.Default> defaults = Optional.empty();
    private Optional<String> comment = Optional.empty();
    private List<Definition> codecs = List.of();
    private List<Definition> statistics = List.of();
    private Optional<Expression> ttl = Optional.empty();
    private Map<String, Literal> settings = Map.of();
    private Optional<Boolean> nullability = Optional.empty();

    /** In CREATE alone, DEFAULT NULL makes a column Nullable that does not say NOT NULL. */
    ColumnClauses orNullByDefault() {
      boolean nullByDefault =
          nullability.isEmpty()
              && defaults.isPresent()
              && defaults.get().kind() == Column.DefaultKind.DEFAULT
              && defaults.get().expression().map(Expression::bare).orElse(null)
                  instanceof NullLiteral;
      if (!nullByDefault || type.isEmpty() || type.get().nullable()) {
        return this;
      }
      DataType given = type.get();
      if (given.storage() instanceof DataType.ArrayType
          || given.storage() instanceof DataType.MapType) {
        throw EngineException.of(
            ErrorCode.ILLEGAL_TYPE_OF_ARGUMENT,
            "%s cannot be inside Nullable, which DEFAULT NULL makes it",
            given.text());
      }
      type =
          Optional.of(
              given instanceof DataType.LowCardinalityType low
                  ? new DataType.LowCardinalityType(new NullableType(low.inner()))
                  : new NullableType(given));
      return this;
    }

    Column column(String name) {
      return new Column(name, type, defaults, comment, codecs, statistics, ttl, settings);
    }

    void add(String column, ClickHouseParser.ColumnClauseContext node) {
      boolean isDefault =
          node instanceof ClickHouseParser.DefaultClauseContext
              || node instanceof ClickHouseParser.EphemeralClauseContext;
      if (!seen.add(isDefault ? "default" : node.getClass().getSimpleName())) {
        throw SyntaxErrors.error(node.getStart(), "each clause once for column '" + column + "'");
      }
      if (node instanceof ClickHouseParser.NullClauseContext nullable) {
        nullability = Optional.of(nullable.NOT() == null);
        if (nullable.NOT() == null && type.isPresent() && !type.get().nullable()) {
          type = Optional.of(new NullableType(type.get()));
        }
      } else if (node instanceof ClickHouseParser.DefaultClauseContext value) {
        defaults =
            Optional.of(
                new Column.Default(
                    switch (value.kind.getType()) {
                      case ClickHouseParser.MATERIALIZED -> Column.DefaultKind.MATERIALIZED;
                      case ClickHouseParser.ALIAS -> Column.DefaultKind.ALIAS;
                      default -> Column.DefaultKind.DEFAULT;
                    },
                    Optional.of(expressions.expression(value.expression()))));
      } else if (node instanceof ClickHouseParser.EphemeralClauseContext value) {
        defaults =
            Optional.of(
                new Column.Default(
                    Column.DefaultKind.EPHEMERAL,
                    Optional.ofNullable(value.expression()).map(expressions::expression)));
      } else if (node instanceof ClickHouseParser.CommentClauseContext text) {
        comment = Optional.of(TreeBuilder.string(text.STRING().getSymbol()));
      } else if (node instanceof ClickHouseParser.CodecClauseContext codec) {
        codecs = definitions(codec.function());
      } else if (node instanceof ClickHouseParser.StatisticsClauseContext statistic) {
        statistics = definitions(statistic.function());
      } else if (node instanceof ClickHouseParser.ColumnTtlClauseContext time) {
        ttl = Optional.of(expressions.expression(time.expression()));
      } else if (node instanceof ClickHouseParser.ColumnSettingsClauseContext list) {
        settings = expressions.settings(list.setting());
      } else if (node instanceof ClickHouseParser.ColumnKeyClauseContext) {
        keyColumns.add(column);
      }
      // COLLATE is read and, as by ClickHouse's MergeTree, has no effect.
    }
  }

  // Clauses behind the list

  private void clause(ClickHouseParser.TableClauseContext node) {
    if (node instanceof ClickHouseParser.EngineClauseContext clause) {
      once(engine, "ENGINE");
      engine = Optional.of(definition(clause.function()));
    } else if (node instanceof ClickHouseParser.PartitionClauseContext clause) {
      once(partitionBy, "PARTITION BY");
      partitionBy = Optional.of(expressions.expression(clause.expression()));
    } else if (node instanceof ClickHouseParser.PrimaryKeyClauseContext clause) {
      once(primaryKey, "PRIMARY KEY");
      primaryKey = Optional.of(expressions.expression(clause.expression()));
    } else if (node instanceof ClickHouseParser.OrderClauseContext clause) {
      once(orderBy, "ORDER BY");
      orderBy = Optional.of(sortingKey(clause.direction()));
    } else if (node instanceof ClickHouseParser.SampleClauseContext clause) {
      once(sampleBy, "SAMPLE BY");
      sampleBy = Optional.of(expressions.expression(clause.expression()));
    } else if (node instanceof ClickHouseParser.TtlClauseContext clause) {
      ttl = clause.ttlElement().stream().map(this::ttl).toList();
    } else if (node instanceof ClickHouseParser.SettingsClauseContext clause) {
      settings = expressions.settings(clause.setting());
    } else {
      comment =
          Optional.of(
              TreeBuilder.string(
                  ((ClickHouseParser.TableCommentClauseContext) node).STRING().getSymbol()));
    }
  }

  private static void once(Optional<?> value, String clause) {
    if (value.isPresent()) {
      throw EngineException.of(ErrorCode.SYNTAX_ERROR, "CREATE TABLE has more than one %s", clause);
    }
  }

  /** {@code a DESC}, {@code (a, b DESC)} and {@code tuple(a, b DESC)}, or any expression. */
  CreateTable.SortingKey sortingKey(ClickHouseParser.DirectionContext node) {
    List<ClickHouseParser.DirectionContext> elements = elementsOf(node);
    if (elements.stream().anyMatch(e -> e.DESC() != null || e.ASC() != null)) {
      List<Expression> keys = elements.stream().map(expressions::aliased).toList();
      List<Boolean> descending = elements.stream().map(e -> e.DESC() != null).toList();
      Expression key =
          elements.get(0) == node ? keys.get(0) : new FunctionCall("tuple", List.of(), keys, true);
      return new CreateTable.SortingKey(key, descending);
    }
    Expression key = expressions.expression(node.expression());
    return new CreateTable.SortingKey(key, Collections.nCopies(key.keyElements().size(), false));
  }

  private static List<ClickHouseParser.DirectionContext> elementsOf(
      ClickHouseParser.DirectionContext node) {
    if (node.DESC() == null
        && node.ASC() == null
        && node.expression() instanceof ClickHouseParser.PredicateExpressionContext predicate
        && predicate.predicate().BETWEEN() == null
        && predicate.predicate().value(0) instanceof ClickHouseParser.PrimaryValueContext value) {
      if (value.primary() instanceof ClickHouseParser.TuplePrimaryContext tuple
          && tuple.arguments() != null) {
        return tuple.arguments().direction();
      }
      if (value.primary() instanceof ClickHouseParser.CallPrimaryContext call
          && call.arguments().size() == 1
          && call.functionName().getText().equals("tuple")) {
        return call.arguments(0).direction();
      }
    }
    return List.of(node);
  }

  CreateTable.TtlElement ttl(ClickHouseParser.TtlElementContext node) {
    return new CreateTable.TtlElement(
        expressions.expression(node.expression()), action(node.ttlAction()));
  }

  private CreateTable.TtlAction action(ClickHouseParser.TtlActionContext node) {
    if (node instanceof ClickHouseParser.MoveActionContext move) {
      return new CreateTable.TtlAction.Move(
          move.kind.getType() == ClickHouseParser.VOLUME,
          TreeBuilder.string(move.STRING().getSymbol()));
    }
    if (node instanceof ClickHouseParser.RecompressActionContext recompress) {
      return new CreateTable.TtlAction.Recompress(definitions(recompress.function()));
    }
    if (node instanceof ClickHouseParser.GroupActionContext group) {
      return new CreateTable.TtlAction.GroupBy(
          group.expression().stream().map(expressions::expression).toList(),
          group.assignment().stream()
              .map(
                  a ->
                      new CreateTable.Assignment(
                          TreeBuilder.name(a.identifier()), expressions.expression(a.expression())))
              .toList());
    }
    ClickHouseParser.DeleteActionContext delete = (ClickHouseParser.DeleteActionContext) node;
    return new CreateTable.TtlAction.Delete(
        delete == null
            ? Optional.empty()
            : Optional.ofNullable(delete.expression()).map(expressions::expression));
  }

  List<Definition> definitions(List<ClickHouseParser.FunctionContext> nodes) {
    return nodes.stream().map(this::definition).toList();
  }

  Definition definition(ClickHouseParser.FunctionContext node) {
    return new Definition(
        TreeBuilder.name(node.identifier()), expressions.arguments(node.arguments()));
  }
}
