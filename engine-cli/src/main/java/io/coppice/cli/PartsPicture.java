package io.coppice.cli;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * Parts drawn as SVG: a band a partition, from left to right the block numbers, an area as large as
 * the part's bytes, a colour for its level. Stateless.
 */
final class PartsPicture {
  private static final int LEFT = 130;
  private static final int TOP = 54;
  private static final int WIDTH = 900;
  private static final int BAND = 46;
  private static final int GAP = 8;
  private static final double LEAST = 2;

  /** From fresh to merged often. */
  private static final String[] COLOURS = {
    "#fde725", "#90d743", "#35b779", "#21918c", "#31688e", "#443983", "#440154"
  };

  /** A part to draw. */
  record Drawn(
      String name,
      String partition,
      long minBlock,
      long maxBlock,
      long level,
      long rows,
      long bytes) {}

  private PartsPicture() {}

  /** The picture of the parts of a table. */
  static String of(String table, List<Drawn> parts) {
    List<Drawn> drawn =
        parts.stream()
            .sorted(Comparator.comparing(Drawn::partition).thenComparing(Drawn::minBlock))
            .toList();
    List<String> bands = List.copyOf(new TreeSet<>(drawn.stream().map(Drawn::partition).toList()));
    long first = drawn.stream().mapToLong(Drawn::minBlock).min().orElse(0);
    long behind = drawn.stream().mapToLong(Drawn::maxBlock).max().orElse(0) + 1;
    double perBlock = WIDTH / (double) Math.max(1, behind - first);
    double densest = drawn.stream().mapToDouble(part -> density(part, perBlock)).max().orElse(1);
    int height = TOP + Math.max(1, bands.size()) * (BAND + GAP) + 40;
    long rows = drawn.stream().mapToLong(Drawn::rows).sum();
    long bytes = drawn.stream().mapToLong(Drawn::bytes).sum();
    StringBuilder svg = new StringBuilder();
    line(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
            + " font-size=\"12\">",
        LEFT + WIDTH + 20,
        height);
    line(svg, "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>");
    line(
        svg,
        "<text x=\"%d\" y=\"22\" font-size=\"16\">%s: %s, %s, %s</text>",
        10,
        escaped(table),
        Amounts.count(drawn.size(), "part"),
        Amounts.count(rows, "row"),
        Amounts.bytes(bytes));
    legend(svg, drawn);
    for (int i = 0; i < bands.size(); i++) {
      int top = TOP + i * (BAND + GAP);
      line(
          svg,
          "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>",
          LEFT - 8,
          top + BAND - 4,
          escaped(shortened(bands.get(i))));
      line(
          svg,
          "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#cccccc\"/>",
          LEFT,
          top + BAND,
          LEFT + WIDTH,
          top + BAND);
      for (Drawn part : drawn) {
        if (part.partition().equals(bands.get(i))) {
          part(svg, part, first, perBlock, density(part, perBlock) / densest, top + BAND);
        }
      }
    }
    line(
        svg,
        "<text x=\"%d\" y=\"%d\">block %d</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">block"
            + " %d</text>",
        LEFT,
        height - 16,
        first,
        LEFT + WIDTH,
        height - 16,
        behind - 1);
    return svg.append("</svg>\n").toString();
  }

  /** Bytes for each unit of width. */
  private static double density(Drawn part, double perBlock) {
    return part.bytes() / ((part.maxBlock() - part.minBlock() + 1) * perBlock);
  }

  private static void part(
      StringBuilder svg, Drawn part, long first, double perBlock, double share, int bottom) {
    double height = Math.max(LEAST, share * BAND);
    line(
        svg,
        "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\" stroke=\"#ffffff\""
            + " stroke-width=\"0.5\"><title>%s</title></rect>",
        LEFT + (part.minBlock() - first) * perBlock,
        bottom - height,
        Math.max(LEAST, (part.maxBlock() - part.minBlock() + 1) * perBlock),
        height,
        colour(part.level()),
        escaped(
            part.name()
                + ": "
                + Amounts.count(part.rows(), "row")
                + ", "
                + Amounts.bytes(part.bytes())
                + ", level "
                + part.level()
                + ", blocks "
                + part.minBlock()
                + " to "
                + part.maxBlock()));
  }

  private static void legend(StringBuilder svg, List<Drawn> parts) {
    int x = 10;
    for (long level : new TreeSet<>(parts.stream().map(Drawn::level).toList())) {
      line(
          svg,
          "<rect x=\"%d\" y=\"32\" width=\"12\" height=\"12\" fill=\"%s\"/><text x=\"%d\""
              + " y=\"42\">level %d</text>",
          x,
          colour(level),
          x + 16,
          level);
      x += 80;
    }
  }

  private static String colour(long level) {
    return COLOURS[(int) Math.min(level, COLOURS.length - 1)];
  }

  private static String shortened(String partition) {
    return partition.length() <= 16 ? partition : partition.substring(0, 15) + "…";
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static void line(StringBuilder svg, String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
