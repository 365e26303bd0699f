package io.coppice.parts.skip;

import io.coppice.base.bytes.ByteReader;
import io.coppice.base.bytes.ByteWriter;
import io.coppice.base.check.Check;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.type.DataType;
import io.coppice.parts.name.FileNames;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/**
 * A skip index: for every so many granules a block of bytes that tells which values cannot be among
 * the rows. Files of a part:
 *
 * <pre>
 *   skp_idx_NAME.idx    blocks of set, bloom_filter, tokenbf_v1, ngrambf_v1, in frames
 *   skp_idx_NAME.idx2   blocks of minmax, in frames
 *   skp_idx_NAME.mrk2   marks: one per block, 1 as rows, no final mark; extension as the part's
 * </pre>
 *
 * <p>Frames are of the part's default codec. The mark of a block is taken when its first granule
 * begins; before that the frame is cut if it holds min_compress_block_size bytes. Small indexes can
 * be packed into one file, see {@link io.coppice.parts.format.PackedFile}. Golden files: {@code
 * golden/26.7/h_skip_*} and {@code n_multigranule}.
 *
 * <p>Immutable; the accumulators and blocks it makes are confined to one thread.
 */
public abstract class SkipIndex {
  /** The kinds of index. */
  public enum Kind {
    MINMAX("minmax"),
    SET("set"),
    BLOOM_FILTER("bloom_filter"),
    TOKENBF_V1("tokenbf_v1"),
    NGRAMBF_V1("ngrambf_v1"),
    /** Any other: carried along, not read, not built. */
    OTHER("");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** The kind of that name. */
    public static Kind of(String text) {
      for (Kind kind : values()) {
        if (kind != OTHER && kind.text.equals(text)) {
          return kind;
        }
      }
      return OTHER;
    }
  }

  /** Gathers the rows of one block, writes it, and begins the next. */
  public interface Accumulator {
    /**
     * Adds rows of the vectors of the index's expressions.
     *
     * @param from first row
     * @param to behind the last row
     */
    void add(List<FieldVector> vectors, int from, int to);

    /** Appends the block of the rows added, and forgets them. */
    void finish(ByteWriter out);
  }

  /** What an index says of the rows of one block. */
  public interface Block {
    /** Whether rows may fulfil, or fail, {@code condition}. */
    IndexAnswer ask(IndexCondition condition);
  }

  private final String name;
  private final Kind kind;
  private final List<DataType> types;
  private final int granularity;

  SkipIndex(String name, Kind kind, List<DataType> types, int granularity) {
    Check.argument(granularity > 0, "granularity %d", granularity);
    this.name = name;
    this.kind = kind;
    this.types = List.copyOf(types);
    this.granularity = granularity;
  }

  /**
   * The index that a table declares.
   *
   * @param types of its expressions
   * @throws EngineException as the other
   */
  public static SkipIndex of(CreateTable.Index declared, List<DataType> types) {
    return of(
        declared.name(),
        declared.type().name(),
        declared.type().arguments().stream().map(Expression::text).toList(),
        types,
        declared.granularity());
  }

  /**
   * The index that {@code INDEX name expressions TYPE kind(arguments) GRANULARITY n} declares.
   *
   * @param arguments as written: numbers as decimal text
   * @param types of the expressions
   * @throws EngineException BAD_ARGUMENTS or ILLEGAL_COLUMN naming the index; NOT_IMPLEMENTED for
   *     {@link Kind#OTHER}
   */
  public static SkipIndex of(
      String name, String kind, List<String> arguments, List<DataType> types, int granularity) {
    if (types.isEmpty()) {
      throw bad(name, "has no expression");
    }
    return switch (Kind.of(kind)) {
      case MINMAX -> new MinMaxIndex(name, types, granularity);
      case SET -> new SetIndex(name, types, granularity, SetIndex.limit(name, arguments));
      case BLOOM_FILTER ->
          new BloomFilterIndex(name, types, granularity, BloomFilterIndex.rate(name, arguments));
      case TOKENBF_V1, NGRAMBF_V1 ->
          new TokenIndex(name, Kind.of(kind), types, granularity, arguments);
      case OTHER ->
          throw EngineException.of(
              ErrorCode.NOT_IMPLEMENTED,
              "index %s is of type %s, which is not supported: parts can be read, not built",
              name,
              kind);
    };
  }

