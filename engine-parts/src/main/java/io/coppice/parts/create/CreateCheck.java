package io.coppice.parts.create;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.statement.Definition;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.DateTime64Type;
import io.coppice.language.type.DataType.DateTimeType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.compress.CodecChain;
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
import java.util.stream.Collectors;

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
    table
        .created()
        .ifPresent(
            create ->
                check(
                    create,
                    table,
                    ". ClickHouse refuses to create such a table; if it exists, say ATTACH TABLE"));
  }

  /**
   * Refuses what ClickHouse 26.7 would not make of a table by ALTER.
   *
   * @throws EngineException as {@link #check} does
   */
  public static void checkAltered(TableDefinition table) {
    table.created().ifPresent(create -> check(create, table, ""));
  }

  /**
   * Refuses types, and keys that can't be made of the table's columns, whatever else is wrong.
   *
   * @throws EngineException UNKNOWN_IDENTIFIER for elements that columns do not have, and as
   *     functions refuse their arguments
   */
  public static void compileKeys(TableDefinition table) {
    table
        .created()
        .ifPresent(
            create -> {
              if (table.settings().profile() == Profile.MODERN) {
                TypeRules.check(table, create.settings());
              }
              new KeyRules(create, table, new CreateCheck(create, table).compiler).compile();
            });
  }

  private static void check(CreateTable create, TableDefinition table, String hint) {
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
      IndexRules.check(
          create.indexes(),
          TypeRules.allowed(create.settings(), "allow_suspicious_indices"),
          check.compiler);
      check.constraints();
      check.ttl();
    } catch (EngineException e) {
      String said =
          e.getMessage().startsWith("table ")
              ? e.getMessage()
              : "table " + table.name() + ": " + e.getMessage();
      throw new EngineException(e.code(), said + hint, e);
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
    unique(
        "index",
        ErrorCode.ILLEGAL_INDEX,
        create.indexes().stream().map(CreateTable.Index::name).toList());
    unique(
        "projection",
        ErrorCode.ILLEGAL_PROJECTION,
        create.projections().stream().map(CreateTable.Projection::name).toList());
  }

  private static final Set<String> RESERVED =
      Set.of("_row_exists", "_block_number", "_block_offset");

  private static void unique(String what, ErrorCode code, List<String> names) {
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      if (!seen.add(name)) {
        throw EngineException.of(code, "%s %s stands there twice", what, name);
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

  private void grouping(CreateTable.TtlAction.GroupBy group) {
    List<String> keys = table.primaryKey().stream().map(Expression::text).toList();
    List<String> given = group.keys().stream().map(Expression::text).toList();
    if (given.size() > keys.size() || !keys.subList(0, given.size()).equals(given)) {
      throw EngineException.of(
          ErrorCode.BAD_TTL_EXPRESSION,
          "TTL GROUP BY %s is not the start of the primary key %s",
          given,
          keys);
    }
    for (CreateTable.Assignment assignment : group.assignments()) {
      if (table.column(assignment.column()).filter(ColumnDefinition::stored).isEmpty()) {
        throw EngineException.of(
            ErrorCode.NO_SUCH_COLUMN_IN_TABLE,
            "TTL GROUP BY sets column %s, which is no stored column of the table",
            assignment.column());
      }
    }
  }

  private void constraints() {
    for (CreateTable.Constraint constraint : create.constraints()) {
      Set<String> names = new TreeSet<>();
      constraint.expression().collectNames(names);
      for (String name : names) {
        if (table.column(name).isPresent() && !table.column(name).orElseThrow().stored()) {
          throw EngineException.of(
              ErrorCode.UNKNOWN_IDENTIFIER,
              "constraint %s uses column %s, which is not stored",
              constraint.name(),
              name);
        }
      }
      compiled(compiler, constraint.expression(), "constraint " + constraint.name());
    }
  }

  private void ttl() {
    long deleting =
        create.ttl().stream()
            .filter(
                e -> e.action() instanceof CreateTable.TtlAction.Delete d && d.where().isEmpty())
            .count();
    if (deleting > 1) {
      throw EngineException.of(
          ErrorCode.BAD_TTL_EXPRESSION,
          "%d TTL rules delete rows without a WHERE, at most one may",
          deleting);
    }
    for (CreateTable.TtlElement element : create.ttl()) {
      if (element.action() instanceof CreateTable.TtlAction.GroupBy group) {
        grouping(group);
      } else if (element.action() instanceof CreateTable.TtlAction.Recompress recompress) {
        CodecChain.parse(
            recompress.codecs().stream().map(Definition::text).collect(Collectors.joining(", ")));
      }
    }
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
      if (compiled.get().columns().isEmpty()) {
        throw EngineException.of(
            ErrorCode.BAD_ARGUMENTS,
            "TTL %s uses no column of the table",
            rule.expression().text());
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
    }
  }
}
