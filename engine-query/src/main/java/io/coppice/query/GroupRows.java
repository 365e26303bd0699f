package io.coppice.query;

import io.coppice.parts.aggregate.AggregateFunctions;
import io.coppice.parts.aggregate.Aggregator;
import io.coppice.parts.aggregate.Groups;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.expression.TypedExpression;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * A row for each group of the rows of another chain: the keys, then the results of aggregate
 * functions. Groups come in the order in which they first appear; without keys there is one, also
 * of no rows. Batches are added in their order, so that float sums do not depend on threads.
 */
final class GroupRows implements Rows {
  /** An aggregate function and what it is applied to. */
  record Aggregate(
      String name, AggregateFunctions.Resolved function, List<TypedExpression> arguments) {
    Aggregate {
      arguments = List.copyOf(arguments);
    }
  }

  private final Rows from;
  private final List<TypedExpression> keys;
  private final List<Aggregate> aggregates;
  private final List<ResultColumn> columns = new ArrayList<>();
  private final BufferAllocator allocator;
  private final Groups groups;
  private final List<Aggregator> states = new ArrayList<>();
  private final List<FieldVector> results = new ArrayList<>();
  private int[] noKeys = new int[0];
  private VectorSchemaRoot batch;
  private boolean done;

  GroupRows(
      Rows from,
      List<ResultColumn> keyColumns,
      List<TypedExpression> keys,
      List<Aggregate> aggregates,
      BufferAllocator allocator) {
    this.from = from;
    this.keys = List.copyOf(keys);
    this.aggregates = List.copyOf(aggregates);
    this.allocator = allocator;
    columns.addAll(keyColumns);
    for (Aggregate aggregate : aggregates) {
      columns.add(new ResultColumn(aggregate.name(), aggregate.function().type()));
    }
    groups = new Groups(keyColumns.stream().map(ResultColumn::type).toList(), allocator);
    for (Aggregate aggregate : aggregates) {
      states.add(aggregate.function().create(allocator));
    }
  }

  @Override
  public List<ResultColumn> columns() {
    return columns;
  }

  @Override
  public boolean next() throws IOException {
    if (done) {
      return false;
    }
    done = true;
    while (from.next()) {
      add(from.batch());
    }
    int count = keys.isEmpty() ? 1 : groups.count();
    if (count == 0) {
      return false;
    }
    List<FieldVector> vectors = new ArrayList<>();
    if (!keys.isEmpty()) {
      vectors.addAll(groups.keys());
    }
    for (int i = 0; i < states.size(); i++) {
      results.add(states.get(i).finish(aggregates.get(i).name(), count, allocator));
    }
    vectors.addAll(results);
    batch = Batches.of(Batches.schema(columns), vectors, count);
    return true;
  }

  private void add(VectorSchemaRoot rows) {
    int count = rows.getRowCount();
    try (Evaluation evaluation = new Evaluation(rows, allocator)) {
      int[] of = keys.isEmpty() ? oneGroup(count) : groups.of(evaluation.of(keys), count);
      int groupCount = keys.isEmpty() ? 1 : groups.count();
      for (int i = 0; i < states.size(); i++) {
        states.get(i).add(evaluation.of(aggregates.get(i).arguments()), of, count, groupCount);
      }
    }
  }

  /** Without keys all rows are of the group 0; nobody changes the array. */
  private int[] oneGroup(int rows) {
    if (noKeys.length < rows) {
      noKeys = new int[rows];
    }
    return noKeys;
  }

  @Override
  public VectorSchemaRoot batch() {
    return batch;
  }

  @Override
  public void close() throws IOException {
    Vectors.close(results);
    results.clear();
    states.forEach(Aggregator::close);
    groups.close();
    from.close();
  }
}
