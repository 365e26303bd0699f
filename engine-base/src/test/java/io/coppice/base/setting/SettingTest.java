package io.coppice.base.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class SettingTest {
  private static final Setting ROWS =
      new Setting(
          "index_granularity",
          8192,
          Setting.Unit.ROWS,
          1,
          1 << 30,
          "Rows of a granule at most. More: a smaller index, coarser reads.");

  private static void refuses(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(EngineException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void valuesWithinTheLimitsAreTaken() {
    assertThat(ROWS.parse("1")).isEqualTo(1);
    assertThat(ROWS.parse("1073741824")).isEqualTo(1 << 30);
    assertThat(ROWS.check(8192)).isEqualTo(8192);
  }

  @Test
  void valuesOutsideOrNotNumbersAreRefused() {
    refuses(ErrorCode.ARGUMENT_OUT_OF_BOUND, () -> ROWS.parse("0"));
    refuses(ErrorCode.ARGUMENT_OUT_OF_BOUND, () -> ROWS.parse("1073741825"));
    refuses(ErrorCode.CANNOT_PARSE_NUMBER, () -> ROWS.parse("many"));
    refuses(ErrorCode.CANNOT_PARSE_NUMBER, () -> ROWS.parse("1e3"));
    refuses(ErrorCode.CANNOT_PARSE_NUMBER, () -> ROWS.parse("true"));
  }

  @Test
  void flagsAreAlsoWritten() {
    Setting flag = Setting.flag("fsync_after_insert", false, "Sync files before they count.");
    assertThat(flag.defaultValue()).isZero();
    assertThat(flag.parse("true")).isEqualTo(1);
    assertThat(flag.parse("0")).isZero();
    refuses(ErrorCode.ARGUMENT_OUT_OF_BOUND, () -> flag.parse("2"));
  }

  @Test
  void ratiosHaveLimitsToo() {
    RatioSetting ratio =
        new RatioSetting(
            "ratio_of_defaults_for_sparse_serialization", 0.9375, 0, 1, "Above it: sparse.");
    assertThat(ratio.parse("0.5")).isEqualTo(0.5);
    refuses(ErrorCode.ARGUMENT_OUT_OF_BOUND, () -> ratio.parse("1.5"));
    refuses(ErrorCode.ARGUMENT_OUT_OF_BOUND, () -> ratio.parse("NaN"));
    refuses(ErrorCode.CANNOT_PARSE_NUMBER, () -> ratio.parse("half"));
  }

  @Test
  void nonsenseCannotBeDeclared() {
    assertThatThrownBy(() -> new Setting("A", 1, Setting.Unit.COUNT, 0, 2, "x"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Setting("a", 3, Setting.Unit.COUNT, 0, 2, "x"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Setting("a", 1, Setting.Unit.FLAG, 0, 2, "x"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Setting("a", 1, Setting.Unit.COUNT, 0, 2, " "))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
