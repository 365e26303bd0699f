package io.coppice.query.script;

import io.coppice.fixtures.Column;
import io.coppice.fixtures.Golden;
import io.coppice.fixtures.RandomData;
import io.coppice.fixtures.RandomSchemas;
import io.coppice.language.parse.Parser;
import io.coppice.language.text.ByteText;
import io.coppice.language.text.Identifiers;
import io.coppice.language.type.DataType;
import io.coppice.parts.text.TextBuffer;
import io.coppice.parts.text.ValueText;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * One random script: tables of random schemas are made, filled, changed, moved about and asked.
 * Equal seeds give equal scripts. Statements need not succeed: errors are compared as well.
 */
final class RandomScript {
  /**
   * A statement.
   *
   * @param ordered whether the order of the rows it gives is defined
   */
  record Step(String sql, boolean ordered) {}

  private static final String NO_MERGES = "max_bytes_to_merge_at_max_space_in_pool = 1";
  private static final int MOST_SAMPLES = 12;

  private final Random random;
  private final RandomSchemas schemas;
  private final RandomData data;
  private final BufferAllocator allocator;
  private final String prefix;
  private final Runner runner;
  private final List<Step> steps = new ArrayList<>();
  private final List<Model> tables = new ArrayList<>();
  private int names;

  /** What the script believes of a table; statements that fail may make it wrong. */
  private static final class Model {
    String name;
    final List<Column> columns = new ArrayList<>();
    final Map<String, List<String>> samples = new LinkedHashMap<>();
    boolean partitioned;
    String create;

    /**
     * Parts may have been covered by an empty one, which 26.7 takes for a live one when it loads
     * the table before it cleans up: then block numbers depend on when that is.
     */
    boolean covered;

    List<Column> plain() {
      return columns.stream().filter(column -> ordered(column.type())).toList();
    }
  }

  private RandomScript(long seed, int number, BufferAllocator allocator, Runner runner) {
    this.runner = runner;
    this.random = new Random((seed * 1_000_003 + number) * 0x9E3779B97F4A7C15L);
    this.schemas = RandomSchemas.of(random.nextLong(), Golden.Engine.V26_7);
    this.data = new RandomData(random.nextLong()).withoutLongStrings();
    this.allocator = allocator;
    this.prefix = "s" + number + "x";
  }

  /** Who carries the steps out while the script is written. */
  interface Runner {
    /**
     * Carries out a step.
     *
     * @return whether it succeeded; what a script believes depends on it
     * @throws Unlike when the engines differ: the script ends there
     */
    boolean run(Step step) throws Unlike;
  }

  /** Two engines said different things. */
  static final class Unlike extends Exception {
    private static final long serialVersionUID = 1;
  }

  /**
   * Writes and runs script {@code number} of a seed.
   *
   * @return its steps, all of which were run
   */
  static List<Step> run(long seed, int number, BufferAllocator allocator, Runner runner)
      throws Unlike {
    RandomScript script = new RandomScript(seed, number, allocator, runner);
    script.write();
    return List.copyOf(script.steps);
  }

  /** The questions with which a script ends, to be asked again of the other engine. */
  static List<Step> last(List<Step> steps) {
    List<Step> last = new ArrayList<>();
    for (int i = steps.size() - 1; i >= 0 && asks(steps.get(i).sql()); i--) {
      last.add(0, steps.get(i));
    }
    return last;
  }

  private static boolean asks(String sql) {
    return sql.startsWith("SELECT ") || sql.startsWith("SHOW ") || sql.startsWith("DESCRIBE ");
  }

  private void write() throws Unlike {
    while (tables.isEmpty()) {
      create();
    }
    for (int i = 0, many = 6 + random.nextInt(10); i < many; i++) {
      Model table = oneOf(tables);
      switch (random.nextInt(16)) {
        case 0 -> create();
        case 1, 2, 3, 4 -> insert(table);
        case 5, 6, 7 -> ask(table);
        case 8, 9, 10 -> alter(table);
        case 11, 12, 13 -> partition(table);
        case 14 -> whole(table);
        default -> describe(table);
      }
    }
    for (Model table : tables) {
      everything(table);
      ask(table);
      describe(table);
    }
  }

