package io.coppice.language.statement;

import io.coppice.language.text.Identifiers;
import java.util.Optional;

/**
 * {@code CREATE DATABASE} and {@code ATTACH DATABASE}.
 *
 * @param uuid the text after UUID
 */
public record CreateDatabase(
    boolean attach,
    boolean ifNotExists,
    String database,
    Optional<String> uuid,
    Optional<Definition> engine,
    Optional<String> comment)
    implements Statement {
  @Override
  public String text() {
    return (attach ? "ATTACH DATABASE " : "CREATE DATABASE ")
        + (ifNotExists ? "IF NOT EXISTS " : "")
        + Identifiers.backQuoteIfNeeded(database)
        + uuid.map(u -> " UUID " + StatementText.quoted(u)).orElse("")
        + engine.map(e -> "\nENGINE = " + e.text()).orElse("")
        + comment.map(c -> "\nCOMMENT " + StatementText.quoted(c)).orElse("");
  }
}
