package io.coppice.parts.compress;

import io.coppice.base.check.Check;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * The codecs that a stream goes through, in order of application. Immutable; equal when the codecs
 * are.
 *
 * <p>A chain of one codec makes frames of that codec's method, a longer one frames of method {@code
 * Multiple}.
 */
public record CodecChain(List<Codec> codecs) {
  /** Bytes as they are. */
  public static final CodecChain NONE = of(new Codec.None());

  /** What ClickHouse takes where nothing else is said. */
  public static final CodecChain LZ4 = of(new Codec.Lz4());

  /** The chain that marks and primary keys are compressed with unless settings say otherwise. */
  public static final CodecChain ZSTD_3 = of(new Codec.Zstd(3));

  /* Codecs that are known to exist, so that the message can tell them from typing errors. */
  private static final List<String> UNSUPPORTED =
      List.of("ALP", "ZXC", "AES_128_GCM_SIV", "AES_256_GCM_SIV", "DEFLATE_QPL", "ZSTD_QAT");

  public CodecChain {
    codecs = List.copyOf(codecs);
    Check.argument(!codecs.isEmpty(), "a chain of no codecs");
    Check.argument(codecs.size() <= Decompressor.CODEC_COUNT_LIMIT, "%d codecs", codecs.size());
  }

  /** The chain of these codecs, in order of application. */
  public static CodecChain of(Codec... codecs) {
    return new CodecChain(List.of(codecs));
  }

  /** {@code CODEC(Delta(4), LZ4)}: what default_compression_codec.txt holds. */
  public String text() {
    return codecs.stream().map(Codec::text).collect(Collectors.joining(", ", "CODEC(", ")"));
  }

  /**
   * What of this chain is applied to sizes, null maps and other streams that do not hold the
   * column's values: its general codecs; NONE if it has none.
   */
  public CodecChain generalPart() {
    List<Codec> general = codecs.stream().filter(Codec::general).toList();
    return general.isEmpty()
        ? NONE
        : general.size() == codecs.size() ? this : new CodecChain(general);
  }

  /**
   * Reads what {@code CODEC(…)} says, with or without {@code CODEC( )} around it, for a stream of
   * values of {@code type}. Names are matched with their case. The codec of a Tuple or Map is read
   * once per element, with the element's type; Array, Nullable and LowCardinality stand for what is
   * inside them.
   *
   * @param defaultChain what {@code Default} stands for
   * @throws EngineException UNKNOWN_CODEC, ILLEGAL_CODEC_PARAMETER, ILLEGAL_SYNTAX_FOR_CODEC_TYPE
   *     or BAD_ARGUMENTS naming codec and type
   */
  public static CodecChain parse(String text, DataType type, CodecChain defaultChain) {
    return resolve(text, Optional.of(valueType(type)), defaultChain);
  }

  /**
   * Reads the text of a chain that does not belong to a column, such as that of
   * default_compression_codec.txt or of a setting. Codecs that need a type must say their width.
   *
   * @throws EngineException as {@link #parse(String, DataType, CodecChain)}
   */
  public static CodecChain parse(String text) {
    return resolve(text, Optional.empty(), LZ4);
  }

