package io.coppice.parts.write;

import io.coppice.parts.compress.Compressor;
import io.coppice.parts.compress.DirectBytes;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Native contexts and memory for frames, of one thread at a time. The owner closes it.
 *
 * @param frame where frames are made
 */
record PartTools(Compressor compressor, DirectBytes frame) implements AutoCloseable {
  static PartTools of(BufferAllocator allocator) {
    return new PartTools(new Compressor(allocator), new DirectBytes(allocator));
  }

  @Override
  public void close() {
    frame.close();
    compressor.close();
  }

  /** Tools kept from one part to the next. Any thread may use it; the owner closes it. */
  static final class Pool implements AutoCloseable {
    private final BufferAllocator allocator;
    private final Deque<PartTools> free = new ConcurrentLinkedDeque<>();

    /** Memory for frames is taken from {@code allocator}, which must outlive this. */
    Pool(BufferAllocator allocator) {
      this.allocator = allocator;
    }

    PartTools take() {
      PartTools tools = free.pollFirst();
      return tools != null ? tools : of(allocator);
    }

    void give(PartTools tools) {
      free.addFirst(tools);
    }

    @Override
    public void close() {
      free.forEach(PartTools::close);
      free.clear();
    }
  }
}
