package io.coppice.merge.select;

import static io.coppice.merge.select.Parts.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.coppice.parts.name.PartName;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MergeLimitsTest {
  private static final long GIB = 1L << 30;

  private static long most(MergeSettings settings, MergePool pool, long freeBytes) {
    return MergeLimits.of(settings, pool, freeBytes, Long.MAX_VALUE).maxSizeBytes();
  }

  @Test
  void aFreePoolAllowsTheMost() {
    MergeSettings settings = settings();
    assertThat(most(settings, new MergePool(16, 0, 0), Long.MAX_VALUE)).isEqualTo(150 * GIB);
    assertThat(most(settings, new MergePool(16, 8, 0), Long.MAX_VALUE)).isEqualTo(150 * GIB);
    assertThat(most(settings, new MergePool(2, 1, 0), Long.MAX_VALUE))
        .as("one may be that which asks")
        .isEqualTo(150 * GIB);
  }

  @Test
  void theFullerThePoolTheSmallerTheMerge() {
    MergeSettings settings = settings();
    // half of the free places that it takes: the geometric mean of 1 MiB and 150 GiB
    assertThat((double) most(settings, new MergePool(16, 12, 0), Long.MAX_VALUE))
        .isCloseTo(Math.sqrt((double) (1L << 20) * (150 * GIB)), within(2.0));
    assertThat(most(settings, new MergePool(16, 16, 0), Long.MAX_VALUE)).isEqualTo(1L << 20);
  }

  @Test
  void halfOfTheFreeDiskIsTheMost() {
    assertThat(most(settings(), new MergePool(16, 0, 0), 1001)).isEqualTo(500);
    assertThat(most(settings(), new MergePool(16, 0, 0), 0)).isZero();
  }

  @Test
  void zeroSwitchesMergesOff() {
    MergeSettings off = settings("max_bytes_to_merge_at_max_space_in_pool", 0);
    assertThat(most(off, new MergePool(16, 12, 0), Long.MAX_VALUE)).isZero();
  }

  @Test
  void theLeastIsNotAboveTheMost() {
    MergeSettings settings =
        settings(
            "max_bytes_to_merge_at_max_space_in_pool",
            1000,
            "max_bytes_to_merge_at_min_space_in_pool",
            5000);
    assertThat(most(settings, new MergePool(16, 16, 0), Long.MAX_VALUE)).isEqualTo(1000);
    MergeSettings none = settings("max_bytes_to_merge_at_min_space_in_pool", 0);
    assertThat(most(none, new MergePool(16, 16, 0), Long.MAX_VALUE)).isEqualTo(1);
  }

  @Test
  void expiredPartsReserveNothing() {
    PartTtl expired = new PartTtl(50, 100, true, true, Optional.empty());
    PartRange range =
        new PartRange(
            List.of(
                Parts.part("all_1_1_0", 1000),
                new CandidatePart(
                    PartName.parse("all_2_2_0"), 500, 1, 0, Set.of(), Optional.of(expired))));
    assertThat(MergeLimits.reservedBytes(range, 99)).isEqualTo(1650);
    assertThat(MergeLimits.reservedBytes(range, 100)).isEqualTo(1100);
  }
}