  private boolean add(String sql) throws Unlike {
    return add(new Step(sql, false));
  }

  private boolean add(Step step) throws Unlike {
    steps.add(step);
    return runner.run(step);
  }

  private <T> T oneOf(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private static String quoted(String name) {
    return Identifiers.backQuote(name);
  }

  private static boolean ordered(String type) {
    return type.matches(
        "U?Int\\d+|String|FixedString\\(.*|Date|Date32|DateTime.*|UUID|Enum.*|Decimal\\(.*|Bool"
            + "|IPv4|IPv6|LowCardinality\\(String\\)|Nullable\\(U?Int\\d+\\)|Nullable\\(String\\)");
  }

  // Tables

  private void create() throws Unlike {
    Model table = new Model();
    table.name = prefix + "t" + names++;
    if (!tables.isEmpty() && chance(40)) {
      Model like = oneOf(tables);
      table.columns.addAll(like.columns);
      like.samples.forEach((name, list) -> table.samples.put(name, new ArrayList<>(list)));
      table.partitioned = like.partitioned;
      table.create = "CREATE TABLE " + table.name + " AS " + like.name;
    } else {
      RandomSchemas.Table schema = schemas.next(6);
      table.columns.addAll(schema.columns());
      table.partitioned = !schema.partitionBy().isEmpty();
      List<String> settings = new ArrayList<>(schema.settings());
      settings.add(NO_MERGES);
      table.create =
          new RandomSchemas.Table(
                  schema.columns(), schema.orderBy(), schema.partitionBy(), settings)
              .createSql(table.name);
    }
    if (add(table.create)) {
      tables.add(table);
      insert(table);
    }
  }

  private void whole(Model table) throws Unlike {
    switch (random.nextInt(6)) {
      case 0 -> add("TRUNCATE TABLE " + table.name);
      case 1 -> {
        if (!table.covered) {
          add("DETACH TABLE " + table.name);
          add("SELECT count() FROM " + table.name);
          add("ATTACH TABLE " + table.name);
        }
      }
      case 2 -> {
        String name = prefix + "r" + names++;
        if (add("RENAME TABLE " + table.name + " TO " + name)) {
          table.name = name;
        }
      }
      case 3 -> {
        Model other = oneOf(tables);
        if (other != table) {
          if (add("EXCHANGE TABLES " + table.name + " AND " + other.name)) {
            String name = table.name;
            table.name = other.name;
            other.name = name;
          }
        }
      }
      case 4 -> {
        add("DROP TABLE " + table.name);
        tables.remove(table);
        create();
      }
      default ->
          add(
              "CREATE TABLE IF NOT EXISTS "
                  + table.name
                  + " (a Int8) ENGINE = MergeTree ORDER BY a");
    }
  }

  // Rows

  private void insert(Model table) throws Unlike {
    List<Column> columns = new ArrayList<>(table.columns);
    boolean some = columns.size() > 1 && chance(25);
    if (some) {
      columns.remove(random.nextInt(columns.size()));
    }
    int rows = oneOf(List.of(1, 2, 5, 17, 60, 200));
    String list =
        some || chance(20)
            ? columns.stream().map(Column::quotedName).collect(Collectors.joining(", ", " (", ")"))
            : "";
    try (VectorSchemaRoot batch = data.batch(columns, rows, allocator)) {
      // One empty text in TSV is an empty line, which drivers take for no data.
      boolean values = columns.size() == 1 || chance(40) && rows <= 60;
      StringBuilder sql = new StringBuilder("INSERT INTO ").append(table.name).append(list);
      sql.append(values ? " VALUES " : " FORMAT TSV\n");
      TextBuffer text = new TextBuffer();
      for (int row = 0; row < rows; row++) {
        text.put(values ? (row == 0 ? "(" : ", (") : "");
        for (int i = 0; i < columns.size(); i++) {
          text.put(i == 0 ? "" : values ? ", " : "\t");
          DataType type = Parser.type(columns.get(i).type());
          ValueText.Style style = values ? ValueText.Style.QUOTED : ValueText.Style.TSV;
          ValueText.of(type, style, ZoneOffset.UTC).append(batch.getVector(i), row, text);
        }
        text.put(values ? ")" : "\n");
      }
      sql.append(escaped(text.toByteArray()));
      for (int i = 0; i < columns.size(); i++) {
        sample(table, columns.get(i), batch.getVector(i));
      }
      add(sql.toString());
    }
  }

  /**
   * Text in which bytes above 127 are escapes: not every driver carries any bytes in statements.
   */
  private static String escaped(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte b : bytes) {
      text.append(b < 0 ? "\\x%02X".formatted(b & 0xFF) : String.valueOf((char) b));
    }
    return text.toString();
  }

