package io.coppice.language.parse;

import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Literal;
import io.coppice.language.statement.Alter;
import io.coppice.language.statement.AttachTable;
import io.coppice.language.statement.CheckTable;
import io.coppice.language.statement.CreateDatabase;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.statement.DeleteRows;
import io.coppice.language.statement.DescribeTable;
import io.coppice.language.statement.Detach;
import io.coppice.language.statement.Drop;
import io.coppice.language.statement.ExchangeTables;
import io.coppice.language.statement.Exists;
import io.coppice.language.statement.Explain;
import io.coppice.language.statement.Insert;
import io.coppice.language.statement.KillMutation;
import io.coppice.language.statement.OnCluster;
import io.coppice.language.statement.OptimizeTable;
import io.coppice.language.statement.PartitionId;
import io.coppice.language.statement.Query;
import io.coppice.language.statement.Rename;
import io.coppice.language.statement.Select;
import io.coppice.language.statement.SetSettings;
import io.coppice.language.statement.Show;
import io.coppice.language.statement.Statement;
import io.coppice.language.statement.SystemCommand;
import io.coppice.language.statement.TableName;
import io.coppice.language.statement.TruncateTable;
import io.coppice.language.statement.UseDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.antlr.v4.runtime.tree.TerminalNode;

/** The trees of statements other than CREATE TABLE and queries. */
final class StatementBuilder {
  /** The SYSTEM commands that may name a table, longest first where one begins another. */
  private static final List<String> ABOUT_TABLES =
      List.of(
          "FLUSH ASYNC INSERT QUEUE",
          "STOP TTL MERGES",
          "START TTL MERGES",
          "STOP MERGES",
          "START MERGES",
          "STOP MUTATIONS",
          "START MUTATIONS",
          "STOP MOVES",
          "START MOVES",
          "STOP FETCHES",
          "START FETCHES",
          "STOP REPLICATED SENDS",
          "START REPLICATED SENDS",
          "STOP REPLICATION QUEUES",
          "START REPLICATION QUEUES",
          "STOP DISTRIBUTED SENDS",
          "START DISTRIBUTED SENDS",
          "FLUSH DISTRIBUTED",
          "SYNC REPLICA",
          "RESTART REPLICA",
          "RESTORE REPLICA",
          "UNLOAD PRIMARY KEY",
          "LOAD PRIMARY KEY",
          "WAIT LOADING PARTS",
          "SYNC MERGES");

  private final TreeBuilder expressions;
  private final QueryBuilder queries;

  StatementBuilder(TreeBuilder expressions) {
    this.expressions = expressions;
    this.queries = new QueryBuilder(expressions);
  }

  Statement statement(ClickHouseParser.StatementContext node) {
    if (node.query() != null) {
      return queries.query(node.query());
    }
    if (node.explain() != null) {
      return explain(node.explain());
    }
    if (node.createTable() != null) {
      return createTable(node.createTable());
    }
    if (node.databaseStatement() != null) {
      return database(node.databaseStatement());
    }
    if (node.tableStatement() != null) {
      return table(node.tableStatement());
    }
    if (node.renameStatement() != null) {
      return rename(node.renameStatement());
    }
    if (node.alter() != null) {
      return alter(node.alter());
    }
    if (node.showStatement() != null) {
      return show(node.showStatement());
    }
    return node.describeStatement() != null
        ? describe(node.describeStatement())
        : other(node.otherStatement());
  }

  private static Statement on(ClickHouseParser.OnClusterContext cluster, Statement statement) {
    if (cluster == null) {
      return statement;
    }
    String name =
        cluster.identifier() != null
            ? TreeBuilder.name(cluster.identifier())
            : TreeBuilder.string(cluster.STRING().getSymbol());
    return new OnCluster(name, statement);
  }

  private static TableName database(ClickHouseParser.IdentifierContext node) {
    return TableName.of(TreeBuilder.name(node));
  }

  private Explain explain(ClickHouseParser.ExplainContext node) {
    return new Explain(
        node.kind == null
            ? Explain.Kind.PLAN
            : Explain.Kind.valueOf(node.kind.getText().toUpperCase(Locale.ROOT)),
        expressions.settings(node.setting()),
        statement(node.statement()));
  }

