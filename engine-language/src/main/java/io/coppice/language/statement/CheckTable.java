package io.coppice.language.statement;

import io.coppice.language.expression.Literal;
import java.util.Map;
import java.util.Optional;

/** {@code CHECK TABLE}, of all its parts or of those named. */
public record CheckTable(
    TableName table,
    Optional<PartitionId> partition,
    Map<String, Literal> settings,
    Optional<String> format)
    implements Statement {
  public CheckTable {
    settings = StatementText.ordered(settings);
  }

  @Override
  public String text() {
    return "CHECK TABLE "
        + table.text()
        + partition.map(p -> " " + p.text()).orElse("")
        + StatementText.settings("\nSETTINGS ", settings)
        + StatementText.format(format);
  }
}
