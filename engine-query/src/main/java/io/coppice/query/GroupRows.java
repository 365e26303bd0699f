package io.coppice.query;

import io.coppice.parts.aggregate.AggregateFunctions;
import io.coppice.parts.expression.TypedExpression;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * A row for each group of rows: the keys, then the results of aggregate functions. Groups come in
 * the order in which they first appear; without keys there is one, also of no rows. States of parts
 * of the rows are put together in the order of the rows, so that float sums do not depend on
 * threads.
 */
final class GroupRows implements Rows {
  /** An aggregate function and what it is applied to. */
  record Aggregate(
      String name, AggregateFunctions.Resolved function, List<TypedExpression> arguments) {
    Aggregate {
      arguments = List.copyOf(arguments);
    }
  }

  /** States of the groups of all rows; the caller closes them. */
  interface States extends AutoCloseable {
    /** The states of the rows, called once. */
    GroupStates take() throws IOException;

    @Override
    void close() throws IOException;
  }

  private final States from;
  private final List<ResultColumn> columns = new ArrayList<>();
  private Optional<GroupStates> states = Optional.empty();
  private VectorSchemaRoot batch;
  private boolean done;

  GroupRows(States from, List<ResultColumn> keyColumns, List<Aggregate> aggregates) {
    this.from = from;
    columns.addAll(keyColumns);
    for (Aggregate aggregate : aggregates) {
      columns.add(new ResultColumn(aggregate.name(), aggregate.function().type()));
    }
  }

  /** The states of the rows of a chain, which is taken over. */
  static States ofRows(
      Rows rows,
      List<TypedExpression> keys,
      List<Aggregate> aggregates,
      BufferAllocator allocator) {
    return new States() {
      @Override
      public GroupStates take() throws IOException {
        GroupStates states = new GroupStates(keys, aggregates, allocator);
        boolean done = false;
        try {
          while (rows.next()) {
            states.add(rows.batch());
          }
          done = true;
          return states;
        } finally {
          if (!done) {
            states.close();
          }
        }
      }

      @Override
      public void close() throws IOException {
        rows.close();
      }
    };
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
    GroupStates all = from.take();
    states = Optional.of(all);
    if (all.count() == 0) {
      return false;
    }
    List<FieldVector> vectors = all.finish();
    batch = Batches.of(Batches.schema(columns), vectors, all.count());
    return true;
  }

  @Override
  public VectorSchemaRoot batch() {
    return batch;
  }

  @Override
  public void close() throws IOException {
    states.ifPresent(GroupStates::close);
    states = Optional.empty();
    from.close();
  }
}
