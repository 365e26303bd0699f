package io.coppice.parts.text;

/** How many cells of a terminal a text takes. Stateless. */
final class TextWidth {
  private TextWidth() {}

  /** The width of a line of UTF-8; bytes that are none and what steers a terminal take no cell. */
  static int of(byte[] bytes) {
    return of(bytes, 0, bytes.length, 0);
  }

  /**
   * The width of a piece of a line.
   *
   * @param before cells that stand before it, from which tabs go on to a multiple of eight
   */
  static int of(byte[] bytes, int from, int to, int before) {
    return (int) walk(bytes, from, to, before, Integer.MAX_VALUE);
  }

  /** Where a line is cut so that no more than {@code most} cells stand before the cut. */
  static int cut(byte[] bytes, int before, long most) {
    return (int) (walk(bytes, 0, bytes.length, before, most) >>> 32);
  }

  /**
   * The place up to which a line takes no more than some cells, in the high half, and its width.
   */
  private static long walk(byte[] bytes, int from, int to, int before, long most) {
    int width = 0;
    int i = from;
    while (i < to && width < most) {
      int b = bytes[i];
      if (b == '\t') {
        width += 8 - (before + width) % 8;
        i++;
      } else if (b == 0x1B) {
        i = escaped(bytes, i, to);
      } else if (b >= 0) {
        width += b < 0x20 || b == 0x7F ? 0 : 1;
        i++;
      } else {
        int size = Utf8Output.sequence(bytes, i, to);
        width += size == 0 ? 0 : wide(point(bytes, i, size));
        i += Math.max(1, size);
      }
    }
    return (long) i << 32 | width;
  }

  /** The place behind an escape sequence. */
  private static int escaped(byte[] bytes, int at, int to) {
    int i = at + 1;
    if (i == to || bytes[i] != '[') {
      return i;
    }
    i++;
    while (i < to && (bytes[i] < 0x40 || bytes[i] > 0x7E)) {
      i++;
    }
    return Math.min(to, i + 1);
  }

  private static int point(byte[] bytes, int at, int size) {
    int point = bytes[at] & (size == 2 ? 0x1F : size == 3 ? 0x0F : 0x07);
    for (int i = 1; i < size; i++) {
      point = point << 6 | bytes[at + i] & 0x3F;
    }
    return point;
  }

  /** Cells of a character: letters of East Asia and pictures take two, marks on others none. */
  private static int wide(int point) {
    int type = Character.getType(point);
    if (type == Character.NON_SPACING_MARK
        || type == Character.ENCLOSING_MARK
        || type == Character.FORMAT) {
      return 0;
    }
    if (point >= 0x1F3FB && point <= 0x1F3FF) {
      return 0; // the colour of a skin
    }
    boolean wide =
        point >= 0x1100 && point <= 0x115F
            || point >= 0x2E80 && point <= 0x303E
            || point >= 0x3041 && point <= 0xA4CF
            || point >= 0xAC00 && point <= 0xD7A3
            || point >= 0xF900 && point <= 0xFAFF
            || point >= 0xFE30 && point <= 0xFE6F
            || point >= 0xFF00 && point <= 0xFF60
            || point >= 0xFFE0 && point <= 0xFFE6
            || point >= 0x1F300 && point <= 0x1F64F
            || point >= 0x1F900 && point <= 0x1F9FF
            || point >= 0x20000 && point <= 0x3FFFD;
    return wide ? 2 : 1;
  }
}
