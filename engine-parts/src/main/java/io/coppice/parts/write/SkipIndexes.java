package io.coppice.parts.write;

import io.coppice.base.hash.FileHash;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.type.DataType;
import io.coppice.parts.column.Gather;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.compress.CodecChain;
import io.coppice.parts.compress.Compressor;
import io.coppice.parts.compress.DirectBytes;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.TypedExpression;
import io.coppice.parts.format.MarkFile;
import io.coppice.parts.format.MarkFormat;
import io.coppice.parts.format.PackedFile;
import io.coppice.parts.skip.SkipIndex;
import io.coppice.parts.stream.Sink;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The skip indexes of a table: their expressions evaluated over blocks, and their files written.
 * Immutable.
 */
final class SkipIndexes {
  private record Declared(SkipIndex index, List<TypedExpression> expressions) {
    Set<String> columns() {
      Set<String> columns = new HashSet<>();
      expressions.forEach(e -> columns.addAll(e.columns()));
      return columns;
    }
  }

  private final List<Declared> declared = new ArrayList<>();

  /** Compiles the indexes of a table; kinds that are not built are refused. */
  SkipIndexes(TableDefinition table, ExpressionCompiler compiler) {
    for (CreateTable.Index index : table.indexes()) {
      List<TypedExpression> expressions =
          index.expression().keyElements().stream().map(compiler::compile).toList();
      List<DataType> types = expressions.stream().map(TypedExpression::type).toList();
      declared.add(new Declared(SkipIndex.of(index, types), expressions));
    }
  }

  /** The indexes in the order of the table. */
  List<SkipIndex> indexes() {
    return declared.stream().map(Declared::index).toList();
  }

  /** Names of the indexes that need no other columns than these. */
  Set<String> over(Set<String> columns) {
    Set<String> names = new HashSet<>();
    for (Declared one : declared) {
      if (columns.containsAll(one.columns())) {
        names.add(one.index().name());
      }
    }
    return names;
  }

  /** Values of one index's expressions. */
  record Values(SkipIndex index, List<FieldVector> vectors) {}

  /** Values of all indexes' expressions over a block, in the order of the block. */
  static final class Inputs implements AutoCloseable {
    private final List<Values> values = new ArrayList<>();
    private final List<FieldVector> owned = new ArrayList<>();

    /** The values as they are. */
    List<Values> values() {
      return List.copyOf(values);
    }

    /** The same in another order of rows, by what {@code order} makes of a vector. */
    List<Values> ordered(UnaryOperator<FieldVector> order) {
      return values.stream()
          .map(v -> new Values(v.index(), v.vectors().stream().map(order).toList()))
          .toList();
    }

    @Override
    public void close() {
      Vectors.close(owned);
    }
  }

  /**
   * Evaluates the expressions over a block, which is borrowed until the result is closed: of those
   * indexes that need no other columns.
   */
  Inputs evaluate(List<FieldVector> block, int rows, BufferAllocator allocator) {
    Inputs inputs = new Inputs();
    boolean done = false;
    try {
      VectorSchemaRoot view =
          new VectorSchemaRoot(block.stream().map(FieldVector::getField).toList(), block, rows);
      Set<String> present = new HashSet<>();
      block.forEach(vector -> present.add(vector.getName()));
      for (Declared one : declared) {
        if (!present.containsAll(one.columns())) {
          continue;
        }
        List<FieldVector> vectors = new ArrayList<>();
        for (TypedExpression expression : one.expressions()) {
          FieldVector vector =
              expression instanceof TypedExpression.ColumnReference column
                  ? view.getVector(column.name())
                  : expression.evaluate(view, allocator);
          if (!(expression instanceof TypedExpression.ColumnReference)) {
            inputs.owned.add(vector);
          }
          vectors.add(vector);
        }
        inputs.values.add(new Values(one.index(), vectors));
      }
      done = true;
      return inputs;
    } finally {
      if (!done) {
        inputs.close();
      }
    }
  }

  /** Frames gathered in memory: only when an index is whole is it known whether it is packed. */
  private static final class Frames extends Sink implements SkipIndex.Target {
    private final CodecChain chain;
    private final Compressor compressor;
    private final DirectBytes frame;
    private final long minFrameBytes;
    private final ByteArrayOutputStream frames = new ByteArrayOutputStream();
    private final FileHash contentHash = new FileHash();
    private final MarkFile.Builder marks;
    private long contentBytes;

    Frames(
        TableSettings settings, Compressor compressor, DirectBytes frame, MarkFile.Builder marks) {
      super((int) Math.min(1 << 30, settings.maxCompressBlockSize()));
      this.chain = settings.defaultCodec();
      this.compressor = compressor;
      this.frame = frame;
      this.minFrameBytes = settings.minCompressBlockSize();
      this.marks = marks;
    }

    @Override
    protected void drain(ByteBuffer bytes, long address, int size) {
      contentHash.update(address, size);
      contentBytes += size;
      frame.clear();
      compressor.compress(chain, address, size, frame);
      byte[] made = frame.toByteArray();
      frames.write(made, 0, made.length);
    }

    @Override
    public void mark() throws IOException {
      if (pending() >= minFrameBytes) {
        flush();
      }
      marks.place(frames.size(), pending()).end(1);
    }
  }

  /** The indexes of a part that is being written. */
  static final class Building implements AutoCloseable {
    private final PartFiles files;
    private final TableSettings settings;
    private final MarkFormat format;
    private final Compressor compressor;
    private final DirectBytes frame;
    private final BufferAllocator allocator;
    private final Map<String, Open> open = new LinkedHashMap<>();

