package io.coppice.query;

import io.coppice.engine.Engine;
import io.coppice.language.type.DataType;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.Surroundings;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;

/**
 * What all of one statement shares.
 *
 * @param database the current one
 * @param surroundings time, which stands still for the statement, chance and zone
 * @param allocator of the statement
 */
record Context(
    Engine engine, String database, Surroundings surroundings, BufferAllocator allocator) {

  /** Compiles expressions over columns. */
  ExpressionCompiler compiler(Map<String, DataType> types) {
    return ExpressionCompiler.of(types).in(surroundings);
  }
}
