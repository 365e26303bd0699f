package io.coppice.query.system;

import io.coppice.base.disk.Disk;
import io.coppice.engine.Engine;
import io.coppice.engine.Table;
import io.coppice.language.expression.Expression;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.statement.Definition;
import io.coppice.language.text.ByteText;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.DateTimeType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.compress.CodecChain;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.format.ChecksumsFile;
import io.coppice.parts.format.MinMaxFile;
import io.coppice.parts.format.PartitionFile;
import io.coppice.parts.format.SerializationFile;
import io.coppice.parts.format.TtlFile;
import io.coppice.parts.inspect.PartSizes;
import io.coppice.parts.name.DetachedName;
import io.coppice.parts.name.PartName;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.set.Part;
import io.coppice.parts.set.PartState;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.text.TextBuffer;
import io.coppice.parts.text.ValueText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/** The tables parts, parts_columns, detached_parts and data_skipping_indices. Stateless. */
final class PartTables {
  private static final ZoneId ZONE = ZoneOffset.UTC;

  private PartTables() {}

  static void addTo(Map<String, SystemTables.Source> sources) {
    sources.put("parts", asked -> eachPart(asked.engine(), PartTables::part));
    sources.put("parts_columns", asked -> eachPart(asked.engine(), PartTables::columns));
    sources.put("detached_parts", asked -> detached(asked.engine()));
    sources.put("data_skipping_indices", asked -> indexes(asked.engine()));
  }

  private interface OfPart {
    void add(At at, LoadedPart part, List<SystemRow> rows) throws IOException;
  }

  /** A part's place. */
  private record At(Engine engine, Table table, Part part) {
    TableDefinition definition() {
      return table.definition();
    }
  }

  private static List<SystemRow> eachPart(Engine engine, OfPart of) throws IOException {
    return ServedTables.rows(
        engine.tables(),
        (table, rows) -> {
          for (Part part : table.allParts()) {
            Optional<LoadedPart> loaded = part.loaded();
            if (loaded.isEmpty()) {
              continue;
            }
            int before = rows.size();
            try {
              of.add(new At(engine, table, part), loaded.get(), rows);
            } catch (NoSuchFileException e) {
              // It was deleted while it was looked at.
              rows.subList(before, rows.size()).clear();
            }
          }
        });
  }

  private static void part(At at, LoadedPart part, List<SystemRow> rows) throws IOException {
    PartSizes sizes = PartSizes.of(part);
    SystemRow row = common(at, part, sizes);
    row.set("files", part.checksums().map(c -> c.files().size()).orElse(part.files().size()));
    row.set("primary_key_size", sizes.primaryIndex());
    row.set("secondary_indices_compressed_bytes", sizes.indexes().compressed());
    row.set("secondary_indices_uncompressed_bytes", sizes.indexes().uncompressed());
    row.set("secondary_indices_marks_bytes", sizes.indexMarks());
    row.set("default_compression_codec", codec(part));
    row.set("visible", at.part().state() == PartState.ACTIVE);
    if (part.checksums().isPresent()) {
      ChecksumsFile sums = part.checksums().get();
      row.set("hash_of_all_files", sums.hashOfAllFiles().numberHex());
      row.set("hash_of_uncompressed_files", sums.hashOfUncompressedFiles().numberHex());
      row.set(
          "uncompressed_hash_of_compressed_files",
          sums.uncompressedHashOfCompressedFiles().numberHex());
    }
    row.set("has_lightweight_delete", part.columns().containsKey("_row_exists"));
    row.set(
        "projections",
        part.files().keySet().stream()
            .filter(file -> file.endsWith(".proj"))
            .map(file -> file.substring(0, file.length() - 5))
            .toList());
    ttl(part, row);
    rows.add(row);
  }

  private static String codec(LoadedPart part) {
    String text = part.defaultCodec().map(CodecChain::text).orElse("CODEC(LZ4)");
    return text.substring("CODEC(".length(), text.length() - 1);
  }

  private static void ttl(LoadedPart part, SystemRow row) throws IOException {
    if (!part.files().containsKey(TtlFile.NAME)) {
      return;
    }
    TtlFile ttl = TtlFile.read(part.readAll(TtlFile.NAME, TtlFile.LIMIT_BYTES), TtlFile.NAME);
    ttl.table()
        .ifPresent(
            times -> {
              row.time("delete_ttl_info_min", times.minSeconds() * 1000);
              row.time("delete_ttl_info_max", times.maxSeconds() * 1000);
            });
    rules(ttl, TtlFile.RuleKind.MOVES, "move_ttl_info", row);
    rules(ttl, TtlFile.RuleKind.RECOMPRESSION, "recompression_ttl_info", row);
    rules(ttl, TtlFile.RuleKind.GROUP_BY, "group_by_ttl_info", row);
    rules(ttl, TtlFile.RuleKind.ROWS_WHERE, "rows_where_ttl_info", row);
  }

