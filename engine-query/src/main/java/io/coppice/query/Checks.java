package io.coppice.query;

import io.coppice.engine.Table;
import io.coppice.engine.TableCheck;
import io.coppice.language.expression.Literal;
import io.coppice.language.statement.CheckTable;
import io.coppice.language.text.ByteText;
import io.coppice.language.type.PlainType;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.VarCharVector;

/** CHECK TABLE: a row for each part, or one for all if the settings say so. */
final class Checks {
  private static final List<ResultColumn> COLUMNS =
      List.of(
          new ResultColumn("part_path", PlainType.STRING),
          new ResultColumn("is_passed", PlainType.UINT8),
          new ResultColumn("message", PlainType.STRING));

  private Checks() {}

  static Rows check(Context context, CheckTable check) throws IOException {
    Table table = context.engine().table(check.table().in(context.database()));
    List<TableCheck.Result> results = TableCheck.of(table, check.partition());
    Literal single = context.settings().get("check_query_single_value_result");
    if (single != null && (single.text().equals("1") || single.text().equals("true"))) {
      boolean passed = results.stream().allMatch(TableCheck.Result::passed);
      return FixedRows.number("result", passed ? 1 : 0, context.allocator());
    }
    List<FieldVector> vectors = Batches.vectors(COLUMNS, context.allocator());
    for (int row = 0; row < results.size(); row++) {
      TableCheck.Result result = results.get(row);
      ((VarCharVector) vectors.get(0)).setSafe(row, ByteText.bytes(result.part().text()));
      ((UInt1Vector) vectors.get(1)).setSafe(row, result.passed() ? 1 : 0);
      ((VarCharVector) vectors.get(2)).setSafe(row, ByteText.bytes(result.message()));
    }
    vectors.forEach(vector -> vector.setValueCount(results.size()));
    return new FixedRows(COLUMNS, vectors, results.size());
  }
}
