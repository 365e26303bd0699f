package io.coppice.parts.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Literal;
import java.math.BigInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Values as 26.7 reads them. */
class SettingValueTest {
  private static SettingValue text(String value) {
    return new SettingValue("s", new Literal.StringLiteral(value));
  }

  private static SettingValue number(String value) {
    return new SettingValue("s", new Literal.IntegerLiteral(new BigInteger(value)));
  }

  private static void refused(Supplier<Object> read, ErrorCode code) {
    assertThatThrownBy(read::get)
        .isInstanceOfSatisfying(EngineException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  @Test
  void wholeNumbersMayHaveAUnit() {
    assertThat(number("42").whole()).isEqualTo(42);
    assertThat(text("3K").whole()).isEqualTo(3000);
    assertThat(text("3Ki").whole()).isEqualTo(3072);
    assertThat(text("2T").whole()).isEqualTo(2_000_000_000_000L);
    assertThat(number("18446744073709551615").whole()).isEqualTo(Long.MAX_VALUE);
    assertThat(new SettingValue("s", new Literal.FloatLiteral(2.9)).whole()).isEqualTo(2);
    assertThat(new SettingValue("s", new Literal.BoolLiteral(true)).whole()).isEqualTo(1);
  }

  @Test
  void whatIsNoWholeNumberIsRefused() {
    refused(text("K3")::whole, ErrorCode.CANNOT_PARSE_INPUT_ASSERTION_FAILED);
    refused(number("-1")::whole, ErrorCode.CANNOT_CONVERT_TYPE);
    assertThat(number("-1").signed()).isEqualTo(-1);
  }

  @Test
  void flagsAreZeroOrOne() {
    assertThat(number("1").flag()).isTrue();
    assertThat(text("false").flag()).isFalse();
    refused(number("2")::flag, ErrorCode.CANNOT_CONVERT_TYPE);
    refused(text("yes")::flag, ErrorCode.CANNOT_PARSE_BOOL);
  }

  @Test
  void fractionsAreFinite() {
    assertThat(text("2.5").decimal()).isEqualTo(2.5);
    refused(text("Infinity")::decimal, ErrorCode.CANNOT_PARSE_NUMBER);
    refused(text("NaN")::decimal, ErrorCode.CANNOT_PARSE_NUMBER);
    refused(text("five")::decimal, ErrorCode.CANNOT_PARSE_NUMBER);
  }
}
