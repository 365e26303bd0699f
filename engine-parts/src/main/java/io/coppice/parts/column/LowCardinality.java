package io.coppice.parts.column;

import io.coppice.base.bytes.Memory;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.parts.stream.Sink;
import io.coppice.parts.stream.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;

/**
 * LowCardinality: values by their place in a dictionary.
 *
 * <pre>
 *   X.dict    UInt64 version = 1, then dictionaries: UInt64 count, keys
 *   X         per granule: UInt64 flags; if 0x200: UInt64 count, additional keys;
 *             UInt64 rows; the indexes
 *   flags     low byte: width of an index, 0..3 for 1, 2, 4, 8 bytes
 *             0x100 indexes refer to the dictionary of X.dict
 *             0x200 the granule has keys of its own, numbered behind the dictionary's
 *             0x400 the dictionary is a new one: the next of X.dict
 * </pre>
 *
 * <p>Key 0 is the default value, which also stands for a floating-point -0; for Nullable key 0
 * stands for NULL (stored as the default value) and key 1 is the default. Strings among keys always
 * carry their size before them. A dictionary is written once it has {@link #MOST_KEYS} keys, or at
 * the end. Compact parts and Native have no dictionary of their own: all keys of a granule or block
 * are additional keys.
 */
final class LowCardinality extends Encoding {
  /** ClickHouse's low_cardinality_max_dictionary_size, read from the server's profile only. */
  static final int MOST_KEYS = 8192;

  private static final long VERSION = 1;
  private static final int HAS_DICTIONARY = 0x100;
  private static final int HAS_OWN_KEYS = 0x200;
  private static final int NEXT_DICTIONARY = 0x400;
  private static final int CHUNK = 4096;

  private final Mode mode;
  private final Substream prefix;
  private final Substream dictionary;
  private final Optional<Substream> emptyNulls;
  private final Substream indexes;
  private final Encoding keys;
  private final boolean nullable;
  private final int width;
  private final int stride;
  private final boolean floating;
  private final Supplier<FieldVector> newKeys;

  private KeyTable shared;
  private final ByteBuffer scratch = ByteBuffer.allocateDirect(64);

  private Optional<FieldVector> current = Optional.empty();
  private Optional<FieldVector> chunkKeys = Optional.empty();
  private int chunkRowsLeft;
  private int chunkWidth;

  /** Width of the indexes read last, 0 if they are not all into the part's dictionary. */
  private int sharedIndexBytes;

  private boolean wantsDictionary = true;

  /**
   * @param prefix where the version stands; the dictionary's own stream but in compact parts
   * @param emptyNulls a stream that old versions have beside the dictionary and put nothing into
   * @param keys how keys lie in a stream; reads into what {@code newKeys} makes
   * @param width bytes of a key, or 0 for strings
   * @param stride bytes of a value in the vector
   * @param floating whether values are floating-point numbers, whose -0 becomes the default
   */
  LowCardinality(
      Mode mode,
      Substream prefix,
      Substream dictionary,
      Optional<Substream> emptyNulls,
      Substream indexes,
      Encoding keys,
      boolean nullable,
      int width,
      int stride,
      boolean floating,
      Supplier<FieldVector> newKeys) {
    this.mode = mode;
    this.prefix = prefix;
    this.dictionary = dictionary;
    this.emptyNulls = emptyNulls;
    this.indexes = indexes;
    this.keys = keys;
    this.nullable = nullable;
    this.width = width;
    this.stride = stride;
    this.floating = floating;
    this.newKeys = newKeys;
  }

  @Override
  void prefixStreams(List<Substream> to) {
    to.add(prefix);
    emptyNulls.ifPresent(to::add);
  }

  @Override
  void dataStreams(List<Substream> to) {
    to.add(dictionary); // of Wide parts it is the prefix's stream
    to.add(indexes);
  }

  @Override
  public void writePrefix(Sinks sinks) throws IOException {
    sinks.at(prefix).putLong(VERSION);
    shared = null;
  }

