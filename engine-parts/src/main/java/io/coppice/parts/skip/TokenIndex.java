package io.coppice.parts.skip;

import io.coppice.base.bytes.ByteReader;
import io.coppice.base.bytes.ByteWriter;
import io.coppice.base.bytes.Memory;
import io.coppice.base.hash.CityHash;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.format.ValueOrder;
import io.coppice.parts.skip.IndexCondition.Constant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;

/**
 * {@code tokenbf_v1(bytes, hashes, seed)} over words, {@code ngrambf_v1(n, bytes, hashes, seed)}
 * over runs of n characters: a block is, per expression, a filter of that many bytes.
 *
 * <p>Words are the longest runs of ASCII letters, digits, and bytes that are not ASCII. With h1 =
 * CityHash64WithSeed(token, seed) and h2 the same with seed 845897321 * seed + 217728422, a token
 * sets for each i below hashes bit {@code (h1 + i * h2 + i * i) mod (8 * bytes)}.
 *
 * <p>Characters are found by their first byte alone. Where a text that is not UTF-8 has the first
 * byte of a character before a piece that is asked for, the index of ClickHouse, and so this one,
 * misses the piece.
 */
final class TokenIndex extends SkipIndex {
  private final int gram; // 0: words
  private final int sizeBytes;
  private final int hashCount;
  private final long seed;

  TokenIndex(
      String name, Kind kind, List<DataType> types, int granularity, List<String> arguments) {
    super(name, kind, types, granularity);
    boolean grams = kind == Kind.NGRAMBF_V1;
    int expected = grams ? 4 : 3;
    if (arguments.size() != expected) {
      throw bad(name, "needs " + expected + " numbers");
    }
    int at = grams ? 1 : 0;
    this.gram = grams ? (int) number(name, arguments.get(0), 1, 8) : 0;
    this.sizeBytes = (int) number(name, arguments.get(at), 1, 1 << 28);
    this.hashCount = (int) number(name, arguments.get(at + 1), 1, 100);
    this.seed = seed(name, arguments.get(at + 2));
    for (DataType type : types) {
      if (!fits(type)) {
        throw unfit(name, kind, type);
      }
    }
  }

  private static boolean fits(DataType type) {
    DataType at = type.storage();
    if (at instanceof DataType.ArrayType array) {
      at = array.element().storage();
    }
    if (at instanceof DataType.LowCardinalityType low) {
      at = low.inner();
    }
    return at == PlainType.STRING || at instanceof DataType.FixedStringType;
  }

  private static long number(String name, String text, long from, long to) {
    if (text.matches("[0-9]{1,18}")) {
      long value = Long.parseLong(text);
      if (from <= value && value <= to) {
        return value;
      }
    }
    throw bad(name, "has parameter " + text + ", expected " + from + " to " + to);
  }

  private static long seed(String name, String text) {
    try {
      return Long.parseUnsignedLong(text);
    } catch (NumberFormatException e) {
      throw bad(name, "has seed " + text);
    }
  }

  private int wordCount() {
    return (sizeBytes + 7) / 8;
  }

  private void cut(byte[] text, int size, Tokens.Taker taker) {
    if (gram == 0) {
      Tokens.words(text, size, taker);
    } else {
      Tokens.grams(text, size, gram, taker);
    }
  }

  private void set(long[] filter, byte[] text, int from, int size) {
    long first = CityHash.cityHash64WithSeed(text, from, size, seed);
    long second = CityHash.cityHash64WithSeed(text, from, size, 845897321L * seed + 217728422L);
    for (int i = 0; i < hashCount; i++) {
      int bit = bit(first, second, i);
      filter[bit >>> 6] |= 1L << (bit & 63);
    }
  }

  private int bit(long first, long second, int i) {
    return (int) Long.remainderUnsigned(first + i * second + (long) i * i, 8L * sizeBytes);
  }

