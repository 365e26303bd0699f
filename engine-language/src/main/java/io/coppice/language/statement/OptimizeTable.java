package io.coppice.language.statement;

import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Literal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * {@code OPTIMIZE TABLE}.
 *
 * @param deduplicateBy the columns compared, none meaning all
 */
public record OptimizeTable(
    TableName table,
    Optional<PartitionId> partition,
    boolean finalMerge,
    boolean deduplicate,
    List<Expression> deduplicateBy,
    boolean cleanup,
    Map<String, Literal> settings)
    implements Statement {
  public OptimizeTable {
    deduplicateBy = List.copyOf(deduplicateBy);
    settings = StatementText.ordered(settings);
  }

  @Override
  public String text() {
    return "OPTIMIZE TABLE "
        + table.text()
        + partition.map(p -> " " + p.text()).orElse("")
        + (finalMerge ? " FINAL" : "")
        + (deduplicate ? " DEDUPLICATE" : "")
        + (deduplicateBy.isEmpty()
            ? ""
            : deduplicateBy.stream()
                .map(Expression::text)
                .collect(Collectors.joining(", ", " BY ", "")))
        + (cleanup ? " CLEANUP" : "")
        + StatementText.settings("\nSETTINGS ", settings);
  }
}
