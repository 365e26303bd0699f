package io.coppice.parts.skip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.bytes.ByteReader;
import io.coppice.base.bytes.ByteWriter;
import io.coppice.base.error.EngineException;
import io.coppice.language.parse.Parser;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.format.SingleValue;
import io.coppice.parts.format.TestVectors;
import io.coppice.parts.format.ValueOrder;
import io.coppice.parts.skip.IndexCondition.Bound;
import io.coppice.parts.skip.IndexCondition.Bytes;
import io.coppice.parts.skip.IndexCondition.Constant;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SkipIndexTest {
  private static final int GRANULE = 50;

  private BufferAllocator allocator;

  @BeforeEach
  void open() {
    allocator = new RootAllocator(256 << 20);
  }

  @AfterEach
  void close() {
    assertThat(allocator.getAllocatedMemory()).isZero();
    allocator.close();
  }

  /**
   * What 26.7 wrote for a column of some type: GRANULARITY 2 over granules of 50 rows.
   *
   * @param values rows in the form of single values
   * @param blocks the content of the index
   */
  private record Sample(
      String index, List<DataType> types, int rows, byte[] values, byte[] blocks) {
    SkipIndex skipIndex() {
      int bracket = index.indexOf('(');
      String kind = bracket < 0 ? index : index.substring(0, bracket);
      List<String> arguments =
          bracket < 0
              ? List.of()
              : List.of(index.substring(bracket + 1, index.length() - 1).split(", "));
      return SkipIndex.of("i", kind, arguments, types, 2);
    }

    int[] granules() {
      int[] granules = new int[(rows + GRANULE - 1) / GRANULE];
      for (int i = 0; i < granules.length; i++) {
        granules[i] = Math.min(GRANULE, rows - i * GRANULE);
      }
      return granules;
    }

    @Override
    public String toString() {
      return index + " of " + types.stream().map(DataType::text).toList();
    }
  }

  private static List<Sample> samples() throws IOException {
    try (InputStream in =
        new GZIPInputStream(SkipIndexTest.class.getResourceAsStream("indexes-26.7.tsv.gz"))) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      List<Sample> samples = new ArrayList<>();
      for (String line : text.split("\n")) {
        String[] cells = line.split("\t");
        List<DataType> types = Arrays.stream(cells[1].split("\\|")).map(Parser::type).toList();
        samples.add(
            new Sample(
                cells[0],
                types,
                Integer.parseInt(cells[2]),
                Base64.getDecoder().decode(cells[3]),
                cells.length > 4 ? Base64.getDecoder().decode(cells[4]) : new byte[0]));
      }
      return samples;
    }
  }

  private List<FieldVector> vectors(List<DataType> types, int rows, byte[] values) {
    List<FieldVector> vectors = new ArrayList<>();
    List<SingleValue> single = new ArrayList<>();
    for (DataType type : types) {
      vectors.add(TestVectors.of(type, allocator));
      single.add(SingleValue.of(type, vectors.get(vectors.size() - 1)));
    }
    ByteReader in = new ByteReader(values, "values");
    for (int row = 0; row < rows; row++) {
      for (SingleValue value : single) {
        value.read(in, row);
      }
    }
    in.expectEnd();
    vectors.forEach(vector -> vector.setValueCount(rows));
    return vectors;
  }

  private static final class Collected implements SkipIndex.Target {
    private final ByteWriter bytes = new ByteWriter();
    private final List<Integer> marks = new ArrayList<>();

    @Override
    public void mark() {
      marks.add(bytes.size());
    }

    @Override
    public void write(byte[] from, int offset, int size) {
      bytes.bytes(from, offset, size);
    }
  }

  @Test
  void indexesOfEveryTypeAreBuiltAsClickHouseBuildsThem() throws IOException {
    int count = 0;
    for (Sample sample : samples()) {
      List<FieldVector> vectors = vectors(sample.types(), sample.rows(), sample.values());
      Collected built = new Collected();
      sample.skipIndex().build(vectors, sample.granules(), built);
      assertThat(built.bytes.toByteArray()).as(sample.toString()).isEqualTo(sample.blocks());
      vectors.forEach(FieldVector::close);
      count++;
    }
    System.out.println("indexes equal to those of 26.7: " + count);
    assertThat(count).isGreaterThan(300);
  }

  @Test
  void noBlockDeniesARowThatItHolds() throws IOException {
    int asked = 0;
    int denied = 0;
    for (Sample sample : samples()) {
      List<FieldVector> vectors = vectors(sample.types(), sample.rows(), sample.values());
      SkipIndex index = sample.skipIndex();
      ByteReader in = new ByteReader(sample.blocks(), "blocks");
      for (int from = 0; from < sample.rows(); from += 2 * GRANULE) {
        try (SkipIndex.OpenBlock block = index.read(in, allocator)) {
          for (int row = 0; row < sample.rows(); row++) {
            boolean inside = from <= row && row < from + 2 * GRANULE;
            for (int k = 0; k < vectors.size(); k++) {
              for (IndexCondition condition :
                  conditions(k, sample.types().get(k), vectors.get(k), row)) {
                IndexAnswer answer = block.ask(condition);
                if (inside) {
                  assertThat(answer.mayBeTrue()).as("%s %s", sample, condition).isTrue();
                }
                asked++;
                denied += answer.mayBeTrue() ? 0 : 1;
              }
              for (IndexCondition condition :
                  unfulfilled(k, sample.types().get(k), vectors.get(k), row)) {
                if (inside) {
                  boolean mayBeFalse = block.ask(condition).mayBeFalse();
                  assertThat(mayBeFalse).as("not: %s %s", sample, condition).isTrue();
                }
              }
            }
          }
        }
      }
      in.expectEnd();
      vectors.forEach(FieldVector::close);
    }
    System.out.println("conditions asked: " + asked + ", of which denied: " + denied);
    assertThat(denied).isGreaterThan(1000);
  }

  /** Conditions that the row fulfils. */
  private static List<IndexCondition> conditions(
      int k, DataType type, FieldVector vector, int row) {
    List<IndexCondition> all = new ArrayList<>();
    if (vector.isNull(row)) {
      return List.of(new IndexCondition.IsNull(k));
    }
    Constant value = new Constant(vector, row);
    if (vector instanceof ListVector list) {
      boolean array = type.bare() instanceof DataType.ArrayType;
      DataType element = array ? ((DataType.ArrayType) type.bare()).element() : type;
      ValueOrder elements = ValueOrder.of(element);
      for (int i = list.getElementStartIndex(row); i < list.getElementEndIndex(row); i++) {
        if (!list.getDataVector().isNull(i) && !elements.isNaN(list.getDataVector(), i)) {
          all.add(new IndexCondition.Has(k, new Constant(list.getDataVector(), i)));
        }
      }
      return all;
    }
    if (incomparable(type, vector, row)) {
      return all;
    }
    all.add(new IndexCondition.Equal(k, value));
    all.add(new IndexCondition.In(k, List.of(value)));
    all.add(new IndexCondition.Range(k, Optional.of(new Bound(value, true)), Optional.empty()));
    all.add(new IndexCondition.Range(k, Optional.empty(), Optional.of(new Bound(value, true))));
    Text.at(type, vector, row)
        .ifPresent(
            text -> {
              int half = text.length / 2;
              byte[] start = Arrays.copyOf(text, half);
              byte[] end = Arrays.copyOfRange(text, half, text.length);
              boolean whole = new String(text, StandardCharsets.UTF_8).indexOf('\ufffd') < 0;
              // Where a text is no UTF-8 its n-grams are not those of its pieces.
              if (whole && text.length == new String(text, StandardCharsets.UTF_8).length()) {
                all.add(new IndexCondition.StartsWith(k, Bytes.of(start)));
                all.add(new IndexCondition.EndsWith(k, Bytes.of(end)));
                all.add(new IndexCondition.Contains(k, Bytes.of(end)));
                all.add(new IndexCondition.Like(k, Bytes.of(like("", start, "%"))));
                all.add(new IndexCondition.Like(k, Bytes.of(like("%", end, ""))));
                all.add(new IndexCondition.Like(k, Bytes.of(like("%", start, "%"))));
              }
              for (byte[] word : whole ? Tokens.words(text) : List.<byte[]>of()) {
                all.add(new IndexCondition.HasToken(k, Bytes.of(word)));
              }
            });
    return all;
  }

  /** Whether the value equals not even itself: a NaN, or a tuple with NaN or NULL in it. */
  private static boolean incomparable(DataType type, FieldVector vector, int row) {
    if (vector instanceof StructVector struct && type.storage() instanceof DataType.TupleType t) {
      for (int i = 0; i < t.elements().size(); i++) {
        FieldVector child = (FieldVector) struct.getChildByOrdinal(i);
        if (child.isNull(row) || incomparable(t.elements().get(i).type(), child, row)) {
          return true;
        }
      }
      return false;
    }
    return ValueOrder.of(type).isNaN(vector, row);
  }

  /** Conditions that are false, not NULL, for the row. */
  private static List<IndexCondition> unfulfilled(
      int k, DataType type, FieldVector vector, int row) {
    if (vector.isNull(row)) {
      return List.of();
    }
    List<IndexCondition> all = new ArrayList<>(List.of(new IndexCondition.IsNull(k)));
    int number = 0;
    while (number < vector.getValueCount()
        && (vector.isNull(number) || ValueOrder.of(type).isNaN(vector, number))) {
      number++;
    }
    if (ValueOrder.of(type).isNaN(vector, row) && number < vector.getValueCount()) {
      Bound bound = new Bound(new Constant(vector, number), true);
      all.add(new IndexCondition.Range(k, Optional.of(bound), Optional.empty()));
      all.add(new IndexCondition.Range(k, Optional.empty(), Optional.of(bound)));
    }
    return all;
  }

  private static byte[] like(String before, byte[] text, String behind) {
    ByteWriter out = new ByteWriter().text(before);
    for (byte b : text) {
      if (b == '%' || b == '_' || b == '\\') {
        out.u8('\\');
      }
      out.u8(b);
    }
    return out.text(behind).toByteArray();
  }

  private FieldVector numbers(long... values) {
    FieldVector vector = TestVectors.of(PlainType.INT64, allocator);
    SingleValue single = SingleValue.of(PlainType.INT64, vector);
    for (int i = 0; i < values.length; i++) {
      single.read(new ByteReader(new ByteWriter().u64(values[i]).toByteArray(), "value"), i);
    }
    vector.setValueCount(values.length);
    return vector;
  }

  private SkipIndex.OpenBlock block(SkipIndex index, FieldVector vector) {
    ByteWriter out = new ByteWriter();
    SkipIndex.Accumulator accumulator = index.accumulator();
    accumulator.add(List.of(vector), 0, vector.getValueCount());
    accumulator.finish(out);
    return index.read(new ByteReader(out.toByteArray(), "block"), allocator);
  }

  @Test
  void minmaxKnowsWhatLiesOutsideAndWhatHoldsForAll() {
    SkipIndex index = SkipIndex.of("i", "minmax", List.of(), List.of(PlainType.INT64), 1);
    try (FieldVector rows = numbers(10, 20, 30);
        FieldVector constants = numbers(5, 10, 15, 30, 40);
        SkipIndex.OpenBlock block = block(index, rows)) {
      assertThat(block.ask(atLeast(constants, 1))).isEqualTo(IndexAnswer.ALWAYS);
      assertThat(block.ask(atLeast(constants, 2))).isEqualTo(IndexAnswer.UNKNOWN);
      assertThat(block.ask(atLeast(constants, 4))).isEqualTo(IndexAnswer.NEVER);
      assertThat(block.ask(above(constants, 3))).isEqualTo(IndexAnswer.NEVER);
      assertThat(block.ask(new IndexCondition.Equal(0, new Constant(constants, 2))))
          .isEqualTo(IndexAnswer.UNKNOWN);
      assertThat(block.ask(new IndexCondition.Equal(0, new Constant(constants, 0))))
          .isEqualTo(IndexAnswer.NEVER);
      assertThat(block.ask(new IndexCondition.In(0, List.of()))).isEqualTo(IndexAnswer.NEVER);
      assertThat(block.ask(new IndexCondition.IsNull(0))).isEqualTo(IndexAnswer.NEVER);
    }
    try (FieldVector rows = numbers(7, 7);
        SkipIndex.OpenBlock block = block(index, rows)) {
      IndexAnswer equal = block.ask(new IndexCondition.Equal(0, new Constant(rows, 0)));
      assertThat(equal).isEqualTo(IndexAnswer.ALWAYS);
      assertThat(equal.not()).isEqualTo(IndexAnswer.NEVER);
    }
  }

  private static IndexCondition atLeast(FieldVector constants, int row) {
    Bound bound = new Bound(new Constant(constants, row), true);
    return new IndexCondition.Range(0, Optional.of(bound), Optional.empty());
  }

  private static IndexCondition above(FieldVector constants, int row) {
    Bound bound = new Bound(new Constant(constants, row), false);
    return new IndexCondition.Range(0, Optional.of(bound), Optional.empty());
  }

  @Test
  void aSetAnswersExactlyUnlessItHasOverflown() {
    try (FieldVector rows = numbers(10, 20, 10);
        FieldVector constants = numbers(10, 15)) {
      SkipIndex two = SkipIndex.of("i", "set", List.of("2"), List.of(PlainType.INT64), 1);
      try (SkipIndex.OpenBlock block = block(two, rows)) {
        assertThat(block.ask(new IndexCondition.Equal(0, new Constant(constants, 0))))
            .isEqualTo(IndexAnswer.UNKNOWN);
        assertThat(block.ask(new IndexCondition.Equal(0, new Constant(constants, 1))))
            .isEqualTo(IndexAnswer.NEVER);
        assertThat(block.ask(atLeast(constants, 0))).isEqualTo(IndexAnswer.ALWAYS);
      }
      SkipIndex one = SkipIndex.of("i", "set", List.of("1"), List.of(PlainType.INT64), 1);
      try (SkipIndex.OpenBlock block = block(one, rows)) {
        assertThat(block.ask(new IndexCondition.Equal(0, new Constant(constants, 1))))
            .isEqualTo(IndexAnswer.UNKNOWN);
      }
    }
  }

  @Test
  void answersCombineAsConditionsDo() {
    List<IndexAnswer> all = List.of(IndexAnswer.UNKNOWN, IndexAnswer.NEVER, IndexAnswer.ALWAYS);
    for (IndexAnswer a : all) {
      assertThat(a.and(IndexAnswer.NEVER)).isEqualTo(IndexAnswer.NEVER);
      assertThat(a.or(IndexAnswer.ALWAYS)).isEqualTo(IndexAnswer.ALWAYS);
      assertThat(a.and(IndexAnswer.ALWAYS)).isEqualTo(a);
      assertThat(a.or(IndexAnswer.NEVER)).isEqualTo(a);
      assertThat(a.not().not()).isEqualTo(a);
    }
  }

  @Test
  void declarationsThatNoIndexFitsAreRefused() {
    List<DataType> numbers = List.of(PlainType.INT64);
    List<DataType> texts = List.of(PlainType.STRING);
    assertRefused("set", List.of(), numbers);
    assertRefused("set", List.of("x"), numbers);
    assertRefused("bloom_filter", List.of("1.5"), numbers);
    assertRefused("bloom_filter", List.of(), List.of(Parser.type("Tuple(UInt8)")));
    assertRefused("tokenbf_v1", List.of("256", "2"), texts);
    assertRefused("tokenbf_v1", List.of("256", "2", "0"), numbers);
    assertRefused("ngrambf_v1", List.of("0", "256", "2", "0"), texts);
    assertRefused("text", List.of(), texts);
  }

  private static void assertRefused(String kind, List<String> arguments, List<DataType> types) {
    assertThatThrownBy(() -> SkipIndex.of("i", kind, arguments, types, 1))
        .as("%s%s", kind, arguments)
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("index i");
  }

  @Test
  void damagedBlocksAreRefusedOrReadButNeverMore() throws IOException {
    String given = System.getProperty("coppice.seed", "");
    long seed = given.isEmpty() ? 11 : Long.decode(given);
    System.out.println("-Dcoppice.seed=" + seed);
    Random random = new Random(seed);
    int refused = 0;
    int read = 0;
    for (Sample sample : samples()) {
      for (int round = 0; round < 40; round++) {
        byte[] damaged = sample.blocks().clone();
        if (damaged.length == 0) {
          continue;
        }
        if (round < 20) {
          int at =
              random.nextInt(3) == 0
                  ? random.nextInt(damaged.length)
                  : random.nextInt(Math.min(20, damaged.length));
          damaged[at] = (byte) random.nextInt();
        } else {
          damaged = Arrays.copyOf(damaged, random.nextInt(damaged.length));
        }
        try {
          sample.skipIndex().read(new ByteReader(damaged, "blocks"), allocator).close();
          read++;
        } catch (EngineException e) {
          refused++;
        }
        assertThat(allocator.getAllocatedMemory()).isZero();
      }
    }
    System.out.println("damaged blocks refused: " + refused + ", read: " + read);
    assertThat(refused).isGreaterThan(1000);
  }
}
