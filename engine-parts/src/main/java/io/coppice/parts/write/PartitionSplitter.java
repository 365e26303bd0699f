package io.coppice.parts.write;

import io.coppice.base.bytes.Memory;
import io.coppice.parts.column.KeyTable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;

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
    Bytes bytes = new Bytes();
    for (int row = 0; row < rows; row++) {
      bytes.size = 0;
      for (FieldVector vector : key) {
        bytes.append(vector, row);
      }
      long at = bytes.address;
      long hash = KeyTable.hash(at, bytes.size);
      int found = table.find(at, bytes.size, hash);
      partitionOf[row] = found >= 0 ? found : table.add(at, bytes.size, hash);
    }
    return table.count();
  }

  /** The bytes of a key, such that equal keys and only those have equal bytes. */
  private static final class Bytes {
    private ByteBuffer buffer = ByteBuffer.allocateDirect(256);
    private long address = Memory.address(buffer);
    private int size;

    private void room(int more) {
      if (buffer.capacity() - size < more) {
        ByteBuffer old = buffer;
        long from = address;
        buffer = ByteBuffer.allocateDirect(Math.max(buffer.capacity() * 2, size + more));
        address = Memory.address(buffer);
        Memory.copy(from, address, size);
        java.lang.ref.Reference.reachabilityFence(old);
      }
    }

    private void put(int value) {
      room(4);
      Memory.putInt(address + size, value);
      size += 4;
    }

    private void put(long from, int length) {
      room(length);
      Memory.copy(from, address + size, length);
      size += length;
    }

    void append(FieldVector vector, int row) {
      if (vector.getField().isNullable()) {
        boolean isNull = vector.isNull(row);
        put(isNull ? 1 : 0);
        if (isNull) {
          return;
        }
      }
      long data =
          vector instanceof StructVector || vector instanceof ListVector
              ? 0
              : vector.getDataBuffer().memoryAddress();
      if (vector instanceof BitVector bits) {
        put(bits.get(row));
      } else if (vector instanceof BaseFixedWidthVector fixed) {
        int width = fixed.getTypeWidth();
        put(data + (long) row * width, width);
      } else if (vector instanceof BaseVariableWidthVector) {
        long offsets = vector.getOffsetBuffer().memoryAddress() + row * 4L;
        int start = Memory.getInt(offsets);
        int length = Memory.getInt(offsets + 4) - start;
        put(length);
        put(data + start, length);
      } else if (vector instanceof ListVector list) {
        long offsets = list.getOffsetBuffer().memoryAddress() + row * 4L;
        int start = Memory.getInt(offsets);
        int end = Memory.getInt(offsets + 4);
        put(end - start);
        for (int i = start; i < end; i++) {
          append(list.getDataVector(), i);
        }
      } else {
        for (FieldVector child : vector.getChildrenFromFields()) {
          append(child, row);
        }
      }
    }
  }
}
