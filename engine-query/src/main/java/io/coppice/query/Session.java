package io.coppice.query;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.engine.Engine;
import io.coppice.engine.EngineStatistics;
import io.coppice.engine.Event;
import io.coppice.engine.Table;
import io.coppice.language.expression.Literal;
import io.coppice.language.parse.Script;
import io.coppice.language.statement.Alter;
import io.coppice.language.statement.CheckTable;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.statement.DescribeTable;
import io.coppice.language.statement.Exists;
import io.coppice.language.statement.Explain;
import io.coppice.language.statement.Insert;
import io.coppice.language.statement.Query;
import io.coppice.language.statement.Select;
import io.coppice.language.statement.SetSettings;
import io.coppice.language.statement.Show;
import io.coppice.language.statement.Statement;
import io.coppice.language.statement.SystemCommand;
import io.coppice.language.statement.UseDatabase;
import io.coppice.language.text.ByteText;
import io.coppice.parts.expression.Surroundings;
import io.coppice.parts.stream.DirectMemory;
import io.coppice.parts.text.FormatSettings;
import io.coppice.query.system.SystemTables;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.SequenceInputStream;
import java.nio.file.FileSystemException;
import java.security.SecureRandom;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.util.OversizedAllocationException;

/**
 * Carries out statements of ClickHouse's dialect on an {@link Engine}: queries, INSERT, and what
 * makes, changes and shows databases and tables. It has a current database and settings.
 *
 * <pre>{@code
 * Session session = new Session(engine);
 * session.execute("CREATE TABLE t (a Int64) ENGINE = MergeTree ORDER BY a").close();
 * session.execute("INSERT INTO t VALUES (1), (2)").close();
 * try (QueryResult sums = session.execute("SELECT sum(a) FROM t")) { … }
 * }</pre>
 *
 * <p>Confined to one thread; an engine may have many sessions. Results do not depend on how many
 * threads the engine has. What ClickHouse has and this does not is refused by NOT_IMPLEMENTED.
 */
public final class Session {
  private final Engine engine;
  private final Map<String, Literal> settings = new LinkedHashMap<>();
  private final Map<String, InputTable> inputs = new LinkedHashMap<>();
  private volatile ReadCounter read = new ReadCounter();
  private final SecureRandom random = new SecureRandom();
  private String database = "default";

  /** A session in the database {@code default} of an engine, which is borrowed. */
  public Session(Engine engine) {
    this.engine = engine;
  }

  /** The current database. */
  public String database() {
    return database;
  }

  /**
   * Carries out the one statement that a text is, with the data behind an INSERT.
   *
   * @return what the caller closes; other statements than queries are done when this returns
   * @throws EngineException with ClickHouse's code for what is wrong with the statement or in
   *     carrying it out; QUERY_WAS_CANCELLED too when the thread is interrupted
   * @throws IOException of a stream that the caller gave
   * @throws IllegalStateException when the engine is closed
   */
  public QueryResult execute(String sql) throws IOException {
    return execute(Script.one(sql));
  }

  /**
   * Carries out the one statement that a text is; an INSERT takes its data from a stream, which is
   * read to its end bit by bit and left open. Data behind the statement comes first.
   */
  public QueryResult execute(String sql, InputStream data) throws IOException {
    return execute(Script.one(sql), data);
  }

  /** As {@link #execute(String, InputStream)}, for a statement of a script. */
  public QueryResult execute(Script.Item item, InputStream data) throws IOException {
    InputStream all =
        item.data().isEmpty() || item.data().get().isEmpty()
            ? data
            : new SequenceInputStream(bytes(item.data().get()), data);
    return execute(item.statement(), Optional.of(all));
  }

  /**
   * Ends the statement that runs, if one does, from any thread: it fails by QUERY_WAS_CANCELLED
   * when it reads its next batch of rows, be it in the midst of grouping or ordering them.
   */
  public void cancel() {
    read.cancel();
  }

  /** What the last statement begun has read; any thread may ask while it runs. */
  public ReadCounter read() {
    return read;
  }

  /** Lets statements of this session read an input as a table of that name. */
  public void input(String table, InputTable input) {
    inputs.put(table, input);
  }

  private static InputStream bytes(String text) {
    return new ByteArrayInputStream(ByteText.bytes(text));
  }

  /** Carries out a statement of a script, as {@link #execute(String)} does. */
  public QueryResult execute(Script.Item item) throws IOException {
    return execute(item.statement(), item.data().map(Session::bytes));
  }

  /** Carries out a statement, as {@link #execute(String)} does; an INSERT has no data then. */
  public QueryResult execute(Statement statement) throws IOException {
    return execute(statement, Optional.empty());
  }