  private Statement createTable(ClickHouseParser.CreateTableContext node) {
    boolean known =
        node.tableElement().isEmpty()
            && node.tableClause().isEmpty()
            && node.AS().isEmpty()
            && node.ATTACH() != null
            && node.UUID() == null;
    if (!known) {
      return on(node.onCluster(), new CreateTableBuilder(expressions).build(node));
    }
    return on(
        node.onCluster(),
        new AttachTable(
            QueryBuilder.tableName(node.tableName(0)),
            node.EXISTS() != null,
            node.FROM() == null
                ? Optional.empty()
                : Optional.of(TreeBuilder.string(node.STRING(0).getSymbol()))));
  }

  private Statement database(ClickHouseParser.DatabaseStatementContext node) {
    if (node instanceof ClickHouseParser.CreateDatabaseContext create) {
      int strings = create.UUID() == null ? 0 : 1;
      return on(
          create.onCluster(),
          new CreateDatabase(
              create.ATTACH() != null,
              create.EXISTS() != null,
              TreeBuilder.name(create.identifier()),
              create.UUID() == null
                  ? Optional.empty()
                  : Optional.of(TreeBuilder.string(create.STRING(0).getSymbol())),
              Optional.ofNullable(create.function())
                  .map(new CreateTableBuilder(expressions)::definition),
              create.COMMENT() == null
                  ? Optional.empty()
                  : Optional.of(TreeBuilder.string(create.STRING(strings).getSymbol()))));
    }
    if (node instanceof ClickHouseParser.DropDatabaseContext drop) {
      return on(
          drop.onCluster(),
          new Drop(
              true,
              List.of(database(drop.identifier())),
              drop.EXISTS() != null,
              false,
              drop.SYNC() != null || drop.DELAY() != null));
    }
    ClickHouseParser.DetachDatabaseContext detach = (ClickHouseParser.DetachDatabaseContext) node;
    return on(
        detach.onCluster(),
        new Detach(
            true,
            database(detach.identifier()),
            detach.EXISTS() != null,
            detach.PERMANENTLY() != null,
            false));
  }

  private Statement table(ClickHouseParser.TableStatementContext node) {
    if (node instanceof ClickHouseParser.DropTableContext drop) {
      return on(
          drop.onCluster(),
          new Drop(
              false,
              drop.tableName().stream().map(QueryBuilder::tableName).toList(),
              drop.EXISTS() != null,
              drop.EMPTY() != null,
              drop.SYNC() != null || drop.DELAY() != null));
    }
    if (node instanceof ClickHouseParser.DetachTableContext detach) {
      return on(
          detach.onCluster(),
          new Detach(
              false,
              QueryBuilder.tableName(detach.tableName()),
              detach.EXISTS() != null,
              detach.PERMANENTLY() != null,
              detach.SYNC() != null || detach.DELAY() != null));
    }
    if (node instanceof ClickHouseParser.TruncateTableContext truncate) {
      return on(
          truncate.onCluster(),
          new TruncateTable(
              QueryBuilder.tableName(truncate.tableName()),
              truncate.EXISTS() != null,
              truncate.SYNC() != null || truncate.DELAY() != null));
    }
    if (node instanceof ClickHouseParser.CheckTableContext check) {
      return new CheckTable(
          QueryBuilder.tableName(check.tableName()),
          optionalPartition(check.partition(), check.PART() == null ? null : check.STRING()),
          expressions.settings(check.setting()),
          format(check.formatName()));
    }
    if (node instanceof ClickHouseParser.OptimizeTableContext optimize) {
      return on(
          optimize.onCluster(),
          new OptimizeTable(
              QueryBuilder.tableName(optimize.tableName()),
              optionalPartition(optimize.partition(), null),
              optimize.FINAL() != null,
              optimize.DEDUPLICATE() != null,
              expressions.arguments(optimize.arguments()),
              optimize.CLEANUP() != null,
              expressions.settings(optimize.setting())));
    }
    ClickHouseParser.DeleteRowsContext delete = (ClickHouseParser.DeleteRowsContext) node;
    return on(
        delete.onCluster(),
        new DeleteRows(
            QueryBuilder.tableName(delete.tableName()),
            optionalPartition(delete.partition(), null),
            expressions.expression(delete.expression()),
            expressions.settings(delete.setting())));
  }

