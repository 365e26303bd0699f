package io.coppice.parts.text;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;

/** Arrow's IPC file: magic, the stream, and a footer that says where the batches are. */
final class ArrowFileWriting implements BatchWriter {
  private final OutputStream out;
  private final VectorSchemaRoot root;
  private final ArrowFileWriter writer;

  ArrowFileWriting(OutputStream out, Schema schema, BufferAllocator allocator) throws IOException {
    this.out = out;
    this.root = VectorSchemaRoot.create(schema, allocator);
    this.writer = new ArrowFileWriter(root, null, Channels.newChannel(out));
    writer.start();
  }

  @Override
  public void write(VectorSchemaRoot batch) throws IOException {
    if (batch.getRowCount() == 0) {
      return;
    }
    try (ArrowRecordBatch record = new VectorUnloader(batch).getRecordBatch()) {
      new VectorLoader(root).load(record);
    }
    writer.writeBatch();
    root.clear();
  }

  @Override
  public void close() throws IOException {
    writer.end();
    root.close();
    out.flush();
  }
}
