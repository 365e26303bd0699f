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
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Builds a part of very many columns, reads it and checks every value: {@code directory columns
 * rows allocatorMegabytes setting}.
 */
final class ManyColumns {
  private ManyColumns() {}

  private static long number(int column, int row) {
    return column * 31L + row;
  }

  public static void main(String[] arguments) throws Exception {
    int columns = Integer.parseInt(arguments[1]);
    int rows = Integer.parseInt(arguments[2]);
    long limit = Long.parseLong(arguments[3]) << 20;
    StringBuilder sql = new StringBuilder("CREATE TABLE t (");
    for (int i = 0; i < columns; i++) {
      sql.append(i == 0 ? "" : ", ").append("c").append(i);
      sql.append(i % 4 == 3 ? " String" : " UInt64");
    }
    sql.append(") ENGINE = MergeTree ORDER BY c0 SETTINGS ").append(arguments[4]);
    TableDefinition table = TableDefinition.parse(sql.toString(), Profile.MODERN);
    LocalDisk disk = new LocalDisk(Path.of(arguments[0]));
    try (BufferAllocator allocator = new RootAllocator(limit)) {
      WrittenPart part;
      try (PartBuilder builder = PartBuilder.open(table, disk, allocator)) {
        try (VectorSchemaRoot batch = batch(table, rows, allocator)) {
          builder.add(batch);
        }
        part = builder.finish().get(0);
      }
      long builtPeak = allocator.getPeakMemoryAllocation();
      String name = part.name().text();
      LoadedPart loaded =
          LoadedPart.open(disk.within(name), name, LoadedPart.Hints.NONE, allocator);
      int read = 0;
      try (BatchStream batches = Scan.of(loaded).open(allocator)) {
        while (batches.next()) {
          check(batches.batch(), read);
          read += batches.batch().getRowCount();
        }
      }
      if (read != rows) {
        throw new AssertionError(read + " rows, expected " + rows);
      }
      System.out.printf(
          "memory: %d rows x %d columns, %s, %d files: built with %d MiB and read with %d MiB of"
              + " vectors%n",
          rows,
          columns,
          part.compact() ? "Compact" : "Wide",
          loaded.files().size(),
          builtPeak >> 20,
          allocator.getPeakMemoryAllocation() >> 20);
    }
  }

  private static VectorSchemaRoot batch(
      TableDefinition table, int rows, BufferAllocator allocator) {
    List<FieldVector> vectors = new ArrayList<>();
    int index = 0;
    for (ColumnDefinition column : table.columns()) {
      FieldVector vector = ArrowMapping.field(column.name(), column.type()).createVector(allocator);
      vector.setInitialCapacity(rows);
      vector.allocateNew();
      for (int row = 0; row < rows; row++) {
        if (vector instanceof VarCharVector text) {
          text.setSafe(row, text(index, row));
        } else {
          ((BaseIntVector) vector).setWithPossibleTruncate(row, number(index, row));
        }
      }
      vector.setValueCount(rows);
      vectors.add(vector);
      index++;
    }
    return new VectorSchemaRoot(vectors);
  }

  private static byte[] text(int column, int row) {
    return Long.toString(number(column, row)).getBytes(StandardCharsets.US_ASCII);
  }

  private static void check(VectorSchemaRoot batch, int before) {
    int index = 0;
    for (FieldVector vector : batch.getFieldVectors()) {
      for (int row = 0; row < batch.getRowCount(); row++) {
        boolean equal =
            vector instanceof VarCharVector text
                ? java.util.Arrays.equals(text.get(row), text(index, before + row))
                : ((BaseIntVector) vector).getValueAsLong(row) == number(index, before + row);
        if (!equal) {
          throw new AssertionError(vector.getName() + " row " + (before + row));
        }
      }
      index++;
    }
  }
}
