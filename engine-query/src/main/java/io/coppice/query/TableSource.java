package io.coppice.query;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.engine.Table;
import io.coppice.language.expression.Expression;
import io.coppice.language.statement.Column.DefaultKind;
import io.coppice.language.statement.Definition;
import io.coppice.language.type.DataType;
import io.coppice.parts.expression.TypedExpression;
import io.coppice.parts.inspect.PartSizes;
import io.coppice.parts.scan.BatchSink;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.scan.PartStreams;
import io.coppice.parts.scan.PartSummaries;
import io.coppice.parts.scan.Runs;
import io.coppice.parts.scan.Scan;
import io.coppice.parts.scan.ScanReport;
import io.coppice.parts.set.Part;
import io.coppice.parts.set.PartState;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** A table: conditions go into its scan, which leaves out granules by them. */
final class TableSource implements Source {
  /** Parts beyond which rows are sorted: each that is merged is open, with buffers of its own. */
  private static final int MOST_MERGED = 128;

  private final Context context;
  private final Table table;
  private final List<ColumnDefinition> columns;
  private final Map<String, DataType> types = new LinkedHashMap<>();
  private final List<List<String>> qualifiers;

  TableSource(Context context, Table table, Optional<String> alias) {
    this.context = context;
    this.table = table;
    this.columns = table.definition().columns();
    for (ColumnDefinition column : columns) {
      if (column.defaultKind() != DefaultKind.EPHEMERAL) {
        types.put(column.name(), column.type());
      }
    }
    Scan.virtualColumns(table.definition()).forEach(types::putIfAbsent);
    String name = table.name().table();
    this.qualifiers =
        alias
            .map(a -> List.of(List.of(a)))
            .orElseGet(() -> List.of(List.of(database(), name), List.of(name)));
  }

  @Override
  public List<ResultColumn> visible() {
    return columns.stream()
        .filter(column -> column.defaultKind() == DefaultKind.DEFAULT)
        .map(column -> new ResultColumn(column.name(), column.type()))
        .toList();
  }

  @Override
  public Map<String, DataType> types() {
    return types;
  }

  @Override
  public List<List<String>> qualifiers() {
    return qualifiers;
  }

  /** The rows of all parts, unless some of them are deleted. */
  @Override
  public OptionalLong rowCount() {
    long rows = 0;
    for (Part part : table.allParts()) {
      if (part.state() != PartState.ACTIVE) {
        continue;
      }
      LoadedPart loaded = part.loaded().orElse(null);
      if (loaded == null || loaded.holds("_row_exists")) {
        return OptionalLong.empty();
      }
      rows += loaded.rowCount();
    }
    return OptionalLong.of(rows);
  }

  /**
   * The rows for which a condition holds, each part's in the order of its key; empty if that is not
   * how they are to be read.
   *
   * @param wanted rows of the order that matter, about
   */
  Optional<Rows> openInOrder(
      List<String> names,
      Optional<Expression> filter,
      KeyOrder order,
      List<MergedRows.Key> keys,
      long wanted)
      throws IOException {
    boolean ofRows =
        filter
            .map(condition -> !Conditions.compile(context, condition, types).columns().isEmpty())
            .orElse(true);
    if (!ofRows) {
      return Optional.empty();
    }
    // Without a condition the first rows of parts are the ones wanted: few are read then.
    boolean few = filter.isEmpty() && wanted < Scan.DEFAULT_BATCH_ROWS;
    Scan scan = filter.map(scan(names)::where).orElseGet(() -> scan(names));
    Optional<PartStreams> parts =
        scan.batchRows(few ? (int) Math.max(1, wanted) : Scan.DEFAULT_BATCH_ROWS)
            .openParts(order.reversed(), MOST_MERGED, context.allocator());
    if (parts.isEmpty()) {
      return Optional.empty();
    }
    List<ResultColumn> read =
        names.stream().map(name -> new ResultColumn(name, types.get(name))).toList();
    return Optional.of(
        new MergedRows(
            parts.get(), read, keys, order, wanted, context.read(), context.allocator()));
  }

