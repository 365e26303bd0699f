package io.coppice.parts.skip;

import io.coppice.base.bytes.ByteReader;
import io.coppice.base.bytes.ByteWriter;
import io.coppice.base.bytes.Memory;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.base.hash.CityHash;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.format.ValueOrder;
import io.coppice.parts.skip.IndexCondition.Constant;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;

/**
 * {@code bloom_filter(rate)}: a block is
 *
 * <pre>
 *   d (variable length)      the most distinct hashes that an expression has
 *   ceil(d * bits / 8)       bytes of the filter, per expression
 * </pre>
 *
 * <p>Bits per value and count k of hashes follow from the rate of false answers (0.025 if not
 * given) by a table. A value sets, for each of the first k of 15 seeds, bit {@code hash128to64(h,
 * seed) mod (8 * bytes)}. h is
 *
 * <ul>
 *   <li>CityHash64 of String, FixedString, and of decimals of 16 and 32 bytes;
 *   <li>the finalizer of MurmurHash over a number of 64 bits for all others: integers and enums
 *       extended with zeros, Date32, Time and decimals with their sign, Float32 as Float64; of
 *       UUID, IPv6 and integers of 128 bits the two halves, of those of 256 bits the lowest three
 *       quarters, joined by xor.
 * </ul>
 *
 * <p>The elements of an Array count as values; granules whose arrays are all empty count as one
 * value with hash 0. For a NULL counts what its slot holds, which is the default of the type unless
 * an expression left something there.
 */
final class BloomFilterIndex extends SkipIndex {
  static final double DEFAULT_RATE = 0.025;

  private static final long[] SEEDS = {
    0xbd3aed12799c2d20L,
    0x8f713c6e20ddff9bL,
    0xf6bf190ea4af89caL,
    0x7cbdf722b9f5eeffL,
    0x44c25354924989a5L,
    0xb422a089e6b9c639L,
    0x808fece72e01a942L,
    0x32bf776866364882L,
    0x8fcd8b8a94865f7aL,
    0x693c00ad8a837a91L,
    0xd0a3472113cad8fdL,
    0xfdc79247e80f1effL,
    0x5f1810f703a66398L,
    0x7b519d1316b11ca9L,
    0x8ce146563615192cL
  };

  private final int bitsPerValue;
  private final int hashCount;

  BloomFilterIndex(String name, List<DataType> types, int granularity, double rate) {
    super(name, Kind.BLOOM_FILTER, types, granularity);
    for (DataType type : types) {
      if (elementType(type) != PlainType.BFLOAT16 && !hashable(elementType(type))) {
        throw unfit(name, Kind.BLOOM_FILTER, type);
      }
    }
    int[] best = BloomTable.bitsAndHashes(rate);
    this.bitsPerValue = best[0];
    this.hashCount = best[1];
  }

  static double rate(String name, List<String> arguments) {
    if (arguments.isEmpty()) {
      return DEFAULT_RATE;
    }
    double rate;
    try {
      rate = Double.parseDouble(arguments.get(0));
    } catch (NumberFormatException e) {
      rate = Double.NaN;
    }
    if (arguments.size() > 1 || !(0 < rate && rate < 1)) {
      throw bad(name, "needs a rate between 0 and 1: bloom_filter(0.01)");
    }
    return rate;
  }

  private static DataType elementType(DataType type) {
    DataType bare = type.bare();
    return bare instanceof DataType.ArrayType array ? array.element().bare() : bare;
  }

  private static boolean hashable(DataType type) {
    if (type instanceof PlainType plain) {
      return plain != PlainType.NOTHING && plain != PlainType.BFLOAT16;
    }
    return type.widthBytes() > 0;
  }

