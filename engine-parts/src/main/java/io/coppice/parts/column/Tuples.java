package io.coppice.parts.column;

import io.coppice.parts.stream.Sink;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.FieldVector;

/**
 * Tuples: each element as a column of its own. A tuple without elements has one stream with a byte
 * '0' per row.
 */
final class Tuples extends Encoding {
  /* Room made before the elements are read; a wrong count of rows meets the end of data first. */
  private static final int FIRST_ROWS = 1 << 20;

  private final List<Encoding> elements;
  private final Optional<Substream> empty;

  /**
   * @param empty the stream of a tuple without elements; absent if there are elements
   */
  Tuples(List<Encoding> elements, Optional<Substream> empty) {
    this.elements = List.copyOf(elements);
    this.empty = empty;
  }

  @Override
  void prefixStreams(List<Substream> to) {
    elements.forEach(e -> e.prefixStreams(to));
  }

  @Override
  void indexBytes(List<Integer> to) {
    elements.forEach(e -> e.indexBytes(to));
  }

  @Override
  void dataStreams(List<Substream> to) {
    empty.ifPresent(to::add);
    elements.forEach(e -> e.dataStreams(to));
  }

  @Override
  public void writePrefix(Sinks sinks) throws IOException {
    for (Encoding element : elements) {
      element.writePrefix(sinks);
    }
  }

  @Override
  public void write(FieldVector vector, int from, int to, Sinks sinks) throws IOException {
    if (empty.isPresent()) {
      Sink sink = sinks.at(empty.get());
      for (int row = from; row < to; row++) {
        sink.putByte('0');
      }
    }
    List<FieldVector> children = vector.getChildrenFromFields();
    for (int i = 0; i < elements.size(); i++) {
      elements.get(i).write(children.get(i), from, to, sinks);
    }
  }

  @Override
  public void writeSuffix(Sinks sinks) throws IOException {
    for (Encoding element : elements) {
      element.writeSuffix(sinks);
    }
  }

  @Override
  public void readPrefix(Sources sources) throws IOException {
    for (Encoding element : elements) {
      element.readPrefix(sources);
    }
  }

  @Override
  public void read(Sources sources, int rows, FieldVector vector, int at) throws IOException {
    if (empty.isPresent()) {
      sources.at(empty.get()).skip(rows);
    }
    if (elements.isEmpty()) {
      Vectors.reserve(vector, at + rows);
      return;
    }
    Vectors.reserveOwn(vector, at + Math.min(rows, FIRST_ROWS));
    List<FieldVector> children = vector.getChildrenFromFields();
    for (int i = 0; i < elements.size(); i++) {
      elements.get(i).read(sources, rows, children.get(i), at);
    }
  }

  @Override
  public void skip(Sources sources, int rows) throws IOException {
    if (empty.isPresent()) {
      sources.at(empty.get()).skip(rows);
    }
    for (Encoding element : elements) {
      element.skip(sources, rows);
    }
  }

  @Override
  public void sought() {
    elements.forEach(Encoding::sought);
  }

  @Override
  public void close() {
    elements.forEach(Encoding::close);
  }
}
