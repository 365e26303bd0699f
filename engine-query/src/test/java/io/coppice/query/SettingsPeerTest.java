package io.coppice.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.error.EngineException;
import io.coppice.engine.Engine;
import io.coppice.engine.EngineConfig;
import io.coppice.fixtures.peer.ChdbPeer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names, defaults and values of settings as 26.7 has them. */
@Tag("peer")
class SettingsPeerTest {
  private static final List<String> VALUES =
      List.of(
          "max_threads = 'abc'",
          "max_threads = -1",
          "max_threads = 'auto'",
          "max_threads = 3",
          "optimize_move_to_prewhere = 5",
          "optimize_move_to_prewhere = 'true'",
          "optimize_move_to_prewhere = true",
          "optimize_move_to_prewhere = 'x'",
          "max_block_size = 'x'",
          "max_block_size = '17'",
          "no_such_setting = 1",
          "distributed_ddl_task_timeout = 'a'",
          "distributed_ddl_task_timeout = -1",
          "log_comment = 5",
          "log_comment = 'why'",
          "max_execution_time = 'x'",
          "totals_auto_threshold = 'x'",
          "join_use_nulls = 0",
          "join_use_nulls = 2",
          "enable_multiple_prewhere_read_steps = 0",
          "async_insert = 2",
          "max_insert_block_size = -5",
          "log_queries = 'maybe'",
          "format_csv_delimiter = 'ab'",
          "session_timezone = 'Nowhere/At_all'");

  @TempDir Path directory;

  @Test
  void namesAndDefaultsAre26s() throws Exception {
    String query =
        "SELECT name, type, if(default LIKE 'auto(%', 'auto', default), alias_for"
            + " FROM system.settings WHERE name NOT LIKE '%timezone' ORDER BY name";
    try (Engine engine = Engine.open(EngineConfig.at(directory));
        ChdbPeer peer = ChdbPeer.start()) {
      String theirs = peer.text(query);
      assertThat(theirs.lines().count()).isGreaterThan(1_500);
      assertThat(Texts.tsv(new Session(engine), engine.allocator(), query)).isEqualTo(theirs);
    }
  }

  @Test
  void valuesAreTakenAndRefusedAsThere() throws Exception {
    List<String> different = new ArrayList<>();
    try (Engine engine = Engine.open(EngineConfig.at(directory));
        ChdbPeer peer = ChdbPeer.start()) {
      for (String value : VALUES) {
        ChdbPeer.Answer answer = peer.ask("SET " + value, "Null");
        String theirs = answer.ok() ? "taken" : "error " + answer.code();
        String ours = "taken";
        try {
          new Session(engine).execute("SET " + value).close();
        } catch (EngineException e) {
          ours = "error " + e.code().number();
        }
        if (!ours.equals(theirs)) {
          different.add(value + ": there " + theirs + ", here " + ours);
        }
      }
    }
    assertThat(different).isEmpty();
  }

  @Test
  void otherValuesOfWhatIsNotServedAreRefusedByName() throws Exception {
    try (Engine engine = Engine.open(EngineConfig.at(directory))) {
      Session session = new Session(engine);
      session.execute("SELECT 1 SETTINGS join_use_nulls = 0, optimize_read_in_order = 0").close();
      org.assertj.core.api.Assertions.assertThatThrownBy(
              () -> session.execute("SELECT 1 SETTINGS join_use_nulls = 1"))
          .isInstanceOf(EngineException.class)
          .hasMessageContaining("setting join_use_nulls is not served; leave it at 0");
    }
  }
}
