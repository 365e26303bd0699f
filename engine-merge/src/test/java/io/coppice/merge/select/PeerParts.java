package io.coppice.merge.select;

import io.coppice.fixtures.peer.ChdbPeer;
import io.coppice.parts.name.PartName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/** The parts of a table of the real engine, as choosing sees them. */
final class PeerParts {
  /**
   * A part, and when it was written, seconds since 1970.
   *
   * @param codec its default
   * @param ttlMin when its first row expires, seconds since 1970, 0 for never; likewise the others
   */
  record Written(
      PartName name,
      boolean active,
      long sizeBytes,
      long rowCount,
      long atSeconds,
      String codec,
      long ttlMin,
      long ttlMax,
      long recompressMax) {
    CandidatePart candidate(Function<Written, Optional<PartTtl>> ttl, long nowSeconds) {
      long age = Math.max(0, nowSeconds - atSeconds);
      return new CandidatePart(name, sizeBytes, rowCount, age, Set.of(), ttl.apply(this));
    }
  }

  private PeerParts() {}

  /** All parts that the engine still knows, in their order. */
  static List<Written> all(ChdbPeer peer, String table) {
    List<Written> parts = new ArrayList<>();
    String rows =
        peer.text(
            "SELECT name, active, bytes_on_disk, rows, toUnixTimestamp(modification_time),"
                + " default_compression_codec, toUnixTimestamp(delete_ttl_info_min),"
                + " toUnixTimestamp(delete_ttl_info_max),"
                + " toUnixTimestamp(recompression_ttl_info.max[1])"
                + " FROM system.parts WHERE table = '"
                + table
                + "'");
    for (String row : rows.lines().toList()) {
      String[] cells = row.split("\t");
      parts.add(
          new Written(
              PartName.parse(cells[0]),
              cells[1].equals("1"),
              Long.parseLong(cells[2]),
              Long.parseLong(cells[3]),
              Long.parseLong(cells[4]),
              cells[5],
              Long.parseLong(cells[6]),
              Long.parseLong(cells[7]),
              Long.parseLong(cells[8])));
    }
    parts.sort(Comparator.comparing(Written::name));
    return parts;
  }

  static List<Written> active(List<Written> parts) {
    return parts.stream().filter(Written::active).toList();
  }

  static List<PartName> activeNames(List<Written> parts) {
    return active(parts).stream().map(Written::name).toList();
  }

  static List<PartName> outdated(List<Written> parts) {
    return parts.stream().filter(part -> !part.active()).map(Written::name).toList();
  }

  static Map<PartName, Written> byName(List<Written> parts) {
    Map<PartName, Written> byName = new LinkedHashMap<>();
    parts.forEach(part -> byName.put(part.name(), part));
    return byName;
  }

  static long now(ChdbPeer peer) {
    return Long.parseLong(peer.text("SELECT toUnixTimestamp(now())"));
  }

  /** A table without TTL in which nothing runs, on a disk that is large enough. */
  static MergeSituation situation(List<Written> parts, List<PartName> outdated, long nowSeconds) {
    return situation(parts, outdated, nowSeconds, part -> Optional.empty(), TtlSchedule.empty());
  }

  static MergeSituation situation(
      List<Written> parts,
      List<PartName> outdated,
      long nowSeconds,
      Function<Written, Optional<PartTtl>> ttl,
      TtlSchedule schedule) {
    return new MergeSituation(
        parts.stream().map(part -> part.candidate(ttl, nowSeconds)).toList(),
        new TablePredicate(List.of(), List.of(), OptionalLong.empty(), outdated),
        new MergePool(1, 0, 0),
        Long.MAX_VALUE,
        Long.MAX_VALUE,
        schedule,
        false,
        nowSeconds);
  }
}
