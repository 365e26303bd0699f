package io.coppice.parts.expression;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.base.hash.CityHash;
import io.coppice.base.hash.FarmHash;
import io.coppice.base.hash.HalfMd5;
import io.coppice.base.hash.IntHash;
import io.coppice.base.hash.JavaHash;
import io.coppice.base.hash.MetroHash;
import io.coppice.base.hash.MurmurHash;
import io.coppice.base.hash.SipHash;
import io.coppice.base.hash.XxHash;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.DateTimeType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.DataType.EnumType;
import io.coppice.language.type.DataType.FixedStringType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.Function.Call;
import io.coppice.parts.expression.Function.Resolved;
import java.math.BigInteger;

/** Hashes of any values; of several arguments, and of tuples, the hashes are combined. */
final class HashFunctions {
  private HashFunctions() {}

  /** A hash of bytes, and of two hashes. */
  private interface Hash64 {
    long of(byte[] bytes, int offset, int size);
  }

  private interface Combine {
    long of(long soFar, long next);
  }

  static void register(FunctionRegistry registry) {
    hash(registry, "cityHash64", PlainType.UINT64, CityHash::cityHash64, city(), true);
    hash(registry, "farmHash64", PlainType.UINT64, FarmHash::farmHash64, city(), true);
    hash(registry, "metroHash64", PlainType.UINT64, MetroHash::metroHash64, city(), true);
    hash(registry, "sipHash64", PlainType.UINT64, SipHash::hash64, sip(), false);
    hash(registry, "halfMD5", PlainType.UINT64, HalfMd5::halfMd5, HalfMd5::combine, false);
    hash(registry, "xxHash64", PlainType.UINT64, XxHash::xxHash64, XxHash::combine64, false);
    hash(registry, "xxh3", PlainType.UINT64, XxHash::xxh3, XxHash::combine64, false);
    hash(
        registry,
        "xxHash32",
        PlainType.UINT32,
        (b, o, n) -> XxHash.xxHash32(b, o, n) & 0xffffffffL,
        (x, y) -> XxHash.combine32((int) x, (int) y) & 0xffffffffL,
        false);
    hash(
        registry,
        "murmurHash2_32",
        PlainType.UINT32,
        (b, o, n) -> MurmurHash.murmurHash2x32(b, o, n) & 0xffffffffL,
        (x, y) -> IntHash.combine32((int) x, (int) y) & 0xffffffffL,
        false);
    hash(
        registry,
        "murmurHash2_64",
        PlainType.UINT64,
        MurmurHash::murmurHash2x64,
        IntHash::combine64,
        false);
    hash(
        registry,
        "murmurHash3_32",
        PlainType.UINT32,
        (b, o, n) -> MurmurHash.murmurHash3x32(b, o, n) & 0xffffffffL,
        (x, y) -> IntHash.combine32((int) x, (int) y) & 0xffffffffL,
        false);
    hash(
        registry,
        "murmurHash3_64",
        PlainType.UINT64,
        MurmurHash::murmurHash3x64,
        IntHash::combine64,
        false);
    registry.add("sipHash128", HashFunctions::sipHash128);
    registry.add("intHash32", call -> intHash(call, PlainType.UINT32));
    registry.add("intHash64", call -> intHash(call, PlainType.UINT64));
    registry.add("javaHash", HashFunctions::javaHash);
  }

  private static Combine city() {
    return CityHash::hash128to64;
  }

  private static Combine sip() {
    return (soFar, next) -> {
      byte[] both = new byte[16];
      for (int i = 0; i < 8; i++) {
        both[i] = (byte) (soFar >>> (8 * i));
        both[8 + i] = (byte) (next >>> (8 * i));
      }
      return SipHash.hash64(both, 0, 16);
    };
  }

  private static void hash(
      FunctionRegistry registry,
      String name,
      PlainType result,
      Hash64 hash,
      Combine combine,
      boolean intHash) {
    registry.add(name, call -> resolve(call, result, hash, combine, intHash));
  }

