package io.coppice.parts.compress;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import net.jpountz.xxhash.XXHash32;
import net.jpountz.xxhash.XXHashFactory;

/**
 * The LZ4 frame format, version 1.6.x of its specification, read from memory into memory. Blocks
 * may refer to those before them, as Arrow's writers outside of Java make them.
 *
 * <pre>
 *   4  magic 0x184D2204
 *   1  FLG: version 01, independent blocks, block checksums, content size, content checksum, 0, dictionary
 *   1  BD: largest block
 *   8  content size, if said
 *   1  checksum of what is before it but for the magic: bits 8 to 15 of XXH32
 *   …  blocks: size, high bit set for plain bytes; bytes; XXH32 if said
 *   4  0
 *   4  XXH32 of the content, if said
 * </pre>
 *
 * <p>Stateless.
 */
final class Lz4Frames {
  private static final int MAGIC = 0x184D2204;
  private static final int HEAD_BYTES = 7;
  private static final int MOST_RATIO = 255;
  private static final XXHash32 HASH = XXHashFactory.fastestJavaInstance().hash32();

  private final ByteBuffer in;
  private final byte[] out;
  private int written;

  private Lz4Frames(byte[] compressed, int size) {
    this.in = ByteBuffer.wrap(compressed).order(ByteOrder.LITTLE_ENDIAN);
    this.out = new byte[size];
  }

  /**
   * Decompresses frames that hold so many bytes together.
   *
   * @throws IOException when they are damaged or hold another number
   */
  static byte[] decompress(byte[] compressed, int size) throws IOException {
    if (size > (long) compressed.length * MOST_RATIO) {
      throw new IOException(compressed.length + " bytes cannot hold " + size);
    }
    try {
      Lz4Frames frames = new Lz4Frames(compressed, size);
      while (frames.in.hasRemaining()) {
        frames.frame();
      }
      if (frames.written != size) {
        throw new IOException("frames hold " + frames.written + " bytes, expected " + size);
      }
      return frames.out;
    } catch (IndexOutOfBoundsException | java.nio.BufferUnderflowException e) {
      throw new IOException("a frame breaks off or leads out of itself", e);
    }
  }

  private void frame() throws IOException {
    if (in.remaining() < HEAD_BYTES || in.getInt() != MAGIC) {
      throw new IOException("no LZ4 frame at byte " + in.position());
    }
    int head = in.position();
    int flags = in.get();
    in.get();
    if ((flags & 0xC3) != 0x40) {
      throw new IOException(String.format("unknown flags 0x%02X of an LZ4 frame", flags & 0xFF));
    }
    if ((flags & 8) != 0) {
      in.getLong(); // the size, which is told outside as well
    }
    int hash = HASH.hash(in.array(), head, in.position() - head, 0) >>> 8 & 0xFF;
    if ((in.get() & 0xFF) != hash) {
      throw new IOException("the head of an LZ4 frame has a wrong checksum");
    }
    int start = written;
    boolean independent = (flags & 0x20) != 0;
    for (int size = in.getInt(); size != 0; size = in.getInt()) {
      int bytes = size & 0x7FFF_FFFF;
      if (bytes > in.remaining()) {
        throw new IOException("an LZ4 block of " + bytes + " bytes, " + in.remaining() + " left");
      }
      int from = in.position();
      if (size < 0) {
        System.arraycopy(in.array(), from, out, written, bytes);
        written += bytes;
      } else {
        block(from, from + bytes, independent ? written : start);
      }
      in.position(from + bytes);
      if ((flags & 0x10) != 0 && in.getInt() != HASH.hash(in.array(), from, bytes, 0)) {
        throw new IOException("an LZ4 block has a wrong checksum");
      }
    }
    if ((flags & 4) != 0 && in.getInt() != HASH.hash(out, start, written - start, 0)) {
      throw new IOException("an LZ4 frame has a wrong checksum");
    }
  }

  /** Decompresses a block, whose matches do not go behind {@code base} of what is written. */
  private void block(int from, int end, int base) throws IOException {
    byte[] bytes = in.array();
    int at = from;
    int to = written;
    while (true) {
      int token = bytes[at++] & 0xFF;
      int literals = token >>> 4;
      if (literals == 15) {
        int more;
        do {
          more = bytes[at++] & 0xFF;
          literals = Math.addExact(literals, more);
        } while (more == 255);
      }
      if (literals > end - at) {
        throw new IOException("literals reach over the end of an LZ4 block");
      }
      System.arraycopy(bytes, at, out, to, literals);
      at += literals;
      to += literals;
      if (at == end) {
        written = to;
        return;
      }
      int offset = bytes[at] & 0xFF | (bytes[at + 1] & 0xFF) << 8;
      at += 2;
      int length = token & 15;
      if (length == 15) {
        int more;
        do {
          more = bytes[at++] & 0xFF;
          length = Math.addExact(length, more);
        } while (more == 255);
      }
      length += 4;
      if (offset == 0 || offset > to - base || at > end) {
        throw new IOException("a match of an LZ4 block begins " + offset + " bytes before");
      }
      copy(to, offset, length);
      to += length;
    }
  }

  private void copy(int to, int offset, int length) {
    if (offset >= length) {
      System.arraycopy(out, to - offset, out, to, length);
    } else if (offset == 1) {
      Arrays.fill(out, to, to + length, out[to - 1]);
    } else {
      for (int i = 0; i < length; i++) {
        out[to + i] = out[to + i - offset];
      }
    }
  }
}
