package io.coppice.base.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SimTimeTest {
  @Test
  void timeStandsStillUntilItIsMoved() {
    SimTime time = new SimTime(1_000_000);
    assertThat(time.wallMillis()).isEqualTo(1_000_000);
    assertThat(time.monotonicNanos()).isZero();
    time.advance(Duration.ofMillis(1500));
    assertThat(time.wallMillis()).isEqualTo(1_001_500);
    assertThat(time.monotonicNanos()).isEqualTo(1_500_000_000);
    assertThatThrownBy(() -> time.advance(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void settingTheClockBackDoesNotTouchTheMonotonicOne() {
    SimTime time = new SimTime(1_000_000);
    time.advance(Duration.ofSeconds(5));
    time.setWallMillis(10);
    assertThat(time.wallMillis()).isEqualTo(10);
    assertThat(time.monotonicNanos()).isEqualTo(5_000_000_000L);
    time.advance(Duration.ofMillis(1));
    assertThat(time.wallMillis()).isEqualTo(11);
  }

  @Test
  void theMachinesClockGoesForward() {
    TimeSource time = TimeSource.system();
    long before = time.monotonicNanos();
    assertThat(time.monotonicNanos()).isGreaterThanOrEqualTo(before);
    assertThat(time.wallMillis()).isGreaterThan(1_700_000_000_000L);
  }
}
