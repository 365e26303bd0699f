package io.coppice.parts.column;

import io.coppice.language.type.DataType;
import io.coppice.parts.stream.Sink;
import io.coppice.parts.stream.Source;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.FieldVector;

/**
 * How the values of one column lie in its streams. A tree: containers hold the encodings of what
 * they contain. Made by {@link Encodings}.
 *
 * <p>Writing: {@link #writePrefix} once, {@link #write} per granule, {@link #writeSuffix} once.
 * Reading: {@link #readPrefix} once per position that was sought, then {@link #read} as often as
 * liked; a vector given to read is filled by address (see {@link Vectors}).
 *
 * <p>Has state (dictionaries): belongs to one reader or writer and one thread.
 */
public abstract class Encoding implements AutoCloseable {
  /** Where the streams of a column live, which decides a few of their details. */
  public enum Mode {
    /** A file per stream. */
    WIDE,
    /** All streams in data.bin, granule after granule, each granule complete in itself. */
    COMPACT,
    /** The Native format: one stream, arrays by cumulative offsets. */
    NATIVE
  }

  /**
   * One stream of a column.
   *
   * @param name file name without extension, escaped, not hashed
   * @param service whether it holds sizes, NULL flags or the like: then only the general-purpose
   *     codec of the column's chain applies
   * @param sharedSizes whether it holds the sizes of a Nested, which its columns share
   * @param type type of the values in it
   */
  public record Substream(String name, boolean service, boolean sharedSizes, DataType type) {}

  /** Finds the sink of a stream. */
  @FunctionalInterface
  public interface Sinks {
    Sink at(Substream stream) throws IOException;
  }

  /** Finds the source of a stream. */
  @FunctionalInterface
  public interface Sources {
    Source at(Substream stream) throws IOException;
  }

  /** Adds the streams that the prefix touches, in order. */
  void prefixStreams(List<Substream> to) {}

  /** Adds the streams that data touches, in order. */
  abstract void dataStreams(List<Substream> to);

  /** All streams in the order in which a column written from its start touches them. */
  public final List<Substream> streams() {
    List<Substream> all = new ArrayList<>();
    prefixStreams(all);
    dataStreams(all);
    Map<String, Substream> distinct = new LinkedHashMap<>();
    for (Substream stream : all) {
      distinct.putIfAbsent(stream.name(), stream);
    }
    return List.copyOf(distinct.values());
  }

  /** Writes what comes once before the data. */
  public void writePrefix(Sinks sinks) throws IOException {}

  /**
   * Touches the streams of data in their order and writes nothing: what becomes of the elements of
   * arrays that are all empty. In Compact parts a stream's place is told all the same.
   */
  void visit(Sinks sinks) throws IOException {
    List<Substream> streams = new ArrayList<>();
    dataStreams(streams);
    for (Substream stream : streams) {
      sinks.at(stream);
    }
  }

  /** Writes rows [from, to) of {@code vector}, which is borrowed. */
  public abstract void write(FieldVector vector, int from, int to, Sinks sinks) throws IOException;

  /** Writes what comes once behind the data. */
  public void writeSuffix(Sinks sinks) throws IOException {}

  /** Reads what comes once before the data. */
  public void readPrefix(Sources sources) throws IOException {}

  /** Reads {@code rows} rows into rows [at, at + rows) of {@code vector}, which is being filled. */
  public abstract void read(Sources sources, int rows, FieldVector vector, int at)
      throws IOException;

  /** Adds what {@link SharedDictionaries} says of the rows that were read last. */
  void indexBytes(List<Integer> to) {}

  /** Whether {@link #readCodes} is served. */
  public boolean coded() {
    return false;
  }

  /** Reads {@code rows} rows as places in dictionaries. */
  public void readCodes(Sources sources, int rows, Codes to) throws IOException {
    throw new UnsupportedOperationException("no dictionary");
  }

  /** Passes over {@code rows} rows. */
  public abstract void skip(Sources sources, int rows) throws IOException;

  /** Forgets what was read ahead: the sources have been sought to the start of a granule. */
  public void sought() {}

  @Override
  public void close() {}
}
