package io.coppice.parts.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class CandidatesTest {
  private static final long SEED = Long.getLong("coppice.seed", 20261201L);

  private final Random random = new Random(SEED);

  @BeforeAll
  static void printSeed() {
    System.out.println("-Dcoppice.seed=" + SEED);
  }

  @Test
  void theNthValueIsThatOfSortedValues() {
    for (int round = 0; round < 200; round++) {
      long[] values = values(1 + random.nextInt(300), round % 3);
      long[] sorted = values.clone();
      Arrays.sort(sorted);
      int nth = 1 + random.nextInt(values.length);

      assertThat(Candidates.least(values, nth)).isEqualTo(sorted[nth - 1]);
    }
  }

  @Test
  void theFirstRowsOfAnOrderAreAmongTheCandidatesInTheirOrder() {
    for (int round = 0; round < 200; round++) {
      int rows = 100 + random.nextInt(2000);
      int limit = 1 + random.nextInt(rows / 8);
      long[][] levels = {values(rows, 1), values(rows, 2), values(rows, 0)};
      Comparator<Integer> order = Comparator.comparingLong(row -> levels[0][row]);
      order = order.thenComparingLong(row -> levels[1][row]);
      order = order.thenComparingLong(row -> levels[2][row]);
      int[] expected = first(IntStream.range(0, rows), order, limit);

      Candidates candidates = new Candidates(rows, limit);
      for (long[] level : levels) {
        if (!candidates.narrow(level)) {
          break;
        }
      }
      int[] found = candidates.found().orElseGet(() -> IntStream.range(0, rows).toArray());

      assertThat(found).isSorted();
      assertThat(first(Arrays.stream(found), order, limit)).isEqualTo(expected);
    }
  }

  @Test
  void fewAreLeftWhereALevelTellsRowsApart() {
    Candidates candidates = new Candidates(1000, 10);

    assertThat(candidates.narrow(IntStream.range(0, 1000).mapToLong(i -> -i).toArray())).isFalse();
    assertThat(candidates.found().orElseThrow()).isEqualTo(IntStream.range(990, 1000).toArray());
  }

  private static int[] first(IntStream rows, Comparator<Integer> order, int limit) {
    return rows.boxed().sorted(order).limit(limit).mapToInt(i -> i).toArray();
  }

  /** Values of few, some or all bits. */
  private long[] values(int count, int kind) {
    return switch (kind) {
      case 0 -> random.longs(count).toArray();
      case 1 -> random.longs(count, -3, 3).toArray();
      default -> random.longs(count, -1000, 1000).toArray();
    };
  }
}
