package io.coppice.parts.table;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Columns whose defaults need each other in a circle have no values. Stateless. */
final class DefaultCircles {
  private DefaultCircles() {}

  /**
   * Refuses DEFAULT, MATERIALIZED and ALIAS expressions that need each other in a circle.
   *
   * @throws EngineException CYCLIC_ALIASES naming the circle
   */
  static void refuse(String table, List<ColumnDefinition> columns) {
    Set<String> all = new HashSet<>();
    columns.forEach(c -> all.add(c.name()));
    Map<String, Set<String>> needs = new LinkedHashMap<>();
    for (ColumnDefinition column : columns) {
      Set<String> names = new TreeSet<>();
      column.expression().ifPresent(e -> e.collectNames(names));
      needs.put(column.name(), new TreeSet<>(names.stream().map(n -> column(n, all)).toList()));
    }
    Set<String> done = new HashSet<>();
    for (ColumnDefinition column : columns) {
      walk(table, column.name(), needs, done, new ArrayList<>());
    }
  }

  /** The column that a name means: itself, or the tuple that it is an element of. */
  private static String column(String name, Set<String> all) {
    String column = name;
    while (!all.contains(column) && column.lastIndexOf('.') > 0) {
      column = column.substring(0, column.lastIndexOf('.'));
    }
    return column;
  }

  private static void walk(
      String table,
      String column,
      Map<String, Set<String>> needs,
      Set<String> done,
      List<String> path) {
    int before = path.indexOf(column);
    if (before >= 0) {
      path.add(column);
      throw EngineException.of(
          ErrorCode.CYCLIC_ALIASES,
          "table %s: the default of column %s needs the column itself: %s; break the circle",
          table,
          column,
          String.join(" -> ", path.subList(before, path.size())));
    }
    if (done.contains(column)) {
      return;
    }
    path.add(column);
    for (String next : needs.getOrDefault(column, Set.of())) {
      walk(table, next, needs, done, path);
    }
    path.remove(path.size() - 1);
    done.add(column);
  }
}
