package io.coppice.merge.select;

import static io.coppice.merge.select.Parts.MIB;
import static io.coppice.merge.select.Parts.chooser;
import static io.coppice.merge.select.Parts.equal;
import static io.coppice.merge.select.Parts.ofSizesAndAge;
import static io.coppice.merge.select.Parts.settings;
import static io.coppice.merge.select.Parts.situation;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.merge.select.MergeDecision.Merge;
import io.coppice.merge.select.MergeDecision.MergedAlready;
import io.coppice.merge.select.MergeDecision.Nothing;
import io.coppice.parts.name.PartName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MergeChooserTest {
  private static final MergePool POOL = new MergePool(16, 0, 0);

  private static String result(MergeDecision decision) {
    return decision.merge().map(merge -> merge.resultName() + " " + merge.kind().text()).orElse("");
  }

  private static String reason(MergeDecision decision) {
    return ((Nothing) decision).reason();
  }

  /** A part of 10 bytes whose rows expire from {@code min} to {@code max}. */
  private static CandidatePart expiring(String name, long min, long max) {
    return expiring(name, new PartTtl(min, max, true, true, Optional.empty()));
  }

  private static CandidatePart expiring(String name, PartTtl ttl) {
    return new CandidatePart(PartName.parse(name), 10, 1, 0, Set.of(), Optional.of(ttl));
  }

  @Test
  void wideMergesAreChosenAndNarrowOnesOnlyIfAskedFor() {
    MergeChooser chooser = chooser(settings());
    assertThat(result(chooser.next(situation(equal(6, 10))))).isEqualTo("all_1_6_1 RegularMerge");
    assertThat(chooser.next(situation(equal(3, 10))).merge()).isEmpty();
    assertThat(result(chooser.optimize(situation(equal(3, 10)))))
        .isEqualTo("all_1_3_1 RegularMerge");
  }

  @Test
  void whatIsBeingMergedIsLeftAlone() {
    MergeChooser chooser = chooser(settings());
    MergeSituation now =
        situation(equal(12, 10), Parts.inUse("all_6_6_0"), new MergePool(16, 1, 0), 0);
    assertThat(result(chooser.next(now))).isEqualTo("all_7_12_1 RegularMerge");
  }

  @Test
  void saysWhyNothingIsMerged() {
    MergeChooser chooser = chooser(settings());
    assertThat(reason(chooser.next(situation(List.of())))).isEqualTo("the table has no parts");
    assertThat(reason(chooser.next(situation(equal(3, 0)))))
        .isEqualTo(
            "3 of 3 parts may be merged, in 1 ranges: 3 possible merges are too narrow: the widest"
                + " has 3.00 times the size of its largest part, 5.00 are asked for");
    assertThat(reason(chooser.next(situation(equal(1, 0), Parts.inUse("all_1_1_0"), POOL, 0))))
        .isEqualTo("none of 1 parts may be merged: part all_1_1_0 is being merged or mutated");
    assertThat(
            reason(
                chooser(settings("max_bytes_to_merge_at_max_space_in_pool", 0))
                    .next(situation(equal(9, 0)))))
        .isEqualTo("merges are switched off by max_bytes_to_merge_at_max_space_in_pool = 0");
    MergeSituation full =
        new MergeSituation(
            equal(9, 0), TablePredicate.idle(), POOL, 1, 9, TtlSchedule.empty(), false, 0);
    assertThat(reason(chooser.next(full)))
        .isEqualTo("the disk has no space for a merge: 1 bytes are free");
  }

  @Test
  void expiredPartsComeFirstThenExpiredRows() {
    List<CandidatePart> parts =
        List.of(
            expiring("all_1_1_0", 500, 2000),
            expiring("all_2_2_0", 600, 900),
            expiring("all_3_3_0", 700, 800),
            expiring("all_4_4_0", 1500, 2000));
    MergeChooser chooser = chooser(settings());
    assertThat(result(chooser.next(situation(parts)))).isEqualTo("all_2_3_1 TTLDropMerge");
    List<CandidatePart> without = List.of(parts.get(0), parts.get(3));
    assertThat(result(chooser.next(situation(without)))).isEqualTo("all_1_1_1 TTLDeleteMerge");
    assertThat(chooser(settings("ttl_only_drop_parts", 1)).next(situation(without)).merge())
        .isEmpty();
  }

  @Test
  void dueNeighboursJoinAsFarAsTheLimitsGo() {
    List<CandidatePart> parts = new ArrayList<>();
    for (int i = 1; i <= 9; i++) {
      parts.add(expiring("all_%d_%d_0".formatted(i, i), 100 + Math.abs(i - 5), 9000));
    }
    assertThat(result(chooser(settings()).next(situation(parts))))
        .isEqualTo("all_1_9_1 TTLDeleteMerge");
    assertThat(
            result(
                chooser(settings("max_bytes_to_merge_at_max_space_in_pool", 60))
                    .next(situation(parts))))
        .as("first to the left of the fifth, then to its right")
        .isEqualTo("all_1_6_1 TTLDeleteMerge");
    List<CandidatePart> all = new ArrayList<>();
    parts.forEach(part -> all.add(expiring(part.name().text(), 10, part.ttl().get().minSeconds())));
    assertThat(
            result(
                chooser(
                        settings(
                            "max_parts_to_merge_at_once",
                            3,
                            "max_bytes_to_merge_at_max_space_in_pool",
                            1))
                    .next(situation(all))))
        .as("parts that go as a whole are limited by number alone")
        .isEqualTo("all_3_5_1 TTLDropMerge");
  }

  @Test
  void aPartitionWaitsBetweenMergesThatDeleteRows() {
    List<CandidatePart> parts =
        List.of(expiring("a_1_1_0", 500, 5000), expiring("b_2_2_0", 600, 5000));
    MergeSettings settings = settings("merge_with_ttl_timeout", 100);
    MergeChooser chooser = chooser(settings);
    Merge first = chooser.next(situation(parts)).merge().orElseThrow();
    assertThat(first.resultName()).hasToString("a_1_1_1");
    TtlSchedule schedule = TtlSchedule.empty().after(first, settings, 1000);
    MergeSituation then =
        new MergeSituation(parts, TablePredicate.idle(), POOL, MIB, MIB, schedule, false, 1099);
    assertThat(result(chooser.next(then))).isEqualTo("b_2_2_1 TTLDeleteMerge");
    MergeSituation later =
        new MergeSituation(parts, TablePredicate.idle(), POOL, MIB, MIB, schedule, false, 1100);
    assertThat(result(chooser.next(later))).isEqualTo("a_1_1_1 TTLDeleteMerge");
  }

  @Test
  void mergesForTtlHaveFewPlaces() {
    List<CandidatePart> parts = List.of(expiring("a_1_1_0", 500, 5000));
    MergeChooser chooser = chooser(settings());
    assertThat(chooser.next(situation(parts, TablePredicate.idle(), new MergePool(16, 3, 2), 1000)))
        .isInstanceOf(Nothing.class);
    assertThat(
            result(
                chooser.next(
                    situation(parts, TablePredicate.idle(), new MergePool(16, 3, 1), 1000))))
        .isEqualTo("a_1_1_1 TTLDeleteMerge");
    MergeSituation stopped =
        new MergeSituation(
            parts, TablePredicate.idle(), POOL, MIB, MIB, TtlSchedule.empty(), true, 1000);
    assertThat(chooser.next(stopped)).isInstanceOf(Nothing.class);
  }

  @Test
  void finishedTtlsAreNoReason() {
    PartTtl finished = new PartTtl(500, 500, false, true, Optional.empty());
    assertThat(chooser(settings()).next(situation(List.of(expiring("a_1_1_1", finished)))).merge())
        .isEmpty();
  }

  @Test
  void partsAreRecompressedWhenTheirCodecChanges() {
    PartTtl due = new PartTtl(0, 0, true, true, Optional.of(new PartTtl.Recompression(900, true)));
    PartTtl same =
        new PartTtl(0, 0, true, true, Optional.of(new PartTtl.Recompression(900, false)));
    assertThat(
            result(
                chooser(settings())
                    .next(situation(List.of(expiring("a_1_1_0", same), expiring("a_2_2_0", due))))))
        .isEqualTo("a_2_2_1 TTLRecompressMerge");
  }

  @Test
  void anOldPartitionIsMergedWhole() {
    List<CandidatePart> parts = new ArrayList<>();
    parts.add(new CandidatePart(PartName.parse("a_1_1_0"), 1000 * MIB, 1, 700));
    parts.add(new CandidatePart(PartName.parse("a_2_2_0"), 1, 1, 600));
    parts.add(new CandidatePart(PartName.parse("b_3_3_0"), 1000 * MIB, 1, 900));
    parts.add(new CandidatePart(PartName.parse("b_4_4_0"), 1, 1, 650));
    parts.add(new CandidatePart(PartName.parse("c_5_5_0"), 1, 1, 9000));
    String age = "min_age_to_force_merge_seconds";
    String whole = "min_age_to_force_merge_on_partition_only";
    MergeChooser chooser = chooser(settings(age, 650, whole, 1));
    Merge merge = chooser.next(situation(parts)).merge().orElseThrow();
    assertThat(merge.resultName()).hasToString("b_3_4_1");
    assertThat(merge.wholePartition()).isTrue();
    assertThat(merge.cleanup()).isFalse();
    assertThat(chooser(settings(age, 651, whole, 1)).next(situation(parts)).merge()).isEmpty();
    String limit = "max_bytes_to_merge_at_max_space_in_pool";
    assertThat(chooser(settings(age, 600, whole, 1, limit, MIB)).next(situation(parts)).merge())
        .isEmpty();
    String limited = "enable_max_bytes_limit_for_min_age_to_force_merge";
    assertThat(
            result(
                chooser(settings(age, 600, whole, 1, limit, MIB, limited, 0))
                    .next(situation(parts))))
        .isEqualTo("b_3_4_1 RegularMerge");
    MergeSituation crowded = situation(parts, TablePredicate.idle(), new MergePool(16, 2, 0), 0);
    assertThat(chooser.next(crowded).merge()).as("fewer than 25 places are free").isEmpty();
    assertThat(
            chooser(
                    settings(
                        age,
                        600,
                        whole,
                        1,
                        "allow_experimental_replacing_merge_with_cleanup",
                        1,
                        "enable_replacing_merge_with_cleanup_for_min_age_to_force_merge",
                        1))
                .next(situation(parts))
                .merge()
                .orElseThrow()
                .cleanup())
        .isTrue();
  }

  @Test
  void aPartitionIsMergedWholeWhenThatIsAskedFor() {
    MergeChooser chooser = chooser(settings("max_bytes_to_merge_at_max_space_in_pool", 1));
    List<CandidatePart> parts = ofSizesAndAge(0, MIB, 1, 1);
    Merge merge =
        chooser.wholePartition(situation(parts), "all", false, false).merge().orElseThrow();
    assertThat(merge.resultName()).hasToString("all_1_3_1");
    assertThat(merge.wholePartition()).isFalse();
    assertThat(chooser.wholePartition(situation(parts), "all", true, true).merge().orElseThrow())
        .matches(Merge::wholePartition);
    assertThat(reason(chooser.wholePartition(situation(parts), "b", true, true)))
        .isEqualTo("partition b has no parts");
  }

  @Test
  void onePartIsMergedWithItselfOnlyByFinal() {
    MergeChooser chooser = chooser(settings());
    MergeSituation fresh = situation(equal(1, 10));
    assertThat(reason(chooser.wholePartition(fresh, "all", false, false)))
        .isEqualTo("partition all is one part");
    assertThat(result(chooser.wholePartition(fresh, "all", true, true)))
        .isEqualTo("all_1_1_1 RegularMerge");
    MergeSituation merged = situation(List.of(Parts.part("all_1_2_1", 10)));
    assertThat(result(chooser.wholePartition(merged, "all", true, false)))
        .isEqualTo("all_1_2_2 RegularMerge");
    assertThat(chooser.wholePartition(merged, "all", true, true))
        .isEqualTo(new MergedAlready("all"));
    PartTtl unknown = new PartTtl(0, 0, false, false, Optional.empty());
    assertThat(
            result(
                chooser.wholePartition(
                    situation(List.of(expiring("all_1_2_1", unknown))), "all", true, true)))
        .as("a TTL that the part does not know yet")
        .isEqualTo("all_1_2_2 RegularMerge");
  }

  @Test
  void aWholePartitionNeedsAllItsPartsAndTwiceTheirSpace() {
    MergeChooser chooser = chooser(settings());
    assertThat(
            reason(
                chooser.wholePartition(
                    situation(equal(3, 10), Parts.inUse("all_2_2_0"), POOL, 0), "all", true, true)))
        .isEqualTo("part all_2_2_0 is being merged or mutated");
    MergeSituation narrow =
        new MergeSituation(
            equal(3, 10), TablePredicate.idle(), POOL, 60, 9, TtlSchedule.empty(), false, 0);
    assertThat(reason(chooser.wholePartition(narrow, "all", true, true)))
        .isEqualTo(
            "merging all_1_1_0 to all_3_3_0 needs more than 60 bytes of free space, the disk has"
                + " 60");
  }

  @Test
  void whatWasScheduledIsMergedInItsTurn() {
    List<List<PartName>> scheduled =
        List.of(
            List.of(PartName.parse("all_2_2_0"), PartName.parse("all_3_3_0")),
            List.of(PartName.parse("all_1_1_0"), PartName.parse("all_2_3_1")));
    MergeSettings manual = settings("merge_selector_algorithm", "Manual");
    MergeChooser chooser =
        MergeChooser.of(manual, new Random(1), new ScheduledMergeSelector(scheduled));
    assertThat(result(chooser.next(situation(equal(9, 10))))).isEqualTo("all_2_3_1 RegularMerge");
    MergeChooser next =
        MergeChooser.of(manual, new Random(1), new ScheduledMergeSelector(scheduled.subList(1, 2)));
    assertThat(next.next(situation(equal(9, 10))).merge()).as("not there yet").isEmpty();
  }

  @Test
  void theTrivialRuleTakesTenWhoseLevelsDoNotFall() {
    MergeChooser trivial = chooser(settings("merge_selector_algorithm", "Trivial"));
    assertThat(trivial.next(situation(equal(9, 10))).merge()).isEmpty();
    assertThat(result(trivial.next(situation(equal(12, 10))))).isEqualTo("all_1_10_1 RegularMerge");
    List<CandidatePart> parts = new ArrayList<>();
    parts.add(Parts.part("a_1_5_1", 10));
    for (int i = 6; i <= 15; i++) {
      parts.add(Parts.part("a_%d_%d_0".formatted(i, i), 10));
    }
    assertThat(result(trivial.next(situation(parts)))).isEqualTo("a_6_15_1 RegularMerge");
  }
}
