package io.coppice.parts.text;

import io.coppice.parts.nativeformat.NativeWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** The Native format to a stream. */
final class NativeBatches implements BatchWriter {
  private final OutputStream out;
  private final NativeWriter writer;

  NativeBatches(OutputStream out, BufferAllocator allocator) {
    this.out = out;
    this.writer = new NativeWriter(Channels.newChannel(out), allocator);
  }

  @Override
  public void write(VectorSchemaRoot batch) throws IOException {
    writer.write(batch);
  }

  @Override
  public void close() throws IOException {
    writer.close();
    out.flush();
  }
}
