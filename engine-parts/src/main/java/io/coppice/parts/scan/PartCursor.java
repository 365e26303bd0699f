package io.coppice.parts.scan;

import io.coppice.base.disk.ReadableFile;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.parts.column.Codes;
import io.coppice.parts.column.Defaults;
import io.coppice.parts.column.Encoding;
import io.coppice.parts.column.Encoding.Mode;
import io.coppice.parts.column.Encoding.Substream;
import io.coppice.parts.column.Encodings;
import io.coppice.parts.column.Gather;
import io.coppice.parts.column.SharedDictionaries;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.compress.Decompressor;
import io.coppice.parts.expression.ColumnExpression;
import io.coppice.parts.format.ColumnsFile;
import io.coppice.parts.format.MarkFile;
import io.coppice.parts.table.ArrowMapping;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Reads ranges of granules of chosen columns of one part. Columns that the part lacks read as the
 * default of their type; those that the table has got another type for are converted.
 *
 * <p>Confined to one thread; the owner closes it.
 */
final class PartCursor implements AutoCloseable {
  /** Files up to this size are compared with their hash when they are first opened. */
  private static final long CHECKED_BYTES = 1 << 20;

  /** Compact parts are read here and there, and are about 10 MiB at most. */
  private static final long COMPACT_CHECKED_BYTES = 16 << 20;

  private final LoadedPart part;
  private final MarkCache marks;
  private final BufferAllocator allocator;
  private final Decompressor decompressor;
  private final FrameSource.Counters counters;
  private final Map<String, Column> columns = new HashMap<>();
  private Optional<FrameSource> compactSource = Optional.empty();

  private static final class Column {
    final Optional<ColumnReader> reader;
    final Defaults defaults;
    final Optional<Conversion> conversion;
    int nextGranule = -1;

    Column(Optional<ColumnReader> reader, Defaults defaults, Optional<Conversion> conversion) {
      this.reader = reader;
      this.defaults = defaults;
      this.conversion = conversion;
    }
  }

  /** From the type that the part has to the one that its table has got since. */
  private record Conversion(Field stored, Field wanted, ColumnExpression expression) {}

  PartCursor(
      LoadedPart part,
      MarkCache marks,
      BufferAllocator allocator,
      Decompressor decompressor,
      FrameSource.Counters counters) {
    this.part = part;
    this.marks = marks;
    this.allocator = allocator;
    this.decompressor = decompressor;
    this.counters = counters;
  }

  LoadedPart part() {
    return part;
  }

  /** Whether the part has data of a column, so that it need not be filled in. */
  boolean holds(String column) {
    return part.columns().containsKey(column);
  }

  /**
   * Reads granules [from, to) of a column to rows from {@code at} on of {@code vector}, which is
   * being filled.
   *
   * @param wanted type to fill in when the part lacks the column
   */
  void read(String column, DataType wanted, int from, int to, FieldVector vector, int at)
      throws IOException {
    Column opened = opened(column, wanted);
    int rows = Math.toIntExact(part.granuleStart(to) - part.granuleStart(from));
    if (opened.reader.isEmpty()) {
      appendMissing(column, wanted, opened.defaults, from, to, vector, at);
      return;
    }
    if (opened.conversion.isPresent()) {
      Conversion conversion = opened.conversion.get();
      try (FieldVector stored = conversion.stored().createVector(allocator)) {
        read(column, opened, from, to, stored, 0);
        Vectors.finish(stored, rows);
        try (FieldVector converted =
            conversion
                .expression()
                .evaluate(
                    new VectorSchemaRoot(List.of(conversion.stored()), List.of(stored), rows),
                    conversion.wanted(),
                    allocator)) {
          Gather.appendRange(converted, 0, rows, vector, at);
        }
      }
      return;
    }
    read(column, opened, from, to, vector, at);
  }

