package io.coppice.query.system;

import io.coppice.engine.Engine;
import io.coppice.engine.Table;
import io.coppice.engine.catalog.DatabaseEntry;
import io.coppice.language.expression.Expression;
import io.coppice.language.statement.Column;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.statement.Definition;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.DateTime64Type;
import io.coppice.language.type.DataType.DateTimeType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.DataType.FixedStringType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.inspect.PartSizes;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.set.Part;
import io.coppice.parts.set.PartState;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The tables databases, tables and columns. Stateless. */
final class SchemaTables {
  private SchemaTables() {}

  static void addTo(Map<String, SystemTables.Source> sources) {
    sources.put("databases", asked -> databases(asked.engine()));
    sources.put("tables", asked -> tables(asked.engine()));
    sources.put("columns", asked -> columns(asked.engine()));
  }

  private static List<SystemRow> databases(Engine engine) {
    List<SystemRow> rows = new ArrayList<>();
    for (DatabaseEntry database : engine.databaseEntries()) {
      SystemRow row = new SystemRow();
      row.set("name", database.name());
      row.set("engine", "Atomic");
      row.set("engine_full", "Atomic");
      row.set("uuid", database.uuid());
      row.set("data_path", engine.config().disk().describe("") + "/store/");
      row.set("metadata_path", engine.metadataPath(database) + "/");
      row.set("comment", database.comment().orElse(""));
      rows.add(row);
    }
    rows.add(
        new SystemRow()
            .set("name", SystemTables.DATABASE)
            .set("engine", "Memory")
            .set("engine_full", "Memory"));
    return rows;
  }

  private static List<SystemRow> tables(Engine engine) throws IOException {
    List<SystemRow> rows = ServedTables.rows(engine.tables(), (table, to) -> to.add(table(table)));
    for (SystemTables.SystemTable table : SystemTables.all()) {
      rows.add(
          new SystemRow()
              .set("database", SystemTables.DATABASE)
              .set("name", table.name())
              .set("engine", "System" + camel(table.name())));
    }
    return rows;
  }

  private static String camel(String name) {
    StringBuilder camel = new StringBuilder();
    for (String word : name.split("_")) {
      camel.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
    }
    return camel.toString();
  }

  private static SystemRow table(Table table) {
    CreateTable create = table.create();
    TableDefinition definition = table.definition();
    SystemRow row = new SystemRow();
    row.set("database", table.name().database());
    row.set("name", table.name().table());
    row.set("uuid", table.uuid());
    row.set("engine", PartTables.engineName(table));
    row.set("data_paths", List.of(table.directory().describe("") + "/"));
    String text = oneLine(create.text());
    row.set("create_table_query", text);
    row.set("engine_full", engineFull(create, text));
    row.set("partition_key", create.partitionBy().map(Expression::text).orElse(""));
    row.set("sorting_key", texts(definition.sortingKey()));
    row.set("primary_key", texts(definition.primaryKey()));
    row.set("sampling_key", create.sampleBy().map(Expression::text).orElse(""));
    row.set("storage_policy", "default");
    row.set("comment", create.comment().orElse(""));
    row.set("has_own_data", true);
    long rowsTotal = 0;
    long bytes = 0;
    long uncompressed = 0;
    long marks = 0;
    int active = 0;
    List<Part> parts = table.allParts();
    for (Part part : parts) {
      if (part.state() != PartState.ACTIVE || part.loaded().isEmpty()) {
        continue;
      }
      LoadedPart loaded = part.loaded().get();
      PartSizes sizes = PartSizes.of(loaded);
      rowsTotal += loaded.rowCount();
      bytes += sizes.onDisk();
      uncompressed += sizes.uncompressed();
      marks += PartTables.marks(loaded);
      active++;
    }
    row.set("total_rows", rowsTotal);
    row.set("total_bytes", bytes);
    row.set("total_bytes_uncompressed", uncompressed);
    row.set("parts", parts.size());
    row.set("active_parts", active);
    row.set("total_marks", marks);
    return row;
  }

  private static String texts(List<Expression> expressions) {
    return expressions.stream().map(Expression::text).collect(Collectors.joining(", "));
  }

  /**
   * A statement on one line. Line feeds within literals are written as escapes, so none is lost.
   */
  static String oneLine(String text) {
    return text.replaceAll("\\(\n +", "(")
        .replaceAll(",\n +", ", ")
        .replace("\n)", ")")
        .replaceAll("\n *", " ");
  }

  /** The engine with all that stands behind it, but for the comment. */
  private static String engineFull(CreateTable create, String text) {
    String engine = create.engine().map(Definition::text).orElse("");
    int at = text.lastIndexOf(" ENGINE = " + engine);
    String full = at < 0 ? engine : text.substring(at + " ENGINE = ".length());
    String comment =
        create
            .comment()
            .map(c -> " COMMENT " + io.coppice.language.text.Identifiers.quoteString(c))
            .orElse("");
    return full.endsWith(comment) ? full.substring(0, full.length() - comment.length()) : full;
  }

