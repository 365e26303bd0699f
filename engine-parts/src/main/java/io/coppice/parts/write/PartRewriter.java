package io.coppice.parts.write;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.SecondNames;
import io.coppice.language.expression.Expression;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.type.DataType;
import io.coppice.parts.column.Encoding;
import io.coppice.parts.column.Encoding.Mode;
import io.coppice.parts.column.Encoding.Substream;
import io.coppice.parts.column.Encodings;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.compress.CodecChain;
import io.coppice.parts.compress.Compressor;
import io.coppice.parts.compress.DirectBytes;
import io.coppice.parts.expression.ColumnExpression;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.Surroundings;
import io.coppice.parts.format.ChecksumsFile;
import io.coppice.parts.format.ColumnsFile;
import io.coppice.parts.format.ColumnsSubstreamsFile;
import io.coppice.parts.format.CountFile;
import io.coppice.parts.format.DefaultCodecFile;
import io.coppice.parts.format.MetadataVersionFile;
import io.coppice.parts.format.PackedFile;
import io.coppice.parts.format.PartitionFile;
import io.coppice.parts.format.SerializationFile;
import io.coppice.parts.format.TtlFile;
import io.coppice.parts.name.FileNames;
import io.coppice.parts.scan.BatchStream;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.scan.Scan;
import io.coppice.parts.scan.StoredColumns;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Writes a part anew as a mutation changes it: columns dropped, renamed, converted, skip indexes
 * dropped. What does not change is not written but gets second names; granules stay as they are.
 *
 * <p>Of a Wide part only the streams of converted columns are written. A Compact part has all its
 * columns in one file, which is written anew unless columns are only renamed. Statistics are left
 * out, and skip indexes over values that change: both only help to read less.
 *
 * <p>Confined to one thread; the owner closes it.
 */
public final class PartRewriter implements AutoCloseable {
  /** Most rows of a Wide part's column that are in memory at once, if a granule has not more. */
  private static final int BATCH_ROWS = 1 << 18;

  private static final String SKIP_INDEX = "skp_idx_";
  private static final String PROJECTION = ".proj";

  private final Disk disk;
  private final TableDefinition table;
  private final BufferAllocator allocator;
  private final Compressor compressor;
  private final DirectBytes frame;

  /**
   * @param disk of the table's directory
   * @param table as it is when the mutation is done
   */
  public PartRewriter(Disk disk, TableDefinition table, BufferAllocator allocator) {
    this.disk = disk;
    this.table = table;
    this.allocator = allocator;
    this.compressor = new Compressor(allocator);
    this.frame = new DirectBytes(allocator);
  }

  /**
   * Writes what {@code change} makes of a part.
   *
   * @param from the directory that the part lies in, in the table's
   * @param to a directory that is not there; after an error its owner deletes it
   */
  public void write(LoadedPart part, String from, String to, PartChange change) throws IOException {
    disk.createDirectories(to);
    new Writing(part, from, to, change).write();
    if (table.settings().fsyncPartDirectory()) {
      disk.syncDirectory(to);
    }
  }

  /** A column of the new part and the streams that hold it. */
  private record Column(
      String name,
      PartChange.Column change,
      Optional<WrittenInfo> info,
      List<String> oldStreams,
      List<String> streams) {

    /** How the values are laid out in the new part. */
    Encodings.Options written(Encodings.Options stored) {
      if (!change.converted()) {
        return stored;
      }
      return new Encodings.Options(
          stored.mode(),
          stored.stringSizes(),
          stored.nestedStringSizes(),
          stored.sparseNullable(),
          stored.emptyDictionaryNulls(),
          info.map(WrittenInfo::kind).orElse(Encodings.Kind.DEFAULT));
    }

    /** Counts the defaults of granules. */
    void count(FieldVector vector, List<Granules.Piece> granules) {
      if (info.isPresent()) {
        granules.forEach(granule -> info.get().add(vector, granule.from(), granule.to()));
      }
    }
  }