  private void sample(Model table, Column column, FieldVector vector) {
    List<String> samples = table.samples.computeIfAbsent(column.name(), name -> new ArrayList<>());
    DataType type = Parser.type(column.type());
    for (int row = 0; row < vector.getValueCount() && samples.size() < MOST_SAMPLES; row++) {
      if (vector.isNull(row)) {
        continue;
      }
      TextBuffer text = new TextBuffer();
      ValueText.of(type, ValueText.Style.PLAIN, ZoneOffset.UTC).append(vector, row, text);
      samples.add(ByteText.of(text.toByteArray()));
    }
  }

  // Questions

  private void everything(Model table) throws Unlike {
    add("SELECT * FROM " + table.name);
    add("SELECT count() FROM " + table.name);
    add(
        "SELECT partition_id, partition, name, rows FROM system.parts WHERE database ="
            + " 'default' AND active AND rows > 0 AND table = '"
            + table.name
            + "'");
  }

  private void ask(Model table) throws Unlike {
    List<Column> plain = table.plain();
    String where = chance(70) ? " WHERE " + condition(table, 2) : "";
    switch (random.nextInt(7)) {
      case 0 -> add("SELECT count() FROM " + table.name + where);
      case 1 -> add("SELECT * FROM " + table.name + where);
      case 2 -> {
        Column key = oneOf(table.columns);
        String sums =
            plain.isEmpty()
                ? ""
                : ", min("
                    + oneOf(plain).quotedName()
                    + "), max("
                    + oneOf(plain).quotedName()
                    + ")";
        add(
            "SELECT "
                + key.quotedName()
                + ", count()"
                + sums
                + " FROM "
                + table.name
                + where
                + " GROUP BY "
                + key.quotedName());
      }
      case 3 -> {
        if (!plain.isEmpty()) {
          String columns = plain.stream().map(Column::quotedName).collect(Collectors.joining(", "));
          add(
              new Step(
                  "SELECT "
                      + columns
                      + " FROM "
                      + table.name
                      + where
                      + " ORDER BY "
                      + columns
                      + (chance(50) ? " LIMIT " + (1 + random.nextInt(20)) : ""),
                  true));
        }
      }
      case 4 ->
          add(
              "SELECT DISTINCT "
                  + oneOf(table.columns).quotedName()
                  + " FROM "
                  + table.name
                  + where);
      case 5 ->
          add(
              "SELECT uniqExact("
                  + oneOf(table.columns).quotedName()
                  + ") FROM "
                  + table.name
                  + where);
      default ->
          add(
              "SELECT _part, _partition_id, count() FROM "
                  + table.name
                  + where
                  + " GROUP BY _part, _partition_id");
    }
  }