  /** What parts tell of their rows; empty if one does not tell it. */
  Optional<PartSummaries> summaries(List<String> wanted) throws IOException {
    return scan(List.of()).summaries(wanted, context.allocator());
  }

  @Override
  public Rows open(List<String> wanted, Optional<Expression> filter) throws IOException {
    List<String> names = List.copyOf(wanted);
    List<ResultColumn> read =
        names.stream().map(name -> new ResultColumn(name, types.get(name))).toList();
    Optional<TypedExpression> compiled =
        filter.map(condition -> Conditions.compile(context, condition, types));
    if (compiled.isPresent() && compiled.get().columns().isEmpty()) {
      // A condition on nothing that is stored is no matter of the scan.
      boolean constant = compiled.get().constantValue().isPresent();
      if (constant && compiled.get().filter(Batches.bare(1)).isEmpty()) {
        return FixedRows.empty(read, context.allocator());
      }
      Rows all = new ScanRows(read, scan(names).open(context.allocator()), context.read());
      return constant ? all : new FilterRows(all, compiled.get(), context.allocator());
    }
    Scan scan = filter.map(scan(names)::where).orElseGet(() -> scan(names));
    return new ScanRows(read, scan.open(context.allocator()), context.read());
  }

  @Override
  public <S extends BatchSink> Optional<Runs<S>> openRuns(
      List<String> wanted, Optional<Expression> filter, boolean counting, Supplier<S> sinks)
      throws IOException {
    boolean ofRows =
        filter
            .map(condition -> !Conditions.compile(context, condition, types).columns().isEmpty())
            .orElse(true);
    if (!ofRows) {
      return Optional.empty();
    }
    Scan scan = filter.map(scan(wanted)::where).orElseGet(() -> scan(wanted));
    return Optional.of(scan.counting(counting).openRuns(sinks, context.allocator()));
  }

  @Override
  public Optional<Expression> samplingKey() {
    return table.create().sampleBy();
  }

  @Override
  public void refuseFinal() {
    String engine = table.create().engine().map(Definition::name).orElse("MergeTree");
    if (engine.equals("MergeTree")) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_FINAL,
          "table %s: its engine MergeTree merges no rows into one, so there is no FINAL",
          table.name().text());
    }
    throw EngineException.of(
        ErrorCode.NOT_IMPLEMENTED,
        "table %s: FINAL of %s is not served yet",
        table.name().text(),
        engine);
  }

  /** What would be read of the table, granules being chosen by a condition. */
  ScanReport explain(List<String> wanted, Optional<Expression> filter, boolean counting)
      throws IOException {
    Optional<TypedExpression> compiled =
        filter.map(condition -> Conditions.compile(context, condition, types));
    boolean ofRows = compiled.filter(c -> !c.columns().isEmpty()).isPresent();
    Scan scan = ofRows ? scan(wanted).where(filter.orElseThrow()) : scan(wanted);
    return scan.counting(counting).explain(context.allocator());
  }

  /** Compressed bytes of each column in all parts; those of Compact parts are not told apart. */
  Map<String, Long> columnBytes() throws IOException {
    Map<String, Long> bytes = new HashMap<>();
    for (Part part : table.allParts()) {
      LoadedPart loaded = part.loaded().orElse(null);
      if (part.state() != PartState.ACTIVE || loaded == null || loaded.compact()) {
        continue;
      }
      PartSizes.columns(loaded, context.allocator())
          .forEach((name, size) -> bytes.merge(name, size.data().compressed(), Long::sum));
    }
    return bytes;
  }

  TableDefinition definition() {
    return table.definition();
  }

  String database() {
    return table.name().database().orElse(context.database());
  }

  String name() {
    return table.name().table();
  }

  private Scan scan(List<String> names) {
    return table.scan().columns(names).database(database()).in(context.surroundings());
  }
}
