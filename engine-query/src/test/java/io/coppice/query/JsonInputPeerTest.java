package io.coppice.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.disk.sim.SimDisk;
import io.coppice.base.error.EngineException;
import io.coppice.engine.Engine;
import io.coppice.engine.EngineConfig;
import io.coppice.fixtures.peer.ChdbPeer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Texts in JSON's formats, well and ill formed, inserted in 26.7 and here: equal rows or codes. */
@Tag("peer")
class JsonInputPeerTest {
  private static final String CREATE =
      "CREATE TABLE j (a UInt8 DEFAULT 7, b String DEFAULT 'dd', c Nullable(Int16), d Array(UInt8))"
          + " ENGINE = MergeTree ORDER BY tuple()";

  private static final String META =
      "{\"meta\":[{\"name\":\"a\",\"type\":\"UInt8\"},{\"name\":\"b\",\"type\":\"String\"}],";

  private static List<String> inputs() {
    List<String> inputs = new ArrayList<>();
    for (String rows :
        List.of(
            "\"data\":[{\"a\":1,\"b\":\"x\"},{\"a\":2,\"b\":\"y\"}],\"rows\":2}",
            "\"data\":[{\"a\":1},{\"b\":\"y\",\"c\":-5,\"d\":[1,2]}]}",
            "\"data\" : [ { \"a\" : 1 } , { \"b\" : \"]}\" } ] , \"rows\" : 2 }\n ",
            "\"data\":[{\"a\":1,\"b\":\"x\"}]} behind",
            "\"data\":[{\"a\":1,\"b\":\"x\"}], \"extra\": {\"x\":[1]}}",
            "\"data\":[{\"a\":null,\"b\":null,\"c\":null}]}")) {
      inputs.add("JSON\n" + META + rows);
    }
    inputs.add("JSON\n{\"meta\":[{\"name\":\"a\",\"type\":\"UInt16\"}],\"data\":[{\"a\":1}]}");
    inputs.add(
        "JSON\n{\"meta\":[{\"type\":\"UInt8\",\"name\":\"a\"}],\"data\":[{\"a\":1,\"b\":\"x\"}]}");
    inputs.add("JSON\n{\"meta\":[{\"name\":\"z\",\"type\":\"UInt16\"}],\"data\":[{\"a\":1}]}");
    inputs.add("JSON\n{\"a\":1,\"b\":\"x\"}{\"a\":2}");
    inputs.add("JSON\n[{\"a\":1,\"b\":\"x\"},{\"a\":2}]");
    inputs.add("JSON\n{}");
    for (String rows :
        List.of(
            "\"data\":[[1,\"x\"],[2,\"y\"]],\"rows\":2}",
            "\"data\" : [ [ 1 , \"]\" ] ] }",
            "\"data\":[[null,\"y\"]]}")) {
      inputs.add("JSONCompact\n" + META + rows);
    }
    inputs.add(
        "JSONCompact\n{\"meta\":[{\"name\":\"d\",\"type\":\"Array(UInt8)\"},"
            + "{\"name\":\"c\",\"type\":\"Nullable(Int16)\"}],\"data\":[[[1,2],null],[[],3]]}");
    inputs.add("JSONCompact\n{\"meta\":[{\"name\":\"a\",\"type\":\"Int8\"}],\"data\":[[1]]}");
    inputs.add("JSONCompact\n{\"data\":[[1,\"x\"]]}");
    inputs.add("JSONCompact\n[[1,\"x\"]]");
    return inputs;
  }

  @Test
  void rowsAndCodesAreEqual() throws IOException {
    List<String> unlike = new ArrayList<>();
    try (ChdbPeer peer = ChdbPeer.start();
        Engine engine = Engine.open(EngineConfig.on(new SimDisk(1)))) {
      Session session = new Session(engine);
      peer.run(CREATE);
      session.execute(CREATE).close();
      for (String input : inputs()) {
        ChdbPeer.Answer inserted = peer.ask("INSERT INTO j FORMAT " + input, "TSV");
        String theirs =
            inserted.ok()
                ? new String(
                    peer.query("SELECT * FROM j ORDER BY a, b", "TSV"), StandardCharsets.UTF_8)
                : "error " + inserted.code();
        String ours;
        try {
          session.execute("INSERT INTO j FORMAT " + input).close();
          ours = Texts.tsv(session, engine.allocator(), "SELECT * FROM j ORDER BY a, b") + "\n";
        } catch (EngineException e) {
          ours = "error " + e.code().number();
        }
        if (!ours.equals(theirs)) {
          unlike.add(input + "\n  theirs " + theirs + inserted.error() + "\n  ours " + ours);
        }
        peer.run("TRUNCATE TABLE j");
        session.execute("TRUNCATE TABLE j").close();
      }
      assertThat(engine.allocator().getAllocatedMemory()).isZero();
    }
    assertThat(unlike).isEmpty();
  }
}
