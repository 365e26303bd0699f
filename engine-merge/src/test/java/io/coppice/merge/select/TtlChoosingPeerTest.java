package io.coppice.merge.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.fixtures.peer.ChdbPeer;
import io.coppice.language.expression.Literal;
import io.coppice.merge.select.PeerParts.Written;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * 26.7 and we carry out TTLs by the same merges: parts that have expired in whole, in part or not
 * at all, many of them at the same second, so that it also shows which of equals comes first.
 */
@Tag("peer")
class TtlChoosingPeerTest {
  private static final long SEED = Long.getLong("coppice.seed", 20261201);
  private static final String CODEC = "ZSTD(3)";

  @TempDir static Path directory;
  private static ChdbPeer peer;

  @BeforeAll
  static void start() throws IOException {
    System.out.println("-Dcoppice.seed=" + SEED);
    peer = MergeChoosingPeerTest.oneMergeAtATime(directory);
  }

  @AfterAll
  static void stop() {
    peer.close();
  }

  @Test
  void mergesForTtlAreOurs() {
    Random random = new Random(SEED);
    Map<MergeKind, Integer> kinds = new EnumMap<>(MergeKind.class);
    for (int round = 0; round < 14; round++) {
      boolean recompress = random.nextInt(3) == 0;
      String table = "ttl" + round;
      peer.run(
          "CREATE TABLE %s (p UInt8, d DateTime, e DateTime, x UInt64 CODEC(NONE)) ENGINE = MergeTree"
                  .formatted(table)
              + " PARTITION BY p ORDER BY tuple() TTL d"
              + (recompress ? ", e RECOMPRESS CODEC(" + CODEC + ")" : "")
              + " SETTINGS old_parts_lifetime = 1000000, merge_selector_base = 1000000,"
              + " merge_tree_clear_old_parts_interval_seconds = 1000000,"
              + " max_number_of_merges_with_ttl_in_pool = 0");
      insert(table, random, 3 + random.nextInt(12));
      List<Written> before = PeerParts.all(peer, table);
      Map<String, Literal> settings = settings(random);
      long from = PeerParts.now(peer);
      peer.run(
          settings.entrySet().stream()
              .map(one -> one.getKey() + " = " + one.getValue().text())
              .collect(Collectors.joining(", ", "ALTER TABLE " + table + " MODIFY SETTING ", "")));
      MergeReplay replay =
          new MergeReplay(
              MergeChooser.of(
                  MergeSettings.of(settings), random, new ScheduledMergeSelector(List.of())),
              MergeSettings.of(settings),
              before,
              from,
              part -> Optional.of(ttl(part)));
      replay.followUntilIdle(peer, table, "seed " + SEED + ": " + table + " " + settings);
      replay.merges().forEach(merge -> kinds.merge(merge.kind(), 1, Integer::sum));
      peer.run("DROP TABLE " + table + " SYNC");
    }
    System.out.println("merges compared: " + kinds);
    assertThat(kinds)
        .containsOnlyKeys(MergeKind.TTL_DROP, MergeKind.TTL_DELETE, MergeKind.TTL_RECOMPRESS);
  }

  private static Map<String, Literal> settings(Random random) {
    Map<String, Literal> settings = new LinkedHashMap<>();
    settings.put("merge_selector_base", Literal.IntegerLiteral.of(1_000_000));
    settings.put("max_number_of_merges_with_ttl_in_pool", Literal.IntegerLiteral.of(2));
    // With a delay, 26.7 lets a partition wait already when its merge was chosen but found the pool
    // full; no look from outside would tell.
    settings.put("merge_with_ttl_timeout", Literal.IntegerLiteral.of(0));
    settings.put("merge_with_recompression_ttl_timeout", Literal.IntegerLiteral.of(0));
    settings.put("max_parts_to_merge_at_once", Literal.IntegerLiteral.of(random.nextInt(6)));
    settings.put("ttl_only_drop_parts", Literal.IntegerLiteral.of(random.nextInt(4) == 0 ? 1 : 0));
    if (random.nextBoolean()) {
      settings.put(
          "max_bytes_to_merge_at_max_space_in_pool",
          Literal.IntegerLiteral.of(500 + random.nextInt(5000)));
    }
    return settings;
  }

  private static void insert(String table, Random random, int count) {
    for (int i = 0; i < count; i++) {
      int partition = random.nextInt(2);
      int rows = 1 + random.nextInt(300);
      peer.run(
          "INSERT INTO %s SELECT %d, if(number = 0, toDateTime('%s'), toDateTime('%s')), toDateTime('%s'),"
                  .formatted(table, partition, day(random), day(random), day(random))
              + " number FROM numbers(%d)".formatted(rows));
    }
  }

  /** One of few moments, half of them long ago. */
  private static String day(Random random) {
    return (random.nextBoolean() ? "2020" : "2040") + "-01-0" + (1 + random.nextInt(2));
  }

  private static PartTtl ttl(Written part) {
    boolean due = part.recompressMax() > 0;
    return new PartTtl(
        part.ttlMin(),
        part.ttlMax(),
        true,
        true,
        due
            ? Optional.of(
                new PartTtl.Recompression(part.recompressMax(), !part.codec().equals(CODEC)))
            : Optional.empty());
  }
}
