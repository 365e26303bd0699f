package io.coppice.language.statement;

import io.coppice.language.expression.Expression;

/** What a partition command is about. */
public sealed interface PartitionId {
  /** With the word before it, as {@code PARTITION ID '2020'}. */
  String text();

  /** {@code PARTITION ALL}. */
  record All() implements PartitionId {
    @Override
    public String text() {
      return "PARTITION ALL";
    }
  }

  /** {@code PARTITION ID '…'}. */
  record Id(String id) implements PartitionId {
    @Override
    public String text() {
      return "PARTITION ID " + StatementText.quoted(id);
    }
  }

  /** {@code PARTITION value}: the partition key's value, a tuple where it has several elements. */
  record Value(Expression value) implements PartitionId {
    @Override
    public String text() {
      return "PARTITION " + value.text();
    }
  }

  /** {@code PART '…'}. */
  record Part(String name) implements PartitionId {
    @Override
    public String text() {
      return "PART " + StatementText.quoted(name);
    }
  }
}
