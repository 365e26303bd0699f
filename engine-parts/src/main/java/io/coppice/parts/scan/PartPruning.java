package io.coppice.parts.scan;

import io.coppice.base.bytes.ByteReader;
import io.coppice.base.error.EngineException;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.Identifier;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.type.DataType;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.compress.Decompressor;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.TypedExpression;
import io.coppice.parts.format.MinMaxFile;
import io.coppice.parts.format.PackedFile;
import io.coppice.parts.format.PartitionFile;
import io.coppice.parts.format.PrimaryIndexFile;
import io.coppice.parts.format.SingleValue;
import io.coppice.parts.name.FileNames;
import io.coppice.parts.skip.IndexAnswer;
import io.coppice.parts.skip.SkipIndex;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/**
 * Leaves out granules by the partition's value, minmax files, the primary index and skip indexes,
 * in that order. An index that a part lacks, or that cannot be read, leaves nothing out.
 *
 * <p>Thread-safe.
 */
final class PartPruning implements Pruning {
  private static final int SPLIT = 8;

  private final BufferAllocator allocator;
  private final MarkCache cache;
  private final KeyCondition partition;
  private final KeyCondition minMax;
  private final KeyCondition primary;
  private final KeySpace partitionSpace;
  private final KeySpace minMaxSpace;
  private final KeySpace primarySpace;
  private final List<IndexUse> indexes = new ArrayList<>();

  /** A skip index and what the filter says of its expressions. */
  private record IndexUse(
      CreateTable.Index declared,
      SkipIndex index,
      KeySpace space,
      Optional<KeyCondition> minMax,
      Optional<IndexFilter> filter) {}

  /**
   * @param cache of primary indexes
   * @param allocator for the values of keys, in passing
   */
  PartPruning(
      Expression filter,
      TableDefinition table,
      Map<String, DataType> types,
      MarkCache cache,
      BufferAllocator allocator) {
    this.cache = cache;
    this.allocator = allocator;
    Map<String, DataType> stored = new LinkedHashMap<>();
    for (ColumnDefinition column : table.storedColumns()) {
      stored.put(column.name(), column.type());
    }
    ExpressionCompiler compiler = ExpressionCompiler.of(stored);
    this.partitionSpace = space(table.partitionKey(), compiler);
    TreeSet<String> used = new TreeSet<>();
    for (Expression key : table.partitionKey()) {
      used.addAll(compiler.compile(key).columns());
    }
    List<Expression> names = used.stream().<Expression>map(Identifier::of).toList();
    this.minMaxSpace = space(names, compiler);
    KeySpace ascending = space(table.primaryKey(), compiler);
    this.primarySpace =
        new KeySpace(
            ascending.expressions(),
            ascending.types(),
            table.descending().subList(0, table.primaryKeySize()));
    this.partition = new KeyCondition(filter, partitionSpace, types);
    this.minMax = new KeyCondition(filter, minMaxSpace, types);
    this.primary = new KeyCondition(filter, primarySpace, types);
    for (CreateTable.Index declared : table.indexes()) {
      use(declared, filter, compiler, types).ifPresent(indexes::add);
    }
  }

  private static KeySpace space(List<Expression> expressions, ExpressionCompiler compiler) {
    return KeySpace.of(
        expressions,
        expressions.stream().map(compiler::compile).map(TypedExpression::type).toList());
  }

  private Optional<IndexUse> use(
      CreateTable.Index declared,
      Expression filter,
      ExpressionCompiler compiler,
      Map<String, DataType> types) {
    if (SkipIndex.Kind.of(declared.type().name()) == SkipIndex.Kind.OTHER) {
      return Optional.empty();
    }
    KeySpace space = space(declared.expression().keyElements(), compiler);
    SkipIndex index =
        SkipIndex.of(
            declared.name(),
            declared.type().name(),
            declared.type().arguments().stream().map(Expression::text).toList(),
            space.types(),
            declared.granularity());
    if (index.kind() == SkipIndex.Kind.MINMAX) {
      KeyCondition condition = new KeyCondition(filter, space, types);
      return condition.unknown()
          ? Optional.empty()
          : Optional.of(
              new IndexUse(declared, index, space, Optional.of(condition), Optional.empty()));
    }
    IndexFilter condition = new IndexFilter(filter, space, types);
    return condition.unknown()
        ? Optional.empty()
        : Optional.of(
            new IndexUse(declared, index, space, Optional.empty(), Optional.of(condition)));
  }

  @Override
  public Choice choose(LoadedPart part) throws IOException {
    int all = part.granuleCount();
    try (Decompressor decompressor = new Decompressor(allocator)) {
      if (all == 0 || !partitionMayMatch(part)) {
        return new Choice(List.of(), 0, 0);
      }
      List<GranuleRange> ranges = byPrimaryKey(part, decompressor);
      int afterKey = ranges.stream().mapToInt(GranuleRange::size).sum();
      for (IndexUse use : indexes) {
        if (ranges.isEmpty()) {
          break;
        }
        ranges = byIndex(part, use, ranges, decompressor);
      }
      return new Choice(ranges, all, afterKey);
    } catch (EngineException e) {
      throw e.within("part " + part.name());
    }
  }

  private List<FieldVector> vectors(KeySpace space) {
    List<FieldVector> vectors = new ArrayList<>();
    for (int i = 0; i < space.size(); i++) {
      vectors.add(
          ArrowMapping.field(KeySpace.name(i), space.types().get(i)).createVector(allocator));
    }
    return vectors;
  }

