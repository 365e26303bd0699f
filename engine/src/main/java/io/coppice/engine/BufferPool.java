package io.coppice.engine;

import io.coppice.base.bytes.Memory;
import java.lang.reflect.Constructor;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.arrow.memory.AllocationManager;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.ReferenceManager;
import org.apache.arrow.memory.RootAllocator;

/**
 * Where an engine's allocator has its memory from. Buffers that are given back are kept for the
 * next that need as much: batches come and go all the time, and memory that is new to the process
 * costs more than filling it. What is kept never takes allocations and itself over the budget.
 *
 * <p>Any thread may call it.
 */
final class BufferPool implements AllocationManager.Factory, AutoCloseable {
  /** Smaller buffers are as quickly had elsewhere. */
  private static final int LEAST_SHIFT = 14;

  /** Larger ones are rare, and would crowd out the others. */
  private static final int MOST_SHIFT = 25;

  private final long budget;
  private final long most;
  private final AtomicLong held = new AtomicLong();
  private final Deque<Long>[] free;
  private volatile boolean closed;

  /**
   * @param budget bytes that allocations and kept buffers may take together
   */
  @SuppressWarnings({"unchecked", "rawtypes"}) // there are no arrays of generic types
  private BufferPool(long budget) {
    this.budget = budget;
    this.most = budget / 4;
    free = new Deque[MOST_SHIFT + 1];
    for (int shift = LEAST_SHIFT; shift <= MOST_SHIFT; shift++) {
      free[shift] = new ConcurrentLinkedDeque<>();
    }
  }

  /** An allocator of up to {@code budget} bytes over a pool, which the caller closes behind it. */
  record Pooled(BufferAllocator allocator, BufferPool pool) {}

  static Pooled allocator(long budget) {
    BufferPool pool = new BufferPool(budget);
    try {
      // Arrow's builder is public, but not the class that it is declared in.
      Object builder = RootAllocator.configBuilder();
      Class<?> type = builder.getClass();
      type.getMethod("maxAllocation", long.class).invoke(builder, budget);
      type.getMethod("allocationManagerFactory", AllocationManager.Factory.class)
          .invoke(builder, pool);
      Object config = type.getMethod("build").invoke(builder);
      for (Constructor<?> constructor : RootAllocator.class.getConstructors()) {
        Class<?>[] parameters = constructor.getParameterTypes();
        if (parameters.length == 1 && parameters[0].isInstance(config)) {
          return new Pooled((BufferAllocator) constructor.newInstance(config), pool);
        }
      }
      throw new AssertionError("Arrow's RootAllocator takes no configuration");
    } catch (ReflectiveOperationException e) {
      throw new AssertionError("Arrow's RootAllocator is made in another way now", e);
    }
  }

  @Override
  public AllocationManager create(BufferAllocator accounting, long sizeBytes) {
    long address = 0;
    int shift = shift(sizeBytes);
    if (shift > 0) {
      Long kept = free[shift].pollFirst();
      if (kept != null) {
        held.addAndGet(-sizeBytes);
        address = kept;
      }
    }
    if (address == 0) {
      if (held.get() > 0 && accounting.getRoot().getAllocatedMemory() + held.get() > budget) {
        drop();
      }
      address = Memory.allocate(sizeBytes);
    }
    return new Block(accounting, address, sizeBytes);
  }

  /** Which buffers a buffer is kept with; 0 for what is not kept. */
  private static int shift(long sizeBytes) {
    int shift = Long.numberOfTrailingZeros(sizeBytes);
    return Long.bitCount(sizeBytes) == 1 && shift >= LEAST_SHIFT && shift <= MOST_SHIFT ? shift : 0;
  }

  private void giveBack(BufferAllocator accounting, long address, long sizeBytes) {
    int shift = shift(sizeBytes);
    boolean fits =
        shift > 0
            && !closed
            && held.get() + sizeBytes <= most
            && accounting.getRoot().getAllocatedMemory() + held.get() <= budget;
    if (!fits) {
      Memory.free(address);
      return;
    }
    held.addAndGet(sizeBytes);
    free[shift].addFirst(address);
    if (closed) {
      drop();
    }
  }

  private void drop() {
    for (int shift = LEAST_SHIFT; shift <= MOST_SHIFT; shift++) {
      for (Long kept = free[shift].pollFirst(); kept != null; kept = free[shift].pollFirst()) {
        held.addAndGet(-(1L << shift));
        Memory.free(kept);
      }
    }
  }

  /** Bytes that are kept for later. */
  long heldBytes() {
    return held.get();
  }

  @Override
  public ArrowBuf empty() {
    return new ArrowBuf(ReferenceManager.NO_OP, null, 0, 0);
  }

  /** Lets go of what is kept; buffers that come back later go at once. */
  @Override
  public void close() {
    closed = true;
    drop();
  }

  private final class Block extends AllocationManager {
    private final BufferAllocator accounting;
    private final long address;
    private final long sizeBytes;

    Block(BufferAllocator accounting, long address, long sizeBytes) {
      super(accounting);
      this.accounting = accounting;
      this.address = address;
      this.sizeBytes = sizeBytes;
    }

    @Override
    public long getSize() {
      return sizeBytes;
    }

    @Override
    protected long memoryAddress() {
      return address;
    }

    @Override
    protected void release0() {
      giveBack(accounting, address, sizeBytes);
    }
  }
}
