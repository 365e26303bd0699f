package io.coppice.parts.set;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.coppice.base.check.Check;
import io.coppice.base.disk.Disk;
import io.coppice.base.disk.DiskPath;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.base.time.TimeSource;
import io.coppice.parts.name.DetachedName;
import io.coppice.parts.name.PartName;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.stream.ArrowFlags;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The parts of a table's directory and which of them count.
 *
 * <pre>{@code
 * PartSet parts = PartSet.load(disk, PartSetSettings.of(table), allocator, executor, time);
 * parts.add("tmp_insert_1/all_1_1_0", PartName.parse("all_1_1_0"));
 * try (PartSnapshot snapshot = parts.snapshot()) {
 *   …
 * }
 * }</pre>
 *
 * <p>Thread-safe. Borrows the disk and the allocator. There is one set for a directory at a time;
 * nobody else renames or deletes parts in it.
 */
public final class PartSet {
  /*
   * Invariants:
   *   - No two active parts have a block in common, so that a row is read once.
   *   - An active part and a part about to be are opened: their small files fit together.
   *   - A part that a snapshot holds keeps its files under its name.
   *   - Nothing but a whole part ever lies under a part's name: it gets there by a rename, and
   *     leaves by one that is durable before the first of its files goes (PartCleaner).
   *
   * A part that is deleted without another covering it could come back by a crash, as long as the
   * rename is not durable. Hence `remove` only begins; who must be sure waits until the cleaner
   * has deleted the part.
   *
   * Locks: `lock` guards all fields and the leases of parts; no disk is touched while it is held.
   * A name is reserved under the lock (TEMPORARY) before the disk is touched, so that two threads
   * never rename to the same name.
   */

  /** What a part that is being deleted is called, before its name. */
  static final String DELETING_PREFIX = "delete_tmp_";

  private static final System.Logger LOG = System.getLogger(PartSet.class.getName());

  private final Disk disk;
  private final PartSetSettings settings;
  private final BufferAllocator allocator;
  private final TimeSource time;
  private final LoadReport loadReport;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile Listener listener = Listener.NONE;

  /** All parts but those that are gone. */
  @GuardedBy("lock")
  private final TreeMap<PartName, Part> parts = new TreeMap<>();

  /** The active ones, never changed, replaced whole. */
  @GuardedBy("lock")
  private List<Part> active = List.of();

  /**
   * Reads a table's directory, which is made if it is not there. Parts are opened on {@code
   * executor}; {@code Runnable::run} opens them here, one after another. Leftovers of a crash are
   * deleted; broken parts are moved to {@code detached/}; not so if the settings say to read only.
   *
   * @throws EngineException TOO_MANY_UNEXPECTED_DATA_PARTS when too many are broken, LOGICAL_ERROR
   *     when two parts have blocks in common and neither covers the other
   */
  public static PartSet load(
      Disk disk,
      PartSetSettings settings,
      BufferAllocator allocator,
      Executor executor,
      TimeSource time)
      throws IOException {
    return load(disk, settings, allocator, executor, time, Progress.NONE);
  }