  private String condition(Model table, int depth) {
    if (depth > 0 && chance(35)) {
      String both = chance(50) ? " AND " : " OR ";
      return "(" + condition(table, depth - 1) + both + condition(table, depth - 1) + ")";
    }
    if (depth > 0 && chance(10)) {
      return "NOT (" + condition(table, depth - 1) + ")";
    }
    Column column = oneOf(table.columns);
    String name = column.quotedName();
    String type = column.type();
    if (ordered(type) && !table.samples.getOrDefault(column.name(), List.of()).isEmpty()) {
      return switch (random.nextInt(4)) {
        case 0 -> name + " IN (" + value(table, column) + ", " + value(table, column) + ")";
        case 1 -> name + " BETWEEN " + value(table, column) + " AND " + value(table, column);
        default ->
            name
                + oneOf(List.of(" = ", " != ", " < ", " <= ", " > ", " >= "))
                + value(table, column);
      };
    }
    if (type.startsWith("Array(") || type.startsWith("Map(")) {
      return "length(" + name + ")" + oneOf(List.of(" = ", " > ", " <= ")) + random.nextInt(4);
    }
    if (type.contains("Nullable(")) {
      return name + (chance(50) ? " IS NULL" : " IS NOT NULL");
    }
    return "toString(" + name + ") != ''";
  }

  private String value(Model table, Column column) {
    List<String> samples = table.samples.get(column.name());
    return "CAST("
        + Identifiers.quoteString(oneOf(samples))
        + ", "
        + Identifiers.quoteString(column.type())
        + ")";
  }

  private void describe(Model table) throws Unlike {
    switch (random.nextInt(4)) {
      case 0 -> add("SHOW CREATE TABLE " + table.name);
      case 1 -> add("DESCRIBE TABLE " + table.name);
      case 2 ->
          add(
              "SELECT name, type, default_kind, default_expression, comment,"
                  + " is_in_partition_key, is_in_sorting_key FROM system.columns WHERE database ="
                  + " 'default' AND table = '"
                  + table.name
                  + "' ORDER BY position");
      default -> add("SHOW TABLES LIKE '" + prefix + "%'");
    }
  }

  // Changes

  private void alter(Model table) throws Unlike {
    String alter = "ALTER TABLE " + table.name + " ";
    Column column = oneOf(table.columns);
    switch (random.nextInt(10)) {
      case 0, 1 -> addColumn(table, alter);
      case 2 -> {
        if (add(alter + "DROP COLUMN " + column.quotedName())) {
          table.columns.remove(column);
        }
      }
      case 3 -> {
        String name = "r" + names++;
        if (add(alter + "RENAME COLUMN " + column.quotedName() + " TO " + quoted(name))) {
          replace(
              table, column, new Column(name, column.type(), column.codec(), column.distinct()));
        }
      }
      case 4 -> add(alter + "COMMENT COLUMN " + column.quotedName() + " 'it''s " + names++ + "'");
      case 5 -> {
        String wider = wider(column.type());
        if (add(alter + "MODIFY COLUMN " + column.quotedName() + " " + wider)) {
          replace(table, column, new Column(column.name(), wider, "", column.distinct()));
        }
      }
      case 6 -> add(alter + "CLEAR COLUMN " + column.quotedName());
      case 7 ->
          add(
              alter
                  + "ADD INDEX i"
                  + names++
                  + " "
                  + column.quotedName()
                  + " TYPE "
                  + oneOf(List.of("minmax", "set(10)", "bloom_filter"))
                  + " GRANULARITY 1");
      case 8 ->
          add(
              alter
                  + oneOf(
                      List.of(
                          "MODIFY SETTING merge_with_ttl_timeout = 100",
                          "RESET SETTING merge_with_ttl_timeout",
                          "MODIFY COMMENT 'about'")));
      default ->
          add(
              alter
                  + "MODIFY COLUMN "
                  + column.quotedName()
                  + " "
                  + oneOf(List.of("CODEC(ZSTD(3))", "COMMENT 'x'", "REMOVE COMMENT")));
    }
  }

