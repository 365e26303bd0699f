package io.coppice.parts.compress;

import io.coppice.base.bytes.Memory;
import io.coppice.base.check.Check;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Growing memory outside the heap, taken from an allocator so that it is counted, limited and given
 * back. Confined to one thread. The address is valid until the next call that may grow or close it.
 */
public final class DirectBytes implements AutoCloseable {
  private static final long LIMIT_BYTES = Integer.MAX_VALUE - 1024L;

  private final BufferAllocator allocator;
  private ArrowBuf buffer;
  private long sizeBytes;

  /** Empty; memory is taken when it is first needed. The allocator must outlive it. */
  public DirectBytes(BufferAllocator allocator) {
    this.allocator = allocator;
    this.buffer = allocator.getEmpty();
  }

  /** Where byte 0 is; valid until this grows or is closed. */
  public long address() {
    return buffer.memoryAddress();
  }

  /** Bytes held. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /** Bytes that fit without growing. */
  public long capacityBytes() {
    return buffer.capacity();
  }

  /** Forgets what is held and keeps the memory. */
  public void clear() {
    sizeBytes = 0;
  }

  /**
   * Makes room for {@code moreBytes} behind what is held, keeping that.
   *
   * @return the address behind the last byte held
   * @throws EngineException CANNOT_ALLOCATE_MEMORY above 2 GiB
   */
  public long reserve(long moreBytes) {
    Check.argument(moreBytes >= 0, "reserve %d bytes", moreBytes);
    long needed = sizeBytes + moreBytes;
    if (needed > buffer.capacity()) {
      if (needed > LIMIT_BYTES) {
        throw EngineException.of(
            ErrorCode.CANNOT_ALLOCATE_MEMORY,
            "growing a buffer to %d bytes, at most %d",
            needed,
            LIMIT_BYTES);
      }
      long grown = Math.min(LIMIT_BYTES, Math.max(needed, buffer.capacity() * 2));
      ArrowBuf larger = allocator.buffer(grown);
      Memory.copy(buffer.memoryAddress(), larger.memoryAddress(), sizeBytes);
      buffer.close();
      buffer = larger;
    }
    return buffer.memoryAddress() + sizeBytes;
  }

  /** Says that {@code bytes} more, reserved before, were written behind what was held. */
  public void advance(long bytes) {
    Check.argument(0 <= bytes && sizeBytes + bytes <= buffer.capacity(), "advance by %d", bytes);
    sizeBytes += bytes;
  }

  /** Cuts what is held to its first {@code bytes} bytes. */
  public void truncate(long bytes) {
    Check.argument(0 <= bytes && bytes <= sizeBytes, "truncate %d to %d", sizeBytes, bytes);
    sizeBytes = bytes;
  }

  /** Appends a copy of {@code bytes} bytes at {@code from}. */
  public void append(long from, long bytes) {
    Memory.copy(from, reserve(bytes), bytes);
    sizeBytes += bytes;
  }

  /** Appends a copy of a part of an array. */
  public void append(byte[] from, int offset, int bytes) {
    java.util.Objects.checkFromIndexSize(offset, bytes, from.length);
    Memory.copy(from, offset, reserve(bytes), bytes);
    sizeBytes += bytes;
  }

  /** A view of what is held, for writing it to a file; valid as long as {@link #address()} is. */
  public ByteBuffer view() {
    return buffer.nioBuffer(0, (int) sizeBytes);
  }

  /** A view of the whole memory, for reading a file into it; valid as long as the address is. */
  public ByteBuffer viewOfCapacity() {
    return buffer.nioBuffer(0, (int) Math.min(buffer.capacity(), LIMIT_BYTES));
  }

  /** A copy of what is held; the caller owns it. */
  public byte[] toByteArray() {
    byte[] copy = new byte[(int) sizeBytes];
    Memory.copy(buffer.memoryAddress(), copy, 0, copy.length);
    return copy;
  }

  /** Gives the memory back. Closing twice is harmless. */
  @Override
  public void close() {
    buffer.close();
    buffer = allocator.getEmpty();
    sizeBytes = 0;
  }
}
