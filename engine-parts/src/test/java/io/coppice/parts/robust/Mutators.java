package io.coppice.parts.robust;

import java.util.Arrays;
import java.util.Random;

/** Ways to damage bytes. */
final class Mutators {
  private Mutators() {}

  private static final long[] ABSURD = {
    -1L, 1L << 60, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 31, (1L << 31) - 1, 1L << 32, 0
  };

  /** One random change; never the same bytes, unless there are none. */
  static byte[] mutate(byte[] bytes, Random random) {
    for (int attempt = 0; attempt < 20; attempt++) {
      byte[] changed = once(bytes, random);
      if (!Arrays.equals(changed, bytes)) {
        return changed;
      }
    }
    return PartBytes.concat(bytes, new byte[] {1});
  }

  private static byte[] once(byte[] bytes, Random random) {
    if (bytes.length == 0) {
      return new byte[1 + random.nextInt(9)];
    }
    byte[] copy = bytes.clone();
    // The first bytes of a file say what all others mean.
    int at = random.nextInt(3) == 0 ? random.nextInt(Math.min(16, copy.length)) : any(copy, random);
    switch (random.nextInt(12)) {
      case 0 -> copy[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> copy[at] = (byte) random.nextInt(256);
      case 2 -> copy[at] = (byte) new int[] {0, 0xff, 0x7f, 0x80}[random.nextInt(4)];
      case 3 -> {
        return Arrays.copyOf(copy, random.nextInt(copy.length));
      }
      case 4 -> {
        byte[] more = new byte[1 + random.nextInt(40)];
        random.nextBytes(more);
        return PartBytes.concat(copy, more);
      }
      case 5, 6 -> {
        long number = ABSURD[random.nextInt(ABSURD.length)];
        for (int i = 0; i < 8 && at + i < copy.length; i++) {
          copy[at + i] = (byte) (number >>> (8 * i));
        }
      }
      case 7 -> {
        byte[] number = varUInt(ABSURD[random.nextInt(ABSURD.length)]);
        System.arraycopy(number, 0, copy, at, Math.min(number.length, copy.length - at));
      }
      case 8 -> Arrays.fill(copy, at, Math.min(copy.length, at + 1 + random.nextInt(32)), (byte) 0);
      case 9 -> {
        int from = any(copy, random);
        int size = Math.min(random.nextInt(32) + 1, copy.length - Math.max(at, from));
        System.arraycopy(bytes, from, copy, at, size);
      }
      case 10 -> {
        int size = Math.min(1 + random.nextInt(16), copy.length - at);
        byte[] shorter = new byte[copy.length - size];
        System.arraycopy(copy, 0, shorter, 0, at);
        System.arraycopy(copy, at + size, shorter, at, shorter.length - at);
        return shorter;
      }
      default -> {
        byte[] longer = new byte[copy.length + 1 + random.nextInt(16)];
        random.nextBytes(longer);
        System.arraycopy(copy, 0, longer, 0, at);
        System.arraycopy(copy, at, longer, longer.length - (copy.length - at), copy.length - at);
        return longer;
      }
    }
    return copy;
  }

  private static int any(byte[] bytes, Random random) {
    return random.nextInt(bytes.length);
  }

  static byte[] varUInt(long number) {
    byte[] bytes = new byte[10];
    int size = 0;
    long left = number;
    do {
      bytes[size++] = (byte) ((left & 0x7f) | ((left >>> 7) != 0 ? 0x80 : 0));
      left >>>= 7;
    } while (left != 0);
    return Arrays.copyOf(bytes, size);
  }
}
