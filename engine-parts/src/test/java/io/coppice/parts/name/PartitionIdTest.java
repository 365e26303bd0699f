package io.coppice.parts.name;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.bytes.ByteReader;
import io.coppice.language.parse.Parser;
import io.coppice.language.type.DataType;
import io.coppice.parts.format.SingleValue;
import io.coppice.parts.format.TestVectors;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.junit.jupiter.api.Test;

class PartitionIdTest {
  /**
   * A type, a value in the form of single values, and what {@code partitionId(value)} and {@code
   * partitionId(value, 'z')} are in 26.7.
   */
  private record Sample(String type, String hex, String alone, String withText) {}

  private static Stream<Sample> samples() {
    return
"""
Bool|01|1|35111a0f35686f0850f5476c22f780cf
IPv4|04030201|16909060|d9056d63eed46c2c51afd0c4d3b4965f
IPv6|20010db8000000000000000000000001|da16ad2c9c4f56615ac101dacd34ca69|2f8126dc23eb3b486e40002f2f80a3db
Date|0c4d|20240102|4b582285e33023baa01923bdc08a742d
Date32|0c4d0000|19724|4743fbfefedefb814cbb3de8b9b75832
DateTime|80009265|1704067200|a90180b47aff016402a937ed1b15f55b
DateTime64(3)|f4f551c28c010000|5aca08f718def1d0e4d65cf2259016f7|5f8e25a061f2ab4bf3376724a314f638
Time|8b0e0000|3723|0a61219f1d2d9d5126eaab39fa6636ea
Time64(3)|ecd0380000000000|cf12114a4ad0146e4032f737b0c88567|3d0fe93238fd3551e5dcf7e333cb2db3
Enum8('a' = -5)|fb|-5|e123b6ca39c3168d82a218c781eeaf6c
Enum16('a' = 300)|2c01|300|6e560e127a3bdd96de244f2066b0b88a
Int8|fd|-3|fca6e74c3539d4faf38bdeea3ac8c96e
Int64|fdffffffffffffff|-3|fca6e74c3539d4faf38bdeea3ac8c96e
UInt64|ffffffffffffffff|18446744073709551615|9c36d66852a25ad3a0e5eba4bc735c5e
UUID|e711b35c04c4f061a0dbd36a00a67b90|48406fdb38e23228b776558b4edfa795|3ffa39e44cf64c944b0ee71d1f22b35e
Decimal(9, 2)|7d000000|ef4f1cf591db9967dbc042e1e11dfc6e|9682e8866538d7c26156223f94a5a744
Decimal(18, 4)|d430000000000000|97f16222e6bb192f4961e6e32cad0f0a|d2c3e349c96719a9d2e087e9fced7c25
Decimal(38, 4)|d4300000000000000000000000000000|4684ab5277cc5a6bf627bf7814451e93|28200ca0ddf893cc8dedcaaf8494db3a
Decimal(76, 4)|d430000000000000000000000000000000000000000000000000000000000000|15ac5181cd68a35acc4bb3a8a36c009f|f8c8ebb3bbd21dd9230fdae9c7ed0c98
Int128|fdffffffffffffffffffffffffffffff|b1febe48e18dcc162bc80ab288de00ab|8c89533cd1030ea68f58278dbb094355
UInt128|03000000000000000000000000000000|23de399ca08cf779edc28982f09e4f3f|2c7a6442ba825d8acc2535b0457d1683
Int256|fdffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff|a42fab1f1833e1f96b36c6d95e77d5ca|ff99b359879dc2d7ba1075cd22108c50
UInt256|0300000000000000000000000000000000000000000000000000000000000000|c641333d62c74f5a624a1f9c74ab7a59|0bab4f6e7562f9d250233f46b49146f2
Float32|0000003f|bf56e32169b0dde410bd18b9f3b37273|aac5cbac0af80c52271dd0f61890b60e
Float64|000000000000d03f|bce7c056c13f0cb09f68296ae9cd1452|15698f26c01b6a9744ab72c26be758a1
BFloat16|003f|bf56e32169b0dde410bd18b9f3b37273|aac5cbac0af80c52271dd0f61890b60e
FixedString(4)|61620000|b1856e3697389b559bfc0e9b80aabac2|4dfc704c6f7f9ccd225cb69d0d18275a
LowCardinality(String)|026162|90f3d0cb9011b4816568d684c9f48438|4cae19d774e1ef3214c0d019e3cb3fb6
Nullable(Int32)|0007000000|7|ccd44855f7622484a6907f10c399dd10
Nullable(String)|00026162|90f3d0cb9011b4816568d684c9f48438|4cae19d774e1ef3214c0d019e3cb3fb6
Array(UInt8)|020102|3f00cdd1684ab009c87e93c9e33ec12e|798f9aef939b59168eb346c866a6396b
Array(String)|020161026263|41cf1a1f0dc5c7428fc65b5cb416fd23|dbb08c6f605a85a06fd36ca869164f39
Tuple(UInt8, String)|010161|856971e78dc9ccfd8e6a0270f6924206|39aaa90e0bea7bfeb3568b0e92f3b85c
IntervalDay|0300000000000000|3|1b372a00c24733767e04c7714b603da2
Map(String, UInt8)|01016b01|d3964bbbc16d3cc050ef3395a14c2733|e44867af1430971d16b147fb4433a2d4
Array(Nullable(UInt8))|02000101|66d29e8380aac0a73398cff506803f2c|0c0573f6d4caf2ceb07dfece79f38c7f
Point|000000000000f83f0000000000000440|01ca5abd8d10c99687acb505533d9fff|eed47089cacd072310bb0c0975f61e29
LowCardinality(UInt8)|07|7|04d5ee10e3a432de4233f0d3b54d3e2a
Array(UInt8)|00|63662003ea48d11d303fd9fdcb423f84|a0ae25899cebcead9835cdfc4c950e70
Array(Int128)|01fdffffffffffffffffffffffffffffff|d96ec8d3d89cf0e8d3f9e5fc8878dfa5|95d7c74c0e87d59b3392d535c055adac
Array(Decimal(9, 2))|017d000000|f13a3373a6be48ac3f202a6c049ed22f|51d7e598ca3ad91e89888f79d57534b2
Array(IPv4)|0104030201|8ffa228b31b259ab11b19c24c27b7d45|fadcb9d08561945327b06625d9646557
Array(IPv6)|0120010db8000000000000000000000001|3950e09789c77030334bd4ca2cbc7f37|3f6d9114bddd15234dd29ca4c3ce15c7
Array(UUID)|01e711b35c04c4f061a0dbd36a00a67b90|65ce2857e7e5c2b7bc14599449ff9500|f053d1433245a375a159592a3e006024
Array(Bool)|0101|c3f8356b5785881af53353eebde09542|b773af9853ac8db44c749916e247667b
Array(Enum8('a' = -5))|01fb|8c5cb6c8042be5f856e0efecdf0e2f0d|640a722446da374731da4c2708172248
Array(Date)|010c4d|62f424b8995086a61382567879cc31c7|6c03903a308eb3257a69ab18743cfb62
Array(Float32)|010000003f|68f1a22b756a206d39ec4b72545cecd5|428f5ea3be4896e06c4456850b2e75d4
"""
        .lines()
        .map(line -> line.split("\\|"))
        .map(cells -> new Sample(cells[0], cells[1], cells[2], cells[3]));
  }