  /** The hash of what the row's slot holds. */
  static long hash(DataType type, ValueOrder order, FieldVector vector, int row) {
    if (vector instanceof BaseVariableWidthVector strings) {
      return CityHash.cityHash64(
          strings.getDataBuffer().memoryAddress() + strings.getStartOffset(row),
          strings.getValueLength(row));
    }
    int width = type.widthBytes();
    if (type instanceof DataType.FixedStringType
        || (type instanceof DataType.DecimalType && width > 8)) {
      return CityHash.cityHash64(ValueOrder.address(vector, row), width);
    } else if (width > 8) {
      // UUID, IPv6 and the integers of 128 and 256 bits; of the latter the highest 64 do not count.
      long at = ValueOrder.address(vector, row);
      long folded = Memory.getLong(at) ^ Memory.getLong(at + 8);
      return finalizer(width == 32 ? folded ^ Memory.getLong(at + 16) : folded);
    } else if (type == PlainType.FLOAT32) {
      float value = Float.intBitsToFloat(Memory.getInt(ValueOrder.address(vector, row)));
      return finalizer(Double.doubleToRawLongBits(value));
    }
    long number = order.number(vector, row);
    boolean zeroExtended = type instanceof DataType.EnumType || integer(type);
    return finalizer(zeroExtended && width < 8 ? number & (1L << (8 * width)) - 1 : number);
  }

  private static boolean integer(DataType type) {
    return type instanceof PlainType plain && plain.integer();
  }

  private static long finalizer(long value) {
    long x = value;
    x ^= x >>> 33;
    x *= 0xff51afd7ed558ccdL;
    x ^= x >>> 33;
    x *= 0xc4ceb9fe1a85ec53L;
    return x ^ x >>> 33;
  }

  /** Distinct longs, in any order. */
  private static final class Hashes {
    private long[] slots = new long[64];
    private boolean zero;
    private int size;

    void add(long hash) {
      if (hash == 0) {
        size += zero ? 0 : 1;
        zero = true;
        return;
      }
      int mask = slots.length - 1;
      int at = (int) (hash ^ hash >>> 32) & mask;
      while (slots[at] != 0) {
        if (slots[at] == hash) {
          return;
        }
        at = (at + 1) & mask;
      }
      slots[at] = hash;
      size++;
      if (2 * size > slots.length) {
        long[] old = slots;
        slots = new long[2 * old.length];
        size = zero ? 1 : 0;
        for (long each : old) {
          if (each != 0) {
            add(each);
          }
        }
      }
    }

    void clear() {
      Arrays.fill(slots, 0);
      zero = false;
      size = 0;
    }
  }

  @Override
  public Accumulator accumulator() {
    return new BloomAccumulator();
  }

  private final class BloomAccumulator implements Accumulator {
    private final Hashes[] hashes = new Hashes[types().size()];

    BloomAccumulator() {
      Arrays.setAll(hashes, k -> new Hashes());
    }

    @Override
    public void add(List<FieldVector> vectors, int from, int to) {
      for (int k = 0; k < hashes.length; k++) {
        refuseArraysOfNullable(types().get(k), from < to);
        DataType type = elementType(types().get(k));
        ValueOrder order = ValueOrder.of(type);
        FieldVector vector = vectors.get(k);
        if (vector instanceof ListVector list) {
          int elementFrom = from == to ? 0 : list.getElementStartIndex(from);
          int elementTo = from == to ? 0 : list.getElementEndIndex(to - 1);
          addAll(hashes[k], type, order, list.getDataVector(), elementFrom, elementTo);
          if (elementFrom == elementTo && from < to) {
            hashes[k].add(0);
          }
        } else {
          addAll(hashes[k], type, order, vector, from, to);
        }
      }
    }

    /** 26.7 takes such an index and refuses every row. */
    private void refuseArraysOfNullable(DataType type, boolean rows) {
      if (rows
          && type.storage() instanceof DataType.ArrayType array
          && array.element().storage() instanceof DataType.NullableType) {
        throw bad(
            name(), "of type bloom_filter: " + type.text() + " is not hashed; drop it to insert");
      }
    }

