package io.coppice.query;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.engine.Engine;
import io.coppice.engine.Table;
import io.coppice.language.statement.Alter;
import io.coppice.language.statement.AttachTable;
import io.coppice.language.statement.Column;
import io.coppice.language.statement.CreateDatabase;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.statement.Detach;
import io.coppice.language.statement.Drop;
import io.coppice.language.statement.ExchangeTables;
import io.coppice.language.statement.Rename;
import io.coppice.language.statement.Statement;
import io.coppice.language.statement.TableName;
import io.coppice.language.statement.TruncateTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The statements that make, rename and drop databases and tables, in the current database. */
final class Definitions {
  private final Context context;
  private final Engine engine;

  Definitions(Context context) {
    this.context = context;
    this.engine = context.engine();
  }

  /**
   * Carries out a statement.
   *
   * @throws EngineException NOT_IMPLEMENTED for those that are not served
   */
  void run(Statement statement) {
    if (statement instanceof CreateTable create) {
      engine.createTable(here(create), Settings.allowing(context.settings()));
    } else if (statement instanceof CreateDatabase create) {
      engine.createDatabase(create);
    } else if (statement instanceof Drop drop) {
      drop(drop);
    } else if (statement instanceof Rename rename) {
      rename(rename);
    } else if (statement instanceof ExchangeTables exchange) {
      engine.exchangeTables(here(exchange.first()), here(exchange.second()));
    } else if (statement instanceof Detach detach && detach.database()) {
      detachDatabase(detach);
    } else if (statement instanceof Detach detach) {
      engine.detachTable(here(detach.name()), detach.ifExists(), detach.permanently());
    } else if (statement instanceof AttachTable attach && attach.from().isEmpty()) {
      engine.attachTable(here(attach.table()), attach.ifNotExists());
    } else if (statement instanceof Alter alter) {
      engine.alterTable(here(alter));
    } else if (statement instanceof TruncateTable truncate) {
      engine.truncateTable(here(truncate.table()), truncate.ifExists());
    } else {
      String text = statement.text();
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED,
          "the statement %s is not served yet",
          text.length() <= 200 ? text : text.substring(0, 200) + "…");
    }
  }

  private Alter here(Alter alter) {
    List<Alter.Command> commands = new ArrayList<>();
    for (Alter.Command command : alter.commands()) {
      if (command instanceof Alter.ReplacePartition c) {
        commands.add(new Alter.ReplacePartition(c.partition(), here(c.from()), c.replace()));
      } else if (command instanceof Alter.MovePartitionToTable c) {
        commands.add(new Alter.MovePartitionToTable(c.partition(), here(c.to())));
      } else {
        commands.add(command);
      }
    }
    return new Alter(here(alter.table()), commands, context.settings());
  }

  private TableName here(TableName name) {
    return name.in(context.database());
  }

  private CreateTable.Source here(CreateTable.Source source) {
    return source instanceof CreateTable.Source.Like like
        ? new CreateTable.Source.Like(here(like.table()))
        : source;
  }

  private CreateTable here(CreateTable create) {
    return create
        .in(here(create.name()).database().orElseThrow())
        .from(create.source().map(this::here));
  }

  /** Makes the table of CREATE … AS SELECT; empty if it is there already and that is fine. */
  Optional<Table> createAs(CreateTable create, CreateTable.Source.Rows source) throws IOException {
    boolean there = engine.findTable(here(create.name())).isPresent();
    if (there && create.ifNotExists()) {
      return Optional.empty();
    }
    List<Column> columns = new ArrayList<>(create.columns());
    if (columns.isEmpty()) {
      try (Rows rows = QueryPlanner.of(context).plan(source.body())) {
        for (ResultColumn column : rows.columns()) {
          columns.add(
              new Column(
                  column.name(),
                  Optional.of(column.type()),
                  Optional.empty(),
                  Optional.empty(),
                  List.of(),
                  List.of(),
                  Optional.empty(),
                  Map.of()));
        }
      }
    }
    return Optional.of(
        engine.createTable(
            here(create).with(columns).from(Optional.empty()),
            Settings.allowing(context.settings())));
  }

  private void detachDatabase(Detach detach) {
    if (detach.permanently()) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED,
          "DETACH DATABASE %s PERMANENTLY: databases are detached until the next start only",
          detach.name().text());
    }
    engine.detachDatabase(detach.name().table(), detach.ifExists());
  }

  private void drop(Drop drop) {
    for (TableName name : drop.names()) {
      if (drop.database() && drop.ifEmpty()) {
        throw EngineException.of(
            ErrorCode.NOT_IMPLEMENTED, "DROP DATABASE … IF EMPTY is not served");
      }
      if (drop.database()) {
        engine.dropDatabase(name.table(), drop.ifExists());
      } else {
        engine.dropTable(here(name), drop.ifExists(), drop.ifEmpty());
      }
    }
  }

  private void rename(Rename rename) {
    for (Rename.Pair pair : rename.pairs()) {
      if (rename.database()) {
        boolean absent = !engine.databases().contains(pair.from().table());
        if (!absent || !pair.ifExists()) {
          engine.renameDatabase(pair.from().table(), pair.to().table());
        }
      } else if (!pair.ifExists() || engine.findTable(here(pair.from())).isPresent()) {
        engine.renameTable(here(pair.from()), here(pair.to()));
      }
    }
  }
}
