package io.coppice.query.system;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.engine.Engine;
import io.coppice.language.parse.Parser;
import io.coppice.language.type.DataType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The tables of the database {@code system}. Names, columns and types are those of ClickHouse 26.7;
 * what has no meaning here has its type's default. Immutable; any thread may use it.
 */
public final class SystemTables {
  /** The name of the database. */
  public static final String DATABASE = "system";

  private static final Map<String, SystemTable> TABLES = read();

  private SystemTables() {}

  /**
   * A column.
   *
   * @param alias the column whose values it shows; such a column is not part of {@code *}
   */
  public record SystemColumn(String name, DataType type, Optional<String> alias) {}

  /**
   * What is asked.
   *
   * @param engine that the tables tell of
   * @param settings those of the statement, by name, that were set
   */
  public record Asked(Engine engine, Map<String, String> settings) {
    public Asked {
      settings = Map.copyOf(settings);
    }
  }

  /** Where the rows of a table come from. */
  interface Source {
    List<SystemRow> rows(Asked asked) throws IOException;
  }

  /** A table. */
  public record SystemTable(String name, List<SystemColumn> columns, Source source) {
    public SystemTable {
      columns = List.copyOf(columns);
    }

    /** The rows of this moment. */
    public List<SystemRow> rows(Asked asked) throws IOException {
      return source.rows(asked);
    }
  }

  /** All tables in the order of their names. */
  public static List<SystemTable> all() {
    return List.copyOf(TABLES.values());
  }

  /**
   * A table.
   *
   * @throws EngineException UNKNOWN_TABLE
   */
  public static SystemTable table(String name) {
    SystemTable table = TABLES.get(name);
    if (table == null) {
      throw EngineException.of(
          ErrorCode.UNKNOWN_TABLE,
          "table system.%s does not exist; there are %s",
          name,
          String.join(", ", TABLES.keySet()));
    }
    return table;
  }

  private static Map<String, SystemTable> read() {
    Map<String, List<SystemColumn>> columns = new java.util.TreeMap<>();
    for (String line : lines("tables.tsv")) {
      String[] fields = line.split("\t", -1);
      columns
          .computeIfAbsent(fields[0], name -> new ArrayList<>())
          .add(
              new SystemColumn(
                  fields[1],
                  Parser.type(fields[2]),
                  fields.length > 3 && !fields[3].isEmpty()
                      ? Optional.of(fields[3])
                      : Optional.empty()));
    }
    Map<String, Source> sources = new LinkedHashMap<>();
    PartTables.addTo(sources);
    SchemaTables.addTo(sources);
    StaticTables.addTo(sources);
    StatisticsTables.addTo(sources);
    Map<String, SystemTable> tables = new LinkedHashMap<>();
    columns.forEach(
        (name, list) -> {
          Source source = sources.get(name);
          if (source == null) {
            throw new IllegalStateException("nothing gives the rows of system." + name);
          }
          tables.put(name, new SystemTable(name, list, source));
        });
    return Collections.unmodifiableMap(tables);
  }

  /** The lines of a resource beside this class, which hold fields between tabs. */
  static List<String> lines(String resource) {
    try (InputStream in = SystemTables.class.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
