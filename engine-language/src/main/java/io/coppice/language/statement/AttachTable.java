package io.coppice.language.statement;

import java.util.Optional;

/**
 * {@code ATTACH TABLE name}: the table comes back as its metadata file has it.
 *
 * @param from the directory of the parts, if it is said
 */
public record AttachTable(TableName table, boolean ifNotExists, Optional<String> from)
    implements Statement {
  @Override
  public String text() {
    return "ATTACH TABLE "
        + (ifNotExists ? "IF NOT EXISTS " : "")
        + table.text()
        + from.map(path -> " FROM " + StatementText.quoted(path)).orElse("");
  }
}