  private KeyTable newTable() {
    KeyTable table = new KeyTable();
    long zero = Memory.address(scratch);
    Memory.fill(zero, scratch.capacity(), (byte) 0);
    ByteBuffer wide = width > scratch.capacity() ? ByteBuffer.allocateDirect(width) : scratch;
    long at = Memory.address(wide);
    long hash = KeyTable.hash(at, width);
    if (nullable) {
      // The key that stands for NULL must not be found as a value: its hash is one no value has.
      table.add(at, width, ~hash);
    }
    table.add(at, width, hash);
    java.lang.ref.Reference.reachabilityFence(wide);
    return table;
  }

  @Override
  public void write(FieldVector vector, int from, int to, Sinks sinks) throws IOException {
    if (from == to) {
      return;
    }
    boolean own = mode != Mode.WIDE;
    boolean fresh = shared == null;
    KeyTable table = own || fresh ? newTable() : shared;
    KeyTable overflow = null;
    int rows = to - from;
    int[] positions = new int[rows];
    boolean nulls = nullable && vector.getNullCount() > 0;
    int most = own ? Integer.MAX_VALUE : MOST_KEYS;
    Values values = new Values(vector);
    RecentKeys recent = new RecentKeys();
    for (int i = 0; i < rows; i++) {
      int row = from + i;
      if (nulls && vector.isNull(row)) {
        continue; // key 0
      }
      long at = values.address(row);
      int size = values.size(row);
      long packed = values.packed(at, size);
      int known = packed == 0 ? -1 : recent.find(packed);
      if (known >= 0) {
        positions[i] = known;
        continue;
      }
      if (floating && isMinusZero(at, size)) {
        positions[i] = nullable ? 1 : 0;
        continue;
      }
      long hash = KeyTable.hash(at, size);
      int key = table.find(at, size, hash);
      if (key < 0) {
        if (table.count() < most) {
          key = table.add(at, size, hash);
        } else {
          overflow = overflow == null ? new KeyTable() : overflow;
          key = overflow.find(at, size, hash);
          key = table.count() + (key < 0 ? overflow.add(at, size, hash) : key);
        }
      }
      positions[i] = key;
      if (packed != 0) {
        recent.put(packed, key);
      }
    }
    boolean full = !own && table.count() >= MOST_KEYS;
    int keysInAll = table.count() + (overflow == null ? 0 : overflow.count());
    int code = code(keysInAll);
    boolean ownKeys = own || overflow != null;
    long flags =
        code
            | (own ? 0 : HAS_DICTIONARY)
            | (ownKeys ? HAS_OWN_KEYS : 0)
            | (own || fresh ? NEXT_DICTIONARY : 0);
    if (mode == Mode.COMPACT) {
      sinks.at(dictionary);
    }
    Sink sink = sinks.at(indexes);
    sink.putLong(flags);
    if (full) {
      writeKeys(table, sinks.at(dictionary));
    }
    if (ownKeys) {
      writeKeys(own ? table : overflow, sink);
    }
    sink.putLong(rows);
    for (int position : positions) {
      switch (code) {
        case 0 -> sink.putByte(position);
        case 1 -> sink.putShort(position);
        default -> sink.putInt(position);
      }
    }
    shared = own || full ? null : table;
  }

  /** Whether a floating-point value of 2, 4 or 8 bytes has no bit set but the sign. */
  static boolean isMinusZero(long at, int size) {
    for (int i = 0; i < size - 1; i++) {
      if (Memory.getByte(at + i) != 0) {
        return false;
      }
    }
    return Memory.getByte(at + size - 1) == (byte) 0x80;
  }

  private void writeKeys(KeyTable table, Sink sink) throws IOException {
    sink.putLong(table.count());
    table.write(sink, width == 0);
  }

  /** ClickHouse widens its indexes when the key that comes next would need it. */
  private static int code(int keys) {
    return keys < 1 << 8 ? 0 : keys < 1 << 16 ? 1 : 2;
  }

  @Override
  public void writeSuffix(Sinks sinks) throws IOException {
    if (mode == Mode.WIDE && shared != null) {
      writeKeys(shared, sinks.at(dictionary));
      shared = null;
    }
  }

  /** Where the bytes of each value lie. */
  private final class Values {
    private final FieldVector vector;
    private final long data;
    private final long offsets;
    private final long end;

    Values(FieldVector vector) {
      this.vector = vector;
      this.data = Vectors.data(vector);
      this.offsets = vector instanceof BaseVariableWidthVector ? Vectors.offsets(vector) : 0;
      this.end = data + vector.getDataBuffer().capacity();
    }

