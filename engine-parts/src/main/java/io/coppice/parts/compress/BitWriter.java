package io.coppice.parts.compress;

import io.coppice.base.bytes.Memory;

/** Bits to memory, the highest bit of each byte first. The caller reserves enough memory. */
final class BitWriter {
  private long at;
  private long pending; // the last `count` bits written, not yet stored
  private int count; // 0 to 7 between calls

  BitWriter(long address) {
    this.at = address;
  }

  /** Writes the low {@code bits} bits of {@code value}, 0 to 64 of them. */
  void write(int bits, long value) {
    if (bits > 56) {
      write(bits - 32, value >>> 32);
      write(32, value);
      return;
    }
    long masked = bits == 0 ? 0 : value & (-1L >>> (64 - bits));
    pending = (pending << bits) | masked;
    count += bits;
    while (count >= 8) {
      count -= 8;
      Memory.putByte(at++, (byte) (pending >>> count));
    }
  }

  /** Fills up the last byte with zero bits; returns the address behind it. */
  long finish() {
    if (count > 0) {
      Memory.putByte(at++, (byte) (pending << (8 - count)));
      count = 0;
    }
    return at;
  }
}
