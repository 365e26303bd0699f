package io.coppice.engine.catalog;

import io.coppice.parts.name.FileNames;
import java.util.UUID;

/** Where things lie in a data directory, as ClickHouse's database engine Atomic has them. */
public final class Layout {
  static final String METADATA = "metadata";
  static final String DROPPED = "metadata_dropped";
  static final String STORE = "store";
  static final String DATA = "data";
  static final String SQL = ".sql";

  /** Beside a table's file: it stays detached after a restart. */
  static final String DETACHED_FLAG = SQL + ".detached";

  private Layout() {}

  /** The file that says what a database is. */
  static String databaseFile(String database) {
    return METADATA + "/" + FileNames.escape(database) + SQL;
  }

  /** The link to where a database's tables are described. */
  static String databaseLink(String database) {
    return METADATA + "/" + FileNames.escape(database);
  }

  /** The directory of a database's table files or of a table's parts. */
  public static String store(UUID uuid) {
    String text = uuid.toString();
    return STORE + "/" + text.substring(0, 3) + "/" + text;
  }

  /** The file that says what a table is. */
  static String tableFile(UUID database, String table) {
    return store(database) + "/" + FileNames.escape(table) + SQL;
  }

  /** The flag beside a table's file. */
  static String detachedFlag(UUID database, String table) {
    return store(database) + "/" + FileNames.escape(table) + DETACHED_FLAG;
  }

  /** What a table's file becomes while its data is being deleted. */
  static String droppedFile(String database, String table, UUID uuid) {
    return DROPPED
        + "/"
        + FileNames.escape(database)
        + "."
        + FileNames.escape(table)
        + "."
        + uuid
        + SQL;
  }

  /** The directory of links to the data of a database's tables, for people. */
  static String dataDirectory(String database) {
    return DATA + "/" + FileNames.escape(database);
  }

  /** The link to a table's data. */
  static String dataLink(String database, String table) {
    return dataDirectory(database) + "/" + FileNames.escape(table);
  }
}
