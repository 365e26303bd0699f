package io.coppice.base.hash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.bytes.Memory;
import io.coppice.base.error.EngineException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Every sharding hash against values that ClickHouse 26.7 printed. */
class ShardingHashTest {
  private static final HashGolden GOLDEN = new HashGolden();

  /** Hashes of bytes, by ClickHouse's name. */
  private static final Map<String, Function<byte[], String>> OF_BYTES = new LinkedHashMap<>();

  static {
    OF_BYTES.put("cityHash64", b -> unsigned(CityHash.cityHash64(b, 0, b.length)));
    OF_BYTES.put("sipHash64", b -> unsigned(SipHash.hash64(b, 0, b.length)));
    OF_BYTES.put("sipHash128", b -> SipHash.hash128(b).memoryHex());
    OF_BYTES.put(
        "sipHash128Reference", b -> SipHash.reference128().update(b).hash128().memoryHex());
    OF_BYTES.put("xxHash32", b -> Integer.toUnsignedString(XxHash.xxHash32(b, 0, b.length)));
    OF_BYTES.put("xxHash64", b -> unsigned(XxHash.xxHash64(b, 0, b.length)));
    OF_BYTES.put("xxh3", b -> unsigned(XxHash.xxh3(b, 0, b.length)));
    OF_BYTES.put(
        "murmurHash2_32", b -> Integer.toUnsignedString(MurmurHash.murmurHash2x32(b, 0, b.length)));
    OF_BYTES.put("murmurHash2_64", b -> unsigned(MurmurHash.murmurHash2x64(b, 0, b.length)));
    OF_BYTES.put("gccMurmurHash", b -> unsigned(MurmurHash.gccMurmurHash(b, 0, b.length)));
    OF_BYTES.put(
        "kafkaMurmurHash", b -> Integer.toString(MurmurHash.kafkaMurmurHash(b, 0, b.length)));
    OF_BYTES.put(
        "murmurHash3_32", b -> Integer.toUnsignedString(MurmurHash.murmurHash3x32(b, 0, b.length)));
    OF_BYTES.put("murmurHash3_64", b -> unsigned(MurmurHash.murmurHash3x64(b, 0, b.length)));
    OF_BYTES.put("murmurHash3_128", b -> murmur128(b).memoryHex());
    OF_BYTES.put("farmHash64", b -> unsigned(FarmHash.farmHash64(b, 0, b.length)));
    OF_BYTES.put("metroHash64", b -> unsigned(MetroHash.metroHash64(b, 0, b.length)));
    OF_BYTES.put("halfMD5", b -> unsigned(HalfMd5.halfMd5(b, 0, b.length)));
    OF_BYTES.put("javaHash", b -> Integer.toString(JavaHash.javaHash(b, 0, b.length)));
    OF_BYTES.put("hiveHash", b -> Integer.toString(JavaHash.hiveHash(b, 0, b.length)));
  }

  private static String unsigned(long value) {
    return Long.toUnsignedString(value);
  }

  private static Hash128 murmur128(byte[] bytes) {
    Hash128Slot slot = new Hash128Slot();
    MurmurHash.murmurHash3x128(bytes, 0, bytes.length, slot);
    return slot.value();
  }

  /** The value as a number with and without sign, for types that ClickHouse hashes as numbers. */
  private static boolean hashedAsNumber(String type) {
    return type.matches("U?Int(8|16|32|64)|Float.*|Date|Date32|DateTime|Bool|IPv4|Enum.*");
  }

  private static long number(byte[] bytes, boolean signed) {
    long value = 0;
    for (int i = bytes.length - 1; i >= 0; i--) {
      value = value << 8 | (bytes[i] & 0xff);
    }
    int unused = 64 - 8 * bytes.length;
    return signed && unused > 0 ? value << unused >> unused : value;
  }

