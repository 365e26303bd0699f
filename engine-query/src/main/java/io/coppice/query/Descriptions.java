package io.coppice.query;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.engine.Table;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Expression.Identifier;
import io.coppice.language.expression.Literal;
import io.coppice.language.parse.Parser;
import io.coppice.language.statement.Column;
import io.coppice.language.statement.Definition;
import io.coppice.language.statement.DescribeTable;
import io.coppice.language.statement.Exists;
import io.coppice.language.statement.Query;
import io.coppice.language.statement.Select;
import io.coppice.language.statement.Show;
import io.coppice.language.statement.TableName;
import io.coppice.language.text.Identifiers;
import io.coppice.language.type.PrettyType;
import io.coppice.query.system.SystemTables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The statements that tell what there is: SHOW, DESCRIBE, EXISTS. */
final class Descriptions {
  private static final List<String> DESCRIBED =
      List.of(
          "name",
          "type",
          "default_type",
          "default_expression",
          "comment",
          "codec_expression",
          "ttl_expression");

  private final Context context;

  Descriptions(Context context) {
    this.context = context;
  }

  Rows show(Show show) throws IOException {
    return switch (show.kind()) {
      case TABLES -> {
        String database = show.name().map(name -> name.table()).orElse(context.database());
        requireDatabase(database);
        List<String> names = new ArrayList<>();
        if (database.equals(SystemTables.DATABASE)) {
          SystemTables.all().forEach(table -> names.add(table.name()));
        }
        for (Table table : context.engine().tables()) {
          if (table.name().database().orElseThrow().equals(database)) {
            names.add(table.name().table());
          }
        }
        yield listed(names.stream().sorted().toList(), show);
      }
      case DATABASES -> {
        List<String> names = new ArrayList<>(context.engine().databases());
        names.add(SystemTables.DATABASE);
        yield listed(names.stream().sorted().toList(), show);
      }
      case CREATE_TABLE ->
          FixedRows.texts(
              List.of("statement"),
              List.of(
                  List.of(
                      context
                          .engine()
                          .table(show.name().orElseThrow().in(context.database()))
                          .create()
                          .text())),
              context.allocator());
      case CREATE_DATABASE -> {
        String database = show.name().orElseThrow().table();
        requireDatabase(database);
        yield FixedRows.texts(
            List.of("statement"),
            List.of(
                List.of(
                    "CREATE DATABASE "
                        + Identifiers.backQuoteIfNeeded(database)
                        + "\nENGINE = "
                        + (database.equals(SystemTables.DATABASE) ? "Memory" : "Atomic"))),
            context.allocator());
      }
      case COLUMNS -> columns(show);
      case FUNCTIONS -> system("SELECT * FROM system.functions", "name", show.filter());
      case ENGINES -> system("SELECT * FROM system.table_engines", "name", show.filter());
      case SETTINGS ->
          system("SELECT name, type, value FROM system.settings", "name", show.filter());
      case CHANGED_SETTINGS ->
          system(
              "SELECT name, type, value FROM (SELECT * FROM system.settings WHERE changed)",
              "name",
              show.filter());
      default ->
          throw EngineException.of(
              ErrorCode.NOT_IMPLEMENTED, "SHOW %s is not served yet", show.kind().text());
    };
  }

  private Rows columns(Show show) throws IOException {
    TableName table = show.name().orElseThrow().in(context.database());
    String more = show.full() ? "NULL AS collation, " : "";
    return system(
        "SELECT field, type, `null`, key, `default`, "
            + more
            + "extra"
            + (show.full() ? ", comment, '' AS privileges" : "")
            + " FROM (SELECT name AS field, type, if(type LIKE 'Nullable(%', 'YES', 'NO') AS"
            + " `null`, if(is_in_primary_key, 'PRI SOR', if(is_in_sorting_key, 'SOR', '')) AS key,"
            + " if(default_expression = '', NULL, default_expression) AS `default`, '' AS extra,"
            + " comment FROM system.columns WHERE database = "
            + Identifiers.quoteString(table.database().orElseThrow())
            + " AND table = "
            + Identifiers.quoteString(table.table())
            + ")",
        "field",
        show.filter());
  }

