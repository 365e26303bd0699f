package io.coppice.parts.write;

import io.coppice.base.disk.Disk;
import io.coppice.language.expression.Expression;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.type.DataType;
import io.coppice.parts.column.Encoding.Mode;
import io.coppice.parts.column.Encoding.Substream;
import io.coppice.parts.column.Encodings;
import io.coppice.parts.compress.CodecChain;
import io.coppice.parts.compress.CodecHash;
import io.coppice.parts.compress.Compressor;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.TypedExpression;
import io.coppice.parts.format.ChecksumsFile;
import io.coppice.parts.format.ColumnsFile;
import io.coppice.parts.format.ColumnsSubstreamsFile;
import io.coppice.parts.format.CountFile;
import io.coppice.parts.format.DefaultCodecFile;
import io.coppice.parts.format.MarkFormat;
import io.coppice.parts.format.MetadataVersionFile;
import io.coppice.parts.format.PartitionFile;
import io.coppice.parts.format.PrimaryIndexFile;
import io.coppice.parts.format.SerializationFile;
import io.coppice.parts.name.FileNames;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.skip.SkipIndex;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A part without rows, which takes the place of parts that are dropped: as long as it is there they
 * do not count. ClickHouse drops parts in the same way, and the files are those that it writes:
 * data, marks, primary index and skip indexes hold nothing, not even a mark for their end.
 *
 * <p>Golden files: {@code m_empty_after_ttl_drop} and {@code m_empty_truncate_compact} of 26.7.
 * Stateless.
 */
public final class EmptyPart {
  private EmptyPart() {}

  /**
   * Writes one, with the table's columns.
   *
   * @param directory of the part; made here
   * @param dropped a part of the same partition
   */
  public static void write(
      Disk disk,
      String directory,
      TableDefinition table,
      LoadedPart dropped,
      BufferAllocator allocator)
      throws IOException {
    disk.deleteRecursively(directory);
    disk.createDirectories(directory);
    try (Compressor compressor = new Compressor(allocator)) {
      PartFiles files =
          new PartFiles(disk.within(directory), compressor, table.settings().fsyncAfterInsert());
      if (dropped.files().containsKey(PartitionFile.NAME)) {
        files.write(
            PartitionFile.NAME, dropped.readAll(PartitionFile.NAME, PartitionFile.LIMIT_BYTES));
      }
      write(files, table);
      files.writeUnlisted(
          ChecksumsFile.NAME,
          new ChecksumsFile(files.entries())
              .write(compressor, CodecChain.LZ4, ChecksumsFile.BLOCK_BYTES));
    }
    if (table.settings().fsyncPartDirectory()) {
      disk.syncDirectory(directory);
    }
  }

  private static void write(PartFiles files, TableDefinition table) throws IOException {
    TableSettings settings = table.settings();
    boolean modern = settings.profile() == TableSettings.Profile.MODERN;
    boolean compact =
        settings.adaptive()
            && (settings.minBytesForWidePart() > 0 || settings.minRowsForWidePart() > 0);
    MarkFormat marks = Marks.format(compact, settings);
    List<Column> columns = columns(table, compact);
    if (compact) {
      files.writeNoFrames("data.bin", CompactColumns.hashOfNoRows(chainCount(columns, settings)));
      marks(files, "data" + marks.extension(), settings);
    } else {
      Set<String> streams = new LinkedHashSet<>();
      columns.forEach(c -> streams.addAll(c.named().streams()));
      for (String stream : streams) {
        String stem = FileNames.ofStream(stream, settings.fileNameLimit());
        files.writeNoFrames(stem + ".bin");
        marks(files, stem + marks.extension(), settings);
      }
    }
    for (SkipIndex index : indexes(table)) {
      String stem = index.fileStem(settings.escapeIndexFileNames(), settings.fileNameLimit());
      files.writeNoFrames(stem + index.extension());
      marks(files, stem + marks.extension(), settings);
    }
    if (!table.primaryKey().isEmpty()) {
      if (settings.compressPrimaryKey()) {
        files.writeNoFrames(PrimaryIndexFile.COMPRESSED_NAME);
      } else {
        files.write(PrimaryIndexFile.NAME, new byte[0]);
      }
    }
    if (modern || !table.oldSyntax()) {
      files.write(CountFile.NAME, new CountFile(0).write());
    }
    files.writeUnlisted(
        ColumnsFile.NAME,
        new ColumnsFile(
                table.storedColumns().stream()
                    .map(d -> new ColumnsFile.Column(d.name(), d.type().text()))
                    .toList())
            .write());
    if (modern) {
      if (OpenPart.versioned(settings)) {
        files.write(SerializationFile.NAME, OpenPart.serialization(List.of(), settings).write());
      }
      if (!compact || settings.marksForSubstreams()) {
        files.writeUnlisted(
            ColumnsSubstreamsFile.NAME,
            new ColumnsSubstreamsFile(columns.stream().map(Column::named).toList()).write());
      }
      files.writeUnlisted(
          DefaultCodecFile.NAME, new DefaultCodecFile(settings.defaultCodec()).write());
      files.writeUnlisted(MetadataVersionFile.NAME, new MetadataVersionFile(0).write());
    }
  }

  private static void marks(PartFiles files, String name, TableSettings settings)
      throws IOException {
    if (settings.compressMarks()) {
      files.writeNoFrames(name);
    } else {
      files.write(name, new byte[0]);
    }
  }

  /** A column and the streams that would hold its values. */
  private record Column(ColumnDefinition definition, List<Substream> streams) {
    ColumnsSubstreamsFile.Column named() {
      return new ColumnsSubstreamsFile.Column(
          definition.name(), streams.stream().map(Substream::name).toList());
    }
  }

  private static List<Column> columns(TableDefinition table, boolean compact) {
    TableSettings settings = table.settings();
    Encodings.Options options =
        new Encodings.Options(
            compact ? Mode.COMPACT : Mode.WIDE,
            settings.stringsWithSizes(),
            settings.stringsWithSizes() && settings.typesForNested(),
            settings.sparseNullable(),
            settings.profile() != TableSettings.Profile.MODERN,
            Encodings.Kind.DEFAULT);
    return table.storedColumns().stream()
        .map(c -> new Column(c, Encodings.streams(c.name(), c.type(), options)))
        .toList();
  }

  private static int chainCount(List<Column> columns, TableSettings settings) {
    Set<Long> chains = new HashSet<>();
    for (Column column : columns) {
      for (Substream stream : column.streams()) {
        chains.add(
            CodecHash.of(
                ColumnStreams.chain(column.definition(), stream, settings.defaultCodec())));
      }
    }
    return chains.size();
  }

  private static List<SkipIndex> indexes(TableDefinition table) {
    Map<String, DataType> schema = new LinkedHashMap<>();
    table.columns().forEach(c -> schema.put(c.name(), c.type()));
    ExpressionCompiler compiler = ExpressionCompiler.of(schema).forKeys();
    List<SkipIndex> indexes = new ArrayList<>();
    for (CreateTable.Index index : table.indexes()) {
      List<Expression> elements = index.expression().keyElements();
      indexes.add(
          SkipIndex.of(
              index, elements.stream().map(compiler::compile).map(TypedExpression::type).toList()));
    }
    return indexes;
  }
}
