package io.coppice.parts.create;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Literal;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.MergingKind;
import io.coppice.parts.table.TableDefinition;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What ClickHouse asks of the arguments of the MergeTree engines. Stateless. */
final class EngineRules {
  private EngineRules() {}

  static void check(TableDefinition table, Map<String, Literal> settings) {
    List<Expression> arguments = table.engineArguments();
    switch (table.kind()) {
      case PLAIN, AGGREGATING -> count(table, 0, 0);
      case GRAPHITE -> count(table, 1, 1);
      case COLLAPSING -> {
        count(table, 1, 1);
        sign(table, arguments.get(0));
      }
      case VERSIONED_COLLAPSING -> {
        count(table, 2, 2);
        sign(table, arguments.get(0));
        version(table, arguments.get(1));
        unlike(table, arguments);
      }
      case REPLACING -> {
        count(table, 0, 2);
        if (!arguments.isEmpty()) {
          version(table, arguments.get(0));
        }
        if (arguments.size() == 2) {
          ColumnDefinition deleted = column(table, "is_deleted", arguments.get(1));
          if (deleted.type() != PlainType.UINT8 && deleted.type() != PlainType.BOOL) {
            throw badType(table, "is_deleted", deleted, "UInt8");
          }
          unlike(table, arguments);
        }
      }
      case SUMMING, COALESCING -> {
        count(table, 0, 1);
        if (!arguments.isEmpty()) {
          folded(table, settings, arguments.get(0));
        }
      }
    }
  }

  private static void count(TableDefinition table, int least, int most) {
    int count = table.engineArguments().size();
    if (count < least || count > most) {
      throw EngineException.of(
          ErrorCode.NUMBER_OF_ARGUMENTS_DOESNT_MATCH,
          "table %s: its %s engine has %d arguments, expected %s",
          table.name(),
          table.kind(),
          count,
          least == most ? Integer.toString(least) : least + " to " + most);
    }
  }

  private static String name(TableDefinition table, String role, Expression argument) {
    if (argument.bare() instanceof Expression.Identifier identifier) {
      return identifier.name();
    }
    throw EngineException.of(
        ErrorCode.BAD_ARGUMENTS,
        "table %s: the %s column of its %s engine is %s, expected the name of a column",
        table.name(),
        role,
        table.kind(),
        argument.text());
  }

  private static ColumnDefinition column(TableDefinition table, String role, Expression argument) {
    String name = name(table, role, argument);
    return table
        .column(name)
        .filter(ColumnDefinition::stored)
        .orElseThrow(
            () ->
                EngineException.of(
                    ErrorCode.NO_SUCH_COLUMN_IN_TABLE,
                    "table %s: its %s engine names %s as %s column, which is no stored column of it",
                    table.name(),
                    table.kind(),
                    name,
                    role));
  }

  private static void sign(TableDefinition table, Expression argument) {
    ColumnDefinition column = column(table, "sign", argument);
    if (column.type() != PlainType.INT8) {
      throw badType(table, "sign", column, "Int8");
    }
  }

  private static void version(TableDefinition table, Expression argument) {
    ColumnDefinition column = column(table, "version", argument);
    if (table.kind() == MergingKind.VERSIONED_COLLAPSING
        && column.type().nullable()
        && !table.settings().allowNullableKey()) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_COLUMN,
          "table %s: the version column %s is Nullable and becomes part of the sorting key; set"
              + " allow_nullable_key = 1 to have it",
          table.name(),
          column.name());
    }
    if (!isVersion(column.type())) {
      throw badType(table, "version", column, "a number, Date, Date32, DateTime or DateTime64");
    }
  }

  private static void unlike(TableDefinition table, List<Expression> arguments) {
    if (arguments.get(0).bare().equals(arguments.get(1).bare())) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS,
          "table %s: both columns of its %s engine are %s, expected two",
          table.name(),
          table.kind(),
          arguments.get(0).text());
    }
  }

  private static boolean isVersion(DataType type) {
    return type instanceof PlainType plain
            && (plain.integer()
                || plain.floating()
                || plain == PlainType.BOOL
                || plain == PlainType.DATE
                || plain == PlainType.DATE32)
        || type instanceof DataType.DateTimeType
        || type instanceof DataType.DateTime64Type;
  }

  private static EngineException badType(
      TableDefinition table, String role, ColumnDefinition column, String expected) {
    return EngineException.of(
        ErrorCode.BAD_TYPE_OF_FIELD,
        "table %s: the %s column %s of its %s engine has type %s, expected %s",
        table.name(),
        role,
        column.name(),
        table.kind(),
        column.type().text(),
        expected);
  }

  /** Columns that are summed or coalesced: one, or a tuple of them; a Nested by its name. */
  private static void folded(
      TableDefinition table, Map<String, Literal> settings, Expression argument) {
    Set<String> keys = new TreeSet<>();
    table.sortingKey().forEach(e -> e.collectNames(keys));
    table.partitionKey().forEach(e -> e.collectNames(keys));
    for (Expression element : argument.keyElements()) {
      String name = name(table, "summed", element);
      boolean nested = table.columns().stream().anyMatch(c -> c.name().startsWith(name + "."));
      if (!nested) {
        column(table, "summed", element);
      }
      if (keys.contains(name)
          && !TypeRules.allowed(settings, "allow_summing_columns_in_partition_or_order_key")) {
        throw EngineException.of(
            ErrorCode.BAD_ARGUMENTS,
            "table %s: column %s is in a key, it cannot be folded by the %s engine as well",
            table.name(),
            name,
            table.kind());
      }
    }
  }
}
