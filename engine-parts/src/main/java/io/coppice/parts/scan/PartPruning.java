package io.coppice.parts.scan;

import io.coppice.base.bytes.ByteReader;
import io.coppice.base.error.EngineException;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Expression.Identifier;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.compress.Decompressor;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.TypedExpression;
import io.coppice.parts.format.MinMaxFile;
import io.coppice.parts.format.PartitionFile;
import io.coppice.parts.format.PrimaryIndexFile;
import io.coppice.parts.format.SingleValue;
import io.coppice.parts.skip.SkipIndex;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/**
 * Leaves out granules by the partition's value, minmax files, the primary index and skip indexes,
 * in that order. An index that a part lacks, or that cannot be read, leaves nothing out.
 *
 * <p>Thread-safe.
 */
final class PartPruning implements Pruning {
  private static final System.Logger LOG = System.getLogger(PartPruning.class.getName());

  /*
   * Each index is asked about the whole filter, and leaves out what it can by itself. That does nothing for
   * x = 1 OR y = 2 with an index on x and another on y. So an OR of which several indexes know something is
   * asked about once more, each of its sides by all indexes: a granule stays if one of the sides keeps it.
   */

  private static final int SPLIT = 8;

  /** Sides of an OR beyond which it is not looked at side by side. */
  private static final int MOST_SIDES = 50;

  private final TableDefinition table;
  private final Map<String, DataType> types;
  private final BufferAllocator allocator;
  private final MarkCache cache;
  private final ExpressionCompiler compiler;
  private final KeySpace partitionSpace;
  private final KeySpace minMaxSpace;
  private final KeySpace primarySpace;
  private final Asked filter;
  private final Asking asking;

  /** What every row of fails, where rows that surely pass are asked for. */
  private final Optional<KeyCondition> opposite;

  /**
   * What is wanted besides the granules to read.
   *
   * @param texts the conditions as EXPLAIN prints them
   * @param certain the granules of which every row passes
   */
  record Asking(boolean texts, boolean certain) {}

  /** A skip index and what a condition says of its expressions. */
  private record IndexUse(
      CreateTable.Index declared,
      SkipIndex index,
      KeySpace space,
      Optional<KeyCondition> values,
      Optional<IndexFilter> filter,
      String text) {}

  /** A condition as each of the indexes sees it. */
  private final class Asked {
    final KeyCondition partition;
    final KeyCondition minMax;
    final KeyCondition primary;
    final Optional<ConditionText> partitionText;
    final Optional<ConditionText> minMaxText;
    final Optional<ConditionText> primaryText;
    final List<IndexUse> indexes = new ArrayList<>();

    /** The sides of each OR that the condition requires and several indexes know something of. */
    final List<List<Asked>> alternatives = new ArrayList<>();

    Asked(Expression condition, Expression written) {
      this.partition = new KeyCondition(condition, partitionSpace, types);
      this.minMax = new KeyCondition(condition, minMaxSpace, types);
      this.primary = new KeyCondition(condition, primarySpace, types);
      this.partitionText = text(written, partitionSpace);
      this.minMaxText = text(written, minMaxSpace);
      this.primaryText = text(written, primarySpace);
      for (CreateTable.Index declared : table.indexes()) {
        use(declared, condition, written).ifPresent(indexes::add);
      }
      // minmax before others and the coarsest first, as in 26.7: the least to read, and what they
      // leave out the others needn't see.
      indexes.sort(
          Comparator.<IndexUse, Boolean>comparing(use -> !minMax(use))
              .thenComparing(use -> -use.declared().granularity()));
      for (Expression required : arguments(condition, "and")) {
        List<Expression> sides = arguments(required, "or");
        if (sides.size() > 1 && sides.size() <= MOST_SIDES) {
          List<Asked> asked = sides.stream().map(side -> new Asked(side, side)).toList();
          Set<String> knowing = new HashSet<>();
          asked.forEach(side -> knowing.addAll(side.knowing()));
          if (knowing.size() > 1 && asked.stream().allMatch(side -> !side.knowing().isEmpty())) {
            alternatives.add(asked);
          }
        }
      }
    }

