package io.coppice.language.statement;

import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Literal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code CREATE TABLE} and {@code ATTACH TABLE}, as written: nothing is checked against what an
 * engine or a type allows. {@link #text()} prints what {@code SHOW CREATE TABLE} of 26.7 does.
 *
 * @param attach whether it is {@code ATTACH TABLE}, as in metadata files
 * @param uuid the text after UUID
 * @param orReplace whether a table of this name goes away for it
 * @param columns none where {@code source} says them
 * @param settings in the order written
 * @param source what AS takes the columns from
 */
public record CreateTable(
    boolean attach,
    boolean orReplace,
    boolean ifNotExists,
    Optional<String> database,
    String table,
    Optional<String> uuid,
    List<Column> columns,
    List<Index> indexes,
    List<Projection> projections,
    List<Constraint> constraints,
    Optional<Definition> engine,
    Optional<Expression> partitionBy,
    Optional<Expression> primaryKey,
    Optional<SortingKey> orderBy,
    Optional<Expression> sampleBy,
    List<TtlElement> ttl,
    Map<String, Literal> settings,
    Optional<String> comment,
    Optional<Source> source)
    implements Statement {

  public CreateTable {
    columns = List.copyOf(columns);
    indexes = List.copyOf(indexes);
    projections = List.copyOf(projections);
    constraints = List.copyOf(constraints);
    ttl = List.copyOf(ttl);
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
  }

  /** ClickHouse's canonical text, on several lines, without a newline at the end. */
  @Override
  public String text() {
    return CreateTableText.print(this);
  }

  /** The table's name. */
  public TableName name() {
    return new TableName(database, table);
  }

  /**
   * The same definition under another name: a plain CREATE or ATTACH, whose columns are all said.
   */
  public CreateTable named(boolean attached, TableName newName, Optional<String> newUuid) {
    return new CreateTable(
        attached,
        false,
        false,
        newName.database(),
        newName.table(),
        newUuid,
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
        Optional.empty());
  }

  /** The same in another database. */
  public CreateTable in(String newDatabase) {
    return with(Optional.of(newDatabase), columns, engine, settings, source);
  }

  /** The same with another engine. */
  public CreateTable with(Definition newEngine) {
    return with(database, columns, Optional.of(newEngine), settings, source);
  }

  /** The same with other columns. */
  public CreateTable with(List<Column> newColumns) {
    return with(database, newColumns, engine, settings, source);
  }

  /** The same with other settings. */
  public CreateTable with(Map<String, Literal> newSettings) {
    return with(database, columns, engine, newSettings, source);
  }

  /** The same with something else behind AS, or nothing. */
  public CreateTable from(Optional<Source> newSource) {
    return with(database, columns, engine, settings, newSource);
  }

  private CreateTable with(
      Optional<String> newDatabase,
      List<Column> newColumns,
      Optional<Definition> newEngine,
      Map<String, Literal> newSettings,
      Optional<Source> newSource) {
    return new CreateTable(
        attach,
        orReplace,
        ifNotExists,
        newDatabase,
        table,
        uuid,
        newColumns,
        indexes,
        projections,
        constraints,
        newEngine,
        partitionBy,
        primaryKey,
        orderBy,
        sampleBy,
        ttl,
        newSettings,
        comment,
        newSource);
  }

  /** What comes after AS. */
  public sealed interface Source {
    /** {@code AS table}: the same columns, and the same engine where none is said. */
    record Like(TableName table) implements Source {}

    /**
     * {@code AS SELECT}: the columns of a query, and its rows.
     *
     * @param empty whether the rows are left out
     */
    record Rows(Query.Body body, boolean empty) implements Source {}
  }

  /** {@code INDEX name expression TYPE type GRANULARITY granularity}. */
  public record Index(String name, Expression expression, Definition type, int granularity) {}

  /**
   * {@code PROJECTION name (select)}.
   *
   * @param select the text between the brackets as written; projections are not understood
   */
  public record Projection(String name, String select) {}

  /** {@code CONSTRAINT name CHECK expression} or {@code ASSUME}. */
  public record Constraint(String name, boolean assume, Expression expression) {}

  /**
   * The sorting key.
   *
   * @param expression the whole key, a tuple where it has several elements
   * @param descending for each element whether it is {@code DESC}; as many as the key has elements
   */
  public record SortingKey(Expression expression, List<Boolean> descending) {
    public SortingKey {
      descending = List.copyOf(descending);
    }

    /** The elements in their order, none for {@code tuple()}. */
    public List<Expression> elements() {
      return expression.keyElements();
    }

    /** Whether any element is sorted downwards. */
    public boolean anyDescending() {
      return descending.contains(true);
    }
  }

  /** One rule of the table's TTL. */
  public record TtlElement(Expression expression, TtlAction action) {}

  /** What happens to a row whose time has come. */
  public sealed interface TtlAction {
    /** The row is deleted, if {@code where} holds. */
    record Delete(Optional<Expression> where) implements TtlAction {}

    /** The part goes to another disk or volume. */
    record Move(boolean volume, String target) implements TtlAction {}

    /** The part is compressed anew. */
    record Recompress(List<Definition> codecs) implements TtlAction {}

    /** Rows are folded by a prefix of the key. */
    record GroupBy(List<Expression> keys, List<Assignment> assignments) implements TtlAction {
      public GroupBy {
        keys = List.copyOf(keys);
        assignments = List.copyOf(assignments);
      }
    }
  }

  /** {@code column = expression}. */
  public record Assignment(String column, Expression expression) {}
}
