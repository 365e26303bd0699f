package io.coppice.parts.create;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Literal;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.FixedStringType;
import io.coppice.language.type.DataType.LowCardinalityType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.SimpleAggregateType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Types that exist and that ClickHouse does not make columns of, unless a setting says so.
 * Stateless.
 */
final class TypeRules {
  /** ClickHouse's MAX_FIXEDSTRING_SIZE_WITHOUT_SUSPICIOUS. */
  private static final int MOST_FIXED_STRING_BYTES = 256;

  private static final Set<String> SIMPLE_FUNCTIONS =
      Set.of(
          "any",
          "anyLast",
          "any_respect_nulls",
          "anyLast_respect_nulls",
          "min",
          "max",
          "sum",
          "sumWithOverflow",
          "groupBitAnd",
          "groupBitOr",
          "groupBitXor",
          "sumMap",
          "minMap",
          "maxMap",
          "groupArrayArray",
          "groupArrayLastArray",
          "groupUniqArrayArray",
          "groupUniqArrayArrayMap",
          "sumMappedArrays",
          "minMappedArrays",
          "maxMappedArrays");

  private TypeRules() {}

  /**
   * Checks the types of all columns.
   *
   * @param settings those of the statement, among which may be settings of the query
   */
  static void check(TableDefinition table, Map<String, Literal> settings) {
    for (ColumnDefinition column : table.columns()) {
      try {
        check(column.type(), settings);
      } catch (EngineException e) {
        throw e.within("column " + column.name());
      }
    }
  }

  static boolean allowed(Map<String, Literal> settings, String name) {
    Literal value = settings.get(name);
    return value != null && !value.text().equals("0") && !value.text().equals("false");
  }

  private static void check(DataType type, Map<String, Literal> settings) {
    if (type == PlainType.NOTHING) {
      throw EngineException.of(
          ErrorCode.DATA_TYPE_CANNOT_BE_USED_IN_TABLES, "type Nothing is not stored");
    }
    if (type instanceof FixedStringType fixed
        && fixed.sizeBytes() > MOST_FIXED_STRING_BYTES
        && !allowed(settings, "allow_suspicious_fixed_string_types")) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_COLUMN,
          "%s is longer than %d bytes; take String, or set allow_suspicious_fixed_string_types = 1",
          type.text(),
          MOST_FIXED_STRING_BYTES);
    }
    if (type instanceof LowCardinalityType low
        && !allowed(settings, "allow_suspicious_low_cardinality_types")) {
      DataType value = low.inner() instanceof NullableType n ? n.inner() : low.inner();
      if (value != PlainType.STRING && !(value instanceof FixedStringType)) {
        throw EngineException.of(
            ErrorCode.SUSPICIOUS_TYPE_FOR_LOW_CARDINALITY,
            "%s is slower than %s; take that, or set allow_suspicious_low_cardinality_types = 1",
            type.text(),
            low.inner().text());
      }
    }
    if (type instanceof SimpleAggregateType simple) {
      simple(simple);
    }
    for (DataType inner : inner(type)) {
      check(inner, settings);
    }
  }

  private static List<DataType> inner(DataType type) {
    if (type instanceof ArrayType t) {
      return List.of(t.element());
    }
    if (type instanceof NullableType t) {
      return List.of(t.inner());
    }
    if (type instanceof LowCardinalityType t) {
      return List.of(t.inner());
    }
    if (type instanceof MapType t) {
      return List.of(t.key(), t.value());
    }
    if (type instanceof TupleType t) {
      return t.elements().stream().map(DataType.Element::type).toList();
    }
    if (type instanceof DataType.NestedType t) {
      return t.elements().stream().map(DataType.Element::type).toList();
    }
    return type instanceof SimpleAggregateType t ? List.of(t.inner()) : List.of();
  }

  private static void simple(SimpleAggregateType type) {
    String function = type.function();
    int bracket = function.indexOf('(');
    String name = bracket < 0 ? function : function.substring(0, bracket);
    if (!SIMPLE_FUNCTIONS.contains(name)) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS,
          "function %s cannot be in SimpleAggregateFunction; those that can are %s",
          function,
          String.join(", ", SIMPLE_FUNCTIONS.stream().sorted().toList()));
    }
  }
}
