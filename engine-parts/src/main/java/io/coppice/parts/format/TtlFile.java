package io.coppice.parts.format;

import com.fasterxml.jackson.core.JsonParser;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Between which times the rows of a part expire: {@code ttl.txt}.
 *
 * <pre>
 *   ttl format version: 1
 *   {"columns":[{"name":"v","min":1451606400,"max":1762646400,"finished":0}],
 *    "table":{"min":4102444800,"max":4102444809,"finished":0},
 *    "moves":[{"expression":"d + toIntervalYear(95)","min":…,"max":…,"finished":0}],
 *    "recompression":[…],"group_by":[…],"rows_where":[…]}
 * </pre>
 *
 * <p>The JSON is one line without blanks between its members and without a line feed at its end;
 * members without entries are left out; {@code finished} is 1 when a merge has applied the TTL.
 * Times are Unix seconds. Checked on reading: the version, every member known and of its type.
 * Golden files: {@code golden/26.7/l_*}.
 *
 * @param columns TTL of columns, by name
 * @param table TTL of the table's rows
 * @param rules TTL of other kinds, by expression; no entry for a kind without rules
 */
public record TtlFile(List<Rule> columns, Optional<Times> table, Map<RuleKind, List<Rule>> rules) {
  /** The file's name. */
  public static final String NAME = "ttl.txt";

  /** Most bytes read. */
  public static final int LIMIT_BYTES = 1 << 26;

  private static final String HEAD = "ttl format version: 1\n";

  /** What a rule that belongs to an expression does, in the order of the file. */
  public enum RuleKind {
    MOVES("moves"),
    RECOMPRESSION("recompression"),
    GROUP_BY("group_by"),
    ROWS_WHERE("rows_where");

    private final String text;

    RuleKind(String text) {
      this.text = text;
    }
  }

  /** First and last time at which a row expires, Unix seconds. */
  public record Times(long minSeconds, long maxSeconds, boolean finished) {}

  /** Times of a column or of an expression, whose name or text is {@code subject}. */
  public record Rule(String subject, Times times) {}

  public TtlFile {
    columns = List.copyOf(columns);
    Map<RuleKind, List<Rule>> copy = new EnumMap<>(RuleKind.class);
    rules.forEach((kind, list) -> copy.put(kind, List.copyOf(list)));
    rules = java.util.Collections.unmodifiableMap(copy);
  }

  /**
   * Reads the file.
   *
   * @param name for messages
   * @throws EngineException CANNOT_PARSE_INPUT_ASSERTION_FAILED or CORRUPTED_DATA
   */
  public static TtlFile read(byte[] bytes, String name) {
    new TextReader(bytes, name).expect(HEAD);
    List<Rule> columns = new ArrayList<>();
    Times[] table = new Times[1];
    Map<RuleKind, List<Rule>> rules = new EnumMap<>(RuleKind.class);
    Json.read(
        bytes,
        HEAD.length(),
        name,
        (member, in) -> {
          switch (member) {
            case "columns" -> Json.array(in, element -> columns.add(rule(element, "name")));
            case "table" -> table[0] = times(in, "", new String[1]);
            default -> {
              RuleKind kind = kind(member, in);
              List<Rule> list = new ArrayList<>();
              Json.array(in, element -> list.add(rule(element, "expression")));
              rules.put(kind, list);
            }
          }
        });
    return new TtlFile(columns, Optional.ofNullable(table[0]), rules);
  }

  private static RuleKind kind(String member, JsonParser in) {
    for (RuleKind kind : RuleKind.values()) {
      if (kind.text.equals(member)) {
        return kind;
      }
    }
    throw Json.unknown(in, member);
  }

  private static Rule rule(JsonParser in, String subjectName) throws IOException {
    String[] subject = new String[1];
    Times times = times(in, subjectName, subject);
    if (subject[0] == null) {
      throw EngineException.of(ErrorCode.CORRUPTED_DATA, "a rule without %s", subjectName);
    }
    return new Rule(subject[0], times);
  }

  private static Times times(JsonParser in, String subjectName, String[] subject)
      throws IOException {
    long[] seconds = {Long.MIN_VALUE, Long.MIN_VALUE};
    boolean[] finished = new boolean[1];
    Json.object(
        in,
        (member, value) -> {
          switch (member) {
            case "min" -> seconds[0] = Json.number(value, -(1L << 50), 1L << 50);
            case "max" -> seconds[1] = Json.number(value, -(1L << 50), 1L << 50);
            case "finished" -> finished[0] = Json.number(value, 0, 1) == 1;
            default -> {
              if (!member.equals(subjectName)) {
                throw Json.unknown(value, member);
              }
              subject[0] = Json.string(value);
            }
          }
        });
    if (seconds[0] == Long.MIN_VALUE || seconds[1] == Long.MIN_VALUE) {
      throw EngineException.of(ErrorCode.CORRUPTED_DATA, "a rule without min or max");
    }
    return new Times(seconds[0], seconds[1], finished[0]);
  }

  /** The bytes of the file. */
  public byte[] write() {
    List<String> members = new ArrayList<>();
    if (!columns.isEmpty()) {
      members.add(list("columns", "name", columns));
    }
    table.ifPresent(times -> members.add("\"table\":{" + text(times) + "}"));
    for (RuleKind kind : RuleKind.values()) {
      List<Rule> list = rules.getOrDefault(kind, List.of());
      if (!list.isEmpty()) {
        members.add(list(kind.text, "expression", list));
      }
    }
    return (HEAD + "{" + String.join(",", members) + "}").getBytes(StandardCharsets.UTF_8);
  }

  private static String list(String member, String subjectName, List<Rule> list) {
    StringBuilder out = new StringBuilder();
    Json.quote(out, member).append(":[");
    String separator = "";
    for (Rule rule : list) {
      Json.quote(out.append(separator).append('{'), subjectName).append(':');
      Json.quote(out, rule.subject()).append(',').append(text(rule.times())).append('}');
      separator = ",";
    }
    return out.append(']').toString();
  }

  private static String text(Times times) {
    return String.format(
        "\"min\":%d,\"max\":%d,\"finished\":%d",
        times.minSeconds(), times.maxSeconds(), times.finished() ? 1 : 0);
  }
}