  private Statement rename(ClickHouseParser.RenameStatementContext node) {
    if (node instanceof ClickHouseParser.RenameTablesContext rename) {
      List<Rename.Pair> pairs =
          rename.renamePair().stream()
              .map(
                  pair ->
                      new Rename.Pair(
                          QueryBuilder.tableName(pair.tableName(0)),
                          QueryBuilder.tableName(pair.tableName(1)),
                          pair.EXISTS() != null))
              .toList();
      return on(rename.onCluster(), new Rename(false, pairs));
    }
    if (node instanceof ClickHouseParser.RenameDatabaseContext rename) {
      return on(
          rename.onCluster(),
          new Rename(
              true,
              List.of(
                  new Rename.Pair(
                      database(rename.identifier(0)),
                      database(rename.identifier(1)),
                      rename.EXISTS() != null))));
    }
    ClickHouseParser.ExchangeTablesContext exchange = (ClickHouseParser.ExchangeTablesContext) node;
    return on(
        exchange.onCluster(),
        new ExchangeTables(
            QueryBuilder.tableName(exchange.tableName(0)),
            QueryBuilder.tableName(exchange.tableName(1))));
  }

  // ALTER

  private Statement alter(ClickHouseParser.AlterContext node) {
    return on(
        node.onCluster(),
        new Alter(
            QueryBuilder.tableName(node.tableName()),
            node.alterItem().stream().flatMap(i -> commands(i.alterCommand()).stream()).toList(),
            expressions.settings(node.setting())));
  }

  private List<Alter.Command> commands(ClickHouseParser.AlterCommandContext node) {
    return node instanceof ClickHouseParser.DropElementContext drop
        ? elements(drop)
        : List.of(command(node));
  }

  private List<Alter.Command> elements(ClickHouseParser.DropElementContext node) {
    Alter.Element element = Alter.Element.valueOf(node.what.getText().toUpperCase(Locale.ROOT));
    boolean ifExists = node.EXISTS() != null;
    Optional<PartitionId> partition = optionalPartition(node.partition(), null);
    if (node.columnName().size() > 1 && element != Alter.Element.STATISTICS) {
      throw SyntaxErrors.error(node.columnName(1).getStart(), "one name; repeat the command");
    }
    boolean drop = node.kind.getType() == ClickHouseParser.DROP;
    if (drop && partition.isPresent()) {
      throw SyntaxErrors.error(node.IN().getSymbol(), "CLEAR instead of DROP for one partition");
    }
    List<Alter.Command> commands = new ArrayList<>();
    for (ClickHouseParser.ColumnNameContext column : node.columnName()) {
      String name = CreateTableBuilder.columnName(column);
      commands.add(
          switch (node.kind.getType()) {
            case ClickHouseParser.DROP -> new Alter.DropElement(element, name, ifExists);
            case ClickHouseParser.CLEAR ->
                new Alter.ClearElement(element, name, ifExists, partition);
            default -> new Alter.MaterializeElement(element, name, ifExists, partition);
          });
    }
    return commands;
  }