  private static String hash(String function, String type, byte[] bytes) {
    boolean signed = !type.matches("UInt.*|Date|DateTime|Bool|IPv4");
    switch (function) {
      case "cityHash64", "farmHash64", "metroHash64" -> {
        if (hashedAsNumber(type)) {
          return unsigned(IntHash.intHash64(number(bytes, false)));
        }
      }
      case "intHash32" -> {
        return Integer.toUnsignedString(IntHash.intHash32(number(bytes, signed)));
      }
      case "intHash64" -> {
        return unsigned(IntHash.intHash64(number(bytes, signed)));
      }
      case "javaHash" -> {
        if (type.matches("Int(8|16|32)|Date32|Enum.*")) {
          return Integer.toString(JavaHash.javaHash((int) number(bytes, true)));
        }
        if (type.equals("Int64")) {
          return Integer.toString(JavaHash.javaHash(number(bytes, true)));
        }
      }
      default -> {}
    }
    return OF_BYTES.get(function).apply(bytes);
  }

  @Test
  void everyFunctionOfEveryPlainValueIsWhatClickHousePrinted() {
    Map<String, Integer> checked = new TreeMap<>();
    Map<String, String> wrong = new TreeMap<>();
    int rows = 0;
    for (HashGolden.Row row : GOLDEN.rows()) {
      byte[] bytes = HashInput.of(row).orElse(null);
      if (bytes == null) {
        continue;
      }
      rows++;
      row.hashes()
          .forEach(
              (function, expected) -> {
                if (!expected.startsWith("ERR")) {
                  checked.merge(function, 1, Integer::sum);
                  String found = hash(function, row.type(), bytes);
                  if (!found.equals(expected)) {
                    wrong.put(function + " of " + row.value(), expected + " but " + found);
                  }
                }
              });
    }
    System.out.printf("hash_golden.tsv: %d rows; values checked by function: %s%n", rows, checked);
    assertThat(wrong).isEmpty();
    assertThat(rows).isEqualTo(53);
    assertThat(checked).hasSize(19);
  }

