package io.coppice.parts.create;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Literal;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.TypedExpression;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What ClickHouse asks of skip indexes before it looks at their kind. Stateless. */
final class IndexRules {
  private static final Set<String> KINDS =
      Set.of(
          "minmax",
          "set",
          "bloom_filter",
          "tokenbf_v1",
          "ngrambf_v1",
          "sparse_grams",
          "hypothesis",
          "text",
          "vector_similarity");

  private IndexRules() {}

  /** Whether a bloom filter hashes values of a type, or the elements of its arrays. */
  private static boolean hashed(DataType type) {
    DataType value =
        type.bare() instanceof DataType.ArrayType array ? array.element().bare() : type.bare();
    return !(value instanceof DataType.OpaqueType
        || value instanceof DataType.DecimalType
        || value instanceof DataType.TupleType
        || value instanceof DataType.MapType
        || value instanceof DataType.ArrayType
        || value instanceof DataType.Time64Type
        || value instanceof DataType.IntervalType
        || value == PlainType.DATE32
        || value == PlainType.TIME);
  }

  private static DataType type(
      CreateTable.Index index, Expression element, ExpressionCompiler compiler) {
    return CreateCheck.compiled(compiler, element, "index " + index.name())
        .<DataType>map(TypedExpression::type)
        .orElse(PlainType.NOTHING);
  }

  private static void refuseUnordered(CreateTable.Index index, ExpressionCompiler compiler) {
    for (Expression element : index.expression().keyElements()) {
      DataType type = type(index, element, compiler);
      if (TypeRules.unordered(type)) {
        throw EngineException.of(
            ErrorCode.BAD_ARGUMENTS,
            "index %s of type minmax: %s has type %s, which has no order",
            index.name(),
            element.text(),
            type.text());
      }
    }
  }

  private static void refuseUnhashed(CreateTable.Index index, ExpressionCompiler compiler) {
    for (Expression element : index.expression().keyElements()) {
      DataType type = type(index, element, compiler);
      if (type.storage() instanceof DataType.ArrayType array
          && array.element().bare() instanceof DataType.ArrayType) {
        throw EngineException.of(
            ErrorCode.BAD_ARGUMENTS,
            "index %s of type bloom_filter: %s has type %s, expected arrays of plain values",
            index.name(),
            element.text(),
            type.text());
      }
      if (!hashed(type)) {
        throw EngineException.of(
            ErrorCode.ILLEGAL_COLUMN,
            "index %s of type bloom_filter: %s has type %s, which is not hashed",
            index.name(),
            element.text(),
            type.text());
      }
    }
  }

  /**
   * Checks all indexes.
   *
   * @param suspicious whether an index may have an expression twice
   * @param compiler over all columns of the table
   */
  static void check(
      List<CreateTable.Index> indexes, boolean suspicious, ExpressionCompiler compiler) {
    ExpressionCompiler forKeys = compiler.forKeys();
    for (CreateTable.Index index : indexes) {
      String kind = index.type().name();
      if (!KINDS.contains(kind)) {
        throw EngineException.of(
            ErrorCode.INCORRECT_QUERY,
            "index %s is of type %s, which there is not; there are %s",
            index.name(),
            kind,
            String.join(", ", KINDS.stream().sorted().toList()));
      }
      Set<String> texts = new HashSet<>();
      for (Expression element : index.expression().keyElements()) {
        Optional<TypedExpression> compiled =
            CreateCheck.compiled(forKeys, element, "index " + index.name());
        if (compiled.isPresent() && !texts.add(compiled.get().text()) && !suspicious) {
          throw EngineException.of(
              ErrorCode.BAD_ARGUMENTS,
              "index %s has %s twice; set allow_suspicious_indices = 1 to have it",
              index.name(),
              element.text());
        }
        if (compiled.isPresent() && compiled.get().constantValue().isPresent()) {
          throw EngineException.of(
              ErrorCode.INCORRECT_QUERY,
              "index %s has the constant %s; an index is of columns",
              index.name(),
              element.text());
        }
      }
      if (kind.equals("minmax")) {
        refuseUnordered(index, forKeys);
      }
      if (kind.equals("bloom_filter")) {
        IndexArguments.checkBloomFilter(index);
        refuseUnhashed(index, forKeys);
      }
      if (kind.equals("tokenbf_v1") || kind.equals("ngrambf_v1")) {
        IndexArguments.checkTokens(index, kind.equals("ngrambf_v1"), forKeys);
      }
      if (kind.equals("set")) {
        List<Expression> arguments = index.type().arguments();
        boolean fits =
            arguments.size() == 1
                && arguments.get(0).bare() instanceof Literal.IntegerLiteral number
                && number.value().signum() >= 0;
        if (!fits) {
          throw EngineException.of(
              ErrorCode.INCORRECT_QUERY,
              "index %s of type %s: expected the most values of a block, as in set(100)",
              index.name(),
              index.type().text());
        }
      }
    }
  }
}
