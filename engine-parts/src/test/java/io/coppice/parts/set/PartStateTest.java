package io.coppice.parts.set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartStateTest {
  @Test
  void onlyTheMovesOfTheDiagramAreMade() {
    List<String> moves = new ArrayList<>();
    for (PartState from : PartState.values()) {
      for (PartState to : PartState.values()) {
        try {
          assertThat(from.to(to)).isEqualTo(to);
          moves.add(from + " " + to);
        } catch (AssertionError e) {
          assertThat(e).hasMessage("part went " + from + " -> " + to);
        }
      }
    }
    assertThat(moves)
        .containsExactly(
            "TEMPORARY PRE_ACTIVE",
            "TEMPORARY GONE",
            "PRE_ACTIVE ACTIVE",
            "PRE_ACTIVE OUTDATED",
            "ACTIVE OUTDATED",
            "OUTDATED DELETING",
            "DELETING OUTDATED",
            "DELETING GONE");
  }

  @Test
  void aPartThatIsGoneStaysGone() {
    assertThatThrownBy(() -> PartState.GONE.to(PartState.ACTIVE))
        .isInstanceOf(AssertionError.class);
  }
}
