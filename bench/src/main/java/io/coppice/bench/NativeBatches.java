package io.coppice.bench;

import io.coppice.parts.nativeformat.NativeReader;
import java.io.IOException;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;

/** Blocks of a Native file as an Arrow reader. Confined to one thread. */
final class NativeBatches extends ArrowReader {
  private final NativeReader reader;
  private Optional<VectorSchemaRoot> first;

  NativeBatches(NativeReader reader, BufferAllocator allocator) throws IOException {
    super(allocator);
    this.reader = reader;
    this.first = reader.next();
  }

  @Override
  protected Schema readSchema() {
    return first.orElseThrow().getSchema();
  }

  @Override
  public boolean loadNextBatch() throws IOException {
    prepareLoadNextBatch();
    Optional<VectorSchemaRoot> block = first.isPresent() ? first : reader.next();
    first = Optional.empty();
    if (block.isEmpty()) {
      return false;
    }
    try (VectorSchemaRoot batch = block.get();
        ArrowRecordBatch record = new VectorUnloader(batch).getRecordBatch()) {
      new VectorLoader(getVectorSchemaRoot()).load(record);
    }
    return true;
  }

  @Override
  public long bytesRead() {
    return 0;
  }

  @Override
  protected void closeReadSource() {
    first.ifPresent(VectorSchemaRoot::close);
    first = Optional.empty();
  }
}
