package io.coppice.parts.text;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Literal;
import io.coppice.language.parse.Parser;
import io.coppice.language.text.ByteText;
import io.coppice.parts.column.Gather;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.TypedExpression;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Reads {@code (1, 'a'), (2, 'b')}: literals straight into the vectors; what is none is read as an
 * expression of constants, and DEFAULT as the column's default. A semicolon ends the rows.
 */
final class ValuesReader extends RowReader {
  private final List<ColumnDefinition> columns;
  private final List<ValueParser> parsers = new ArrayList<>();
  private final boolean expressions;
  private long rowsRead;
  private boolean ended;

  ValuesReader(
      InputStream in,
      String name,
      TableDefinition table,
      Options options,
      BufferAllocator allocator) {
    super(false, in, name, table, options, allocator);
    this.columns = InputColumn.ordinary(table, options);
    this.expressions = options.settings().is(FormatSetting.VALUES_EXPRESSIONS);
    for (ColumnDefinition column : columns) {
      parsers.add(ValueParser.of(column.type(), options.zone()));
    }
  }

  @Override
  List<ColumnDefinition> columns() {
    return columns;
  }

  /** Moves to the next row's opening bracket; false at the end. */
  @Override
  boolean findRow() throws IOException {
    if (ended) {
      return false;
    }
    int i = 0;
    boolean comma = false;
    while (true) {
      int b = input.at(i);
      if (RecordInput.space(b) || b == ',' && rowsRead > 0 && !comma) {
        comma |= b == ',';
        i++;
      } else if (b == '(') {
        input.consume(i);
        return true;
      } else if (b < 0 || b == ';') {
        int behind = i + 1;
        while (b >= 0 && (RecordInput.space(input.at(behind)) || input.at(behind) == ';')) {
          behind++;
        }
        if (b < 0 || input.at(behind) < 0) {
          ended = true;
          input.consume(b < 0 ? i : behind);
          return false;
        }
        throw unexpected(behind, "expected the end of the rows behind the semicolon");
      } else {
        throw unexpected(i, "expected '(' before row " + (rowsRead + 1));
      }
    }
  }

  private EngineException unexpected(int place, String expected) {
    int start = input.start() + place;
    int stop = input.start() + input.size();
    return EngineException.of(
        ErrorCode.CANNOT_PARSE_INPUT_ASSERTION_FAILED,
        "%s, %s: %s, found '%s'",
        name,
        input.where(place),
        expected,
        TextCursor.shown(input.bytes(), Math.min(start, stop), stop));
  }

  @Override
  void row(RowBatch batch) throws IOException {
    int size = input.behindBrackets(0, true, name);
    if (size < 0) {
      throw EngineException.of(
          ErrorCode.SYNTAX_ERROR,
          "%s, %s: the row that starts here does not end, expected ')' or the end of a text",
          name,
          input.where(0));
    }
    int row = batch.row();
    int end = input.start() + size - 1;
    cursor.on(input.bytes(), input.start() + 1, end);
    for (int i = 0; i < columns.size(); i++) {
      cursor.skipSpace();
      int from = cursor.position;
      try {
        boolean last = i == columns.size() - 1;
        if (!literal(batch, i, row, last)) {
          cursor.position = from;
          expression(batch, i, row, last);
        }
      } catch (EngineException e) {
        throw e.within(
            name
                + ", row "
                + (rowsRead + 1)
                + ", "
                + input.where(from - input.start())
                + ", column "
                + columns.get(i).name());
      }
    }
    batch.endRow();
    rowsRead++;
    input.consume(size);
  }

  /** Whether a value ends here: a comma follows, or for the last one the end of the row. */
  private boolean ends(boolean last) {
    cursor.skipSpace();
    if (last) {
      return cursor.atEnd();
    }
    return cursor.accept(',');
  }

  private boolean literal(RowBatch batch, int column, int row, boolean last) {
    boolean missing = false;
    if (cursor.word("default")) {
      cursor.position += "default".length();
      missing = true;
    } else if (cursor.word("null")
        && !columns.get(column).type().nullable()
        && options.settings().is(FormatSetting.NULL_AS_DEFAULT)) {
      cursor.position += "null".length();
      missing = true;
    } else {
      try {
        parsers.get(column).inner(cursor, batch.vector(column), row);
      } catch (EngineException e) {
        return false; // the expression tells what is wrong
      }
    }
    if (!ends(last)) {
      return false;
    }
    if (missing) {
      batch.missing(column);
    }
    return true;
  }

  private void expression(RowBatch batch, int column, int row, boolean last) {
    ColumnDefinition definition = columns.get(column);
    int from = cursor.position;
    int to = expressionEnd();
    String text = ByteText.of(java.util.Arrays.copyOfRange(cursor.bytes, from, to));
    if (text.isBlank() || !last && to == cursor.end || last && to < cursor.end) {
      throw EngineException.of(
          ErrorCode.SYNTAX_ERROR,
          "a row of %s values is expected, found '%s'",
          columns.size(),
          TextCursor.shown(cursor.bytes, from, cursor.end));
    }
    if (!expressions) {
      throw EngineException.of(
          ErrorCode.CANNOT_PARSE_INPUT_ASSERTION_FAILED,
          "'%s' is no literal of type %s, and %s is off",
          text.strip(),
          definition.type().text(),
          FormatSetting.VALUES_EXPRESSIONS.text());
    }
    Expression parsed = Parser.expression(text);
    TypedExpression value =
        ExpressionCompiler.of(Map.of())
            .in(options.surroundings())
            .compile(
                FunctionCall.of(
                    "CAST",
                    ValuesNumbers.exact(parsed, definition.type()),
                    new Literal.StringLiteral(definition.type().text())));
    try (VectorSchemaRoot one = new VectorSchemaRoot(List.of(), List.of(), 1);
        FieldVector made = value.evaluate(one, batch.vector(column).getField(), allocator)) {
      Gather.append(made, new int[] {0}, 0, 1, batch.vector(column), row);
    }
    cursor.position = last ? to : to + 1;
  }

  /** The comma or end behind the expression that stands next. */
  private int expressionEnd() {
    int depth = 0;
    int quote = 0;
    for (int i = cursor.position; i < cursor.end; i++) {
      byte b = cursor.bytes[i];
      if (quote != 0) {
        if (b == '\\') {
          i++;
        } else if (b == quote) {
          quote = 0;
        }
      } else if (b == '\'' || b == '"' || b == '`') {
        quote = b;
      } else if (b == '(' || b == '[' || b == '{') {
        depth++;
      } else if (b == ')' || b == ']' || b == '}') {
        depth--;
      } else if (b == ',' && depth == 0) {
        return i;
      }
    }
    return cursor.end;
  }
}
