package io.coppice.parts.write;

import io.coppice.base.disk.Disk;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.parts.column.Encoding;
import io.coppice.parts.column.Encoding.Mode;
import io.coppice.parts.column.Encodings;
import io.coppice.parts.column.InMemorySize;
import io.coppice.parts.column.SparseChoice;
import io.coppice.parts.compress.CodecChain;
import io.coppice.parts.compress.Compressor;
import io.coppice.parts.compress.DirectBytes;
import io.coppice.parts.format.ChecksumsFile;
import io.coppice.parts.format.ColumnsFile;
import io.coppice.parts.format.ColumnsSubstreamsFile;
import io.coppice.parts.format.CountFile;
import io.coppice.parts.format.DefaultCodecFile;
import io.coppice.parts.format.MetadataVersionFile;
import io.coppice.parts.format.SerializationFile;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings;
import io.coppice.parts.table.TableSettings.Profile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/**
 * Writes one sorted block of rows as the files of a part, into a directory that exists and is
 * empty. The same rows and settings give the same bytes, those of ClickHouse.
 *
 * <p>Keeps native contexts from one part to the next; the owner closes it. Any thread may write a
 * part.
 */
final class PartWriter implements AutoCloseable {
  private final BufferAllocator allocator;
  private final Workers workers;
  private final Deque<Tools> free = new ConcurrentLinkedDeque<>();

  /** Native contexts and memory for frames, of one thread at a time. */
  private record Tools(Compressor compressor, DirectBytes frame) {}

  /** Memory for frames is taken from {@code allocator}, which must outlive this. */
  PartWriter(BufferAllocator allocator) {
    this(allocator, Workers.NONE);
  }

  /** As {@link #PartWriter(BufferAllocator)}; columns are worked off by {@code workers}. */
  PartWriter(BufferAllocator allocator, Workers workers) {
    this.allocator = allocator;
    this.workers = workers;
  }

  private Tools take() {
    Tools tools = free.pollFirst();
    return tools != null ? tools : new Tools(new Compressor(allocator), new DirectBytes(allocator));
  }

  /**
   * What becomes a part. Vectors are borrowed.
   *
   * @param rows of every vector
   * @param columns the stored columns of the table, in its order, in the order of the sorting key
   * @param primaryKey values of the primary key's elements, in the same order of rows
   * @param indexes values of the skip indexes' expressions
   * @param smallFiles the files that depend on keys only, by name: partition.dat and minmax files
   * @param origin the block that was split, which decides about the size of the rows in memory
   */
  record Block(
      int rows,
      List<FieldVector> columns,
      List<KeyColumn> primaryKey,
      Map<String, byte[]> smallFiles,
      List<SkipIndexes.Values> indexes,
      Origin origin) {}

  /**
   * The block that a part's rows were taken from, not sorted.
   *
   * @param selection numbers of the part's rows in it
   * @param dictionaries what {@link InMemorySize#ofSplit} found out for the other parts of it
   */
  @SuppressWarnings("ArrayRecordComponent") // lent for a call
  record Origin(
      List<FieldVector> columns, int rows, int[] selection, Map<FieldVector, Long> dictionaries) {}

  /** A vector of values of a type. */
  record KeyColumn(FieldVector vector, DataType type) {}

  /** What was written. */
  record Result(boolean compact, int markCount, long sizeBytes, ChecksumsFile checksums) {}

  /**
   * Writes all files of a part, checksums.txt last. Nothing is synced unless the settings say so.
   *
   * @param directory of the part
   */
  Result write(Disk directory, TableDefinition table, Block block) throws IOException {
    Tools tools = take();
    try {
      return write(directory, table, block, tools);
    } finally {
      free.addFirst(tools);
    }
  }

  private Result write(Disk directory, TableDefinition table, Block block, Tools tools)
      throws IOException {
    Compressor compressor = tools.compressor();
    DirectBytes frame = tools.frame();
    TableSettings settings = table.settings();
    PartFiles files = new PartFiles(directory, compressor, settings.fsyncAfterInsert());
    List<ColumnDefinition> definitions = table.storedColumns();
    Workers spread = workers.forValues((long) block.rows() * definitions.size());
    long[] sizes = new long[definitions.size()];
    List<Optional<SparseChoice>> choices = choices(spread, definitions, block, settings, sizes);
    long bytes = Arrays.stream(sizes).sum();
    boolean compact =
        settings.adaptive()
            && (bytes < settings.minBytesForWidePart()
                || block.rows() < settings.minRowsForWidePart());
    int[] granules = Granules.of(block.rows(), bytes, compact, settings);
    boolean finalMark = settings.adaptive();
    boolean modern = settings.profile() == Profile.MODERN;

    List<SerializationFile.Column> infos = new ArrayList<>();
    List<CompactColumns.Column> columns = new ArrayList<>();
    List<ColumnsSubstreamsFile.Column> substreams = new ArrayList<>();
    try {
      for (int i = 0; i < definitions.size(); i++) {
        ColumnDefinition definition = definitions.get(i);
        FieldVector vector = block.columns().get(i);
        Encodings.Kind kind = kindOf(definition, choices.get(i), settings, infos);
        Encodings.Options options =
            new Encodings.Options(
                compact ? Mode.COMPACT : Mode.WIDE,
                settings.stringsWithSizes(),
                settings.stringsWithSizes() && settings.typesForNested(),
                settings.sparseNullable(),
                !modern,
                kind);
        Encoding encoding = Encodings.of(definition.name(), definition.type(), options, allocator);
        columns.add(new CompactColumns.Column(definition, encoding, vector));
        substreams.add(
            new ColumnsSubstreamsFile.Column(
                definition.name(),
                encoding.streams().stream().map(Encoding.Substream::name).toList()));
      }
      if (compact) {
        new CompactColumns(files, settings, compressor, frame, granules).write(columns);
      } else {
        WideColumns wide =
            new WideColumns(files, settings, compressor, frame, granules, columns.size());
        write(wide, columns, spread);
      }
    } finally {
      columns.forEach(c -> c.encoding().close());
    }
    PrimaryIndex.write(files, block, granules, finalMark, settings);
    SkipIndexes.write(files, block.indexes(), granules, settings, compact, compressor, frame);
    for (Map.Entry<String, byte[]> file : block.smallFiles().entrySet()) {
      files.write(file.getKey(), file.getValue());
    }
    if (modern || !table.oldSyntax()) {
      files.write(CountFile.NAME, new CountFile(block.rows()).write());
    }
    if (modern && (!infos.isEmpty() || versioned(settings))) {
      files.write(SerializationFile.NAME, serialization(infos, settings).write());
    }
    files.writeUnlisted(
        ColumnsFile.NAME,
        new ColumnsFile(
                definitions.stream()
                    .map(d -> new ColumnsFile.Column(d.name(), d.type().text()))
                    .toList())
            .write());
    if (modern && (!compact || settings.marksForSubstreams())) {
      files.writeUnlisted(
          ColumnsSubstreamsFile.NAME, new ColumnsSubstreamsFile(substreams).write());
    }
    if (modern) {
      files.writeUnlisted(
          DefaultCodecFile.NAME, new DefaultCodecFile(settings.defaultCodec()).write());
      files.writeUnlisted(MetadataVersionFile.NAME, new MetadataVersionFile(0).write());
    }
    ChecksumsFile checksums = new ChecksumsFile(files.entries());
    files.writeUnlisted(
        ChecksumsFile.NAME, checksums.write(compressor, CodecChain.LZ4, ChecksumsFile.BLOCK_BYTES));
    return new Result(compact, granules.length + (finalMark ? 1 : 0), files.sizeBytes(), checksums);
  }

