package io.coppice.merge.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.fixtures.peer.ChdbPeer;
import io.coppice.merge.select.PeerParts.Written;
import io.coppice.parts.name.PartName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The background merges of a real engine done again by our choices. The engine merges one at a
 * time; a choice of ours is right if its result is among the parts that the engine made.
 */
final class MergeReplay {
  private final MergeChooser chooser;
  private final MergeSettings settings;
  private final List<Written> before;
  private final List<Written> active;
  private final List<PartName> outdated;
  private final Function<Written, Optional<PartTtl>> ttl;
  private final List<MergeDecision.Merge> merges = new ArrayList<>();
  private TtlSchedule schedule = TtlSchedule.empty();
  private long from;
  private boolean idle;
  private Set<Optional<PartName>> wanted = Set.of();

  /**
   * A replay that begins with these parts.
   *
   * @param from the earliest moment of the first choice, seconds since 1970
   */
  MergeReplay(
      MergeChooser chooser,
      MergeSettings settings,
      List<Written> before,
      long from,
      Function<Written, Optional<PartTtl>> ttl) {
    this.chooser = chooser;
    this.settings = settings;
    this.before = before;
    this.active = new ArrayList<>(PeerParts.active(before));
    this.outdated = new ArrayList<>(PeerParts.outdated(before));
    this.from = from;
    this.ttl = ttl;
  }

  /** The merges that both have chosen so far. */
  List<MergeDecision.Merge> merges() {
    return merges;
  }

  /** Lets the engine merge until we would choose nothing more; how many merges that were. */
  int followUntilIdle(ChdbPeer peer, String table, String what) {
    int agreed = 0;
    for (int tries = 0; tries < 400 && agreed < 4; tries++) {
      peer.run("SELECT sleep(0.2)");
      List<Written> now = PeerParts.all(peer, table);
      follow(PeerParts.byName(now), PeerParts.now(peer));
      // A few more looks after we are through: the engine may want to go on.
      agreed = idle && names().equals(PeerParts.activeNames(now)) ? agreed + 1 : 0;
    }
    assertThat(names())
        .as(
            "%s after %d merges, when we choose %s; it began with %s",
            what, merges.size(), wanted, before)
        .containsExactlyElementsOf(PeerParts.activeNames(PeerParts.all(peer, table)));
    assertThat(idle).as("%s has settled", what).isTrue();
    return merges.size();
  }

  private List<PartName> names() {
    return active.stream().map(Written::name).toList();
  }

  private void follow(Map<PartName, Written> known, long until) {
    Optional<Written> next = next(known, until);
    while (next.isPresent()) {
      PartName result = next.get().name();
      names().stream().filter(result::covers).forEach(outdated::add);
      active.removeIf(part -> result.covers(part.name()));
      active.add(next.get());
      active.sort(Comparator.comparing(Written::name));
      // The next choice is made when the result is there.
      from = Math.max(from, next.get().atSeconds());
      next = next(known, until);
    }
  }

  private Optional<Written> next(Map<PartName, Written> known, long until) {
    wanted = new HashSet<>();
    idle = false;
    for (long at = from; at <= until; at++) {
      MergeSituation now = PeerParts.situation(active, outdated, at, ttl, schedule);
      Optional<MergeDecision.Merge> one = chooser.next(now).merge();
      wanted.add(one.map(MergeDecision.Merge::resultName));
      idle = one.isEmpty();
      if (one.isPresent() && known.containsKey(one.get().resultName())) {
        schedule = schedule.after(one.get(), settings, at);
        merges.add(one.get());
        return Optional.of(known.get(one.get().resultName()));
      }
    }
    return Optional.empty();
  }
}
