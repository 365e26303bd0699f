package io.coppice.parts.text;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.parts.compress.ArrowCompression;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.MessageChannelReader;
import org.apache.arrow.vector.ipc.message.MessageResult;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.util.TransferPair;
import org.apache.arrow.vector.util.ValueVectorUtility;

/**
 * Record batches of an Arrow stream, those columns that the table has, dictionaries resolved. What
 * offsets and sizes in a batch say is checked before anybody follows them.
 */
final class ArrowStreamInput implements BatchReader {
  private final String name;
  private final TableDefinition table;
  private final Options options;
  private final BufferAllocator allocator;
  private final ArrowInput input;
  private final Messages messages;
  private final ArrowStreamReader reader;
  private boolean closed;

  ArrowStreamInput(
      InputStream in,
      String name,
      TableDefinition table,
      Options options,
      BufferAllocator allocator) {
    this.name = name;
    this.table = table;
    this.options = options;
    this.allocator = allocator;
    this.input = new ArrowInput(in);
    this.messages =
        new Messages(new ReadChannel(Channels.newChannel(new ArrowFrames(input))), allocator);
    this.reader = new ArrowStreamReader(messages, allocator, ArrowCompression.INSTANCE);
  }

  /** Remembers the body of the last message, which Arrow's reader loses hold of when it fails. */
  private static final class Messages extends MessageChannelReader {
    private Optional<ArrowBuf> body = Optional.empty();

    Messages(ReadChannel channel, BufferAllocator allocator) {
      super(channel, allocator);
    }

    @Override
    public MessageResult readNext() throws IOException {
      MessageResult result = super.readNext();
      body = result == null ? Optional.empty() : Optional.ofNullable(result.getBodyBuffer());
      return result;
    }

    void release() {
      while (body.isPresent() && body.get().refCnt() > 0) {
        body.get().getReferenceManager().release();
      }
      body = Optional.empty();
    }
  }

  @Override
  public Optional<VectorSchemaRoot> next() throws IOException {
    boolean done = false;
    try {
      Optional<VectorSchemaRoot> batch = load();
      done = true;
      return batch;
    } catch (EngineException e) {
      throw e.getMessage().startsWith("not an Arrow stream") ? e.within(name) : e;
    } catch (IOException e) {
      throw new EngineException(
          ErrorCode.CANNOT_READ_ALL_DATA,
          name + ": the Arrow stream breaks off: " + e.getMessage(),
          e);
    } catch (RuntimeException e) {
      // Arrow's reader throws anything for bytes that are no Arrow stream.
      throw new EngineException(
          ErrorCode.INCORRECT_DATA, name + ": not an Arrow stream: " + e.getMessage(), e);
    } finally {
      if (!done) {
        close();
        messages.release();
      }
    }
  }

  private Optional<VectorSchemaRoot> load() throws IOException {
    while (!closed && reader.loadNextBatch()) {
      VectorSchemaRoot loaded = reader.getVectorSchemaRoot();
      if (loaded.getRowCount() > 0) {
        loaded.getFieldVectors().forEach(ArrowStreamInput::validate);
        for (Dictionary dictionary : reader.getDictionaryVectors().values()) {
          validate(dictionary.getVector());
        }
        return Optional.of(taken(loaded));
      }
    }
    input.checkEnd(name);
    return Optional.empty();
  }

  /**
   * Refuses a vector whose buffers are too small or whose offsets lead out of them. Arrow's own
   * validation would also refuse maps, and decimals that ClickHouse holds.
   */
  private static void validate(FieldVector vector) {
    int rows = vector.getValueCount();
    if (vector instanceof BaseFixedWidthVector fixed) {
      holds(vector, vector.getValidityBuffer(), (rows + 7L) / 8);
      boolean bits = vector instanceof BitVector;
      holds(
          vector,
          vector.getDataBuffer(),
          bits ? (rows + 7L) / 8 : (long) rows * fixed.getTypeWidth());
    } else if (vector instanceof BaseVariableWidthVector strings) {
      holds(vector, vector.getValidityBuffer(), (rows + 7L) / 8);
      offsets(strings, strings.getDataBuffer().capacity());
    } else if (vector instanceof ListVector list) {
      holds(vector, vector.getValidityBuffer(), (rows + 7L) / 8);
      offsets(list, list.getDataVector().getValueCount());
      validate(list.getDataVector());
    } else if (vector instanceof StructVector struct) {
      holds(vector, vector.getValidityBuffer(), (rows + 7L) / 8);
      for (FieldVector child : struct.getChildrenFromFields()) {
        if (child.getValueCount() < rows) {
          throw new IllegalArgumentException(
              String.format(
                  "column %s: %d values of %s, expected %d",
                  vector.getName(), child.getValueCount(), child.getName(), rows));
        }
        validate(child);
      }
    } else {
      ValueVectorUtility.validateFull(vector);
    }
  }

  private static void holds(FieldVector vector, ArrowBuf buffer, long bytes) {
    if (buffer.capacity() < bytes) {
      throw new IllegalArgumentException(
          String.format(
              "column %s: a buffer of %d bytes, expected %d",
              vector.getName(), buffer.capacity(), bytes));
    }
  }

  private static void offsets(FieldVector vector, long limit) {
    int rows = vector.getValueCount();
    holds(vector, vector.getOffsetBuffer(), rows == 0 ? 0 : 4L * (rows + 1L));
    int before = 0;
    for (int i = 0; rows > 0 && i <= rows; i++) {
      int offset = vector.getOffsetBuffer().getInt(4L * i);
      if (offset < before || offset > limit) {
        throw new IllegalArgumentException(
            String.format(
                "column %s: offset %d is %d, expected %d to %d",
                vector.getName(), i, offset, before, limit));
      }
      before = offset;
    }
  }

  private VectorSchemaRoot taken(VectorSchemaRoot loaded) throws IOException {
    List<FieldVector> vectors = new ArrayList<>();
    boolean done = false;
    try {
      for (FieldVector vector : loaded.getFieldVectors()) {
        if (InputColumn.named(table, vector.getName(), options).isEmpty()) {
          continue;
        }
        DictionaryEncoding encoding = vector.getField().getDictionary();
        if (encoding == null) {
          // Made of the field: a transfer pair by itself loses the metadata of some types.
          FieldVector moved = vector.getField().createVector(allocator);
          vectors.add(moved);
          vector.makeTransferPair(moved).transfer();
        } else {
          Dictionary dictionary = reader.lookup(encoding.getId());
          FieldVector decoded =
              (FieldVector) DictionaryEncoder.decode(vector, dictionary, allocator);
          TransferPair pair = decoded.getTransferPair(vector.getName(), allocator);
          pair.transfer();
          decoded.close();
          vectors.add((FieldVector) pair.getTo());
        }
      }
      done = true;
      return new VectorSchemaRoot(
          vectors.stream().map(FieldVector::getField).toList(), vectors, loaded.getRowCount());
    } finally {
      if (!done) {
        vectors.forEach(FieldVector::close);
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      reader.close(false);
    }
  }
}
