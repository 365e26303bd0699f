package io.coppice.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Queries over the table of the peer test whose results are one text only, rows in order. */
final class RandomQueries {
  private static final List<String> NUMBERS = List.of("id", "k", "n", "u8", "dec", "f", "i128");
  private static final List<String> KEYS =
      List.of(
          "k",
          "s",
          "n",
          "lc",
          "d",
          "b",
          "e",
          "u8",
          "nl",
          "toYYYYMM(d)",
          "k % 3",
          "length(s)",
          "(k, u8)",
          "arr",
          "intDiv(id, 100)",
          "isNull(n)",
          "_partition_id",
          "_part");
  private static final List<String> ANY =
      List.of(
          "id",
          "k",
          "s",
          "n",
          "lc",
          "nl",
          "d",
          "dt",
          "dec",
          "b",
          "e",
          "u8",
          "i128",
          "fs",
          "_part",
          "_part_offset",
          "_part_index",
          "_partition_value",
          "sin(id) > 0",
          "arrayMap(x -> x + k, arr)",
          "arrayFilter((x, i) -> x > id % 3, arr, arr)",
          "arraySum(arrayMap(id -> id * 2, arr))",
          "toInt16OrNull(s)",
          "splitByString('a', s)",
          "base64Encode(s)",
          "leftPad(s, u8 % 9, '.')",
          "range(id % 4)");
  private static final List<String> CONDITIONS =
      List.of(
          "id < 500",
          "k = 3",
          "n > 0",
          "s LIKE 'a%'",
          "lc IN ('x', 'y')",
          "d >= '2024-03-01'",
          "b",
          "e = 'red'",
          "dec < 10",
          "n IS NULL",
          "has(arr, 2)",
          "u8 > 100",
          "f > 0.5",
          "id IN (SELECT id * 3 FROM t WHERE k = 1)",
          "k > (SELECT avg(k) FROM t)",
          "dt BETWEEN '2024-01-02 00:00:00' AND '2024-01-10 00:00:00'",
          "nl != 'p'",
          "id % 7 = 2",
          "s != '' AND NOT b",
          "(k, u8) IN ((1, 1), (2, 2), (3, 3))",
          "k NOT IN (SELECT toInt32(number) FROM numbers(2, 4))",
          "_partition_id = '1'",
          "_part_offset < 30",
          "_part LIKE '%2_2_0'",
          "s LIKE '%ab%' AND lc != 'x'",
          "lc LIKE '%z' AND f < 1.5",
          "arrayExists(x -> x = k, arr)",
          "arrayCount(x -> x > u8, arr) = 0",
          "s NOT LIKE '%da' AND u8 < 200 AND e != 'blue'",
          "dt < '2024-01-09 10:00:00' AND lower(lc) = 'x' AND f >= -1");

  private static final List<String> PLAIN_NUMBERS = List.of("id", "k", "n", "u8", "f", "id * 7");
  private static final List<String> LEVELS = List.of("0", "0.25", "0.5", "0.77", "0.999", "1");

  private final Random random;

  RandomQueries(long seed) {
    this.random = new Random(seed);
  }

