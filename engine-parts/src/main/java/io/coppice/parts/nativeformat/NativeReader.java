package io.coppice.parts.nativeformat;

import io.coppice.base.error.EngineException;
import io.coppice.language.parse.Parser;
import io.coppice.language.type.DataType;
import io.coppice.parts.column.Encoding;
import io.coppice.parts.column.Encoding.Mode;
import io.coppice.parts.column.Encodings;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.stream.ArrowFlags;
import io.coppice.parts.stream.ChannelSource;
import io.coppice.parts.table.ArrowMapping;
import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Reads ClickHouse's Native format (see {@link NativeWriter}) block by block.
 *
 * <p>Confined to one thread. Borrows the channel.
 */
public final class NativeReader implements AutoCloseable {
  private static final int MOST_COLUMNS = 1_000_000;
  private static final int MOST_TEXT_BYTES = 1 << 24;

  private final ChannelSource source;
  private final BufferAllocator allocator;

  /**
   * @param name what the channel reads, for messages
   */
  public NativeReader(ReadableByteChannel channel, String name, BufferAllocator allocator) {
    ArrowFlags.require();
    this.source = new ChannelSource(channel, name);
    this.allocator = allocator;
  }

  /** The next block, which the caller owns; empty at the end of the channel. */
  public Optional<VectorSchemaRoot> next() throws IOException {
    if (source.atEnd()) {
      return Optional.empty();
    }
    int columns = source.readCount(MOST_COLUMNS, "columns of a block");
    int rows = source.readCount(Integer.MAX_VALUE - 8, "rows of a block");
    List<FieldVector> vectors = new ArrayList<>();
    try {
      for (int i = 0; i < columns; i++) {
        vectors.add(column(rows));
      }
      return Optional.of(new VectorSchemaRoot(vectors));
    } catch (Throwable e) {
      Vectors.close(vectors);
      throw e;
    }
  }

  private FieldVector column(int rows) throws IOException {
    String name = string();
    String typeText = string();
    DataType type = Parser.type(typeText);
    if (!ArrowMapping.readable(type)) {
      throw ArrowMapping.unreadable(name, type);
    }
    FieldVector vector = ArrowMapping.field(name, type).createVector(allocator);
    try (Encoding encoding =
        Encodings.of(name, type, Encodings.Options.of(Mode.NATIVE, false), allocator)) {
      if (rows > 0) {
        encoding.readPrefix(s -> source);
        encoding.read(s -> source, rows, vector, 0);
      }
      Vectors.finish(vector, rows);
      return vector;
    } catch (EngineException e) {
      vector.close();
      throw e.within("column " + name + " " + typeText);
    } catch (Throwable e) {
      vector.close();
      throw e;
    }
  }

  private String string() throws IOException {
    int size = source.readCount(MOST_TEXT_BYTES, "bytes of a name or type");
    byte[] bytes = new byte[size];
    source.read(bytes, 0, size);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {}
}
