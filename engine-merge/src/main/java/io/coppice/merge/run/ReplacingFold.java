package io.coppice.merge.run;

import io.coppice.language.type.DataType;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.write.SortOrder;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.UInt1Vector;

/**
 * ReplacingMergeTree: the row with the greatest version remains, among those the last; without a
 * version the last. Where rows are cleaned up, it does not remain if it is marked as deleted.
 */
final class ReplacingFold implements RowFold {
  private final Optional<Integer> version;
  private final Optional<Integer> deleted;
  private final Optional<DataType> versionType;
  private final boolean cleanup;
  private Chunk chunk;
  private int row;
  private int place;
  private int count;

  /**
   * @param version number of the column of versions
   * @param deleted number of the column that marks rows as deleted
   */
  ReplacingFold(
      Optional<Integer> version,
      Optional<Integer> deleted,
      List<ColumnDefinition> columns,
      boolean cleanup) {
    this.version = version;
    this.deleted = deleted;
    this.versionType = version.map(v -> columns.get(v).type());
    this.cleanup = cleanup;
  }

  @Override
  public void add(Chunk given, int at) {
    if (chunk == null || version.isEmpty() || notOlder(given, at)) {
      given.hold();
      close();
      chunk = given;
      row = at;
      place = count;
    }
    count++;
  }

  private boolean notOlder(Chunk given, int at) {
    int column = version.orElseThrow();
    return SortOrder.compareValues(
            given.columns().get(column),
            at,
            chunk.columns().get(column),
            row,
            versionType.orElseThrow())
        >= 0;
  }

  @Override
  public void end(Keeping to) {
    boolean gone =
        cleanup
            && deleted.isPresent()
            && ((UInt1Vector) chunk.columns().get(deleted.get())).get(row) != 0;
    if (!gone) {
      to.keep(chunk, row, place);
    }
    close();
    count = 0;
  }

  @Override
  public void close() {
    if (chunk != null) {
      chunk.release();
      chunk = null;
    }
  }
}