  String next() {
    return switch (random.nextInt(10)) {
      case 0, 1, 2 -> plain();
      case 3, 4, 5, 6 -> grouped();
      case 7 -> distinct();
      case 8 -> nested();
      default -> whole();
    };
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private List<String> some(List<String> of, int most) {
    List<String> left = new ArrayList<>(of);
    List<String> chosen = new ArrayList<>();
    for (int n = 1 + random.nextInt(most); n > 0; n--) {
      chosen.add(left.remove(random.nextInt(left.size())));
    }
    return chosen;
  }

  private String where() {
    return switch (random.nextInt(5)) {
      case 0 -> "";
      case 1, 2 -> " WHERE " + one(CONDITIONS);
      case 3 -> " WHERE " + one(CONDITIONS) + " OR " + one(CONDITIONS);
      default -> " PREWHERE " + one(CONDITIONS) + " WHERE " + one(CONDITIONS);
    };
  }

  private String direction() {
    return one(List.of("", " DESC", " NULLS FIRST", " DESC NULLS FIRST"));
  }

  private String limit() {
    return random.nextBoolean()
        ? " LIMIT " + (1 + random.nextInt(40)) + " OFFSET " + random.nextInt(20)
        : "";
  }

  private String plain() {
    List<String> columns = some(ANY, 4);
    String by = random.nextInt(4) == 0 ? " LIMIT " + (1 + random.nextInt(3)) + " BY k" : "";
    return "SELECT "
        + String.join(", ", columns)
        + ", id + k AS total FROM t"
        + where()
        + " ORDER BY "
        + one(ANY)
        + direction()
        + ", t.id"
        + by
        + limit();
  }

  private String aggregate() {
    String number = one(NUMBERS);
    String any = one(ANY);
    return switch (random.nextInt(25)) {
      case 0 -> "count()";
      case 1 -> "count(" + any + ")";
      case 2 -> "sum(" + number + ")";
      case 3 -> "avg(" + one(List.of("id", "k", "n", "u8", "dec", "f")) + ")";
      case 4 -> "min(" + any + ")";
      case 5 -> "max(" + any + ")";
      case 6 -> "uniqExact(" + any + ")";
      case 7 -> "count(DISTINCT " + any + ", " + one(List.of("k", "u8", "n")) + ")";
      case 8 -> "sumIf(" + number + ", " + one(List.of("b", "k > 2", "n > 0")) + ")";
      case 9 -> "countIf(" + one(List.of("b", "n > 0", "u8 = 3")) + ")";
      case 10 -> "argMin(" + any + ", id)";
      case 11 -> "argMax(" + any + ", (k, id))";
      case 12 -> "length(groupArray(" + any + "))";
      case 13 -> "sum(DISTINCT " + one(List.of("k", "u8", "n")) + ")";
      case 14 -> "maxIf(" + any + ", id % 2 = 0)";
      case 15 ->
          "uniq(" + one(List.of("id", "k", "s", "n", "lc", "nl", "d", "dt", "u8", "f")) + ")";
      case 16 -> "quantile(" + one(LEVELS) + ")(" + one(PLAIN_NUMBERS) + ")";
      case 17 -> "quantiles(0.1, 0.5, 0.9)(" + one(PLAIN_NUMBERS) + ")";
      case 18 ->
          "quantileExact(" + one(LEVELS) + ")(" + one(List.of("id", "k", "n", "f", "d")) + ")";
      case 19 -> "median(" + one(List.of("k", "n", "f", "d", "dt")) + ")";
      case 20 ->
          one(List.of("varPop", "varSamp", "stddevPop", "stddevSamp"))
              + "("
              + one(List.of("k", "n", "u8"))
              + ")";
      case 21 -> "length(groupUniqArray(" + one(List.of("k", "s", "n", "lc", "e")) + "))";
      case 22 -> one(List.of("first_value", "last_value", "any")) + "(_table)";
      case 23 -> "uniqIf(id * 7, b), quantileIf(" + one(PLAIN_NUMBERS) + ", u8 > 9)";
      default -> "toTypeName(sum(" + number + ")), toTypeName(min(" + any + "))";
    };
  }

  private String grouped() {
    List<String> keys = some(KEYS, 2);
    List<String> items = new ArrayList<>(keys);
    for (int n = 1 + random.nextInt(4); n > 0; n--) {
      items.add(aggregate());
    }
    String having = random.nextInt(4) == 0 ? " HAVING count() > " + random.nextInt(60) : "";
    List<String> order = new ArrayList<>();
    for (String key : keys) {
      order.add(key + direction());
    }
    return "SELECT "
        + String.join(", ", items)
        + " FROM t"
        + where()
        + " GROUP BY "
        + String.join(", ", keys)
        + having
        + " ORDER BY "
        + String.join(", ", order)
        + limit();
  }

  private String distinct() {
    List<String> columns = some(KEYS, 3);
    return "SELECT DISTINCT "
        + String.join(", ", columns)
        + " FROM t"
        + where()
        + " ORDER BY "
        + String.join(", ", columns)
        + limit();
  }

  private String nested() {
    return switch (random.nextInt(4)) {
      case 0 ->
          "SELECT g, sum(c), max(m) FROM (SELECT k % 2 AS g, lc, count() AS c, max(id) AS m"
              + " FROM t"
              + where()
              + " GROUP BY g, lc) GROUP BY g ORDER BY g";
      case 1 ->
          "SELECT k, count() FROM (SELECT k FROM t"
              + where()
              + " UNION ALL SELECT toInt32(number) FROM numbers(4)) GROUP BY k ORDER BY k";
      case 2 ->
          "WITH (SELECT max(id) FROM t) AS top SELECT id, top - id AS gap FROM t"
              + where()
              + " ORDER BY gap"
              + limit();
      default ->
          "WITH q AS (SELECT * EXCEPT (f) FROM t"
              + where()
              + ") SELECT count(), min(q.s), sum(q.n) FROM q WHERE q.id > 10";
    };
  }

  private String whole() {
    List<String> items = new ArrayList<>();
    for (int n = 1 + random.nextInt(4); n > 0; n--) {
      items.add(aggregate());
    }
    return "SELECT " + String.join(", ", items) + " FROM t" + where();
  }
}