  /** Defaults of the type; arrays of a Nested are as long as those of its other columns. */
  private void appendMissing(
      String column,
      DataType wanted,
      Defaults defaults,
      int from,
      int to,
      FieldVector vector,
      int at)
      throws IOException {
    int rows = Math.toIntExact(part.granuleStart(to) - part.granuleStart(from));
    Optional<String> sibling = wanted instanceof ArrayType ? sibling(column) : Optional.empty();
    if (sibling.isEmpty()) {
      defaults.appendAbsent(vector, at, rows);
      return;
    }
    DataType type = part.columns().get(sibling.get());
    try (FieldVector like = ArrowMapping.field(sibling.get(), type).createVector(allocator);
        FieldVector filled = ArrowMapping.field(column, wanted).createVector(allocator)) {
      read(sibling.get(), type, from, to, like, 0);
      Vectors.finish(like, rows);
      Vectors.fillArrays(filled, ((ArrayType) wanted).element(), (ListVector) like, rows);
      Gather.appendRange(filled, 0, rows, vector, at);
    }
  }

  /** A column of the part that belongs to the same Nested. */
  private Optional<String> sibling(String column) {
    Optional<String> table = Encodings.nestedTable(column);
    return table.flatMap(
        t ->
            part.columns().entrySet().stream()
                .filter(c -> c.getValue() instanceof ArrayType && part.readable(c.getKey()))
                .map(Map.Entry::getKey)
                .filter(name -> Encodings.nestedTable(name).equals(table))
                .findFirst());
  }

  private void read(String column, Column opened, int from, int to, FieldVector vector, int at)
      throws IOException {
    ColumnReader reader = opened.reader.orElseThrow();
    read(column, opened, from, to, (count, row) -> reader.read(count, vector, at + row));
  }

  /** Whether a column's values can be read as places in dictionaries. */
  boolean hasCodes(String column, DataType wanted) throws IOException {
    Column opened = opened(column, wanted);
    return opened.conversion.isEmpty() && opened.reader.filter(ColumnReader::coded).isPresent();
  }

  /** Reads granules [from, to) of a column that {@link #hasCodes}. */
  void readCodes(String column, DataType wanted, int from, int to, Codes codes) throws IOException {
    Column opened = opened(column, wanted);
    ColumnReader reader = opened.reader.orElseThrow();
    read(column, opened, from, to, (count, row) -> reader.readCodes(count, codes));
  }

  private interface Reading {
    /** Reads {@code count} rows; {@code row} were read before. */
    void run(int count, int row) throws IOException;
  }

  private void read(String column, Column opened, int from, int to, Reading reading)
      throws IOException {
    ColumnReader reader = opened.reader.orElseThrow();
    try {
      if (reader.crossesGranules()) {
        if (opened.nextGranule != from) {
          reader.seek(from);
        }
        opened.nextGranule = -1;
        reading.run(Math.toIntExact(part.granuleStart(to) - part.granuleStart(from)), 0);
        opened.nextGranule = to;
        return;
      }
      int row = 0;
      for (int granule = from; granule < to; granule++) {
        reader.seek(granule);
        reading.run(part.rowsIn(granule), row);
        row += part.rowsIn(granule);
      }
    } catch (EngineException e) {
      throw e.within("part " + part.name() + ", column " + column);
    }
  }

  private Column opened(String column, DataType wanted) throws IOException {
    Column opened = columns.get(column);
    if (opened == null) {
      opened = open(column, wanted);
      columns.put(column, opened);
    }
    return opened;
  }

