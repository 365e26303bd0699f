package io.coppice.parts.format;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * In which transaction the part was made and removed: {@code txn_version.txt}, in tables that use
 * transactions.
 *
 * <pre>
 *   version: 1
 *   creation_tid: (1, 1, 00000000-0000-0000-0000-000000000000)
 *   creation_csn: 1
 *   removal_tid: …
 *   removal_csn: …
 * </pre>
 *
 * <p>The lines are carried, not acted on: known words only, each followed by a colon, a blank and a
 * value. The last line may lack its line feed. Not proven by a golden file: neither witness writes
 * transactions.
 */
public record TxnVersionFile(List<Line> lines, boolean endsWithLineFeed) {
  /** The file's name. */
  public static final String NAME = "txn_version.txt";

  /** Most bytes read. */
  public static final int LIMIT_BYTES = 1 << 16;

  private static final Set<String> WORDS =
      Set.of(
          "storing_version",
          "creation_tid",
          "creation_csn",
          "removal_tid",
          "removal_tid_lock",
          "removal_csn");

  /** One fact. */
  public record Line(String word, String value) {}

  public TxnVersionFile {
    lines = List.copyOf(lines);
  }

  /**
   * Reads the file.
   *
   * @param name for messages
   * @throws io.coppice.base.error.EngineException CANNOT_PARSE_INPUT_ASSERTION_FAILED
   */
  public static TxnVersionFile read(byte[] bytes, String name) {
    TextReader in = new TextReader(bytes, name);
    in.expect("version: 1");
    List<Line> lines = new ArrayList<>();
    boolean lineFeed = in.tryExpect("\n");
    if (lineFeed && !in.atEnd()) {
      String rest = in.rest();
      lineFeed = rest.endsWith("\n");
      String body = lineFeed ? rest.substring(0, rest.length() - 1) : rest;
      for (String line : body.split("\n", -1)) {
        int colon = line.indexOf(": ");
        if (colon < 0 || !WORDS.contains(line.substring(0, colon))) {
          throw in.broken("lines such as 'creation_tid: (…)' before it");
        }
        lines.add(new Line(line.substring(0, colon), line.substring(colon + 2)));
      }
    }
    in.expectEnd();
    return new TxnVersionFile(lines, lineFeed);
  }

  /** The bytes of the file. */
  public byte[] write() {
    StringBuilder out = new StringBuilder("version: 1");
    for (Line line : lines) {
      out.append('\n').append(line.word()).append(": ").append(line.value());
    }
    if (endsWithLineFeed) {
      out.append('\n');
    }
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }
}
