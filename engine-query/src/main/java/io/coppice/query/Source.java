package io.coppice.query;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.type.DataType;
import io.coppice.parts.scan.BatchSink;
import io.coppice.parts.scan.Runs;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * What a SELECT reads. This small interface is all that a query knows of tables.
 *
 * <p>Opened once at most; what is not opened is closed.
 */
interface Source extends AutoCloseable {
  /** The columns that {@code *} stands for. */
  List<ResultColumn> visible();

  /** All columns by name, hidden ones too. */
  Map<String, DataType> types();

  /** The names that may stand before a column's, each a list of parts. */
  List<List<String>> qualifiers();

  /** How many rows there are, if that is known without reading. */
  default OptionalLong rowCount() {
    return OptionalLong.empty();
  }

  /** What SAMPLE chooses rows by, if it can. */
  default Optional<Expression> samplingKey() {
    return Optional.empty();
  }

  /**
   * Refuses to give rows as they will be when all of them are merged.
   *
   * @throws EngineException always; ILLEGAL_FINAL where that has no meaning
   */
  default void refuseFinal() {
    throw EngineException.of(
        ErrorCode.ILLEGAL_FINAL, "FINAL: only tables of some engines are merged; leave it out");
  }

  /**
   * The rows for which a condition holds, with the columns named at least.
   *
   * @param filter over the columns, resolved
   */
  Rows open(List<String> columns, Optional<Expression> filter) throws IOException;

  /**
   * As {@link #open}, the rows going into sinks where they are read, one for each run of them;
   * empty if rows come one after another only, and then nothing was opened.
   *
   * @param counting whether only the number of rows matters: those that are known to pass need not
   *     come then, and are counted in the report
   */
  default <S extends BatchSink> Optional<Runs<S>> openRuns(
      List<String> columns, Optional<Expression> filter, boolean counting, Supplier<S> sinks)
      throws IOException {
    return Optional.empty();
  }

  @Override
  default void close() throws IOException {}
}
