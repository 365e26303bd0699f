package io.coppice.parts.text;

import io.coppice.language.text.ByteText;
import io.coppice.language.type.DataType;
import io.coppice.parts.table.ArrowMapping;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Tables for a person to read. All rows make one table, as ClickHouse makes it of blocks that come
 * soon one after the other; of very many rows the first and last are shown.
 */
final class PrettyWriter implements BatchWriter {
  private static final int FOOTER_ROWS = 50;
  private static final int VERTICAL_ROWS = 10;
  private static final int VERTICAL_COLUMNS = 5;
  private static final int VERTICAL_WIDTH = 250;
  private static final int NAME_CUT_TO = 24;
  private static final int NAME_CUT_LEAST = 4;

  /** The lines of a table. */
  private record Grid(
      String bar,
      String headBar,
      String[] top,
      String[] underHead,
      String[] between,
      String[] bottom,
      String[] overFoot,
      String[] foot) {}

  private static final Grid LINES =
      new Grid(
          "│",
          "┃",
          new String[] {"┏", "━", "┳", "┓"},
          new String[] {"┡", "━", "╇", "┩"},
          new String[] {"├", "─", "┼", "┤"},
          new String[] {"└", "─", "┴", "┘"},
          new String[] {"┢", "━", "╈", "┪"},
          new String[] {"┗", "━", "┻", "┛"});

  private static final String[] COMPACT_TOP = {"┌", "─", "┬", "┐"};
  private static final String[] ASCII = {"+", "-", "+", "+"};
  private static final Grid PLAIN = new Grid("|", "|", ASCII, ASCII, ASCII, ASCII, ASCII, ASCII);

  private enum Look {
    FULL,
    COMPACT,
    SPACE
  }

  private final OutputStream out;
  private final Look look;
  private final Grid grid;
  private final String[] compactTop;
  private final boolean color;
  private final boolean numbered;
  private final long most;
  private final long widest;
  private final long longest;
  private final long threshold;
  private final boolean mayBeVertical;
  private final List<byte[]> names = new ArrayList<>();
  private final List<byte[]> fullNames = new ArrayList<>();
  private final List<ValueText> texts = new ArrayList<>();
  private final List<Boolean> right = new ArrayList<>();
  private final List<Boolean> counts = new ArrayList<>();
  private final List<byte[][]> first = new ArrayList<>();
  private final Deque<byte[][]> last = new ArrayDeque<>();
  private final TextBuffer buffer = new TextBuffer();
  private long rows;

  PrettyWriter(DataFormat format, OutputStream out, Schema schema, Options options) {
    this.out = out;
    this.look =
        switch (format) {
          case PRETTY, PRETTY_MONO_BLOCK -> Look.FULL;
          case PRETTY_SPACE, PRETTY_SPACE_MONO_BLOCK -> Look.SPACE;
          default -> Look.COMPACT;
        };
    FormatSettings settings = options.settings();
    boolean ascii = settings.text(FormatSetting.PRETTY_CHARSET).equals("ASCII");
    this.grid = ascii ? PLAIN : LINES;
    this.compactTop = ascii ? ASCII : COMPACT_TOP;
    this.color =
        switch (settings.text(FormatSetting.PRETTY_COLOR)) {
          case "auto" -> options.color();
          case "1", "true" -> true;
          default -> false;
        };
    this.numbered = settings.is(FormatSetting.PRETTY_ROW_NUMBERS);
    this.most = settings.number(FormatSetting.PRETTY_MAX_ROWS);
    this.widest = settings.number(FormatSetting.PRETTY_MAX_COLUMN_PAD);
    this.longest = settings.number(FormatSetting.PRETTY_MAX_VALUE_WIDTH);
    this.threshold = settings.number(FormatSetting.PRETTY_NUMBER_TIP);
    this.mayBeVertical = settings.is(FormatSetting.PRETTY_VERTICAL);
    for (Field field : schema.getFields()) {
      DataType type = ArrowMapping.typeOf(field);
      fullNames.add(ByteText.bytes(field.getName()));
      names.add(cut(field.getName()));
      texts.add(ValueText.pretty(type, options.zone(), settings));
      right.add(Numbers.toTheRight(type));
      counts.add(Numbers.counts(type));
    }
  }

  /** A long name with its middle left out. */
  private static byte[] cut(String name) {
    int size = name.codePointCount(0, name.length());
    if (size < NAME_CUT_TO + NAME_CUT_LEAST) {
      return ByteText.bytes(name);
    }
    int head = NAME_CUT_TO / 2;
    int tail = NAME_CUT_TO - head - 1;
    return ByteText.bytes(
        name.substring(0, name.offsetByCodePoints(0, head))
            + "⋯"
            + name.substring(name.offsetByCodePoints(0, size - tail)));
  }

