package io.coppice.language.statement;

import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Literal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code ALTER TABLE}: one or more commands, in the order written. */
public record Alter(TableName table, List<Command> commands, Map<String, Literal> settings)
    implements Statement {
  public Alter {
    commands = List.copyOf(commands);
    settings = StatementText.ordered(settings);
  }

  @Override
  public String text() {
    return AlterText.print(this);
  }

  /** One command. */
  public sealed interface Command {
    /** Its canonical text, without the brackets around it. */
    default String text() {
      return AlterText.command(this);
    }
  }

  /** Where a new column or index goes. */
  public sealed interface Place {
    /** Before all others. */
    record First() implements Place {}

    /** Behind the named one. */
    record After(String name) implements Place {}
  }

  /** A kind of thing that has a name in a table. */
  public enum Element {
    COLUMN,
    INDEX,
    PROJECTION,
    CONSTRAINT,
    STATISTICS
  }

  /** {@code ADD COLUMN}. */
  public record AddColumn(Column column, boolean ifNotExists, Optional<Place> place)
      implements Command {}

  /**
   * {@code MODIFY COLUMN}: what is said changes, the rest stays.
   *
   * @param nullability what {@code NULL} or {@code NOT NULL} behind it says
   */
  public record ModifyColumn(
      Column column, boolean ifExists, Optional<Place> place, Optional<Boolean> nullability)
      implements Command {}

  /** {@code MODIFY COLUMN name REMOVE property}. */
  public record RemoveProperty(String column, boolean ifExists, Property property)
      implements Command {}

  /** What a column may lose. */
  public enum Property {
    DEFAULT,
    MATERIALIZED,
    ALIAS,
    EPHEMERAL,
    COMMENT,
    CODEC,
    TTL,
    SETTINGS
  }

  /** {@code MODIFY COLUMN name MODIFY SETTING …}. */
  public record ModifyColumnSetting(String column, boolean ifExists, Map<String, Literal> settings)
      implements Command {
    public ModifyColumnSetting {
      settings = StatementText.ordered(settings);
    }
  }

  /** {@code MODIFY COLUMN name RESET SETTING …}. */
  public record ResetColumnSetting(String column, boolean ifExists, List<String> names)
      implements Command {
    public ResetColumnSetting {
      names = List.copyOf(names);
    }
  }

  /** {@code RENAME COLUMN}. */
  public record RenameColumn(String from, String to, boolean ifExists) implements Command {}

  /** {@code COMMENT COLUMN}. */
  public record CommentColumn(String column, boolean ifExists, String comment) implements Command {}

  /** {@code DROP COLUMN}, {@code DROP INDEX} and so on: out of the table's definition. */
  public record DropElement(Element element, String name, boolean ifExists) implements Command {}

  /** {@code CLEAR COLUMN}, {@code CLEAR INDEX} …: its data, in a partition or all. */
  public record ClearElement(
      Element element, String name, boolean ifExists, Optional<PartitionId> partition)
      implements Command {}

  /** {@code MATERIALIZE COLUMN}, {@code MATERIALIZE INDEX} …: written out in old parts. */
  public record MaterializeElement(
      Element element, String name, boolean ifExists, Optional<PartitionId> partition)
      implements Command {}

  /** {@code ADD INDEX}. */
  public record AddIndex(CreateTable.Index index, boolean ifNotExists, Optional<Place> place)
      implements Command {}

  /** {@code ADD CONSTRAINT}. */
  public record AddConstraint(CreateTable.Constraint constraint, boolean ifNotExists)
      implements Command {}

  /** {@code ADD PROJECTION}. */
  public record AddProjection(
      CreateTable.Projection projection, boolean ifNotExists, Optional<Place> place)
      implements Command {}

  /** {@code ADD STATISTICS} and {@code MODIFY STATISTICS}. */
  public record SetStatistics(
      boolean modify, boolean ifNotExists, List<String> columns, List<Definition> types)
      implements Command {
    public SetStatistics {
      columns = List.copyOf(columns);
      types = List.copyOf(types);
    }
  }

  /** {@code MODIFY ORDER BY}. */
  public record ModifyOrderBy(CreateTable.SortingKey key) implements Command {}

  /** {@code MODIFY SAMPLE BY}. */
  public record ModifySampleBy(Expression expression) implements Command {}

  /** {@code REMOVE SAMPLE BY}. */
  public record RemoveSampleBy() implements Command {}

  /** {@code REMOVE TTL}. */
  public record RemoveTtl() implements Command {}

  /** {@code MODIFY TTL}. */
  public record ModifyTtl(List<CreateTable.TtlElement> elements) implements Command {
    public ModifyTtl {
      elements = List.copyOf(elements);
    }
  }

  /** {@code MATERIALIZE TTL}. */
  public record MaterializeTtl(Optional<PartitionId> partition) implements Command {}

  /** {@code MODIFY SETTING}. */
  public record ModifySetting(Map<String, Literal> settings) implements Command {
    public ModifySetting {
      settings = StatementText.ordered(settings);
    }
  }

  /** {@code RESET SETTING}. */
  public record ResetSetting(List<String> names) implements Command {
    public ResetSetting {
      names = List.copyOf(names);
    }
  }

  /** {@code MODIFY COMMENT}. */
  public record ModifyComment(String comment) implements Command {}

  /** {@code DELETE WHERE}: a mutation. */
  public record Delete(Optional<PartitionId> partition, Expression where) implements Command {}

  /** {@code UPDATE … WHERE}: a mutation. */
  public record Update(
      List<CreateTable.Assignment> assignments, Optional<PartitionId> partition, Expression where)
      implements Command {
    public Update {
      assignments = List.copyOf(assignments);
    }
  }

  /** {@code DROP PARTITION} and {@code DROP PART}, of active or detached ones. */
  public record DropPartition(PartitionId partition, boolean detached) implements Command {}

  /** {@code DETACH PARTITION} and {@code DETACH PART}. */
  public record DetachPartition(PartitionId partition) implements Command {}

  /** {@code ATTACH PARTITION} and {@code ATTACH PART}, from the directory {@code detached}. */
  public record AttachPartition(PartitionId partition) implements Command {}

  /**
   * {@code REPLACE PARTITION … FROM} and {@code ATTACH PARTITION … FROM}: a copy of another
   * table's.
   *
   * @param replace whether what is there goes away
   */
  public record ReplacePartition(PartitionId partition, TableName from, boolean replace)
      implements Command {}

  /** {@code MOVE PARTITION … TO TABLE}. */
  public record MovePartitionToTable(PartitionId partition, TableName to) implements Command {}

  /** {@code MOVE PARTITION … TO DISK} or {@code VOLUME}. */
  public record MovePartitionToDisk(PartitionId partition, boolean volume, String target)
      implements Command {}

  /** {@code FREEZE}: a local backup by hard links, of all partitions where none is named. */
  public record FreezePartition(Optional<PartitionId> partition, Optional<String> name)
      implements Command {}

  /** {@code UNFREEZE}: the local backup goes away. */
  public record UnfreezePartition(Optional<PartitionId> partition, String name)
      implements Command {}

  /** {@code FETCH PARTITION … FROM}: from another table's znodes into {@code detached}. */
  public record FetchPartition(PartitionId partition, String from) implements Command {}
}