  /** The writing of one part. */
  private final class Writing {
    private final LoadedPart part;
    private final String from;
    private final String to;
    private final PartChange change;
    private final PartFiles files;
    private final TableSettings settings;
    private final Granules granules;
    private final boolean dataStays;
    private final List<Column> columns = new ArrayList<>();
    private final Optional<ColumnsSubstreamsFile> oldStreams;

    Writing(LoadedPart part, String from, String to, PartChange change) throws IOException {
      this.part = part;
      this.from = from;
      this.to = to;
      this.change = change;
      this.files = new PartFiles(disk.within(to), compressor, table.settings().fsyncAfterInsert());
      this.settings =
          table
              .settings()
              .withMarks(
                  part.markFormat().compressed(),
                  part.markFormat().rows(),
                  part.markFormat().perStream());
      this.granules =
          Granules.known(
              settings,
              part.compact(),
              IntStream.range(0, part.granuleCount()).map(part::rowsIn).toArray());
      this.dataStays =
          part.compact()
              && change.oldNames().equals(List.copyOf(part.columns().keySet()))
              && change.columns().values().stream().noneMatch(PartChange.Column::converted);
      this.oldStreams =
          part.files().containsKey(ColumnsSubstreamsFile.NAME)
              ? Optional.of(
                  ColumnsSubstreamsFile.read(
                      part.readAll(ColumnsSubstreamsFile.NAME, ColumnsSubstreamsFile.LIMIT_BYTES),
                      ColumnsSubstreamsFile.NAME))
              : Optional.empty();
      for (String name : order()) {
        columns.add(column(name, ofTable(name, change.columns().get(name))));
      }
    }

    /**
     * Types that need no conversion, as of Date and UInt16, are the table's as soon as a column is
     * written: in a Compact part, when any of them is.
     */
    private PartChange.Column ofTable(String name, PartChange.Column column) {
      Optional<DataType> type = table.column(name).map(ColumnDefinition::type);
      return part.compact() && !dataStays && type.isPresent()
          ? new PartChange.Column(column.oldName(), column.stored(), type.get())
          : column;
    }

    /** Names in the order of the table, unless marks bind them to the one that they have. */
    private Set<String> order() {
      Set<String> names = new LinkedHashSet<>();
      if (!dataStays) {
        table.columns().forEach(c -> names.add(c.name()));
        names.retainAll(change.columns().keySet());
      }
      names.addAll(change.columns().keySet());
      return names;
    }

    private Column column(String name, PartChange.Column column) {
      if (!part.readable(column.oldName()) && !column.converted()) {
        List<String> streams = listed(column.oldName());
        String before = FileNames.escape(column.oldName());
        String after = FileNames.escape(name);
        return new Column(
            name,
            column,
            Optional.empty(),
            streams,
            streams.stream().map(s -> after + s.substring(before.length())).toList());
      }
      Encodings.Options stored = options(column);
      Column made =
          new Column(
              name,
              column,
              info(column),
              names(Encodings.streams(column.oldName(), column.stored(), stored)),
              List.of());
      return new Column(
          name,
          column,
          made.info(),
          made.oldStreams(),
          names(Encodings.streams(name, column.wanted(), made.written(stored))));
    }

    private Optional<WrittenInfo> info(PartChange.Column column) {
      boolean written = column.converted() || part.compact() && !dataStays;
      if (!written || part.serialization().isEmpty() || settings.sparseRatio() >= 1) {
        return Optional.empty();
      }
      return WrittenInfo.of(
          column.stored(),
          column.wanted(),
          part.serialization().get().info(column.oldName()),
          settings.exactDefaultCounts(),
          options(column).sparseNullable());
    }

    private List<String> listed(String column) {
      return oldStreams.stream()
          .flatMap(f -> f.columns().stream())
          .filter(c -> c.name().equals(column))
          .findFirst()
          .orElseThrow(() -> ArrowMapping.unreadable(column, part.columns().get(column)))
          .streams();
    }

    private Encodings.Options options(PartChange.Column column) {
      return part.options(column.oldName(), part.compact() ? Mode.COMPACT : Mode.WIDE);
    }

