package io.coppice.parts.compress;

import io.coppice.base.hash.SipHash;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;

/**
 * ClickHouse's hash of a codec chain. A Compact part keeps one stream of uncompressed bytes for
 * each such hash, and the hash of data.bin's content in checksums.txt goes over these streams in
 * the order of the hashes, unsigned.
 *
 * <p>It is SipHash-2-4 of what the codecs of the chain are, one after another: the tree of each
 * codec's description, then what the description leaves out.
 *
 * <pre>
 *   no parameters   "Identifier_" name, u64 0
 *   parameters      u64 size of name, name, "Function_" name, u8 0, u64 1,
 *                   "ExpressionList", u64 count of parameters, the parameters
 *   a number        "Literal_", u8 1, u64 number, u64 0
 *   a string        "Literal_", u8 16, u64 size, bytes, u64 0
 *   DoubleDelta, Gorilla   u8 width, behind the description
 *   T64                    u8 type, u8 variant, behind the description
 * </pre>
 *
 * <p>Two chains may have one hash, such as FPC of Float32 and of Float64 or GCD of any widths; then
 * they share a stream, and the codec of the first column with it compresses both.
 */
public final class CodecHash {
  private static final int NUMBER = 1;
  private static final int STRING = 16;

  private final SipHash hash = new SipHash();

  private CodecHash() {}

  /** The hash of a chain, to be compared unsigned. */
  public static long of(CodecChain chain) {
    CodecHash hash = new CodecHash();
    chain.codecs().forEach(hash::add);
    return hash.hash.hash64();
  }

  private void add(Codec codec) {
    if (codec instanceof Codec.Lz4Hc lz4hc) {
      function("LZ4HC", 1);
      number(lz4hc.level());
    } else if (codec instanceof Codec.Zstd zstd) {
      OptionalInt window = zstd.windowLog();
      function("ZSTD", window.isPresent() ? 2 : 1);
      number(zstd.level());
      window.ifPresent(this::number);
    } else if (codec instanceof Codec.Delta delta) {
      function("Delta", 1);
      number(delta.widthBytes());
    } else if (codec instanceof Codec.Fpc fpc) {
      function("FPC", 1);
      number(fpc.level());
    } else if (codec instanceof Codec.DoubleDelta doubleDelta) {
      identifier("DoubleDelta");
      hash.updateU8(doubleDelta.widthBytes());
    } else if (codec instanceof Codec.Gorilla gorilla) {
      function("Gorilla", 1);
      number(gorilla.widthBytes());
      hash.updateU8(gorilla.widthBytes());
    } else if (codec instanceof Codec.T64 t64) {
      if (t64.byBits()) {
        function("T64", 1);
        string("bit");
      } else {
        identifier("T64");
      }
      hash.updateU8(typeIndex(t64.type()));
      hash.updateU8(t64.byBits() ? 1 : 0);
    } else {
      identifier(codec.text());
    }
  }

  /** The number that a type has in memory in 26.7; in frames T64 has others. */
  private static int typeIndex(T64Type type) {
    return switch (type) {
      case UINT8 -> 1;
      case UINT16 -> 2;
      case UINT32 -> 3;
      case UINT64 -> 4;
      case INT8 -> 7;
      case INT16 -> 8;
      case INT32 -> 9;
      case INT64 -> 10;
      case DATE -> 16;
      case DATE32 -> 17;
      case DATE_TIME -> 18;
      case DATE_TIME64 -> 19;
      case TIME -> 20;
      case TIME64 -> 21;
      case ENUM8 -> 24;
      case ENUM16 -> 25;
      case DECIMAL32 -> 26;
      case DECIMAL64 -> 27;
      case IPV4 -> 42;
    };
  }

  private void identifier(String name) {
    text("Identifier_" + name);
    hash.updateU64(0);
  }

  private void function(String name, int parameters) {
    hash.updateU64(name.length());
    text(name);
    text("Function_" + name);
    hash.updateU8(0);
    hash.updateU64(1);
    text("ExpressionList");
    hash.updateU64(parameters);
  }

  private void number(long value) {
    text("Literal_");
    hash.updateU8(NUMBER);
    hash.updateU64(value);
    hash.updateU64(0);
  }

  private void string(String value) {
    text("Literal_");
    hash.updateU8(STRING);
    hash.updateU64(value.length());
    text(value);
    hash.updateU64(0);
  }

  private void text(String text) {
    hash.update(text.getBytes(StandardCharsets.US_ASCII));
  }
}
