package io.coppice.merge.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.merge.select.DueQueue.Due;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DueQueueTest {
  private static final long SEED = Long.getLong("coppice.seed", 20261201);

  /** Seen of 26.7: with n parts that are due since the same second, this one is merged first. */
  @Test
  void ofEqualsThatIsFirstWhich267TakesFirst() {
    int[] seen = {0, 1, 1, 3, 3, 3, 3, 7};
    for (int count = 1; count <= seen.length; count++) {
      List<Due> parts = new ArrayList<>();
      for (int place = 0; place < count; place++) {
        parts.add(new Due(0, place, 100));
      }
      assertThat(new DueQueue(parts).next().place())
          .as("%d parts", count)
          .isEqualTo(seen[count - 1]);
    }
  }

  @Test
  void thatWhichIsDueForLongestComesFirst() {
    System.out.println("-Dcoppice.seed=" + SEED);
    Random random = new Random(SEED);
    for (int round = 0; round < 200; round++) {
      List<Due> parts = new ArrayList<>();
      for (int place = 0; place < random.nextInt(40); place++) {
        parts.add(new Due(0, place, random.nextInt(20)));
      }
      DueQueue queue = new DueQueue(parts);
      List<Due> out = new ArrayList<>();
      while (!queue.isEmpty()) {
        out.add(queue.next());
      }
      assertThat(out).containsExactlyInAnyOrderElementsOf(parts);
      assertThat(out).isSortedAccordingTo(Comparator.comparingLong(Due::since));
    }
  }
}