  private static void rules(TtlFile ttl, TtlFile.RuleKind kind, String column, SystemRow row) {
    List<TtlFile.Rule> rules = ttl.rules().getOrDefault(kind, List.of());
    row.set(column + ".expression", rules.stream().map(TtlFile.Rule::subject).toList());
    row.numbers(column + ".min", rules.stream().map(r -> r.times().minSeconds()).toList());
    row.numbers(column + ".max", rules.stream().map(r -> r.times().maxSeconds()).toList());
  }

  /** What parts and parts_columns both tell of a part. */
  private static SystemRow common(At at, LoadedPart part, PartSizes sizes) throws IOException {
    PartName name = at.part().name();
    SystemRow row = new SystemRow();
    row.set("partition", partition(at, part));
    row.set("name", name.text());
    row.set("part_type", part.compact() ? "Compact" : "Wide");
    row.set("active", at.part().state() == PartState.ACTIVE);
    row.set("marks", marks(part));
    row.set("rows", part.rowCount());
    row.set("bytes_on_disk", sizes.onDisk());
    row.set("data_compressed_bytes", sizes.data().compressed());
    row.set("data_uncompressed_bytes", sizes.data().uncompressed());
    row.set("marks_bytes", sizes.marks());
    row.set("refcount", 1);
    row.set("partition_id", name.partition());
    row.set("min_block_number", name.minBlock());
    row.set("max_block_number", name.maxBlock());
    row.set("level", name.level());
    row.set("data_version", name.dataVersion());
    row.set("database", at.table().name().database());
    row.set("table", at.table().name().table());
    row.set("engine", engineName(at.table()));
    row.set("disk_name", "default");
    row.set("path", part.disk().describe("") + "/");
    modified(at.engine(), part.disk()).ifPresent(millis -> row.time("modification_time", millis));
    extremes(at, part, row);
    return row;
  }

  /** Marks of a part, the final one included where its format has one. */
  static long marks(LoadedPart part) {
    int granules = part.granuleCount();
    return granules + (granules > 0 && part.markFormat().rows() ? 1 : 0);
  }

  /** The name of a table's engine. */
  static String engineName(Table table) {
    return table.create().engine().map(Definition::name).orElse("MergeTree");
  }

  private static Optional<Long> modified(Engine engine, Disk disk) throws IOException {
    if (engine.config().path().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(Files.getLastModifiedTime(Path.of(disk.describe("columns.txt"))).toMillis());
  }

  /** The partition's value as {@code system.parts} prints it. */
  static String partition(Engine engine, TableDefinition table, LoadedPart part)
      throws IOException {
    List<Expression> key = table.partitionKey();
    if (table.oldSyntax()) {
      String id = part.name();
      return id.length() >= 6 ? id.substring(0, 6) : id;
    }
    if (key.isEmpty()) {
      return "tuple()";
    }
    ExpressionCompiler compiler = ExpressionCompiler.of(types(table));
    List<DataType> types = key.stream().map(compiler::typeOf).toList();
    List<FieldVector> vectors = vectors(types, engine.allocator());
    try {
      PartitionFile.read(
          part.readAll(PartitionFile.NAME, PartitionFile.LIMIT_BYTES),
          PartitionFile.NAME,
          types,
          vectors);
      boolean one = types.size() == 1;
      ValueText.Style style = one ? ValueText.Style.PLAIN : ValueText.Style.QUOTED;
      List<String> values = new ArrayList<>();
      for (int i = 0; i < types.size(); i++) {
        values.add(text(vectors.get(i), 0, types.get(i), style));
      }
      return one ? values.get(0) : "(" + String.join(",", values) + ")";
    } finally {
      Vectors.close(vectors);
    }
  }

  private static String partition(At at, LoadedPart part) throws IOException {
    return partition(at.engine(), at.definition(), part);
  }

  private static String text(FieldVector vector, int row, DataType type, ValueText.Style style) {
    if (Vectors.isNull(vector, row) && style == ValueText.Style.PLAIN) {
      return "ᴺᵁᴸᴸ"; // as where people look
    }
    TextBuffer buffer = new TextBuffer();
    ValueText.of(type, style, ZONE).append(vector, row, buffer);
    return ByteText.of(buffer.toByteArray());
  }

  private static List<FieldVector> vectors(List<DataType> types, BufferAllocator allocator) {
    List<FieldVector> vectors = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      vectors.add(ArrowMapping.field("partition" + i, types.get(i)).createVector(allocator));
    }
    return vectors;
  }

  private static Map<String, DataType> types(TableDefinition table) {
    return table.columns().stream()
        .collect(
            Collectors.toMap(
                ColumnDefinition::name, ColumnDefinition::type, (a, b) -> a, LinkedHashMap::new));
  }