  private Column open(String column, DataType wanted) throws IOException {
    DataType type = part.columns().get(column);
    if (type == null) {
      return new Column(Optional.empty(), Defaults.of(wanted), Optional.empty());
    }
    part.checkReadable(column);
    Optional<Conversion> conversion = Optional.empty();
    if (!type.equals(wanted) && !ArrowMapping.readsAs(type, wanted)) {
      if (!ArrowMapping.sameBytes(type, wanted)) {
        throw EngineException.of(
            ErrorCode.TYPE_MISMATCH,
            "part %s: %s has column %s as %s, the table as %s; reading does not convert",
            part.name(),
            ColumnsFile.NAME,
            column,
            type.text(),
            wanted.text());
      }
      conversion =
          Optional.of(
              new Conversion(
                  ArrowMapping.field(column, type),
                  ArrowMapping.field(column, wanted),
                  ColumnExpression.conversion(column, type, wanted)));
    }
    Mode mode = ColumnReader.mode(part.compact());
    Encoding encoding = Encodings.of(column, type, part.options(column, mode), allocator);
    try {
      ColumnReader reader =
          mode == Mode.COMPACT
              ? new ColumnReader.Compact(encoding, new CompactStreams(column), compactSource())
              : new ColumnReader.Wide(encoding, new WideStreams(column));
      return new Column(Optional.of(reader), Defaults.of(type), conversion);
    } catch (EngineException e) {
      encoding.close();
      throw e.within("part " + part.name() + ", column " + column);
    } catch (Throwable e) {
      encoding.close();
      throw e;
    }
  }

  /** The dictionaries that the values of a column read last have in common with the part. */
  SharedDictionaries shared(String column) {
    Column opened = columns.get(column);
    return opened == null || opened.reader.isEmpty() || opened.conversion.isPresent()
        ? SharedDictionaries.NONE
        : opened.reader.get().shared();
  }

  /** Closes the files of a column. */
  void forget(String column) throws IOException {
    Column opened = columns.remove(column);
    if (opened != null && opened.reader.isPresent()) {
      opened.reader.get().close();
    }
  }

  private FrameSource compactSource() throws IOException {
    if (compactSource.isEmpty()) {
      compactSource = Optional.of(openFile("data.bin"));
    }
    return compactSource.get();
  }

  private FrameSource openFile(String name) throws IOException {
    ReadableFile file = part.disk().open(name);
    try {
      FrameSource source = new FrameSource(part, file, name, decompressor, counters);
      source.checkSmall(part.compact() ? COMPACT_CHECKED_BYTES : CHECKED_BYTES);
      return source;
    } catch (Throwable e) {
      file.close();
      throw e;
    }
  }

  private final class WideStreams implements ColumnReader.Streams {
    private final String column;
    private final Map<String, MarkFile> loaded = new HashMap<>();

    WideStreams(String column) {
      this.column = column;
    }

    @Override
    public FrameSource open(Substream stream) throws IOException {
      return openFile(stem(stream) + ".bin");
    }

    private String stem(Substream stream) {
      return part.fileOf(stream)
          .orElseThrow(
              () ->
                  EngineException.of(
                      ErrorCode.NO_FILE_IN_DATA_PART,
                      "no %s.bin, which column %s needs beside its other files",
                      stream.name(),
                      column));
    }

    @Override
    public void seek(FrameSource source, Substream stream, int granule) throws IOException {
      MarkFile m = loaded.get(stream.name());
      if (m == null) {
        m = marks.get(part, stem(stream), decompressor);
        loaded.put(stream.name(), m);
      }
      long inFrame = m.offsetInFrame(granule, 0);
      long offset = m.frameOffset(granule, 0);
      if (stream.name().endsWith(".dict") && offset == 0 && inFrame < 8) {
        inFrame = 8; // behind the version, which some writers' first mark points before
      }
      source.seek(offset, inFrame);
    }
  }

  private final class CompactStreams implements ColumnReader.Streams {
    private final int index;
    private MarkFile loaded;

    CompactStreams(String column) {
      this.index = (int) part.compactMark(column).orElseThrow();
    }

    @Override
    public FrameSource open(Substream stream) throws IOException {
      return compactSource();
    }

    @Override
    public void seek(FrameSource source, Substream stream, int granule) throws IOException {
      if (loaded == null) {
        loaded = marks.get(part, "data", decompressor);
      }
      source.seek(loaded.frameOffset(granule, index), loaded.offsetInFrame(granule, index));
    }
  }

  @Override
  public void close() throws IOException {
    for (Column column : columns.values()) {
      if (column.reader.isPresent()) {
        column.reader.get().close();
      }
    }
    columns.clear();
    if (compactSource.isPresent()) {
      compactSource.get().close();
      compactSource = Optional.empty();
    }
  }
}
