package io.coppice.merge.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.base.setting.Setting;
import io.coppice.fixtures.peer.ChdbPeer;
import io.coppice.language.expression.Literal;
import io.coppice.merge.select.PeerParts.Written;
import io.coppice.parts.name.PartName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * 26.7 and we choose the same merges. Parts of random sizes are made while merges are stopped; then
 * the real engine merges, one merge at a time as its pool has one place, and each of its choices is
 * compared with ours for the parts that there were. When a part was written, the engine tells; a
 * choice counts as ours if we make it at some second between the statement's start and its end.
 */
@Tag("peer")
class MergeChoosingPeerTest {
  private static final long SEED = Long.getLong("coppice.seed", 20261201);

  @TempDir static Path directory;
  private static ChdbPeer peer;

  @BeforeAll
  static void start() throws IOException {
    System.out.println("-Dcoppice.seed=" + SEED);
    peer = oneMergeAtATime(directory);
  }

  /** An engine whose pool of merges has one place. */
  static ChdbPeer oneMergeAtATime(Path directory) throws IOException {
    Path config = directory.resolve("config.xml");
    Files.writeString(
        config,
        """
        <clickhouse>
          <background_pool_size>1</background_pool_size>
          <background_merges_mutations_concurrency_ratio>1</background_merges_mutations_concurrency_ratio>
        </clickhouse>
        """);
    return ChdbPeer.start(Files.createDirectory(directory.resolve("data")), config);
  }

  @AfterAll
  static void stop() {
    peer.close();
  }

  /**
   * OPTIMIZE chooses once, at once, and says so by its result. It does not ask for the width that
   * {@code merge_selector_base} asks for; a base that nothing reaches keeps the background still.
   */
  @Test
  void optimizeMergesWhatWeChoose() {
    Random random = new Random(SEED);
    int merges = 0;
    for (int round = 0; round < 40; round++) {
      Map<String, Literal> settings = randomSettings(random);
      String table = "o" + round;
      settings.put("merge_selector_base", Literal.IntegerLiteral.of(1_000_000));
      create(table);
      insert(table, random, 2 + random.nextInt(40), random.nextBoolean() ? 1 : 3);
      set(table, settings);
      merges += optimizeUntilDone(table, settings, 1 + random.nextInt(6));
      peer.run("DROP TABLE " + table + " SYNC");
    }
    System.out.printf("%d merges of OPTIMIZE compared%n", merges);
    assertThat(merges).isGreaterThan(40);
  }

  /** The same with parts that are old; the engine takes a part's age from its directory. */
  @Test
  void optimizeMergesOldPartsAsWeDo() throws IOException {
    Random random = new Random(SEED + 1);
    int merges = 0;
    for (int round = 0; round < 16; round++) {
      Map<String, Literal> settings = randomSettings(random);
      settings.put("merge_selector_base", Literal.IntegerLiteral.of(1_000_000));
      String table = "a" + round;
      create(table);
      insert(table, random, 2 + random.nextInt(8), 1 + random.nextInt(3));
      set(table, settings);
      age(table, random, 3000);
      merges += optimizeUntilDone(table, settings, 1 + random.nextInt(4));
      peer.run("DROP TABLE " + table + " SYNC");
    }
    System.out.printf("%d merges of OPTIMIZE of old parts compared%n", merges);
    assertThat(merges).isGreaterThan(10);
  }

  /** What runs by itself, with the width that the base asks for. */
  @Test
  void backgroundMergesAreOurs() throws IOException {
    Random random = new Random(SEED + 2);
    int merges = 0;
    for (int round = 0; round < 20; round++) {
      Map<String, Literal> settings = randomSettings(random);
      boolean old = random.nextBoolean();
      if (old && random.nextInt(3) == 0) {
        settings.put("min_age_to_force_merge_seconds", Literal.IntegerLiteral.of(2000));
        settings.put(
            "min_age_to_force_merge_on_partition_only",
            Literal.IntegerLiteral.of(random.nextInt(2)));
      }
      String table = "b" + round;
      create(table);
      peer.run("SYSTEM STOP MERGES " + table);
      insert(table, random, 4 + random.nextInt(30), random.nextBoolean() ? 1 : 2);
      settings.putIfAbsent("merge_selector_base", Literal.IntegerLiteral.of(5));
      set(table, settings);
      if (old) {
        age(table, random, random.nextBoolean() ? 4000 : 400_000);
        peer.run("SYSTEM STOP MERGES " + table);
      }
      merges += backgroundMerges(table, settings);
      peer.run("DROP TABLE " + table + " SYNC");
    }
    System.out.printf("%d background merges compared%n", merges);
    assertThat(merges).isGreaterThan(10);
  }

