package io.coppice.parts.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random conditions over the columns of {@link PruningPeerTest}'s tables: comparisons, sets, text,
 * functions of keys, tuples, NULL, under AND, OR and NOT. Equal seeds give equal conditions.
 */
final class RandomPredicates {
  private final Random random;

  RandomPredicates(long seed) {
    this.random = new Random(seed * 0x9E3779B97F4A7C15L + 3);
  }

  private int below(int most) {
    return random.nextInt(most);
  }

  @SafeVarargs
  private <T> T oneOf(T... values) {
    return values[below(values.length)];
  }

  String next() {
    return node(below(4));
  }

  private String node(int depth) {
    if (depth == 0) {
      return atom();
    }
    return switch (below(5)) {
      case 0, 1 -> "(" + node(depth - 1) + ") AND (" + node(below(depth)) + ")";
      case 2 -> "(" + node(depth - 1) + ") OR (" + node(below(depth)) + ")";
      case 3 -> "NOT (" + node(depth - 1) + ")";
      default -> atom();
    };
  }

  private String op() {
    return oneOf("=", "=", "!=", "<", "<=", ">", ">=");
  }

  private String number(int least, int most) {
    return Integer.toString(least + below(most - least + 1));
  }

  private String date() {
    return "'2020-%02d-%02d'".formatted(1 + below(12), 1 + below(28));
  }

  private String time() {
    return "'2020-%02d-%02d %02d:%02d:00'"
        .formatted(1 + below(2), 1 + below(28), below(24), below(60));
  }

  private String key() {
    return "'" + (char) ('a' + below(6)) + (below(3) == 0 ? "" : number(0, 300)) + "'";
  }

  private String word() {
    return oneOf("word" + number(0, 60), "tok" + number(0, 20), "none");
  }

  /** A column or a function of it, with constants of its type. */
  private String[] side() {
    return switch (below(24)) {
      case 0, 1 -> of("a", number(-60, 160), number(-60, 160));
      case 2 -> of("v", number(-10, 3100), number(-10, 3100));
      case 3 -> of("n", number(-3, 103), number(-3, 103));
      case 4, 5 -> of("d", date(), date());
      case 6 -> of("t", time(), time());
      case 7, 8 -> of("b", key(), key());
      case 9 -> of("lc", "'k" + number(0, 14) + "'", "'k" + number(0, 14) + "'");
      case 10 -> of("f", number(-60, 100) + ".5", number(-60, 100));
      case 11 -> of("intDiv(a, 10)", number(-6, 16), number(-6, 16));
      case 12 -> of("toDate(t)", date(), date());
      case 13 -> of("toYYYYMM(d)", "2020" + number(10, 12), "20200" + number(1, 9));
      case 14 -> of(oneOf("toMonday(d)", "toStartOfMonth(d)"), date(), date());
      case 15 -> of("lower(b)", key(), key());
      case 16 -> of(oneOf("toYear(d)", "toYear(t)"), "2020", number(2019, 2021));
      case 17 ->
          of(oneOf("toMonth(d)", "toDayOfMonth(d)", "toHour(t)"), number(0, 13), number(1, 30));
      case 18 -> of(oneOf("toStartOfHour(t)", "toStartOfDay(t)", "t + 3600"), time(), time());
      case 19 ->
          of(oneOf("d + 1", "d - 30", "toStartOfWeek(d)", "toStartOfYear(d)"), date(), date());
      case 20 -> of("toString(d)", date(), date());
      case 21 ->
          of(
              oneOf("length(b)", "length(s)", "n + 1", "-n", "intDiv(n, 10)"),
              number(0, 12),
              number(0, 60));
      case 22 ->
          of(
              oneOf(
                  "10 - a",
                  "a / 2",
                  "a * -3",
                  "a * 0.5",
                  "bitAnd(a, 3)",
                  "toInt8(v)",
                  "toUInt16(a)"),
              number(-20, 30),
              number(-20, 100));
      case 23 ->
          of(
              oneOf("f + 1", "f * 2", "-f", "floor(f)", "toInt32(v)", "round(f)"),
              number(-60, 100),
              number(-60, 100) + ".5");
      default ->
          of(
              oneOf("a + 7", "-a", "a % 3", "toInt64(a)", "toUInt8(a)", "abs(a)", "a * 2"),
              number(-20, 20),
              number(-20, 100));
    };
  }

