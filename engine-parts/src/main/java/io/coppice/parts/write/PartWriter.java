package io.coppice.parts.write;

import io.coppice.base.disk.Disk;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.parts.column.Encodings;
import io.coppice.parts.column.InMemorySize;
import io.coppice.parts.column.SparseChoice;
import io.coppice.parts.format.ChecksumsFile;
import io.coppice.parts.format.SerializationFile;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/**
 * Writes one sorted block of rows as the files of a part, into a directory that exists and is
 * empty. The same rows and settings give the same bytes, those of ClickHouse.
 *
 * <p>Keeps native contexts from one part to the next; the owner closes it. Any thread may write a
 * part.
 */
final class PartWriter implements AutoCloseable {
  private final BufferAllocator allocator;
  private final Workers workers;
  private final PartTools.Pool pool;

  /** Memory for frames is taken from {@code allocator}; columns are worked off by workers. */
  PartWriter(BufferAllocator allocator, Workers workers) {
    this.allocator = allocator;
    this.workers = workers;
    this.pool = new PartTools.Pool(allocator);
  }

  /**
   * What becomes a part. Vectors are borrowed.
   *
   * @param rows of every vector
   * @param columns the stored columns of the table, in its order, in the order of the sorting key
   * @param primaryKey values of the primary key's elements, in the same order of rows
   * @param indexes values of the skip indexes' expressions
   * @param smallFiles the files that depend on keys only, by name: partition.dat and minmax files
   * @param origin the block that was split, which decides about the size of the rows in memory
   */
  record Block(
      int rows,
      List<FieldVector> columns,
      List<KeyColumn> primaryKey,
      Map<String, byte[]> smallFiles,
      List<SkipIndexes.Values> indexes,
      Origin origin) {}

  /**
   * The block that a part's rows were taken from, not sorted.
   *
   * @param selection numbers of the part's rows in it
   * @param dictionaries what {@link InMemorySize#ofSplit} found out for the other parts of it
   */
  @SuppressWarnings("ArrayRecordComponent") // lent for a call
  record Origin(
      List<FieldVector> columns, int rows, int[] selection, Map<FieldVector, Long> dictionaries) {}

  /** A vector of values of a type. */
  record KeyColumn(FieldVector vector, DataType type) {}

  /** What was written. */
  record Result(boolean compact, int markCount, long sizeBytes, ChecksumsFile checksums) {}

  /**
   * Writes all files of a part, checksums.txt last. Nothing is synced unless the settings say so.
   *
   * @param directory of the part
   */
  Result write(Disk directory, TableDefinition table, Block block) throws IOException {
    PartTools tools = pool.take();
    try {
      return write(directory, table, block, tools);
    } finally {
      pool.give(tools);
    }
  }

  private Result write(Disk directory, TableDefinition table, Block block, PartTools tools)
      throws IOException {
    TableSettings settings = table.settings();
    List<ColumnDefinition> definitions = table.storedColumns();
    Workers spread = workers.forValues((long) block.rows() * definitions.size());
    long[] sizes = new long[definitions.size()];
    List<Optional<SparseChoice>> choices = choices(spread, definitions, block, settings, sizes);
    long bytes = Arrays.stream(sizes).sum();
    boolean compact =
        settings.adaptive()
            && (bytes < settings.minBytesForWidePart()
                || block.rows() < settings.minRowsForWidePart());
    Granules granules = new Granules(settings, compact, OptionalInt.empty());
    List<Granules.Piece> pieces = granules.only(block.rows(), bytes);
    List<Encodings.Kind> kinds =
        choices.stream()
            .map(c -> c.map(SparseChoice::kind).orElse(Encodings.Kind.DEFAULT))
            .toList();
    PartFiles files = new PartFiles(directory, tools.compressor(), settings.fsyncAfterInsert());
    try (OpenPart part =
        new OpenPart(
            files,
            table,
            compact,
            granules,
            kinds,
            block.indexes().stream().map(SkipIndexes.Values::index).toList(),
            tools,
            allocator)) {
      part.addOnly(block.columns(), pieces, spread, pool);
      part.endColumns();
      part.addKeys(block.rows(), block.primaryKey(), pieces);
      part.addOnlyIndexes(block.indexes(), pieces);
      return part.finish(block.smallFiles(), infos(definitions, choices, settings), Set.of());
    }
  }

  /**
   * Looks at every column once.
   *
   * @param sizes filled with the bytes in memory of each
   * @return which columns may be sparse, and what decides about it
   */
  private static List<Optional<SparseChoice>> choices(
      Workers spread,
      List<ColumnDefinition> definitions,
      Block block,
      TableSettings settings,
      long[] sizes)
      throws IOException {
    List<Optional<SparseChoice>> choices =
        new ArrayList<>(Collections.nCopies(definitions.size(), Optional.empty()));
    Origin origin = block.origin();
    spread.each(
        definitions.size(),
        i -> {
          DataType type = definitions.get(i).type();
          sizes[i] =
              InMemorySize.ofSplit(
                  block.columns().get(i),
                  type,
                  block.rows(),
                  origin.columns().get(i),
                  origin.rows(),
                  origin.dictionaries());
          if (settings.sparseRatio() < 1) {
            choices.set(
                i,
                SparseChoice.of(
                    origin.columns().get(i),
                    type,
                    origin.selection(),
                    settings.sparseRatio(),
                    settings.exactDefaultCounts(),
                    settings.sparseNullable()));
          }
        });
    return choices;
  }

  private static List<SerializationFile.Column> infos(
      List<ColumnDefinition> columns,
      List<Optional<SparseChoice>> choices,
      TableSettings settings) {
    List<SerializationFile.Column> infos = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      ColumnDefinition column = columns.get(i);
      choices
          .get(i)
          .ifPresent(
              c ->
                  infos.add(
                      new SerializationFile.Column(
                          column.name(), info(c, column.type(), settings.exactDefaultCounts()))));
    }
    return infos;
  }

  private static SerializationFile.Info info(SparseChoice choice, DataType type, boolean exact) {
    Optional<List<SerializationFile.Info>> elements = Optional.empty();
    if (type.storage() instanceof TupleType tuple) {
      List<SerializationFile.Info> infos = new ArrayList<>();
      for (int i = 0; i < tuple.elements().size(); i++) {
        infos.add(info(choice.elements().get(i), tuple.elements().get(i).type(), exact));
      }
      elements = Optional.of(infos);
    }
    return new SerializationFile.Info(
        choice.sparse() ? SerializationFile.Kind.SPARSE : SerializationFile.Kind.DEFAULT,
        choice.defaults(),
        choice.rows(),
        exact && elements.isEmpty(),
        elements);
  }

  @Override
  public void close() {
    pool.close();
  }
}