  @Override
  public void write(VectorSchemaRoot batch) {
    List<FieldVector> vectors = batch.getFieldVectors();
    long half = Math.max(1, most / 2);
    for (int row = 0; row < batch.getRowCount(); row++) {
      byte[][] values = new byte[texts.size()][];
      for (int i = 0; i < values.length; i++) {
        TextBuffer value = new TextBuffer();
        texts.get(i).append(vectors.get(i), row, value);
        values[i] = value.toByteArray();
      }
      rows++;
      if (first.size() < half) {
        first.add(values);
      } else {
        last.add(values);
        if (last.size() > most - half && !last.isEmpty()) {
          cutOne();
        }
      }
    }
  }

  private boolean gap;

  private void cutOne() {
    last.removeFirst();
    gap = true;
  }

  private void put(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    buffer.put(bytes, 0, bytes.length);
  }

  private static String blanks(long count) {
    return " ".repeat((int) Math.max(0, count));
  }

  @Override
  public void close() throws IOException {
    if (rows > 0) {
      List<byte[][]> shown = new ArrayList<>(first);
      shown.addAll(last);
      table(shown);
    }
    buffer.writeTo(out);
    buffer.clear();
    out.flush();
  }

  private int[] widths(List<byte[][]> shown) {
    int[] widths = new int[names.size()];
    int before = 0;
    for (int i = 0; i < widths.length; i++) {
      int width = 0;
      for (byte[][] row : shown) {
        for (byte[] line : lines(row[i])) {
          width = Math.max(width, TextWidth.of(line, 0, line.length, before));
        }
      }
      width = (int) Math.min(width, Math.min(widest, longest));
      widths[i] = Math.max(width, TextWidth.of(names.get(i)));
      before += widths[i];
    }
    return widths;
  }

  private static List<byte[]> lines(byte[] value) {
    List<byte[]> lines = new ArrayList<>();
    int start = 0;
    for (int i = 0; i <= value.length; i++) {
      if (i == value.length || value[i] == '\n') {
        lines.add(java.util.Arrays.copyOfRange(value, start, i));
        start = i + 1;
      }
    }
    return lines;
  }

  private void table(List<byte[][]> shown) {
    int[] widths = widths(shown);
    if (vertical(shown, widths)) {
      vertically(shown);
      return;
    }
    int digits = numbered ? Long.toString(rows).length() : 0;
    String margin = blanks(numbered ? digits + 2 : 0);
    head(widths, margin);
    for (int row = 0; row < shown.size(); row++) {
      boolean behindGap = gap && row == first.size();
      long number = row < first.size() ? row + 1 : rows - shown.size() + row + 1;
      if (behindGap) {
        put(margin);
        dots(widths);
      } else if (row > 0 && look == Look.FULL) {
        put(margin);
        rule(grid.between(), widths);
      }
      row(shown.get(row), widths, number, digits, shown.size() == 1 && names.size() == 1);
    }
    foot(widths, margin, shown.size());
    if (gap) {
      put("Showed " + shown.size() + " out of " + rows + " rows.\n");
    }
  }

  private boolean vertical(List<byte[][]> shown, int[] widths) {
    if (!mayBeVertical || shown.size() > VERTICAL_ROWS || names.size() < VERTICAL_COLUMNS) {
      return false;
    }
    long width = 0;
    for (int w : widths) {
      width += w + 3L;
    }
    boolean lines =
        shown.stream().anyMatch(row -> java.util.Arrays.stream(row).anyMatch(v -> has(v, '\n')));
    return lines || width >= VERTICAL_WIDTH;
  }

  private static boolean has(byte[] value, int b) {
    for (byte v : value) {
      if (v == b) {
        return true;
      }
    }
    return false;
  }

  private void vertically(List<byte[][]> shown) {
    int wide = fullNames.stream().mapToInt(TextWidth::of).max().orElse(0);
    for (int row = 0; row < shown.size(); row++) {
      if (row > 0) {
        put("\n");
      }
      String headline = "Row " + (row + 1) + ":";
      put(headline + "\n" + "─".repeat(Integer.toString(row + 2).length() + 5) + "\n");
      for (int i = 0; i < names.size(); i++) {
        byte[] name = fullNames.get(i);
        bold(name, 0, name.length, ":");
        put(blanks(wide - TextWidth.of(name) + 1L));
        byte[] value = shown.get(row)[i];
        buffer.put(value, 0, value.length);
        if (counts.get(i)) {
          put(Numbers.tip(new String(value, StandardCharsets.ISO_8859_1), threshold));
        }
        put("\n");
      }
    }
  }

  private void bold(byte[] text, int from, int to, String behind) {
    put(color ? "\u001b[1m" : "");
    buffer.put(text, from, to - from);
    put(behind);
    put(color ? "\u001b[0m" : "");
  }

