package io.coppice.parts.aggregate;

import io.coppice.language.type.DataType;
import io.coppice.parts.table.ArrowMapping;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/**
 * The states of one aggregate function for any number of groups, numbered from 0. Made by {@link
 * AggregateFunctions}.
 *
 * <p>Confined to one thread. Vectors given are borrowed; what {@link #finish} gives is the caller's
 * to close, as the aggregator itself is.
 */
public abstract class Aggregator implements AutoCloseable {
  private final DataType type;

  Aggregator(DataType type) {
    this.type = type;
  }

  /** The type of the results. */
  public final DataType type() {
    return type;
  }

  /**
   * Adds rows to the states.
   *
   * @param arguments a vector of {@code rows} rows for each argument
   * @param groups the group of each row, below {@code groupCount}; -1 leaves the row out
   * @param groupCount groups that there are by now
   */
  public final void add(List<FieldVector> arguments, int[] groups, int rows, int groupCount) {
    grow(groupCount);
    take(arguments, groups, rows);
  }

  /**
   * Adds the states of another aggregator of the same function and types, which keeps its own.
   *
   * @param groups for each group of the other its group here, or -1
   * @param groupCount groups that there are here by now
   */
  public final void merge(Aggregator other, int[] groups, int groupCount) {
    grow(groupCount);
    other.grow(groups.length);
    absorb(other, groups);
  }

  /**
   * Forgets all states and keeps their memory; false when it can't, and nothing was done.
   *
   * <p>What it keeps spares the next states the way of growing.
   */
  public boolean clear() {
    return false;
  }

  /** Whether the results depend on the order in which rows are added or states merged. */
  public boolean ordered() {
    return true;
  }

  /** The results of groups [0, {@code groupCount}), in a new vector. */
  public final FieldVector finish(String name, int groupCount, BufferAllocator allocator) {
    grow(groupCount);
    FieldVector to = ArrowMapping.field(name, type).createVector(allocator);
    boolean done = false;
    try {
      write(to, groupCount);
      done = true;
      return to;
    } finally {
      if (!done) {
        to.close();
      }
    }
  }

  /** Memory that the states take besides that of the allocator they were made with. */
  public abstract long heapBytes();

  /** Makes room for the states of {@code groups} groups; new ones have seen nothing. */
  abstract void grow(int groups);

  abstract void take(List<FieldVector> arguments, int[] groups, int rows);

  abstract void absorb(Aggregator other, int[] groups);

  /** Fills an empty vector, none of its rows NULL. */
  abstract void write(FieldVector to, int groups);

  /** Gives back memory; harmless a second time. */
  @Override
  public void close() {}

  /** The size of an array that is to hold {@code wanted} elements and may have to grow again. */
  static int capacity(int present, int wanted) {
    return wanted <= present ? present : Math.max(wanted, Math.max(64, 2 * present));
  }
}