    /** The indexes that know something of the condition. */
    private Set<String> knowing() {
      Set<String> names = new HashSet<>();
      for (KeyCondition key : List.of(partition, minMax, primary)) {
        if (!key.unknown()) {
          names.add(key == partition ? "1 partition" : key == minMax ? "2 minmax" : "3 primary");
        }
      }
      indexes.forEach(use -> names.add("index " + use.index().name()));
      for (List<Asked> sides : alternatives) {
        sides.forEach(side -> names.addAll(side.knowing()));
      }
      return names;
    }
  }

  private static boolean minMax(IndexUse use) {
    return SkipIndex.Kind.of(use.declared().type().name()) == SkipIndex.Kind.MINMAX;
  }

  private static List<Expression> arguments(Expression given, String function) {
    return given.bare() instanceof FunctionCall call && call.name().equals(function)
        ? call.arguments()
        : List.of(given);
  }

  /**
   * @param cache of primary indexes
   * @param asking what is wanted besides
   * @param allocator for the values of keys, in passing
   */
  PartPruning(
      Expression filter,
      TableDefinition table,
      Map<String, DataType> types,
      MarkCache cache,
      Asking asking,
      BufferAllocator allocator) {
    this.table = table;
    this.types = types;
    this.cache = cache;
    this.asking = asking;
    this.allocator = allocator;
    Map<String, DataType> stored = new LinkedHashMap<>();
    for (ColumnDefinition column : table.storedColumns()) {
      stored.put(column.name(), column.type());
    }
    this.compiler = ExpressionCompiler.of(stored);
    this.partitionSpace = space(table.partitionKey(), KeySpace.Ends.VALUE);
    Set<String> used = new LinkedHashSet<>();
    for (Expression key : table.partitionKey()) {
      used.addAll(compiler.compile(key).columns());
    }
    List<Expression> names = used.stream().<Expression>map(Identifier::of).toList();
    this.minMaxSpace = space(names, KeySpace.Ends.EXTREMES);
    this.primarySpace =
        space(table.primaryKey(), KeySpace.Ends.NEIGHBOURS)
            .descending(table.descending().subList(0, table.primaryKeySize()));
    Expression simplified = FilterSimplifier.simplify(filter, types);
    this.filter = new Asked(simplified, filter);
    this.opposite =
        asking.certain()
                && new ConditionText(filter, primarySpace, types).exact()
                && askedOf(filter).noneMatch(PartPruning::unordered)
            ? Optional.of(new KeyCondition(FunctionCall.of("not", simplified), primarySpace, types))
            : Optional.empty();
  }

  /** The types of those elements of the primary key that a condition may be about. */
  private Stream<DataType> askedOf(Expression condition) {
    Set<String> names = new HashSet<>();
    condition.collectNames(names);
    return table.primaryKey().stream()
        .map(compiler::compile)
        .filter(key -> key.columns().stream().anyMatch(names::contains))
        .map(TypedExpression::type);
  }

  /** Whether a type has values that pass neither a condition nor its opposite. */
  private static boolean unordered(DataType type) {
    return type.nullable() || type.storage() instanceof PlainType plain && plain.floating();
  }

  private Optional<ConditionText> text(Expression written, KeySpace space) {
    return asking.texts()
        ? Optional.of(new ConditionText(written, space, types))
        : Optional.empty();
  }

  private KeySpace space(List<Expression> expressions, KeySpace.Ends ends) {
    return KeySpace.of(
        expressions,
        expressions.stream().map(compiler::compile).map(TypedExpression::type).toList(),
        ends);
  }