    private static List<String> names(List<Substream> streams) {
      return streams.stream().map(Substream::name).toList();
    }

    void write() throws IOException {
      if (part.compact()) {
        if (dataStays) {
          link("data.bin", "data.bin");
          link(marks("data"), marks("data"));
        } else {
          compact();
        }
      } else {
        wide();
      }
      otherFiles();
      serialization();
      files.writeUnlisted(
          ColumnsFile.NAME,
          new ColumnsFile(
                  columns.stream()
                      .map(c -> new ColumnsFile.Column(c.name(), c.change().wanted().text()))
                      .toList())
              .write());
      if (oldStreams.isPresent()) {
        files.writeUnlisted(
            ColumnsSubstreamsFile.NAME,
            new ColumnsSubstreamsFile(
                    columns.stream()
                        .map(c -> new ColumnsSubstreamsFile.Column(c.name(), c.streams()))
                        .toList())
                .write());
      }
      ttl();
      if (part.checksums().isPresent()) {
        files.writeUnlisted(
            ChecksumsFile.NAME,
            new ChecksumsFile(files.entries())
                .write(compressor, CodecChain.LZ4, ChecksumsFile.BLOCK_BYTES));
      }
    }

    private String marks(String stem) {
      return stem + part.markFormat().extension();
    }

    private void link(String file, String as) throws IOException {
      SecondNames.ofFile(disk, from + "/" + file, to + "/" + as);
      part.checksums()
          .map(c -> c.files().get(file))
          .ifPresent(entry -> files.entries().put(as, entry));
    }

    private ColumnDefinition definition(Column column) {
      return table
          .column(column.name())
          .orElseGet(() -> ColumnDefinition.of(column.name(), column.change().wanted()));
    }

    private void compact() throws IOException {
      List<CompactColumns.Column> written = new ArrayList<>();
      List<FieldVector> vectors = new ArrayList<>();
      List<Granules.Piece> pieces = granules.cursor().next(Math.toIntExact(part.rowCount()));
      try (StoredColumns stored = new StoredColumns(part, allocator)) {
        for (Column column : columns) {
          PartChange.Column change = column.change();
          requireReadable(change.oldName());
          FieldVector vector = read(stored, column, 0, part.granuleCount());
          vectors.add(vector);
          column.count(vector, pieces);
          written.add(
              new CompactColumns.Column(
                  definition(column),
                  Encodings.of(
                      column.name(), change.wanted(), column.written(options(change)), allocator)));
        }
        try (CompactColumns compact =
            new CompactColumns(files, settings, compressor, frame, granules, written)) {
          compact.add(vectors, pieces);
          compact.finish();
        }
      } finally {
        written.forEach(c -> c.encoding().close());
        Vectors.close(vectors);
      }
    }

    /** Granules [from, to) of a column as the new part is to have them; the caller closes them. */
    private FieldVector read(StoredColumns stored, Column column, int from, int to)
        throws IOException {
      PartChange.Column change = column.change();
      FieldVector vector = stored.read(change.oldName(), from, to);
      if (!change.converted()) {
        return vector;
      }
      try (vector) {
        VectorSchemaRoot root =
            new VectorSchemaRoot(
                List.of(vector.getField()), List.of(vector), vector.getValueCount());
        return conversion(column)
            .evaluate(root, ArrowMapping.field(column.name(), change.wanted()), allocator);
      }
    }

    /** NULL becomes the column's default where the new type has none. */
    private ColumnExpression conversion(Column column) {
      PartChange.Column change = column.change();
      Optional<Expression> otherwise =
          table
              .column(column.name())
              .flatMap(ColumnDefinition::expression)
              .filter(e -> change.stored().nullable() && !change.wanted().nullable());
      if (otherwise.isEmpty()) {
        return ColumnExpression.conversion(change.oldName(), change.stored(), change.wanted());
      }
      return ColumnExpression.of(
          column.name(),
          "in place of NULL",
          change.wanted(),
          Expression.FunctionCall.of(
              "ifNull", Expression.Identifier.of(change.oldName()), otherwise.get()),
          ExpressionCompiler.of(Map.of(change.oldName(), change.stored())));
    }

