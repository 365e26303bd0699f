package io.coppice.parts.write;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.TypedExpression;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.MergingKind;
import io.coppice.parts.table.TableDefinition;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.StringJoiner;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * What a table asks of every row: its CHECK constraints, and the sign of CollapsingMergeTree, which
 * ClickHouse refuses on INSERT unless it is 1 or -1; that of VersionedCollapsingMergeTree it takes
 * as it is. Immutable.
 */
final class RowChecks {
  private static final int SHOWN_VALUE_CHARS = 100;

  private record Constraint(String name, Expression declared, TypedExpression expression) {}

  private final TableDefinition table;
  private final List<Constraint> constraints = new ArrayList<>();
  private final OptionalInt sign;

  /** Compiles the constraints of a table; ASSUME asks nothing of rows. */
  RowChecks(TableDefinition table, ExpressionCompiler compiler) {
    this.table = table;
    for (CreateTable.Constraint constraint : table.constraints()) {
      if (constraint.assume()) {
        continue;
      }
      TypedExpression expression;
      try {
        expression = compiler.compile(constraint.expression());
      } catch (EngineException e) {
        throw e.within(label(constraint.name()));
      }
      if (!truth(expression.type())) {
        throw EngineException.of(
            ErrorCode.UNSUPPORTED_METHOD,
            "%s CHECK %s has type %s, expected UInt8",
            label(constraint.name()),
            constraint.expression().text(),
            expression.type().text());
      }
      constraints.add(new Constraint(constraint.name(), constraint.expression(), expression));
    }
    this.sign = sign(table);
  }

  private String label(String constraint) {
    return "table " + table.name() + ": constraint " + constraint;
  }

  private static boolean truth(DataType type) {
    DataType bare = type instanceof DataType.NullableType nullable ? nullable.inner() : type;
    return bare == PlainType.UINT8 || bare == PlainType.BOOL;
  }

  private static OptionalInt sign(TableDefinition table) {
    boolean collapsing = table.kind() == MergingKind.COLLAPSING;
    Optional<Expression> column = table.engineArguments().stream().findFirst();
    if (collapsing
        && column.isPresent()
        && column.get().bare() instanceof Expression.Identifier id) {
      List<ColumnDefinition> stored = table.storedColumns();
      for (int i = 0; i < stored.size(); i++) {
        if (stored.get(i).name().equals(id.name())) {
          return OptionalInt.of(i);
        }
      }
    }
    return OptionalInt.empty();
  }

  /**
   * Checks rows before anything is written of them.
   *
   * @param stored the stored columns of the table, borrowed
   * @param before rows that were added before these, for messages
   * @throws EngineException VIOLATED_CONSTRAINT or INCORRECT_DATA naming the first row
   */
  void check(List<FieldVector> stored, int rows, long before) {
    if (sign.isPresent()) {
      checkSign(stored.get(sign.getAsInt()), rows, before);
    }
    if (constraints.isEmpty()) {
      return;
    }
    VectorSchemaRoot view =
        new VectorSchemaRoot(stored.stream().map(FieldVector::getField).toList(), stored, rows);
    for (Constraint constraint : constraints) {
      BitSet passed = constraint.expression().ones(view);
      int row = passed.nextClearBit(0);
      if (row < rows) {
        throw EngineException.of(
            ErrorCode.VIOLATED_CONSTRAINT,
            "constraint %s of table %s is violated at row %d of the input: CHECK %s is not true of %s;"
                + " no row of this batch was built",
            constraint.name(),
            table.name(),
            before + row + 1,
            constraint.declared().text(),
            values(constraint.expression(), view, row));
      }
    }
  }

  private static String values(TypedExpression expression, VectorSchemaRoot view, int row) {
    StringJoiner values = new StringJoiner(", ");
    for (String column : expression.columns()) {
      String text = String.valueOf(view.getVector(column).getObject(row));
      values.add(
          column
              + " = "
              + (text.length() <= SHOWN_VALUE_CHARS
                  ? text
                  : text.substring(0, SHOWN_VALUE_CHARS) + "…"));
    }
    return values.length() == 0 ? "any row" : values.toString();
  }

  private void checkSign(FieldVector vector, int rows, long before) {
    if (!(vector instanceof TinyIntVector signs)) {
      return;
    }
    for (int row = 0; row < rows; row++) {
      if (signs.get(row) != 1 && signs.get(row) != -1) {
        throw EngineException.of(
            ErrorCode.INCORRECT_DATA,
            "row %d of the input: column %s, the sign of the %s engine of table %s, is %d, expected 1"
                + " or -1",
            before + row + 1,
            vector.getName(),
            table.kind(),
            table.name(),
            signs.get(row));
      }
    }
  }
}