  private Optional<IndexUse> use(
      CreateTable.Index declared, Expression condition, Expression written) {
    SkipIndex.Kind kind = SkipIndex.Kind.of(declared.type().name());
    if (kind == SkipIndex.Kind.OTHER) {
      return Optional.empty();
    }
    KeySpace space =
        space(
            declared.expression().keyElements(),
            kind == SkipIndex.Kind.MINMAX ? KeySpace.Ends.EXTREMES : KeySpace.Ends.VALUE);
    SkipIndex index;
    try {
      index = SkipIndex.of(declared, space.types());
    } catch (EngineException e) {
      LOG.log(System.Logger.Level.DEBUG, "an index that no part can have is not asked", e);
      return Optional.empty();
    }
    if (kind == SkipIndex.Kind.MINMAX || kind == SkipIndex.Kind.SET) {
      KeyCondition values = new KeyCondition(condition, space, types);
      Optional<ConditionText> text = text(written, space);
      boolean told = text.filter(ConditionText::partlyKnown).isPresent();
      return values.unknown() && !told
          ? Optional.empty()
          : Optional.of(
              new IndexUse(
                  declared,
                  index,
                  space,
                  Optional.of(values),
                  Optional.empty(),
                  text.map(ConditionText::text).orElse("")));
    }
    IndexFilter found = new IndexFilter(condition, space, types);
    return found.unknown()
        ? Optional.empty()
        : Optional.of(
            new IndexUse(declared, index, space, Optional.empty(), Optional.of(found), ""));
  }

  @Override
  public Choice choose(LoadedPart part) throws IOException {
    int all = part.granuleCount();
    List<IndexReport> steps = new ArrayList<>();
    try (Reading reading = new Reading(part)) {
      int left = all;
      // What no value fulfils is no matter of the partition: the primary key leaves nothing then.
      boolean never = all > 0 && neverHolds(reading);
      if (partitionSpace.size() > 0) {
        int before = left;
        left = before > 0 && (never || minMaxMayMatch(filter, reading)) ? before : 0;
        steps.add(step("Min-Max", filter.minMaxText, before, left));
        before = left;
        left = before > 0 && (never || partitionMatches(filter, reading)) ? before : 0;
        steps.add(step("Partition", filter.partitionText, before, left));
      }
      List<GranuleRange> ranges = left > 0 && !never ? byPrimaryKey(filter, reading) : List.of();
      int afterKey = granules(ranges);
      steps.add(step("PrimaryKey", filter.primaryText, left, afterKey));
      List<GranuleRange> kept = byIndexes(filter, ranges, reading, steps);
      return new Choice(kept, left, afterKey, certain(kept, reading), steps);
    } catch (EngineException e) {
      throw e.within("part " + part.name());
    }
  }

  private boolean neverHolds(Reading reading) throws IOException {
    if (filter.minMax.unknown()) {
      return false;
    }
    Keys keys = reading.minMax();
    KeyBox everything = new KeyBox(minMaxSpace.size());
    return !filter.minMax.over(keys.values(), keys.rows()).ask(everything).mayBeTrue();
  }

  private static int granules(List<GranuleRange> ranges) {
    return ranges.stream().mapToInt(GranuleRange::size).sum();
  }

  private static IndexReport step(
      String kind, Optional<ConditionText> text, int before, int after) {
    return new IndexReport(
        kind,
        "",
        "",
        text.map(ConditionText::keys).orElse(List.of()),
        text.map(ConditionText::text).orElse(""),
        kind.equals("PrimaryKey") ? text.map(ConditionText::algorithm).orElse("") : "",
        before > 0 ? 1 : 0,
        after > 0 ? 1 : 0,
        before,
        after);
  }

  /** Those granules in which no row may fail. */
  private List<GranuleRange> certain(List<GranuleRange> ranges, Reading reading)
      throws IOException {
    if (opposite.isEmpty()
        || ranges.isEmpty()
        || primarySpace.size() == 0
        || reading.part.holds(GranuleReader.ROW_EXISTS)
        || !reading.part.files().containsKey(primaryFile(reading.part))) {
      return List.of();
    }
    BitSet failing = new BitSet();
    byPrimaryKey(opposite.get(), reading).forEach(range -> failing.set(range.from(), range.to()));
    List<GranuleRange> certain = new ArrayList<>();
    for (GranuleRange range : ranges) {
      for (int granule = range.from(); granule < range.to(); granule++) {
        if (!failing.get(granule)) {
          add(certain, granule, granule + 1);
        }
      }
    }
    return certain;
  }

