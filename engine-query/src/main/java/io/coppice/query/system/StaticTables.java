package io.coppice.query.system;

import io.coppice.parts.aggregate.AggregateFunctions;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.table.MergingKind;
import io.coppice.parts.text.DataFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The tables that tell what this build can do: they change with the library only. Stateless. */
final class StaticTables {
  private StaticTables() {}

  static void addTo(Map<String, SystemTables.Source> sources) {
    sources.put("settings", asked -> settings(KnownSetting.ofStatements(), asked.settings(), 0));
    // As in ClickHouse, what a session sets is no matter of tables.
    sources.put("merge_tree_settings", asked -> settings(KnownSetting.ofTables(), Map.of(), 1));
    sources.put("functions", asked -> functions());
    sources.put("formats", asked -> formats());
    sources.put("codecs", asked -> codecs());
    sources.put("data_type_families", asked -> dataTypes());
    sources.put("build_options", asked -> buildOptions());
    sources.put("table_engines", asked -> engines());
    sources.put("table_functions", asked -> tableFunctions());
  }

  private static List<SystemRow> settings(
      List<KnownSetting> known, Map<String, String> set, int readOnly) {
    List<SystemRow> rows = new ArrayList<>();
    for (KnownSetting setting : known) {
      String value = set.getOrDefault(setting.name(), setting.otherwise());
      rows.add(
          new SystemRow()
              .set("name", setting.name())
              .set("value", value)
              .set("default", setting.otherwise())
              .set("changed", !value.equals(setting.otherwise()))
              .set("readonly", readOnly)
              .set("type", setting.type())
              .set("alias_for", setting.aliasFor())
              .set("tier", "Production"));
    }
    return rows;
  }

  private static List<SystemRow> functions() {
    List<SystemRow> rows = new ArrayList<>();
    for (String name : ExpressionCompiler.functions()) {
      rows.add(
          new SystemRow()
              .set("name", name)
              .set("origin", "System")
              .set("deterministic", ExpressionCompiler.deterministic(name)));
    }
    for (String name : AggregateFunctions.served()) {
      rows.add(new SystemRow().set("name", name).set("is_aggregate", true).set("origin", "System"));
    }
    return rows;
  }

  private static List<SystemRow> formats() {
    List<SystemRow> rows = new ArrayList<>();
    for (DataFormat format : DataFormat.values()) {
      rows.add(
          new SystemRow()
              .set("name", format.text())
              .set("is_input", format.input())
              .set("is_output", true)
              .set("is_tty_friendly", format.readable()));
    }
    return rows;
  }

  private static List<SystemRow> codecs() {
    List<SystemRow> rows = new ArrayList<>();
    for (String line : SystemTables.lines("codecs.tsv")) {
      String[] fields = line.split("\t", -1);
      rows.add(
          new SystemRow()
              .set("name", fields[0])
              .set("method_byte", fields[1])
              .set("is_compression", fields[2])
              .set("is_generic_compression", fields[3])
              .set("is_encryption", fields[4])
              .set("is_timeseries_codec", fields[5])
              .set("is_experimental", fields[6]));
    }
    return rows;
  }

  private static List<SystemRow> dataTypes() {
    List<SystemRow> rows = new ArrayList<>();
    for (String line : SystemTables.lines("data-types.tsv")) {
      String[] fields = line.split("\t", -1);
      rows.add(
          new SystemRow()
              .set("name", fields[0])
              .set("case_insensitive", fields[1])
              .set("alias_to", fields[2]));
    }
    return rows;
  }

  private static List<SystemRow> buildOptions() {
    String version = StaticTables.class.getPackage().getImplementationVersion();
    List<SystemRow> rows = new ArrayList<>();
    Map<String, String> options = new java.util.LinkedHashMap<>();
    options.put("VERSION_STRING", version == null ? "development" : version);
    options.put("VERSION_NAME", "Coppice");
    options.put("SYSTEM", System.getProperty("os.name"));
    options.put("SYSTEM_PROCESSOR", System.getProperty("os.arch"));
    options.put("JAVA_VERSION", System.getProperty("java.version"));
    options.put("JAVA_VENDOR", System.getProperty("java.vendor"));
    options.forEach(
        (name, value) -> rows.add(new SystemRow().set("name", name).set("value", value)));
    return rows;
  }

  private static List<SystemRow> engines() {
    List<SystemRow> rows = new ArrayList<>();
    for (MergingKind kind : MergingKind.values()) {
      rows.add(
          new SystemRow()
              .set("name", kind.engine())
              .set("supports_settings", true)
              .set("supports_skipping_indices", true)
              .set("supports_sort_order", true)
              .set("supports_ttl", true));
    }
    return rows;
  }

  private static List<SystemRow> tableFunctions() {
    List<SystemRow> rows = new ArrayList<>();
    for (String name : List.of("file", "null", "numbers", "values")) {
      rows.add(new SystemRow().set("name", name).set("allow_readonly", !name.equals("file")));
    }
    return rows;
  }
}