  private static String[] of(String... side) {
    return side;
  }

  private String atom() {
    String[] side = side();
    return switch (below(18)) {
      case 16 ->
          oneOf(
              "coalesce(n, 0) = " + number(0, 20),
              "ifNull(n, 7) < 10",
              "if(a > 0, a, 0) > 100",
              "substring(b, 1, 1) = 'c'",
              "concat(b, lc) = 'a1k3'",
              "b || 'x' = 'a1x'",
              "empty(b)",
              "t >= toDateTime('2020-01-20 00:00:00', 'UTC')",
              "d = toDate('2020-03-05')",
              "d > toDateTime('2020-03-05 12:00:00', 'UTC')",
              "v > 1000.5",
              "a = 3.0",
              "a < 2.5",
              "a IN (1, 2.5, NULL)",
              "n IN (1, NULL)",
              "n = NULL",
              "n NOT IN (5, NULL)",
              "a % 3",
              "match(b, '^a1')",
              "xor(a > 3, n = 5)",
              "(a > 10) = 1",
              "equals(a, 5)",
              "v IN (1, 5, 900, 2700)");
      case 17 -> {
        String end = oneOf("a", "n", "v");
        yield end
            + " > "
            + number(-10, 60)
            + " AND "
            + end
            + " < "
            + number(-10, 120)
            + " AND "
            + end
            + " != "
            + number(0, 20);
      }
      case 0, 1, 2, 3 -> side[0] + " " + op() + " " + side[1];
      case 4 -> side[1] + " " + op() + " " + side[0];
      case 5 -> side[0] + oneOf(" BETWEEN ", " NOT BETWEEN ") + side[1] + " AND " + side[2];
      case 6, 7 -> {
        List<String> values = new ArrayList<>(List.of(side[1], side[2]));
        for (int i = below(3); i > 0; i--) {
          values.add(side[1 + below(2)]);
        }
        yield side[0] + oneOf(" IN (", " IN (", " NOT IN (") + String.join(", ", values) + ")";
      }
      case 8 -> text();
      case 9 ->
          oneOf("n IS NULL", "n IS NOT NULL", "isNull(n)", "NOT (n = 5)", "n = 5 OR n IS NULL");
      case 10 -> tuple();
      case 11 -> "has(arr, " + number(0, 60) + ")";
      case 12 ->
          oneOf(
              "hasToken(s, '" + word().replace("none", "nothing") + "')",
              "s LIKE '%" + word() + "%'",
              "s LIKE 'word" + number(0, 60) + " %'",
              "s = 'word" + number(0, 40) + " tok" + number(0, 17) + "-x'",
              "endsWith(s, 'tok" + number(0, 17) + "-x')",
              "startsWith(s, 'word" + number(0, 40) + " ')");
      case 13 -> "u = " + oneOf("cityHash64(5, 6)", "sipHash64(1)", "0");
      case 14 -> "v = " + number(0, 3000);
      default -> oneOf("a", "NOT a", "1", "0", "a = a", "toString(a) = '5'", "length(b) = 3");
    };
  }

  private String text() {
    String prefix = key().replace("'", "");
    return oneOf(
        "b LIKE '" + prefix + "%'",
        "b NOT LIKE '" + prefix + "%'",
        "b LIKE '" + prefix + "'",
        "b LIKE '" + prefix + "_'",
        "b LIKE '%" + prefix + "'",
        "startsWith(b, '" + prefix + "')",
        "NOT startsWith(b, '" + prefix + "')",
        "endsWith(b, '" + number(0, 9) + "')",
        "lc LIKE 'k1%'",
        "b ILIKE '" + prefix.toUpperCase(java.util.Locale.ROOT) + "%'");
  }

  private String tuple() {
    String one = "(" + number(-50, 150) + ", " + date() + ")";
    String two = "(" + number(-50, 150) + ", " + date() + ")";
    return oneOf(
        "(a, d) = " + one,
        "(a, d) IN (" + one + ", " + two + ")",
        "(a, d) NOT IN (" + one + ", " + two + ")",
        "(b, a) IN ((" + key() + ", " + number(-50, 150) + "))",
        "(a, lc) IN ((" + number(-50, 150) + ", 'k" + number(0, 14) + "'))",
        "(a, b) > (" + number(-50, 150) + ", " + key() + ")");
  }
}
