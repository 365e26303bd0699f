package io.coppice.merge.run;

import io.coppice.language.type.DataType;
import io.coppice.parts.column.Gather;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.format.MinMaxFile;
import io.coppice.parts.format.PartitionFile;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.write.TableKeys;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/** The files of a merged part that depend on the partition key: those of its sources, united. */
final class MergedKeys {
  private MergedKeys() {}

  /** By name, partition.dat and minmax files; empty for a table without a partition key. */
  static Map<String, byte[]> files(
      List<LoadedPart> parts, TableDefinition table, TableKeys keys, BufferAllocator allocator)
      throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    if (keys.partition().isEmpty()) {
      return files;
    }
    LoadedPart first = parts.get(0);
    if (first.files().containsKey(PartitionFile.NAME)) {
      files.put(PartitionFile.NAME, first.readAll(PartitionFile.NAME, PartitionFile.LIMIT_BYTES));
    }
    TreeSet<String> columns = new TreeSet<>();
    keys.partition().forEach(k -> columns.addAll(k.expression().columns()));
    for (String name : columns) {
      ColumnDefinition column = table.column(name).orElseThrow();
      files.put(MinMaxFile.name(name), united(parts, column, allocator));
    }
    return files;
  }

  private static byte[] united(
      List<LoadedPart> parts, ColumnDefinition column, BufferAllocator allocator)
      throws IOException {
    DataType type = column.type();
    String file = MinMaxFile.name(column.name());
    try (FieldVector all = ArrowMapping.field(column.name(), type).createVector(allocator)) {
      int rows = 0;
      for (LoadedPart part : parts) {
        try (FieldVector range = ArrowMapping.field(column.name(), type).createVector(allocator)) {
          MinMaxFile.read(part.readAll(file, MinMaxFile.LIMIT_BYTES), file, type, range);
          Gather.appendRange(range, 0, 2, all, rows);
          rows += 2;
        }
      }
      Vectors.finish(all, rows);
      return MinMaxFile.write(type, all, IntStream.range(0, rows).toArray());
    }
  }
}
