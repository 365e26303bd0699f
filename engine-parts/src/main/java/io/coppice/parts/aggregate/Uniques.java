package io.coppice.parts.aggregate;

import io.coppice.base.bytes.Memory;
import io.coppice.base.hash.CityHash;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Vectors;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.arrow.vector.FieldVector;

/**
 * {@code uniq}: about how many distinct values there are, the same number as ClickHouse tells. A
 * group keeps the 32-bit hashes of its values, and once they are more than 65,536 only those that
 * end in so and so many zero bits; the number kept stands for all.
 */
final class Uniques extends Aggregator {
  private static final int MOST = 1 << 16;
  private static final double HASHES = 1L << 32;

  /** The hashes of one group. */
  private static final class Sample {
    int[] slots = new int[16];
    int size;
    int degree;
    boolean zero;

    void add(int hash) {
      if (!kept(hash)) {
        return;
      }
      if (hash == 0) {
        size += zero ? 0 : 1;
        zero = true;
      } else if (put(slots, hash)) {
        size++;
        if (size * 2 > slots.length) {
          rehash(slots.length * 2);
        }
      }
      while (size > MOST) {
        degree++;
        rehash(slots.length);
      }
    }

    private boolean kept(int hash) {
      return hash >>> degree << degree == hash;
    }

    private static boolean put(int[] slots, int hash) {
      int mask = slots.length - 1;
      int slot = hash * 0x9E3779B9 >>> 7 & mask;
      while (slots[slot] != 0) {
        if (slots[slot] == hash) {
          return false;
        }
        slot = slot + 1 & mask;
      }
      slots[slot] = hash;
      return true;
    }

    private void rehash(int length) {
      int[] old = slots;
      slots = new int[length];
      size = zero ? 1 : 0;
      for (int hash : old) {
        if (hash != 0 && kept(hash)) {
          put(slots, hash);
          size++;
        }
      }
    }

    void absorb(Sample other) {
      if (other.degree > degree) {
        degree = other.degree;
        rehash(slots.length);
      }
      if (other.zero) {
        add(0);
      }
      for (int hash : other.slots) {
        if (hash != 0) {
          add(hash);
        }
      }
    }

    long estimate() {
      if (degree == 0) {
        return size;
      }
      // The low bits are filled up, so that not all numbers are multiples of a power of two.
      long about = ((long) size << degree) + (crc(size) & (1L << degree) - 1);
      // Some values share a hash.
      return Math.round(HASHES * (Math.log(HASHES) - Math.log(HASHES - about)));
    }

    private static long crc(long value) {
      CRC32C crc = new CRC32C();
      crc.update(
          ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, value).array(), 0, 8);
      return ~crc.getValue() & 0xFFFFFFFFL;
    }
  }

  private final List<DataType> arguments;
  private Sample[] samples = new Sample[0];
  private long slotBytes;
  private long[] longs = new long[0];

  Uniques(List<DataType> arguments) {
    super(PlainType.UINT64);
    this.arguments = arguments;
  }

  /** Whether values of a type are counted as ClickHouse counts them. */
  static boolean takes(DataType type) {
    return Kinds.whole(type) || type == PlainType.STRING || type == PlainType.FLOAT64;
  }

  @Override
  void grow(int groups) {
    if (groups > samples.length) {
      samples = Arrays.copyOf(samples, capacity(samples.length, groups));
    }
  }

  @Override
  void take(List<FieldVector> vectors, int[] groups, int rows) {
    if (rows == 0) {
      return;
    }
    values(vectors.get(0), arguments.get(0), rows);
    if (arguments.size() > 1) {
      combine(vectors, rows);
    }
    boolean hashed = arguments.size() > 1;
    for (int row = 0; row < rows; row++) {
      if (groups[row] >= 0) {
        sample(groups[row]).add((int) (hashed ? longs[row] : mixed(longs[row])));
      }
    }
    count();
  }

  /** Of several values the hash of each, the later folded into the earlier; not mixed again. */
  private void combine(List<FieldVector> vectors, int rows) {
    long[] folded = new long[rows];
    byte[] bytes = new byte[8];
    for (int i = 0; i < arguments.size(); i++) {
      DataType type = arguments.get(i);
      if (i > 0) {
        values(vectors.get(i), type, rows);
      }
      for (int row = 0; row < rows; row++) {
        long hash = longs[row];
        if (type != PlainType.STRING) {
          ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(0, hash);
          hash = CityHash.cityHash64(bytes, 0, type.widthBytes());
        }
        folded[row] = i == 0 ? hash : CityHash.hash128to64(hash, folded[row]);
      }
    }
    System.arraycopy(folded, 0, longs, 0, rows);
  }

  /** Values as 64 bits, texts as their hashes. */
  private void values(FieldVector vector, DataType argument, int rows) {
    if (longs.length < rows) {
      longs = new long[rows];
    }
    if (argument == PlainType.STRING) {
      long data = Vectors.data(vector);
      long offsets = Vectors.offsets(vector);
      for (int row = 0; row < rows; row++) {
        int begin = Memory.getInt(offsets + row * 4L);
        int size = Memory.getInt(offsets + row * 4L + 4) - begin;
        longs[row] = CityHash.cityHash64(data + begin, size);
      }
    } else if (argument == PlainType.FLOAT64) {
      long data = Vectors.data(vector);
      for (int row = 0; row < rows; row++) {
        longs[row] = Memory.getLong(data + row * 8L);
      }
    } else {
      Numbers.longs(vector, argument, rows, longs);
    }
  }

  private Sample sample(int group) {
    if (samples[group] == null) {
      samples[group] = new Sample();
    }
    return samples[group];
  }

  private void count() {
    slotBytes = 0;
    for (Sample sample : samples) {
      slotBytes += sample == null ? 0 : 48 + 4L * sample.slots.length;
    }
  }

  /** ClickHouse's intHash64. */
  private static long mixed(long value) {
    long x = value;
    x ^= x >>> 33;
    x *= 0xff51afd7ed558ccdL;
    x ^= x >>> 33;
    x *= 0xc4ceb9fe1a85ec53L;
    return x ^ x >>> 33;
  }

  @Override
  void absorb(Aggregator other, int[] groups) {
    Uniques theirs = (Uniques) other;
    for (int i = 0; i < groups.length; i++) {
      if (groups[i] >= 0 && theirs.samples[i] != null) {
        sample(groups[i]).absorb(theirs.samples[i]);
      }
    }
    count();
  }

  @Override
  public long heapBytes() {
    return 8L * samples.length + slotBytes;
  }

  @Override
  void write(FieldVector to, int groups) {
    long[] counts = new long[groups];
    for (int i = 0; i < groups; i++) {
      counts[i] = samples[i] == null ? 0 : samples[i].estimate();
    }
    Numbers.write(counts, groups, to);
  }
}
