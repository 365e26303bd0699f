package io.coppice.parts.aggregate;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import org.apache.arrow.memory.AllocationReservation;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Memory that is taken elsewhere, on the heap, and counts against an allocator's limit all the
 * same. It only grows until it is closed. Confined to one thread.
 */
public final class Reserved implements AutoCloseable {
  private final AllocationReservation reservation;
  private final String what;
  private boolean closed;

  /** Nothing so far; {@code what} takes the memory, for messages. */
  public Reserved(BufferAllocator allocator, String what) {
    this.reservation = allocator.newReservation();
    this.what = what;
  }

  /**
   * Counts {@code sizeBytes} in all from now on, about: sizes are rounded up.
   *
   * @throws EngineException MEMORY_LIMIT_EXCEEDED when the limit does not allow it
   */
  public void growTo(long sizeBytes) {
    long more = sizeBytes - reservation.getSizeLong();
    if (more > 0 && !reservation.add(more)) {
      throw EngineException.of(
          ErrorCode.MEMORY_LIMIT_EXCEEDED,
          "%s: %d bytes are needed, which the memory budget does not allow; ask for fewer groups or"
              + " rows, or give the engine a larger budget",
          what,
          sizeBytes);
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      reservation.close();
    }
  }
}
