package io.coppice.parts.stream;

import io.coppice.base.bytes.Memory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/** The bytes of a channel, for formats that are read from start to end. Borrows the channel. */
public final class ChannelSource extends Source {
  private static final int BUFFER_BYTES = 1 << 20;

  private final ReadableByteChannel channel;
  private final String name;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final long address = Memory.address(buffer);
  private long passed;

  /**
   * @param name what the channel reads, for messages
   */
  public ChannelSource(ReadableByteChannel channel, String name) {
    this.channel = channel;
    this.name = name;
    this.position = address;
    this.limit = address;
  }

  @Override
  protected boolean refill() throws IOException {
    passed += limit - address;
    buffer.clear();
    int n;
    do {
      n = channel.read(buffer);
    } while (n == 0);
    position = address;
    limit = address + Math.max(n, 0);
    return n > 0;
  }

  @Override
  public String place() {
    return name + " at " + (passed + position - address);
  }
}
