package io.coppice.query.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServedTablesTest {
  @Test
  void aTableThatIsGoneSaysNothingAndTheOthersAllTheyHave() throws IOException {
    List<SystemRow> rows =
        ServedTables.rows(
            List.of("a", "gone", "b"),
            (table, to) -> {
              to.add(new SystemRow().set("name", table));
              if (table.equals("gone")) {
                throw EngineException.of(ErrorCode.UNKNOWN_TABLE, "table %s was dropped", table);
              }
              to.add(new SystemRow().set("name", table + "2"));
            });

    assertThat(rows).hasSize(4);
  }

  @Test
  void otherFailuresAreNotHidden() {
    assertThatThrownBy(
            () ->
                ServedTables.rows(
                    List.of("a"),
                    (table, to) -> {
                      throw EngineException.of(ErrorCode.CORRUPTED_DATA, "part of %s", table);
                    }))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("part of a");
  }
}
