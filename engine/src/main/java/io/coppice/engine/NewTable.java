package io.coppice.engine;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.engine.alter.CodecTexts;
import io.coppice.language.expression.Literal;
import io.coppice.language.statement.Column;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.statement.Definition;
import io.coppice.language.statement.TableName;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.Element;
import io.coppice.language.type.DataType.NestedType;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.table.TableSettings.Profile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Completes the statement that makes a table: what it leaves open is said the way ClickHouse says
 * it in the table's file. Stateless.
 */
final class NewTable {
  private static final String GRANULARITY = "index_granularity";

  private NewTable() {}

  /**
   * The complete statement.
   *
   * @param like finds the definition of the table that AS names
   */
  static CreateTable complete(
      CreateTable create, Function<TableName, CreateTable> like, Profile profile) {
    CreateTable whole = create;
    if (create.source().orElse(null) instanceof CreateTable.Source.Like source) {
      whole = like(create, like.apply(source.table()));
    } else if (create.source().isPresent()) {
      throw EngineException.of(
          ErrorCode.LOGICAL_ERROR,
          "table %s: the columns of its query are to be found out first",
          create.table());
    }
    if (whole.engine().isEmpty()) {
      if (whole.orderBy().isEmpty() && whole.primaryKey().isEmpty()) {
        throw EngineException.of(
            ErrorCode.BAD_ARGUMENTS,
            "table %s names neither an engine nor ORDER BY; a MergeTree table has ORDER BY, or"
                + " ORDER BY tuple()",
            create.table());
      }
      whole = whole.with(new Definition("MergeTree", List.of()));
    }
    whole = whole.with(columns(whole));
    Map<String, Literal> settings = new LinkedHashMap<>(whole.settings());
    boolean oldSyntax = whole.orderBy().isEmpty() && whole.primaryKey().isEmpty();
    if (!oldSyntax && profile == Profile.MODERN) {
      settings.putIfAbsent(GRANULARITY, Literal.IntegerLiteral.of(8192));
    }
    return whole.with(settings);
  }

  private static CreateTable like(CreateTable create, CreateTable other) {
    boolean ownEngine = create.engine().isPresent();
    return new CreateTable(
        create.attach(),
        create.orReplace(),
        create.ifNotExists(),
        create.database(),
        create.table(),
        create.uuid(),
        create.columns().isEmpty() ? other.columns() : create.columns(),
        create.columns().isEmpty() ? other.indexes() : create.indexes(),
        create.columns().isEmpty() ? other.projections() : create.projections(),
        create.columns().isEmpty() ? other.constraints() : create.constraints(),
        ownEngine ? create.engine() : other.engine(),
        ownEngine ? create.partitionBy() : other.partitionBy(),
        ownEngine ? create.primaryKey() : other.primaryKey(),
        ownEngine ? create.orderBy() : other.orderBy(),
        ownEngine ? create.sampleBy() : other.sampleBy(),
        ownEngine ? create.ttl() : other.ttl(),
        ownEngine ? create.settings() : other.settings(),
        create.comment().or(other::comment),
        Optional.empty());
  }

  /** The columns with their types, a Nested as the arrays that it is stored as. */
  private static List<Column> columns(CreateTable create) {
    Map<String, DataType> schema = new LinkedHashMap<>();
    create.columns().forEach(c -> c.type().ifPresent(type -> schema.put(c.name(), type)));
    List<Column> columns = new ArrayList<>();
    for (Column column : create.columns()) {
      if (column.type().orElse(null) instanceof NestedType nested) {
        for (Element element : nested.elements()) {
          columns.add(
              new Column(
                  column.name() + "." + element.name().orElseThrow(),
                  Optional.of(new ArrayType(element.type())),
                  column.defaults(),
                  column.comment(),
                  column.codecs(),
                  column.statistics(),
                  column.ttl(),
                  column.settings()));
        }
      } else if (column.type().isEmpty()) {
        DataType type =
            column
                .defaults()
                .flatMap(Column.Default::expression)
                .map(ExpressionCompiler.of(schema)::typeOf)
                .orElseThrow(
                    () ->
                        EngineException.of(
                            ErrorCode.SYNTAX_ERROR,
                            "column %s of table %s has neither a type nor an expression that says"
                                + " it",
                            column.name(),
                            create.table()));
        columns.add(column.with(type));
      } else {
        columns.add(column);
      }
    }
    return create.attach() ? columns : columns.stream().map(CodecTexts::complete).toList();
  }
}
