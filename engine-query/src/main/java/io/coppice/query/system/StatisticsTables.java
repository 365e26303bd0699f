package io.coppice.query.system;

import io.coppice.engine.Engine;
import io.coppice.engine.EngineStatistics;
import io.coppice.engine.Event;
import io.coppice.engine.PartEvent;
import io.coppice.engine.WaitingInserts;
import io.coppice.parts.set.PartState;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The tables that tell what happened and what is: errors, events, metrics, part_log. Stateless. */
final class StatisticsTables {
  private StatisticsTables() {}

  static void addTo(Map<String, SystemTables.Source> sources) {
    sources.put("asynchronous_inserts", asked -> waiting(asked.engine()));
    sources.put("errors", asked -> errors(asked.engine()));
    sources.put("events", asked -> events(asked.engine()));
    sources.put("metrics", asked -> metrics(asked.engine()));
    sources.put("part_log", asked -> partLog(asked.engine()));
  }

  private static List<SystemRow> waiting(Engine engine) {
    List<SystemRow> rows = new ArrayList<>();
    for (WaitingInserts waiting : engine.asyncInserts().waiting()) {
      rows.add(
          new SystemRow()
              .set("query", waiting.query())
              .set("database", waiting.table().name().database().orElse(""))
              .set("table", waiting.table().name().table())
              .set("format", waiting.format())
              .micros("first_update", waiting.firstMillis())
              .set("total_bytes", waiting.totalBytes())
              .set("entries.query_id", waiting.sizes().stream().map(size -> "").toList())
              .numbers("entries.bytes", waiting.sizes()));
    }
    return rows;
  }

  private static List<SystemRow> errors(Engine engine) {
    List<SystemRow> rows = new ArrayList<>();
    for (EngineStatistics.ErrorCount error : engine.statistics().errors()) {
      rows.add(
          new SystemRow()
              .set("name", error.code().name())
              .set("code", error.code().number())
              .set("value", error.count())
              .time("last_error_time", error.lastMillis())
              .set("last_error_message", error.lastMessage()));
    }
    return rows;
  }

  private static List<SystemRow> events(Engine engine) {
    List<SystemRow> rows = new ArrayList<>();
    for (Event event : Event.values()) {
      long count = engine.statistics().count(event);
      if (count > 0) {
        rows.add(
            new SystemRow()
                .set("event", event.text())
                .set("value", count)
                .set("description", event.description()));
      }
    }
    return rows;
  }

  private static List<SystemRow> metrics(Engine engine) throws IOException {
    Map<PartState, Long> parts = new EnumMap<>(PartState.class);
    List<SystemRow> rows =
        ServedTables.rows(
            engine.tables(),
            (table, to) ->
                table.allParts().forEach(part -> parts.merge(part.state(), 1L, Long::sum)));
    long active = parts.getOrDefault(PartState.ACTIVE, 0L);
    long outdated = parts.getOrDefault(PartState.OUTDATED, 0L);
    rows.add(metric("AttachedDatabase", engine.databases().size(), "Databases that are there."));
    rows.add(metric("AttachedTable", engine.tables().size(), "Tables that are served."));
    rows.add(
        metric(
            "MemoryTracking",
            engine.allocator().getAllocatedMemory(),
            "Bytes of the memory budget that are taken."));
    rows.add(metric("PartsActive", active, "Parts that queries read."));
    rows.add(metric("PartsOutdated", outdated, "Parts that wait to be deleted."));
    return rows;
  }

  private static SystemRow metric(String name, long value, String description) {
    return new SystemRow().set("metric", name).set("value", value).set("description", description);
  }

  private static List<SystemRow> partLog(Engine engine) {
    List<SystemRow> rows = new ArrayList<>();
    for (PartEvent event : engine.statistics().parts()) {
      rows.add(
          new SystemRow()
              .set("event_type", event.kind().text())
              .set("merge_reason", "NotAMerge")
              .set("merge_algorithm", "Undecided")
              .set(
                  "event_date",
                  Instant.ofEpochMilli(event.atMillis()).atZone(ZoneOffset.UTC).toLocalDate())
              .time("event_time", event.atMillis())
              .micros("event_time_microseconds", event.atMillis())
              .set("database", event.table().database())
              .set("table", event.table().table())
              .set("table_uuid", event.tableUuid())
              .set("part_name", event.part().text())
              .set("partition_id", event.part().partition())
              .set("part_type", event.compact() ? "Compact" : "Wide")
              .set("disk_name", "default")
              .set("path_on_disk", event.path())
              .set("rows", event.rows())
              .set("size_in_bytes", event.bytes()));
    }
    return rows;
  }
}
