package io.coppice.parts.text;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.parts.compress.ArrowCompression;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.util.TransferPair;

/** Record batches of an Arrow stream, those columns that the table has, dictionaries resolved. */
final class ArrowStreamInput implements BatchReader {
  private final String name;
  private final TableDefinition table;
  private final Options options;
  private final BufferAllocator allocator;
  private final ArrowStreamReader reader;

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
    this.reader = new ArrowStreamReader(in, allocator, ArrowCompression.INSTANCE);
  }

  @Override
  public Optional<VectorSchemaRoot> next() throws IOException {
    try {
      while (reader.loadNextBatch()) {
        VectorSchemaRoot loaded = reader.getVectorSchemaRoot();
        if (loaded.getRowCount() > 0) {
          return Optional.of(taken(loaded));
        }
      }
      return Optional.empty();
    } catch (IllegalArgumentException | IllegalStateException | IndexOutOfBoundsException e) {
      // What Arrow throws for bytes that are no Arrow stream.
      throw new EngineException(
          ErrorCode.INCORRECT_DATA, name + ": not an Arrow stream: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new EngineException(
          ErrorCode.CANNOT_READ_ALL_DATA,
          name + ": the Arrow stream breaks off: " + e.getMessage(),
          e);
    }
  }

  private VectorSchemaRoot taken(VectorSchemaRoot loaded) throws IOException {
    List<FieldVector> vectors = new ArrayList<>();
    boolean done = false;
    try {
      for (FieldVector vector : loaded.getFieldVectors()) {
        if (InputColumn.named(table, vector.getName(), options.skipUnknown()).isEmpty()) {
          continue;
        }
        DictionaryEncoding encoding = vector.getField().getDictionary();
        if (encoding == null) {
          TransferPair pair = vector.getTransferPair(allocator);
          pair.transfer();
          vectors.add((FieldVector) pair.getTo());
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
    reader.close(false);
  }
}
