package io.coppice.merge.run;

import io.coppice.language.type.DataType;
import io.coppice.parts.column.SharedDictionaries;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.write.KeyLongs;
import io.coppice.parts.write.SortOrder;
import io.coppice.parts.write.TableKeys;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/** Compares rows of chunks by the sorting key of a table. Immutable. */
final class KeyOrder {
  private final TableKeys keys;
  private final DataType[] types;
  private final boolean[] descending;

  KeyOrder(TableDefinition table, TableKeys keys) {
    this.keys = keys;
    List<TableKeys.Key> sorting = keys.sorting();
    this.types = sorting.stream().map(k -> k.expression().type()).toArray(DataType[]::new);
    this.descending = new boolean[types.length];
    for (int i = 0; i < types.length; i++) {
      descending[i] = table.descending().get(i);
    }
  }

  /** A chunk of columns, which it takes. */
  Chunk chunk(
      List<FieldVector> columns,
      int rows,
      List<SharedDictionaries> shared,
      BufferAllocator allocator) {
    TableKeys.Evaluated key = keys.evaluate(keys.sorting(), columns, rows, allocator);
    KeyLongs[] longs = new KeyLongs[types.length];
    for (int i = 0; i < types.length; i++) {
      longs[i] = KeyLongs.of(key.vectors().get(i), types[i], rows, descending[i]);
    }
    return new Chunk(columns, key, longs, rows, shared);
  }

  /** Negative, 0 or positive as row {@code x} of {@code a} comes before, with or behind. */
  int compare(Chunk a, int x, Chunk b, int y) {
    for (int i = 0; i < types.length; i++) {
      KeyLongs left = a.longs(i);
      int c = Long.compare(left.values()[x], b.longs(i).values()[y]);
      if (c == 0 && !left.exact()) {
        c = SortOrder.compareValues(a.key().get(i), x, b.key().get(i), y, types[i]);
        c = descending[i] ? -c : c;
      }
      if (c != 0) {
        return c;
      }
    }
    return 0;
  }

  /**
   * The first row from {@code from} on, of those before {@code to}, that comes behind row {@code y}
   * of {@code b}; {@code to} if there is none. Looks in steps that double.
   *
   * @param equalToo whether rows with an equal key count as behind
   */
  int firstBehind(Chunk a, int from, int to, Chunk b, int y, boolean equalToo) {
    int least = equalToo ? 0 : 1;
    int low = from;
    int step = 1;
    while (low + step - 1 < to && compare(a, low + step - 1, b, y) < least) {
      low += step;
      step *= 2;
    }
    int high = Math.min(to, low + step - 1);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(a, middle, b, y) < least) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
