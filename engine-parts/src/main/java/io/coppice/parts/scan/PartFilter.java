package io.coppice.parts.scan;

import io.coppice.base.error.EngineException;
import io.coppice.parts.expression.Selector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Leaves out parts by conditions on what has one value in all of a part, as {@code _part = …}.
 * Confined to one thread.
 */
final class PartFilter {
  private final Optional<RowFilter> filter;
  private final List<Selector> selectors = new ArrayList<>();
  private final VirtualColumns virtual;
  private final BufferAllocator allocator;

  PartFilter(
      Optional<RowFilter> filter, Optional<VirtualColumns> virtual, BufferAllocator allocator) {
    this.filter = filter;
    this.virtual = virtual.orElse(null);
    this.allocator = allocator;
    if (filter.isPresent() && virtual.isPresent()) {
      filter.get().selectors().stream()
          .filter(s -> !s.columns().isEmpty() && s.repeatable())
          .filter(s -> s.columns().stream().allMatch(this.virtual::ofPart))
          .forEach(selectors::add);
    }
  }

  /** Whether rows of a part may fulfil the condition. */
  boolean mayHold(VirtualColumns.Place place) throws IOException {
    for (Selector selector : selectors) {
      boolean stored = selector.columns().stream().anyMatch(place.part()::holds);
      if (!stored && !holds(selector, place)) {
        return false;
      }
    }
    return true;
  }

  private boolean holds(Selector selector, VirtualColumns.Place place) throws IOException {
    List<FieldVector> vectors = new ArrayList<>();
    try {
      for (String column : selector.columns()) {
        vectors.add(virtual.value(column, place, allocator));
      }
      VectorSchemaRoot one =
          new VectorSchemaRoot(vectors.stream().map(FieldVector::getField).toList(), vectors, 1);
      return filter.orElseThrow().select(selector, one, new int[1], 1, allocator) > 0;
    } catch (EngineException e) {
      // What is wrong is said when rows are asked.
      return true;
    } finally {
      vectors.forEach(FieldVector::close);
    }
  }
}
