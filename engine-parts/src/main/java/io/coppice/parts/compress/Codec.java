package io.coppice.parts.compress;

import io.coppice.base.check.Check;
import java.util.OptionalInt;

/**
 * One codec with its parameters, as it stands in {@code CODEC(…)} once the column type has filled
 * in what was left out. Immutable.
 */
public sealed interface Codec {
  /** What the method byte of its frames is. */
  CompressionMethod method();

  /** ClickHouse's canonical text, such as {@code Delta(4)}. */
  String text();

  /**
   * Whether it compresses bytes of any meaning. Only such codecs are applied to sizes, null maps
   * and the other streams that serve a column.
   */
  default boolean general() {
    return false;
  }

  /** Bytes as they are. */
  record None() implements Codec {
    @Override
    public CompressionMethod method() {
      return CompressionMethod.NONE;
    }

    @Override
    public String text() {
      return "NONE";
    }
  }

  /** LZ4 as fast as it goes. */
  record Lz4() implements Codec {
    @Override
    public CompressionMethod method() {
      return CompressionMethod.LZ4;
    }

    @Override
    public String text() {
      return "LZ4";
    }

    @Override
    public boolean general() {
      return true;
    }
  }

  /**
   * LZ4 searched harder; read as LZ4.
   *
   * @param level 0 to 12; 0 means the library's own default, 9
   */
  record Lz4Hc(int level) implements Codec {
    public Lz4Hc {
      Check.argument(0 <= level && level <= 12, "level %d of LZ4HC", level);
    }

    @Override
    public CompressionMethod method() {
      return CompressionMethod.LZ4;
    }

    @Override
    public String text() {
      return "LZ4HC(" + level + ")";
    }

    @Override
    public boolean general() {
      return true;
    }
  }

  /**
   * ZSTD.
   *
   * @param level 0 to 22; 0 means the library's default, 3
   * @param windowLog base-2 logarithm of the window in which long matches are looked for; empty:
   *     they are not looked for
   */
  record Zstd(int level, OptionalInt windowLog) implements Codec {
    public Zstd {
      Check.argument(0 <= level && level <= 22, "level %d of ZSTD", level);
      Check.argument(
          windowLog.isEmpty() || (10 <= windowLog.getAsInt() && windowLog.getAsInt() <= 31),
          "window log %s of ZSTD",
          windowLog);
    }

    /** ZSTD that does not look for long matches. */
    public Zstd(int level) {
      this(level, OptionalInt.empty());
    }

    @Override
    public CompressionMethod method() {
      return CompressionMethod.ZSTD;
    }

    @Override
    public String text() {
      return "ZSTD(" + level + (windowLog.isPresent() ? ", " + windowLog.getAsInt() : "") + ")";
    }

    @Override
    public boolean general() {
      return true;
    }
  }

  /** Differences of neighbours; {@code widthBytes} is 1, 2, 4 or 8. */
  record Delta(int widthBytes) implements Codec {
    public Delta {
      checkWidth(widthBytes);
    }

    @Override
    public CompressionMethod method() {
      return CompressionMethod.DELTA;
    }

    @Override
    public String text() {
      return "Delta(" + widthBytes + ")";
    }
  }

  /** Differences of differences in few bits; {@code widthBytes} is 1, 2, 4 or 8. */
  record DoubleDelta(int widthBytes) implements Codec {
    public DoubleDelta {
      checkWidth(widthBytes);
    }

    @Override
    public CompressionMethod method() {
      return CompressionMethod.DOUBLE_DELTA;
    }

    @Override
    public String text() {
      return "DoubleDelta";
    }
  }

  /** The changed bits of neighbours; {@code widthBytes} is 1, 2, 4 or 8. */
  record Gorilla(int widthBytes) implements Codec {
    public Gorilla {
      checkWidth(widthBytes);
    }

    @Override
    public CompressionMethod method() {
      return CompressionMethod.GORILLA;
    }

    @Override
    public String text() {
      return "Gorilla(" + widthBytes + ")";
    }
  }

  /**
   * Blocks of 64 integers cut to the bits they need and transposed.
   *
   * @param byBits whether whole bytes are transposed by bits too, {@code T64('bit')}
   */
  record T64(T64Type type, boolean byBits) implements Codec {
    @Override
    public CompressionMethod method() {
      return CompressionMethod.T64;
    }

    @Override
    public String text() {
      return byBits ? "T64('bit')" : "T64";
    }
  }

  /**
   * Floats as the difference to the better of two predictions.
   *
   * @param level 1 to 22: the predictors' tables have 2^level entries
   * @param widthBytes 4 or 8
   */
  record Fpc(int level, int widthBytes) implements Codec {
    public Fpc {
      Check.argument(1 <= level && level <= FpcBody.LEVEL_LIMIT, "level %d of FPC", level);
      Check.argument(widthBytes == 4 || widthBytes == 8, "FPC of %d bytes", widthBytes);
    }

    @Override
    public CompressionMethod method() {
      return CompressionMethod.FPC;
    }

    @Override
    public String text() {
      return "FPC(" + level + ")";
    }
  }

  /** Integers divided by their greatest common divisor; {@code widthBytes} is 1 to 32. */
  record Gcd(int widthBytes) implements Codec {
    public Gcd {
      Check.argument(
          Integer.bitCount(widthBytes) == 1 && widthBytes <= 32, "GCD of %d bytes", widthBytes);
    }

    @Override
    public CompressionMethod method() {
      return CompressionMethod.GCD;
    }

    @Override
    public String text() {
      return "GCD";
    }
  }

  private static void checkWidth(int widthBytes) {
    Check.argument(
        Integer.bitCount(widthBytes) == 1 && widthBytes <= 8, "a codec of %d bytes", widthBytes);
  }
}
