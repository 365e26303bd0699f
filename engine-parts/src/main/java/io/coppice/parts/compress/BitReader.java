package io.coppice.parts.compress;

import io.coppice.base.bytes.Memory;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;

/** Bits from memory, the highest bit of each byte first; never reads past its end. */
final class BitReader {
  private final long address;
  private final long endBit;
  private final long fastEndBit; // while before it, nine bytes may be loaded
  private long bit;

  BitReader(long address, long sizeBytes) {
    this.address = address;
    this.endBit = sizeBytes * 8;
    this.fastEndBit = (sizeBytes - 8) * 8;
  }

  /** The next {@code bits} bits as a number, 0 to 64 of them. */
  long read(int bits) {
    if (bits == 0) {
      return 0;
    }
    if (bit + bits > endBit) {
      throw EngineException.of(ErrorCode.CANNOT_DECOMPRESS, "the bit stream ends too early");
    }
    long from = address + (bit >>> 3);
    int shift = (int) bit & 7;
    long high;
    if (bit < fastEndBit) {
      high = Long.reverseBytes(Memory.getLong(from)) << shift;
      if (shift + bits > 64) {
        high |= (Memory.getByte(from + 8) & 0xffL) >>> (8 - shift);
      }
    } else {
      high = slow(from, shift, bits);
    }
    bit += bits;
    return high >>> (64 - bits);
  }

  private static long slow(long from, int shift, int bits) {
    long high = 0;
    int loadedBytes = (shift + bits + 7) >>> 3;
    for (int i = 0; i < loadedBytes; i++) {
      long next = Memory.getByte(from + i) & 0xffL;
      int place = 56 - 8 * i + shift;
      high |= place >= 0 ? next << place : next >>> -place;
    }
    return high;
  }

  /** How many bits are 1 before the next 0, which is read too; stops after {@code limit} ones. */
  int ones(int limit) {
    int count = 0;
    while (count < limit && read(1) == 1) {
      count++;
    }
    return count;
  }
}