    Building(
        PartFiles files,
        TableSettings settings,
        boolean compact,
        Compressor compressor,
        DirectBytes frame,
        List<SkipIndex> indexes,
        BufferAllocator allocator) {
      this.allocator = allocator;
      this.files = files;
      this.settings = settings;
      this.format = Marks.format(compact, settings);
      this.compressor = compressor;
      this.frame = frame;
      indexes.forEach(index -> open.put(index.name(), new Open(index)));
    }

    /** Adds the next rows of some indexes, cut into these pieces. Borrows the vectors. */
    void add(List<Values> indexes, List<Granules.Piece> pieces) throws IOException {
      for (Values values : indexes) {
        open.get(values.index().name()).add(values.vectors(), pieces, false);
      }
    }

    /** Adds all rows there are. Borrows the vectors until the indexes are finished. */
    void addOnly(List<Values> indexes, List<Granules.Piece> pieces) throws IOException {
      for (Values values : indexes) {
        open.get(values.index().name()).add(values.vectors(), pieces, true);
      }
    }

    /**
     * Writes the files of all of them.
     *
     * @param alone names of those that are not packed with others
     */
    void finish(Set<String> alone) throws IOException {
      List<PackedFile.Entry> packed = new ArrayList<>();
      for (Open one : open.values()) {
        one.finish(packed, alone);
      }
      if (!packed.isEmpty()) {
        packed.sort(java.util.Comparator.comparing(PackedFile.Entry::name));
        files.write(PackedFile.SKIP_INDEXES, new PackedFile(1, packed).write());
      }
    }

    @Override
    public void close() throws IOException {
      for (Open one : open.values()) {
        Vectors.close(one.waiting);
        one.waiting.clear();
        one.release();
        one.target.close();
      }
    }

    private final class Open {
      private final SkipIndex index;
      private final SkipIndex.Builder builder;
      private final MarkFile.Builder marks = MarkFile.builder(format, 1);
      private final Frames target = new Frames(settings, compressor, frame, marks);

      /** Rows of a block that is not whole. */
      private final List<FieldVector> waiting = new ArrayList<>();

      private int waitingRows;

      /** Rows of each granule of the present block, as far as they are known. */
      private final List<Integer> granuleRows = new ArrayList<>();

      /** Rows that an accumulator looks at. */
      private final List<FieldVector> done = new ArrayList<>();

      Open(SkipIndex index) {
        this.index = index;
        this.builder = index.builder(target);
      }

      /**
       * Adds rows. An accumulator looks at the rows of its block until it is finished: those of a
       * block that may go on are copied.
       */
      void add(List<FieldVector> vectors, List<Granules.Piece> pieces, boolean last)
          throws IOException {
        int from = -1;
        int to = -1;
        for (Granules.Piece piece : pieces) {
          boolean starts = piece.starts();
          if (starts && piece.granule() % index.granularity() == 0) {
            accumulate(vectors, from, to);
            from = -1;
          }
          if (starts) {
            builder.granule();
            release();
            granuleRows.add(0);
          }
          int granule = granuleRows.size() - 1;
          granuleRows.set(granule, granuleRows.get(granule) + piece.to() - piece.from());
          if (from < 0) {
            from = piece.from();
          }
          to = piece.to();
        }
        if (last) {
          accumulate(vectors, from, to);
        } else {
          keep(vectors, from, to);
        }
      }

      private void accumulate(List<FieldVector> vectors, int from, int to) {
        if (waitingRows == 0 && from >= 0) {
          addGranules(vectors, from);
          return;
        }
        keep(vectors, from, to);
        if (waitingRows > 0) {
          waiting.forEach(vector -> Vectors.finish(vector, waitingRows));
          addGranules(List.copyOf(waiting), 0);
          done.addAll(waiting);
          waiting.clear();
          waitingRows = 0;
        }
      }

      /** Granule by granule: what is least of a granule is not told as of several. */
      private void addGranules(List<FieldVector> vectors, int from) {
        int at = from;
        for (int rows : granuleRows) {
          builder.add(vectors, at, at + rows);
          at += rows;
        }
        granuleRows.clear();
      }

      private void keep(List<FieldVector> vectors, int from, int to) {
        if (from < 0) {
          return;
        }
        for (int i = 0; i < vectors.size(); i++) {
          if (waitingRows == 0) {
            waiting.add(Vectors.emptyLike(vectors.get(i), allocator));
          }
          Gather.appendRange(vectors.get(i), from, to - from, waiting.get(i), waitingRows);
        }
        waitingRows += to - from;
      }

      private void release() {
        Vectors.close(done);
        done.clear();
      }

      void finish(List<PackedFile.Entry> packed, Set<String> alone) throws IOException {
        accumulate(List.of(), -1, -1);
        builder.finish();
        release();
        target.flush();
        byte[] frames = target.frames.toByteArray();
        byte[] markContent = marks.build().content();
        // Within another file no name is too long, and nothing is empty.
        boolean inside =
            frames.length > 0
                && frames.length <= settings.packedSkipIndexMaxBytes()
                && !alone.contains(index.name());
        String stem =
            index.fileStem(
                settings.escapeIndexFileNames(),
                inside ? Integer.MAX_VALUE : settings.fileNameLimit());
        String data = stem + index.extension();
        if (inside) {
          packed.add(new PackedFile.Entry(data, target.contentBytes, frames));
          byte[] markBytes =
              settings.compressMarks()
                  ? compressor.compressAll(
                      settings.marksCodec(), markContent, settings.marksBlockSize())
                  : markContent;
          packed.add(new PackedFile.Entry(stem + format.extension(), 0, markBytes));
        } else {
          files.writeFrames(data, frames, target.contentBytes, target.contentHash.value());
          Marks.write(files, stem + format.extension(), markContent, settings);
        }
      }
    }
  }
}