  private Alter.Command command(ClickHouseParser.AlterCommandContext node) {
    CreateTableBuilder definitions = new CreateTableBuilder(expressions);
    if (node instanceof ClickHouseParser.AddColumnContext add) {
      return new Alter.AddColumn(
          definitions.column(add.columnSpec()), add.EXISTS() != null, place(add.place()));
    }
    if (node instanceof ClickHouseParser.ModifyColumnContext modify) {
      return modifyColumn(modify);
    }
    if (node instanceof ClickHouseParser.RenameColumnContext rename) {
      return new Alter.RenameColumn(
          CreateTableBuilder.columnName(rename.columnName(0)),
          CreateTableBuilder.columnName(rename.columnName(1)),
          rename.EXISTS() != null);
    }
    if (node instanceof ClickHouseParser.CommentColumnContext comment) {
      return new Alter.CommentColumn(
          CreateTableBuilder.columnName(comment.columnName()),
          comment.EXISTS() != null,
          TreeBuilder.string(comment.STRING().getSymbol()));
    }
    if (node instanceof ClickHouseParser.AddIndexContext index) {
      return new Alter.AddIndex(
          definitions.index(
              index.identifier(), index.expression(), index.function(), index.NUMBER()),
          index.EXISTS() != null,
          place(index.place()));
    }
    if (node instanceof ClickHouseParser.AddConstraintContext constraint) {
      return new Alter.AddConstraint(
          new CreateTable.Constraint(
              TreeBuilder.name(constraint.identifier()),
              constraint.kind.getType() == ClickHouseParser.ASSUME,
              expressions.expression(constraint.expression())),
          constraint.EXISTS() != null);
    }
    if (node instanceof ClickHouseParser.AddProjectionContext projection) {
      return new Alter.AddProjection(
          definitions.projection(projection.identifier(), projection.parenthesized()),
          projection.EXISTS() != null,
          place(projection.place()));
    }
    if (node instanceof ClickHouseParser.SetStatisticsContext statistics) {
      return new Alter.SetStatistics(
          statistics.kind.getType() == ClickHouseParser.MODIFY,
          statistics.EXISTS() != null,
          statistics.identifier().stream().map(TreeBuilder::name).toList(),
          definitions.definitions(statistics.function()));
    }
    return tableCommand(node, definitions);
  }

  private Alter.Command tableCommand(
      ClickHouseParser.AlterCommandContext node, CreateTableBuilder definitions) {
    if (node instanceof ClickHouseParser.ModifyOrderByContext order) {
      return new Alter.ModifyOrderBy(definitions.sortingKey(order.direction()));
    }
    if (node instanceof ClickHouseParser.ModifySampleByContext sample) {
      return new Alter.ModifySampleBy(expressions.expression(sample.expression()));
    }
    if (node instanceof ClickHouseParser.RemoveFromTableContext remove) {
      boolean sample = remove.what.getType() == ClickHouseParser.SAMPLE;
      if (sample == (remove.BY() == null)) {
        throw SyntaxErrors.error(remove.getStop(), "REMOVE SAMPLE BY or REMOVE TTL");
      }
      return sample ? new Alter.RemoveSampleBy() : new Alter.RemoveTtl();
    }
    if (node instanceof ClickHouseParser.ModifyTtlContext ttl) {
      return new Alter.ModifyTtl(ttl.ttlElement().stream().map(definitions::ttl).toList());
    }
    if (node instanceof ClickHouseParser.MaterializeTtlContext ttl) {
      return new Alter.MaterializeTtl(optionalPartition(ttl.partition(), null));
    }
    if (node instanceof ClickHouseParser.ModifySettingContext setting) {
      return new Alter.ModifySetting(expressions.settings(setting.setting()));
    }
    if (node instanceof ClickHouseParser.ResetSettingContext setting) {
      return new Alter.ResetSetting(names(setting.identifier()));
    }
    if (node instanceof ClickHouseParser.ModifyCommentContext comment) {
      return new Alter.ModifyComment(TreeBuilder.string(comment.STRING().getSymbol()));
    }
    if (node instanceof ClickHouseParser.DeleteMutationContext delete) {
      return new Alter.Delete(
          optionalPartition(delete.partition(), null), expressions.expression(delete.expression()));
    }
    if (node instanceof ClickHouseParser.UpdateMutationContext update) {
      return new Alter.Update(
          update.assignment().stream()
              .map(
                  a ->
                      new CreateTable.Assignment(
                          TreeBuilder.name(a.identifier()), expressions.expression(a.expression())))
              .toList(),
          optionalPartition(update.partition(), null),
          expressions.expression(update.expression()));
    }
    return partitionCommand(node);
  }