  /** Granules that may hold rows that fulfil a condition. */
  private List<GranuleRange> keep(Asked asked, Reading reading) throws IOException {
    return partitionMayMatch(asked, reading)
        ? byIndexes(asked, byPrimaryKey(asked, reading), reading, new ArrayList<>())
        : List.of();
  }

  private List<GranuleRange> byIndexes(
      Asked asked, List<GranuleRange> given, Reading reading, List<IndexReport> steps)
      throws IOException {
    List<GranuleRange> ranges = given;
    for (IndexUse use : asked.indexes) {
      int before = granules(ranges);
      if (!ranges.isEmpty()) {
        ranges = byIndex(use, ranges, reading);
      }
      steps.add(
          new IndexReport(
              "Skip",
              use.declared().name(),
              use.declared().type().name() + " GRANULARITY " + use.declared().granularity(),
              List.of(),
              use.text(),
              "",
              before > 0 ? 1 : 0,
              ranges.isEmpty() ? 0 : 1,
              before,
              granules(ranges)));
    }
    for (List<Asked> sides : asked.alternatives) {
      if (!ranges.isEmpty()) {
        BitSet any = new BitSet();
        for (Asked side : sides) {
          keep(side, reading).forEach(range -> any.set(range.from(), range.to()));
        }
        ranges = within(ranges, any);
      }
    }
    return ranges;
  }

  private static List<GranuleRange> within(List<GranuleRange> ranges, BitSet wanted) {
    List<GranuleRange> kept = new ArrayList<>();
    for (GranuleRange range : ranges) {
      for (int granule = range.from(); granule < range.to(); granule++) {
        if (wanted.get(granule)) {
          add(kept, granule, granule + 1);
        }
      }
    }
    return kept;
  }

  /**
   * What was read of one part, kept as it may be asked about again. Confined to one thread; closing
   * frees it.
   */
  private final class Reading implements AutoCloseable {
    final LoadedPart part;
    final Decompressor decompressor = new Decompressor(allocator);
    private Optional<Keys> partition = Optional.empty();
    private Optional<Keys> minMax = Optional.empty();
    private Optional<Keys> primary = Optional.empty();
    private final Map<String, Optional<SkipIndexFile>> indexes = new LinkedHashMap<>();

    Reading(LoadedPart part) {
      this.part = part;
    }

    Keys partition() throws IOException {
      if (partition.isEmpty()) {
        partition = Optional.of(readPartition(part));
      }
      return partition.get();
    }

    Keys minMax() throws IOException {
      if (minMax.isEmpty()) {
        minMax = Optional.of(readMinMax(part));
      }
      return minMax.get();
    }

    Keys primary() throws IOException {
      if (primary.isEmpty()) {
        primary = Optional.of(readPrimary(part, decompressor));
      }
      return primary.get();
    }

    /** The decompressed blocks of an index, from their start. */
    Optional<ByteReader> index(SkipIndex index) throws IOException {
      Optional<SkipIndexFile> content = indexes.get(index.name());
      if (content == null) {
        content = SkipIndexFile.find(part, index, decompressor);
        if (!filter.alternatives.isEmpty()) {
          indexes.put(index.name(), content);
        }
      }
      return content.map(c -> new ByteReader(c.bytes(), c.name()));
    }

    @Override
    public void close() {
      for (Optional<Keys> keys : List.of(partition, minMax, primary)) {
        keys.ifPresent(k -> Vectors.close(k.values()));
      }
      decompressor.close();
    }
  }

  /**
   * Values of a space's expressions.
   *
   * @param known the expressions that there are values of
   */
  private record Keys(List<FieldVector> values, int rows, Set<Integer> known) {}

  private List<FieldVector> vectors(KeySpace space) {
    List<FieldVector> vectors = new ArrayList<>();
    for (int i = 0; i < space.size(); i++) {
      vectors.add(
          ArrowMapping.field(KeySpace.name(i), space.types().get(i)).createVector(allocator));
    }
    return vectors;
  }