  @Test
  void ourDefaultsAreTheirs() {
    for (Setting setting :
        List.of(
            MergeSettings.MAX_BYTES_AT_MAX_SPACE,
            MergeSettings.MAX_BYTES_AT_MIN_SPACE,
            MergeSettings.MAX_PARTS_AT_ONCE,
            MergeSettings.MIN_PARTS_AT_ONCE,
            MergeSettings.WINDOW_SIZE,
            MergeSettings.BLURRY_BASE_SCALE,
            MergeSettings.DROP_SMALL_AT_RIGHT,
            MergeSettings.LOWER_MAX_PARTS,
            MergeSettings.LOWER_MAX_PARTS_EXPONENT,
            MergeSettings.PARTS_TO_THROW,
            MergeSettings.AGE_TO_FORCE,
            MergeSettings.FORCE_WHOLE_PARTITION_ONLY,
            MergeSettings.LIMIT_FORCED,
            MergeSettings.TTL_ONLY_DROP_PARTS,
            MergeSettings.MAX_TTL_MERGES)) {
      assertThat(
              peer.text(
                  "SELECT value FROM system.merge_tree_settings WHERE name = '"
                      + setting.name()
                      + "'"))
          .as(setting.name())
          .isEqualTo(Long.toString(setting.defaultValue()));
    }
  }

  /** OPTIMIZE PARTITION, with and without FINAL, with one part and more, merged before or not. */
  @Test
  void wholePartitionsAreMergedAsWeWould() {
    Random random = new Random(SEED + 3);
    for (int round = 0; round < 24; round++) {
      String table = "w" + round;
      create(table);
      insert(table, random, 1 + random.nextInt(3), 1);
      for (int step = 0; step < 3; step++) {
        boolean last = random.nextBoolean();
        boolean skip = random.nextBoolean();
        List<Written> before = PeerParts.all(peer, table);
        MergeSituation now =
            PeerParts.situation(
                PeerParts.active(before), PeerParts.outdated(before), PeerParts.now(peer));
        Optional<PartName> ours =
            chooser(Map.of())
                .wholePartition(now, "0", last, skip)
                .merge()
                .map(MergeDecision.Merge::resultName);
        String statement =
            "OPTIMIZE TABLE %s PARTITION ID '0'%s SETTINGS optimize_skip_merged_partitions = %d"
                .formatted(table, last ? " FINAL" : "", skip ? 1 : 0);
        peer.run(statement);
        Set<PartName> made = new TreeSet<>(PeerParts.activeNames(PeerParts.all(peer, table)));
        made.removeAll(PeerParts.activeNames(before));
        assertThat(made.stream().findFirst())
            .as("seed %d: %s with parts %s", SEED, statement, before)
            .isEqualTo(ours);
      }
      peer.run("DROP TABLE " + table + " SYNC");
    }
  }

  private static Map<String, Literal> randomSettings(Random random) {
    Map<String, Literal> settings = new LinkedHashMap<>();
    maybe(random, settings, "max_parts_to_merge_at_once", 2 + random.nextInt(12));
    maybe(random, settings, "min_parts_to_merge_at_once", random.nextInt(6));
    maybe(random, settings, "merge_selector_window_size", 3 + random.nextInt(30));
    maybe(random, settings, "parts_to_throw_insert", random.nextInt(60));
    maybe(
        random,
        settings,
        "merge_selector_enable_heuristic_to_remove_small_parts_at_right",
        random.nextInt(2));
    maybe(
        random,
        settings,
        "merge_selector_enable_heuristic_to_lower_max_parts_to_merge_at_once",
        random.nextInt(2));
    maybe(
        random,
        settings,
        "merge_selector_heuristic_to_lower_max_parts_to_merge_at_once_exponent",
        random.nextInt(8));
    maybe(
        random,
        settings,
        "max_bytes_to_merge_at_max_space_in_pool",
        1 << (10 + random.nextInt(17)));
    if (random.nextInt(3) == 0) {
      settings.put(
          "merge_selector_base", new Literal.FloatLiteral(1.5 + random.nextInt(50) / 10.0));
    }
    return settings;
  }

