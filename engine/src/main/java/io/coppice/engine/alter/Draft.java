package io.coppice.engine.alter;

import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Literal;
import io.coppice.language.statement.Column;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.type.DataType.ArrayType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** A table's definition while commands change it. Confined to one thread. */
final class Draft {
  private final CreateTable before;
  final List<Column> columns;
  final List<CreateTable.Index> indexes;
  final List<CreateTable.Constraint> constraints;
  final Map<String, Literal> settings;
  List<CreateTable.TtlElement> ttl;
  Optional<Expression> primaryKey;
  Optional<CreateTable.SortingKey> orderBy;
  Optional<Expression> sampleBy;
  Optional<String> comment;

  Draft(CreateTable before) {
    this.before = before;
    this.columns = new ArrayList<>(before.columns());
    this.indexes = new ArrayList<>(before.indexes());
    this.constraints = new ArrayList<>(before.constraints());
    this.settings = new LinkedHashMap<>(before.settings());
    this.ttl = before.ttl();
    this.primaryKey = before.primaryKey();
    this.orderBy = before.orderBy();
    this.sampleBy = before.sampleBy();
    this.comment = before.comment();
  }

  CreateTable finish() {
    return new CreateTable(
        before.attach(),
        before.orReplace(),
        before.ifNotExists(),
        before.database(),
        before.table(),
        before.uuid(),
        columns,
        indexes,
        before.projections(),
        constraints,
        before.engine(),
        before.partitionBy(),
        primaryKey,
        orderBy,
        sampleBy,
        ttl,
        settings,
        comment,
        before.source());
  }

  OptionalInt at(String column) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(column)) {
        return OptionalInt.of(i);
      }
    }
    return OptionalInt.empty();
  }

  Optional<Column> column(String name) {
    OptionalInt at = at(name);
    return at.isPresent() ? Optional.of(columns.get(at.getAsInt())) : Optional.empty();
  }

  /** Whether a column is of the Nested {@code table}. */
  static boolean nested(String table, Column column) {
    return column.name().startsWith(table + ".") && column.type().orElse(null) instanceof ArrayType;
  }

  boolean hasNested(String table) {
    return columns.stream().anyMatch(c -> nested(table, c));
  }

  /** Says what a column uses by another name wherever it is used. */
  void rename(String from, String to) {
    ColumnRenaming renaming = new ColumnRenaming(from, to);
    columns.replaceAll(
        c ->
            new Column(
                c.name().equals(from) ? to : c.name(),
                c.type(),
                c.defaults()
                    .map(d -> new Column.Default(d.kind(), d.expression().map(renaming::in))),
                c.comment(),
                c.codecs(),
                c.statistics(),
                c.ttl().map(renaming::in),
                c.settings()));
    indexes.replaceAll(
        i ->
            new CreateTable.Index(
                i.name(), renaming.in(i.expression()), i.type(), i.granularity()));
    constraints.replaceAll(
        c -> new CreateTable.Constraint(c.name(), c.assume(), renaming.in(c.expression())));
    ttl = ttl.stream().map(renaming::in).toList();
  }
}