    /** A value as {@link RecentKeys} has it, or 0. */
    long packed(long at, int size) {
      return vector instanceof BitVector ? 0 : RecentKeys.packed(at, size, end);
    }

    long address(int row) {
      if (width == 0) {
        return data + Memory.getInt(offsets + row * 4L);
      }
      if (vector instanceof BitVector) {
        long at = Memory.address(scratch);
        Memory.putByte(at, (byte) (Vectors.bit(data, row) ? 1 : 0));
        return at;
      }
      return data + (long) row * stride; // little-endian: the narrow value is the wide one's start
    }

    int size(int row) {
      return width != 0
          ? width
          : Memory.getInt(offsets + (row + 1) * 4L) - Memory.getInt(offsets + row * 4L);
    }
  }

  @Override
  public void readPrefix(Sources sources) throws IOException {
    Source source = sources.at(prefix);
    long version = source.readLong();
    if (version != VERSION) {
      throw EngineException.of(
          ErrorCode.CORRUPTED_DATA,
          "%s: version %d of a LowCardinality dictionary, expected %d",
          source.place(),
          version,
          VERSION);
    }
    sought();
  }

  @Override
  public void sought() {
    chunkRowsLeft = 0;
    wantsDictionary = true;
  }

  @Override
  void indexBytes(List<Integer> to) {
    to.add(sharedIndexBytes);
  }

  @Override
  public boolean coded() {
    return true;
  }

  @Override
  public void read(Sources sources, int rows, FieldVector vector, int at) throws IOException {
    readCodes(
        sources,
        rows,
        new Codes() {
          private FieldVector from;
          private int done = at;

          @Override
          public void dictionary(FieldVector keys) {
            from = keys;
          }

          @Override
          public void add(int[] positions, int count) {
            Gather.append(from, positions, 0, count, vector, done);
            done += count;
          }
        });
  }

  @Override
  public void readCodes(Sources sources, int rows, Codes to) throws IOException {
    Source source = sources.at(indexes);
    int done = 0;
    sharedIndexBytes = 0;
    boolean shared = true;
    int[] positions = new int[Math.min(rows, CHUNK)];
    byte[] bytes = new byte[positions.length * 8];
    while (done < rows) {
      if (chunkRowsLeft == 0) {
        openChunk(source, sources);
        continue;
      }
      int n = Math.min(Math.min(rows - done, chunkRowsLeft), positions.length);
      readPositions(source, n, positions, bytes);
      FieldVector from = chunkKeys.orElseThrow();
      shared &= current.isPresent() && from == current.get();
      sharedIndexBytes = shared ? Math.max(sharedIndexBytes, chunkWidth) : 0;
      int keyCount = from.getValueCount();
      for (int i = 0; i < n; i++) {
        if (positions[i] < 0 || positions[i] >= keyCount) {
          throw EngineException.of(
              ErrorCode.CORRUPTED_DATA,
              "%s: index %d into a dictionary of %d keys",
              source.place(),
              positions[i],
              keyCount);
        }
      }
      to.dictionary(from);
      to.add(positions, n);
      chunkRowsLeft -= n;
      done += n;
    }
  }

  private void readPositions(Source source, int n, int[] positions, byte[] bytes)
      throws IOException {
    source.read(bytes, 0, n * chunkWidth);
    if (chunkWidth == 1) {
      for (int i = 0; i < n; i++) {
        positions[i] = bytes[i] & 0xFF;
      }
      return;
    }
    for (int i = 0; i < n; i++) {
      positions[i] =
          switch (chunkWidth) {
            case 2 -> bytes[2 * i] & 0xFF | (bytes[2 * i + 1] & 0xFF) << 8;
            case 4 -> Memory.getInt(bytes, 4 * i);
            default -> {
              long wide = Memory.getLong(bytes, 8 * i);
              yield wide < 0 || wide > Integer.MAX_VALUE ? -1 : (int) wide;
            }
          };
    }
  }

  @Override
  public void skip(Sources sources, int rows) throws IOException {
    Source source = sources.at(indexes);
    int left = rows;
    while (left > 0) {
      if (chunkRowsLeft == 0) {
        openChunk(source, sources);
        continue;
      }
      int n = Math.min(left, chunkRowsLeft);
      source.skip((long) n * chunkWidth);
      chunkRowsLeft -= n;
      left -= n;
    }
  }

