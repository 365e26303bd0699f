package io.coppice.language.statement;

import io.coppice.language.statement.Alter.Command;
import io.coppice.language.statement.Alter.Place;
import io.coppice.language.statement.Alter.Property;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The canonical text of ALTER: each command on a line, in brackets. */
final class AlterText {
  private AlterText() {}

  static String print(Alter alter) {
    return alter.commands().stream()
            .map(c -> "\n    (" + command(c) + ")")
            .collect(Collectors.joining(",", "ALTER TABLE " + alter.table().text(), ""))
        + StatementText.settings("\nSETTINGS ", alter.settings());
  }

  static String command(Command command) {
    if (command instanceof Alter.AddColumn c) {
      return "ADD COLUMN "
          + (c.ifNotExists() ? "IF NOT EXISTS " : "")
          + CreateTableText.column(c.column())
          + place(c.place());
    }
    if (command instanceof Alter.ModifyColumn c) {
      return "MODIFY COLUMN "
          + ifExists(c.ifExists())
          + CreateTableText.column(c.column())
          + c.nullability().map(n -> n ? " NULL" : " NOT NULL").orElse("")
          + place(c.place());
    }
    if (command instanceof Alter.RemoveProperty c) {
      return "MODIFY COLUMN "
          + ifExists(c.ifExists())
          + columnName(c.column())
          + " REMOVE "
          + (c.property() == Property.SETTINGS ? "SETTINGS" : c.property());
    }
    if (command instanceof Alter.ModifyColumnSetting c) {
      return "MODIFY COLUMN "
          + ifExists(c.ifExists())
          + columnName(c.column())
          + StatementText.settings(" MODIFY SETTING ", c.settings());
    }
    if (command instanceof Alter.ResetColumnSetting c) {
      return "MODIFY COLUMN "
          + ifExists(c.ifExists())
          + columnName(c.column())
          + " RESET SETTING "
          + String.join(", ", c.names());
    }
    if (command instanceof Alter.RenameColumn c) {
      return "RENAME COLUMN " + ifExists(c.ifExists()) + name(c.from()) + " TO " + name(c.to());
    }
    if (command instanceof Alter.CommentColumn c) {
      return "COMMENT COLUMN "
          + ifExists(c.ifExists())
          + name(c.column())
          + " "
          + StatementText.quoted(c.comment());
    }
    if (command instanceof Alter.DropElement c) {
      return "DROP " + c.element() + " " + ifExists(c.ifExists()) + name(c.name());
    }
    if (command instanceof Alter.ClearElement c) {
      return "CLEAR "
          + c.element()
          + " "
          + ifExists(c.ifExists())
          + name(c.name())
          + in(c.partition());
    }
    if (command instanceof Alter.MaterializeElement c) {
      return "MATERIALIZE "
          + c.element()
          + " "
          + ifExists(c.ifExists())
          + name(c.name())
          + in(c.partition());
    }
    return definitions(command);
  }

