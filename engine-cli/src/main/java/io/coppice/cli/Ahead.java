package io.coppice.cli;

import io.coppice.language.parse.Parser;
import io.coppice.parts.expression.ExpressionCompiler;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * What every statement needs and what takes long to be loaded, begun on threads of their own while
 * the command is still being read: Arrow's schemas, which take longest, beside the grammar and the
 * functions. Who needs one of them sooner waits for it as long as it would have loaded it.
 */
final class Ahead {
  private static final List<Runnable> CHAINS =
      List.of(
          () -> new Schema(List.of()),
          () -> {
            Parser.expression("a = 1");
            ExpressionCompiler.deterministic("now");
          });

  private Ahead() {}

  /** Begins; nobody has to wait for the end. Where there is one processor only, nothing is done. */
  static void begin() {
    if (Threads.COUNT > 1) {
      for (Runnable chain : CHAINS) {
        Thread thread = new Thread(chain, "coppice-ahead");
        thread.setDaemon(true);
        thread.start();
      }
    }
  }
}
