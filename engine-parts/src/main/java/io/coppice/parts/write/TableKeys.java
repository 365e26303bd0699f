package io.coppice.parts.write;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.expression.ColumnExpression;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.TypedExpression;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The sorting key and the partition key of a table, compiled over its stored columns. Immutable;
 * one thread evaluates at a time.
 */
public final class TableKeys {
  private final TableDefinition table;
  private final List<ColumnDefinition> columns;
  private final List<Key> sorting;
  private final List<Key> partition;

  /** An element of a key: a column as it is, or an expression. */
  public record Key(TypedExpression expression, Optional<Integer> column) {}

  /** Vectors of key elements; those that are no columns are owned. */
  public record Evaluated(List<FieldVector> vectors, List<FieldVector> owned)
      implements AutoCloseable {
    @Override
    public void close() {
      Vectors.close(owned);
    }
  }

  /**
   * Compiles the keys.
   *
   * @throws EngineException when one does not compile, or has a type that keys have not without a
   *     setting
   */
  public TableKeys(TableDefinition table, ExpressionCompiler compiler) {
    this.table = table;
    this.columns = table.storedColumns();
    this.sorting = compile(compiler, table.sortingKey());
    this.partition = compile(compiler, table.partitionKey());
    checkTypes();
  }

  /** Elements of ORDER BY. */
  public List<Key> sorting() {
    return sorting;
  }

  /** Elements of PARTITION BY. */
  public List<Key> partition() {
    return partition;
  }

  private List<Key> compile(ExpressionCompiler compiler, List<Expression> elements) {
    List<Key> keys = new ArrayList<>();
    for (Expression element : elements) {
      TypedExpression compiled = compiler.compile(element);
      Optional<Integer> column = Optional.empty();
      if (element.bare() instanceof Expression.Identifier identifier) {
        for (int i = 0; i < columns.size(); i++) {
          if (columns.get(i).name().equals(identifier.name())) {
            column = Optional.of(i);
          }
        }
      }
      keys.add(new Key(compiled, column));
    }
    return keys;
  }

  private void checkTypes() {
    for (Key key : sorting) {
      if (key.expression().type().nullable() && !table.settings().allowNullableKey()) {
        throw EngineException.of(
            ErrorCode.ILLEGAL_COLUMN,
            "table %s: the sorting key has a Nullable element %s; set allow_nullable_key = 1 to"
                + " have it",
            table.name(),
            key.expression().text());
      }
    }
    for (Key key : partition) {
      DataType type = key.expression().type();
      if (type instanceof PlainType p
          && p.floating()
          && !table.settings().allowFloatPartitionKey()
          && table.settings().profile() == Profile.MODERN) {
        throw EngineException.of(
            ErrorCode.BAD_ARGUMENTS,
            "table %s: partition key %s is a floating point number; set"
                + " allow_floating_point_partition_key = 1 to have it",
            table.name(),
            key.expression().text());
      }
    }
  }

  /** Evaluates elements of a key over a block of at least their columns, which is borrowed. */
  public Evaluated evaluate(
      List<Key> keys, List<FieldVector> block, int rows, BufferAllocator allocator) {
    List<FieldVector> vectors = new ArrayList<>();
    List<FieldVector> owned = new ArrayList<>();
    try {
      VectorSchemaRoot view =
          new VectorSchemaRoot(block.stream().map(FieldVector::getField).toList(), block, rows);
      for (Key key : keys) {
        if (key.column().isPresent()) {
          vectors.add(view.getVector(columns.get(key.column().get()).name()));
        } else {
          TypedExpression expression = key.expression();
          FieldVector vector =
              ColumnExpression.labelled(
                      "table " + table.name() + ", key " + expression.text(), expression)
                  .evaluate(
                      view, ArrowMapping.field(expression.text(), expression.type()), allocator);
          owned.add(vector);
          vectors.add(vector);
        }
      }
      return new Evaluated(vectors, owned);
    } catch (Throwable e) {
      Vectors.close(owned);
      throw e;
    }
  }
}
