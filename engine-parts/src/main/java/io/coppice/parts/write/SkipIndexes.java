package io.coppice.parts.write;

import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.table.TableDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/** The skip indexes of a table: their expressions evaluated over blocks, and their files. */
final class SkipIndexes {
  SkipIndexes(TableDefinition table, ExpressionCompiler compiler) {
    if (!table.indexes().isEmpty()) {
      throw new AssertionError("skip indexes " + compiler);
    }
  }

  /** Values of one index's expression. */
  record Values(List<FieldVector> vectors) {}

  /** Values of all indexes' expressions over a block, in the order of the block. */
  static final class Inputs implements AutoCloseable {
    List<Values> ordered(UnaryOperator<FieldVector> order) {
      return new ArrayList<>();
    }

    @Override
    public void close() {}
  }

  Inputs evaluate(List<FieldVector> block, int rows, BufferAllocator allocator) {
    return new Inputs();
  }
}
