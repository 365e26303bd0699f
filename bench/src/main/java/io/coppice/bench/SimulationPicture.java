package io.coppice.bench;

import io.coppice.bench.MergeSimulation.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Simulations as SVG, a row each: parts over time to the left, how many times data was written to
 * the right. The same figures, the same bytes.
 */
final class SimulationPicture {
  private static final int WIDTH = 430;
  private static final int HEIGHT = 150;
  private static final int LEFT = 60;
  private static final int GAP = 70;
  private static final int TOP = 70;
  private static final int ROW = HEIGHT + 75;

  private final StringBuilder rows = new StringBuilder();
  private int count;

  /**
   * A curve.
   *
   * @param style attributes of its line
   */
  record Curve(String name, String style, List<Sample> samples) {}

  /** Adds the curves of one pattern. */
  void add(String title, long untilMillis, List<Curve> curves) {
    int y = TOP + count++ * ROW;
    rows.append(text(LEFT, y - 24, "start", "font-weight=\"bold\"", title));
    panel(LEFT, y, "parts", untilMillis, curves, Sample::parts);
    panel(
        LEFT + WIDTH + GAP,
        y,
        "bytes written / inserted",
        untilMillis,
        curves,
        Sample::writtenTimes);
    int x = LEFT;
    for (Curve curve : curves) {
      rows.append(
          "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" %s/>%n"
              .formatted(x, y + HEIGHT + 30, x + 24, y + HEIGHT + 30, curve.style)
              .replace(System.lineSeparator(), "\n"));
      rows.append(text(x + 30, y + HEIGHT + 34, "start", "", curve.name));
      x += 46 + 7 * curve.name.length();
    }
  }

  private void panel(
      int x,
      int y,
      String title,
      long untilMillis,
      List<Curve> curves,
      ToDoubleFunction<Sample> value) {
    double most =
        curves.stream().flatMap(c -> c.samples.stream()).mapToDouble(value).max().orElse(1);
    double top = round(most);
    rows.append(
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#f7f7f4\"/>\n"
            .formatted(x, y, WIDTH, HEIGHT));
    rows.append(text(x, y - 7, "start", "fill=\"#555\"", title));
    for (int i = 0; i <= 2; i++) {
      int lineY = y + HEIGHT - i * HEIGHT / 2;
      rows.append(
          "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#ccc\"/>\n"
              .formatted(x, lineY, x + WIDTH, lineY));
      rows.append(text(x - 6, lineY + 4, "end", "", number(top * i / 2)));
    }
    for (int i = 0; i <= 4; i++) {
      String minutes = number(untilMillis / 60_000.0 * i / 4) + (i == 4 ? " min" : "");
      rows.append(text(x + i * WIDTH / 4, y + HEIGHT + 15, "middle", "", minutes));
    }
    for (Curve curve : curves) {
      List<String> points = new ArrayList<>();
      for (Sample sample : curve.samples) {
        double px = x + (double) WIDTH * sample.atMillis() / untilMillis;
        double py = y + HEIGHT - HEIGHT * value.applyAsDouble(sample) / top;
        points.add(String.format(Locale.ROOT, "%.1f,%.1f", px, py));
      }
      rows.append(
          "<polyline fill=\"none\" %s points=\"%s\"/>\n"
              .formatted(curve.style, String.join(" ", points)));
    }
  }

  /** A number of one or two digits and zeros, not below the one given. */
  private static double round(double most) {
    double unit = Math.pow(10, Math.floor(Math.log10(most)));
    for (double step : new double[] {1, 1.5, 2, 3, 4, 5, 6, 8, 10}) {
      if (unit * step >= most) {
        return unit * step;
      }
    }
    return most;
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.1f", value);
  }

  private static String text(int x, int y, String anchor, String style, String words) {
    return "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" %s>%s</text>\n"
        .formatted(x, y, anchor, style, words.replace("&", "&amp;").replace("<", "&lt;"));
  }

  /** The whole picture. */
  String svg() {
    int width = LEFT + 2 * WIDTH + GAP + 30;
    int height = TOP + count * ROW;
    return """
    <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" \
    font-family="sans-serif" font-size="11">
    <rect width="100%%" height="100%%" fill="white"/>
    %s</svg>
    """
        .formatted(width, height, width, height, rows);
  }
}