  private static String id(
      BufferAllocator allocator, boolean classic, List<String> types, List<String> hex) {
    List<DataType> parsed = types.stream().map(Parser::type).toList();
    List<FieldVector> vectors = new ArrayList<>();
    try {
      for (int i = 0; i < types.size(); i++) {
        FieldVector vector = TestVectors.of(parsed.get(i), allocator);
        vectors.add(vector);
        byte[] bytes = HexFormat.of().parseHex(hex.get(i));
        SingleValue.of(parsed.get(i), vector).read(new ByteReader(bytes, "value"), 0);
        vector.setValueCount(1);
      }
      return new PartitionId(parsed, vectors, classic).of(0);
    } finally {
      vectors.forEach(FieldVector::close);
    }
  }

  @Test
  void idsOfEveryTypeAreThoseOfClickHouse() {
    try (BufferAllocator allocator = new RootAllocator()) {
      List<Sample> samples = samples().toList();
      for (Sample sample : samples) {
        assertThat(id(allocator, false, List.of(sample.type()), List.of(sample.hex())))
            .as(sample.type())
            .isEqualTo(sample.alone());
        assertThat(
                id(
                    allocator,
                    false,
                    List.of(sample.type(), "String"),
                    List.of(sample.hex(), "017a")))
            .as(sample.type() + ", String")
            .isEqualTo(sample.withText());
      }
      System.out.println("partition ids: " + 2 * samples.size());
    }
  }

  @Test
  void oldVersionsHashDecimalsAndTuplesInAnotherWay() {
    // Names of parts that 18.16.1 made of 1.25, -1.25 and (1, 'a').
    try (BufferAllocator allocator = new RootAllocator()) {
      assertThat(id(allocator, true, List.of("Decimal(9, 2)"), List.of("7d000000")))
          .isEqualTo("019c91a75b648d39dcc724cce6bf7646");
      assertThat(id(allocator, true, List.of("Decimal(18, 4)"), List.of("d430000000000000")))
          .isEqualTo("da0f5f139724bfaac3c53a2f2bbaff12");
      String wide = "d4300000000000000000000000000000";
      assertThat(id(allocator, true, List.of("Decimal(38, 4)"), List.of(wide)))
          .isEqualTo("6fbc6c45b4e8a76ebc4d23cae985f2ea");
      String negative = "2ccfffffffffffffffffffffffffffff";
      assertThat(id(allocator, true, List.of("Decimal(38, 4)"), List.of(negative)))
          .isEqualTo("67ceff7ea6f7bbdf1c3fad2b2e52498e");
      assertThat(id(allocator, true, List.of("Tuple(UInt8, String)"), List.of("010161")))
          .isEqualTo("6830f9ccab5b9873802f31e35bfb5066");
      assertThat(id(allocator, true, List.of("Array(UInt8)"), List.of("020102")))
          .isEqualTo("3f00cdd1684ab009c87e93c9e33ec12e");
    }
  }

  @Test
  void withoutAKeyThereIsOnePartition() {
    assertThat(new PartitionId(List.of(), List.of(), false).of(0)).isEqualTo("all");
  }
}
