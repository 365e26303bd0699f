package io.coppice.base.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class BytesTest {
  private static ByteReader reader(String hex) {
    return new ByteReader(HexFormat.of().parseHex(hex), "all_1_1_0/x.bin");
  }

  private static void refuses(ErrorCode code, String message, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(EngineException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining("all_1_1_0/x.bin")
        .hasMessageContaining(message);
  }

  @Test
  void whatIsWrittenIsReadBack() {
    Random random = new Random(7);
    for (int round = 0; round < 200; round++) {
      long a = random.nextLong() >>> random.nextInt(64);
      byte[] text = new byte[random.nextInt(1000)];
      random.nextBytes(text);
      ByteWriter writer = new ByteWriter(0);
      writer.u8(round).varUInt(a).u16(round * 77).string(text).u32((int) a).u64(a);
      writer.u128(a, ~a).string("größe").zeros(3).text("ab");
      ByteReader reader = new ByteReader(writer.toByteArray(), "x");
      assertThat(reader.u8()).isEqualTo(round);
      assertThat(reader.varUInt()).isEqualTo(a);
      assertThat(reader.u16()).isEqualTo(round * 77 & 0xffff);
      assertThat(reader.stringBytes(1000)).isEqualTo(text);
      assertThat(reader.u32()).isEqualTo((int) a);
      assertThat(reader.u64()).isEqualTo(a);
      assertThat(reader.u64()).isEqualTo(a);
      assertThat(reader.u64()).isEqualTo(~a);
      assertThat(reader.string(10)).isEqualTo("größe");
      reader.skip(3);
      reader.expect("ab");
      assertThat(reader.atEnd()).isTrue();
      reader.expectEnd();
    }
  }

  @Test
  void variableLengthNumbersTakeSevenBitsAByteUpToTen() {
    byte[] array = new byte[VarUInt.MAX_BYTES];
    ByteBuffer direct = ByteBuffer.allocateDirect(VarUInt.MAX_BYTES);
    long address = Memory.address(direct);
    for (int bit = 0; bit < 64; bit++) {
      for (long value : new long[] {1L << bit, (1L << bit) - 1, -1L >>> bit}) {
        int size = VarUInt.write(array, 0, value);
        assertThat(size).isEqualTo(VarUInt.sizeBytes(value));
        assertThat(VarUInt.encodedBytes(array, 0, size)).isEqualTo(size);
        assertThat(VarUInt.decode(array, 0, size)).isEqualTo(value);
        assertThat(VarUInt.encodedBytes(array, 0, size - 1)).isZero();
        assertThat(VarUInt.write(address, value)).isEqualTo(address + size);
        assertThat(VarUInt.encodedBytes(address, address + size)).isEqualTo(size);
        assertThat(VarUInt.encodedBytes(address, address + size - 1)).isZero();
        assertThat(VarUInt.decode(address, size)).isEqualTo(value);
      }
    }
    assertThat(VarUInt.sizeBytes(-1)).isEqualTo(10);
    assertThat(direct.capacity()).isEqualTo(VarUInt.MAX_BYTES);
  }

  @Test
  void numbersThatDoNotFitAreRefused() {
    assertThat(reader("ffffffffffffffffff01").varUInt()).isEqualTo(-1);
    assertThat(reader("8000").varUInt()).isZero();
    refuses(
        ErrorCode.INCORRECT_DATA,
        "exceeds 64 bits",
        () -> reader("ffffffffffffffffff02").varUInt());
    refuses(
        ErrorCode.INCORRECT_DATA,
        "exceeds 64 bits",
        () -> reader("8080808080808080808080808000").varUInt());
    refuses(ErrorCode.CANNOT_READ_ALL_DATA, "ends inside", () -> reader("ffff").varUInt());
    refuses(ErrorCode.ATTEMPT_TO_READ_AFTER_EOF, "offset 0", () -> reader("").varUInt());
  }

  @Test
  void readingPastTheEndNamesFileAndOffset() {
    ByteReader reader = reader("0102030405");
    reader.u32();
    refuses(ErrorCode.CANNOT_READ_ALL_DATA, "offset 4", reader::u64);
    assertThat(reader.u8()).isEqualTo(5);
    refuses(ErrorCode.ATTEMPT_TO_READ_AFTER_EOF, "offset 5", reader::u8);
    refuses(ErrorCode.ATTEMPT_TO_READ_AFTER_EOF, "offset 5", () -> reader.skip(1L << 40));
    ByteReader inner = new ByteReader(new byte[10], 2, 3, "all_1_1_0/x.bin", 1000);
    inner.u16();
    refuses(ErrorCode.CANNOT_READ_ALL_DATA, "offset 1002", inner::u32);
  }

  @Test
  void absurdLengthsAreRefusedBeforeAnythingIsAllocated() {
    refuses(
        ErrorCode.TOO_LARGE_STRING_SIZE,
        "1152921504606846976",
        () -> reader("808080808080808010").string(1 << 20));
    refuses(
        ErrorCode.CANNOT_READ_ALL_DATA,
        "expected 1000000000 bytes",
        () -> reader("8094ebdc0301").string(Integer.MAX_VALUE));
    refuses(
        ErrorCode.TOO_LARGE_ARRAY_SIZE,
        "18446744073709551615 columns at offset 0, at most 9",
        () -> reader("ffffffffffffffffff01").count("columns", 9));
  }

  @Test
  void wrongTextAndLeftoversAreRefused() {
    refuses(ErrorCode.INCORRECT_DATA, "expected \"ab\"", () -> reader("6163").expect("ab"));
    refuses(ErrorCode.INCORRECT_DATA, "2 bytes too many", () -> reader("6163").expectEnd());
  }

  @Test
  void sizesWrittenBeforeCanBeFilledInLater() {
    ByteWriter writer = new ByteWriter().u32(0).u64(0).text("x");
    writer.putU32(0, 0x01020304);
    writer.putU64(4, -1);
    assertThat(HexFormat.of().formatHex(writer.toByteArray()))
        .isEqualTo("04030201ffffffffffffffff78");
    assertThatThrownBy(() -> writer.putU64(6, 0)).isInstanceOf(IndexOutOfBoundsException.class);
  }
}
