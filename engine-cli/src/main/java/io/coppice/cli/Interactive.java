package io.coppice.cli;

import io.coppice.base.error.EngineException;
import io.coppice.engine.Engine;
import io.coppice.language.parse.Script;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jline.reader.EOFError;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/**
 * Asks for statements on a terminal, each ended by a semicolon, and carries them out. Lines are
 * kept in a history file, names are completed by the tab key, Ctrl-C ends the statement that runs.
 * Confined to one thread.
 */
final class Interactive {
  private static final Set<String> FAREWELLS = Set.of("exit", "quit", "\\q", ":q", "logout");

  private final Engine engine;
  private final Statements statements;

  Interactive(Engine engine, Statements statements) {
    this.engine = engine;
    this.statements = statements;
  }

  /** Talks on the terminal of the process until its user leaves. */
  int run() throws IOException {
    try (Terminal terminal = TerminalBuilder.builder().system(true).dumb(true).build()) {
      return run(
          terminal, Optional.of(Path.of(System.getProperty("user.home"), ".coppice-history")));
    }
  }

  /**
   * Talks on a terminal, which is borrowed.
   *
   * @param history where lines are kept, if they are
   */
  int run(Terminal terminal, Optional<Path> history) {
    LineReaderBuilder builder =
        LineReaderBuilder.builder()
            .terminal(terminal)
            .appName("coppice")
            .parser(new UntilSemicolon())
            .completer(new Completions(engine))
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .option(LineReader.Option.CASE_INSENSITIVE, true)
            .variable(LineReader.SECONDARY_PROMPT_PATTERN, "      -> ");
    history.ifPresent(file -> builder.variable(LineReader.HISTORY_FILE, file));
    LineReader reader = builder.build();
    terminal.handle(Terminal.Signal.INT, signal -> statements.cancel());
    while (true) {
      String text;
      try {
        text = reader.readLine("coppice> ");
      } catch (UserInterruptException e) {
        continue; // the line is dropped, not the program
      } catch (EndOfFileException e) {
        return 0;
      }
      if (farewell(text)) {
        return 0;
      }
      carryOut(terminal, text);
    }
  }

  private static boolean farewell(String text) {
    String word = text.strip().toLowerCase(Locale.ROOT);
    return FAREWELLS.contains(word.endsWith(";") ? word.substring(0, word.length() - 1) : word);
  }

  private void carryOut(Terminal terminal, String text) {
    try {
      Script script = new Script(text);
      for (Optional<Script.Item> item = script.next(); item.isPresent(); item = script.next()) {
        long started = System.nanoTime();
        Statements.Done done = statements.run(item.get(), InputStream.nullInputStream());
        String elapsed =
            String.format(Locale.ROOT, "Elapsed: %.3f sec.", Amounts.secondsSince(started));
        terminal
            .writer()
            .println(
                done.gaveRows()
                    ? "\n" + Amounts.count(done.rows(), "row") + " in set. " + elapsed + "\n"
                    : "Ok.\n\n"
                        + (done.rows() > 0 ? Amounts.count(done.rows(), "row") + " written. " : "")
                        + elapsed
                        + "\n");
        terminal.flush();
      }
    } catch (EngineException e) {
      tell(terminal, Statements.text(e));
    } catch (IOException e) {
      tell(terminal, Words.of(e));
    }
  }

  private static void tell(Terminal terminal, String error) {
    terminal.writer().println(error + "\n");
    terminal.flush();
  }

  /** A text goes on until a semicolon outside of quotes and comments, or a farewell. */
  private static final class UntilSemicolon extends DefaultParser {
    UntilSemicolon() {
      setEscapeChars(null);
      setQuoteChars(new char[0]);
    }

    @Override
    public ParsedLine parse(String line, int cursor, ParseContext context) {
      boolean accepted = context == ParseContext.ACCEPT_LINE || context == ParseContext.UNSPECIFIED;
      if (accepted && !line.isBlank() && !farewell(line) && !finished(line)) {
        throw new EOFError(-1, cursor, "the statement has no semicolon yet");
      }
      return super.parse(line, cursor, context);
    }

    @Override
    public boolean isDelimiterChar(CharSequence buffer, int pos) {
      char c = buffer.charAt(pos);
      return Character.isWhitespace(c) || "(),;=<>+*/.[]{}".indexOf(c) >= 0;
    }

    private static boolean finished(String text) {
      char quote = 0;
      boolean end = false;
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (quote != 0) {
          i += c == '\\' ? 1 : 0;
          quote = c == quote ? 0 : quote;
        } else if (c == '\'' || c == '"' || c == '`') {
          quote = c;
          end = false;
        } else if (text.startsWith("--", i)) {
          int line = text.indexOf('\n', i);
          i = line < 0 ? text.length() : line;
        } else if (text.startsWith("/*", i)) {
          int close = text.indexOf("*/", i + 2);
          i = close < 0 ? text.length() : close + 1;
          end = end && close >= 0;
        } else if (!Character.isWhitespace(c)) {
          end = c == ';';
        }
      }
      return end && quote == 0;
    }
  }
}