  @Test
  void everyFunctionOfBytesAgreesAtEveryLength() throws IOException {
    List<String> lines;
    try (InputStream in = ShardingHashTest.class.getResourceAsStream("/hash_lengths.tsv")) {
      lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
    String[] names = lines.get(0).replaceAll("hex\\(|\\(s\\)|\\)", "").split("\t");
    int values = 0;
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split("\t");
      byte[] bytes = new byte[Integer.parseInt(cells[0])];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) (i * 131 + i / 7);
      }
      for (int c = 1; c < cells.length; c++) {
        if (names[c].equals("farmHash64") && bytes.length >= 512) {
          assertThatThrownBy(() -> FarmHash.farmHash64(bytes, 0, bytes.length))
              .isInstanceOf(EngineException.class)
              .hasMessageContaining("depends on its build");
          continue;
        }
        assertThat(OF_BYTES.get(names[c]).apply(bytes))
            .as("%s of %s bytes", names[c], cells[0])
            .isEqualToIgnoringCase(cells[c]);
        values++;
      }
    }
    System.out.printf("hash_lengths.tsv: %d values of %d functions%n", values, names.length - 1);
    assertThat(values).isGreaterThan(6000);
  }

  @Test
  void severalArgumentsAreFoldedFromLeftToRight() {
    byte[] a = {'a'};
    byte[] b = {'b'};
    long[] folded = {
      CityHash.hash128to64(CityHash.cityHash64(a, 0, 1), CityHash.cityHash64(b, 0, 1)),
      CityHash.hash128to64(FarmHash.farmHash64(a, 0, 1), FarmHash.farmHash64(b, 0, 1)),
      CityHash.hash128to64(MetroHash.metroHash64(a, 0, 1), MetroHash.metroHash64(b, 0, 1)),
      XxHash.combine64(XxHash.xxHash64(a, 0, 1), XxHash.xxHash64(b, 0, 1)),
      IntHash.combine64(MurmurHash.murmurHash3x64(a, 0, 1), MurmurHash.murmurHash3x64(b, 0, 1))
    };
    String[] names = {"cityHash64", "farmHash64", "metroHash64", "xxHash64", "murmurHash3_64"};
    for (int i = 0; i < names.length; i++) {
      assertThat(unsigned(folded[i]))
          .as(names[i])
          .isEqualTo(GOLDEN.call(names[i] + "('a','b')").get(0));
    }
    // These were asked of ClickHouse 26.7 apart.
    assertThat(
            Integer.toUnsignedString(
                XxHash.combine32(XxHash.xxHash32(a, 0, 1), XxHash.xxHash32(b, 0, 1))))
        .isEqualTo("1353805580");
    assertThat(
            Integer.toUnsignedString(
                IntHash.combine32(
                    MurmurHash.murmurHash2x32(a, 0, 1), MurmurHash.murmurHash2x32(b, 0, 1))))
        .isEqualTo("2171431463");
    assertThat(
            Integer.toUnsignedString(
                IntHash.combine32(
                    MurmurHash.murmurHash3x32(a, 0, 1), MurmurHash.murmurHash3x32(b, 0, 1))))
        .isEqualTo("914284213");
    assertThat(
            Integer.toUnsignedString(
                IntHash.combine32(
                    MurmurHash.kafkaMurmurHash(a, 0, 1), MurmurHash.kafkaMurmurHash(b, 0, 1))))
        .isEqualTo("499604128");
    assertThat(
            unsigned(
                IntHash.combine64(
                    MurmurHash.murmurHash2x64(a, 0, 1), MurmurHash.murmurHash2x64(b, 0, 1))))
        .isEqualTo("6575459576158992452");
    assertThat(
            unsigned(
                IntHash.combine64(
                    MurmurHash.gccMurmurHash(a, 0, 1), MurmurHash.gccMurmurHash(b, 0, 1))))
        .isEqualTo("17950787203324252190");
    assertThat(unsigned(HalfMd5.combine(HalfMd5.halfMd5(a, 0, 1), HalfMd5.halfMd5(b, 0, 1))))
        .isEqualTo("344816746590365630");
    assertThat(MurmurHash.combine128(murmur128(a), murmur128(b)).memoryHex())
        .isEqualTo("ae1329b79bab34f991e2ec6715f7f92f");
  }

  @Test
  void memoryHashesAsArraysDo() {
    byte[] bytes = new byte[400];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i * 7);
    }
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes);
    long address = Memory.address(direct);
    Hash128Slot slot = new Hash128Slot();
    for (int size = 0; size < bytes.length; size++) {
      assertThat(XxHash.xxHash32(address, size)).isEqualTo(XxHash.xxHash32(bytes, 0, size));
      assertThat(XxHash.xxHash64(address, size)).isEqualTo(XxHash.xxHash64(bytes, 0, size));
      assertThat(XxHash.xxh3(address, size)).isEqualTo(XxHash.xxh3(bytes, 0, size));
      assertThat(MurmurHash.murmurHash2x32(address, size))
          .isEqualTo(MurmurHash.murmurHash2x32(bytes, 0, size));
      assertThat(MurmurHash.murmurHash2x64(address, size))
          .isEqualTo(MurmurHash.murmurHash2x64(bytes, 0, size));
      assertThat(MurmurHash.gccMurmurHash(address, size))
          .isEqualTo(MurmurHash.gccMurmurHash(bytes, 0, size));
      assertThat(MurmurHash.kafkaMurmurHash(address, size))
          .isEqualTo(MurmurHash.kafkaMurmurHash(bytes, 0, size));
      assertThat(MurmurHash.murmurHash3x32(address, size))
          .isEqualTo(MurmurHash.murmurHash3x32(bytes, 0, size));
      assertThat(MurmurHash.murmurHash3x64(address, size))
          .isEqualTo(MurmurHash.murmurHash3x64(bytes, 0, size));
      MurmurHash.murmurHash3x128(address, size, slot);
      assertThat(slot.low() ^ slot.high()).isEqualTo(MurmurHash.murmurHash3x64(bytes, 0, size));
      assertThat(FarmHash.farmHash64(address, size)).isEqualTo(FarmHash.farmHash64(bytes, 0, size));
      assertThat(MetroHash.metroHash64(address, size))
          .isEqualTo(MetroHash.metroHash64(bytes, 0, size));
      assertThat(JavaHash.javaHash(address, size)).isEqualTo(JavaHash.javaHash(bytes, 0, size));
      assertThat(JavaHash.hiveHash(address, size)).isEqualTo(JavaHash.hiveHash(bytes, 0, size));
    }
    assertThat(direct.capacity()).isEqualTo(bytes.length); // keeps the buffer reachable
  }
}
