package io.coppice.parts.compress;

import java.util.Optional;

/**
 * What the method byte of a frame stands for. Those marked as unreadable are known by name only, so
 * that a message can say what is missing.
 */
public enum CompressionMethod {
  NONE(0x02, "NONE", true),
  /** The LZ4 block format, whether it was found by LZ4 or by LZ4HC. */
  LZ4(0x82, "LZ4", true),
  ZSTD(0x90, "ZSTD", true),
  /** A chain of two and more codecs. */
  MULTIPLE(0x91, "Multiple", true),
  DELTA(0x92, "Delta", true),
  T64(0x93, "T64", true),
  DOUBLE_DELTA(0x94, "DoubleDelta", true),
  GORILLA(0x95, "Gorilla", true),
  AES_128_GCM_SIV(0x96, "AES_128_GCM_SIV", false),
  AES_256_GCM_SIV(0x97, "AES_256_GCM_SIV", false),
  FPC(0x98, "FPC", true),
  DEFLATE_QPL(0x99, "DEFLATE_QPL", false),
  GCD(0x9a, "GCD", true),
  ZSTD_QAT(0x9b, "ZSTD_QAT", false),
  ALP(0x9c, "ALP", false),
  ZXC(0x9f, "ZXC", false);

  private static final CompressionMethod[] BY_BYTE = new CompressionMethod[256];

  static {
    for (CompressionMethod method : values()) {
      BY_BYTE[method.methodByte] = method;
    }
  }

  private final int methodByte;
  private final String text;
  private final boolean readable;

  CompressionMethod(int methodByte, String text, boolean readable) {
    this.methodByte = methodByte;
    this.text = text;
    this.readable = readable;
  }

  /** The method of that byte, empty if no ClickHouse we know of writes it. */
  public static Optional<CompressionMethod> of(int methodByte) {
    return Optional.ofNullable(BY_BYTE[methodByte & 0xff]);
  }

  /** 0 to 255. */
  public int methodByte() {
    return methodByte;
  }

  /** ClickHouse's name of it. */
  public String text() {
    return text;
  }

  /** Whether frames of this method can be decompressed here. */
  public boolean readable() {
    return readable;
  }

  /** A byte as messages show it, with its name if it has one. */
  static String describe(int methodByte) {
    return of(methodByte)
        .map(method -> String.format("%s (0x%02x)", method.text, methodByte & 0xff))
        .orElseGet(() -> String.format("0x%02x", methodByte & 0xff));
  }
}
