package io.coppice.language.statement;

import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Literal;
import java.util.Map;
import java.util.Optional;

/** {@code DELETE FROM}, the lightweight delete. */
public record DeleteRows(
    TableName table,
    Optional<PartitionId> partition,
    Expression where,
    Map<String, Literal> settings)
    implements Statement {
  public DeleteRows {
    settings = StatementText.ordered(settings);
  }

  @Override
  public String text() {
    return "DELETE FROM "
        + table.text()
        + partition.map(p -> " IN " + p.text()).orElse("")
        + " WHERE "
        + where.text()
        + StatementText.settings("\nSETTINGS ", settings);
  }
}
