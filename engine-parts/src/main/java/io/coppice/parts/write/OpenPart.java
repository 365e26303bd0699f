package io.coppice.parts.write;

import io.coppice.parts.column.Encoding;
import io.coppice.parts.column.Encoding.Mode;
import io.coppice.parts.column.Encodings;
import io.coppice.parts.compress.CodecChain;
import io.coppice.parts.format.ChecksumsFile;
import io.coppice.parts.format.ColumnsFile;
import io.coppice.parts.format.ColumnsSubstreamsFile;
import io.coppice.parts.format.CountFile;
import io.coppice.parts.format.DefaultCodecFile;
import io.coppice.parts.format.MetadataVersionFile;
import io.coppice.parts.format.SerializationFile;
import io.coppice.parts.skip.SkipIndex;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings;
import io.coppice.parts.table.TableSettings.Profile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/**
 * The files of a part that is being written from sorted rows: columns, marks, primary index, skip
 * indexes, and at the end the small files. Rows come in pieces of granules that the caller has cut.
 *
 * <p>Columns come side by side ({@link #add}), or each by itself, whole ({@link #addOnly}) or in
 * pieces ({@link #begin}); of a Compact part all come side by side.
 *
 * <p>Confined to one thread; the owner closes it, which leaves the files as they are.
 */
final class OpenPart implements AutoCloseable {
  private final TableDefinition table;
  private final TableSettings settings;
  private final List<ColumnDefinition> definitions;
  private final boolean compact;
  private final Granules granules;
  private final PartTools tools;
  private final PartFiles files;
  private final List<Encoding> encodings = new ArrayList<>();
  private final List<ColumnsSubstreamsFile.Column> substreams = new ArrayList<>();
  private final Optional<CompactColumns> compactColumns;
  private final WideColumns wideColumns;
  private final List<WideColumns.Open> open = new ArrayList<>();
  private final PrimaryIndex primaryIndex;
  private final SkipIndexes.Building indexes;
  private long rows;

  /**
   * Begins a part in a directory that exists and is empty.
   *
   * @param kinds how each stored column of the table is written
   * @param tools borrowed
   * @param allocator for dictionaries
   */
  OpenPart(
      PartFiles files,
      TableDefinition table,
      boolean compact,
      Granules granules,
      List<Encodings.Kind> kinds,
      List<SkipIndex> indexes,
      PartTools tools,
      BufferAllocator allocator) {
    this.table = table;
    this.settings = table.settings();
    this.definitions = table.storedColumns();
    this.compact = compact;
    this.granules = granules;
    this.tools = tools;
    this.files = files;
    this.primaryIndex = new PrimaryIndex(settings);
    List<CompactColumns.Column> columns = new ArrayList<>();
    for (int i = 0; i < definitions.size(); i++) {
      ColumnDefinition definition = definitions.get(i);
      Encoding encoding =
          Encodings.of(
              definition.name(), definition.type(), options(compact, kinds.get(i)), allocator);
      encodings.add(encoding);
      columns.add(new CompactColumns.Column(definition, encoding));
      substreams.add(
          new ColumnsSubstreamsFile.Column(
              definition.name(),
              encoding.streams().stream().map(Encoding.Substream::name).toList()));
    }
    this.compactColumns =
        compact
            ? Optional.of(
                new CompactColumns(
                    files, settings, tools.compressor(), tools.frame(), granules, columns))
            : Optional.empty();
    this.wideColumns =
        new WideColumns(
            files, settings, tools.compressor(), tools.frame(), granules, definitions.size());
    this.indexes =
        new SkipIndexes.Building(
            files, settings, compact, tools.compressor(), tools.frame(), indexes, allocator);
  }

  private Encodings.Options options(boolean compact, Encodings.Kind kind) {
    return new Encodings.Options(
        compact ? Mode.COMPACT : Mode.WIDE,
        settings.stringsWithSizes(),
        settings.stringsWithSizes() && settings.typesForNested(),
        settings.sparseNullable(),
        settings.profile() != Profile.MODERN,
        kind);
  }

