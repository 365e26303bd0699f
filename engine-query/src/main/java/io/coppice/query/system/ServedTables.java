package io.coppice.query.system;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.engine.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Rows about tables, of which some may go away while they are looked at. Stateless. */
final class ServedTables {
  private ServedTables() {}

  /** Adds what there is to say of a table. */
  interface OfTable<T> {
    void add(T table, List<SystemRow> rows) throws IOException;
  }

  /**
   * The rows of tables, without those of tables that say they are not there any more: dropped
   * meanwhile, or to be opened anew.
   *
   * @param tables an engine's {@link Table}s
   */
  static <T> List<SystemRow> rows(List<T> tables, OfTable<T> of) throws IOException {
    List<SystemRow> rows = new ArrayList<>();
    for (T table : tables) {
      int before = rows.size();
      try {
        of.add(table, rows);
      } catch (EngineException e) {
        if (e.code() != ErrorCode.UNKNOWN_TABLE) {
          throw e;
        }
        rows.subList(before, rows.size()).clear();
      }
    }
    return rows;
  }
}
