package io.coppice.query;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.engine.InsertResult;
import io.coppice.engine.Table;
import io.coppice.engine.TableInsert;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Literal;
import io.coppice.language.statement.Column.DefaultKind;
import io.coppice.language.statement.Insert;
import io.coppice.language.statement.Query;
import io.coppice.parts.column.Gather;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.text.BatchReader;
import io.coppice.parts.text.BlockReader;
import io.coppice.parts.text.DataFormat;
import io.coppice.parts.write.BlockLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** INSERT: rows of a query, of VALUES, or of a format behind the statement. */
final class Inserts {
  static final String DATA = "the data of INSERT";

  private final Context context;

  Inserts(Context context) {
    this.context = context;
  }

  /** Carries out an INSERT; says what it wrote. */
  InsertResult insert(Insert insert, Optional<InputStream> data) throws IOException {
    if (insert.function().isPresent()) {
      return new InsertResult(intoFunction(insert, insert.function().get(), data), List.of(), 0, 0);
    }
    Table table = context.engine().table(insert.table().orElseThrow().in(context.database()));
    List<ColumnDefinition> columns = columns(table, insert.columns());
    if (insert.source() instanceof Insert.Source.Rows rows) {
      return insert(table, columns, rows.query().body());
    }
    Optional<InputStream> all = data;
    if (QueuedInsert.wanted(insert, context)) {
      QueuedInsert queued = new QueuedInsert(context);
      InputStream in = data.orElse(InputStream.nullInputStream());
      byte[] head = in.readNBytes(queued.mostBytes() + 1);
      if (head.length <= queued.mostBytes()) {
        return queued.insert(insert, table, columns, format(insert), head, token());
      }
      all = Optional.of(new SequenceInputStream(new ByteArrayInputStream(head), in));
    }
    try (TableInsert into = begin(table, columns, false)) {
      read(insert, all, table.definition(), columns, into::add);
      return into.finish();
    }
  }

  /** Rows of a query come in no certain order: they are known again by a token alone. */
  private TableInsert begin(Table table, List<ColumnDefinition> columns, boolean query) {
    TableInsert into =
        table
            .insert(InsertSetting.insert(context.settings()))
            .ofColumns(columns.stream().map(ColumnDefinition::name).toList());
    Optional<String> token = token();
    // 26.7 looks at insert_deduplicate for replicated tables only.
    if (query && token.isEmpty()) {
      into.withoutDeduplication();
    }
    token.ifPresent(into::withToken);
    return into;
  }

  private Optional<String> token() {
    return context.settings().get("insert_deduplication_token") instanceof Literal.StringLiteral t
            && !t.value().isEmpty()
        ? Optional.of(t.value())
        : Optional.empty();
  }

  /** The format of the data that comes with an INSERT. */
  private static DataFormat format(Insert insert) {
    return DataFormat.inputNamed(((Insert.Source.Data) insert.source()).name().orElse("Values"));
  }

  /** Takes the batches of an insert, which stay whose they are. */
  @FunctionalInterface
  private interface Taking {
    void add(VectorSchemaRoot batch, boolean ends) throws IOException;
  }

