package io.coppice.merge.select;

import static io.coppice.merge.select.Parts.MIB;
import static io.coppice.merge.select.Parts.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** The numbers beside the formulas were computed by hand. */
class SimpleRuleTest {
  private static final SimpleRule RULE = SimpleRule.of(settings(), false);

  @Test
  void aMergeCostsItsBytesAndFiveMebibytesASource() {
    // (0 + 2 * 5 MiB) / (2 - 1.9)
    assertThat(SimpleRule.score(2, 0)).isCloseTo(100 * MIB, within(1.0));
    // (10 MiB + 5 * 5 MiB) / 3.1 = 35 MiB / 3.1
    assertThat(SimpleRule.score(5, 10 * MIB)).isCloseTo(11_838_761.29, within(0.01));
  }

  @Test
  void aResultLikeThePartBeforeItIsWorthMore() {
    assertThat(SimpleRule.aligned(100, 8 * MIB, 0)).isEqualTo(100);
    assertThat(SimpleRule.aligned(100, 8 * MIB, 8 * MIB)).isEqualTo(75);
    // log2(1 / 1.25) = -0.3219; 0.75 + 0.25 * 0.3219 / 0.5
    assertThat(SimpleRule.aligned(100, 8 * MIB, 10 * MIB)).isCloseTo(91.096, within(0.001));
    assertThat(SimpleRule.aligned(100, 8 * MIB, 12 * MIB)).as("0.58 powers of two").isEqualTo(100);
    assertThat(SimpleRule.aligned(100, 10 * MIB, 9 * MIB)).as("not over 0.9").isEqualTo(100);
  }

  @Test
  void widthIsTheWholeOverTheLargestPart() {
    // (10 + 3 * 5) / (5 + 5)
    assertThat(SimpleRule.width(3, 10 * MIB, 5 * MIB)).isEqualTo(2.5);
    assertThat(SimpleRule.width(5, 0, 0)).isEqualTo(5);
  }

  @Test
  void theBaseFallsToTwoAsPartsGetMany() {
    assertThat(RULE.loweredBase(MIB, 0, 10)).isEqualTo(5);
    assertThat(RULE.loweredBase(MIB, 0, 30)).isEqualTo(3.5);
    assertThat(RULE.loweredBase(MIB, 0, 50)).isEqualTo(2);
    assertThat(RULE.loweredBase(MIB, 0, 5000)).isEqualTo(2);
  }

  @Test
  void theBaseFallsToTwoAsPartsGetOldLargeOnesLater() {
    assertThat(RULE.loweredBase(MIB, 10, 2)).isEqualTo(5);
    // (1805 - 10) / (3600 - 10) = 0.5 of the way
    assertThat(RULE.loweredBase(MIB, 1805, 2)).isEqualTo(3.5);
    assertThat(RULE.loweredBase(0, 3600, 2)).isEqualTo(2);
    // 100 GiB are old with 30 days: (3600 - 10) / (2592000 - 10) of 3
    assertThat(RULE.loweredBase(100L << 30, 3600, 2)).isCloseTo(4.995845, within(1e-6));
    assertThat(RULE.loweredBase(100L << 30, 30 * 86400, 2)).isEqualTo(2);
    assertThat(RULE.loweredBase(MIB, 1805, 30)).as("both").isEqualTo(2);
  }

  @Test
  void whoAsksForAMergeGetsOneOfAnyWidthWhilePartsAreFew() {
    SimpleRule eager = SimpleRule.of(settings(), true);
    assertThat(eager.loweredBase(MIB, 0, 2)).isEqualTo(1);
    assertThat(eager.loweredBase(MIB, 0, 30)).isEqualTo(1.5);
    assertThat(eager.loweredBase(MIB, 0, 50)).isEqualTo(2);
  }

  @Test
  void mergesHaveFewerSourcesAsAPartitionFillsUp() {
    assertThat(RULE.maxParts(4)).isEqualTo(100);
    // 5 + 95 * (1 - (995 / 2995)^5) = 5 + 95 * 0.99595
    assertThat(RULE.maxParts(1000)).isEqualTo(99);
    // 5 + 95 * (1 - (2495 / 2995)^5) = 5 + 95 * 0.5988
    assertThat(RULE.maxParts(2500)).isEqualTo(61);
    assertThat(RULE.maxParts(2999)).isEqualTo(5);
    assertThat(RULE.maxParts(3000)).isEqualTo(5);
  }

  @Test
  void theMostSourcesAreRoundedDownAsThere() {
    // 26.7, asked for a merge of 30 equal parts with max_parts_to_merge_at_once = 3, merges two:
    // 1 + 2 * (1 - (29 / 2999)^5) is a little less than 3.
    SimpleRule eager = SimpleRule.of(settings("max_parts_to_merge_at_once", 3), true);
    assertThat(eager.maxParts(30)).isEqualTo(2);
    assertThat(SimpleRule.of(settings("parts_to_throw_insert", 0), true).maxParts(3)).isEqualTo(2);
    assertThat(SimpleRule.of(settings("parts_to_throw_insert", 0), false).maxParts(9)).isEqualTo(5);
  }

  @Test
  void withoutTheHeuristicTheSettingHolds() {
    String heuristic = "merge_selector_enable_heuristic_to_lower_max_parts_to_merge_at_once";
    SimpleRule rule = SimpleRule.of(settings(heuristic, 0, "max_parts_to_merge_at_once", 7), false);
    assertThat(rule.maxParts(100_000)).isEqualTo(7);
    assertThat(SimpleRule.of(settings("max_parts_to_merge_at_once", 0), false).maxParts(4))
        .as("any number")
        .isZero();
  }
}
