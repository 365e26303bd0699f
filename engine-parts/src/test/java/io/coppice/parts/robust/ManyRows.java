package io.coppice.parts.robust;

import io.coppice.base.disk.LocalDisk;
import io.coppice.parts.scan.BatchStream;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.scan.Scan;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import io.coppice.parts.write.PartBuilder;
import io.coppice.parts.write.WrittenPart;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Builds parts of very many rows from small batches, then reads them and checks sums: {@code
 * directory rows allocatorMegabytes}.
 */
final class ManyRows {
  private static final int BATCH_ROWS = 65_536;

  private ManyRows() {}

  public static void main(String[] arguments) throws Exception {
    long rows = Long.parseLong(arguments[1]);
    long limit = Long.parseLong(arguments[2]) << 20;
    TableDefinition table =
        TableDefinition.parse(
            "CREATE TABLE t (id UInt64, day UInt32, price Float64, note String)"
                + " ENGINE = MergeTree PARTITION BY day ORDER BY (note, id)",
            Profile.MODERN);
    LocalDisk disk = new LocalDisk(Path.of(arguments[0]));
    try (BufferAllocator allocator = new RootAllocator(limit)) {
      List<WrittenPart> parts;
      long sum = 0;
      try (PartBuilder builder = PartBuilder.open(table, disk, allocator)) {
        for (long done = 0; done < rows; done += BATCH_ROWS) {
          int count = (int) Math.min(BATCH_ROWS, rows - done);
          try (VectorSchemaRoot batch = batch(table, done, count, allocator)) {
            builder.add(batch);
          }
          for (int i = 0; i < count; i++) {
            sum += done + i;
          }
        }
        parts = builder.finish();
      }
      long builtPeak = allocator.getPeakMemoryAllocation();
      List<LoadedPart> loaded = new ArrayList<>();
      long found = 0;
      for (WrittenPart part : parts) {
        String name = part.name().text();
        loaded.add(LoadedPart.open(disk.within(name), name, LoadedPart.Hints.NONE, allocator));
        found += part.rowCount();
      }
      long foundSum = 0;
      try (BatchStream batches = Scan.of(loaded).open(allocator)) {
        while (batches.next()) {
          UInt8Vector ids = (UInt8Vector) batches.batch().getVector("id");
          for (int row = 0; row < ids.getValueCount(); row++) {
            foundSum += ids.get(row);
          }
        }
      }
      if (found != rows || foundSum != sum) {
        throw new AssertionError(found + " rows with sum " + foundSum);
      }
      System.out.printf(
          "memory: %d rows to %d parts with at most %d MiB of vectors, read with %d MiB%n",
          rows, parts.size(), builtPeak >> 20, allocator.getPeakMemoryAllocation() >> 20);
    }
  }

  private static VectorSchemaRoot batch(
      TableDefinition table, long from, int count, BufferAllocator allocator) {
    VectorSchemaRoot batch =
        new VectorSchemaRoot(
            table.columns().stream()
                .map((ColumnDefinition c) -> ArrowMapping.field(c.name(), c.type()))
                .map(f -> f.createVector(allocator))
                .toList());
    UInt8Vector id = (UInt8Vector) batch.getVector("id");
    UInt4Vector day = (UInt4Vector) batch.getVector("day");
    Float8Vector price = (Float8Vector) batch.getVector("price");
    VarCharVector note = (VarCharVector) batch.getVector("note");
    byte[] text = new byte[24];
    for (int i = 0; i < count; i++) {
      long number = from + i;
      id.setSafe(i, number);
      day.setSafe(i, (int) (number / 400_000 % 3));
      price.setSafe(i, number * 0.25);
      long mixed = number * 0x9E3779B97F4A7C15L;
      for (int b = 0; b < text.length; b++) {
        text[b] = (byte) ('a' + (mixed >>> (b % 12 * 5) & 15));
      }
      note.setSafe(i, text);
    }
    batch.setRowCount(count);
    return batch;
  }
}
