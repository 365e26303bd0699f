package io.coppice.query;

import io.coppice.parts.aggregate.Aggregator;
import io.coppice.parts.aggregate.Groups;
import io.coppice.parts.aggregate.Reserved;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.expression.TypedExpression;
import io.coppice.parts.scan.BatchSink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The groups of some rows and the states of aggregate functions over them. Those of later rows can
 * be added as they are. Confined to one thread at a time.
 */
final class GroupStates implements BatchSink {
  private final List<TypedExpression> keys;
  private final List<GroupRows.Aggregate> aggregates;
  private final BufferAllocator allocator;
  private final Groups groups;
  private final Reserved reserved;
  private final List<Aggregator> states = new ArrayList<>();
  private final List<FieldVector> results = new ArrayList<>();
  private int[] noKeys = new int[0];

  /** States of no rows; memory is taken of an allocator that any thread may use. */
  GroupStates(
      List<TypedExpression> keys, List<GroupRows.Aggregate> aggregates, BufferAllocator allocator) {
    this.keys = keys;
    this.aggregates = aggregates;
    this.allocator = allocator;
    this.reserved = new Reserved(allocator, "GROUP BY");
    this.groups = new Groups(keys.stream().map(TypedExpression::type).toList(), allocator);
    for (GroupRows.Aggregate aggregate : aggregates) {
      states.add(aggregate.function().create(allocator));
    }
  }

  @Override
  public void add(VectorSchemaRoot rows) {
    int count = rows.getRowCount();
    try (Evaluation evaluation = new Evaluation(rows, allocator)) {
      int[] of = keys.isEmpty() ? oneGroup(count) : groups.of(evaluation.of(keys), count);
      for (int i = 0; i < states.size(); i++) {
        states.get(i).add(evaluation.of(aggregates.get(i).arguments()), of, count, count());
      }
    }
    reserve();
  }

  /** Adds the groups of rows that come behind; {@code later} stays as it is. */
  void add(GroupStates later) {
    int[] of = keys.isEmpty() ? oneGroup(1) : groups.of(later.groups.keys(), later.groups.count());
    // What is merged needs an entry for each group, and no more.
    int[] mapping = Arrays.copyOf(of, later.count());
    for (int i = 0; i < states.size(); i++) {
      states.get(i).merge(later.states.get(i), mapping, count());
    }
    reserve();
  }

  /** Forgets all groups and keeps the memory; false when it can't, and this is of no use then. */
  boolean clear() {
    groups.clear();
    return states.stream().allMatch(Aggregator::clear);
  }

  /** Whether the results depend on the order in which rows are added or states merged. */
  boolean ordered() {
    return !keys.isEmpty() || states.stream().anyMatch(Aggregator::ordered);
  }

  private void reserve() {
    long bytes = keys.isEmpty() ? 0 : groups.heapBytes();
    for (Aggregator state : states) {
      bytes += state.heapBytes();
    }
    reserved.growTo(bytes);
  }

  /** How many groups there are; without keys there is one, also of no rows. */
  int count() {
    return keys.isEmpty() ? 1 : groups.count();
  }

  /** Without keys all rows are of the group 0; nobody changes the array. */
  private int[] oneGroup(int rows) {
    if (noKeys.length < rows) {
      noKeys = new int[rows];
    }
    return noKeys;
  }

  /** The keys and the results, a row a group; owned here. */
  List<FieldVector> finish() {
    List<FieldVector> vectors = new ArrayList<>();
    if (!keys.isEmpty()) {
      vectors.addAll(groups.keys());
    }
    for (int i = 0; i < states.size(); i++) {
      results.add(states.get(i).finish(aggregates.get(i).name(), count(), allocator));
    }
    vectors.addAll(results);
    return vectors;
  }

  @Override
  public void close() {
    Vectors.close(results);
    results.clear();
    states.forEach(Aggregator::close);
    groups.close();
    reserved.close();
  }
}