    private void requireReadable(String column) {
      DataType type = part.columns().get(column);
      if (!ArrowMapping.readable(type)) {
        throw ArrowMapping.unreadable(column, type);
      }
    }

    private void wide() throws IOException {
      WideColumns wide =
          new WideColumns(files, settings, compressor, frame, granules, columns.size());
      Set<String> linked = new TreeSet<>();
      for (Column column : columns) {
        if (column.change().converted()) {
          continue;
        }
        for (int i = 0; i < column.streams().size(); i++) {
          String stream = column.streams().get(i);
          wide.sizesAreThere(stream);
          if (linked.add(stream)) {
            String before = stem(column.oldStreams().get(i));
            String after = FileNames.ofStream(stream, settings.fileNameLimit());
            link(before + ".bin", after + ".bin");
            link(marks(before), marks(after));
          }
        }
      }
      for (Column column : columns) {
        if (column.change().converted()) {
          converted(wide, column);
        }
      }
    }

    private String stem(String stream) {
      return part.files().containsKey(stream + ".bin") ? stream : FileNames.hashed(stream);
    }

    private void converted(WideColumns wide, Column column) throws IOException {
      PartChange.Column change = column.change();
      requireReadable(change.oldName());
      Encoding encoding =
          Encodings.of(column.name(), change.wanted(), column.written(options(change)), allocator);
      try (WideColumns.Open open = wide.open(definition(column), encoding);
          StoredColumns stored = new StoredColumns(part, allocator)) {
        int granule = 0;
        Granules.Cursor cursor = granules.cursor();
        while (granule < granules.count()) {
          int end = granule;
          int rows = 0;
          do {
            rows += granules.rows(end++);
          } while (end < granules.count() && (long) rows + granules.rows(end) <= BATCH_ROWS);
          try (FieldVector vector = read(stored, column, granule, end)) {
            List<Granules.Piece> pieces = cursor.next(rows);
            column.count(vector, pieces);
            open.add(vector, pieces);
          }
          granule = end;
        }
        open.finish();
      }
    }

    private void otherFiles() throws IOException {
      Set<String> dropped = new TreeSet<>();
      for (String index : droppedIndexes()) {
        for (String stem : List.of(SKIP_INDEX + FileNames.escape(index), SKIP_INDEX + index)) {
          dropped.add(stem);
          dropped.add(FileNames.hashed(stem));
        }
      }
      for (String file : part.files().keySet()) {
        if (file.equals(PackedFile.SKIP_INDEXES)) {
          packed(dropped);
        } else if (stays(file, dropped)) {
          link(file, file);
        }
      }
      for (Disk.Entry entry : disk.list(from)) {
        if (entry.directory() && entry.name().endsWith(PROJECTION)) {
          SecondNames.ofDirectory(disk, from + "/" + entry.name(), to + "/" + entry.name());
          part.checksums()
              .map(c -> c.files().get(entry.name()))
              .ifPresent(listed -> files.entries().put(entry.name(), listed));
        }
      }
    }

    private boolean stays(String file, Set<String> droppedStems) {
      if (file.startsWith(SKIP_INDEX) || hashedIndex(file)) {
        return !droppedStems.contains(file.substring(0, file.indexOf('.')));
      }
      return file.equals(CountFile.NAME)
          || file.equals(PartitionFile.NAME)
          || file.equals(DefaultCodecFile.NAME)
          || file.equals(MetadataVersionFile.NAME)
          || file.equals("source_parts.dat")
          || file.startsWith("minmax_") && file.endsWith(".idx")
          || file.startsWith("primary.");
    }

    /** Files of an index whose name is so long that a hash stands for it. */
    private boolean hashedIndex(String file) {
      int dot = file.indexOf('.');
      return dot == 32
          && file.substring(0, dot).matches("[0-9a-f]{32}")
          && (part.files().containsKey(file.substring(0, dot) + ".idx")
              || part.files().containsKey(file.substring(0, dot) + ".idx2"));
    }

