package io.coppice.parts.write;

import io.coppice.base.hash.FileHash;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.type.DataType;
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
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The skip indexes of a table: their expressions evaluated over blocks, and their files written.
 * Immutable.
 */
final class SkipIndexes {
  private record Declared(SkipIndex index, List<TypedExpression> expressions) {}

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

  /** Values of one index's expressions. */
  record Values(SkipIndex index, List<FieldVector> vectors) {}

  /** Values of all indexes' expressions over a block, in the order of the block. */
  static final class Inputs implements AutoCloseable {
    private final List<Values> values = new ArrayList<>();
    private final List<FieldVector> owned = new ArrayList<>();

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

  /** Evaluates the expressions over a block, which is borrowed until the result is closed. */
  Inputs evaluate(List<FieldVector> block, int rows, BufferAllocator allocator) {
    Inputs inputs = new Inputs();
    boolean done = false;
    try {
      VectorSchemaRoot view =
          new VectorSchemaRoot(block.stream().map(FieldVector::getField).toList(), block, rows);
      for (Declared one : declared) {
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

  /** Writes the files of all indexes of a part. */
  static void write(
      PartFiles files,
      List<Values> indexes,
      int[] granules,
      TableSettings settings,
      boolean compact,
      Compressor compressor,
      DirectBytes frame)
      throws IOException {
    List<PackedFile.Entry> packed = new ArrayList<>();
    for (Values values : indexes) {
      SkipIndex index = values.index();
      MarkFormat format = Marks.format(compact, settings);
      MarkFile.Builder marks = MarkFile.builder(format, 1);
      byte[] frames;
      long contentBytes;
      FileHash contentHash;
      try (Frames target = new Frames(settings, compressor, frame, marks)) {
        index.build(values.vectors(), granules, target);
        target.flush();
        frames = target.frames.toByteArray();
        contentBytes = target.contentBytes;
        contentHash = target.contentHash;
      }
      byte[] markContent = marks.build().content();
      // Within another file no name is too long, and nothing is empty.
      boolean inside = frames.length > 0 && frames.length <= settings.packedSkipIndexMaxBytes();
      String stem =
          index.fileStem(
              settings.escapeIndexFileNames(),
              inside ? Integer.MAX_VALUE : settings.fileNameLimit());
      String data = stem + index.extension();
      if (inside) {
        packed.add(new PackedFile.Entry(data, contentBytes, frames));
        byte[] markBytes =
            settings.compressMarks()
                ? compressor.compressAll(
                    settings.marksCodec(), markContent, settings.marksBlockSize())
                : markContent;
        packed.add(new PackedFile.Entry(stem + format.extension(), 0, markBytes));
      } else {
        files.writeFrames(data, frames, contentBytes, contentHash.value());
        Marks.write(files, stem + format.extension(), markContent, settings);
      }
    }
    if (!packed.isEmpty()) {
      packed.sort(java.util.Comparator.comparing(PackedFile.Entry::name));
      files.write(PackedFile.SKIP_INDEXES, new PackedFile(1, packed).write());
    }
  }
}
