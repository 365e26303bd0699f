package io.coppice.query;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.VectorSchemaRoot;

/** A link in the chain that a query is: batches one after the other. Confined to one thread. */
interface Rows extends AutoCloseable {
  /** The columns of every batch, in their order. */
  List<ResultColumn> columns();

  /** Moves to the next batch; false at the end. */
  boolean next() throws IOException;

  /** The batch moved to; it stays owned here and is valid until the next call of next. */
  VectorSchemaRoot batch();

  @Override
  void close() throws IOException;

  /** Types by name, the first of a name counting. */
  default Map<String, io.coppice.language.type.DataType> types() {
    Map<String, io.coppice.language.type.DataType> types = new LinkedHashMap<>();
    columns().forEach(column -> types.putIfAbsent(column.name(), column.type()));
    return types;
  }
}