  /** A query of a system table, with the conditions of a statement. */
  private Rows system(String query, String name, Show.Filter filter) throws IOException {
    List<String> conditions = new ArrayList<>();
    filter
        .like()
        .ifPresent(
            pattern ->
                conditions.add(
                    name
                        + (filter.not() ? " NOT" : "")
                        + (filter.caseInsensitive() ? " ILIKE " : " LIKE ")
                        + Identifiers.quoteString(pattern)));
    filter.where().ifPresent(condition -> conditions.add("(" + condition.text() + ")"));
    String sql =
        query
            + (conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions))
            + " ORDER BY "
            + name
            + filter.limit().map(limit -> " LIMIT " + limit).orElse("");
    return QueryPlanner.of(context).plan(((Query) Parser.statement(sql)).body());
  }

  private void requireDatabase(String database) {
    if (!database.equals(SystemTables.DATABASE)
        && !context.engine().databases().contains(database)) {
      throw EngineException.of(ErrorCode.UNKNOWN_DATABASE, "database %s does not exist", database);
    }
  }

  /** Names, those that the statement's conditions let through. */
  private Rows listed(List<String> names, Show show) {
    Rows rows =
        FixedRows.texts(
            List.of("name"), names.stream().map(List::of).toList(), context.allocator());
    Show.Filter filter = show.filter();
    Expression condition = filter.where().orElse(null);
    if (filter.like().isPresent()) {
      String function = filter.caseInsensitive() ? "ilike" : "like";
      condition =
          FunctionCall.of(
              function, Identifier.of("name"), new Literal.StringLiteral(filter.like().get()));
      condition = filter.not() ? FunctionCall.of("not", condition) : condition;
    }
    boolean done = false;
    try {
      if (condition != null) {
        rows =
            new FilterRows(
                rows, Conditions.compile(context, condition, rows.types()), context.allocator());
      }
      if (filter.limit().isPresent()) {
        rows = new LimitRows(rows, filter.limit().get(), 0, 1, context.allocator());
      }
      done = true;
      return rows;
    } finally {
      if (!done) {
        close(rows);
      }
    }
  }

  private static void close(Rows rows) {
    try {
      rows.close();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  Rows describe(DescribeTable describe) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    if (describe.source() instanceof Select.Source.Table named
        && !named.name().in(context.database()).database().get().equals(SystemTables.DATABASE)) {
      Table table = context.engine().table(named.name().in(context.database()));
      table.create().columns().forEach(column -> rows.add(described(column)));
    } else {
      try (Source source = QueryPlanner.of(context).source(describe.source())) {
        for (ResultColumn column : source.visible()) {
          rows.add(List.of(column.name(), PrettyType.text(column.type()), "", "", "", "", ""));
        }
      }
    }
    return FixedRows.texts(DESCRIBED, rows, context.allocator());
  }

  private static List<String> described(Column column) {
    Optional<Expression> value = column.defaults().flatMap(Column.Default::expression);
    return List.of(
        column.name(),
        column.type().map(PrettyType::text).orElse(""),
        column.defaults().map(d -> d.kind().name()).orElse(""),
        value.map(Expression::text).orElse(""),
        column.comment().orElse(""),
        column.codecs().isEmpty()
            ? ""
            : column.codecs().stream().map(Definition::text).collect(Collectors.joining(", ")),
        column.ttl().map(Expression::text).orElse(""));
  }

  Rows exists(Exists exists) {
    boolean found;
    if (exists.database()) {
      found = context.engine().databases().contains(exists.name().table());
    } else {
      String database = exists.name().database().orElse(context.database());
      found =
          context.engine().databases().contains(database)
              && context.engine().findTable(exists.name().in(database)).isPresent();
    }
    return FixedRows.number("result", found ? 1 : 0, context.allocator());
  }
}