  private boolean partitionMayMatch(LoadedPart part) throws IOException {
    if (!partition.unknown() && part.files().containsKey(PartitionFile.NAME)) {
      List<FieldVector> values = vectors(partitionSpace);
      try {
        PartitionFile.read(
            part.readAll(PartitionFile.NAME, PartitionFile.LIMIT_BYTES),
            PartitionFile.NAME,
            partitionSpace.types(),
            values);
        KeyBox box = new KeyBox(partitionSpace.size());
        for (int i = 0; i < partitionSpace.size(); i++) {
          box.point(i, 0);
        }
        if (!partition.over(values, 1).ask(box).mayBeTrue()) {
          return false;
        }
      } finally {
        Vectors.close(values);
      }
    }
    return minMax.unknown() || minMaxMayMatch(part);
  }

  private boolean minMaxMayMatch(LoadedPart part) throws IOException {
    List<FieldVector> values = vectors(minMaxSpace);
    try {
      KeyBox box = new KeyBox(minMaxSpace.size());
      for (int i = 0; i < minMaxSpace.size(); i++) {
        String file = MinMaxFile.name(minMaxSpace.expressions().get(i).text());
        if (minMaxSpace.expressions().get(i) instanceof Identifier column) {
          file = MinMaxFile.name(column.name());
        }
        if (part.files().containsKey(file)) {
          MinMaxFile.read(
              part.readAll(file, MinMaxFile.LIMIT_BYTES),
              file,
              minMaxSpace.types().get(i),
              values.get(i));
          box.set(i, 0, true, 1, true);
        } else {
          Vectors.finish(values.get(i), 0);
        }
      }
      return minMax.over(values, 2).ask(box).mayBeTrue();
    } finally {
      Vectors.close(values);
    }
  }

  private List<GranuleRange> byPrimaryKey(LoadedPart part, Decompressor decompressor)
      throws IOException {
    int granules = part.granuleCount();
    List<GranuleRange> whole = List.of(new GranuleRange(0, granules));
    String file =
        part.files().containsKey(PrimaryIndexFile.COMPRESSED_NAME)
            ? PrimaryIndexFile.COMPRESSED_NAME
            : PrimaryIndexFile.NAME;
    if (primary.unknown() || primarySpace.size() == 0 || !part.files().containsKey(file)) {
      return whole;
    }
    byte[] content = cache.primaryIndex(part, file, decompressor);
    List<FieldVector> values = vectors(primarySpace);
    try {
      // With a final mark there is a key for the part's end.
      int rows = granules;
      ByteReader in = new ByteReader(content, file);
      List<SingleValue> readers = new ArrayList<>();
      for (int i = 0; i < values.size(); i++) {
        readers.add(SingleValue.of(primarySpace.types().get(i), values.get(i)));
      }
      int row = 0;
      for (; row <= rows && !in.atEnd(); row++) {
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
      KeyCondition.Bound bound = primary.over(values, row);
      List<GranuleRange> ranges = new ArrayList<>();
      search(new KeySearch(bound, values, row > granules), 0, granules, granules, ranges);
      return ranges;
    } finally {
      Vectors.close(values);
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

  private Optional<ByteReader> indexContent(
      LoadedPart part, SkipIndex index, Decompressor decompressor) throws IOException {
    // Names are escaped or not, and hashed when they are too long, as settings had it.
    String plain = "skp_idx_" + index.name();
    List<String> names = new ArrayList<>();
    for (String stem : List.of(index.fileStem(), plain)) {
      names.add(stem + index.extension());
      names.add(FileNames.hashed(stem) + index.extension());
    }
    for (String file : names) {
      if (FileNames.staysInside(file) && part.files().containsKey(file)) {
        byte[] frames = part.readAll(file, Integer.MAX_VALUE - 16);
        return Optional.of(
            new ByteReader(decompressor.decompressAll(frames, 0, file, 1L << 30), file));
      }
    }
    if (part.files().containsKey(PackedFile.SKIP_INDEXES)) {
      PackedFile packed =
          PackedFile.read(
              part.readAll(PackedFile.SKIP_INDEXES, PackedFile.LIMIT_BYTES),
              PackedFile.SKIP_INDEXES);
      for (String name : names) {
        Optional<PackedFile.Entry> entry = packed.entry(name);
        if (entry.isPresent()) {
          String label = PackedFile.SKIP_INDEXES + "/" + name;
          byte[] frames = entry.get().content();
          return Optional.of(
              new ByteReader(decompressor.decompressAll(frames, 0, label, 1L << 30), label));
        }
      }
    }
    return Optional.empty();
  }

  private List<GranuleRange> byIndex(
      LoadedPart part, IndexUse use, List<GranuleRange> ranges, Decompressor decompressor)
      throws IOException {
    Optional<ByteReader> content = indexContent(part, use.index(), decompressor);
    if (content.isEmpty()) {
      return ranges; // added after the part was written
    }
    ByteReader in = content.get();
    int granularity = use.index().granularity();
    int blocks = (part.granuleCount() + granularity - 1) / granularity;
    boolean[] may =
        use.minMax().isPresent()
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
      KeyCondition.Bound bound = use.minMax().orElseThrow().over(values, 2 * blocks);
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
    try (IndexFilter.Bound bound = use.filter().orElseThrow().bind(allocator)) {
      boolean[] may = new boolean[blocks];
      for (int block = 0; block < blocks; block++) {
        try (SkipIndex.OpenBlock open = use.index().read(in, allocator)) {
          if (wanted[block]) {
            IndexAnswer answer = bound.ask(open);
            may[block] = answer.mayBeTrue();
          }
        }
      }
      return may;
    }
  }
}
