package io.coppice.query;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.engine.Table;
import io.coppice.language.statement.SystemCommand;
import java.util.Optional;
import java.util.Set;

/** SYSTEM: what is not about data, but about what an engine does by itself and keeps at hand. */
final class SystemCommands {
  /** Background work that there is none of: it is stopped already, and starts with its coming. */
  private static final Set<String> BACKGROUND = Set.of("MERGES", "TTL MERGES", "MOVES");

  private final Context context;

  SystemCommands(Context context) {
    this.context = context;
  }

  /**
   * Carries out a command.
   *
   * @throws EngineException UNKNOWN_TABLE for a table that is not there; NOT_IMPLEMENTED for a
   *     command that is not served
   */
  void run(SystemCommand system) {
    Optional<Table> table =
        system.table().map(name -> context.engine().table(name.in(context.database())));
    String command = system.command();
    if (command.equals("FLUSH ASYNC INSERT QUEUE")) {
      context.engine().asyncInserts().flush(table);
      return;
    }
    if (command.equals("CLEAR MARK CACHE") || command.equals("CLEAR INDEX MARK CACHE")) {
      context.engine().clearMarkCache();
      return;
    }
    boolean background =
        command.startsWith("STOP ") && BACKGROUND.contains(command.substring(5))
            || command.startsWith("START ") && BACKGROUND.contains(command.substring(6));
    // Logs are tables in memory that are always up to date; other caches are not kept.
    boolean nothing =
        command.equals("FLUSH LOGS")
            || command.startsWith("CLEAR ") && command.endsWith(" CACHE")
            || command.equals("RELOAD CONFIG");
    if (!background && !nothing) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED,
          "SYSTEM %s is not served; there are STOP MERGES, START MERGES, FLUSH LOGS,"
              + " FLUSH ASYNC INSERT QUEUE and CLEAR MARK CACHE",
          command);
    }
  }
}