  private static CodecChain resolve(String text, Optional<DataType> type, CodecChain defaultChain) {
    List<CodecText> calls = CodecText.parse(text);
    List<Codec> codecs = new ArrayList<>();
    for (CodecText call : calls) {
      if (call.name().equals("Default")) {
        codecs.addAll(defaultChain.codecs());
      } else {
        codecs.add(resolve(call, type));
      }
    }
    if (codecs.size() > Decompressor.CODEC_COUNT_LIMIT) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_CODEC_PARAMETER,
          "%s: %d codecs, at most %d",
          text,
          codecs.size(),
          Decompressor.CODEC_COUNT_LIMIT);
    }
    return new CodecChain(codecs);
  }

  private static Codec resolve(CodecText call, Optional<DataType> type) {
    return switch (call.name()) {
      case "NONE" -> {
        call.atMost(0);
        yield new Codec.None();
      }
      case "LZ4" -> {
        call.atMost(0);
        yield new Codec.Lz4();
      }
      case "LZ4HC" -> {
        call.atMost(1);
        yield new Codec.Lz4Hc(call.number(0, 0, 12).orElse(0));
      }
      case "ZSTD" -> {
        call.atMost(2);
        OptionalInt window = call.number(1, 10, 31);
        yield new Codec.Zstd(call.number(0, 0, 22).orElse(1), window);
      }
      case "Delta" -> new Codec.Delta(width(call, type));
      case "DoubleDelta" -> new Codec.DoubleDelta(width(call, type));
      case "Gorilla" -> new Codec.Gorilla(width(call, type));
      case "T64" -> t64(call, type);
      case "FPC" -> fpc(call, type);
      case "GCD" -> gcd(call, type);
      default -> throw unknown(call.name());
    };
  }

  private static EngineException unknown(String name) {
    if (UNSUPPORTED.contains(name)) {
      return EngineException.of(
          ErrorCode.UNKNOWN_CODEC,
          "codec %s is not supported here; choose among NONE, LZ4, LZ4HC, ZSTD, Delta, DoubleDelta,"
              + " Gorilla, T64, FPC, GCD",
          name);
    }
    return EngineException.of(ErrorCode.UNKNOWN_CODEC, "unknown codec %s", name);
  }

  private static int width(CodecText call, Optional<DataType> type) {
    call.atMost(1);
    OptionalInt given = call.number(0, 1, 8);
    if (given.isPresent()) {
      if (Integer.bitCount(given.getAsInt()) != 1) {
        throw EngineException.of(
            ErrorCode.ILLEGAL_CODEC_PARAMETER,
            "codec %s: width %d, expected 1, 2, 4 or 8",
            call.name(),
            given.getAsInt());
      }
      return given.getAsInt();
    }
    int widthBytes = needed(call, type).widthBytes();
    if (Integer.bitCount(widthBytes) != 1 || widthBytes > 8) {
      throw unfit(call, type, "values of 1, 2, 4 or 8 bytes");
    }
    return widthBytes;
  }

  private static Codec t64(CodecText call, Optional<DataType> type) {
    call.atMost(1);
    boolean byBits =
        switch (call.arguments().isEmpty() ? "'byte'" : call.arguments().get(0)) {
          case "'byte'" -> false;
          case "'bit'" -> true;
          default ->
              throw EngineException.of(
                  ErrorCode.ILLEGAL_CODEC_PARAMETER,
                  "codec T64: variant %s, expected 'byte' or 'bit'",
                  call.arguments().get(0));
        };
    T64Type found =
        T64Type.of(needed(call, type))
            .orElseThrow(
                () ->
                    EngineException.of(
                        ErrorCode.ILLEGAL_SYNTAX_FOR_CODEC_TYPE,
                        "codec T64 does not know type %s",
                        type.orElseThrow().text()));
    return new Codec.T64(found, byBits);
  }

  private static Codec fpc(CodecText call, Optional<DataType> type) {
    call.atMost(2);
    int level = call.number(0, 1, FpcBody.LEVEL_LIMIT).orElse(12);
    OptionalInt given = call.number(1, 4, 8);
    if (given.isPresent() && given.getAsInt() != 4 && given.getAsInt() != 8) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_CODEC_PARAMETER,
          "codec FPC: width %d, expected 4 or 8",
          given.getAsInt());
    }
    if (type.isPresent() && type.get() != PlainType.FLOAT32 && type.get() != PlainType.FLOAT64) {
      throw unfit(call, type, "Float32 and Float64");
    }
    return new Codec.Fpc(
        level, given.isPresent() ? given.getAsInt() : needed(call, type).widthBytes());
  }

  private static Codec gcd(CodecText call, Optional<DataType> type) {
    call.atMost(0);
    DataType of = needed(call, type);
    boolean fits =
        of instanceof PlainType plain
            ? plain.integer() || plain == PlainType.DATE || plain == PlainType.DATE32
            : of instanceof DataType.DecimalType
                || of instanceof DataType.DateTimeType
                || of instanceof DataType.DateTime64Type;
    if (!fits) {
      throw unfit(call, type, "integers, decimals, dates and DateTime");
    }
    return new Codec.Gcd(of.widthBytes());
  }

  private static DataType needed(CodecText call, Optional<DataType> type) {
    return type.orElseThrow(
        () ->
            EngineException.of(
                ErrorCode.ILLEGAL_CODEC_PARAMETER,
                "codec %s without a column needs its width as parameter",
                call.name()));
  }

  private static EngineException unfit(CodecText call, Optional<DataType> type, String fit) {
    return EngineException.of(
        ErrorCode.BAD_ARGUMENTS,
        "codec %s does not fit type %s, only %s",
        call.name(),
        type.map(DataType::text).orElse("?"),
        fit);
  }

  private static DataType valueType(DataType type) {
    DataType at = type.storage();
    while (true) {
      if (at instanceof DataType.ArrayType array) {
        at = array.element().storage();
      } else if (at instanceof DataType.NullableType nullable) {
        at = nullable.inner().storage();
      } else if (at instanceof DataType.LowCardinalityType low) {
        at = low.inner().storage();
      } else {
        return at;
      }
    }
  }
}
