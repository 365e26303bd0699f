package io.coppice.query.system;

import java.util.List;

/**
 * A setting that ClickHouse 26.7 has.
 *
 * @param type its name for the kind of values
 * @param otherwise the value that it has unless it is set
 * @param aliasFor the setting that this is another name of; empty if it is none
 */
public record KnownSetting(String name, String type, String otherwise, String aliasFor) {
  /** All settings of statements. */
  public static List<KnownSetting> ofStatements() {
    return read("settings.tsv");
  }

  /** All settings of tables. */
  static List<KnownSetting> ofTables() {
    return read("merge-tree-settings.tsv");
  }

  private static List<KnownSetting> read(String resource) {
    return SystemTables.lines(resource).stream().map(KnownSetting::parse).toList();
  }

  private static KnownSetting parse(String line) {
    String[] fields = line.split("\t", -1);
    return new KnownSetting(
        fields[0], fields[1], fields[2].translateEscapes(), fields.length > 3 ? fields[3] : "");
  }
}