  private static Resolved resolve(
      Call call, PlainType result, Hash64 hash, Combine combine, boolean intHash) {
    Families.count(call, 1, Integer.MAX_VALUE);
    for (int i = 0; i < call.count(); i++) {
      if (unproven(call.type(i))) {
        throw EngineException.of(
            ErrorCode.NOT_IMPLEMENTED,
            "%s of %s is not supported: its value is not known to equal ClickHouse's",
            call.name(),
            call.type(i).text());
      }
    }
    return new Resolved(
        result,
        (args, rows) -> {
          int count = Families.rows(args, rows);
          long[] out = new long[count];
          Accumulator accumulator = new Accumulator(hash, combine, intHash);
          for (int i = 0; i < count; i++) {
            accumulator.start();
            for (int k = 0; k < args.length; k++) {
              accumulator.add(args[k], args[k].at(i), call.type(k));
            }
            out[i] = accumulator.value;
          }
          Types.wrap(out, result);
          return new Values.Longs(out, Families.allConstant(args), null);
        });
  }

  /** Arrays of anything but plain values, maps, and tuples that hold such. */
  private static boolean unproven(DataType type) {
    DataType inner = Types.notNull(Types.bare(type));
    if (inner instanceof TupleType tuple) {
      return tuple.elements().stream()
          .anyMatch(e -> e.type() instanceof DataType.NullableType || unproven(e.type()));
    }
    if (inner instanceof DataType.MapType) {
      return true;
    }
    if (inner instanceof ArrayType array) {
      DataType element = Types.bare(array.element());
      return element instanceof ArrayType
          || element instanceof TupleType
          || element instanceof DataType.MapType
          || element instanceof DataType.NullableType;
    }
    return false;
  }

  /** Walks through tuples and arrays, hashing what they hold. */
  private static final class Accumulator {
    private final Hash64 hash;
    private final Combine combine;
    private final boolean intHash;
    private boolean first;
    private long value;

    Accumulator(Hash64 hash, Combine combine, boolean intHash) {
      this.hash = hash;
      this.combine = combine;
      this.intHash = intHash;
    }

    void start() {
      first = true;
      value = 0;
    }

    void add(Values values, int row, DataType type) {
      DataType inner = Types.notNull(Types.bare(type));
      if (inner instanceof TupleType tuple) {
        Values.Tuples tuples = (Values.Tuples) values;
        for (int i = 0; i < tuple.elements().size(); i++) {
          add(tuples.elements.get(i), tuples.at(row), tuple.elements().get(i).type());
        }
        return;
      }
      if (inner instanceof ArrayType array) {
        Values.Lists lists = (Values.Lists) values;
        int from = lists.offsets[lists.at(row)];
        int to = lists.offsets[lists.at(row) + 1];
        one(IntHash.intHash64(to - from));
        for (int i = from; i < to; i++) {
          add(lists.elements, i, array.element());
        }
        return;
      }
      if (values instanceof Values.Strings strings) {
        one(hash.of(strings.bytes, strings.from(row), strings.length(row)));
        return;
      }
      boolean number =
          intHash
              && !(inner instanceof DecimalType)
              && !(inner instanceof DataType.DateTime64Type)
              && !(inner instanceof DataType.Time64Type)
              && inner != PlainType.TIME;
      if (number && values instanceof Values.Longs longs) {
        one(IntHash.intHash64(unsignedBits(longs.values[longs.at(row)], inner)));
        return;
      }
      byte[] bytes = memory(values, row, inner);
      if (number && bytes.length <= 8) {
        long bits = 0;
        for (int i = bytes.length - 1; i >= 0; i--) {
          bits = bits << 8 | (bytes[i] & 0xff);
        }
        one(IntHash.intHash64(bits));
      } else {
        one(hash.of(bytes, 0, bytes.length));
      }
    }

    private void one(long next) {
      value = first ? next : combine.of(value, next);
      first = false;
    }
  }

  private static long unsignedBits(long value, DataType type) {
    int width = type.widthBytes();
    return width >= 8 || width == 0 ? value : value & ((1L << (width * 8)) - 1);
  }

