package io.coppice.parts.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** Bytes to a channel, for formats that are written from start to end. Borrows the channel. */
public final class ChannelSink extends Sink {
  private final WritableByteChannel channel;

  public ChannelSink(WritableByteChannel channel) {
    super(1 << 20);
    this.channel = channel;
  }

  @Override
  protected void drain(ByteBuffer bytes, long address, int size) throws IOException {
    ByteBuffer ready = bytes.duplicate().position(0).limit(size);
    while (ready.hasRemaining()) {
      channel.write(ready);
    }
  }

  @Override
  public void close() throws IOException {
    flush();
  }
}
