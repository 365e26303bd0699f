package io.coppice.parts.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.parts.table.SmallTable;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ClickHouse asks of every inserted row is asked of every row that is built. */
class RowChecksTest {
  @TempDir Path directory;
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingIsLeftAllocated() {
    allocator.close();
  }

  private SmallTable table(String definition) {
    return new SmallTable(directory, allocator, definition);
  }

  private void refused(SmallTable table, String json, ErrorCode code, String... words) {
    assertThatThrownBy(() -> table.insert(json))
        .isInstanceOfSatisfying(EngineException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContainingAll(words);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void constraintsHoldForEveryRow() throws IOException {
    String definition =
        "(k Int32, n Nullable(Int8), CONSTRAINT positive CHECK k > 0, CONSTRAINT small CHECK n < 10,"
            + " CONSTRAINT unasked ASSUME k = 77) ENGINE = MergeTree ORDER BY k";
    refused(
        table(definition),
        "{\"k\":1,\"n\":1}{\"k\":2,\"n\":1}{\"k\":-5,\"n\":1}",
        ErrorCode.VIOLATED_CONSTRAINT,
        "constraint positive",
        "row 3 of the input",
        "k > 0",
        "k = -5");
    refused(
        table(definition),
        "{\"k\":1,\"n\":1}{\"k\":2,\"n\":null}",
        ErrorCode.VIOLATED_CONSTRAINT,
        "constraint small",
        "row 2 of the input",
        "n = null");
    SmallTable fine = table(definition).insert("{\"k\":1,\"n\":1}{\"k\":2,\"n\":9}");
    assertThat(fine.tsv(fine.scan())).isEqualTo("1\t1\n2\t9\n");
  }

  @Test
  void constraintsSeeWhatDefaultsFillIn() {
    refused(
        table(
            "(k Int32, d Int32 DEFAULT k - 10, CONSTRAINT c CHECK d > 0) ENGINE = MergeTree ORDER"
                + " BY k"),
        "{\"k\":5}",
        ErrorCode.VIOLATED_CONSTRAINT,
        "d = -5");
  }

  @Test
  void onlyOneIsTrueOfAConstraint() throws IOException {
    String definition = "(k Int32, CONSTRAINT c CHECK toUInt8(k)) ENGINE = MergeTree ORDER BY k";
    refused(table(definition), "{\"k\":5}", ErrorCode.VIOLATED_CONSTRAINT, "row 1 of the input");
    refused(
        table("(k Int32, CONSTRAINT c CHECK k) ENGINE = MergeTree ORDER BY k"),
        "{\"k\":1}",
        ErrorCode.UNSUPPORTED_METHOD,
        "Int32");
    table(definition).insert("{\"k\":1}");
  }

  @Test
  void versionedCollapsingTakesAnySign() throws IOException {
    SmallTable table =
        table("(k Int32, s Int8, v UInt8) ENGINE = VersionedCollapsingMergeTree(s, v) ORDER BY k")
            .insert("{\"k\":1,\"s\":5,\"v\":1}");
    assertThat(table.tsv(table.scan())).isEqualTo("1\t5\t1\n");
  }

  @Test
  void signsAreOneOrMinusOne() throws IOException {
    String definition = "(k Int32, s Int8) ENGINE = CollapsingMergeTree(s) ORDER BY k";
    for (String sign : new String[] {"0", "2", "-2", "-128"}) {
      refused(
          table(definition),
          "{\"k\":1,\"s\":1}{\"k\":2,\"s\":" + sign + "}",
          ErrorCode.INCORRECT_DATA,
          "row 2 of the input",
          "column s",
          "is " + sign);
    }
    SmallTable fine =
        table("(k Int32, s Int8) ENGINE = CollapsingMergeTree(s) ORDER BY k")
            .insert("{\"k\":1,\"s\":1}{\"k\":2,\"s\":-1}");
    assertThat(fine.tsv(fine.scan())).isEqualTo("1\t1\n2\t-1\n");
  }
}
