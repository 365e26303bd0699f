package io.coppice.engine;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Literal;
import io.coppice.language.statement.PartitionId;
import io.coppice.language.type.DataType;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.TypedExpression;
import io.coppice.parts.name.PartName;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Which parts a command means that names a partition or a part. Stateless. */
final class PartitionIds {
  private PartitionIds() {}

  /**
   * Whether a part is meant.
   *
   * @throws EngineException INVALID_PARTITION_VALUE for a value of another number of elements than
   *     the partition key, TYPE_MISMATCH for elements that are not of its types
   */
  static Predicate<PartName> meant(
      TableDefinition table, PartitionId partition, BufferAllocator allocator) {
    if (partition instanceof PartitionId.All) {
      return part -> true;
    }
    if (partition instanceof PartitionId.Part named) {
      return part -> part.text().equals(named.name());
    }
    String id = id(table, partition, allocator);
    return part -> part.partition().equals(id);
  }

  /** The id of a partition that is not ALL. */
  static String id(TableDefinition table, PartitionId partition, BufferAllocator allocator) {
    if (partition instanceof PartitionId.Id id) {
      if (!id.id().matches("[A-Za-z0-9-]+")) {
        throw EngineException.of(
            ErrorCode.INVALID_PARTITION_VALUE, "'%s' is no id of a partition", id.id());
      }
      return id.id();
    }
    Expression value = ((PartitionId.Value) partition).value();
    List<Expression> elements = value.keyElements();
    List<DataType> types = types(table);
    if (table.oldSyntax()) {
      return value.bare() instanceof Literal.StringLiteral text ? text.value() : value.text();
    }
    if (elements.size() != types.size()) {
      throw EngineException.of(
          ErrorCode.INVALID_PARTITION_VALUE,
          "partition %s has %d elements, expected %d as the partition key of table %s",
          value.text(),
          elements.size(),
          types.size(),
          table.name());
    }
    List<FieldVector> vectors = new ArrayList<>();
    try {
      for (int i = 0; i < types.size(); i++) {
        vectors.add(constant(elements.get(i), types.get(i), allocator));
      }
      return new io.coppice.parts.name.PartitionId(
              types, vectors, table.settings().profile() == Profile.CLASSIC)
          .of(0);
    } catch (EngineException e) {
      throw new EngineException(
          ErrorCode.TYPE_MISMATCH,
          "partition "
              + value.text()
              + " is no value of the partition key of table "
              + table.name()
              + ": "
              + e.getMessage(),
          e);
    } finally {
      Vectors.close(vectors);
    }
  }

  private static List<DataType> types(TableDefinition table) {
    Map<String, DataType> schema = new LinkedHashMap<>();
    table.columns().forEach(c -> schema.put(c.name(), c.type()));
    ExpressionCompiler compiler = ExpressionCompiler.of(schema).forKeys();
    return table.partitionKey().stream().map(compiler::compile).map(TypedExpression::type).toList();
  }

  private static FieldVector constant(Expression value, DataType type, BufferAllocator allocator) {
    TypedExpression cast =
        ExpressionCompiler.of(Map.of())
            .compile(
                Expression.FunctionCall.of("CAST", value, new Literal.StringLiteral(type.text())));
    VectorSchemaRoot row = new VectorSchemaRoot(List.of(), List.of(), 1);
    return cast.evaluate(row, ArrowMapping.field("partition", type), allocator);
  }
}