  private Alter.Command partitionCommand(ClickHouseParser.AlterCommandContext node) {
    if (node instanceof ClickHouseParser.PartitionCommandContext command) {
      return ofKind(command);
    }
    if (node instanceof ClickHouseParser.ReplacePartitionContext replace) {
      return new Alter.ReplacePartition(
          partition(replace.partition(), null), QueryBuilder.tableName(replace.tableName()), true);
    }
    if (node instanceof ClickHouseParser.MovePartitionContext move) {
      boolean part = move.PART() != null;
      PartitionId partition = partition(move.partition(), part ? move.STRING(0) : null);
      return move.tableName() != null
          ? new Alter.MovePartitionToTable(partition, QueryBuilder.tableName(move.tableName()))
          : new Alter.MovePartitionToDisk(
              partition,
              move.kind.getType() == ClickHouseParser.VOLUME,
              TreeBuilder.string(move.STRING(part ? 1 : 0).getSymbol()));
    }
    if (node instanceof ClickHouseParser.FreezePartitionContext freeze) {
      return new Alter.FreezePartition(
          optionalPartition(freeze.partition(), null),
          freeze.STRING() == null
              ? Optional.empty()
              : Optional.of(TreeBuilder.string(freeze.STRING().getSymbol())));
    }
    if (node instanceof ClickHouseParser.UnfreezePartitionContext unfreeze) {
      return new Alter.UnfreezePartition(
          optionalPartition(unfreeze.partition(), null),
          TreeBuilder.string(unfreeze.STRING().getSymbol()));
    }
    ClickHouseParser.FetchPartitionContext fetch = (ClickHouseParser.FetchPartitionContext) node;
    boolean part = fetch.PART() != null;
    return new Alter.FetchPartition(
        partition(fetch.partition(), part ? fetch.STRING(0) : null),
        TreeBuilder.string(fetch.STRING(part ? 1 : 0).getSymbol()));
  }

  private Alter.Command ofKind(ClickHouseParser.PartitionCommandContext node) {
    PartitionId partition = partition(node.partition(), node.PART() == null ? null : node.STRING());
    int kind = node.kind.getType();
    if (node.DETACHED() != null && kind != ClickHouseParser.DROP) {
      throw SyntaxErrors.error(node.DETACHED().getSymbol(), "DROP before DETACHED");
    }
    if (node.FROM() != null) {
      if (kind != ClickHouseParser.ATTACH || partition instanceof PartitionId.Part) {
        throw SyntaxErrors.error(node.FROM().getSymbol(), "FROM after ATTACH PARTITION only");
      }
      return new Alter.ReplacePartition(partition, QueryBuilder.tableName(node.tableName()), false);
    }
    return switch (kind) {
      case ClickHouseParser.DROP -> new Alter.DropPartition(partition, node.DETACHED() != null);
      case ClickHouseParser.DETACH -> new Alter.DetachPartition(partition);
      default -> new Alter.AttachPartition(partition);
    };
  }

  private Alter.Command modifyColumn(ClickHouseParser.ModifyColumnContext node) {
    String name = CreateTableBuilder.columnName(node.columnName());
    boolean ifExists = node.EXISTS() != null;
    ClickHouseParser.ColumnChangeContext change = node.columnChange();
    if (change instanceof ClickHouseParser.ChangeColumnContext properties) {
      return new CreateTableBuilder(expressions)
          .change(name, properties, ifExists, place(node.place()));
    }
    if (node.place() != null) {
      throw SyntaxErrors.error(node.place().getStart(), "no place; it belongs to a new type");
    }
    if (change instanceof ClickHouseParser.RemovePropertyContext remove) {
      return new Alter.RemoveProperty(
          name, ifExists, Alter.Property.valueOf(remove.kind.getText().toUpperCase(Locale.ROOT)));
    }
    if (change instanceof ClickHouseParser.ColumnSettingContext setting) {
      return new Alter.ModifyColumnSetting(name, ifExists, expressions.settings(setting.setting()));
    }
    return new Alter.ResetColumnSetting(
        name, ifExists, names(((ClickHouseParser.ColumnResetSettingContext) change).identifier()));
  }

  private static Optional<Alter.Place> place(ClickHouseParser.PlaceContext node) {
    if (node == null) {
      return Optional.empty();
    }
    return Optional.of(
        node.FIRST() != null
            ? new Alter.Place.First()
            : new Alter.Place.After(CreateTableBuilder.columnName(node.columnName())));
  }

  private static List<String> names(List<ClickHouseParser.IdentifierContext> nodes) {
    return nodes.stream().map(TreeBuilder::name).toList();
  }

  private Optional<PartitionId> optionalPartition(
      ClickHouseParser.PartitionContext partition, TerminalNode part) {
    return partition == null && part == null
        ? Optional.empty()
        : Optional.of(partition(partition, part));
  }

