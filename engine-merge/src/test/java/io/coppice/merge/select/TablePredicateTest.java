package io.coppice.merge.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.parts.name.PartName;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TablePredicateTest {
  private static List<CandidatePart> parts(String... names) {
    return Arrays.stream(names).map(name -> Parts.part(name, 10)).toList();
  }

  private static List<String> ranges(MergePredicate predicate, List<CandidatePart> parts) {
    return predicate.ranges(parts).stream().map(PartRange::toString).toList();
  }

  private static List<PartName> names(String... names) {
    return Arrays.stream(names).map(PartName::parse).toList();
  }

  @Test
  void partitionsAreRangesOfTheirOwn() {
    assertThat(ranges(TablePredicate.idle(), parts("a_1_1_0", "a_4_4_0", "b_2_2_0", "b_3_3_0")))
        .containsExactly("a_1_1_0 to a_4_4_0", "b_2_2_0 to b_3_3_0");
  }

  @Test
  void aPartInUseSplitsItsNeighbours() {
    assertThat(
            ranges(
                Parts.inUse("a_2_2_0", "a_5_5_0"),
                parts("a_1_1_0", "a_2_2_0", "a_3_3_0", "a_4_4_0", "a_5_5_0")))
        .containsExactly("a_1_1_0", "a_3_3_0 to a_4_4_0");
  }

  @Test
  void partsOnTwoSidesOfAMutationStayApart() {
    TablePredicate predicate =
        new TablePredicate(List.of(), List.of(3L, 8L), OptionalLong.empty(), List.of());
    assertThat(ranges(predicate, parts("a_1_1_0", "a_2_2_0", "a_4_4_0", "a_5_5_0_8", "a_9_9_0")))
        .containsExactly("a_1_1_0 to a_2_2_0", "a_4_4_0", "a_5_5_0_8 to a_9_9_0");
  }

  @Test
  void partsWithOtherProjectionsStayApart() {
    CandidatePart with =
        new CandidatePart(PartName.parse("a_2_2_0"), 1, 1, 0, Set.of("p", "q"), Optional.empty());
    CandidatePart without = Parts.part("a_1_1_0", 10);
    assertThat(ranges(TablePredicate.idle(), List.of(without, with)))
        .containsExactly("a_1_1_0", "a_2_2_0");
    assertThat(TablePredicate.idle().against(without, with))
        .contains("parts a_1_1_0 and a_2_2_0 have unlike projections: [], [p, q]");
  }

  @Test
  void aGapWithAHigherPartInItStaysOpen() {
    List<CandidatePart> parts = parts("a_1_1_0", "a_5_5_1", "a_6_6_0");
    TablePredicate dropped =
        new TablePredicate(
            List.of(), List.of(), OptionalLong.empty(), names("a_2_4_2", "a_2_2_0", "a_3_3_0"));
    assertThat(ranges(dropped, parts)).containsExactly("a_1_1_0", "a_5_5_1 to a_6_6_0");
    TablePredicate low =
        new TablePredicate(List.of(), List.of(), OptionalLong.empty(), names("a_2_4_1"));
    assertThat(ranges(low, parts)).as("of the level of one").containsExactly("a_1_1_0 to a_6_6_0");
  }

  @Test
  void sourcesOfAMergedPartDoNotHinderIt() {
    TablePredicate predicate =
        new TablePredicate(
            List.of(), List.of(), OptionalLong.empty(), names("a_1_1_0", "a_2_2_0", "a_1_2_1"));
    assertThat(ranges(predicate, parts("a_1_3_2", "a_4_4_0")))
        .containsExactly("a_1_3_2 to a_4_4_0");
  }

  @Test
  void partsWaitForAnUpdateBeforeThem() {
    TablePredicate predicate =
        new TablePredicate(List.of(), List.of(), OptionalLong.of(3), List.of());
    assertThat(ranges(predicate, parts("a_1_1_0", "a_2_2_0", "a_4_4_0")))
        .containsExactly("a_1_1_0 to a_2_2_0");
  }
}
