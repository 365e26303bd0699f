package io.coppice.parts.create;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Literal;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.DataType.FixedStringType;
import io.coppice.language.type.DataType.LowCardinalityType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.SimpleAggregateType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.ExpressionCompiler;
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
    if (type instanceof DataType.OpaqueType opaque && opaque.family().equals("Object")) {
      throw EngineException.of(
          ErrorCode.UNKNOWN_TYPE, "there is no type %s any more; take JSON", type.text());
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
      boolean fits =
          value == PlainType.STRING || value == PlainType.UUID || value instanceof FixedStringType;
      if (!fits) {
        throw EngineException.of(
            ErrorCode.SUSPICIOUS_TYPE_FOR_LOW_CARDINALITY,
            "%s is slower than %s; take that, or set allow_suspicious_low_cardinality_types = 1",
            type.text(),
            low.inner().text());
      }
    }
    if (type instanceof NullableType nullable && nullable.inner().storage() instanceof TupleType) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_COLUMN,
          "%s: a Tuple is not made Nullable as a whole; make its elements Nullable",
          type.text());
    }
    for (DataType inner : inner(type)) {
      check(inner, settings);
    }
    if (type instanceof SimpleAggregateType simple) {
      simple(simple);
    }
  }

  /** Whether there are values in a type, at any depth, of which ClickHouse finds no least. */
  static boolean unordered(DataType type) {
    return type instanceof DataType.OpaqueType
        || inner(type).stream().anyMatch(TypeRules::unordered);
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
    String given = type.function();
    int bracket = given.indexOf('(');
    String name = bracket < 0 ? given : given.substring(0, bracket);
    String function =
        SIMPLE_FUNCTIONS.contains(name) ? name : ExpressionCompiler.aggregate(name).orElse(name);
    if (!SIMPLE_FUNCTIONS.contains(function)) {
      throw EngineException.of(
          ExpressionCompiler.aggregate(name).isPresent()
              ? ErrorCode.BAD_ARGUMENTS
              : ErrorCode.UNKNOWN_AGGREGATE_FUNCTION,
          "%s: function %s cannot be there; those that can are %s",
          type.text(),
          given,
          String.join(", ", SIMPLE_FUNCTIONS.stream().sorted().toList()));
    }
    DataType stored = type.inner() instanceof NullableType n ? n.inner() : type.inner();
    boolean takes =
        switch (function) {
          case "sum", "sumWithOverflow" -> numeric(stored);
          case "groupBitAnd", "groupBitOr", "groupBitXor" ->
              stored instanceof PlainType plain && plain.integer();
          case "groupArrayArray", "groupArrayLastArray", "groupUniqArrayArray" ->
              stored instanceof ArrayType;
          default -> true;
        };
    if (!takes) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_TYPE_OF_ARGUMENT,
          "%s: function %s does not take %s",
          type.text(),
          function,
          type.inner().text());
    }
    if (function.equals("sum") && !sum(stored).equals(stored)) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS,
          "%s: sums of %s are %s, which the column must have as its type",
          type.text(),
          stored.text(),
          sum(stored).text());
    }
  }

  private static boolean numeric(DataType type) {
    return type instanceof PlainType plain && (plain.integer() || plain.floating())
        || type instanceof DecimalType;
  }

  /** The type of the sums of a type. */
  private static DataType sum(DataType type) {
    if (type instanceof DecimalType decimal) {
      return new DecimalType(decimal.precision() <= 38 ? 38 : 76, decimal.scale());
    }
    PlainType plain = (PlainType) type;
    if (plain.floating()) {
      return PlainType.FLOAT64;
    }
    if (plain.widthBytes() > 8) {
      return plain;
    }
    return plain.signed() ? PlainType.INT64 : PlainType.UINT64;
  }
}