  /** Adds rows to the primary index, if there is one. Borrows the vectors. */
  void addKeys(int count, List<PartWriter.KeyColumn> primaryKey, List<Granules.Piece> pieces) {
    rows += count;
    if (!primaryKey.isEmpty()) {
      primaryIndex.add(primaryKey, count, pieces);
    }
  }

  /** Adds all rows that the part has to skip indexes. Borrows the vectors until the end. */
  void addOnlyIndexes(List<SkipIndexes.Values> values, List<Granules.Piece> pieces)
      throws IOException {
    indexes.addOnly(values, pieces);
  }

  /** Adds rows to skip indexes. Borrows the vectors. */
  void addIndexes(List<SkipIndexes.Values> values, List<Granules.Piece> pieces) throws IOException {
    indexes.add(values, pieces);
  }

  /** Adds rows to columns that come side by side, the same each time. Borrows the vectors. */
  void add(List<Integer> columns, List<FieldVector> vectors, List<Granules.Piece> pieces)
      throws IOException {
    if (compactColumns.isPresent()) {
      compactColumns.get().add(vectors, pieces);
      return;
    }
    if (open.isEmpty()) {
      for (int column : columns) {
        open.add(begin(column));
      }
    }
    for (int i = 0; i < vectors.size(); i++) {
      open.get(i).add(vectors.get(i), pieces);
    }
  }

  /** Adds all rows that the part has, worked off column by column. Borrows the vectors. */
  void addOnly(
      List<FieldVector> vectors, List<Granules.Piece> pieces, Workers workers, PartTools.Pool pool)
      throws IOException {
    if (compactColumns.isPresent()) {
      compactColumns.get().add(vectors, pieces);
      return;
    }
    List<Set<String>> others = encodings.stream().map(wideColumns::writtenByOthers).toList();
    workers.each(
        vectors.size(),
        i -> {
          PartTools own = pool.take();
          try {
            wideColumns
                .with(own.compressor(), own.frame())
                .write(definitions.get(i), encodings.get(i), vectors.get(i), pieces, others.get(i));
          } finally {
            pool.give(own);
          }
        });
  }

  /** Begins a column of a Wide part that comes by itself; the caller ends and closes it. */
  WideColumns.Open begin(int column) {
    return wideColumns.open(definitions.get(column), encodings.get(column));
  }

  /** Ends the columns that came side by side; their rows are all. */
  void endColumns() throws IOException {
    if (compactColumns.isPresent()) {
      compactColumns.get().finish();
    }
    for (WideColumns.Open column : open) {
      column.finish();
      column.close();
    }
    open.clear();
  }

  /**
   * Writes all that is left, checksums.txt last.
   *
   * @param smallFiles that depend on keys only, by name
   * @param infos of the columns that serialization.json names
   * @param alone names of skip indexes that have files of their own however small
   */
  PartWriter.Result finish(
      Map<String, byte[]> smallFiles, List<SerializationFile.Column> infos, Set<String> alone)
      throws IOException {
    boolean modern = settings.profile() == Profile.MODERN;
    if (table.primaryKeySize() > 0) {
      primaryIndex.finish(files);
    }
    indexes.finish(alone);
    for (Map.Entry<String, byte[]> file : smallFiles.entrySet()) {
      files.write(file.getKey(), file.getValue());
    }
    if (modern || !table.oldSyntax()) {
      files.write(CountFile.NAME, new CountFile(rows).write());
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
        ChecksumsFile.NAME,
        checksums.write(tools.compressor(), CodecChain.LZ4, ChecksumsFile.BLOCK_BYTES));
    return new PartWriter.Result(
        compact, granules.count() + (settings.adaptive() ? 1 : 0), files.sizeBytes(), checksums);
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
  public void close() throws IOException {
    Throwable failure = null;
    for (WideColumns.Open column : open) {
      try {
        column.close();
      } catch (IOException | RuntimeException e) {
        failure = failure == null ? e : failure;
      }
    }
    encodings.forEach(Encoding::close);
    indexes.close();
    if (compactColumns.isPresent()) {
      compactColumns.get().close();
    }
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
  }
}
