package io.coppice.parts.table;

import io.coppice.language.expression.Expression;
import io.coppice.language.statement.Column.DefaultKind;
import io.coppice.language.type.DataType;
import java.util.Optional;

/**
 * A column of a table.
 *
 * @param codec the text of its CODEC, if it has one
 * @param defaultKind how {@code expression} is meant; DEFAULT if there is none
 * @param expression where the value comes from when it is not given
 */
public record ColumnDefinition(
    String name,
    DataType type,
    Optional<String> codec,
    DefaultKind defaultKind,
    Optional<Expression> expression) {

  /** A column without default and codec. */
  public static ColumnDefinition of(String name, DataType type) {
    return new ColumnDefinition(
        name, type, Optional.empty(), DefaultKind.DEFAULT, Optional.empty());
  }

  /** Whether parts hold the column: ALIAS and EPHEMERAL columns they do not. */
  public boolean stored() {
    return defaultKind == DefaultKind.DEFAULT || defaultKind == DefaultKind.MATERIALIZED;
  }
}