  private long intoFunction(Insert insert, FunctionCall call, Optional<InputStream> data)
      throws IOException {
    if (!insert.columns().isEmpty()) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED, "INSERT INTO FUNCTION with a list of columns is not served");
    }
    TableFunctions functions = new TableFunctions(context);
    boolean discard = call.name().equalsIgnoreCase("null");
    if (!discard && !call.name().equalsIgnoreCase("file")) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED,
          "nothing can be inserted into the table function %s; there are file and null",
          call.name());
    }
    QueryPlanner planner = QueryPlanner.of(context);
    if (insert.source() instanceof Insert.Source.Rows source) {
      Rows rows = planner.plan(source.query().body());
      try {
        List<ResultColumn> wanted =
            discard
                ? TableFunctions.columns(functions.text(call, 0, "structure"))
                : InputFiles.of(context, call).columns(rows.columns());
        if (wanted.size() != rows.columns().size()) {
          throw mismatch(call.text(), rows.columns().size(), wanted.size());
        }
        rows = planner.converted(rows, wanted);
        return discard
            ? count(rows)
            : InputFiles.of(context, call).write(new NamedRows(rows, wanted));
      } finally {
        rows.close();
      }
    }
    String structure = functions.text(call, discard ? 0 : 2, "structure");
    TableDefinition table = InputTable.table(structure);
    List<ColumnDefinition> columns = table.storedColumns();
    if (discard) {
      long[] count = {0};
      read(insert, data, table, columns, (batch, ends) -> count[0] += batch.getRowCount());
      return count[0];
    }
    try (InputStream in = data.orElse(InputStream.nullInputStream())) {
      String format = ((Insert.Source.Data) insert.source()).name().orElse("Values");
      InputTable input =
          InputTable.once(DATA, DataFormat.inputNamed(format), Optional.of(structure), in);
      try (Rows rows = input.open(context)) {
        return InputFiles.of(context, call).write(rows);
      }
    }
  }

  private static long count(Rows rows) throws IOException {
    long count = 0;
    while (rows.next()) {
      count += rows.batch().getRowCount();
    }
    return count;
  }

  private static EngineException mismatch(String target, int given, int expected) {
    return EngineException.of(
        ErrorCode.NUMBER_OF_ARGUMENTS_DOESNT_MATCH,
        "INSERT INTO %s: the query gives %d columns, expected %d",
        target,
        given,
        expected);
  }

  /** Puts the rows of a query into all columns of a table. */
  InsertResult insert(Table table, Query.Body query) throws IOException {
    return insert(table, columns(table, List.of()), query);
  }

  private InsertResult insert(Table table, List<ColumnDefinition> columns, Query.Body query)
      throws IOException {
    List<ResultColumn> named =
        columns.stream().map(column -> new ResultColumn(column.name(), column.type())).toList();
    QueryPlanner planner = QueryPlanner.of(context);
    Rows rows = planner.plan(query);
    try {
      if (rows.columns().size() != columns.size()) {
        throw mismatch(table.name().text(), rows.columns().size(), columns.size());
      }
      rows = planner.converted(rows, named);
      try (TableInsert into = begin(table, columns, true)) {
        while (rows.next()) {
          add(rows.batch(), named, into);
        }
        return into.finish();
      }
    } finally {
      rows.close();
    }
  }

  /** Adds a batch whose columns have the table's types, but names of their own, as blocks. */
  private void add(VectorSchemaRoot batch, List<ResultColumn> named, TableInsert into)
      throws IOException {
    for (int from = 0; from < batch.getRowCount(); from += context.blockRows()) {
      add(batch, from, Math.min(context.blockRows(), batch.getRowCount() - from), named, into);
    }
  }

  private void add(
      VectorSchemaRoot batch, int from, int count, List<ResultColumn> named, TableInsert into)
      throws IOException {
    List<FieldVector> vectors = Batches.vectors(named, context.allocator());
    try {
      for (int i = 0; i < vectors.size(); i++) {
        Gather.appendRange(batch.getVector(i), from, count, vectors.get(i), 0);
        Vectors.finish(vectors.get(i), count);
      }
      into.add(Batches.of(Batches.schema(named), vectors, count));
    } finally {
      Vectors.close(vectors);
    }
  }

  private static List<ColumnDefinition> columns(Table table, List<Insert.InsertColumn> listed) {
    List<ColumnDefinition> all =
        table.definition().columns().stream()
            .filter(column -> column.defaultKind() == DefaultKind.DEFAULT)
            .toList();
    if (listed.isEmpty()) {
      return all;
    }
    List<ColumnDefinition> columns = new ArrayList<>();
    for (Insert.InsertColumn element : listed) {
      if (element instanceof Insert.InsertColumn.AllExcept star) {
        all.stream().filter(c -> !star.except().contains(c.name())).forEach(columns::add);
        continue;
      }
      String name = ((Insert.InsertColumn.Named) element).name();
      columns.add(
          table
              .definition()
              .column(name)
              .orElseThrow(
                  () ->
                      EngineException.of(
                          ErrorCode.NO_SUCH_COLUMN_IN_TABLE,
                          "table %s has no column %s",
                          table.name().text(),
                          name)));
    }
    Set<String> names = new HashSet<>();
    for (ColumnDefinition column : columns) {
      if (!names.add(column.name())) {
        throw EngineException.of(
            ErrorCode.DUPLICATE_COLUMN,
            "INSERT INTO %s lists column %s twice",
            table.name().text(),
            column.name());
      }
    }
    return columns;
  }

  private void read(
      Insert insert,
      Optional<InputStream> data,
      TableDefinition table,
      List<ColumnDefinition> columns,
      Taking to)
      throws IOException {
    Optional<String> named = ((Insert.Source.Data) insert.source()).name();
    if (insert.infile().isPresent()) {
      for (Path file : InputFiles.found(insert.infile().get())) {
        DataFormat format =
            named
                .filter(name -> !name.equals("Values"))
                .map(DataFormat::inputNamed)
                .orElseGet(() -> DataFormat.ofFileName(file.toString()));
        try (InputStream in = InputFiles.open(file, insert.compression().orElse("auto"))) {
          BlockLimits blocks = InsertSetting.fileBlocks(context.settings());
          read(format, in, file.toString(), table, columns, blocks, to);
        }
      }
      return;
    }
    DataFormat format = format(insert);
    InputStream in = data.orElse(InputStream.nullInputStream());
    BlockLimits blocks = InsertSetting.blocks(context.settings());
    read(format, in, DATA, table, columns, blocks, to);
  }

  private void read(
      DataFormat format,
      InputStream in,
      String name,
      TableDefinition table,
      List<ColumnDefinition> columns,
      BlockLimits blocks,
      Taking to)
      throws IOException {
    BatchReader.Options plain =
        InputTable.options(context, columns.stream().map(ColumnDefinition::name).toList());
    BatchReader.Options options =
        plain.within(plain.batchRows(), InsertSetting.segment(context.settings(), blocks));
    try (BlockReader reader =
        BlockReader.open(format, in, name, table, options, blocks, context.allocator())) {
      for (Optional<BlockReader.Piece> next = reader.next();
          next.isPresent();
          next = reader.next()) {
        try (VectorSchemaRoot batch = next.get().batch()) {
          to.add(batch, next.get().ends());
        }
      }
    }
  }
}
