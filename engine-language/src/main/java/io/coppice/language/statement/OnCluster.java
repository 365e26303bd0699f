package io.coppice.language.statement;

import java.util.Optional;

/** A statement to be carried out on every host of a cluster. */
public record OnCluster(String cluster, Statement statement) implements Statement {
  @Override
  public Optional<String> format() {
    return statement.format();
  }

  @Override
  public String text() {
    return statement.text() + " ON CLUSTER " + StatementText.name(cluster);
  }
}
