package io.coppice.language.statement;

import io.coppice.language.expression.Literal;
import java.util.Map;
import java.util.Optional;

/** {@code DESCRIBE TABLE}: the columns of a table or query. */
public record DescribeTable(
    Select.Source source, Map<String, Literal> settings, Optional<String> format)
    implements Statement {
  public DescribeTable {
    settings = StatementText.ordered(settings);
  }

  @Override
  public String text() {
    return (source instanceof Select.Source.Subquery ? "DESCRIBE TABLE\n" : "DESCRIBE TABLE ")
        + SelectText.source(source, 0)
        + StatementText.settings("\nSETTINGS ", settings)
        + StatementText.format(format);
  }
}