  private PartitionId partition(ClickHouseParser.PartitionContext partition, TerminalNode part) {
    if (partition == null) {
      return new PartitionId.Part(TreeBuilder.string(part.getSymbol()));
    }
    if (partition.ALL() != null) {
      return new PartitionId.All();
    }
    return partition.STRING() != null
        ? new PartitionId.Id(TreeBuilder.string(partition.STRING().getSymbol()))
        : new PartitionId.Value(expressions.expression(partition.expression()));
  }

  // SHOW, DESCRIBE, EXISTS and the rest

  private Statement show(ClickHouseParser.ShowStatementContext node) {
    if (node instanceof ClickHouseParser.ShowCreateContext create) {
      boolean database = create.DATABASE() != null;
      return new Show(
          database ? Show.Kind.CREATE_DATABASE : Show.Kind.CREATE_TABLE,
          false,
          Optional.of(QueryBuilder.tableName(create.tableName())),
          Show.Filter.ALL,
          format(create.formatName()));
    }
    if (node instanceof ClickHouseParser.ShowTablesContext tables) {
      boolean from = tables.FROM() != null || tables.IN() != null;
      return new Show(
          Show.Kind.TABLES,
          tables.FULL() != null,
          from ? Optional.of(database(tables.identifier())) : Optional.empty(),
          filter(tables.showFilter()),
          format(tables.formatName()));
    }
    if (node instanceof ClickHouseParser.ShowDatabasesContext databases) {
      return new Show(
          Show.Kind.DATABASES,
          false,
          Optional.empty(),
          filter(databases.showFilter()),
          format(databases.formatName()));
    }
    if (node instanceof ClickHouseParser.ShowColumnsContext columns) {
      TableName table = QueryBuilder.tableName(columns.tableName());
      return new Show(
          Show.Kind.COLUMNS,
          columns.FULL() != null,
          Optional.of(
              columns.identifier() == null
                  ? table
                  : TableName.of(TreeBuilder.name(columns.identifier()), table.table())),
          filter(columns.showFilter()),
          format(columns.formatName()));
    }
    if (node instanceof ClickHouseParser.ShowSettingsContext settings) {
      return new Show(
          settings.CHANGED() == null ? Show.Kind.SETTINGS : Show.Kind.CHANGED_SETTINGS,
          false,
          Optional.empty(),
          filter(settings.showFilter()),
          format(settings.formatName()));
    }
    ClickHouseParser.ShowOtherContext other = (ClickHouseParser.ShowOtherContext) node;
    Show.Kind kind =
        switch (TreeBuilder.name(other.identifier()).toUpperCase(Locale.ROOT)) {
          case "ENGINES" -> Show.Kind.ENGINES;
          case "FUNCTIONS" -> Show.Kind.FUNCTIONS;
          case "PROCESSLIST" -> Show.Kind.PROCESSLIST;
          default ->
              throw SyntaxErrors.error(
                  other.identifier().getStart(),
                  "CREATE, TABLES, DATABASES, COLUMNS, SETTINGS, ENGINES, FUNCTIONS or"
                      + " PROCESSLIST");
        };
    return new Show(
        kind, false, Optional.empty(), filter(other.showFilter()), format(other.formatName()));
  }

  private Show.Filter filter(ClickHouseParser.ShowFilterContext node) {
    return new Show.Filter(
        node.STRING() == null
            ? Optional.empty()
            : Optional.of(TreeBuilder.string(node.STRING().getSymbol())),
        node.NOT() != null,
        node.kind != null && node.kind.getType() == ClickHouseParser.ILIKE,
        Optional.ofNullable(node.expression()).map(expressions::expression),
        node.NUMBER() == null
            ? Optional.empty()
            : Optional.of(QueryBuilder.count(node.NUMBER().getSymbol())));
  }

  private static Optional<String> format(ClickHouseParser.FormatNameContext node) {
    return Optional.ofNullable(node).map(n -> TreeBuilder.named(n.getStart()));
  }

