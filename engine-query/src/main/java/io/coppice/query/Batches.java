package io.coppice.query;

import io.coppice.parts.column.Gather;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.table.ArrowMapping;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Batches made of vectors. Stateless. */
final class Batches {
  /** Metadata key that tells columns of one name and type apart. */
  private static final String PLACE_KEY = "coppice.column";

  private Batches() {}

  /** The Arrow schema of columns; no two of its fields are equal. */
  static Schema schema(List<ResultColumn> columns) {
    List<Field> fields = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (ResultColumn column : columns) {
      Field field = ArrowMapping.field(column.name(), column.type());
      if (!names.add(column.name())) {
        Map<String, String> metadata = new HashMap<>(field.getMetadata());
        metadata.put(PLACE_KEY, Integer.toString(fields.size()));
        field =
            new Field(
                field.getName(),
                new FieldType(field.isNullable(), field.getType(), null, metadata),
                field.getChildren());
      }
      fields.add(field);
    }
    return new Schema(fields);
  }

  /** A batch of vectors, which stay whose they are. */
  static VectorSchemaRoot of(Schema schema, List<FieldVector> vectors, int rows) {
    return new VectorSchemaRoot(schema, vectors, rows);
  }

  /** A batch without columns. */
  static VectorSchemaRoot bare(int rows) {
    return new VectorSchemaRoot(List.of(), List.of(), rows);
  }

  /** Empty vectors for columns. */
  static List<FieldVector> vectors(List<ResultColumn> columns, BufferAllocator allocator) {
    List<FieldVector> vectors = new ArrayList<>();
    boolean done = false;
    try {
      for (Field field : schema(columns).getFields()) {
        vectors.add(field.createVector(allocator));
      }
      done = true;
      return vectors;
    } finally {
      if (!done) {
        Vectors.close(vectors);
      }
    }
  }

  /** Some rows of vectors, in new ones that the caller closes. */
  static List<FieldVector> take(
      List<FieldVector> from, int[] rows, int count, BufferAllocator allocator) {
    List<FieldVector> taken = new ArrayList<>();
    boolean done = false;
    try {
      for (FieldVector vector : from) {
        taken.add(Gather.take(vector, rows, count, allocator));
      }
      done = true;
      return taken;
    } finally {
      if (!done) {
        Vectors.close(taken);
      }
    }
  }
}