  /** As {@link #load}, telling how far it has come. */
  public static PartSet load(
      Disk disk,
      PartSetSettings settings,
      BufferAllocator allocator,
      Executor executor,
      TimeSource time,
      Progress progress)
      throws IOException {
    ArrowFlags.require(); // no part is broken because the JVM was started wrongly
    TreeMap<PartName, LoadedPart> active = new TreeMap<>();
    TreeSet<PartName> outdated = new TreeSet<>();
    LoadReport report =
        new PartDirectory(disk, settings, allocator, executor, progress).load(active, outdated);
    for (LoadReport.Broken broken : report.broken()) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0}: part {1} is broken{2}: {3}",
          disk.describe(""),
          broken.part(),
          broken.movedTo().map(name -> ", moved to detached/" + name).orElse(" and left out"),
          broken.reason());
    }
    return new PartSet(disk, settings, allocator, time, report, active, outdated);
  }

  private PartSet(
      Disk disk,
      PartSetSettings settings,
      BufferAllocator allocator,
      TimeSource time,
      LoadReport loadReport,
      Map<PartName, LoadedPart> loaded,
      Collection<PartName> outdated) {
    this.disk = disk;
    this.settings = settings;
    this.allocator = allocator;
    this.time = time;
    this.loadReport = loadReport;
    long now = time.monotonicNanos();
    for (Map.Entry<PartName, LoadedPart> one : loaded.entrySet()) {
      Part part = new Part(one.getKey(), PartState.ACTIVE);
      part.loaded(one.getValue());
      parts.put(part.name(), part);
    }
    for (PartName name : outdated) {
      Part part = new Part(name, PartState.OUTDATED);
      part.outdatedNanos = now;
      parts.put(name, part);
    }
    publish();
  }

  /** Who wants to know how far loading has come. */
  @FunctionalInterface
  public interface Progress {
    /** Nobody. */
    Progress NONE = (loaded, total) -> {};

    /**
     * So many parts were looked at, by the thread that loads. Called once for some dozens of them.
     *
     * @param total of which it is known so far that they are to be opened; it grows when broken
     *     parts are found
     */
    void loaded(long loaded, long total);
  }

  /** Who wants to know what becomes of parts. Called by the thread that does it, without locks. */
  public interface Listener {
    /** Nobody. */
    Listener NONE =
        new Listener() {
          @Override
          public void activated(Part part) {}

          @Override
          public void deleted(Part part) {}
        };

    /** A part became active. */
    void activated(Part part);

    /** The files of a part are gone. */
    void deleted(Part part);
  }

  /** Tells {@code other} from now on, and nobody else. */
  public void listener(Listener other) {
    listener = other;
  }

  /** What was found when the directory was loaded. */
  public LoadReport loadReport() {
    return loadReport;
  }

  Disk disk() {
    return disk;
  }

  /** All parts that are not gone, in the order of their names. */
  public List<Part> parts() {
    lock.lock();
    try {
      return List.copyOf(parts.values());
    } finally {
      lock.unlock();
    }
  }

  /** The active parts of now, in the order of their names; nothing holds them. */
  public List<Part> active() {
    lock.lock();
    try {
      return active;
    } finally {
      lock.unlock();
    }
  }

  /** The part of a name, unless it is gone or was never here. */
  public Optional<Part> part(PartName name) {
    lock.lock();
    try {
      return Optional.ofNullable(parts.get(name));
    } finally {
      lock.unlock();
    }
  }

  /** The active parts of now, held until the caller closes the snapshot. */
  public PartSnapshot snapshot() {
    lock.lock();
    try {
      active.forEach(p -> p.leases++);
      return new PartSnapshot(this, active);
    } finally {
      lock.unlock();
    }
  }

  void release(List<Part> held) {
    lock.lock();
    try {
      for (Part part : held) {
        Check.invariant(part.leases > 0, "part %s was released once too often", part.name());
        part.leases--;
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Adds a part that was written: {@link #prepare} and {@link #activate}.
   *
   * @throws EngineException as those do
   */
  public Part add(String directory, PartName name) throws IOException {
    Part part = prepare(directory, name);
    activate(part);
    return part;
  }

  /**
   * Renames a part that was written, which no snapshot sees yet. When this returns and the settings
   * ask for it, the part is there after a crash, if its writer has synced its files. The caller
   * calls {@link #activate} or {@link #rollback}.
   *
   * @param directory where it lies in the table's directory, of a temporary name: {@code tmp_…} or
   *     below one
   * @throws EngineException DUPLICATE_DATA_PART when the part or one that covers it is here
   *     already; LOGICAL_ERROR when it has blocks in common with one that it does not cover; of
   *     kind CORRUPTION when it is not a whole part. The directory is then as it was
   */
  public Part prepare(String directory, PartName name) throws IOException {
    Check.argument(
        PartDirectory.temporary(DiskPath.names(directory).get(0)),
        "directory \"%s\" of a part to add has no temporary name",
        directory);
    Part part = stage(directory, name);
    boolean renamed = false;
    try {
      disk.rename(directory, name.text());
      renamed = true;
      if (settings.fsyncPartDirectory()) {
        disk.syncDirectory("");
        disk.syncDirectory(DiskPath.parent(directory));
      }
    } catch (Throwable e) {
      moveBack(part, renamed);
      throw e;
    }
    lock.lock();
    try {
      part.move(PartState.PRE_ACTIVE);
    } finally {
      lock.unlock();
    }
    return part;
  }

  /**
   * Opens a part that somebody else will rename, and keeps its name for it. The caller then calls
   * {@link #placed}, or {@link #unstage} if it does not come to that.
   *
   * @param directory where it lies in the table's directory, say below {@code detached}
   * @throws EngineException as {@link #prepare} does
   */
  public Part stage(String directory, PartName name) throws IOException {
    Part part = new Part(name, PartState.TEMPORARY);
    lock.lock();
    try {
      checkFree(name, p -> true);
      parts.put(name, part);
    } finally {
      lock.unlock();
    }
    boolean opened = false;
    try {
      LoadedPart loaded =
          LoadedPart.open(disk.within(directory), name.text(), settings.hints(), allocator);
      if (disk.exists(name.text())) {
        throw EngineException.of(
            ErrorCode.DUPLICATE_DATA_PART,
            "%s is there already, not as a part of this table; look what it is",
            disk.describe(name.text()));
      }
      part.loaded(loaded.at(disk.within(name.text())));
      opened = true;
      return part;
    } finally {
      if (!opened) {
        unstage(part);
      }
    }
  }

  /** The part lies under its name, durably; it is prepared now. */
  public void placed(Part part) {
    lock.lock();
    try {
      part.move(PartState.PRE_ACTIVE);
    } finally {
      lock.unlock();
    }
  }

  /** Gives the name of a staged part free that was not renamed. */
  public void unstage(Part part) {
    moveBack(part, false);
  }

  private void moveBack(Part part, boolean renamed) {
    lock.lock();
    try {
      if (renamed) {
        part.move(PartState.PRE_ACTIVE);
        outdate(part, false);
      } else {
        part.move(PartState.GONE);
        parts.remove(part.name());
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void checkFree(PartName name, Predicate<Part> among) {
    if (parts.containsKey(name) && among.test(parts.get(name))) {
      throw EngineException.of(
          ErrorCode.DUPLICATE_DATA_PART, "part %s is here already, %s", name, parts.get(name));
    }
    PartName first = new PartName(name.partition(), 0, 0, 0);
    for (Part other : parts.tailMap(first).values()) {
      if (!other.name().partition().equals(name.partition())) {
        break;
      }
      boolean counts = other.state() == PartState.ACTIVE || other.state() == PartState.PRE_ACTIVE;
      if (!counts || !among.test(other) || other.name().disjoint(name)) {
        continue;
      }
      if (other.name().covers(name)) {
        throw EngineException.of(
            ErrorCode.DUPLICATE_DATA_PART,
            "part %s is covered by %s, which has its rows",
            name,
            other.name());
      }
      if (!name.covers(other.name())) {
        throw EngineException.of(
            ErrorCode.LOGICAL_ERROR,
            "part %s has blocks in common with %s and does not cover it",
            name,
            other.name());
      }
    }
  }

  /**
   * Makes a prepared part active and outdates those it covers, in one step for snapshots.
   *
   * @return the parts it covered, which were active
   * @throws EngineException as {@link #prepare} does, when another part has become active meanwhile
   *     that this one does not go with; it is then outdated
   */
  public List<Part> activate(Part part) {
    return replace(List.of(part), List.of());
  }

  /**
   * Makes prepared parts active, outdates those they cover, and takes others out as {@link #remove}
   * does, all in one step for snapshots.
   *
   * @return the parts that were covered, which were active
   * @throws EngineException as {@link #prepare} does, when another part has become active meanwhile
   *     that one of these does not go with; NO_SUCH_DATA_PART when one to be taken out is not
   *     active. All that were prepared are then outdated, and nothing else has changed
   */
  public List<Part> replace(List<Part> prepared, List<PartName> removed) {
    List<Part> covered = new ArrayList<>();
    lock.lock();
    try {
      for (Part part : prepared) {
        Check.argument(parts.get(part.name()) == part, "part %s is not of this set", part);
        Check.argument(part.state() == PartState.PRE_ACTIVE, "part %s is not prepared", part);
      }
      List<Part> gone = new ArrayList<>();
      try {
        for (PartName name : removed) {
          gone.add(requireActive(name));
        }
        for (Part part : prepared) {
          checkFree(
              part.name(), p -> p != part && p.state() == PartState.ACTIVE && !gone.contains(p));
        }
      } catch (EngineException e) {
        prepared.forEach(part -> outdate(part, false));
        throw e;
      }
      gone.forEach(part -> outdate(part, false));
      for (Part part : prepared) {
        PartName name = part.name();
        // What nothing takes the place of is dropped: nobody waits for it or for what it was
        // before.
        boolean dropped = part.loaded().orElseThrow().rowCount() == 0;
        PartName first = new PartName(name.partition(), name.minBlock(), name.minBlock(), 0);
        for (Part other : parts.tailMap(first).values()) {
          if (!other.name().partition().equals(name.partition())
              || other.name().minBlock() > name.maxBlock()) {
            break;
          }
          if (!name.covers(other.name())) {
            continue;
          }
          if (other.state() == PartState.ACTIVE) {
            outdate(other, !dropped);
            covered.add(other);
          } else if (dropped && other.state() == PartState.OUTDATED) {
            other.waitsForLifetime = false;
          }
        }
      }
      prepared.forEach(part -> part.move(PartState.ACTIVE));
      publish();
    } finally {
      lock.unlock();
    }
    LOG.log(
        System.Logger.Level.DEBUG,
        "parts {0} are active, {1} covered, {2} removed",
        prepared,
        covered,
        removed);
    prepared.forEach(listener::activated);
    return List.copyOf(covered);
  }

  /** Takes a prepared part back; the cleaner deletes it. */
  public void rollback(Part part) {
    lock.lock();
    try {
      Check.argument(parts.get(part.name()) == part, "part %s is not of this set", part);
      Check.argument(part.state() == PartState.PRE_ACTIVE, "part %s is not prepared", part);
      outdate(part, false);
    } finally {
      lock.unlock();
    }
    LOG.log(System.Logger.Level.DEBUG, "part {0} is taken back", part.name());
  }

  /**
   * Takes an active part out of what snapshots see. The cleaner deletes it as soon as no snapshot
   * holds it, whatever the lifetime of old parts is; until then it is active again after a restart.
   *
   * @throws EngineException NO_SUCH_DATA_PART when there is no such active part
   */
  public Part remove(PartName name) {
    Part part;
    lock.lock();
    try {
      part = requireActive(name);
      outdate(part, false);
      publish();
    } finally {
      lock.unlock();
    }
    LOG.log(System.Logger.Level.DEBUG, "part {0} is removed", name);
    return part;
  }

  @GuardedBy("lock")
  private Part requireActive(PartName name) {
    Part part = parts.get(name);
    if (part == null || part.state() != PartState.ACTIVE) {
      throw EngineException.of(
          ErrorCode.NO_SUCH_DATA_PART,
          "no active part %s; there is %s",
          name,
          part == null ? "none of that name" : part.state());
    }
    return part;
  }

  /**
   * Puts an active part to {@code detached/} and removes it. Snapshots that hold it go on reading
   * it.
   *
   * @param reason one of {@link DetachedName#REASONS}, say {@code broken}, {@code unexpected},
   *     {@code ignored} or {@code covered-by-broken}; empty when a user asked for it
   * @return its name there, with {@code _try1} and so on when that was taken
   * @throws EngineException NO_SUCH_DATA_PART when there is no such active part
   */
  public DetachedName detach(PartName name, Optional<String> reason) throws IOException {
    Part held;
    lock.lock();
    try {
      held = requireActive(name);
      held.leases++; // its files stay where they are while they get their second names
    } finally {
      lock.unlock();
    }
    DetachedName detached;
    try {
      detached = new Detached(disk).copy(name, reason);
      lock.lock();
      try {
        if (held.state() == PartState.ACTIVE) {
          outdate(held, false);
          publish();
        }
      } finally {
        lock.unlock();
      }
    } finally {
      release(List.of(held));
    }
    LOG.log(System.Logger.Level.DEBUG, "part {0} is detached as {1}", name, detached);
    return detached;
  }

  /**
   * Makes a second directory below {@code detached/} with the files of an active part, under a
   * temporary name that the next start cleans away.
   */
  public Clone cloneToDetached(Part part) throws IOException {
    return new Detached(disk).cloned(part.name());
  }

  /**
   * A copy of a part.
   *
   * @param path where it lies
   * @param wanted the first path that is free for it
   */
  public record Clone(String path, String wanted) {}

  /** Directories below {@code detached/}, in order. */
  public List<String> detached() throws IOException {
    return new Detached(disk).names();
  }

  /** Deletes a directory below {@code detached/}; after a crash it is there whole or not at all. */
  public void dropDetached(String name) throws IOException {
    new Detached(disk).drop(name);
  }

  @GuardedBy("lock")
  private void outdate(Part part, boolean waitsForLifetime) {
    part.move(PartState.OUTDATED);
    part.outdatedNanos = time.monotonicNanos();
    part.waitsForLifetime = waitsForLifetime;
  }

  @GuardedBy("lock")
  private void publish() {
    active = parts.values().stream().filter(p -> p.state() == PartState.ACTIVE).toList();
  }

  @GuardedBy("lock")
  private long nanosToWait(Part part, long now) {
    return part.waitsForLifetime
        ? Math.max(0, settings.oldPartsLifetime().toNanos() - (now - part.outdatedNanos))
        : 0;
  }

  /** Moves parts that may be deleted now to DELETING; the caller deletes them. */
  List<Part> takeForDeletion(int most) {
    List<Part> taken = new ArrayList<>();
    lock.lock();
    try {
      long now = time.monotonicNanos();
      for (Iterator<Part> all = parts.values().iterator(); all.hasNext() && taken.size() < most; ) {
        Part part = all.next();
        boolean free = part.state() == PartState.OUTDATED && part.leases == 0;
        if (free && nanosToWait(part, now) == 0) {
          part.move(PartState.DELETING);
          taken.add(part);
        }
      }
    } finally {
      lock.unlock();
    }
    return taken;
  }

  void deleted(Part part) {
    lock.lock();
    try {
      part.move(PartState.GONE);
      parts.remove(part.name());
    } finally {
      lock.unlock();
    }
    LOG.log(System.Logger.Level.DEBUG, "part {0} is deleted", part.name());
    listener.deleted(part);
  }

  void notDeleted(List<Part> left) {
    lock.lock();
    try {
      left.forEach(p -> p.move(PartState.OUTDATED));
    } finally {
      lock.unlock();
    }
  }

  OptionalLong nextDeletionMillis() {
    lock.lock();
    try {
      long now = time.monotonicNanos();
      OptionalLong next = OptionalLong.empty();
      for (Part part : parts.values()) {
        if (part.state() == PartState.OUTDATED && part.leases == 0) {
          long millis = (nanosToWait(part, now) + 999_999) / 1_000_000;
          next = OptionalLong.of(Math.min(millis, next.orElse(Long.MAX_VALUE)));
        }
      }
      return next;
    } finally {
      lock.unlock();
    }
  }

  /** Fails when what this class promises does not hold. Cheap enough for every step of a test. */
  public void checkInvariants() {
    lock.lock();
    try {
      Part before = null;
      for (Part part : active) {
        Check.invariant(part.state() == PartState.ACTIVE, "%s is published", part);
        Check.invariant(parts.get(part.name()) == part, "%s is published, not known", part);
        if (before != null) {
          Check.invariant(
              before.name().disjoint(part.name()), "%s and %s are both active", before, part);
        }
        before = part;
      }
      int activeCount = 0;
      for (Map.Entry<PartName, Part> entry : parts.entrySet()) {
        Part part = entry.getValue();
        Check.invariant(part.name().equals(entry.getKey()), "%s is kept as %s", part, entry);
        Check.invariant(part.state() != PartState.GONE, "%s is kept", part);
        Check.invariant(part.leases >= 0, "%s has %d leases", part, part.leases);
        Check.invariant(
            part.leases == 0 || part.state() != PartState.DELETING, "%s is deleted under us", part);
        if (part.state() == PartState.ACTIVE || part.state() == PartState.PRE_ACTIVE) {
          Check.invariant(part.loaded().isPresent(), "%s is not opened", part);
        }
        activeCount += part.state() == PartState.ACTIVE ? 1 : 0;
      }
      Check.invariant(
          activeCount == active.size(), "%d active, %d published", activeCount, active.size());
    } finally {
      lock.unlock();
    }
  }
}
