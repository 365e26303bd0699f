package io.coppice.parts.compress;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import io.coppice.base.bytes.Memory;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;

/** Checks shared by the decoders of bodies. */
final class Body {
  private Body() {}

  /** Refuses a body that is not what its codec can have written. */
  @FormatMethod
  static void expect(boolean holds, @FormatString String message, Object... values) {
    if (!holds) {
      throw EngineException.of(ErrorCode.CANNOT_DECOMPRESS, message, values);
    }
  }

  /**
   * Reads what {@link Widths#putStart} wrote, checks it, and copies the odd bytes to {@code
   * target}.
   *
   * @return the width in the low 8 bits, the number of odd bytes above them
   */
  static int start(
      String codec, long source, int sourceSize, long target, int targetSize, int widthLimit) {
    expect(sourceSize >= 2, "%s: a body of %d bytes", codec, sourceSize);
    int widthBytes = Memory.getByte(source) & 0xff;
    int skip = Memory.getByte(source + 1) & 0xff;
    expect(
        Integer.bitCount(widthBytes) == 1 && widthBytes <= widthLimit,
        "%s: width %d",
        codec,
        widthBytes);
    expect(
        skip == targetSize % widthBytes,
        "%s: %d odd bytes, but %d bytes of width %d leave %d",
        codec,
        skip,
        targetSize,
        widthBytes,
        targetSize % widthBytes);
    expect(2 + skip <= sourceSize, "%s: a body of %d bytes", codec, sourceSize);
    Memory.copy(source + 2, target, skip);
    return widthBytes | skip << 8;
  }
}
