package io.coppice.query;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Expression.Subquery;
import io.coppice.language.expression.Literal;
import io.coppice.language.statement.Query;
import io.coppice.language.statement.TableName;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.LowCardinalityType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.parts.aggregate.Reserved;
import io.coppice.parts.column.InMemorySize;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Queries inside expressions, run once each before the query that they stand in. What their sets
 * take on the heap counts against the memory budget until this is closed.
 */
final class Subqueries implements AutoCloseable {
  /** A value of a set, in an expression and as it is asked for. */
  private static final int VALUE_BYTES = 256;

  private final Context context;
  private final QueryPlanner planner;
  private final Map<Expression, Expression> done = new HashMap<>();

  /** Told apart by identity: two queries may give equal sets. */
  private final List<Expression> sets = new ArrayList<>();

  private final Reserved reserved;
  private long heldBytes;

  Subqueries(Context context, QueryPlanner planner) {
    this.context = context;
    this.planner = planner;
    this.reserved = new Reserved(context.allocator(), "IN (SELECT …)");
  }

  /** The one value of a query, NULL when it has no row. */
  Expression scalar(Subquery subquery) {
    return once(subquery, () -> scalar((Query.Body) subquery.body(), subquery));
  }

  private Expression scalar(Query.Body body, Subquery subquery) throws IOException {
    try (Rows rows = planner.plan(body)) {
      if (rows.columns().size() != 1) {
        throw EngineException.of(
            ErrorCode.NOT_IMPLEMENTED,
            "subquery %s gives %d columns; as a value it is served with one",
            subquery.text(),
            rows.columns().size());
      }
      DataType type = nullable(rows.columns().get(0).type());
      Expression value = null;
      while (rows.next()) {
        if (value != null || rows.batch().getRowCount() > 1) {
          throw EngineException.of(
              ErrorCode.INCORRECT_RESULT_OF_SCALAR_SUBQUERY,
              "subquery %s gives more than one row where a value is expected; add LIMIT 1",
              subquery.text());
        }
        value = Constants.typed(context, rows.batch().getVector(0), 0, type);
      }
      return value != null
          ? value
          : FunctionCall.of(
              "CAST", new Literal.NullLiteral(), new Literal.StringLiteral(type.text()));
    }
  }

  private static DataType nullable(DataType given) {
    DataType type = given instanceof LowCardinalityType low ? low.inner() : given;
    boolean cannot =
        type instanceof NullableType
            || type instanceof ArrayType
            || type instanceof TupleType
            || type instanceof MapType;
    return cannot ? type : new NullableType(type);
  }

  /** Whether a query has a row: 1 or 0. */
  Expression exists(Subquery subquery) {
    return once(
        subquery,
        () -> {
          try (Rows rows = planner.plan((Query.Body) subquery.body())) {
            return Literal.IntegerLiteral.of(rows.next() ? 1 : 0);
          }
        });
  }

  /** The rows of a query as a set of constants. */
  Expression set(Subquery subquery) {
    return once(
        FunctionCall.of("set", subquery),
        () -> {
          try (Rows rows = planner.plan((Query.Body) subquery.body())) {
            return set(rows);
          }
        });
  }

  /** What EXPLAIN calls the set that a query gave. */
  Optional<String> setName(Expression set) {
    for (int i = 0; i < sets.size(); i++) {
      if (sets.get(i) == set) {
        return Optional.of("subquery" + (i + 1));
      }
    }
    return Optional.empty();
  }

  /** The rows of a table as a set, if there is such a table. */
  Optional<Expression> set(TableName name) {
    return planner
        .table(name)
        .map(
            table -> {
              try (Rows rows = table) {
                return set(rows);
              } catch (IOException e) {
                throw failed(e);
              }
            });
  }

  private Expression set(Rows rows) throws IOException {
    Set<Expression> members = new LinkedHashSet<>();
    List<ResultColumn> columns = rows.columns();
    while (rows.next()) {
      VectorSchemaRoot batch = rows.batch();
      int before = members.size();
      for (int row = 0; row < batch.getRowCount(); row++) {
        List<Expression> values = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
          FieldVector vector = batch.getVector(i);
          if (!vector.isNull(row)) {
            values.add(Constants.comparable(context, vector, row, columns.get(i).type()));
          }
        }
        if (values.size() == columns.size()) {
          members.add(
              values.size() == 1
                  ? values.get(0)
                  : new FunctionCall("tuple", List.of(), values, false));
        }
      }
      hold(members.size() - before, batch, columns);
    }
    Expression set = new FunctionCall("tuple", List.of(), List.copyOf(members), false);
    sets.add(set);
    return set;
  }

  /** Counts new members, taken as large as the rows of their batch are on average. */
  private void hold(int members, VectorSchemaRoot batch, List<ResultColumn> columns) {
    int rows = batch.getRowCount();
    long bytes = (long) rows * columns.size() * VALUE_BYTES;
    for (int i = 0; i < columns.size(); i++) {
      bytes += InMemorySize.of(batch.getVector(i), columns.get(i).type(), rows);
    }
    if (members > 0) {
      heldBytes += bytes / rows * members;
      reserved.growTo(heldBytes);
    }
  }

  /** Rows that ask the sets: when they are closed, this is. */
  Rows holding(Rows rows) {
    if (sets.isEmpty()) {
      close();
      return rows;
    }
    return new HoldingRows(rows, this);
  }

  @Override
  public void close() {
    reserved.close();
  }

  private interface Run {
    Expression run() throws IOException;
  }

  private Expression once(Expression key, Run run) {
    Expression known = done.get(key);
    if (known == null) {
      try {
        known = run.run();
      } catch (IOException e) {
        throw failed(e);
      }
      done.put(key, known);
    }
    return known;
  }

  private static EngineException failed(IOException e) {
    return new EngineException(
        ErrorCode.CANNOT_READ_FROM_FILE_DESCRIPTOR, "a subquery can't be read: " + e, e);
  }
}
