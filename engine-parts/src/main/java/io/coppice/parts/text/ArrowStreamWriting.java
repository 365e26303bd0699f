package io.coppice.parts.text;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Schema;

/** Arrow's IPC stream: the schema, a record batch per batch, the end mark. */
final class ArrowStreamWriting implements BatchWriter {
  private final OutputStream out;
  private final WriteChannel channel;

  ArrowStreamWriting(OutputStream out, Schema schema) throws IOException {
    this.out = out;
    this.channel = new WriteChannel(Channels.newChannel(out));
    MessageSerializer.serialize(channel, schema);
  }

  @Override
  public void write(VectorSchemaRoot batch) throws IOException {
    if (batch.getRowCount() == 0) {
      return;
    }
    try (ArrowRecordBatch record = new VectorUnloader(batch).getRecordBatch()) {
      MessageSerializer.serialize(channel, record);
    }
  }

  @Override
  public void close() throws IOException {
    ArrowStreamWriter.writeEndOfStream(channel, IpcOption.DEFAULT);
    out.flush();
  }
}
