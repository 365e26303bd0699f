package io.coppice.parts.create;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.DateTime64Type;
import io.coppice.language.type.DataType.DateTimeType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.ColumnExpression;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.TypedExpression;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What ClickHouse 26.7 asks of a CREATE TABLE beyond its syntax, with its codes. Of a table in the
 * classic profile only what old versions asked too. A table that it would refuse must not be built:
 * nothing could attach its parts. Tables that exist are not judged, since they may be from a time,
 * or made with settings, that allowed more.
 */
public final class CreateCheck {
  private final CreateTable create;
  private final TableDefinition table;
  private final ExpressionCompiler compiler;

  private CreateCheck(CreateTable create, TableDefinition table) {
    this.create = create;
    this.table = table;
    Map<String, DataType> types = new LinkedHashMap<>();
    table.columns().forEach(c -> types.put(c.name(), c.type()));
    this.compiler = ExpressionCompiler.of(types);
  }

  /**
   * Refuses a table that ClickHouse 26.7 would not create. Tables of ATTACH TABLE and those that
   * {@link TableDefinition#existing} made are not judged.
   *
   * @throws EngineException with ClickHouse's code, saying what is wrong
   */
  public static void check(TableDefinition table) {
    table.created().ifPresent(create -> check(create, table));
  }

  private static void check(CreateTable create, TableDefinition table) {
    CreateCheck check = new CreateCheck(create, table);
    try {
      boolean modern = table.settings().profile() == Profile.MODERN;
      check.names();
      if (modern) {
        TypeRules.check(table, create.settings());
        CodecRules.check(table, create.settings());
      }
      check.defaults();
      EngineRules.check(table, create.settings());
      new KeyRules(create, table, check.compiler).check();
      check.constraints();
      check.ttl();
    } catch (EngineException e) {
      String said =
          e.getMessage().startsWith("table ")
              ? e.getMessage()
              : "table " + table.name() + ": " + e.getMessage();
      throw new EngineException(
          e.code(),
          said + ". ClickHouse refuses to create such a table; if it exists, say ATTACH TABLE",
          e);
    }
  }

  /** The expression, unless it uses what ClickHouse has and is missing here. */
  static Optional<TypedExpression> compiled(
      ExpressionCompiler compiler, Expression expression, String place) {
    try {
      return Optional.of(compiler.compile(expression));
    } catch (EngineException e) {
      if (e.code() == ErrorCode.NOT_IMPLEMENTED) {
        return Optional.empty();
      }
      throw e.within(place + " " + expression.text());
    }
  }

  private void names() {
    for (ColumnDefinition column : table.columns()) {
      if (column.name().isEmpty()) {
        throw EngineException.of(ErrorCode.SYNTAX_ERROR, "a column has an empty name");
      }
      if (RESERVED.contains(column.name())) {
        throw EngineException.of(
            ErrorCode.ILLEGAL_COLUMN,
            "column %s has the name of a column that MergeTree keeps for itself; choose another",
            column.name());
      }
    }
    unique("index", create.indexes().stream().map(CreateTable.Index::name).toList());
    unique("projection", create.projections().stream().map(CreateTable.Projection::name).toList());
    unique("constraint", create.constraints().stream().map(CreateTable.Constraint::name).toList());
  }

  private static final Set<String> RESERVED = Set.of("_row_exists");

  private static void unique(String what, List<String> names) {
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      if (!seen.add(name)) {
        throw EngineException.of(ErrorCode.ILLEGAL_COLUMN, "%s %s stands there twice", what, name);
      }
    }
  }

  private void defaults() {
    for (ColumnDefinition column : table.columns()) {
      if (column.expression().isEmpty()) {
        continue;
      }
      try {
        ColumnExpression.of(
            column.name(),
            column.defaultKind().name(),
            column.type(),
            column.expression().get(),
            compiler);
      } catch (EngineException e) {
        if (e.code() != ErrorCode.NOT_IMPLEMENTED) {
          throw e;
        }
      }
    }
  }

  private void constraints() {
    for (CreateTable.Constraint constraint : create.constraints()) {
      compiled(compiler, constraint.expression(), "constraint " + constraint.name());
    }
  }

  private void ttl() {
    Set<String> keys = new TreeSet<>();
    table.sortingKey().forEach(e -> e.collectNames(keys));
    table.partitionKey().forEach(e -> e.collectNames(keys));
    for (TableDefinition.TtlRule rule : table.ttl()) {
      if (rule.kind() == TableDefinition.TtlKind.COLUMN) {
        if (keys.contains(rule.column())) {
          throw EngineException.of(
              ErrorCode.ILLEGAL_COLUMN,
              "column %s is of a key and has a TTL; only other columns may expire",
              rule.column());
        }
      }
      Optional<TypedExpression> compiled = compiled(compiler, rule.expression(), "TTL");
      rule.where().ifPresent(w -> compiled(compiler, w, "TTL WHERE"));
      if (compiled.isEmpty()) {
        continue;
      }
      DataType type = compiled.get().type();
      boolean time =
          type == PlainType.DATE
              || type == PlainType.DATE32
              || type instanceof DateTimeType
              || type instanceof DateTime64Type;
      if (!time) {
        throw EngineException.of(
            ErrorCode.BAD_TTL_EXPRESSION,
            "TTL %s has type %s, expected a date or a time",
            rule.expression().text(),
            type.text());
      }
      if (compiled.get().columns().isEmpty()) {
        throw EngineException.of(
            ErrorCode.BAD_TTL_EXPRESSION,
            "TTL %s uses no column of the table",
            rule.expression().text());
      }
    }
  }
}
