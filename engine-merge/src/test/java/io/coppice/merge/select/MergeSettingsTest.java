package io.coppice.merge.select;

import static io.coppice.merge.select.Parts.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Literal;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MergeSettingsTest {
  @Test
  void nothingSaidIsTheDefault() {
    assertThat(settings("index_granularity", 100)).isEqualTo(MergeSettings.defaults());
    assertThat(MergeSettings.defaults().maxBytesAtMaxSpace()).isEqualTo(161_061_273_600L);
    assertThat(MergeSettings.defaults().base()).isEqualTo(5);
  }

  @Test
  void sizesMayBeWords() {
    assertThat(settings("max_bytes_to_merge_at_max_space_in_pool", "10Gi").maxBytesAtMaxSpace())
        .isEqualTo(10L << 30);
    assertThat(settings("parts_to_throw_insert", "3K").partsToThrow()).isEqualTo(3000);
  }

  @Test
  void theBaseHas32Bits() {
    MergeSettings settings =
        MergeSettings.of(Map.of("merge_selector_base", new Literal.FloatLiteral(2.3)));
    assertThat(settings.base()).isEqualTo((double) 2.3f);
  }

  @Test
  void delaysMayBeNegative() {
    assertThat(settings("merge_with_ttl_timeout", -5).ttlDelaySeconds()).isEqualTo(-5);
  }

  @Test
  void wrongValuesHaveClickHousesCodes() {
    assertThatThrownBy(() -> settings("merge_selector_algorithm", "simple"))
        .isInstanceOfSatisfying(
            EngineException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_ARGUMENTS));
    assertThatThrownBy(() -> settings("merge_selector_base", "inf"))
        .isInstanceOfSatisfying(
            EngineException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CANNOT_PARSE_NUMBER));
    assertThatThrownBy(() -> settings("max_parts_to_merge_at_once", -1))
        .isInstanceOfSatisfying(
            EngineException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CANNOT_CONVERT_TYPE));
  }
}
