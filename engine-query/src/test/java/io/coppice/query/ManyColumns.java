package io.coppice.query;

import io.coppice.engine.Engine;
import io.coppice.engine.EngineConfig;
import io.coppice.engine.Table;
import io.coppice.engine.TableInsert;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Fills a table of very many columns and asks for all of it: {@code directory columns rows MB}. */
final class ManyColumns {
  private ManyColumns() {}

  public static void main(String[] arguments) throws Exception {
    int columns = Integer.parseInt(arguments[1]);
    int rows = Integer.parseInt(arguments[2]);
    long budget = Long.parseLong(arguments[3]) << 20;
    String list =
        IntStream.range(0, columns)
            .mapToObj(i -> "c" + i + " Int64")
            .collect(Collectors.joining(", "));
    try (Engine engine =
        Engine.open(EngineConfig.at(Path.of(arguments[0])).withMemoryBytes(budget))) {
      Session session = new Session(engine);
      session.execute("CREATE TABLE t (" + list + ") ENGINE = MergeTree ORDER BY c0").close();
      Table table = engine.table("t");
      try (VectorSchemaRoot batch = batch(table, rows, engine);
          TableInsert insert = table.insert()) {
        insert.add(batch);
        insert.finish();
      }
      int read = 0;
      try (QueryResult result = session.execute("SELECT * FROM t WHERE c1 >= 0")) {
        while (result.next()) {
          check(result.batch(), read);
          read += result.batch().getRowCount();
        }
      }
      if (read != rows) {
        throw new AssertionError(read + " rows, expected " + rows);
      }
      System.out.printf(
          "memory: %d rows x %d columns inserted and selected with a budget of %d MiB, peak %d"
              + " MiB%n",
          rows, columns, budget >> 20, engine.allocator().getPeakMemoryAllocation() >> 20);
    }
  }

  private static long number(int column, int row) {
    return column * 31L + row;
  }

  private static VectorSchemaRoot batch(Table table, int rows, Engine engine) {
    List<FieldVector> vectors = new ArrayList<>();
    for (ColumnDefinition column : table.definition().columns()) {
      BigIntVector vector =
          (BigIntVector)
              ArrowMapping.field(column.name(), column.type()).createVector(engine.allocator());
      vector.allocateNew(rows);
      for (int row = 0; row < rows; row++) {
        vector.set(row, number(vectors.size(), row));
      }
      vector.setValueCount(rows);
      vectors.add(vector);
    }
    return new VectorSchemaRoot(vectors);
  }

  private static void check(VectorSchemaRoot batch, int before) {
    for (int column = 0; column < batch.getFieldVectors().size(); column++) {
      BigIntVector vector = (BigIntVector) batch.getVector(column);
      for (int row = 0; row < batch.getRowCount(); row++) {
        if (vector.get(row) != number(column, before + row)) {
          throw new AssertionError(vector.getName() + " row " + (before + row));
        }
      }
    }
  }
}
