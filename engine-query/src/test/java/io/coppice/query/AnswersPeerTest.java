package io.coppice.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.error.EngineException;
import io.coppice.engine.Engine;
import io.coppice.fixtures.peer.ChdbPeer;
import io.coppice.parts.text.DataFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same statements in ClickHouse 26.7 and here, one after the other: equal texts and codes. */
@Tag("peer")
class AnswersPeerTest {
  private static final DataFormat FORMAT = DataFormat.TSV_WITH_NAMES_AND_TYPES;
  private static final DateTimeFormatter TEXT = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");
  private static final int ZONES = 40;

  @TempDir Path directory;

  /** Names, types and values of results, and which error it is. */
  @Test
  void statementsOfAFileGiveTheSame() throws IOException {
    String text;
    try (InputStream in = AnswersPeerTest.class.getResourceAsStream("answers.sql")) {
      text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    compare(List.of(text.split("\n;\n")));
  }

  /** Around changes of clocks in zones of all the world, since 1970. */
  @Test
  void timesAroundChangesOfClocksAreTheSame() throws IOException {
    long seed = Long.getLong("coppice.seed", 20261201L);
    System.out.println("seed: -Dcoppice.seed=" + seed);
    Random random = new Random(seed);
    List<String> zones =
        ZoneId.getAvailableZoneIds().stream()
            .filter(zone -> zone.contains("/"))
            .filter(zone -> !zone.startsWith("Etc/") && !zone.startsWith("SystemV/"))
            .sorted()
            .toList();
    List<String> statements = new ArrayList<>();
    for (int i = 0; i < ZONES; i++) {
      String zone = zones.get(random.nextInt(zones.size()));
      List<String> values = new ArrayList<>();
      for (int k = 0; k < 8; k++) {
        String time = TEXT.format(nearAChange(zone, random));
        String moment = "toDateTime('" + time + "', '" + zone + "')";
        String day = time.substring(0, 10);
        values.add(moment + "::UInt32");
        values.add("toDateTime64('" + time + "', 0, '" + zone + "')::Int64");
        values.add("toDateTime(toDate('" + day + "'), '" + zone + "')::UInt32");
        values.add("toDateTime64(toDate32('" + day + "'), 0, '" + zone + "')::Int64");
        values.add("toStartOfDay(" + moment + ")::UInt32");
        values.add("(" + moment + " - INTERVAL 1 DAY)::UInt32");
        values.add("(" + moment + " + INTERVAL 1 MONTH)::UInt32");
        values.add("toDate(toDateTime(toUInt32(" + moment + "), 'UTC'), '" + zone + "')");
      }
      statements.add("SELECT " + String.join(", ", values));
    }
    compare(statements);
  }

  private static LocalDateTime nearAChange(String zone, Random random) {
    LocalDate from = LocalDate.of(1971 + random.nextInt(125), 1 + random.nextInt(12), 1);
    Optional<ZoneOffsetTransition> change =
        Optional.ofNullable(
            ZoneId.of(zone)
                .getRules()
                .nextTransition(Instant.ofEpochSecond(from.toEpochDay() * 86400)));
    return change
        .map(ZoneOffsetTransition::getDateTimeBefore)
        .filter(time -> time.getYear() < 2100)
        .map(time -> time.plusSeconds((random.nextInt(25) - 12) * 900L + random.nextInt(3) - 1))
        .orElse(
            LocalDateTime.ofEpochSecond(
                from.toEpochDay() * 86400 + random.nextInt(86400), 0, ZoneOffset.UTC));
  }

  private void compare(List<String> statements) throws IOException {
    List<String> unlike = new ArrayList<>();
    try (ChdbPeer peer = ChdbPeer.start();
        Engine engine = Engine.open(directory)) {
      Session session = new Session(engine);
      for (String statement : statements) {
        ChdbPeer.Answer answer = peer.ask(statement, FORMAT.text());
        String theirs =
            answer.ok()
                ? new String(answer.bytes(), StandardCharsets.UTF_8).stripTrailing()
                : "error " + answer.code();
        String ours = ours(session, engine, statement);
        if (!ours.equals(theirs)) {
          unlike.add(statement + "\n  theirs: " + theirs + "\n  ours:   " + ours);
        }
      }
      assertThat(engine.allocator().getAllocatedMemory()).isZero();
    }
    assertThat(unlike).as("of %d statements", statements.size()).isEmpty();
  }

  private static String ours(Session session, Engine engine, String statement) throws IOException {
    try {
      return Texts.text(session, engine.allocator(), statement, FORMAT).stripTrailing();
    } catch (EngineException e) {
      return "error " + e.code().number();
    }
  }
}
