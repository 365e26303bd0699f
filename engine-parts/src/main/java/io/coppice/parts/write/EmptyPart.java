package io.coppice.parts.write;

import io.coppice.base.disk.Disk;
import io.coppice.language.expression.Expression;
import io.coppice.language.type.DataType;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.format.PartitionFile;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/**
 * A part without rows, which takes the place of parts that are dropped: as long as it is there they
 * do not count. ClickHouse drops parts in the same way. Stateless.
 */
public final class EmptyPart {
  private EmptyPart() {}

  /**
   * Writes one, with the table's columns.
   *
   * @param directory of the part; made here
   * @param dropped a part of the same partition
   */
  public static void write(
      Disk disk,
      String directory,
      TableDefinition table,
      LoadedPart dropped,
      BufferAllocator allocator)
      throws IOException {
    disk.deleteRecursively(directory);
    disk.createDirectories(directory);
    Map<String, byte[]> small = new TreeMap<>();
    if (dropped.files().containsKey(PartitionFile.NAME)) {
      small.put(PartitionFile.NAME, dropped.readAll(PartitionFile.NAME, PartitionFile.LIMIT_BYTES));
    }
    List<FieldVector> vectors = new ArrayList<>();
    try (PartWriter writer = new PartWriter(allocator)) {
      for (ColumnDefinition column : table.storedColumns()) {
        FieldVector vector =
            ArrowMapping.field(column.name(), column.type()).createVector(allocator);
        vectors.add(vector);
        vector.allocateNew();
        vector.setValueCount(0);
      }
      Map<String, DataType> schema = new LinkedHashMap<>();
      table.columns().forEach(c -> schema.put(c.name(), c.type()));
      ExpressionCompiler compiler = ExpressionCompiler.of(schema).forKeys();
      List<PartWriter.KeyColumn> keys = new ArrayList<>();
      for (Expression element : table.primaryKey()) {
        DataType type = compiler.compile(element).type();
        FieldVector vector = ArrowMapping.field(element.text(), type).createVector(allocator);
        vectors.add(vector);
        keys.add(new PartWriter.KeyColumn(vector, type));
      }
      List<FieldVector> columns = vectors.subList(0, table.storedColumns().size());
      writer.write(
          disk.within(directory),
          table,
          new PartWriter.Block(
              0,
              columns,
              keys,
              small,
              List.of(),
              new PartWriter.Origin(columns, 0, new int[0], Map.of())));
    } finally {
      vectors.forEach(FieldVector::close);
    }
    if (table.settings().fsyncPartDirectory()) {
      disk.syncDirectory(directory);
    }
  }
}
