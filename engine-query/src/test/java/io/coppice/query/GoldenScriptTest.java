package io.coppice.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.error.EngineException;
import io.coppice.engine.Durability;
import io.coppice.engine.Engine;
import io.coppice.engine.EngineConfig;
import io.coppice.fixtures.Golden;
import io.coppice.language.parse.Script;
import io.coppice.parts.text.DataFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What 26.7 did, done again here: the statements of each golden case give its rows, its parts and,
 * by the hashes of their files, its bytes.
 */
class GoldenScriptTest {
  /** Cases that need what is not served, by patterns of their names, with what that is. */
  private static final Map<String, String> NOT_SERVED =
      Map.ofEntries(
          Map.entry("c_.*", "Variant, Dynamic and JSON are not written"),
          Map.entry("d_map_buckets_wide", "maps in buckets are not written"),
          Map.entry("b_lc_single_dict_wide", "one dictionary a part is not written"),
          Map.entry("e_codec_(alp|zxc_wide)", "codecs ALP and ZXC"),
          Map.entry("h_text_index", "text indexes are not built"),
          Map.entry("i_.*", "projections are not built"),
          Map.entry("j_aggregating.*", "states of aggregate functions"),
          Map.entry(
              "j_(collapsing|replacing|replacing_del|replacing_ver|summing)", "folding at INSERT"),
          Map.entry("j_(collapsing|replacing|replacing_del|replacing_ver|summing)_final", "FINAL"),
          Map.entry(
              "[jm]_.*_optimized|m_levels|k_modify_codec|l_ttl_.*_(merged|applied)", "merges"),
          Map.entry("k_(delete|delete_all|update|pending_mutation|materialize_index)", "mutations"),
          Map.entry("k_lw_.*", "lightweight DELETE and UPDATE"));

  private static final List<String> PART_COLUMNS =
      List.of(
          "name",
          "part_type",
          "partition_id",
          "partition",
          "rows",
          "marks",
          "level",
          "data_version",
          "min_block_number",
          "max_block_number");
  private static final List<String> BYTE_COLUMNS =
      List.of(
          "bytes_on_disk",
          "data_compressed_bytes",
          "data_uncompressed_bytes",
          "marks_bytes",
          "hash_of_all_files",
          "hash_of_uncompressed_files",
          "uncompressed_hash_of_compressed_files");

  @TempDir Path directory;

  private final List<String> problems = new ArrayList<>();
  private final Map<String, String> refused = new TreeMap<>();
  private final Map<String, String> otherBytes = new TreeMap<>();
  private int equal;

  @Test
  void scriptsGiveTheSameRowsPartsAndBytes() throws IOException {
    List<Golden> cases = Golden.all(Golden.Engine.V26_7);
    int cut = 0;
    for (Golden golden : cases) {
      String ops = golden.opsSql().orElse("truncated");
      if (ops.contains("truncated")) {
        cut++;
        continue;
      }
      try (Engine engine =
          Engine.open(
              EngineConfig.at(directory.resolve(golden.name())).withDurability(Durability.FAST))) {
        Session session = new Session(engine);
        for (String statement :
            List.of(
                "CREATE DATABASE g",
                "SET allow_suspicious_codecs = 1, allow_suspicious_low_cardinality_types = 1")) {
          session.execute(statement).close();
        }
        run(golden, ops, engine, session);
        assertThat(engine.allocator().getAllocatedMemory()).as(golden.name()).isZero();
      }
    }
    System.out.printf(
        "golden scripts: %d cases, %d cut short, %d equal, %d equal but for bytes, %d not served%n",
        cases.size(), cut, equal, otherBytes.size(), refused.size());
    problems.forEach(System.out::println);
    otherBytes.forEach((name, how) -> System.out.println(name + ": other bytes" + how));
    assertThat(problems.size()).as("problems, printed above").isZero();
    assertThat(cases)
        .filteredOn(c -> NOT_SERVED.keySet().stream().anyMatch(c.name()::matches))
        .as("cases named as not served that are")
        .allSatisfy(c -> assertThat(refused).containsKey(c.name()));
    assertThat(otherBytes.keySet()).as("%s", otherBytes).isEmpty();
  }

  private void run(Golden golden, String ops, Engine engine, Session session) throws IOException {
    try {
      Script script = new Script(ops);
      for (Optional<Script.Item> item = script.next(); item.isPresent(); item = script.next()) {
        session.execute(item.get()).close();
      }
    } catch (EngineException e) {
      failed(golden, e.code() + " " + e.getMessage());
      return;
    }
    String rows;
    try {
      rows =
          Texts.text(
              session,
              engine.allocator(),
              golden.selectSql().orElseThrow().strip(),
              DataFormat.TSV_WITH_NAMES_AND_TYPES);
    } catch (EngineException e) {
      failed(golden, e.code() + " " + e.getMessage());
      return;
    }
    String expected =
        new String(golden.expectedTsv().orElseThrow(), StandardCharsets.UTF_8).stripTrailing();
    if (!rows.stripTrailing().equals(expected)) {
      failed(golden, "rows\n  " + few(expected) + "\n  found " + few(rows));
      return;
    }
    String parts = theirs(golden, PART_COLUMNS);
    String ours = ours(PART_COLUMNS, session, engine);
    if (!ours.equals(parts)) {
      failed(golden, "parts\n  " + few(parts) + "\n  found " + few(ours));
      return;
    }
    String bytes = theirs(golden, BYTE_COLUMNS);
    ours = ours(BYTE_COLUMNS, session, engine);
    if (ours.equals(bytes)) {
      equal++;
    } else {
      otherBytes.put(golden.name(), "\n  " + few(bytes) + "\n  " + few(ours));
    }
  }

  private void failed(Golden golden, String how) {
    if (NOT_SERVED.keySet().stream().anyMatch(golden.name()::matches)) {
      refused.put(golden.name(), how);
    } else {
      problems.add(golden.name() + ": " + how);
    }
  }

  private static String few(String text) {
    return text.length() <= 300 ? text : text.substring(0, 300) + "…";
  }

  private static String ours(List<String> columns, Session session, Engine engine)
      throws IOException {
    return Texts.tsv(
        session,
        engine.allocator(),
        "SELECT "
            + String.join(", ", columns)
            + " FROM system.parts WHERE database = 'g' AND active ORDER BY name");
  }

  /** Columns of the active parts as the engine told of them. */
  private static String theirs(Golden golden, List<String> columns) {
    List<String> lines = golden.text("parts.tsv").lines().toList();
    List<String> names = Arrays.asList(lines.get(0).split("\t"));
    int active = names.indexOf("active");
    Stream<String[]> parts =
        lines.stream().skip(1).map(line -> line.split("\t", -1)).filter(f -> f[active].equals("1"));
    return parts
        .sorted((a, b) -> a[0].compareTo(b[0]))
        .map(
            fields ->
                columns.stream()
                    .map(column -> fields[names.indexOf(column)])
                    .collect(Collectors.joining("\t")))
        .collect(Collectors.joining("\n"));
  }
}
