package io.coppice.merge.run;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.util.List;
import java.util.Optional;

/**
 * What remains of rows with equal keys, which come one by one in the order of their sources: told
 * at their end, as rows among them. Confined to one thread.
 *
 * <p>A fold that makes values which no row has (sums, states) puts them in a chunk of its own and
 * keeps rows of that.
 */
interface RowFold extends AutoCloseable {
  /** A row of the run, which is held as long as the run lasts. */
  interface Keeping {
    /**
     * Keeps a row.
     *
     * @param place of the row in its run, from 0; by it the source of the row is known
     */
    void keep(Chunk chunk, int row, int place);
  }

  /** The next row of the run. */
  void add(Chunk chunk, int row);

  /** The run is at its end: tells what remains, in order, and forgets it. */
  void end(Keeping to);

  @Override
  void close();

  /**
   * The fold of a table; empty where all rows remain.
   *
   * @param columns of chunks
   * @param cleanup whether rows that are marked as deleted go
   * @throws EngineException NOT_IMPLEMENTED for kinds that are not folded
   */
  static Optional<RowFold> of(
      TableDefinition table, List<ColumnDefinition> columns, boolean cleanup) {
    return switch (table.kind()) {
      case PLAIN -> Optional.empty();
      case REPLACING ->
          Optional.of(
              new ReplacingFold(
                  argument(table, columns, 0), argument(table, columns, 1), columns, cleanup));
      case COLLAPSING -> Optional.of(new CollapsingFold(argument(table, columns, 0).orElseThrow()));
      case VERSIONED_COLLAPSING, SUMMING, AGGREGATING, COALESCING, GRAPHITE ->
          throw EngineException.of(
              ErrorCode.NOT_IMPLEMENTED,
              "table %s: parts of %s are not merged yet",
              table.name(),
              table.kind().engine());
    };
  }

  private static Optional<Integer> argument(
      TableDefinition table, List<ColumnDefinition> columns, int index) {
    if (index >= table.engineArguments().size()
        || !(table.engineArguments().get(index).bare() instanceof Expression.Identifier named)) {
      return Optional.empty();
    }
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(named.name())) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }
}
