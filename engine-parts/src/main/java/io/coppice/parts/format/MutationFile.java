package io.coppice.parts.format;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;

/**
 * A change of parts that are there already: {@code mutation_N.txt} in a table's directory. It is
 * for the parts whose blocks have lower numbers than N, and stays there when it is done.
 *
 * <pre>
 *   format version: 1
 *   create time: 2026-12-01 01:31:24
 *   commands: (DROP COLUMN s), (RENAME COLUMN d TO `d d`)
 * </pre>
 *
 * <p>Commands are those of ALTER, with backslashes, quotes and control characters escaped as in
 * TSV; each line ends with a line feed. Tables with transactions have a line more, {@code tid: …},
 * which is read and left out. Checked on reading: version, time, the lines. Witnessed with 26.7.
 *
 * @param createTime in UTC, whole seconds
 * @param commands as in ALTER TABLE, behind the table
 */
public record MutationFile(Instant createTime, String commands) {
  /** Most bytes read. */
  public static final int LIMIT_BYTES = 1 << 26;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", java.util.Locale.ROOT);

  /**
   * Reads the file.
   *
   * @param name for messages
   * @throws EngineException CANNOT_PARSE_INPUT_ASSERTION_FAILED
   */
  public static MutationFile read(byte[] bytes, String name) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    String[] lines = text.split("\n", -1);
    int last = lines.length - 1;
    boolean known =
        (last == 3 || last == 4)
            && lines[0].equals("format version: 1")
            && lines[1].startsWith("create time: ")
            && lines[2].startsWith("commands: ")
            && (last == 3 || lines[3].startsWith("tid: "))
            && lines[last].isEmpty();
    if (!known) {
      throw broken(name, "the lines 'format version: 1', 'create time: …', 'commands: …'");
    }
    try {
      LocalDateTime time = LocalDateTime.parse(lines[1].substring("create time: ".length()), TIME);
      return new MutationFile(
          time.toInstant(ZoneOffset.UTC),
          unescape(lines[2].substring("commands: ".length()), name));
    } catch (DateTimeParseException e) {
      throw broken(name, "a time as 2026-12-01 01:31:24 in its second line");
    }
  }

  private static EngineException broken(String name, String expected) {
    return EngineException.of(
        ErrorCode.CANNOT_PARSE_INPUT_ASSERTION_FAILED, "%s: expected %s", name, expected);
  }

  /** The bytes of the file. */
  public byte[] write() {
    return ("format version: 1\ncreate time: "
            + TIME.format(createTime.atOffset(ZoneOffset.UTC))
            + "\ncommands: "
            + escape(commands)
            + "\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String escape(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case '\0' -> out.append("\\0");
        case '\'' -> out.append("\\'");
        case '\\' -> out.append("\\\\");
        default -> out.append(c);
      }
    }
    return out.toString();
  }

  private static String unescape(String text, String name) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '\\') {
        out.append(c);
        continue;
      }
      if (++i == text.length()) {
        throw broken(name, "something behind the last backslash");
      }
      char escaped = text.charAt(i);
      out.append(
          switch (escaped) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case '0' -> '\0';
            default -> escaped;
          });
    }
    return out.toString();
  }
}
