package io.coppice.base.hash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.bytes.Memory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CityAndSipHashTest {
  private static final HashGolden GOLDEN = new HashGolden();

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  @Test
  void cityHash64OfStringsIsWhatClickHousePrinted() {
    int checked = 0;
    for (HashGolden.Row row : GOLDEN.rows()) {
      if (row.type().equals("String") || row.type().startsWith("FixedString")) {
        byte[] value = HashInput.of(row).orElseThrow();
        assertThat(Long.toUnsignedString(CityHash.cityHash64(value, 0, value.length)))
            .as(row.value())
            .isEqualTo(row.hashes().get("cityHash64"));
        checked++;
      }
    }
    assertThat(checked).isGreaterThanOrEqualTo(12);
  }

  @Test
  void sipHashesOfPlainValuesAreWhatClickHousePrinted() {
    int checked = 0;
    for (HashGolden.Row row : GOLDEN.rows()) {
      byte[] value = HashInput.of(row).orElse(null);
      if (value == null) {
        continue;
      }
      assertThat(Long.toUnsignedString(SipHash.hash64(value, 0, value.length)))
          .as("sipHash64 %s", row.value())
          .isEqualTo(row.hashes().get("sipHash64"));
      assertThat(SipHash.hash128(value).memoryHex())
          .as("sipHash128 %s", row.value())
          .isEqualTo(row.hashes().get("sipHash128"));
      assertThat(SipHash.reference128().update(value).hash128().memoryHex())
          .as("sipHash128Reference %s", row.value())
          .isEqualTo(row.hashes().get("sipHash128Reference"));
      checked++;
    }
    assertThat(checked).isGreaterThanOrEqualTo(50);
  }

  @Test
  void keyedSipHashIsWhatClickHousePrinted() {
    List<String> expected = GOLDEN.call("sipHash64Keyed, sipHash128Keyed key (1,2) abc");
    byte[] abc = bytes("abc");
    Hash128Slot slot = new Hash128Slot();
    SipHash.hash128(1, 2, abc, 0, 3, slot);
    assertThat(Long.toUnsignedString(SipHash.hash64(1, 2, abc, 0, 3))).isEqualTo(expected.get(0));
    assertThat(slot.value().memoryHex()).isEqualTo(expected.get(1));
    assertThat(new SipHash(1, 2).update(abc).hash128()).isEqualTo(slot.value());
  }

  @Test
  void foldingTwoHashesIsCityHash64OfTwoArguments() {
    long a = CityHash.cityHash64(bytes("a"), 0, 1);
    long b = CityHash.cityHash64(bytes("b"), 0, 1);
    assertThat(Long.toUnsignedString(CityHash.hash128to64(a, b)))
        .isEqualTo(GOLDEN.call("cityHash64('a','b')").get(0));
  }

  /** Made by an independent implementation that agrees with the checksums of ClickHouse's files. */
  @Test
  void cityHash128OfEveryLengthAgreesWithAnIndependentImplementation() {
    byte[] input = new byte[300];
    for (int i = 0; i < input.length; i++) {
      input[i] = (byte) (i * 131 + 7);
    }
    SipHash city64 = new SipHash();
    SipHash city128 = new SipHash();
    SipHash seeded = new SipHash();
    Hash128Slot slot = new Hash128Slot();
    for (int size = 0; size <= input.length; size++) {
      city64.updateU64(CityHash.cityHash64(input, 0, size));
      CityHash.cityHash128(input, 0, size, slot);
      city128.updateU64(slot.low()).updateU64(slot.high());
      CityHash.cityHash128WithSeed(input, 0, size, 11, -22, slot);
      seeded.updateU64(slot.low()).updateU64(slot.high());
    }
    assertThat(city64.hash128().memoryHex()).isEqualTo("3a72b8b8add4871f492866ed62dbb521");
    assertThat(city128.hash128().memoryHex()).isEqualTo("4188d8111be70b2d9b291c64fbf6dc0d");
    assertThat(seeded.hash128().memoryHex()).isEqualTo("e102416cc86ef5b4530debe33f5149d3");
  }

  @Test
  void fileHashAgreesWithAnIndependentImplementationAtChunkBorders() {
    SipHash all = new SipHash();
    byte[] input = new byte[7000];
    for (int i = 0; i < input.length; i++) {
      input[i] = (byte) (i * 131 + (i >>> 8));
    }
    for (int size : new int[] {0, 1, 127, 128, 2047, 2048, 2049, 4095, 4096, 4097, 7000}) {
      FileHash hash = new FileHash();
      hash.update(input, 0, size);
      all.updateU64(hash.low()).updateU64(hash.high());
    }
    assertThat(all.hash128().memoryHex()).isEqualTo("b7b56fd0a0c3e90ce3fb9eb9e4298167");
    assertThat(FileHash.of(new byte[0])).isEqualTo(Hash128.ZERO);
  }

  @Test
  void memoryAndArraysHashAlikeAtEveryAlignment() {
    byte[] input = random(700);
    ByteBuffer direct = ByteBuffer.allocateDirect(input.length).put(input);
    long address = Memory.address(direct);
    Hash128Slot fromArray = new Hash128Slot();
    Hash128Slot fromMemory = new Hash128Slot();
    for (int from = 0; from < 9; from++) {
      for (int size = 0; size <= input.length - from; size += 1 + size / 40) {
        assertThat(CityHash.cityHash64(address + from, size))
            .isEqualTo(CityHash.cityHash64(input, from, size));
        assertThat(CityHash.cityHash64WithSeed(address + from, size, 5))
            .isEqualTo(CityHash.cityHash64WithSeed(input, from, size, 5));
        CityHash.cityHash128(address + from, size, fromMemory);
        CityHash.cityHash128(input, from, size, fromArray);
        assertThat(fromMemory.value()).isEqualTo(fromArray.value());
        SipHash.hash128(address + from, size, fromMemory);
        SipHash.hash128(input, from, size, fromArray);
        assertThat(fromMemory.value()).isEqualTo(fromArray.value());
        assertThat(SipHash.hash64(address + from, size))
            .isEqualTo(SipHash.hash64(input, from, size));
      }
    }
    assertThat(direct.capacity()).isEqualTo(input.length); // keeps the buffer reachable
  }

  @Test
  void howBytesAreCutAmongUpdatesDoesNotMatter() {
    Random random = new Random(42);
    byte[] input = random(9000);
    ByteBuffer direct = ByteBuffer.allocateDirect(input.length).put(input);
    long address = Memory.address(direct);
    for (int round = 0; round < 300; round++) {
      int size = random.nextInt(input.length + 1);
      FileHash file = new FileHash();
      SipHash sip = new SipHash(3, 4);
      for (int at = 0; at < size; ) {
        int step = Math.min(size - at, 1 + random.nextInt(round % 2 == 0 ? 20 : 5000));
        if (random.nextBoolean()) {
          file.update(input, at, step);
          sip.update(input, at, step);
        } else {
          file.update(address + at, step);
          sip.update(address + at, step);
        }
        if (random.nextInt(4) == 0) {
          file.low(); // an answer in between changes nothing
          sip.hash64();
        }
        at += step;
      }
      FileHash whole = new FileHash();
      whole.update(input, 0, size);
      assertThat(file.value()).isEqualTo(whole.value());
      assertThat(file.sizeBytes()).isEqualTo(size);
      assertThat(sip.hash64()).isEqualTo(SipHash.hash64(3, 4, input, 0, size));
    }
    assertThat(direct.capacity()).isEqualTo(input.length);
  }

  @Test
  void numbersFedToSipHashAreTheirLittleEndianBytes() {
    for (int lead = 0; lead < 8; lead++) {
      SipHash numbers = new SipHash();
      SipHash plain = new SipHash();
      for (int i = 0; i < lead; i++) {
        numbers.updateU8(i + 200);
        plain.update(new byte[] {(byte) (i + 200)});
      }
      numbers.updateU64(0x1122334455667788L).updateU32(0xa1b2c3d4).updateU16(0xfedc);
      plain.update(HexFormat.of().parseHex("8877665544332211d4c3b2a1dcfe"));
      assertThat(numbers.hash128()).isEqualTo(plain.hash128());
    }
  }

  @Test
  void bothHexFormsOfA128BitHashRoundTrip() {
    Hash128 hash = new Hash128(0x0123456789abcdefL, 0xfedcba9876543210L);
    assertThat(hash.memoryHex()).isEqualTo("efcdab89674523011032547698badcfe");
    assertThat(hash.numberHex()).isEqualTo("fedcba98765432100123456789abcdef");
    assertThat(Hash128.ofMemoryHex(hash.memoryHex())).isEqualTo(hash);
    assertThat(Hash128.ofNumberHex(hash.numberHex())).isEqualTo(hash);
    assertThatThrownBy(() -> Hash128.ofNumberHex("12"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void rangesOutsideTheArrayAreRefused() {
    assertThatThrownBy(() -> CityHash.cityHash64(new byte[4], 2, 3))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> new FileHash().update(new byte[4], -1, 3))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> SipHash.hash64(new byte[4], 0, 5))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