  private void write(WideColumns wide, List<CompactColumns.Column> columns, Workers spread)
      throws IOException {
    List<Set<String>> others =
        columns.stream().map(c -> wide.writtenByOthers(c.encoding())).toList();
    spread.each(
        columns.size(),
        i -> {
          CompactColumns.Column column = columns.get(i);
          Tools tools = take();
          try {
            wide.with(tools.compressor(), tools.frame())
                .write(column.definition(), column.encoding(), column.vector(), others.get(i));
          } finally {
            free.addFirst(tools);
          }
        });
  }

  /**
   * Looks at every column once.
   *
   * @param sizes filled with the bytes in memory of each
   * @return which columns may be sparse, and what decides about it
   */
  private static List<Optional<SparseChoice>> choices(
      Workers spread,
      List<ColumnDefinition> definitions,
      Block block,
      TableSettings settings,
      long[] sizes)
      throws IOException {
    List<Optional<SparseChoice>> choices =
        new ArrayList<>(Collections.nCopies(definitions.size(), Optional.empty()));
    Origin origin = block.origin();
    spread.each(
        definitions.size(),
        i -> {
          DataType type = definitions.get(i).type();
          sizes[i] =
              InMemorySize.ofSplit(
                  block.columns().get(i),
                  type,
                  block.rows(),
                  origin.columns().get(i),
                  origin.rows(),
                  origin.dictionaries());
          if (settings.sparseRatio() < 1) {
            choices.set(
                i,
                SparseChoice.of(
                    origin.columns().get(i),
                    type,
                    origin.selection(),
                    settings.sparseRatio(),
                    settings.exactDefaultCounts(),
                    settings.sparseNullable()));
          }
        });
    return choices;
  }

  private static Encodings.Kind kindOf(
      ColumnDefinition column,
      Optional<SparseChoice> choice,
      TableSettings settings,
      List<SerializationFile.Column> infos) {
    choice.ifPresent(
        c ->
            infos.add(
                new SerializationFile.Column(
                    column.name(), info(c, column.type(), settings.exactDefaultCounts()))));
    return choice.map(SparseChoice::kind).orElse(Encodings.Kind.DEFAULT);
  }

  private static SerializationFile.Info info(SparseChoice choice, DataType type, boolean exact) {
    Optional<List<SerializationFile.Info>> elements = Optional.empty();
    if (type.storage() instanceof TupleType tuple) {
      List<SerializationFile.Info> infos = new ArrayList<>();
      for (int i = 0; i < tuple.elements().size(); i++) {
        infos.add(info(choice.elements().get(i), tuple.elements().get(i).type(), exact));
      }
      elements = Optional.of(infos);
    }
    return new SerializationFile.Info(
        choice.sparse() ? SerializationFile.Kind.SPARSE : SerializationFile.Kind.DEFAULT,
        choice.defaults(),
        choice.rows(),
        exact && elements.isEmpty(),
        elements);
  }

  /** Whether types have other forms than the oldest, which the file then says. */
  static boolean versioned(TableSettings settings) {
    return settings.stringsWithSizes() || settings.sparseNullable();
  }

  /** What the file says with these columns. */
  static SerializationFile serialization(
      List<SerializationFile.Column> infos, TableSettings settings) {
    if (!versioned(settings)) {
      return new SerializationFile(0, false, Map.of(), infos);
    }
    Map<String, Integer> versions = new java.util.TreeMap<>();
    versions.put("string", settings.stringsWithSizes() ? 1 : 0);
    if (settings.sparseNullable()) {
      versions.put("nullable", 1);
    }
    return new SerializationFile(1, settings.typesForNested(), versions, infos);
  }

  @Override
  public void close() {
    for (Tools tools : free) {
      tools.frame().close();
      tools.compressor().close();
    }
  }
}