    private void packed(Set<String> droppedStems) throws IOException {
      PackedFile all =
          PackedFile.read(
              part.readAll(PackedFile.SKIP_INDEXES, PackedFile.LIMIT_BYTES),
              PackedFile.SKIP_INDEXES);
      List<PackedFile.Entry> kept =
          all.entries().stream()
              .filter(e -> !droppedStems.contains(e.name().substring(0, e.name().indexOf('.'))))
              .toList();
      if (kept.size() == all.entries().size()) {
        link(PackedFile.SKIP_INDEXES, PackedFile.SKIP_INDEXES);
      } else if (!kept.isEmpty()) {
        files.write(PackedFile.SKIP_INDEXES, new PackedFile(all.version(), kept).write());
      }
    }

    /** Those that the mutation drops, and those over values that it changes. */
    private Set<String> droppedIndexes() {
      Set<String> changed = new TreeSet<>(change.changedColumns());
      int before;
      do {
        before = changed.size();
        for (ColumnDefinition column : table.columns()) {
          boolean computed = !change.columns().containsKey(column.name());
          if (computed && column.expression().filter(e -> uses(e, changed)).isPresent()) {
            changed.add(column.name());
          }
        }
      } while (changed.size() > before);
      Set<String> dropped = new TreeSet<>(change.droppedIndexes());
      for (CreateTable.Index index : table.indexes()) {
        if (uses(index.expression(), changed)) {
          dropped.add(index.name());
        }
      }
      return dropped;
    }

    private boolean uses(Expression expression, Set<String> columns) {
      Set<String> names = new TreeSet<>();
      expression.collectNames(names);
      return names.stream().anyMatch(columns::contains);
    }

    private void serialization() throws IOException {
      if (part.serialization().isEmpty()) {
        return;
      }
      SerializationFile old = part.serialization().get();
      Map<String, SerializationFile.Info> infos = new LinkedHashMap<>();
      old.columns().forEach(c -> infos.put(c.name(), c.info()));
      List<SerializationFile.Column> kept = new ArrayList<>();
      for (Column column : columns) {
        Optional<SerializationFile.Info> info =
            column.info().isPresent() || column.change().converted()
                ? column.info().map(WrittenInfo::info)
                : Optional.ofNullable(infos.get(column.change().oldName()));
        info.ifPresent(i -> kept.add(new SerializationFile.Column(column.name(), i)));
      }
      files.write(
          SerializationFile.NAME,
          new SerializationFile(old.version(), old.propagate(), old.typeVersions(), kept).write());
    }

    private void ttl() throws IOException {
      boolean there = part.files().containsKey(TtlFile.NAME);
      if (table.ttl().isEmpty() || !there && !change.ttl()) {
        return;
      }
      boolean same =
          change.gone().isEmpty()
              && change.columns().entrySet().stream()
                  .allMatch(
                      c -> c.getKey().equals(c.getValue().oldName()) && !c.getValue().converted());
      if (there && same && !change.ttl()) {
        link(TtlFile.NAME, TtlFile.NAME);
        return;
      }
      Map<String, DataType> schema = new LinkedHashMap<>();
      table.columns().forEach(c -> schema.put(c.name(), c.type()));
      TtlTimes times =
          new TtlTimes(table, ExpressionCompiler.of(schema).in(Surroundings.system()).forKeys());
      TtlTimes.Gathered gathered = times.new Gathered();
      LoadedPart written =
          LoadedPart.open(disk.within(to), part.name(), LoadedPart.Hints.NONE, allocator);
      try (BatchStream batches =
          Scan.of(written)
              .table(table)
              .columns(times.columns().toArray(String[]::new))
              .open(allocator)) {
        while (batches.next()) {
          int rows = batches.batch().getRowCount();
          gathered.add(
              times.over(batches.batch().getFieldVectors(), rows, allocator),
              IntStream.range(0, rows).toArray());
        }
      }
      Optional<byte[]> file = gathered.file();
      if (file.isPresent()) {
        files.write(TtlFile.NAME, file.get());
      }
    }
  }

  @Override
  public void close() {
    frame.close();
    compressor.close();
  }
}
