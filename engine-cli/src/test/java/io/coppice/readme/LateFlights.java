package io.coppice.readme;

import io.coppice.engine.Engine;
import io.coppice.engine.Table;
import io.coppice.query.QueryResult;
import io.coppice.query.Session;
import java.nio.file.Path;

/** The program of the README, which a test compares with this file. */
public class LateFlights {
  public static void main(String[] arguments) throws Exception {
    try (Engine engine = Engine.open(Path.of(arguments[0]))) { // a data directory, made if need be
      Session session = new Session(engine);
      String columns = "(origin String, delay Int16)";
      session.execute("CREATE TABLE f " + columns + " ENGINE = MergeTree ORDER BY origin").close();
      session.execute("INSERT INTO f VALUES ('SFO', 75), ('JFK', 3), ('SFO', 30 * 3)").close();
      String sql = "SELECT origin, count() AS late FROM f WHERE delay > 60 GROUP BY origin";
      try (QueryResult late = session.execute(sql)) {
        while (late.next()) {
          System.out.print(late.batch().contentToTSVString()); // Arrow, valid until the next next()
        }
      }
      Table flights = engine.table("f"); // insert(VectorSchemaRoot) and scan() are Arrow both ways
      System.out.println(flights.rowCount() + " flights in " + flights.parts().size() + " part");
    }
  }
}
