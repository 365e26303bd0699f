package io.coppice.query;

import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Expression.Identifier;
import io.coppice.language.expression.Literal;
import io.coppice.language.type.DataType;
import io.coppice.parts.column.Defaults;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.text.BatchReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;

/** The rows of an input, each batch with all columns of its table in their order and types. */
final class ReaderRows implements Rows {
  private final Context context;
  private final List<ResultColumn> columns;
  private final TableDefinition table;
  private final BatchReader reader;
  private final InputStream in;
  private VectorSchemaRoot read;
  private final List<FieldVector> made = new ArrayList<>();
  private VectorSchemaRoot batch;

  /** A reader of a table's columns and the stream it reads, both taken over. */
  ReaderRows(
      Context context,
      List<ResultColumn> columns,
      TableDefinition table,
      BatchReader reader,
      InputStream in) {
    this.context = context;
    this.columns = columns;
    this.table = table;
    this.reader = reader;
    this.in = in;
  }

  @Override
  public List<ResultColumn> columns() {
    return columns;
  }

  @Override
  public boolean next() throws IOException {
    release();
    Optional<VectorSchemaRoot> given = reader.next();
    if (given.isEmpty()) {
      return false;
    }
    read = given.get();
    Map<String, DataType> types = new HashMap<>();
    Map<String, FieldVector> vectors = new HashMap<>();
    for (Field field : read.getSchema().getFields()) {
      types.put(field.getName(), ArrowMapping.typeOf(field));
      vectors.put(field.getName(), read.getVector(field));
    }
    List<FieldVector> all = new ArrayList<>();
    for (ResultColumn column : columns) {
      FieldVector vector = vectors.get(column.name());
      boolean asIs = vector != null && types.get(column.name()).equals(column.type());
      all.add(asIs ? vector : made(column, types));
    }
    batch = Batches.of(Batches.schema(columns), all, read.getRowCount());
    return true;
  }

  /** A column of the input in the type that is wanted, or what stands for one that is lacking. */
  private FieldVector made(ResultColumn column, Map<String, DataType> given) {
    Field field = ArrowMapping.field(column.name(), column.type());
    Optional<Expression> value =
        given.containsKey(column.name())
            ? Optional.of(Identifier.of(column.name()))
            : table.column(column.name()).flatMap(ColumnDefinition::expression);
    FieldVector vector;
    if (value.isPresent()) {
      Literal type = new Literal.StringLiteral(column.type().text());
      vector =
          context
              .compiler(given)
              .compile(FunctionCall.of("CAST", value.get(), type))
              .evaluate(read, field, context.allocator());
      made.add(vector);
    } else {
      vector = field.createVector(context.allocator());
      made.add(vector);
      Vectors.reserve(vector, read.getRowCount());
      Defaults.of(column.type()).appendMissing(vector, 0, read.getRowCount());
      Vectors.finish(vector, read.getRowCount());
    }
    return vector;
  }

  private void release() {
    Vectors.close(made);
    made.clear();
    if (read != null) {
      read.close();
      read = null;
    }
  }

  @Override
  public VectorSchemaRoot batch() {
    return batch;
  }

  @Override
  public void close() throws IOException {
    release();
    try {
      reader.close();
    } finally {
      in.close();
    }
  }
}