  private void openChunk(Source source, Sources sources) throws IOException {
    long flags = source.readLong();
    long known = 0xFF | HAS_DICTIONARY | HAS_OWN_KEYS | NEXT_DICTIONARY;
    if ((flags & ~known) != 0 || (flags & 0xFF) > 3) {
      throw EngineException.of(
          ErrorCode.CORRUPTED_DATA,
          "%s: flags 0x%x before LowCardinality indexes, known are 0x%x and widths 0 to 3",
          source.place(),
          flags,
          known & ~0xFF);
    }
    chunkWidth = 1 << (flags & 0xFF);
    if ((flags & HAS_DICTIONARY) != 0) {
      if (wantsDictionary || (flags & NEXT_DICTIONARY) != 0) {
        replaceCurrent(readKeys(sources.at(dictionary)));
        wantsDictionary = false;
      }
    }
    FieldVector own = null;
    if ((flags & HAS_OWN_KEYS) != 0) {
      own = readKeys(source);
    }
    setChunkKeys((flags & HAS_DICTIONARY) != 0, own, source);
    long count = source.readLong();
    chunkRowsLeft = source.checkedCount(count, Integer.MAX_VALUE, "rows");
    if (chunkRowsLeft == 0 && source.atEnd()) {
      throw EngineException.of(
          ErrorCode.CANNOT_READ_ALL_DATA, "%s: LowCardinality data ends early", source.place());
    }
  }

  private void setChunkKeys(boolean withDictionary, FieldVector own, Source source) {
    chunkKeys.filter(k -> current.isEmpty() || k != current.get()).ifPresent(FieldVector::close);
    chunkKeys = Optional.empty();
    if (!withDictionary) {
      if (own == null) {
        throw EngineException.of(
            ErrorCode.CORRUPTED_DATA,
            "%s: LowCardinality indexes with neither a dictionary nor keys of their own",
            source.place());
      }
      markNull(own);
      chunkKeys = Optional.of(own);
      return;
    }
    FieldVector base = current.orElseThrow();
    if (own == null) {
      chunkKeys = current;
      return;
    }
    try (own) {
      int first = base.getValueCount();
      FieldVector both = newKeys.get();
      chunkKeys = Optional.of(both);
      int[] all = new int[Math.max(first, own.getValueCount())];
      for (int i = 0; i < all.length; i++) {
        all[i] = i;
      }
      Gather.append(base, all, 0, first, both, 0);
      Gather.append(own, all, 0, own.getValueCount(), both, first);
      Vectors.finish(both, first + own.getValueCount());
    }
  }

  private void replaceCurrent(FieldVector fresh) {
    if (chunkKeys.isPresent() && current.isPresent() && chunkKeys.get() == current.get()) {
      chunkKeys = Optional.empty();
    }
    current.ifPresent(FieldVector::close);
    markNull(fresh);
    current = Optional.of(fresh);
  }

  private void markNull(FieldVector dictionaryKeys) {
    if (nullable && dictionaryKeys.getValueCount() > 0) {
      Vectors.clearBit(dictionaryKeys.getValidityBuffer().memoryAddress(), 0);
    }
  }

  private FieldVector readKeys(Source source) throws IOException {
    int count = source.checkedCount(source.readLong(), Integer.MAX_VALUE - 8L, "keys");
    FieldVector vector = newKeys.get();
    try {
      keys.read(s -> source, count, vector, 0);
      if (vector.getField().isNullable()) {
        Vectors.reserve(vector, count);
        Vectors.setAllValid(vector, count);
      }
      Vectors.finish(vector, count);
      return vector;
    } catch (Throwable e) {
      vector.close();
      throw e;
    }
  }

  @Override
  public void close() {
    chunkKeys.filter(k -> current.isEmpty() || k != current.get()).ifPresent(FieldVector::close);
    current.ifPresent(FieldVector::close);
    chunkKeys = Optional.empty();
    current = Optional.empty();
  }

  /** Makes the vectors that hold keys while reading. */
  static Supplier<FieldVector> keyVectors(
      org.apache.arrow.vector.types.pojo.Field field, BufferAllocator allocator) {
    return () -> field.createVector(allocator);
  }
}
