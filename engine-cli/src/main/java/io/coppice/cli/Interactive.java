package io.coppice.cli;

import io.coppice.query.Session;
import java.io.IOException;
import java.io.InputStream;

/** Asks for statements on a terminal. */
final class Interactive {
  private final Shell shell;
  private final Statements statements;

  Interactive(Shell shell, Session session, Statements statements) {
    this.shell = shell;
    this.statements = statements;
  }

  int run() throws IOException {
    return statements.run(
        io.coppice.language.text.ByteText.of(shell.in().readAllBytes()),
        InputStream.nullInputStream());
  }
}
