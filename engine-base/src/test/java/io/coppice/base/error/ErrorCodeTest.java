package io.coppice.base.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ErrorCodeTest {
  /** What 26.7 answers to {@code errorCodeToName(number)} for every number. */
  @Test
  void numbersAreClickHouses() throws IOException {
    Map<String, Integer> numbers = new HashMap<>();
    try (InputStream in = ErrorCodeTest.class.getResourceAsStream("/error_codes.tsv")) {
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.split("\t"))
          .forEach(cells -> numbers.put(cells[1], Integer.parseInt(cells[0])));
    }
    for (ErrorCode code : ErrorCode.values()) {
      assertThat(numbers).containsEntry(code.name(), code.number());
    }
  }

  @Test
  void contextGoesBeforeTheMessageAndTheCodeStays() {
    EngineException cause = EngineException.of(ErrorCode.CORRUPTED_DATA, "mark %d", 3);
    EngineException within = cause.within("part all_1_1_0");
    assertThat(within).hasMessage("part all_1_1_0: mark 3").hasCause(cause);
    assertThat(within.code()).isEqualTo(ErrorCode.CORRUPTED_DATA);
    assertThat(within.code().kind()).isEqualTo(ErrorCode.Kind.CORRUPTION);
    assertThat(within.code().retry()).isEqualTo(ErrorCode.Retry.NEVER);
  }
}