  private boolean partitionMayMatch(Asked asked, Reading reading) throws IOException {
    return partitionMatches(asked, reading) && minMaxMayMatch(asked, reading);
  }

  private boolean partitionMatches(Asked asked, Reading reading) throws IOException {
    if (asked.partition.unknown() || !reading.part.files().containsKey(PartitionFile.NAME)) {
      return true;
    }
    Keys keys = reading.partition();
    KeyBox box = new KeyBox(partitionSpace.size());
    for (int i = 0; i < partitionSpace.size(); i++) {
      box.point(i, 0);
    }
    return asked.partition.over(keys.values(), keys.rows()).ask(box).mayBeTrue();
  }

  private boolean minMaxMayMatch(Asked asked, Reading reading) throws IOException {
    if (asked.minMax.unknown()) {
      return true;
    }
    Keys keys = reading.minMax();
    KeyBox box = new KeyBox(minMaxSpace.size());
    for (int i = 0; i < minMaxSpace.size(); i++) {
      if (keys.known().contains(i)) {
        box.set(i, 0, true, 1, true);
      }
    }
    return asked.minMax.over(keys.values(), keys.rows()).ask(box).mayBeTrue();
  }

  private Keys readPartition(LoadedPart part) throws IOException {
    List<FieldVector> values = vectors(partitionSpace);
    boolean done = false;
    try {
      PartitionFile.read(
          part.readKept(PartitionFile.NAME, PartitionFile.LIMIT_BYTES),
          PartitionFile.NAME,
          partitionSpace.types(),
          values);
      done = true;
      return new Keys(values, 1, Set.of());
    } finally {
      if (!done) {
        Vectors.close(values);
      }
    }
  }

  private Keys readMinMax(LoadedPart part) throws IOException {
    List<FieldVector> values = vectors(minMaxSpace);
    Set<Integer> known = new HashSet<>();
    boolean done = false;
    try {
      for (int i = 0; i < minMaxSpace.size(); i++) {
        String file = MinMaxFile.name(minMaxSpace.expressions().get(i).text());
        if (minMaxSpace.expressions().get(i) instanceof Identifier column) {
          file = MinMaxFile.name(column.name());
        }
        if (part.files().containsKey(file)) {
          MinMaxFile.read(
              part.readKept(file, MinMaxFile.LIMIT_BYTES),
              file,
              minMaxSpace.types().get(i),
              values.get(i));
          known.add(i);
        } else {
          Vectors.finish(values.get(i), 2); // rows as of the others, not looked at
        }
      }
      done = true;
      return new Keys(values, 2, known);
    } finally {
      if (!done) {
        Vectors.close(values);
      }
    }
  }

  private List<GranuleRange> byPrimaryKey(Asked asked, Reading reading) throws IOException {
    return byPrimaryKey(asked.primary, reading);
  }

  private List<GranuleRange> byPrimaryKey(KeyCondition condition, Reading reading)
      throws IOException {
    int granules = reading.part.granuleCount();
    if (condition.unknown()
        || primarySpace.size() == 0
        || !reading.part.files().containsKey(primaryFile(reading.part))) {
      return List.of(new GranuleRange(0, granules));
    }
    Keys keys = reading.primary();
    KeyCondition.Bound bound = condition.over(keys.values(), keys.rows());
    List<GranuleRange> ranges = new ArrayList<>();
    KeySearch search = new KeySearch(bound, keys.values(), keys.rows() > granules);
    search(search, 0, granules, granules, ranges);
    return ranges;
  }

  private static String primaryFile(LoadedPart part) {
    return part.files().containsKey(PrimaryIndexFile.COMPRESSED_NAME)
        ? PrimaryIndexFile.COMPRESSED_NAME
        : PrimaryIndexFile.NAME;
  }

