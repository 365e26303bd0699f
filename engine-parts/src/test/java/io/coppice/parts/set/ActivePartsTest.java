package io.coppice.parts.set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.parts.format.FormatVersionFile;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ActivePartsTest {
  @Test
  void choosesByNameAsThePartSetDoes() {
    ActiveParts parts =
        ActiveParts.of(
            List.of(
                "all_3_3_0",
                "all_1_2_1",
                "all_1_1_0",
                "all_2_2_0",
                "all_3_3_0_5",
                "tmp_insert_all_4_4_0",
                "tmp-fetch_all_5_5_0",
                "delete_tmp_all_0_0_0",
                "detached",
                "broken_all_1_1_0"),
            Optional.empty());
    assertThat(parts.active()).containsExactly("all_1_2_1", "all_3_3_0_5");
    assertThat(parts.others()).containsExactly("broken_all_1_1_0", "detached");
    assertThat(parts.leftOut().stream().map(one -> one.directory() + " " + one.reason()))
        .containsExactlyInAnyOrder(
            "all_1_1_0 covered by all_1_2_1",
            "all_2_2_0 covered by all_1_2_1",
            "all_3_3_0 covered by all_3_3_0_5",
            "tmp_insert_all_4_4_0 left by something that was writing it",
            "tmp-fetch_all_5_5_0 left by something that was writing it",
            "delete_tmp_all_0_0_0 being deleted");
  }

  @Test
  void namesWithDaysAreReadWhereTheFormatAllows() {
    List<String> names = List.of("20240101_20240131_1_2_1", "20240102_20240103_1_1_0");
    for (Optional<FormatVersionFile> format :
        List.of(Optional.<FormatVersionFile>empty(), Optional.of(FormatVersionFile.MONTHLY))) {
      ActiveParts parts = ActiveParts.of(names, format);
      assertThat(parts.active()).containsExactly("20240101_20240131_1_2_1");
      assertThat(parts.leftOut()).hasSize(1);
    }
    assertThat(ActiveParts.of(names, Optional.of(FormatVersionFile.CUSTOM_PARTITIONING)).others())
        .hasSize(2);
  }

  @Test
  void partsThatOverlapAreRefused() {
    assertThatThrownBy(() -> ActiveParts.of(List.of("all_1_3_1", "all_2_4_1"), Optional.empty()))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("all_1_3_1 and all_2_4_1 have blocks in common");
  }
}
