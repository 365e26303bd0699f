package io.coppice.query;

import io.coppice.engine.Engine;
import io.coppice.fixtures.peer.ChdbPeer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What system tables tell of one data directory, in 26.7 and here: equal texts. */
@Tag("peer")
class SystemTablesPeerTest {
  private static final List<String> STATEMENTS =
      List.of(
          "CREATE TABLE t (a UInt64 COMMENT 'key', s String DEFAULT 'x' CODEC(ZSTD(1)), d Date,"
              + " n Nullable(Int32), fs FixedString(3), dec Decimal(9, 2), t6 DateTime64(6),"
              + " b Bool, al UInt64 ALIAS a + 1, INDEX i a TYPE minmax GRANULARITY 2,"
              + " INDEX j (a, s) TYPE set(10)) ENGINE = MergeTree PARTITION BY (toYYYYMM(d), s)"
              + " ORDER BY (a, cityHash64(s)) PRIMARY KEY a SAMPLE BY a"
              + " SETTINGS min_bytes_for_wide_part = 0 COMMENT 'tt'",
          "INSERT INTO t (a, s, d, n) VALUES (1, 'a', '2024-02-29', NULL), (2, 'b\\'c', '2024-01-01', 5)",
          "CREATE TABLE u (s String, x UInt8) ENGINE = ReplacingMergeTree(x) PARTITION BY s ORDER BY x",
          "INSERT INTO u VALUES ('q\\'z\\t', 1)",
          "CREATE TABLE v (x UInt8, n Nested(p Int8, q String), at DateTime) ENGINE = MergeTree"
              + " PARTITION BY toYYYYMMDD(at) ORDER BY tuple()",
          "INSERT INTO v VALUES (1, [1], ['2'], '2024-05-06 07:08:09'), (3, [], [],"
              + " '2024-05-06 01:02:03')");

  private static final List<String> QUERIES =
      List.of(
          "SELECT database, table, partition, name, uuid, part_type, active, marks, rows, files,"
              + " bytes_on_disk, data_compressed_bytes, data_uncompressed_bytes,"
              + " primary_key_size, marks_bytes, secondary_indices_compressed_bytes,"
              + " secondary_indices_uncompressed_bytes, secondary_indices_marks_bytes, min_date,"
              + " max_date, min_time, max_time, partition_id, min_block_number,"
              + " max_block_number, level, data_version, engine, disk_name, path,"
              + " hash_of_all_files, hash_of_uncompressed_files,"
              + " uncompressed_hash_of_compressed_files, default_compression_codec, visible,"
              + " projections, bytes, part_name, modification_time FROM system.parts"
              + " WHERE database = 'default' ORDER BY table, name",
          "SELECT table, name, column, type, column_position, default_kind, default_expression,"
              + " column_bytes_on_disk, column_data_compressed_bytes,"
              + " column_data_uncompressed_bytes, column_marks_bytes, serialization_kind,"
              + " substreams FROM system.parts_columns WHERE database = 'default' AND table = 't'"
              + " ORDER BY table, name, column_position",
          "SELECT table, name, column, type FROM system.parts_columns WHERE database = 'default'"
              + " ORDER BY table, name, column_position",
          "SELECT database, table, name, type, position, default_kind, default_expression,"
              + " comment, is_in_partition_key, is_in_sorting_key, is_in_primary_key,"
              + " is_in_sampling_key, compression_codec, character_octet_length,"
              + " numeric_precision, numeric_precision_radix, numeric_scale, datetime_precision"
              + " FROM system.columns WHERE database = 'default' ORDER BY table, position",
          "SELECT name, data_compressed_bytes, data_uncompressed_bytes, marks_bytes"
              + " FROM system.columns WHERE database = 'default' AND table = 't' ORDER BY position",
          "SELECT database, name, engine, data_paths, create_table_query, engine_full,"
              + " partition_key, sorting_key, primary_key, sampling_key, storage_policy,"
              + " total_rows, total_bytes, total_bytes_uncompressed, parts, active_parts,"
              + " total_marks, comment, has_own_data, table FROM system.tables"
              + " WHERE database = 'default' ORDER BY name",
          "SELECT database, table, name, type, type_full, expr, creation, granularity"
              + " FROM system.data_skipping_indices WHERE database = 'default' ORDER BY table, name",
          "SELECT database, table, partition_id, name, disk, reason, min_block_number,"
              + " max_block_number, level FROM system.detached_parts ORDER BY table, name",
          "SELECT name, type, default FROM system.merge_tree_settings WHERE name = 'index_granularity'",
          "SELECT name, value, changed, type FROM system.settings WHERE name = 'session_timezone'",
          "SELECT name FROM system.databases WHERE name IN ('default', 'system') ORDER BY name",
          "SELECT name, method_byte, is_compression FROM system.codecs WHERE name = 'ZSTD'",
          "SELECT name, case_insensitive, alias_to FROM system.data_type_families"
              + " WHERE name IN ('Int8', 'TINYINT', 'Date') ORDER BY name",
          "SELECT * FROM system.one",
          "SELECT number FROM system.numbers LIMIT 3");

  @TempDir Path directory;

  @Test
  void tablesTellTheSame() throws IOException {
    List<String> theirs = new ArrayList<>();
    List<String> columns = new ArrayList<>();
    try (ChdbPeer peer = ChdbPeer.start(directory)) {
      STATEMENTS.forEach(peer::run);
      peer.run("ALTER TABLE v DETACH PARTITION ALL");
      for (String query : QUERIES) {
        theirs.add(peer.text(query));
      }
      for (String table : tables()) {
        columns.add(peer.text(columnsOf(table)));
      }
    }
    SoftAssertions all = new SoftAssertions();
    try (Engine engine = Engine.open(directory)) {
      Session session = new Session(engine);
      for (int i = 0; i < QUERIES.size(); i++) {
        all.assertThat(text(session, engine, QUERIES.get(i)))
            .as(QUERIES.get(i))
            .isEqualTo(theirs.get(i));
      }
      for (int i = 0; i < columns.size(); i++) {
        String table = tables().get(i);
        all.assertThat(text(session, engine, columnsOf(table))).as(table).isEqualTo(columns.get(i));
      }
    }
    all.assertAll();
  }

  private static String columnsOf(String table) {
    return "SELECT name, type, position, default_kind, default_expression FROM system.columns"
        + " WHERE database = 'system' AND table = '"
        + table
        + "' ORDER BY position";
  }

  private static List<String> tables() {
    // A server makes part_log when it first writes to it.
    return io.coppice.query.system.SystemTables.all().stream()
        .map(table -> table.name())
        .filter(name -> !name.equals("part_log"))
        .toList();
  }

  private static String text(Session session, Engine engine, String query) throws IOException {
    return Texts.tsv(session, engine.allocator(), query);
  }
}
