package io.coppice.query;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Literal;
import io.coppice.language.text.ByteText;
import io.coppice.language.text.NearNames;
import io.coppice.language.type.DataType;
import io.coppice.parts.column.Gather;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.expression.TypedExpression;
import io.coppice.parts.table.ColumnDefinition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Functions behind FROM: {@code numbers}, {@code values}, {@code file}, {@code null}. */
final class TableFunctions {
  private static final List<String> NAMES = List.of("numbers", "values", "file", "null");

  private final Context context;

  TableFunctions(Context context) {
    this.context = context;
  }

  /**
   * The rows that a function gives.
   *
   * @throws EngineException UNKNOWN_FUNCTION, and what is wrong with the arguments
   */
  Rows open(FunctionCall call) throws IOException {
    return switch (call.name().toLowerCase(java.util.Locale.ROOT)) {
      case "numbers" -> numbers(call);
      case "values" -> values(call);
      case "file" -> InputFiles.of(context, call).open();
      case "null" -> FixedRows.empty(columns(text(call, 0, "structure")), context.allocator());
      default ->
          throw EngineException.of(
              ErrorCode.UNKNOWN_FUNCTION,
              "table function %s is not served%s",
              call.name(),
              NearNames.hint(call.name(), NAMES) + "; there are " + String.join(", ", NAMES));
    };
  }

  private Rows numbers(FunctionCall call) {
    int arguments = call.arguments().size();
    if (arguments < 1 || arguments > 3) {
      throw EngineException.of(
          ErrorCode.NUMBER_OF_ARGUMENTS_DOESNT_MATCH,
          "%s has %d arguments, expected numbers(n), numbers(first, n) or numbers(first, n, step)",
          call.text(),
          arguments);
    }
    long[] values = new long[arguments];
    for (int i = 0; i < arguments; i++) {
      values[i] = Constants.count(context, "numbers", call.arguments().get(i));
    }
    if (arguments == 3) {
      if (values[2] <= 0) {
        throw EngineException.of(
            ErrorCode.BAD_ARGUMENTS, "%s: step %d, expected 1 or more", call.text(), values[2]);
      }
      long count = values[1] / values[2] + (values[1] % values[2] == 0 ? 0 : 1);
      return new NumbersRows(values[0], count, values[2], context.blockRows(), context.allocator());
    }
    return arguments == 1
        ? new NumbersRows(0, values[0], context.blockRows(), context.allocator())
        : new NumbersRows(values[0], values[1], context.blockRows(), context.allocator());
  }

  /** The text that a constant argument is. */
  String text(FunctionCall call, int index, String what) {
    if (index >= call.arguments().size()) {
      throw EngineException.of(
          ErrorCode.NUMBER_OF_ARGUMENTS_DOESNT_MATCH, "%s: the %s is missing", call.text(), what);
    }
    Expression argument = call.arguments().get(index);
    if (argument.bare() instanceof Expression.Identifier name && name.parts().size() == 1) {
      return name.parts().get(0); // a format may be written without quotes
    }
    TypedExpression compiled = context.compiler(Map.of()).compile(argument);
    try (VectorSchemaRoot one = Batches.bare(1);
        FieldVector value =
            compiled.evaluate(
                one,
                io.coppice.parts.table.ArrowMapping.field("argument", compiled.type()),
                context.allocator())) {
      if (value instanceof VarCharVector texts && !texts.isNull(0)) {
        return ByteText.of(texts.get(0));
      }
    }
    throw EngineException.of(
        ErrorCode.ILLEGAL_TYPE_OF_ARGUMENT,
        "%s: the %s is %s, expected a text",
        call.text(),
        what,
        argument.text());
  }

  static List<ResultColumn> columns(String structure) {
    return InputTable.table(structure).columns().stream()
        .filter(ColumnDefinition::stored)
        .map(column -> new ResultColumn(column.name(), column.type()))
        .toList();
  }

  private Rows values(FunctionCall call) {
    List<Expression> arguments = call.arguments();
    boolean structured =
        arguments.size() > 1
            && arguments.get(0).bare() instanceof Literal.StringLiteral
            && structure(arguments.get(0));
    List<List<Expression>> rows = new ArrayList<>();
    for (Expression row : arguments.subList(structured ? 1 : 0, arguments.size())) {
      rows.add(elements(row));
    }
    if (rows.isEmpty()) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS,
          "%s has no rows; expected values('a Int8, b String', (1, 'x'), (2, 'y'))",
          call.text());
    }
    List<ResultColumn> columns = structured ? columns(text(call, 0, "structure")) : guessed(rows);
    List<FieldVector> vectors = Batches.vectors(columns, context.allocator());
    boolean done = false;
    try {
      for (int row = 0; row < rows.size(); row++) {
        if (rows.get(row).size() != columns.size()) {
          throw EngineException.of(
              ErrorCode.BAD_ARGUMENTS,
              "values: row %d has %d values, expected %d",
              row + 1,
              rows.get(row).size(),
              columns.size());
        }
        for (int i = 0; i < columns.size(); i++) {
          value(rows.get(row).get(i), columns.get(i), vectors.get(i), row);
        }
      }
      vectors.forEach(vector -> Vectors.finish(vector, rows.size()));
      Rows all = new FixedRows(columns, vectors, rows.size());
      done = true;
      return all;
    } finally {
      if (!done) {
        Vectors.close(vectors);
      }
    }
  }

  private static boolean structure(Expression first) {
    try {
      columns(((Literal.StringLiteral) first.bare()).value());
      return true;
    } catch (EngineException e) {
      return false; // a text among the rows
    }
  }

  private static List<Expression> elements(Expression row) {
    if (row instanceof FunctionCall tuple && tuple.name().equals("tuple")) {
      return tuple.arguments();
    }
    return List.of(row.bare());
  }

  private List<ResultColumn> guessed(List<List<Expression>> rows) {
    List<ResultColumn> columns = new ArrayList<>();
    for (int i = 0; i < rows.get(0).size(); i++) {
      int column = i;
      List<Expression> all =
          rows.stream().filter(row -> row.size() > column).map(row -> row.get(column)).toList();
      DataType array =
          context.compiler(Map.of()).typeOf(new FunctionCall("array", List.of(), all, false));
      columns.add(
          new ResultColumn("c" + (i + 1), ((DataType.ArrayType) array.storage()).element()));
    }
    return columns;
  }

  private void value(Expression value, ResultColumn column, FieldVector to, int row) {
    TypedExpression compiled =
        context
            .compiler(Map.of())
            .compile(
                FunctionCall.of("CAST", value, new Literal.StringLiteral(column.type().text())));
    try (VectorSchemaRoot one = Batches.bare(1);
        FieldVector made = compiled.evaluate(one, to.getField(), context.allocator())) {
      Gather.append(made, new int[] {0}, 0, 1, to, row);
    } catch (EngineException e) {
      throw e.within("values, row " + (row + 1) + ", column " + column.name());
    }
  }
}