  private Statement describe(ClickHouseParser.DescribeStatementContext node) {
    if (node instanceof ClickHouseParser.ExistsTableContext exists) {
      return new Exists(
          exists.DATABASE() != null,
          QueryBuilder.tableName(exists.tableName()),
          format(exists.formatName()));
    }
    ClickHouseParser.DescribeTableContext describe = (ClickHouseParser.DescribeTableContext) node;
    Select.Source source;
    if (describe.tableName() != null) {
      source =
          new Select.Source.Table(QueryBuilder.tableName(describe.tableName()), Optional.empty());
    } else if (describe.tableFunction() != null) {
      source =
          new Select.Source.Function(queries.function(describe.tableFunction()), Optional.empty());
    } else {
      source = new Select.Source.Subquery(queries.union(describe.selectUnion()), Optional.empty());
    }
    return new DescribeTable(
        source, expressions.settings(describe.setting()), format(describe.formatName()));
  }

  private Statement other(ClickHouseParser.OtherStatementContext node) {
    if (node instanceof ClickHouseParser.UseDatabaseContext use) {
      return new UseDatabase(TreeBuilder.name(use.identifier()));
    }
    if (node instanceof ClickHouseParser.SetSettingsContext set) {
      return new SetSettings(expressions.settings(set.setting()));
    }
    if (node instanceof ClickHouseParser.KillMutationContext kill) {
      return new KillMutation(
          expressions.expression(kill.expression()),
          kill.SYNC() != null
              ? KillMutation.Mode.SYNC
              : kill.TEST() != null ? KillMutation.Mode.TEST : KillMutation.Mode.ASYNC,
          format(kill.formatName()));
    }
    return system((ClickHouseParser.SystemCommandContext) node);
  }

  private static SystemCommand system(ClickHouseParser.SystemCommandContext node) {
    List<String> words = names(node.identifier());
    // With a dot the last two words are one name.
    boolean dotted = node.getChild(node.getChildCount() - 2).getText().equals(".");
    String all = String.join(" ", words).toUpperCase(Locale.ROOT);
    for (String command : ABOUT_TABLES) {
      if (all.equals(command)) {
        return new SystemCommand(command, Optional.empty());
      }
      int named = words.size() - command.split(" ").length;
      if (all.startsWith(command + " ") && named == (dotted ? 2 : 1)) {
        String table = words.get(words.size() - 1);
        return new SystemCommand(
            command,
            Optional.of(
                dotted ? TableName.of(words.get(words.size() - 2), table) : TableName.of(table)));
      }
    }
    if (dotted) {
      throw SyntaxErrors.error(node.getStart(), "a SYSTEM command that is about a table");
    }
    return new SystemCommand(all, Optional.empty());
  }

  // INSERT

  Insert insert(ClickHouseParser.InsertContext node) {
    int strings = 0;
    Optional<String> infile = Optional.empty();
    Optional<String> compression = Optional.empty();
    if (node.INFILE() != null) {
      infile = Optional.of(TreeBuilder.string(node.STRING(strings++).getSymbol()));
      if (node.COMPRESSION() != null) {
        compression = Optional.of(TreeBuilder.string(node.STRING(strings).getSymbol()));
      }
    }
    Map<String, Literal> settings = expressions.settings(node.setting());
    Insert.Source source;
    if (node.selectUnion() != null) {
      source = new Insert.Source.Rows(Query.of(queries.union(node.selectUnion())));
    } else if (node.VALUES() != null) {
      source = new Insert.Source.Data(Optional.of("Values"));
    } else {
      source = new Insert.Source.Data(format(node.formatName()));
    }
    return new Insert(
        Optional.ofNullable(node.tableName()).map(QueryBuilder::tableName),
        Optional.<Expression.FunctionCall>empty()
            .or(() -> Optional.ofNullable(node.tableFunction()).map(queries::function)),
        node.insertColumns() == null
            ? List.of()
            : node.insertColumns().insertColumn().stream()
                .map(StatementBuilder::insertColumn)
                .toList(),
        infile,
        compression,
        settings,
        source);
  }

  private static Insert.InsertColumn insertColumn(ClickHouseParser.InsertColumnContext node) {
    return node.columnName() != null
        ? new Insert.InsertColumn.Named(CreateTableBuilder.columnName(node.columnName()))
        : new Insert.InsertColumn.AllExcept(TreeBuilder.excepted(node.columnsModifier()));
  }
}
