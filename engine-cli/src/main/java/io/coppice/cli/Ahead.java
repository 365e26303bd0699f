package io.coppice.cli;

import io.coppice.engine.EngineConfig;
import io.coppice.language.parse.Parser;
import io.coppice.parts.expression.ExpressionCompiler;
import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * What every statement needs and what takes long to be loaded, begun on a thread of its own while
 * the command is still being read: what memory there is, the grammar, the functions, Arrow's
 * schemas. Who needs one of them sooner waits for it as long as it would have loaded it.
 */
final class Ahead {
  private static final List<Runnable> STEPS =
      List.of(
          () -> EngineConfig.at(Path.of("")),
          () -> Parser.expression("a = 1"),
          () -> new Schema(List.of()),
          () -> ExpressionCompiler.deterministic("now"));

  private Ahead() {}

  /** Begins; nobody has to wait for the end. Where there is one processor only, nothing is done. */
  static void begin() {
    if (Threads.COUNT > 1) {
      Thread thread = new Thread(() -> STEPS.forEach(Runnable::run), "coppice-ahead");
      thread.setDaemon(true);
      thread.start();
    }
  }
}