  private Keys readPrimary(LoadedPart part, Decompressor decompressor) throws IOException {
    int granules = part.granuleCount();
    String file = primaryFile(part);
    byte[] content = cache.primaryIndex(part, file, decompressor);
    List<FieldVector> values = vectors(primarySpace);
    boolean done = false;
    try {
      // With a final mark there is a key for the part's end.
      ByteReader in = new ByteReader(content, file);
      List<SingleValue> readers = new ArrayList<>();
      for (int i = 0; i < values.size(); i++) {
        readers.add(SingleValue.of(primarySpace.types().get(i), values.get(i)));
      }
      int row = 0;
      for (; row <= granules && !in.atEnd(); row++) {
        for (SingleValue reader : readers) {
          reader.read(in, row);
        }
      }
      if (row < granules || !in.atEnd()) {
        throw EngineException.of(
            io.coppice.base.error.ErrorCode.CORRUPTED_DATA,
            "%s has %s keys, expected %d as there are granules",
            file,
            row < granules ? Integer.toString(row) : "more than " + row,
            granules);
      }
      for (FieldVector vector : values) {
        Vectors.finish(vector, row);
      }
      done = true;
      return new Keys(values, row, Set.of());
    } finally {
      if (!done) {
        Vectors.close(values);
      }
    }
  }

  /** Adds the granules of [from, to) that may hold rows of interest, halving while some may not. */
  private void search(KeySearch keys, int from, int to, int granules, List<GranuleRange> found) {
    if (!keys.mayMatch(from, to, granules)) {
      return;
    }
    if (to - from == 1) {
      add(found, from, to);
      return;
    }
    int step = Math.max(1, (to - from + SPLIT - 1) / SPLIT);
    for (int at = from; at < to; at += step) {
      search(keys, at, Math.min(to, at + step), granules, found);
    }
  }

  private static void add(List<GranuleRange> ranges, int from, int to) {
    int last = ranges.size() - 1;
    if (last >= 0 && ranges.get(last).to() == from) {
      ranges.set(last, new GranuleRange(ranges.get(last).from(), to));
    } else {
      ranges.add(new GranuleRange(from, to));
    }
  }

  /** Asks about the rows between two keys of the primary index. */
  private final class KeySearch {
    private final KeyCondition.Bound bound;
    private final List<FieldVector> values;
    private final boolean endKnown;
    private final KeyBox box = new KeyBox(primarySpace.size());

    KeySearch(KeyCondition.Bound bound, List<FieldVector> values, boolean endKnown) {
      this.bound = bound;
      this.values = values;
      this.endKnown = endKnown;
    }

    boolean mayMatch(int from, int to, int granules) {
      box.unbound(0);
      return between(from, to < granules || endKnown ? to : -1, 0);
    }

    /**
     * Rows are ordered by tuples: between two of them lie, after an equal start, those that are
     * strictly between in the next element, and those equal to one end there and beyond it in the
     * elements behind.
     *
     * @param left row of the lower key, or -1
     * @param right row of the upper key, or -1
     */
    private boolean between(int left, int right, int from) {
      int size = primarySpace.size();
      int column = from;
      if (left >= 0 && right >= 0) {
        while (column < size && same(column, left, right)) {
          box.point(column, left);
          column++;
        }
      }
      if (column == size || left < 0 && right < 0) {
        return bound.ask(box).mayBeTrue();
      }
      if (column + 1 == size) {
        interval(column, left, true, right, true);
        boolean may = bound.ask(box).mayBeTrue();
        box.unbound(column);
        return may;
      }
      interval(column, left, false, right, false);
      box.unbound(column + 1);
      boolean may = bound.ask(box).mayBeTrue();
      if (!may && left >= 0) {
        box.point(column, left);
        may = between(left, -1, column + 1);
      }
      if (!may && right >= 0) {
        box.point(column, right);
        may = between(-1, right, column + 1);
      }
      box.unbound(column);
      return may;
    }

    private void interval(int column, int left, boolean withLeft, int right, boolean withRight) {
      if (primarySpace.descending().get(column)) {
        box.set(column, right, withRight, left, withLeft);
      } else {
        box.set(column, left, withLeft, right, withRight);
      }
    }

