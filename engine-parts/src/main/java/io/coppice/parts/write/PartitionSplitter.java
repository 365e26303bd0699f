package io.coppice.parts.write;

import io.coppice.parts.column.KeyTable;
import io.coppice.parts.column.RowBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.FieldVector;

/**
 * Rows of a block by the value of the partition key: one list of rows per value, values in the
 * order of their first appearance, rows in the order of the block.
 *
 * <p>Stateless.
 */
final class PartitionSplitter {
  private PartitionSplitter() {}

  /** Row numbers of each partition; one list of all rows when there is no key. */
  static List<int[]> split(List<FieldVector> key, int rows) {
    if (rows == 0) {
      return List.of();
    }
    int[] partitionOf = new int[rows];
    int count = key.isEmpty() ? 1 : number(key, rows, partitionOf);
    if (count == 1) {
      int[] all = new int[rows];
      for (int i = 0; i < rows; i++) {
        all[i] = i;
      }
      return List.of(all);
    }
    int[] sizes = new int[count];
    for (int partition : partitionOf) {
      sizes[partition]++;
    }
    List<int[]> lists = new ArrayList<>();
    for (int size : sizes) {
      lists.add(new int[size]);
    }
    Arrays.fill(sizes, 0);
    for (int row = 0; row < rows; row++) {
      int partition = partitionOf[row];
      lists.get(partition)[sizes[partition]++] = row;
    }
    return lists;
  }

  private static int number(List<FieldVector> key, int rows, int[] partitionOf) {
    KeyTable table = new KeyTable();
    RowBytes bytes = new RowBytes();
    for (int row = 0; row < rows; row++) {
      bytes.clear();
      bytes.put(key, row);
      long hash = KeyTable.hash(bytes.address(), bytes.sizeBytes());
      int found = table.find(bytes.address(), bytes.sizeBytes(), hash);
      partitionOf[row] = found >= 0 ? found : table.add(bytes.address(), bytes.sizeBytes(), hash);
    }
    return table.count();
  }
}