  private static String definitions(Command command) {
    if (command instanceof Alter.AddIndex c) {
      return "ADD INDEX "
          + (c.ifNotExists() ? "IF NOT EXISTS " : "")
          + CreateTableText.index(c.index())
          + place(c.place());
    }
    if (command instanceof Alter.AddConstraint c) {
      return "ADD CONSTRAINT "
          + (c.ifNotExists() ? "IF NOT EXISTS " : "")
          + CreateTableText.constraint(c.constraint());
    }
    if (command instanceof Alter.AddProjection c) {
      return "ADD PROJECTION "
          + (c.ifNotExists() ? "IF NOT EXISTS " : "")
          + CreateTableText.projection(c.projection())
          + place(c.place());
    }
    if (command instanceof Alter.SetStatistics c) {
      return (c.modify() ? "MODIFY STATISTICS " : "ADD STATISTICS ")
          + (c.ifNotExists() ? "IF NOT EXISTS " : "")
          + names(c.columns())
          + " TYPE "
          + c.types().stream().map(Definition::text).collect(Collectors.joining(", "));
    }
    if (command instanceof Alter.ModifyOrderBy c) {
      return "MODIFY ORDER BY " + CreateTableText.sortingKey(c.key());
    }
    if (command instanceof Alter.ModifySampleBy c) {
      return "MODIFY SAMPLE BY " + c.expression().text();
    }
    if (command instanceof Alter.RemoveSampleBy) {
      return "REMOVE SAMPLE BY";
    }
    if (command instanceof Alter.RemoveTtl) {
      return "REMOVE TTL";
    }
    if (command instanceof Alter.ModifyTtl c) {
      return "MODIFY TTL "
          + c.elements().stream().map(CreateTableText::ttl).collect(Collectors.joining(", "));
    }
    if (command instanceof Alter.MaterializeTtl c) {
      return "MATERIALIZE TTL" + in(c.partition());
    }
    if (command instanceof Alter.ModifySetting c) {
      return StatementText.settings("MODIFY SETTING ", c.settings());
    }
    if (command instanceof Alter.ResetSetting c) {
      return "RESET SETTING " + names(c.names());
    }
    if (command instanceof Alter.ModifyComment c) {
      return "MODIFY COMMENT " + StatementText.quoted(c.comment());
    }
    if (command instanceof Alter.Delete c) {
      return "DELETE" + in(c.partition()) + " WHERE " + c.where().text();
    }
    if (command instanceof Alter.Update c) {
      return "UPDATE "
          + c.assignments().stream()
              .map(a -> name(a.column()) + " = " + a.expression().text())
              .collect(Collectors.joining(", "))
          + in(c.partition())
          + " WHERE "
          + c.where().text();
    }
    return partitions(command);
  }

  private static String partitions(Command command) {
    if (command instanceof Alter.DropPartition c) {
      return "DROP " + (c.detached() ? "DETACHED " : "") + c.partition().text();
    }
    if (command instanceof Alter.DetachPartition c) {
      return "DETACH " + c.partition().text();
    }
    if (command instanceof Alter.AttachPartition c) {
      return "ATTACH " + c.partition().text();
    }
    if (command instanceof Alter.ReplacePartition c) {
      return (c.replace() ? "REPLACE " : "ATTACH ")
          + c.partition().text()
          + " FROM "
          + c.from().text();
    }
    if (command instanceof Alter.MovePartitionToTable c) {
      return "MOVE " + c.partition().text() + " TO TABLE " + c.to().text();
    }
    if (command instanceof Alter.MovePartitionToDisk c) {
      return "MOVE "
          + c.partition().text()
          + (c.volume() ? " TO VOLUME " : " TO DISK ")
          + StatementText.quoted(c.target());
    }
    if (command instanceof Alter.FreezePartition c) {
      return "FREEZE"
          + c.partition().map(p -> " " + p.text()).orElse("")
          + c.name().map(n -> " WITH NAME " + StatementText.quoted(n)).orElse("");
    }
    if (command instanceof Alter.UnfreezePartition c) {
      return "UNFREEZE"
          + c.partition().map(p -> " " + p.text()).orElse("")
          + " WITH NAME "
          + StatementText.quoted(c.name());
    }
    Alter.FetchPartition c = (Alter.FetchPartition) command;
    return "FETCH " + c.partition().text() + " FROM " + StatementText.quoted(c.from());
  }

  /** Where a column is defined its name is always quoted; elsewhere only if it must be. */
  private static String columnName(String name) {
    return io.coppice.language.text.Identifiers.backQuote(name);
  }

  private static String name(String name) {
    return StatementText.name(name);
  }

  private static String names(List<String> names) {
    return names.stream().map(AlterText::name).collect(Collectors.joining(", "));
  }

  private static String ifExists(boolean said) {
    return said ? "IF EXISTS " : "";
  }

  private static String in(Optional<PartitionId> partition) {
    return partition.map(p -> " IN " + p.text()).orElse("");
  }

  private static String place(Optional<Place> place) {
    if (place.isEmpty()) {
      return "";
    }
    return place.get() instanceof Place.After after ? " AFTER " + name(after.name()) : " FIRST ";
  }
}
