package io.coppice.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.engine.Engine;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CancelTest {
  @TempDir Path directory;

  @Test
  void aQueryEndsWhenItIsCancelledAndTheNextOneRuns() throws IOException {
    try (Engine engine = Engine.open(directory)) {
      Session session = new Session(engine);
      try (QueryResult result = session.execute("SELECT number FROM numbers(1000000)")) {
        assertThat(result.next()).isTrue();
        session.cancel();
        assertThatThrownBy(result::next)
            .isInstanceOfSatisfying(
                EngineException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.QUERY_WAS_CANCELLED));
      }
      assertThat(Texts.tsv(session, engine.allocator(), "SELECT 1")).isEqualTo("1");
      assertThat(engine.allocator().getAllocatedMemory()).isZero();
    }
  }
}
