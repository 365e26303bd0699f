package io.coppice.query;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.engine.Table;
import io.coppice.engine.TableInsert;
import io.coppice.language.statement.Column.DefaultKind;
import io.coppice.language.statement.Insert;
import io.coppice.language.statement.Query;
import io.coppice.language.text.ByteText;
import io.coppice.parts.column.Gather;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.text.BatchReader;
import io.coppice.parts.text.DataFormat;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** INSERT: rows of a query, of VALUES, or of a format behind the statement. */
final class Inserts {
  private static final int BATCH_ROWS = 65_536;

  private final Context context;

  Inserts(Context context) {
    this.context = context;
  }

  /** Carries out an INSERT; says how many rows were written. */
  long insert(Insert insert, Optional<String> data) throws IOException {
    if (insert.function().isPresent() || insert.infile().isPresent()) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED, "INSERT INTO FUNCTION and FROM INFILE are not served yet");
    }
    Table table = context.engine().table(insert.table().orElseThrow().in(context.database()));
    List<ColumnDefinition> columns = columns(table, insert.columns());
    if (insert.source() instanceof Insert.Source.Rows rows) {
      return insert(table, columns, rows.query().body());
    }
    String format = ((Insert.Source.Data) insert.source()).name().orElse("Values");
    String text = data.orElse("");
    try (TableInsert into = table.insert()) {
      if (format.equals("Values")) {
        ValueRows.add(context, text, columns, into);
      } else {
        read(DataFormat.named(format), text, insert, table, columns, into);
      }
      return into.finish().rows();
    }
  }

  /** Puts the rows of a query into all columns of a table. */
  long insert(Table table, Query.Body query) throws IOException {
    return insert(table, columns(table, List.of()), query);
  }

  private long insert(Table table, List<ColumnDefinition> columns, Query.Body query)
      throws IOException {
    List<ResultColumn> named =
        columns.stream().map(column -> new ResultColumn(column.name(), column.type())).toList();
    QueryPlanner planner = QueryPlanner.of(context);
    Rows rows = planner.plan(query);
    try {
      if (rows.columns().size() != columns.size()) {
        throw EngineException.of(
            ErrorCode.NUMBER_OF_ARGUMENTS_DOESNT_MATCH,
            "INSERT INTO %s: the query gives %d columns, expected %d",
            table.name().text(),
            rows.columns().size(),
            columns.size());
      }
      rows = planner.converted(rows, named);
      try (TableInsert into = table.insert()) {
        while (rows.next()) {
          add(rows.batch(), named, into);
        }
        return into.finish().rows();
      }
    } finally {
      rows.close();
    }
  }

  /** Adds a batch whose columns have the table's types, but names of their own. */
  private void add(VectorSchemaRoot batch, List<ResultColumn> named, TableInsert into)
      throws IOException {
    int count = batch.getRowCount();
    List<FieldVector> vectors = Batches.vectors(named, context.allocator());
    try {
      for (int i = 0; i < vectors.size(); i++) {
        Gather.appendRange(batch.getVector(i), 0, count, vectors.get(i), 0);
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
    return columns;
  }

  private void read(
      DataFormat given,
      String text,
      Insert insert,
      Table table,
      List<ColumnDefinition> columns,
      TableInsert into)
      throws IOException {
    DataFormat format = given;
    InputStream in = new ByteArrayInputStream(ByteText.bytes(text));
    boolean plain = given == DataFormat.TSV || given == DataFormat.CSV;
    if (plain && !insert.columns().isEmpty()) {
      // The list of columns says what a first line would.
      format = given == DataFormat.TSV ? DataFormat.TSV_WITH_NAMES : DataFormat.CSV_WITH_NAMES;
      String separator = given == DataFormat.TSV ? "\t" : ",";
      String line =
          columns.stream().map(ColumnDefinition::name).collect(Collectors.joining(separator))
              + "\n";
      in = new SequenceInputStream(new ByteArrayInputStream(ByteText.bytes(line)), in);
    }
    BatchReader.Options options =
        new BatchReader.Options(
            context.surroundings().zone(), BATCH_ROWS, false, context.surroundings());
    try (BatchReader reader =
        BatchReader.open(
            format, in, "the data of INSERT", table.definition(), options, context.allocator())) {
      Optional<VectorSchemaRoot> next = reader.next();
      while (next.isPresent()) {
        try (VectorSchemaRoot batch = next.get()) {
          into.add(batch);
        }
        next = reader.next();
      }
    }
  }
}