  static EngineException bad(String name, String what) {
    return EngineException.of(ErrorCode.BAD_ARGUMENTS, "index %s %s", name, what);
  }

  static EngineException unfit(String name, Kind kind, DataType type) {
    return EngineException.of(
        ErrorCode.ILLEGAL_COLUMN,
        "index %s: %s does not take values of type %s",
        name,
        kind.text,
        type.text());
  }

  /** The index's name. */
  public final String name() {
    return name;
  }

  /** Which kind it is; never {@link Kind#OTHER}. */
  public final Kind kind() {
    return kind;
  }

  /** Types of the expressions. */
  public final List<DataType> types() {
    return types;
  }

  /** Granules in a block. */
  public final int granularity() {
    return granularity;
  }

  /** Name of the index's files without extension, as long as it is not too long. */
  public final String fileStem() {
    return "skp_idx_" + FileNames.escape(name);
  }

  /**
   * Name of the index's files without extension.
   *
   * @param escaped whether the index's name is escaped in it, as escape_index_filenames says
   * @param lengthLimit above which the name is a hash, bytes
   * @throws EngineException INCORRECT_FILE_NAME when a name that is not escaped is none of a file
   */
  public final String fileStem(boolean escaped, int lengthLimit) {
    String stem =
        escaped ? fileStem() : FileNames.checkStaysInside("skp_idx_" + name, "index " + name);
    return FileNames.ofStream(stem, lengthLimit);
  }

  /** Extension of the file of blocks, with its dot. */
  public final String extension() {
    return kind == Kind.MINMAX ? ".idx2" : ".idx";
  }

  /** Begins a block. */
  public abstract Accumulator accumulator();

  /**
   * Reads a block.
   *
   * @param in at the block's first byte; left at its end
   * @param allocator of the values that the block keeps until it is closed
   * @throws EngineException those of {@link ByteReader}, and INCORRECT_DATA
   */
  public abstract OpenBlock read(ByteReader in, BufferAllocator allocator);

  /** A block and the memory it holds. */
  public interface OpenBlock extends Block, AutoCloseable {
    /**
     * The distinct rows of the block, one vector per expression, if it holds them all. Borrowed
     * until the block is closed.
     */
    default Optional<List<FieldVector>> distinctRows() {
      return Optional.empty();
    }

    @Override
    void close();
  }

  /** Where blocks and their marks go: a stream of frames. */
  public interface Target {
    /** Sets a mark at the present position, cutting the frame before it if it is full enough. */
    void mark() throws java.io.IOException;

    /** Appends bytes. */
    void write(byte[] bytes, int offset, int size) throws java.io.IOException;
  }

  /** Begins the index of a part, whose blocks go to {@code target}. */
  public final Builder builder(Target target) {
    return new Builder(target);
  }

  /** The index of a part that is being written. Confined to one thread. */
  public final class Builder {
    private final Target target;
    private final Accumulator accumulator = accumulator();
    private final ByteWriter out = new ByteWriter();
    private int granule;

    private Builder(Target target) {
      this.target = target;
    }

    /** The rows added from here on are of the next granule. */
    public void granule() throws java.io.IOException {
      if (granule % granularity == 0) {
        finish();
        target.mark();
      }
      granule++;
    }

    /**
     * Adds rows of the present granule.
     *
     * @param vectors of the expressions, borrowed
     * @param from first row
     * @param to behind the last
     */
    public void add(List<FieldVector> vectors, int from, int to) {
      Check.argument(vectors.size() == types.size(), "%d vectors", vectors.size());
      accumulator.add(vectors, from, to);
    }

    /** Writes the block that was begun. */
    public void finish() throws java.io.IOException {
      if (granule > 0) {
        out.clear();
        accumulator.finish(out);
        target.write(out.array(), 0, out.size());
      }
    }
  }

  /**
   * Builds the index of a whole part.
   *
   * @param vectors of the expressions, with all rows
   * @param granuleRows rows of each granule
   */
  public final void build(List<FieldVector> vectors, int[] granuleRows, Target target)
      throws java.io.IOException {
    Builder builder = builder(target);
    int row = 0;
    for (int rows : granuleRows) {
      builder.granule();
      builder.add(vectors, row, row + rows);
      row += rows;
    }
    builder.finish();
  }
}
