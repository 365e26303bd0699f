package io.coppice.language.text;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Names that a mistyped one may have meant. Stateless. */
public final class NearNames {
  private static final int MOST = 3;

  private NearNames() {}

  /** {@code ; did you mean A, B?}, or nothing when no name is near. */
  public static String hint(String name, Collection<String> known) {
    List<String> near = of(name, known);
    return near.isEmpty() ? "" : "; did you mean " + String.join(", ", near) + "?";
  }

  /** The nearest names, at most three, the nearest first. */
  public static List<String> of(String name, Collection<String> known) {
    String wanted = name.toLowerCase(Locale.ROOT);
    int most = Math.max(1, (wanted.length() + 1) / 4);
    record Near(String name, int distance) {}
    List<Near> near = new ArrayList<>();
    for (String candidate : known) {
      int distance = distance(wanted, candidate.toLowerCase(Locale.ROOT));
      if (distance <= most) {
        near.add(new Near(candidate, distance));
      }
    }
    return near.stream()
        .sorted(Comparator.comparingInt(Near::distance).thenComparing(Near::name))
        .limit(MOST)
        .map(Near::name)
        .toList();
  }

  /** How many letters have to be put in, taken out, changed or swapped with their neighbour. */
  private static int distance(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int least = Math.min(cost[i - 1][j], cost[i][j - 1]) + 1;
        least = Math.min(least, cost[i - 1][j - 1] + change);
        boolean swapped =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        cost[i][j] = swapped ? Math.min(least, cost[i - 2][j - 2] + 1) : least;
      }
    }
    return cost[a.length()][b.length()];
  }
}
