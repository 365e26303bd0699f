package io.coppice.query;

import io.coppice.language.expression.Expression;
import io.coppice.language.parse.Parser;
import io.coppice.language.text.ByteText;
import io.coppice.language.text.Identifiers;
import io.coppice.language.type.DataType;
import io.coppice.parts.column.Defaults;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings.Profile;
import io.coppice.parts.text.BatchReader;
import io.coppice.parts.text.DataFormat;
import io.coppice.query.system.SystemRow;
import io.coppice.query.system.SystemTables;
import io.coppice.query.system.SystemTables.SystemColumn;
import io.coppice.query.system.SystemTables.SystemTable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** A table of the database {@code system}: its rows are made when it is opened. */
final class SystemSource implements Source {
  private final Context context;
  private final SystemTable table;
  private final List<List<String>> qualifiers;
  private final Map<String, DataType> types = new LinkedHashMap<>();

  SystemSource(Context context, SystemTable table, Optional<String> alias) {
    this.context = context;
    this.table = table;
    this.qualifiers =
        alias
            .map(a -> List.of(List.of(a)))
            .orElseGet(
                () -> List.of(List.of(SystemTables.DATABASE, table.name()), List.of(table.name())));
    table.columns().forEach(column -> types.put(column.name(), column.type()));
  }

  @Override
  public List<ResultColumn> visible() {
    return table.columns().stream()
        .filter(column -> column.alias().isEmpty())
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

  @Override
  public Rows open(List<String> columns, Optional<Expression> filter) throws IOException {
    List<String> wanted = new ArrayList<>(columns);
    filter
        .map(condition -> Conditions.compile(context, condition, types))
        .ifPresent(compiled -> compiled.columns().forEach(name -> addTo(wanted, name)));
    if (wanted.isEmpty()) {
      wanted.add(table.columns().get(0).name());
    }
    Rows rows = new TextRows(read(wanted), columns(wanted), context.allocator());
    return filter.isPresent()
        ? new FilterRows(
            rows, Conditions.compile(context, filter.get(), types), context.allocator())
        : rows;
  }

  private static void addTo(List<String> names, String name) {
    if (!names.contains(name)) {
      names.add(name);
    }
  }

  private List<ResultColumn> columns(List<String> names) {
    return names.stream().map(name -> new ResultColumn(name, types.get(name))).toList();
  }

  /** The rows as text, read like any other: one place knows how values of each type are written. */
  private BatchReader read(List<String> wanted) throws IOException {
    Map<String, String> sources = new LinkedHashMap<>();
    for (SystemColumn column : table.columns()) {
      if (wanted.contains(column.name())) {
        sources.put(column.name(), column.alias().orElse(column.name()));
      }
    }
    String create =
        sources.keySet().stream()
            .map(name -> Identifiers.backQuote(name) + " " + types.get(name).text())
            .collect(
                Collectors.joining(
                    ", ", "CREATE TABLE system (", ") ENGINE = MergeTree ORDER BY tuple()"));
    StringBuilder text = new StringBuilder();
    for (SystemRow row : table.rows(context.asked())) {
      text.append(
          sources.values().stream().map(row::field).collect(Collectors.joining("\t", "", "\n")));
    }
    return BatchReader.open(
        DataFormat.TSV,
        new ByteArrayInputStream(ByteText.bytes(text.toString())),
        "system." + table.name(),
        TableDefinition.of(Parser.createTable(create), Profile.MODERN),
        new BatchReader.Options(ZoneOffset.UTC, 65_536, false, context.surroundings()),
        context.allocator());
  }

  /** The batches of a reader, which is taken over. */
  private static final class TextRows implements Rows {
    private final BatchReader reader;
    private final List<ResultColumn> columns;
    private final BufferAllocator allocator;
    private final List<FieldVector> added = new ArrayList<>();
    private VectorSchemaRoot given;
    private VectorSchemaRoot batch;

    TextRows(BatchReader reader, List<ResultColumn> columns, BufferAllocator allocator) {
      this.reader = reader;
      this.columns = columns;
      this.allocator = allocator;
    }

    @Override
    public List<ResultColumn> columns() {
      return columns;
    }

    @Override
    public boolean next() throws IOException {
      drop();
      given = reader.next().orElse(null);
      if (given == null) {
        return false;
      }
      batch =
          Batches.of(
              Batches.schema(columns),
              columns.stream().map(this::vector).toList(),
              given.getRowCount());
      return true;
    }

    /** The column of the batch, which has none where no row has a value. */
    private FieldVector vector(ResultColumn column) {
      FieldVector vector = given.getVector(column.name());
      if (vector == null) {
        int rows = given.getRowCount();
        vector = ArrowMapping.field(column.name(), column.type()).createVector(allocator);
        added.add(vector);
        Defaults.of(column.type()).appendMissing(vector, 0, rows);
        Vectors.finish(vector, rows);
      }
      return vector;
    }

    @Override
    public VectorSchemaRoot batch() {
      return batch;
    }

    private void drop() {
      Vectors.close(added);
      added.clear();
      if (given != null) {
        given.close();
        given = null;
      }
    }

    @Override
    public void close() throws IOException {
      drop();
      reader.close();
    }
  }
}