  private QueryResult execute(Statement statement, Optional<InputStream> data) throws IOException {
    engine.requireOpen();
    EngineStatistics statistics = engine.statistics();
    statistics.count(Event.QUERY, 1);
    if (statement instanceof Query) {
      statistics.count(Event.SELECT_QUERY, 1);
    } else if (statement instanceof Insert) {
      statistics.count(Event.INSERT_QUERY, 1);
    }
    read = new ReadCounter();
    try {
      return carryOut(statement, data);
    } catch (EngineException | FileSystemException | InterruptedIOException e) {
      EngineException told = Failures.told(e);
      statistics.count(Event.FAILED_QUERY, 1);
      statistics.failed(told);
      throw told;
    }
  }

  private QueryResult carryOut(Statement statement, Optional<InputStream> data) throws IOException {
    if (statement instanceof UseDatabase use) {
      boolean system = use.database().equals(SystemTables.DATABASE);
      if (!system && !engine.databases().contains(use.database())) {
        throw EngineException.of(
            ErrorCode.UNKNOWN_DATABASE, "database %s does not exist", use.database());
      }
      database = use.database();
      return QueryResult.written(0);
    }
    if (statement instanceof SetSettings set) {
      Settings.check(set.settings());
      settings.putAll(set.settings());
      return QueryResult.written(0);
    }
    Map<String, Literal> own = own(statement);
    Settings.check(own);
    Map<String, Literal> all = new LinkedHashMap<>(settings);
    all.putAll(own);
    BufferAllocator allocator =
        engine.allocator().newChildAllocator("statement", 0, Settings.memoryBytes(all));
    boolean handedOver = false;
    try {
      FormatSettings formats = Settings.formats(all);
      Context context =
          new Context(
              engine,
              database,
              all,
              Map.copyOf(inputs),
              surroundings(all),
              formats,
              read,
              allocator);
      Optional<Rows> rows = rows(statement, context);
      if (rows.isPresent()) {
        if (statement instanceof Query query && query.outfile().isPresent()) {
          return QueryResult.written(new OutputFiles(context).write(query, rows.get()));
        }
        handedOver = true;
        return QueryResult.of(rows.get(), context, statement.format());
      }
      return change(statement, data, context);
    } catch (OutOfMemoryException | OversizedAllocationException e) {
      throw DirectMemory.lacking(e, "the statement");
    } finally {
      if (!handedOver) {
        allocator.close();
      }
    }
  }

  private static Map<String, Literal> own(Statement statement) {
    if (statement instanceof Insert insert) {
      Map<String, Literal> both = new LinkedHashMap<>();
      if (insert.source() instanceof Insert.Source.Rows rows) {
        both.putAll(own(rows.query()));
      }
      both.putAll(insert.settings()); // which win over those of its query
      return both;
    }
    if (statement instanceof Explain explain) {
      return own(explain.statement());
    }
    if (statement instanceof Alter alter) {
      return alter.settings();
    }
    if (statement instanceof CheckTable check) {
      return check.settings();
    }
    Map<String, Literal> own = new LinkedHashMap<>();
    if (statement instanceof Query query) {
      if (query.body() instanceof Select select) {
        own.putAll(select.settings());
      }
      own.putAll(query.settings());
    }
    return own;
  }

  private Surroundings surroundings(Map<String, Literal> all) {
    Literal zone = all.get(Settings.TIMEZONE);
    ZoneId id = zone == null ? ZoneOffset.UTC : Settings.zone(zone);
    return new Surroundings(engine.config().time(), random, id).atThisMoment();
  }

  /** The rows that a statement gives, if it gives rows. */
  private Optional<Rows> rows(Statement statement, Context context) throws IOException {
    if (statement instanceof Query query) {
      return Optional.of(QueryPlanner.of(context).plan(query.body()));
    }
    if (statement instanceof Explain explain) {
      return Optional.of(new Explanations(context).explain(explain));
    }
    Descriptions descriptions = new Descriptions(context);
    if (statement instanceof Show show) {
      return Optional.of(descriptions.show(show));
    }
    if (statement instanceof CheckTable check) {
      return Optional.of(Checks.check(context, check));
    }
    if (statement instanceof DescribeTable describe) {
      return Optional.of(descriptions.describe(describe));
    }
    return statement instanceof Exists exists
        ? Optional.of(descriptions.exists(exists))
        : Optional.empty();
  }

  /** Carries out a statement that gives no rows; says what it wrote. */
  private QueryResult change(Statement statement, Optional<InputStream> data, Context context)
      throws IOException {
    if (statement instanceof Insert insert) {
      return QueryResult.inserted(new Inserts(context).insert(insert, data));
    }
    if (statement instanceof SystemCommand system) {
      new SystemCommands(context).run(system);
      return QueryResult.written(0);
    }
    Definitions definitions = new Definitions(context);
    if (statement instanceof CreateTable create
        && create.source().orElse(null) instanceof CreateTable.Source.Rows source) {
      Optional<Table> made = definitions.createAs(create, source);
      return made.isPresent() && !source.empty()
          ? QueryResult.inserted(new Inserts(context).insert(made.get(), source.body()))
          : QueryResult.written(0);
    }
    definitions.run(statement);
    return QueryResult.written(0);
  }
}
