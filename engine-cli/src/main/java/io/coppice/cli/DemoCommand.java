package io.coppice.cli;

import io.coppice.engine.Engine;
import io.coppice.engine.InsertResult;
import io.coppice.engine.Table;
import io.coppice.engine.TableInsert;
import io.coppice.fixtures.ArrowBatches;
import io.coppice.fixtures.Flights;
import io.coppice.language.parse.Script;
import io.coppice.parts.scan.BatchStream;
import io.coppice.parts.scan.Scan;
import io.coppice.parts.scan.ScanReport;
import io.coppice.query.Session;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "demo",
    description =
        "Makes a table of 3,000,000 real flights in SQL, loads it, asks it five questions, and draws"
            + " its parts. Leaves the picture behind, nothing else.",
    mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
  private static final int BATCH_ROWS = 65_536;

  /**
   * A question.
   *
   * @param condition what of its WHERE the keys can tell about; empty for all rows
   */
  private record Question(String asked, String sql, String condition) {}

  private static final List<Question> QUESTIONS =
      List.of(
          new Question(
              "How many flights, from how many airports, how late on average?",
              "SELECT count() AS flights, uniqExact(origin) AS airports, round(avg(delay), 2) AS"
                  + " minutes_late FROM flights",
              ""),
          new Question(
              "How late did flights leave San Francisco in January 2001?",
              "SELECT count() AS flights, round(avg(delay), 2) AS minutes_late FROM flights WHERE"
                  + " origin = 'SFO' AND date < '2001-02-01 00:00:00'",
              "origin = 'SFO' AND date < '2001-02-01 00:00:00'"),
          new Question(
              "Where did they go from there on one day?",
              "SELECT destination, count() AS flights FROM flights WHERE origin = 'SFO' AND date >="
                  + " '2001-03-15 00:00:00' AND date < '2001-03-16 00:00:00' GROUP BY destination"
                  + " ORDER BY flights DESC, destination LIMIT 5",
              "origin = 'SFO' AND date >= '2001-03-15 00:00:00' AND date < '2001-03-16 00:00:00'"),
          new Question(
              "Which airports had the most flights an hour late?",
              "SELECT origin, count() AS late FROM flights WHERE delay > 60 GROUP BY origin ORDER BY"
                  + " late DESC, origin LIMIT 5",
              "delay > 60"),
          new Question(
              "Which flights from New York were the latest?",
              "SELECT date, origin, destination, delay FROM flights WHERE origin IN ('JFK', 'LGA')"
                  + " ORDER BY delay DESC, date LIMIT 3",
              "origin IN ('JFK', 'LGA')"));

  private final Shell shell;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "So many flights only. Default: all 3,000,000.")
  private long rows = Flights.ROW_COUNT;

  @Option(
      names = "--picture",
      paramLabel = "FILE",
      description = "The SVG file with the parts. Default: flights.svg.")
  private Path picture = Path.of("flights.svg");

  @Spec private CommandSpec spec;

  DemoCommand(Shell shell) {
    this.shell = shell;
  }

  private void say(String format, Object... values) {
    shell.line(String.format(Locale.ROOT, format, values));
    shell.flush();
  }

  @Override
  public Integer call() throws Exception {
    if (rows < 1) {
      throw new ParameterException(spec.commandLine(), "--rows " + rows + ", expected 1 or more");
    }
    long started = System.nanoTime();
    try (Temporary temporary = new Temporary("coppice-demo");
        Engine engine = Engine.open(temporary.directory())) {
      Session session = new Session(engine);
      Statements statements =
          new Statements(shell, engine, session, Optional.of("PrettyCompact"), false, false);
      String create = Flights.createSql("flights");
      create.lines().forEach(line -> say("%s", line));
      say("");
      session.execute(create).close();
      Table table = engine.table("flights");
      load(table, engine.allocator());
      for (Question question : QUESTIONS) {
        ask(question, table, statements, engine.allocator());
      }
      Files.writeString(picture, PartsPicture.of("flights", PictureCommand.of(table)));
      say("");
      say("Drawn     %s: open it in a browser", picture);
    }
    say("Done in %.1f s; all but the picture is deleted again.", Amounts.secondsSince(started));
    return 0;
  }

  private void load(Table table, BufferAllocator allocator) throws Exception {
    long started = System.nanoTime();
    long done = 0;
    InsertResult result;
    try (ArrowBatches flights = Flights.open(allocator, BATCH_ROWS);
        TableInsert insert = table.insert();
        Progress progress = new Progress(shell, "loading", "rows", rows)) {
      while (done < rows && flights.next()) {
        insert.add(flights.batch());
        done += flights.batch().getRowCount();
        progress.at(done);
      }
      result = insert.finish();
    }
    double seconds = Amounts.secondsSince(started);
    say(
        "Loaded    %s in %.1f s: %,.0f rows/s, %s of %s, durably",
        Amounts.count(result.rows(), "flight"),
        seconds,
        done / seconds,
        Amounts.count(result.parts().size(), "part"),
        Amounts.bytes(result.sizeBytes()));
  }

  private void ask(Question question, Table table, Statements statements, BufferAllocator allocator)
      throws IOException {
    say("");
    say("-- %s", question.asked());
    say("%s", question.sql());
    long started = System.nanoTime();
    statements.run(Script.one(question.sql()), InputStream.nullInputStream());
    double seconds = Amounts.secondsSince(started);
    ScanReport report = report(question, table, allocator);
    long skipped = table.rowCount() - report.rowsRead();
    say(
        "%.0f ms; %s of %s skipped by keys: %s of %s read",
        seconds * 1000,
        Amounts.count(skipped),
        Amounts.count(table.rowCount(), "row"),
        Amounts.count(report.granulesAfterIndexes()),
        Amounts.count(report.granules(), "granule"));
  }

  /** What the keys leave of a scan by the question's condition. */
  private static ScanReport report(Question question, Table table, BufferAllocator allocator)
      throws IOException {
    Scan scan = table.scan().columns("delay");
    if (!question.condition().isEmpty()) {
      scan = scan.where(question.condition());
    }
    try (BatchStream stream = scan.open(allocator)) {
      boolean more = true;
      while (more) {
        more = stream.next();
      }
      return stream.report();
    }
  }
}
