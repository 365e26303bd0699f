package io.coppice.parts.name;

import io.coppice.base.check.Check;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The name of a directory in {@code detached/}: the part, before it why it was put there, and
 * behind it which try of the same name it is.
 *
 * <pre>
 *   [REASON_]PART[_tryN]        all_1_1_0, broken-on-start_all_1_1_0, noquorum_202610_3_3_0_try2
 * </pre>
 *
 * @param reason one of {@link #REASONS}; empty for a part that a user detached
 * @param part what was detached
 * @param attempt N of {@code _tryN}; 0 without
 */
public record DetachedName(Optional<String> reason, PartName part, int attempt) {
  /** All reasons that any version of ClickHouse writes. */
  public static final List<String> REASONS =
      List.of(
          "broken",
          "unexpected",
          "noquorum",
          "ignored",
          "inactive",
          "broken-on-start",
          "broken-from-backup",
          "clone",
          "attaching",
          "deleting",
          "tmp-fetch",
          "covered-by-broken",
          "merge-not-byte-identical",
          "mutate-not-byte-identical");

  private static final String TRY = "_try";

  public DetachedName {
    Check.argument(reason.isEmpty() || REASONS.contains(reason.get()), "reason %s", reason);
    Check.argument(0 <= attempt, "attempt %d", attempt);
  }

  /** Empty if {@code text} is no such name, in a table of format version 1. */
  public static Optional<DetachedName> tryParse(String text) {
    return tryParse(text, PartName::tryParse);
  }

  /** Empty if {@code text} is no such name, in a table of format version 0. */
  public static Optional<DetachedName> tryParseWithDays(String text) {
    return tryParse(text, PartName::tryParseWithDays);
  }

  private interface PartParser {
    Optional<PartName> parse(String text);
  }

  private static Optional<DetachedName> tryParse(String text, PartParser parser) {
    String rest = text;
    int attempt = 0;
    int tryAt = text.lastIndexOf(TRY);
    if (tryAt > 0) {
      String digits = text.substring(tryAt + TRY.length());
      if (digits.matches("[1-9][0-9]{0,8}")) {
        attempt = Integer.parseInt(digits);
        rest = text.substring(0, tryAt);
      }
    }
    Optional<PartName> whole = parser.parse(rest);
    if (whole.isPresent()) {
      return Optional.of(new DetachedName(Optional.empty(), whole.get(), attempt));
    }
    String named = rest;
    int found = attempt;
    // Longest first, because one reason may be the beginning of another.
    return Stream.of(REASONS)
        .flatMap(List::stream)
        .sorted(Comparator.comparingInt(String::length).reversed())
        .filter(reason -> named.startsWith(reason + "_"))
        .flatMap(
            reason ->
                parser.parse(named.substring(reason.length() + 1)).stream()
                    .map(part -> new DetachedName(Optional.of(reason), part, found)))
        .findFirst();
  }

  /** The name of the directory. */
  public String text() {
    return reason.map(r -> r + "_").orElse("") + part.text() + (attempt == 0 ? "" : TRY + attempt);
  }

  @Override
  public String toString() {
    return text();
  }
}
