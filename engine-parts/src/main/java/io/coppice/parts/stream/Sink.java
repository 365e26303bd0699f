package io.coppice.parts.stream;

import io.coppice.base.bytes.Memory;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Where encoded bytes go: a direct buffer that grows up to a limit and is then given to {@link
 * #drain}. A value may be cut at any byte, as ClickHouse cuts it when its buffer is full.
 *
 * <p>Confined to one thread.
 */
public abstract class Sink implements AutoCloseable {
  private static final int FIRST_CAPACITY = 4096;

  private final int mostBytes;
  private int limitBytes;
  private ByteBuffer buffer;
  private long address;
  private int position;
  private int capacity;

  /**
   * @param limitBytes bytes gathered before they are drained
   */
  protected Sink(int limitBytes) {
    this(limitBytes, limitBytes);
  }

  /**
   * @param mostBytes bytes gathered before they are drained
   * @param firstBytes the same for the first time; doubled each time that the buffer was full
   */
  protected Sink(int mostBytes, int firstBytes) {
    this.mostBytes = mostBytes;
    this.limitBytes = Math.min(firstBytes, mostBytes);
    this.buffer = allocate(Math.min(FIRST_CAPACITY, limitBytes));
  }

  private ByteBuffer allocate(int bytes) {
    ByteBuffer fresh = DirectMemory.allocate(bytes, "a stream being written");
    address = Memory.address(fresh);
    capacity = bytes;
    return fresh;
  }

  /** Takes {@code size} bytes from the start of {@code bytes}, which lie at {@code address}. */
  protected abstract void drain(ByteBuffer bytes, long address, int size) throws IOException;

  /** Bytes gathered and not drained yet. */
  public final int pending() {
    return position;
  }

  /** Whether the next byte is the first behind a drain. */
  public final boolean full() {
    return position == limitBytes;
  }

  /** Drains what has been gathered, if anything. */
  public final void flush() throws IOException {
    if (position > 0) {
      int size = position;
      position = 0;
      drain(buffer, address, size);
    }
  }

  private void makeRoom() throws IOException {
    if (capacity < limitBytes) {
      ByteBuffer old = buffer;
      long from = address;
      buffer = allocate((int) Math.min(limitBytes, capacity * 4L));
      Memory.copy(from, address, position);
      java.lang.ref.Reference.reachabilityFence(old);
    } else {
      flush();
      limitBytes = (int) Math.min(mostBytes, limitBytes * 2L);
    }
  }

  /** Appends {@code sizeBytes} bytes at {@code from}. */
  public final void write(long from, long sizeBytes) throws IOException {
    long left = sizeBytes;
    long at = from;
    while (left > 0) {
      if (position == capacity) {
        makeRoom();
      }
      int n = (int) Math.min(left, capacity - position);
      Memory.copy(at, address + position, n);
      position += n;
      at += n;
      left -= n;
    }
  }

  /** Appends bytes of an array. */
  public final void write(byte[] from, int offset, int sizeBytes) throws IOException {
    int left = sizeBytes;
    int at = offset;
    while (left > 0) {
      if (position == capacity) {
        makeRoom();
      }
      int n = Math.min(left, capacity - position);
      Memory.copy(from, at, address + position, n);
      position += n;
      at += n;
      left -= n;
    }
  }

  public final void putByte(int value) throws IOException {
    if (position == capacity) {
      makeRoom();
    }
    Memory.putByte(address + position, (byte) value);
    position++;
  }

  public final void putShort(int value) throws IOException {
    putByte(value);
    putByte(value >>> 8);
  }

  public final void putInt(int value) throws IOException {
    if (capacity - position >= 4) {
      Memory.putInt(address + position, value);
      position += 4;
    } else {
      putShort(value);
      putShort(value >>> 16);
    }
  }

  public final void putLong(long value) throws IOException {
    if (capacity - position >= 8) {
      Memory.putLong(address + position, value);
      position += 8;
    } else {
      putInt((int) value);
      putInt((int) (value >>> 32));
    }
  }

  /** Appends an unsigned number in seven-bit groups, low first. */
  public final void putVarUInt(long value) throws IOException {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      putByte((int) (rest & 0x7F | 0x80));
      rest >>>= 7;
    }
    putByte((int) rest);
  }

  @Override
  public void close() throws IOException {}
}