  /** The least and the greatest day or time of the column of the partition key that has one. */
  private static void extremes(At at, LoadedPart part, SystemRow row) throws IOException {
    for (ColumnDefinition column : at.definition().storedColumns()) {
      boolean date = column.type() == PlainType.DATE;
      boolean time = column.type() instanceof DateTimeType;
      String file = MinMaxFile.name(column.name());
      if ((!date && !time) || !part.files().containsKey(file)) {
        continue;
      }
      List<FieldVector> vectors = vectors(List.of(column.type()), at.engine().allocator());
      try {
        FieldVector vector = vectors.get(0);
        MinMaxFile.read(part.readAll(file, MinMaxFile.LIMIT_BYTES), file, column.type(), vector);
        DataType plain = date ? column.type() : new DateTimeType(Optional.empty());
        String kind = date ? "date" : "time";
        row.set("min_" + kind, text(vector, 0, plain, ValueText.Style.PLAIN));
        row.set("max_" + kind, text(vector, 1, plain, ValueText.Style.PLAIN));
      } finally {
        Vectors.close(vectors);
      }
    }
  }

  private static void columns(At at, LoadedPart part, List<SystemRow> rows) throws IOException {
    PartSizes sizes = PartSizes.of(part);
    Map<String, PartSizes.OfColumn> bytes = PartSizes.columns(part, at.engine().allocator());
    int position = 0;
    for (Map.Entry<String, DataType> column : part.columns().entrySet()) {
      SystemRow row = common(at, part, sizes);
      String name = column.getKey();
      row.set("column", name);
      row.set("type", column.getValue().text());
      row.set("column_position", ++position);
      at.definition()
          .column(name)
          .flatMap(ColumnDefinition::expression)
          .ifPresent(
              value -> {
                row.set("default_kind", at.definition().column(name).get().defaultKind().name());
                row.set("default_expression", value.text());
              });
      PartSizes.OfColumn size = bytes.get(name);
      if (size != null) {
        row.set("column_bytes_on_disk", size.onDisk());
        row.set("column_data_compressed_bytes", size.data().compressed());
        row.set("column_data_uncompressed_bytes", size.data().uncompressed());
        row.set("column_marks_bytes", size.marks());
        row.set("substreams", size.streams());
        row.set("filenames", size.streams());
      }
      boolean sparse =
          part.serialization()
              .flatMap(s -> s.info(name))
              .map(info -> info.kind() == SerializationFile.Kind.SPARSE)
              .orElse(false);
      row.set("serialization_kind", sparse ? "Sparse" : "Default");
      modified(at.engine(), part.disk())
          .ifPresent(millis -> row.time("column_modification_time", millis));
      rows.add(row);
    }
  }

  private static List<SystemRow> detached(Engine engine) throws IOException {
    return ServedTables.rows(engine.tables(), (table, rows) -> detached(engine, table, rows));
  }

  private static void detached(Engine engine, Table table, List<SystemRow> rows)
      throws IOException {
    Disk directory = table.directory();
    if (!directory.exists("detached")) {
      return;
    }
    for (Disk.Entry entry : directory.list("detached")) {
      if (!entry.directory()) {
        continue;
      }
      SystemRow row = new SystemRow();
      row.set("database", table.name().database());
      row.set("table", table.name().table());
      row.set("name", entry.name());
      row.set("disk", "default");
      String path = "detached/" + entry.name();
      row.set("path", directory.describe(path));
      long bytes = 0;
      for (Disk.Entry file : directory.list(path)) {
        bytes += file.sizeBytes();
      }
      row.set("bytes_on_disk", bytes);
      if (engine.config().path().isPresent()) {
        row.time(
            "modification_time",
            Files.getLastModifiedTime(Path.of(directory.describe(path))).toMillis());
      }
      DetachedName.tryParse(entry.name())
          .ifPresent(
              name -> {
                row.set("reason", name.reason().orElse(""));
                row.set("partition_id", name.part().partition());
                row.set("min_block_number", name.part().minBlock());
                row.set("max_block_number", name.part().maxBlock());
                row.set("level", name.part().level());
              });
      rows.add(row);
    }
  }

  private static List<SystemRow> indexes(Engine engine) throws IOException {
    return ServedTables.rows(engine.tables(), PartTables::indexes);
  }

  private static void indexes(Table table, List<SystemRow> rows) throws IOException {
    List<String> written = table.create().indexes().stream().map(CreateTable.Index::name).toList();
    for (CreateTable.Index index : table.definition().indexes()) {
      SystemRow row = new SystemRow();
      row.set("database", table.name().database());
      row.set("table", table.name().table());
      row.set("name", index.name());
      row.set("type", index.type().name());
      row.set("type_full", index.type().text());
      String expression = index.expression().text();
      boolean several =
          index.expression().bare() instanceof Expression.FunctionCall call
              && call.name().equals("tuple");
      row.set("expr", several ? expression.substring(1, expression.length() - 1) : expression);
      row.set("creation", written.contains(index.name()) ? "Explicit" : "Implicit");
      row.set("granularity", index.granularity());
      rows.add(row);
    }
  }
}