  private void rule(String[] parts, int[] widths) {
    StringBuilder line = new StringBuilder(parts[0]);
    for (int i = 0; i < widths.length; i++) {
      line.append(i == 0 ? "" : parts[2]).append(parts[1].repeat(widths[i] + 2));
    }
    put(line.append(parts[3]).append('\n').toString());
  }

  private void dots(int[] widths) {
    long width = 1;
    for (int w : widths) {
      width += w + 3L;
    }
    String dash = grid.bottom()[1];
    StringBuilder line = new StringBuilder();
    for (long i = 0; i < width; i++) {
      line.append(i % 2 == 0 ? dash : " ");
    }
    put(line.toString().stripTrailing() + "\n");
  }

  private void head(int[] widths, String margin) {
    switch (look) {
      case FULL -> {
        put(margin);
        rule(grid.top(), widths);
        put(margin);
        namesLine(widths, grid.headBar());
        put(margin);
        rule(grid.underHead(), widths);
      }
      case COMPACT -> {
        put(margin);
        compactLine(widths, compactTop);
      }
      case SPACE -> {
        put(margin);
        spaceLine(widths);
        put("\n");
      }
    }
  }

  private void foot(int[] widths, String margin, int shown) {
    boolean names = shown >= FOOTER_ROWS;
    switch (look) {
      case FULL -> {
        put(margin);
        rule(names ? grid.overFoot() : grid.bottom(), widths);
        if (names) {
          put(margin);
          namesLine(widths, grid.headBar());
          put(margin);
          rule(grid.foot(), widths);
        }
      }
      case COMPACT -> {
        put(margin);
        if (names) {
          compactLine(widths, grid.bottom());
        } else {
          rule(grid.bottom(), widths);
        }
      }
      case SPACE -> {
        if (names) {
          put("\n" + margin);
          spaceLine(widths);
          put("\n");
        }
      }
    }
  }

  private void name(int column, int width, String fill) {
    byte[] name = names.get(column);
    String pad = fill.repeat(Math.max(0, width - TextWidth.of(name)));
    put(right.get(column) ? pad : "");
    bold(name, 0, name.length, "");
    put(right.get(column) ? "" : pad);
  }

  private void namesLine(int[] widths, String bar) {
    for (int i = 0; i < widths.length; i++) {
      put(bar + " ");
      name(i, widths[i], " ");
      put(" ");
    }
    put(bar + "\n");
  }

  private void compactLine(int[] widths, String[] parts) {
    put(parts[0]);
    for (int i = 0; i < widths.length; i++) {
      put((i == 0 ? "" : parts[2]) + parts[1]);
      name(i, widths[i], parts[1]);
      put(parts[1]);
    }
    put(parts[3] + "\n");
  }

  private void spaceLine(int[] widths) {
    for (int i = 0; i < widths.length; i++) {
      put(i == 0 ? " " : "   ");
      name(i, widths[i], " ");
    }
    put("\n");
  }

  private void row(byte[][] values, int[] widths, long number, int digits, boolean single) {
    List<List<byte[]>> lines = new ArrayList<>();
    int height = 1;
    for (byte[] value : values) {
      List<byte[]> own = lines(value);
      lines.add(own);
      height = Math.max(height, own.size());
    }
    boolean bars = look != Look.SPACE;
    for (int line = 0; line < height; line++) {
      int before = 0;
      if (numbered) {
        String text = line == 0 ? String.format("%" + digits + "d. ", number) : blanks(digits + 2);
        put(color && line == 0 ? "\u001b[90m" + text + "\u001b[0m" : text);
      }
      for (int i = 0; i < values.length; i++) {
        put(bars ? grid.bar() : i == 0 ? "" : " ");
        boolean more = line < lines.get(i).size() - 1;
        put(line > 0 && line < lines.get(i).size() ? "↳" : " ");
        byte[] text = line < lines.get(i).size() ? lines.get(i).get(line) : new byte[0];
        cell(text, widths[i], before, right.get(i), more, single);
        before += widths[i];
      }
      put(bars ? grid.bar() : "");
      if (line == 0 && counts.get(values.length - 1)) {
        put(
            Numbers.tip(
                new String(values[values.length - 1], StandardCharsets.ISO_8859_1), threshold));
      }
      put("\n");
    }
  }

  private void cell(
      byte[] given, int width, int before, boolean toTheRight, boolean more, boolean single) {
    byte[] text = given;
    boolean cut = false;
    if (!single && TextWidth.of(text, 0, text.length, before) > longest) {
      text = java.util.Arrays.copyOf(text, TextWidth.cut(text, before, longest));
      cut = true;
    }
    String pad = blanks((long) width - TextWidth.of(text, 0, text.length, before));
    put(toTheRight ? pad : "");
    buffer.put(text, 0, text.length);
    put(toTheRight ? "" : pad);
    put(cut ? "⋯" : more ? "↴" : " ");
  }
}
