package io.coppice.query;

import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.LowCardinalityType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.aggregate.Reserved;
import io.coppice.parts.column.Gather;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.write.SortOrder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The rows of another chain in order; rows of equal keys stay in theirs. When only the first are
 * wanted, no more than a few times as many are held.
 */
final class SortRows implements Rows {
  private static final int FEWEST_HELD = 131_072;

  /** What sorting takes on the heap for each row: permutations and keys, in use and spare. */
  private static final int ROW_BYTES = 24;

  /** And for each key of a row: its number, and whether there is one. */
  private static final int KEY_BYTES = 16;

  /** A column that rows are ordered by; NULL and NaN come last unless said. */
  record Key(int column, boolean descending, boolean nullsFirst) {}

  private final Rows from;
  private final List<Key> keys;
  private final long limit;
  private final BufferAllocator allocator;
  private List<FieldVector> held;
  private int rows;
  private VectorSchemaRoot batch;
  private boolean done;

  /**
   * @param limit how many rows are wanted
   */
  SortRows(Rows from, List<Key> keys, long limit, BufferAllocator allocator) {
    this.from = from;
    this.keys = List.copyOf(keys);
    this.limit = limit;
    this.allocator = allocator;
    this.held = Batches.vectors(from.columns(), allocator);
  }

  @Override
  public List<ResultColumn> columns() {
    return from.columns();
  }

  @Override
  public boolean next() throws IOException {
    if (done) {
      return false;
    }
    done = true;
    while (from.next()) {
      int count = from.batch().getRowCount();
      for (int i = 0; i < held.size(); i++) {
        Gather.appendRange(from.batch().getVector(i), 0, count, held.get(i), rows);
      }
      rows = Math.addExact(rows, count);
      if (rows >= FEWEST_HELD && rows / 2 > limit) {
        sort();
      }
    }
    sort();
    batch = Batches.of(Batches.schema(columns()), held, rows);
    return rows > 0;
  }

  /** Puts the held rows in order and lets go of those that are not wanted. */
  private void sort() {
    held.forEach(vector -> Vectors.finish(vector, rows));
    List<SortOrder.Key> order = new ArrayList<>();
    List<FieldVector> flags = new ArrayList<>();
    try (Reserved sorting = new Reserved(allocator, "ORDER BY")) {
      sorting.growTo((long) rows * (ROW_BYTES + KEY_BYTES * keys.size()));
      addKeys(order, flags);
      Optional<int[]> few = SortOrder.candidates(order, rows, limit);
      if (few.isPresent()) {
        keep(few.get(), few.get().length);
        Vectors.close(flags);
        flags.clear();
        order.clear();
        addKeys(order, flags);
      }
      int[] permutation = SortOrder.permutation(order, rows).orElse(null);
      int kept = (int) Math.min(limit, rows);
      if (permutation == null && kept == rows) {
        return;
      }
      if (permutation == null) {
        permutation = java.util.stream.IntStream.range(0, kept).toArray();
      }
      keep(permutation, kept);
    } finally {
      Vectors.close(flags);
    }
  }

  private void keep(int[] chosen, int count) {
    List<FieldVector> kept = Batches.take(held, chosen, count, allocator);
    Vectors.close(held);
    held = kept;
    rows = count;
  }

  /** The keys over what is held now; {@code flags} takes vectors that are the caller's to close. */
  private void addKeys(List<SortOrder.Key> order, List<FieldVector> flags) {
    for (Key key : keys) {
      FieldVector vector = held.get(key.column());
      DataType type = columns().get(key.column()).type();
      special(vector, type, key)
          .ifPresent(
              special -> {
                flags.add(special);
                order.add(new SortOrder.Key(special, PlainType.UINT8, false));
              });
      order.add(new SortOrder.Key(vector, type, key.descending()));
    }
  }

  /** For each row whether it has a value, is NaN or NULL, in the order in which these come. */
  private Optional<FieldVector> special(FieldVector vector, DataType given, Key key) {
    DataType type = given.storage();
    if (type instanceof LowCardinalityType low) {
      type = low.inner();
    }
    boolean nullable = type instanceof NullableType;
    boolean floats = vector instanceof Float8Vector || vector instanceof Float4Vector;
    if (!floats && !(nullable && vector.getNullCount() > 0)) {
      return Optional.empty();
    }
    UInt1Vector flags = new UInt1Vector("special", allocator);
    flags.allocateNew(Math.max(1, rows));
    for (int row = 0; row < rows; row++) {
      int level = nullable && vector.isNull(row) ? 2 : floats && isNaN(vector, row) ? 1 : 0;
      flags.set(row, key.nullsFirst() ? 2 - level : level);
    }
    flags.setValueCount(rows);
    return Optional.of(flags);
  }

  private static boolean isNaN(FieldVector vector, int row) {
    return vector instanceof Float8Vector doubles
        ? Double.isNaN(doubles.get(row))
        : Float.isNaN(((Float4Vector) vector).get(row));
  }

  @Override
  public VectorSchemaRoot batch() {
    return batch;
  }

  @Override
  public void close() throws IOException {
    Vectors.close(held);
    from.close();
  }
}