    private void addAll(
        Hashes into, DataType type, ValueOrder order, FieldVector vector, int from, int to) {
      if (type == PlainType.BFLOAT16 && from < to) {
        // 26.7 lets such an index be, and parts have it that have nothing to hash
        throw bad(name(), "of type bloom_filter: BFloat16 is not hashed; drop the index to insert");
      }
      for (int row = from; row < to; row++) {
        into.add(hash(type, order, vector, row));
      }
    }

    @Override
    public void finish(ByteWriter out) {
      int most = 0;
      for (Hashes each : hashes) {
        most = Math.max(most, each.size);
      }
      out.varUInt(most);
      int sizeBytes = (int) (((long) most * bitsPerValue + 7) / 8);
      for (Hashes each : hashes) {
        byte[] filter = new byte[sizeBytes];
        if (each.zero) {
          set(filter, 0);
        }
        for (long hash : each.slots) {
          if (hash != 0) {
            set(filter, hash);
          }
        }
        out.bytes(filter);
        each.clear();
      }
    }
  }

  private void set(byte[] filter, long hash) {
    for (int i = 0; i < hashCount; i++) {
      int bit = bit(hash, i, filter.length);
      filter[bit >>> 3] |= (byte) (1 << (bit & 7));
    }
  }

  private static int bit(long hash, int i, int sizeBytes) {
    return (int) Long.remainderUnsigned(CityHash.hash128to64(hash, SEEDS[i]), 8L * sizeBytes);
  }

  private boolean mayHold(byte[] filter, long hash) {
    for (int i = 0; i < hashCount; i++) {
      int bit = bit(hash, i, filter.length);
      if ((filter[bit >>> 3] & 1 << (bit & 7)) == 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public OpenBlock read(ByteReader in, BufferAllocator allocator) {
    long count = in.varUInt();
    long most = (long) in.remaining() * 8 / bitsPerValue;
    if (count < 0 || count > most) {
      throw EngineException.of(
          ErrorCode.INCORRECT_DATA,
          "%s: a filter of %s values in %d bytes",
          in.name(),
          Long.toUnsignedString(count),
          in.remaining());
    }
    int sizeBytes = (int) ((count * bitsPerValue + 7) / 8);
    byte[][] filters = new byte[types().size()][];
    for (int k = 0; k < filters.length; k++) {
      filters[k] = in.bytes(sizeBytes);
    }
    return new BloomBlock(filters);
  }

  private final class BloomBlock implements OpenBlock {
    private final byte[][] filters;

    BloomBlock(byte[][] filters) {
      this.filters = filters;
    }

    @Override
    public IndexAnswer ask(IndexCondition condition) {
      int k = condition.column();
      if (k < 0 || k >= filters.length || filters[k].length == 0) {
        return IndexAnswer.UNKNOWN;
      }
      boolean list = types().get(k).bare() instanceof DataType.ArrayType;
      if (condition instanceof IndexCondition.Equal equal && !list) {
        return one(k, equal.value());
      } else if (condition instanceof IndexCondition.Has has && list) {
        return one(k, has.value());
      } else if (condition instanceof IndexCondition.In in && !list) {
        for (Constant value : in.values()) {
          if (one(k, value).mayBeTrue()) {
            return IndexAnswer.UNKNOWN;
          }
        }
        return IndexAnswer.NEVER;
      }
      return IndexAnswer.UNKNOWN;
    }

    private IndexAnswer one(int k, Constant value) {
      DataType type = elementType(types().get(k));
      ValueOrder order = ValueOrder.of(type);
      if (order.floating()) {
        return IndexAnswer.UNKNOWN; // 0 and -0 are equal and have other hashes
      }
      long hash = hash(type, order, value.vector(), value.row());
      return mayHold(filters[k], hash) ? IndexAnswer.UNKNOWN : IndexAnswer.NEVER;
    }

    @Override
    public void close() {}
  }
}
