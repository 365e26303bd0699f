package io.coppice.parts.stream;

import io.coppice.base.bytes.Memory;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.io.IOException;
import org.apache.arrow.memory.ArrowBuf;

/**
 * Where encoded bytes come from: a window of raw memory that {@link #refill} moves on. Every read
 * is checked against the window; what is missing is a typed error that names the place.
 *
 * <p>Confined to one thread.
 */
public abstract class Source implements AutoCloseable {
  /** Address of the next byte. */
  protected long position;

  /** Address behind the last byte of the window. */
  protected long limit;

  /** Moves the window to the next bytes; false when there are none. */
  protected abstract boolean refill() throws IOException;

  /** Where the next byte stands, for messages. */
  public abstract String place();

  /** Reads {@code sizeBytes} bytes to {@code to}. */
  public final void read(long to, long sizeBytes) throws IOException {
    long left = sizeBytes;
    long at = to;
    while (left > 0) {
      long n = Math.min(left, limit - position);
      if (n > 0) {
        Memory.copy(position, at, n);
        position += n;
        at += n;
        left -= n;
      } else if (!refill()) {
        throw short_(sizeBytes, left);
      }
    }
  }

  /** Reads into a buffer at {@code offset}; sides that can decompress straight into it do so. */
  public void read(ArrowBuf to, long offset, long sizeBytes) throws IOException {
    to.checkBytes(offset, offset + sizeBytes);
    read(to.memoryAddress() + offset, sizeBytes);
  }

  public final void read(byte[] to, int offset, int sizeBytes) throws IOException {
    int left = sizeBytes;
    int at = offset;
    while (left > 0) {
      int n = (int) Math.min(left, limit - position);
      if (n > 0) {
        Memory.copy(position, to, at, n);
        position += n;
        at += n;
        left -= n;
      } else if (!refill()) {
        throw short_(sizeBytes, left);
      }
    }
  }

  /** Passes over {@code sizeBytes} bytes. */
  public void skip(long sizeBytes) throws IOException {
    long left = sizeBytes;
    while (left > 0) {
      long n = Math.min(left, limit - position);
      if (n > 0) {
        position += n;
        left -= n;
      } else if (!refill()) {
        throw short_(sizeBytes, left);
      }
    }
  }

  /** Whether no byte is left. */
  public final boolean atEnd() throws IOException {
    while (position == limit) {
      if (!refill()) {
        return true;
      }
    }
    return false;
  }

  public final int readByte() throws IOException {
    while (position == limit) {
      if (!refill()) {
        throw short_(1, 1);
      }
    }
    return Memory.getByte(position++) & 0xFF;
  }

  public final long readLong() throws IOException {
    if (limit - position >= 8) {
      long value = Memory.getLong(position);
      position += 8;
      return value;
    }
    long value = 0;
    for (int i = 0; i < 64; i += 8) {
      value |= (long) readByte() << i;
    }
    return value;
  }

  /** Reads an unsigned number in seven-bit groups, of at most ten bytes. */
  public final long readVarUInt() throws IOException {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int b = readByte();
      if (shift == 63 && b > 1) {
        break;
      }
      value |= (long) (b & 0x7F) << shift;
      if (b < 0x80) {
        return value;
      }
    }
    throw EngineException.of(
        ErrorCode.CORRUPTED_DATA, "%s: a number of more than 64 bits", place());
  }

  /** Reads a count and refuses one above {@code most}, naming what was counted. */
  public final int readCount(long most, String what) throws IOException {
    return checkedCount(readVarUInt(), most, what);
  }

  /** {@code count} as an int, refused when it is not in [0, most]. */
  public final int checkedCount(long count, long most, String what) {
    if (count < 0 || count > most) {
      throw EngineException.of(
          ErrorCode.TOO_LARGE_ARRAY_SIZE,
          "%s: %s %s, at most %d can be read at once",
          place(),
          Long.toUnsignedString(count),
          what,
          most);
    }
    return (int) count;
  }

  private EngineException short_(long wanted, long missing) {
    return EngineException.of(
        ErrorCode.CANNOT_READ_ALL_DATA,
        "%s: the data ends %d bytes before the end of a value of %d bytes",
        place(),
        missing,
        wanted);
  }

  @Override
  public void close() throws IOException {}
}