  private static void maybe(Random random, Map<String, Literal> settings, String name, long value) {
    if (random.nextInt(4) == 0) {
      settings.put(name, Literal.IntegerLiteral.of(value));
    }
  }

  private static void create(String table) {
    peer.run(
        "CREATE TABLE "
            + table
            + " (p UInt8, x UInt64 CODEC(NONE)) ENGINE = MergeTree PARTITION BY p ORDER BY tuple()"
            + " SETTINGS old_parts_lifetime = 1000000, merge_selector_base = 1000000");
  }

  /** Settings come after the inserts, as some of them would refuse those. */
  private static void set(String table, Map<String, Literal> settings) {
    if (!settings.isEmpty()) {
      peer.run(
          settings.entrySet().stream()
              .map(one -> one.getKey() + " = " + one.getValue().text())
              .collect(Collectors.joining(", ", "ALTER TABLE " + table + " MODIFY SETTING ", "")));
    }
  }

  /** Parts from a few hundred bytes to tens of megabytes, often of like size. */
  private static void insert(String table, Random random, int count, int partitions) {
    int rows = 1;
    for (int i = 0; i < count; i++) {
      if (random.nextInt(3) > 0) {
        rows = (int) Math.pow(10, random.nextDouble() * (random.nextInt(4) == 0 ? 6.3 : 4));
      }
      peer.run(
          "INSERT INTO %s SELECT %d, number + 1 FROM numbers(%d) SETTINGS max_block_size = 10000000"
              .formatted(table, random.nextInt(partitions), rows));
    }
  }

  /** Makes each part some seconds old, less than {@code most}. */
  private static void age(String table, Random random, int most) throws IOException {
    List<Path> parts = new ArrayList<>();
    long now = PeerParts.now(peer);
    for (String row :
        peer.text("SELECT path FROM system.parts WHERE active AND table = '" + table + "'")
            .lines()
            .toList()) {
      parts.add(peer.dataDirectory().resolve(row));
    }
    peer.run("DETACH TABLE " + table);
    for (Path part : parts) {
      long age = random.nextInt(most);
      Files.setLastModifiedTime(part, FileTime.fromMillis((now - age) * 1000));
    }
    peer.run("ATTACH TABLE " + table);
  }

  private static int optimizeUntilDone(String table, Map<String, Literal> settings, int most) {
    MergeChooser chooser = chooser(settings);
    int merges = 0;
    while (merges < most) {
      List<Written> before = PeerParts.all(peer, table);
      List<PartName> outdated = PeerParts.outdated(before);
      long from = PeerParts.now(peer);
      peer.run("OPTIMIZE TABLE " + table);
      long until = PeerParts.now(peer);
      Set<Optional<PartName>> ours = new HashSet<>();
      for (long at = from; at <= until; at++) {
        MergeSituation now = PeerParts.situation(PeerParts.active(before), outdated, at);
        ours.add(chooser.optimize(now).merge().map(MergeDecision.Merge::resultName));
      }
      Set<PartName> made = new TreeSet<>(PeerParts.byName(PeerParts.all(peer, table)).keySet());
      made.removeAll(PeerParts.byName(before).keySet());
      assertThat(made).as("merges of one OPTIMIZE of %s", table).hasSizeLessThanOrEqualTo(1);
      assertThat(ours)
          .as("seed %d: OPTIMIZE of %s %s with parts %s", SEED, table, settings, before)
          .contains(made.stream().findFirst());
      if (made.isEmpty()) {
        break;
      }
      merges++;
    }
    return merges;
  }

  private static MergeChooser chooser(Map<String, Literal> settings) {
    return MergeChooser.of(
        MergeSettings.of(settings), new Random(SEED), new ScheduledMergeSelector(List.of()));
  }

  /** Lets the engine merge until we would choose nothing more, and follows it choice by choice. */
  private static int backgroundMerges(String table, Map<String, Literal> settings) {
    List<Written> before = PeerParts.all(peer, table);
    MergeChooser chooser = chooser(settings);
    long from = PeerParts.now(peer);
    peer.run("SYSTEM START MERGES " + table);
    MergeReplay replay =
        new MergeReplay(
            chooser, MergeSettings.of(settings), before, from, part -> Optional.empty());
    return replay.followUntilIdle(peer, table, "seed " + SEED + ": " + table + " " + settings);
  }
}