    private boolean same(int column, int a, int b) {
      return io.coppice.parts.write.SortOrder.compareValues(
              values.get(column), a, values.get(column), b, primarySpace.types().get(column))
          == 0;
    }
  }

  private List<GranuleRange> byIndex(IndexUse use, List<GranuleRange> ranges, Reading reading)
      throws IOException {
    Optional<ByteReader> content = reading.index(use.index());
    if (content.isEmpty()) {
      return ranges; // added after the part was written
    }
    ByteReader in = content.get();
    int granularity = use.index().granularity();
    int blocks = (reading.part.granuleCount() + granularity - 1) / granularity;
    boolean[] may =
        use.index().kind() == SkipIndex.Kind.MINMAX
            ? byMinMax(in, use, blocks)
            : byBlocks(in, use, blocks, ranges, granularity);
    List<GranuleRange> kept = new ArrayList<>();
    for (GranuleRange range : ranges) {
      for (int granule = range.from(); granule < range.to(); granule++) {
        if (may[granule / granularity]) {
          add(kept, granule, granule + 1);
        }
      }
    }
    return kept;
  }

  /** Least and greatest values of all blocks as rows 2i and 2i + 1. */
  private boolean[] byMinMax(ByteReader in, IndexUse use, int blocks) {
    KeySpace space = use.space();
    List<FieldVector> values = vectors(space);
    try {
      List<SingleValue> readers = new ArrayList<>();
      for (int i = 0; i < space.size(); i++) {
        readers.add(SingleValue.of(space.types().get(i), values.get(i)));
      }
      for (int block = 0; block < blocks; block++) {
        for (SingleValue reader : readers) {
          reader.read(in, 2 * block);
          reader.read(in, 2 * block + 1);
        }
      }
      for (FieldVector vector : values) {
        Vectors.finish(vector, 2 * blocks);
      }
      KeyCondition.Bound bound = use.values().orElseThrow().over(values, 2 * blocks);
      boolean[] may = new boolean[blocks];
      KeyBox box = new KeyBox(space.size());
      for (int block = 0; block < blocks; block++) {
        for (int i = 0; i < space.size(); i++) {
          box.set(i, 2 * block, true, 2 * block + 1, true);
        }
        may[block] = bound.ask(box).mayBeTrue();
      }
      return may;
    } finally {
      Vectors.close(values);
    }
  }

  private boolean[] byBlocks(
      ByteReader in, IndexUse use, int blocks, List<GranuleRange> ranges, int granularity) {
    boolean[] wanted = new boolean[blocks];
    for (GranuleRange range : ranges) {
      for (int granule = range.from(); granule < range.to(); granule++) {
        wanted[granule / granularity] = true;
      }
    }
    boolean[] may = new boolean[blocks];
    Optional<IndexFilter.Bound> bound = use.filter().map(f -> f.bind(allocator));
    try {
      for (int block = 0; block < blocks; block++) {
        try (SkipIndex.OpenBlock open = use.index().read(in, allocator)) {
          if (wanted[block]) {
            may[block] =
                bound.isPresent()
                    ? bound.get().ask(open).mayBeTrue()
                    : someRowMay(use, open.distinctRows());
          }
        }
      }
      return may;
    } finally {
      bound.ifPresent(IndexFilter.Bound::close);
    }
  }

  /** Whether one of a block's rows may fulfil the whole condition. */
  private static boolean someRowMay(IndexUse use, Optional<List<FieldVector>> distinct) {
    if (distinct.isEmpty()) {
      return true;
    }
    int rows = distinct.get().get(0).getValueCount();
    KeyCondition.Bound bound = use.values().orElseThrow().over(distinct.get(), rows);
    KeyBox box = new KeyBox(use.space().size());
    for (int row = 0; row < rows; row++) {
      for (int i = 0; i < use.space().size(); i++) {
        box.point(i, row);
      }
      if (bound.ask(box).mayBeTrue()) {
        return true;
      }
    }
    return false;
  }
}
