package io.coppice.parts.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.FixedStringType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.PlainType;
import org.junit.jupiter.api.Test;

class CodecChainTest {
  private static String resolved(String text, DataType type) {
    return CodecChain.parse(text, type, CodecChain.of(new Codec.Zstd(2))).text();
  }

  @Test
  void theColumnTypeFillsInWhatTheTextLeavesOut() {
    // The right sides are what SHOW CREATE of 26.7 prints.
    assertThat(resolved("CODEC(Delta, LZ4)", PlainType.UINT32)).isEqualTo("CODEC(Delta(4), LZ4)");
    assertThat(resolved("CODEC(Delta, LZ4)", new ArrayType(PlainType.UINT32)))
        .isEqualTo("CODEC(Delta(4), LZ4)");
    assertThat(resolved("CODEC(Delta, LZ4)", new NullableType(PlainType.UINT16)))
        .isEqualTo("CODEC(Delta(2), LZ4)");
    assertThat(resolved("LZ4HC", PlainType.UINT32)).isEqualTo("CODEC(LZ4HC(0))");
    assertThat(resolved("LZ4HC(4)", PlainType.UINT32)).isEqualTo("CODEC(LZ4HC(4))");
    assertThat(resolved("ZSTD", PlainType.UINT64)).isEqualTo("CODEC(ZSTD(1))");
    assertThat(resolved("ZSTD(3,20)", PlainType.UINT64)).isEqualTo("CODEC(ZSTD(3, 20))");
    assertThat(resolved("FPC(5,4)", PlainType.FLOAT32)).isEqualTo("CODEC(FPC(5))");
    assertThat(resolved("FPC", PlainType.FLOAT64)).isEqualTo("CODEC(FPC(12))");
    assertThat(resolved("DoubleDelta", PlainType.UINT32)).isEqualTo("CODEC(DoubleDelta)");
    assertThat(resolved("Gorilla", PlainType.FLOAT64)).isEqualTo("CODEC(Gorilla(8))");
    assertThat(resolved("CODEC(GCD, ZSTD)", PlainType.UINT32)).isEqualTo("CODEC(GCD, ZSTD(1))");
    assertThat(resolved("T64", PlainType.UINT16)).isEqualTo("CODEC(T64)");
    assertThat(resolved("T64('bit')", PlainType.UINT16)).isEqualTo("CODEC(T64('bit'))");
    assertThat(resolved("Delta(2)", new FixedStringType(6))).isEqualTo("CODEC(Delta(2))");
    assertThat(resolved("CODEC(Delta, Default)", PlainType.INT8))
        .isEqualTo("CODEC(Delta(1), ZSTD(2))");
    assertThat(CodecChain.parse("CODEC(ZSTD(2))").text()).isEqualTo("CODEC(ZSTD(2))");
  }

  @Test
  void streamsThatServeAColumnTakeTheGeneralCodecsOnly() {
    CodecChain chain = CodecChain.parse("Delta, T64, LZ4", PlainType.UINT32, CodecChain.LZ4);
    assertThat(chain.generalPart()).isEqualTo(CodecChain.LZ4);
    assertThat(CodecChain.of(new Codec.Delta(4)).generalPart()).isEqualTo(CodecChain.NONE);
    assertThat(CodecChain.LZ4.generalPart()).isSameAs(CodecChain.LZ4);
  }

  private static void refused(String text, DataType type, ErrorCode code) {
    assertThatThrownBy(() -> resolved(text, type))
        .as(text)
        .isInstanceOfSatisfying(
            EngineException.class, e -> assertThat(e.code()).as(text).isEqualTo(code));
  }

  @Test
  void whatNoColumnCanUseIsRefused() {
    refused("Foo", PlainType.UINT8, ErrorCode.UNKNOWN_CODEC);
    refused("ALP", PlainType.FLOAT64, ErrorCode.UNKNOWN_CODEC);
    refused("ZSTD(30)", PlainType.UINT8, ErrorCode.ILLEGAL_CODEC_PARAMETER);
    refused("LZ4HC(13)", PlainType.UINT8, ErrorCode.ILLEGAL_CODEC_PARAMETER);
    refused("Delta(3)", PlainType.UINT8, ErrorCode.ILLEGAL_CODEC_PARAMETER);
    refused("T64('nibble')", PlainType.UINT8, ErrorCode.ILLEGAL_CODEC_PARAMETER);
    refused("Delta", PlainType.STRING, ErrorCode.BAD_ARGUMENTS);
    refused("Delta", PlainType.INT128, ErrorCode.BAD_ARGUMENTS);
    refused("FPC", PlainType.UINT8, ErrorCode.BAD_ARGUMENTS);
    refused("GCD", PlainType.FLOAT32, ErrorCode.BAD_ARGUMENTS);
    refused("T64", PlainType.INT128, ErrorCode.ILLEGAL_SYNTAX_FOR_CODEC_TYPE);
    refused("", PlainType.UINT8, ErrorCode.ILLEGAL_SYNTAX_FOR_CODEC_TYPE);
    refused("CODEC(LZ4", PlainType.UINT8, ErrorCode.ILLEGAL_SYNTAX_FOR_CODEC_TYPE);
    refused("LZ4, ", PlainType.UINT8, ErrorCode.ILLEGAL_SYNTAX_FOR_CODEC_TYPE);
    refused("LZ4 LZ4", PlainType.UINT8, ErrorCode.ILLEGAL_SYNTAX_FOR_CODEC_TYPE);
    refused("T64('bit", PlainType.UINT8, ErrorCode.ILLEGAL_SYNTAX_FOR_CODEC_TYPE);
  }
}