  /** The bytes of one value as they lie in memory, little-endian. */
  static byte[] memory(Values values, int row, DataType type) {
    if (values instanceof Values.Strings strings) {
      return strings.get(row);
    }
    int width = Types.notNull(type).widthBytes();
    byte[] out = new byte[width];
    if (values instanceof Values.Bigs bigs) {
      BigInteger value = bigs.values[bigs.at(row)];
      byte[] big = value.toByteArray();
      byte fill = (byte) (value.signum() < 0 ? -1 : 0);
      for (int i = 0; i < width; i++) {
        out[i] = i < big.length ? big[big.length - 1 - i] : fill;
      }
      return out;
    }
    long bits;
    if (values instanceof Values.Doubles doubles) {
      double value = doubles.values[doubles.at(row)];
      bits =
          width == 8
              ? Double.doubleToRawLongBits(value)
              : width == 4
                  ? Float.floatToRawIntBits((float) value)
                  : Float.floatToRawIntBits((float) value) >>> 16;
    } else {
      bits = ((Values.Longs) values).values[values.at(row)];
    }
    for (int i = 0; i < width; i++) {
      out[i] = (byte) (bits >>> (8 * i));
    }
    return out;
  }

  private static Resolved sipHash128(Call call) {
    Families.count(call, 1, 1);
    DataType type = call.type(0);
    boolean plain =
        Types.number(type)
            || Types.bytes(type)
            || Types.dateLike(type)
            || type instanceof EnumType
            || type == PlainType.IPV4;
    if (!plain) {
      throw Families.illegal(call, 0);
    }
    return new Resolved(
        new FixedStringType(16),
        (args, rows) -> {
          int count = args[0].size();
          Values.StringsBuilder out = new Values.StringsBuilder(count);
          for (int i = 0; i < count; i++) {
            byte[] bytes = memory(args[0], i, type);
            io.coppice.base.hash.Hash128 hash = SipHash.hash128(bytes);
            byte[] result = new byte[16];
            for (int k = 0; k < 8; k++) {
              result[k] = (byte) (hash.low() >>> (8 * k));
              result[8 + k] = (byte) (hash.high() >>> (8 * k));
            }
            out.add(result);
          }
          return Conversions.constantLike(out.build(null), args[0]);
        });
  }

  private static Resolved intHash(Call call, PlainType result) {
    Families.count(call, 1, 1);
    DataType type = call.type(0);
    boolean takes =
        (Types.integer(type)
                || type == PlainType.DATE
                || type instanceof DateTimeType
                || type instanceof EnumType
                || type instanceof DecimalType)
            && !Types.big(type);
    if (!takes) {
      throw Families.illegal(call, 0);
    }
    return new Resolved(
        result,
        (args, rows) -> {
          long[] out = ((Values.Longs) args[0]).values.clone();
          for (int i = 0; i < out.length; i++) {
            out[i] =
                result == PlainType.UINT32
                    ? IntHash.intHash32(out[i]) & 0xffffffffL
                    : IntHash.intHash64(out[i]);
          }
          return new Values.Longs(out, args[0].constant(), null);
        });
  }

  private static Resolved javaHash(Call call) {
    Families.count(call, 1, 1);
    DataType type = call.type(0);
    if (Types.string(type)) {
      return new Resolved(
          PlainType.INT32,
          (args, rows) -> {
            Values.Strings strings = (Values.Strings) args[0];
            long[] out = new long[strings.size()];
            for (int i = 0; i < out.length; i++) {
              out[i] = JavaHash.javaHash(strings.bytes, strings.offsets[i], strings.length(i));
            }
            return new Values.Longs(out, args[0].constant(), null);
          });
    }
    if (!Types.integer(type) || !Types.signed(type) || Types.big(type)) {
      throw Families.illegal(call, 0);
    }
    return new Resolved(
        PlainType.INT32,
        (args, rows) -> {
          long[] out = ((Values.Longs) args[0]).values.clone();
          for (int i = 0; i < out.length; i++) {
            out[i] =
                type == PlainType.INT64
                    ? JavaHash.javaHash(out[i])
                    : JavaHash.javaHash((int) out[i]);
          }
          return new Values.Longs(out, args[0].constant(), null);
        });
  }
}
