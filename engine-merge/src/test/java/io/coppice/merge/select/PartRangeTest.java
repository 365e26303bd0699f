package io.coppice.merge.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.parts.name.PartName;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartRangeTest {
  private static PartRange range(String... names) {
    return new PartRange(Arrays.stream(names).map(name -> Parts.part(name, 10)).toList());
  }

  @Test
  void theResultHoldsAllBlocksALevelHigher() {
    assertThat(range("all_1_3_2", "all_5_5_0", "all_6_9_1").resultName().text())
        .isEqualTo("all_1_9_3");
    assertThat(range("all_1_1_0").resultName().text()).isEqualTo("all_1_1_1");
  }

  @Test
  void theResultHasGoneThroughTheLastMutation() {
    assertThat(range("all_1_1_0_4", "all_2_2_0_7", "all_8_8_0").resultName().text())
        .isEqualTo("all_1_8_1_7");
  }

  @Test
  void theResultCoversItsSources() {
    PartRange range = range("all_1_3_2", "all_5_5_0_6", "all_7_9_1");
    assertThat(range.parts()).allMatch(part -> range.resultName().covers(part.name()));
  }

  @Test
  void oldNamesTellTheirDays() {
    PartRange range =
        new PartRange(
            List.of(
                new CandidatePart(PartName.parseWithDays("20261003_20261004_1_1_0"), 1, 1, 0),
                new CandidatePart(PartName.parseWithDays("20261001_20261002_2_2_0"), 1, 1, 0)));
    assertThat(range.resultName().text()).isEqualTo("20261001_20261004_1_2_1");
  }

  @Test
  void partsOfTwoPartitionsOrInDisorderAreNoRange() {
    assertThatThrownBy(() -> range("a_1_1_0", "b_2_2_0"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> range("a_2_2_0", "a_1_1_0"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> range("a_1_2_1", "a_2_2_0"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> range()).isInstanceOf(IllegalArgumentException.class);
  }
}
