package io.coppice.parts.table;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Literal;
import io.coppice.language.parse.Parser;
import io.coppice.language.statement.Column;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.statement.Definition;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.Element;
import io.coppice.language.type.DataType.NestedType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.table.TableSettings.Profile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A MergeTree table as parts need to know it: columns, keys, skip indexes, settings. Made from a
 * CREATE TABLE with {@link #parse} or {@link #of}; Nested columns are taken apart as ClickHouse
 * does.
 *
 * <p>Immutable; any thread may use it.
 *
 * @param name of the table, for messages
 * @param columns all, in the order written, ALIAS and EPHEMERAL ones among them
 * @param sortingKey elements of ORDER BY
 * @param descending per element of the sorting key
 * @param primaryKeySize how many elements of the sorting key the primary index holds
 * @param partitionKey elements of PARTITION BY, with moduloLegacy for modulo as ClickHouse has it
 * @param indexes skip indexes, implicit ones at the end
 * @param projections names of projections
 * @param oldSyntax whether it was created as {@code MergeTree(date, key, granularity)}: parts have
 *     old names and fewer files
 * @param ttl rules by which rows, columns or parts expire, columns' first
 * @param constraints that rows must fulfil, or are assumed to
 * @param created the CREATE TABLE that it was made of, by which it may be judged; empty for a table
 *     that exists already
 */
public record TableDefinition(
    String name,
    List<ColumnDefinition> columns,
    MergingKind kind,
    List<Expression> engineArguments,
    List<Expression> sortingKey,
    List<Boolean> descending,
    int primaryKeySize,
    List<Expression> partitionKey,
    List<CreateTable.Index> indexes,
    List<String> projections,
    boolean oldSyntax,
    List<TtlRule> ttl,
    List<CreateTable.Constraint> constraints,
    TableSettings settings,
    Optional<CreateTable> created) {

  public TableDefinition {
    columns = List.copyOf(columns);
    engineArguments = List.copyOf(engineArguments);
    sortingKey = List.copyOf(sortingKey);
    descending = List.copyOf(descending);
    partitionKey = List.copyOf(partitionKey);
    indexes = List.copyOf(indexes);
    projections = List.copyOf(projections);
    ttl = List.copyOf(ttl);
    constraints = List.copyOf(constraints);
    Set<String> names = new HashSet<>();
    for (ColumnDefinition column : columns) {
      if (!names.add(column.name())) {
        throw EngineException.of(
            ErrorCode.ILLEGAL_COLUMN,
            "table %s: column %s stands there twice",
            name,
            column.name());
      }
    }
    DefaultCircles.refuse(name, columns);
    if (columns.stream().noneMatch(ColumnDefinition::stored)) {
      throw EngineException.of(
          ErrorCode.EMPTY_LIST_OF_COLUMNS_PASSED, "table %s has no column that is stored", name);
    }
  }

  /** The definition that a CREATE TABLE or ATTACH TABLE text gives, with a profile's defaults. */
  public static TableDefinition parse(String createTable, Profile profile) {
    return of(Parser.createTable(createTable), profile);
  }

  /**
   * The definition that a CREATE TABLE gives, with a profile's defaults under its own settings.
   *
   * <p>Whether ClickHouse would create such a table is judged when parts are to be built of it.
   *
   * @throws EngineException for what no table can be, or NOT_IMPLEMENTED for what would change
   *     parts and is not supported
   */
  public static TableDefinition of(CreateTable create, Profile profile) {
    String table = create.table();
    Definition engine =
        create
            .engine()
            .orElseThrow(
                () ->
                    EngineException.of(
                        ErrorCode.UNKNOWN_STORAGE, "table %s names no engine", table));
    MergingKind kind =
        MergingKind.ofEngine(engine.name())
            .orElseThrow(
                () ->
                    EngineException.of(
                        ErrorCode.UNKNOWN_STORAGE,
                        "table %s has engine %s; only the MergeTree engines have parts",
                        table,
                        engine.name()));
    List<Expression> arguments = new ArrayList<>(engine.arguments());
    if (engine.name().contains("Replicated") && arguments.size() >= 2) {
      arguments = new ArrayList<>(arguments.subList(2, arguments.size()));
    }
    Map<String, Literal> settingTexts = new LinkedHashMap<>(create.settings());
    boolean keyless = create.orderBy().isEmpty() && create.primaryKey().isEmpty();
    boolean oldSyntax = keyless && (profile == Profile.CLASSIC || OldSyntax.is(arguments));
    List<Expression> sorting;
    List<Boolean> descending;
    List<Expression> partition;
    int primarySize;
    if (oldSyntax) {
      OldSyntax old = OldSyntax.of(table, arguments);
      sorting = old.key();
      descending = Collections.nCopies(sorting.size(), false);
      partition = List.of(old.partition());
      primarySize = sorting.size();
      settingTexts.putIfAbsent("index_granularity", old.granularity());
      arguments = old.rest();
    } else {
      // 26.7 takes a table without a key for one whose rows have no order.
      CreateTable.SortingKey none =
          new CreateTable.SortingKey(Expression.FunctionCall.operator("tuple"), List.of());
      CreateTable.SortingKey key =
          keyless
              ? none
              : create
                  .orderBy()
                  .orElseGet(
                      () ->
                          new CreateTable.SortingKey(
                              create.primaryKey().orElseThrow(),
                              Collections.nCopies(
                                  create.primaryKey().orElseThrow().keyElements().size(), false)));
      sorting = key.elements();
      descending = key.descending();
      partition =
          create.partitionBy().map(Expression::keyElements).orElse(List.of()).stream()
              .map(TableDefinition::withLegacyModulo)
              .toList();
      primarySize = sorting.size();
      if (create.primaryKey().isPresent()) {
        primarySize = checkPrimary(table, create.primaryKey().get().keyElements(), sorting);
      }
    }
    TableSettings settings = TableSettings.of(settingTexts, profile);
    List<ColumnDefinition> columns = new ArrayList<>();
    for (Column column : create.columns()) {
      addColumn(table, column, columns);
    }
    List<CreateTable.Index> indexes = new ArrayList<>(create.indexes());
    indexes.addAll(implicitIndexes(columns, create.indexes(), settingTexts));
    return new TableDefinition(
        table,
        columns,
        kind,
        arguments,
        profile == Profile.CLASSIC
            ? sorting.stream().map(TableDefinition::withLegacyModulo).toList()
            : sorting,
        descending,
        primarySize,
        partition,
        indexes,
        create.projections().stream().map(CreateTable.Projection::name).toList(),
        oldSyntax,
        ttl(create),
        create.constraints(),
        settings,
        create.attach() ? Optional.empty() : Optional.of(create));
  }

  /**
   * Partition keys keep the remainder that the first versions computed, of the width and sign of
   * the divisor: ids of partitions that exist must not change. 18.16.1 knows no other remainder.
   */
  private static Expression withLegacyModulo(Expression expression) {
    if (expression instanceof Expression.Parenthesized p) {
      return withLegacyModulo(p.inner());
    }
    if (expression instanceof Expression.FunctionCall call) {
      List<Expression> arguments =
          call.arguments().stream().map(TableDefinition::withLegacyModulo).toList();
      boolean modulo = call.name().equals("modulo");
      return new Expression.FunctionCall(
          modulo ? "moduloLegacy" : call.name(),
          call.parameters(),
          arguments,
          call.operator() && !modulo);
    }
    return expression;
  }

  /** What a TTL rule does when its time has come. */
  public enum TtlKind {
    /** Values of a column become the default. */
    COLUMN,
    /** Rows are deleted. */
    ROWS,
    /** Rows that fulfil a condition are deleted. */
    ROWS_WHERE,
    /** Rows are folded by a prefix of the key. */
    GROUP_BY,
    /** The part is compressed anew. */
    RECOMPRESSION,
    /** The part moves to another disk. */
    MOVE
  }

  /**
   * A TTL rule.
   *
   * @param column of a rule of kind COLUMN; empty text for others
   * @param expression of a date or time
   * @param where which rows a rule of kind ROWS_WHERE is for
   */
  public record TtlRule(
      TtlKind kind, String column, Expression expression, Optional<Expression> where) {}

  private static List<TtlRule> ttl(CreateTable create) {
    List<TtlRule> rules = new ArrayList<>();
    for (Column column : create.columns()) {
      column
          .ttl()
          .ifPresent(
              e -> rules.add(new TtlRule(TtlKind.COLUMN, column.name(), e, Optional.empty())));
    }
    for (CreateTable.TtlElement element : create.ttl()) {
      CreateTable.TtlAction action = element.action();
      TtlKind kind;
      if (action instanceof CreateTable.TtlAction.Delete delete) {
        kind = delete.where().isPresent() ? TtlKind.ROWS_WHERE : TtlKind.ROWS;
      } else if (action instanceof CreateTable.TtlAction.GroupBy) {
        kind = TtlKind.GROUP_BY;
      } else if (action instanceof CreateTable.TtlAction.Recompress) {
        kind = TtlKind.RECOMPRESSION;
      } else {
        kind = TtlKind.MOVE;
      }
      Optional<Expression> where =
          action instanceof CreateTable.TtlAction.Delete delete ? delete.where() : Optional.empty();
      rules.add(new TtlRule(kind, "", element.expression(), where));
    }
    return rules;
  }

  private static int checkPrimary(
      String table, List<Expression> primary, List<Expression> sorting) {
    boolean prefix = primary.size() <= sorting.size();
    for (int i = 0; prefix && i < primary.size(); i++) {
      prefix = primary.get(i).text().equals(sorting.get(i).text());
    }
    if (!prefix) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS,
          "table %s: PRIMARY KEY (%s) is not the start of ORDER BY (%s)",
          table,
          texts(primary),
          texts(sorting));
    }
    return primary.size();
  }

  private static String texts(List<Expression> expressions) {
    return expressions.stream().map(Expression::text).collect(Collectors.joining(", "));
  }

  private static void addColumn(String table, Column column, List<ColumnDefinition> to) {
    Optional<Expression> expression = column.defaults().flatMap(Column.Default::expression);
    DataType type =
        column
            .type()
            .orElseThrow(
                () ->
                    EngineException.of(
                        ErrorCode.BAD_ARGUMENTS,
                        "table %s: column %s has no type; give it one",
                        table,
                        column.name()));
    Optional<String> codec =
        column.codecs().isEmpty()
            ? Optional.empty()
            : Optional.of(
                column.codecs().stream()
                    .map(Definition::text)
                    .collect(Collectors.joining(", ", "CODEC(", ")")));
    if (type instanceof NestedType nested) {
      for (Element element : nested.elements()) {
        to.add(
            new ColumnDefinition(
                column.name() + "." + element.name().orElseThrow(),
                new ArrayType(element.type()),
                codec,
                column.kind(),
                expression));
      }
      return;
    }
    to.add(new ColumnDefinition(column.name(), type, codec, column.kind(), expression));
  }

  private static List<CreateTable.Index> implicitIndexes(
      List<ColumnDefinition> columns,
      List<CreateTable.Index> explicit,
      Map<String, Literal> settings) {
    Set<String> wanted = new TreeSet<>();
    for (String group : List.of("numeric", "string", "temporal")) {
      Literal value = settings.get("add_minmax_index_for_" + group + "_columns");
      if (value != null && !value.text().equals("0") && !value.text().equals("false")) {
        wanted.add(group);
      }
    }
    List<CreateTable.Index> implicit = new ArrayList<>();
    for (ColumnDefinition column : columns) {
      boolean has =
          explicit.stream()
              .anyMatch(
                  i ->
                      i.type().name().equals("minmax")
                          && i.expression().bare() instanceof Expression.Identifier id
                          && id.name().equals(column.name()));
      if (column.stored() && !has && wanted.contains(group(column.type()))) {
        implicit.add(
            new CreateTable.Index(
                "auto_minmax_index_" + column.name(),
                Expression.Identifier.of(column.name()),
                new Definition("minmax", List.of()),
                1));
      }
    }
    return implicit;
  }

  private static String group(DataType given) {
    DataType type = given.storage();
    if (type instanceof PlainType p && (p.integer() || p.floating() || p == PlainType.BOOL)
        || type instanceof DataType.DecimalType) {
      return "numeric";
    }
    if (type == PlainType.STRING) {
      return "string";
    }
    if (type == PlainType.DATE
        || type == PlainType.DATE32
        || type == PlainType.TIME
        || type instanceof DataType.Time64Type
        || type instanceof DataType.DateTimeType
        || type instanceof DataType.DateTime64Type) {
      return "temporal";
    }
    return "";
  }

  /** The same table as one that exists already, whose CREATE TABLE is not judged any more. */
  public TableDefinition existing() {
    return with(settings, Optional.empty());
  }

  /** The column of that name. */
  public Optional<ColumnDefinition> column(String columnName) {
    return columns.stream().filter(c -> c.name().equals(columnName)).findFirst();
  }

  /** The columns that parts hold, in the order of the table. */
  public List<ColumnDefinition> storedColumns() {
    return columns.stream().filter(ColumnDefinition::stored).toList();
  }

  /** Elements of the primary key, a prefix of the sorting key. */
  public List<Expression> primaryKey() {
    return sortingKey.subList(0, primaryKeySize);
  }

  /** The same table with other settings. */
  public TableDefinition with(TableSettings other) {
    return with(other, created);
  }

  private TableDefinition with(TableSettings other, Optional<CreateTable> from) {
    return new TableDefinition(
        name,
        columns,
        kind,
        engineArguments,
        sortingKey,
        descending,
        primaryKeySize,
        partitionKey,
        indexes,
        projections,
        oldSyntax,
        ttl,
        constraints,
        other,
        from);
  }

  /** {@code MergeTree(date, [sample,] (key), granularity[, more])}. */
  private record OldSyntax(
      Expression partition, List<Expression> key, Literal granularity, List<Expression> rest) {

    /** Whether there is a granularity where that form has it. */
    static boolean is(List<Expression> arguments) {
      return granularityAt(arguments) >= 0;
    }

    private static int granularityAt(List<Expression> arguments) {
      for (int i = 2; i < Math.min(arguments.size(), 4); i++) {
        if (arguments.get(i) instanceof Literal.IntegerLiteral) {
          return i;
        }
      }
      return -1;
    }

    static OldSyntax of(String table, List<Expression> arguments) {
      int at = granularityAt(arguments);
      if (at < 0) {
        throw EngineException.of(
            ErrorCode.BAD_ARGUMENTS,
            "table %s has neither ORDER BY nor the old form MergeTree(date, key, granularity)",
            table);
      }
      Expression month = Expression.FunctionCall.of("toYYYYMM", arguments.get(0));
      return new OldSyntax(
          month,
          arguments.get(at - 1).keyElements(),
          (Literal) arguments.get(at),
          arguments.subList(at + 1, arguments.size()));
    }
  }
}
