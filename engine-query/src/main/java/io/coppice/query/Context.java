package io.coppice.query;

import io.coppice.engine.Engine;
import io.coppice.language.expression.Literal;
import io.coppice.language.type.DataType;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.Surroundings;
import io.coppice.parts.text.FormatSettings;
import io.coppice.query.system.SystemTables;
import java.util.HashMap;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;

/**
 * What all of one statement shares.
 *
 * @param database the current one
 * @param settings of the statement, by name
 * @param inputs tables of the session by name, which stand before those of the engine
 * @param surroundings time, which stands still for the statement, chance and zone
 * @param formats how rows are read and written
 * @param read what the statement has read
 * @param allocator of the statement
 */
record Context(
    Engine engine,
    String database,
    Map<String, Literal> settings,
    Map<String, InputTable> inputs,
    Surroundings surroundings,
    FormatSettings formats,
    ReadCounter read,
    BufferAllocator allocator) {

  /** Rows of a block of those that queries read and give: {@code max_block_size}. */
  int blockRows() {
    return InsertSetting.blockRows(settings);
  }

  /** What a table of the database {@code system} needs to know. */
  SystemTables.Asked asked() {
    Map<String, String> values = new HashMap<>();
    settings.forEach(
        (name, value) ->
            values.put(
                name, value instanceof Literal.StringLiteral text ? text.value() : value.text()));
    return new SystemTables.Asked(engine, values);
  }

  /** Compiles expressions over columns. */
  ExpressionCompiler compiler(Map<String, DataType> types) {
    return ExpressionCompiler.of(types).in(surroundings);
  }
}
