package io.coppice.query;

import io.coppice.language.expression.Expression;
import io.coppice.language.type.DataType;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Another chain of rows: a subquery, or a table function. */
final class RowsSource implements Source {
  private final Context context;
  private final Rows rows;
  private final List<List<String>> qualifiers;
  private boolean opened;

  /** Rows, which are taken over. */
  RowsSource(Context context, Rows rows, Optional<String> alias) {
    this.context = context;
    this.rows = rows;
    this.qualifiers = alias.map(name -> List.of(List.of(name))).orElse(List.of());
  }

  @Override
  public List<ResultColumn> visible() {
    return rows.columns();
  }

  @Override
  public Map<String, DataType> types() {
    return rows.types();
  }

  @Override
  public List<List<String>> qualifiers() {
    return qualifiers;
  }

  @Override
  public Rows open(List<String> columns, Optional<Expression> filter) {
    Rows from = rows;
    if (filter.isPresent()) {
      from =
          new FilterRows(
              rows, Conditions.compile(context, filter.get(), types()), context.allocator());
    }
    opened = true;
    return from;
  }

  @Override
  public void close() throws IOException {
    if (!opened) {
      rows.close();
    }
  }
}