  private boolean mayHold(long[] filter, byte[] token) {
    long first = CityHash.cityHash64WithSeed(token, 0, token.length, seed);
    long second =
        CityHash.cityHash64WithSeed(token, 0, token.length, 845897321L * seed + 217728422L);
    for (int i = 0; i < hashCount; i++) {
      int bit = bit(first, second, i);
      if ((filter[bit >>> 6] & 1L << (bit & 63)) == 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public Accumulator accumulator() {
    return new TokenAccumulator();
  }

  private final class TokenAccumulator implements Accumulator {
    private final long[][] filters = new long[types().size()][wordCount()];
    private byte[] buffer = new byte[256];

    @Override
    public void add(List<FieldVector> vectors, int from, int to) {
      for (int k = 0; k < filters.length; k++) {
        FieldVector vector = vectors.get(k);
        if (vector instanceof ListVector list) {
          if (from < to) {
            addAll(
                filters[k],
                list.getDataVector(),
                list.getElementStartIndex(from),
                list.getElementEndIndex(to - 1),
                types().get(k));
          }
        } else {
          addAll(filters[k], vector, from, to, types().get(k));
        }
      }
    }

    private void addAll(long[] filter, FieldVector vector, int from, int to, DataType type) {
      DataType bare = type.bare();
      if (bare instanceof DataType.ArrayType array) {
        bare = array.element().bare();
      }
      for (int row = from; row < to; row++) {
        long address;
        int size;
        if (vector instanceof BaseVariableWidthVector strings) {
          address = strings.getDataBuffer().memoryAddress() + strings.getStartOffset(row);
          size = strings.getValueLength(row);
        } else {
          address = ValueOrder.address(vector, row);
          size = bare.widthBytes();
        }
        if (buffer.length < size) {
          buffer = new byte[Math.max(size, 2 * buffer.length)];
        }
        Memory.copy(address, buffer, 0, size);
        cut(buffer, size, (text, at, length) -> set(filter, text, at, length));
      }
    }

    @Override
    public void finish(ByteWriter out) {
      for (long[] filter : filters) {
        for (int i = 0; i < sizeBytes; i++) {
          out.u8((int) (filter[i >>> 3] >>> (8 * (i & 7))));
        }
        Arrays.fill(filter, 0);
      }
    }
  }

  @Override
  public OpenBlock read(ByteReader in, BufferAllocator allocator) {
    List<long[]> filters = new ArrayList<>();
    if (in.remaining() < (long) sizeBytes * types().size()) {
      in.skip((long) sizeBytes * types().size()); // says what is missing
    }
    for (int k = 0; k < types().size(); k++) {
      byte[] bytes = new byte[8 * wordCount()];
      in.read(bytes, 0, sizeBytes);
      long[] filter = new long[wordCount()];
      for (int i = 0; i < filter.length; i++) {
        filter[i] = Memory.getLong(bytes, 8 * i);
      }
      filters.add(filter);
    }
    return new TokenBlock(filters);
  }

  private final class TokenBlock implements OpenBlock {
    private final List<long[]> filters;

    TokenBlock(List<long[]> filters) {
      this.filters = filters;
    }

    @Override
    public IndexAnswer ask(IndexCondition condition) {
      int k = condition.column();
      if (k < 0 || k >= filters.size()) {
        return IndexAnswer.UNKNOWN;
      }
      boolean list = types().get(k).bare() instanceof DataType.ArrayType;
      long[] filter = filters.get(k);
      if (condition instanceof IndexCondition.Has has && list) {
        return whole(filter, text(k, has.value()));
      } else if (list) {
        return IndexAnswer.UNKNOWN;
      } else if (condition instanceof IndexCondition.Equal equal) {
        return whole(filter, text(k, equal.value()));
      } else if (condition instanceof IndexCondition.In in) {
        for (Constant value : in.values()) {
          if (whole(filter, text(k, value)).mayBeTrue()) {
            return IndexAnswer.UNKNOWN;
          }
        }
        return IndexAnswer.NEVER;
      } else if (condition instanceof IndexCondition.StartsWith prefix) {
        return piece(filter, prefix.text().array(), true, false);
      } else if (condition instanceof IndexCondition.EndsWith suffix) {
        return piece(filter, suffix.text().array(), false, true);
      } else if (condition instanceof IndexCondition.Contains contains) {
        return piece(filter, contains.text().array(), false, false);
      } else if (condition instanceof IndexCondition.HasToken token) {
        return gram == 0
            ? whole(filter, token.token().array())
            : piece(filter, token.token().array(), false, false);
      } else if (condition instanceof IndexCondition.Like like) {
        return like(filter, LikePattern.of(like.pattern().array()));
      }
      return IndexAnswer.UNKNOWN;
    }

    private byte[] text(int k, Constant value) {
      DataType bare = types().get(k).bare();
      DataType type = bare instanceof DataType.ArrayType array ? array.element() : bare;
      return Text.at(type, value.vector(), value.row()).orElseThrow();
    }

    private IndexAnswer like(long[] filter, LikePattern pattern) {
      IndexAnswer answer = IndexAnswer.UNKNOWN;
      List<byte[]> pieces = pattern.pieces();
      for (int i = 0; i < pieces.size(); i++) {
        boolean atStart = i == 0 && pattern.startsPlain();
        boolean atEnd = i + 1 == pieces.size() && pattern.endsPlain();
        answer = answer.and(piece(filter, pieces.get(i), atStart, atEnd));
      }
      return answer;
    }

    private IndexAnswer whole(long[] filter, byte[] text) {
      return piece(filter, text, true, true);
    }

    /** What the filter says of texts that hold {@code text}, at their start or end if so said. */
    private IndexAnswer piece(long[] filter, byte[] text, boolean atStart, boolean atEnd) {
      boolean[] absent = new boolean[1];
      cut(
          text,
          text.length,
          (bytes, from, size) -> {
            boolean first = from == 0 && !atStart;
            boolean last = from + size == bytes.length && !atEnd;
            // A word that touches the edge of a piece may be part of a longer one, a character too.
            boolean cutOff =
                gram == 0
                    ? first || last
                    : (first && Tokens.continues(bytes[0])) || (last && Tokens.endsInside(bytes));
            if (!cutOff && !mayHold(filter, Arrays.copyOfRange(bytes, from, from + size))) {
              absent[0] = true;
            }
          });
      return absent[0] ? IndexAnswer.NEVER : IndexAnswer.UNKNOWN;
    }

    @Override
    public void close() {}
  }
}