  private static void replace(Model table, Column before, Column after) {
    int at = table.columns.indexOf(before);
    table.columns.set(at, after);
    List<String> samples = table.samples.get(before.name());
    if (samples != null) {
      table.samples.put(after.name(), samples);
    }
  }

  private void addColumn(Model table, String alter) throws Unlike {
    Column made = schemas.next(1).columns().get(0);
    Column added = new Column("n" + names++, made.type(), "", 0);
    List<Column> numbers =
        table.columns.stream().filter(c -> c.type().matches("U?Int(8|16|32|64)")).toList();
    String value = "";
    String definition = added.definition();
    if (!numbers.isEmpty() && chance(40)) {
      added = new Column(added.name(), "Int64", "", 0);
      definition = added.quotedName() + " Int64";
      value = " DEFAULT toInt64(" + oneOf(numbers).quotedName() + ") + 1";
    }
    int at = random.nextInt(table.columns.size());
    String place =
        switch (random.nextInt(3)) {
          case 0 -> " FIRST";
          case 1 -> " AFTER " + table.columns.get(at).quotedName();
          default -> "";
        };
    if (add(alter + "ADD COLUMN " + definition + value + place)) {
      int to = place.isEmpty() ? table.columns.size() : place.equals(" FIRST") ? 0 : at + 1;
      table.columns.add(to, added);
    }
  }

  private String wider(String type) {
    if (type.matches("U?Int(8|16|32)")) {
      return (type.startsWith("U") ? "UInt64" : "Int64");
    }
    if (type.equals("Date")) {
      return "DateTime64(3)";
    }
    if (type.matches("U?Int\\d+|Float32|Float64|Date.*|UUID|Enum.*|IPv4")) {
      return chance(50) ? "String" : "Nullable(" + type + ")";
    }
    if (type.equals("String")) {
      return oneOf(List.of("LowCardinality(String)", "Nullable(String)"));
    }
    return type;
  }

  // Partitions

  private void partition(Model table) throws Unlike {
    String alter = "ALTER TABLE " + table.name + " ";
    String which = table.partitioned && chance(60) ? partitionValue(table) : "ALL";
    if (!table.partitioned && chance(50)) {
      which = "tuple()";
    }
    Model other = oneOf(tables);
    switch (random.nextInt(8)) {
      case 0 -> add(alter + "DROP PARTITION " + which);
      case 1, 2 -> {
        add(alter + "DETACH PARTITION " + which);
        add(
            "SELECT name, reason FROM system.detached_parts WHERE database = 'default' AND table ="
                + " '"
                + table.name
                + "'");
        if (chance(70)) {
          add(alter + "ATTACH PARTITION " + which);
        }
      }
      case 3 ->
          add(
              alter
                  + "FREEZE"
                  + (which.equals("ALL") ? "" : " PARTITION " + which)
                  + " WITH NAME '"
                  + prefix
                  + names++
                  + "'");
      case 4 -> table.covered |= add(alter + "REPLACE PARTITION " + which + " FROM " + other.name);
      case 5 -> add(alter + "ATTACH PARTITION " + which + " FROM " + other.name);
      case 6 -> table.covered |= add(alter + "MOVE PARTITION " + which + " TO TABLE " + other.name);
      default ->
          add(
              alter
                  + "CLEAR COLUMN "
                  + oneOf(table.columns).quotedName()
                  + " IN PARTITION "
                  + which);
    }
  }

  private String partitionValue(Model table) {
    Column column =
        table.columns.stream().filter(c -> c.name().equals("p")).findFirst().orElse(null);
    boolean second = table.columns.stream().anyMatch(c -> c.name().equals("q"));
    if (column == null || second || !table.create.contains("PARTITION BY `p`")) {
      return "ALL";
    }
    List<String> samples = table.samples.getOrDefault("p", List.of());
    return samples.isEmpty() ? "ALL" : Identifiers.quoteString(oneOf(samples));
  }
}