  private static List<SystemRow> columns(Engine engine) throws IOException {
    List<SystemRow> rows =
        ServedTables.rows(engine.tables(), (table, to) -> columns(engine, table, to));
    for (SystemTables.SystemTable table : SystemTables.all()) {
      int position = 0;
      for (SystemTables.SystemColumn column : table.columns()) {
        SystemRow row = new SystemRow();
        row.set("database", SystemTables.DATABASE);
        row.set("table", table.name());
        row.set("position", ++position);
        described(row, column.name(), column.type());
        column
            .alias()
            .ifPresent(of -> row.set("default_kind", "ALIAS").set("default_expression", of));
        rows.add(row);
      }
    }
    return rows;
  }

  private static void columns(Engine engine, Table table, List<SystemRow> rows) throws IOException {
    TableDefinition definition = table.definition();
    Map<String, Column> written = new HashMap<>();
    table.create().columns().forEach(column -> written.put(column.name(), column));
    Map<String, long[]> sizes = sizes(engine, table);
    Set<String> partition = named(definition.partitionKey());
    Set<String> sorting = named(definition.sortingKey());
    Set<String> primary = named(definition.primaryKey());
    Set<String> sampling = named(table.create().sampleBy().stream().toList());
    int position = 0;
    for (ColumnDefinition column : definition.columns()) {
      SystemRow row = new SystemRow();
      String name = column.name();
      row.set("database", table.name().database());
      row.set("table", table.name().table());
      row.set("position", ++position);
      described(row, name, column.type());
      column
          .expression()
          .ifPresent(
              value ->
                  row.set("default_kind", column.defaultKind().name())
                      .set("default_expression", value.text()));
      long[] size = sizes.getOrDefault(name, new long[3]);
      row.set("data_compressed_bytes", size[0]);
      row.set("data_uncompressed_bytes", size[1]);
      row.set("marks_bytes", size[2]);
      Column as = written.get(name);
      if (as != null) {
        row.set("comment", as.comment().orElse(""));
      }
      column.codec().ifPresent(codec -> row.set("compression_codec", codec));
      row.set("is_in_partition_key", partition.contains(name));
      row.set("is_in_sorting_key", sorting.contains(name));
      row.set("is_in_primary_key", primary.contains(name));
      row.set("is_in_sampling_key", sampling.contains(name));
      rows.add(row);
    }
  }

  private static Map<String, long[]> sizes(Engine engine, Table table) throws IOException {
    Map<String, long[]> sizes = new HashMap<>();
    for (Part part : table.allParts()) {
      if (part.state() != PartState.ACTIVE || part.loaded().isEmpty()) {
        continue;
      }
      try {
        PartSizes.columns(part.loaded().get(), engine.allocator())
            .forEach(
                (name, of) -> {
                  long[] sum = sizes.computeIfAbsent(name, n -> new long[3]);
                  sum[0] += of.data().compressed();
                  sum[1] += of.data().uncompressed();
                  sum[2] += of.marks();
                });
      } catch (NoSuchFileException e) {
        // The part was deleted while it was looked at: it counts no more.
        continue;
      }
    }
    return sizes;
  }

  /** The columns that expressions name. */
  private static Set<String> named(List<Expression> expressions) {
    Set<String> names = new TreeSet<>();
    for (Expression expression : expressions) {
      if (expression instanceof Expression.Identifier identifier) {
        names.add(identifier.name());
      }
      names.addAll(named(expression.children()));
    }
    return names;
  }

  private static void described(SystemRow row, String name, DataType type) {
    row.set("name", name);
    row.set("type", type.text());
    DataType bare = type instanceof NullableType nullable ? nullable.inner() : type;
    if (bare instanceof FixedStringType fixed) {
      row.set("character_octet_length", fixed.sizeBytes());
    } else if (bare instanceof DecimalType decimal) {
      row.set("numeric_precision", decimal.precision());
      row.set("numeric_precision_radix", 10);
      row.set("numeric_scale", decimal.scale());
    } else if (bare instanceof DateTime64Type time) {
      row.set("datetime_precision", time.scale());
    } else if (bare instanceof DateTimeType || bare == PlainType.DATE) {
      row.set("datetime_precision", 0);
    } else if (bare instanceof PlainType plain && (plain.integer() || plain == PlainType.BOOL)) {
      row.set("numeric_precision", bare.widthBytes() * 8);
      row.set("numeric_precision_radix", 2);
      row.set("numeric_scale", 0);
    }
  }
}
