package io.coppice.parts.set;

import io.coppice.base.disk.AtomicFile;
import io.coppice.base.disk.Disk;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.parts.compress.Decompressor;
import io.coppice.parts.format.FormatVersionFile;
import io.coppice.parts.name.DetachedName;
import io.coppice.parts.name.PartName;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.scan.SharedContents;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Reads a table's directory: what a crash left goes, the parts that no other covers are opened, and
 * where one of them is broken those that it covered are opened in its place.
 *
 * <p>Nothing is moved to {@code detached/} before it is sure that the broken parts are few enough:
 * many at once mean that something else is wrong, say a disk that is not mounted.
 */
final class PartDirectory {
  /** Parts that one task opens, so that a hundred thousand small ones are not as many tasks. */
  private static final int PARTS_OF_A_TASK = 64;

  private final Disk disk;
  private final PartSetSettings settings;
  private final BufferAllocator allocator;
  private final Executor executor;
  private final PartSet.Progress progress;

  /** What there is, before anything is moved. */
  record Found(
      Map<PartName, LoadedPart> active, TreeSet<PartName> outdated, Map<PartName, String> broken) {}

  PartDirectory(
      Disk disk,
      PartSetSettings settings,
      BufferAllocator allocator,
      Executor executor,
      PartSet.Progress progress) {
    this.disk = disk;
    this.settings = settings;
    this.allocator = allocator;
    this.executor = executor;
    this.progress = progress;
  }

  LoadReport load(Map<PartName, LoadedPart> active, TreeSet<PartName> outdated) throws IOException {
    if (!settings.readOnly()) {
      disk.createDirectories("");
    }
    List<String> leftovers = new ArrayList<>();
    TreeSet<PartName> names = new TreeSet<>();
    for (Disk.Entry entry : disk.list("")) {
      if (!entry.directory()) {
        continue;
      }
      if (temporary(entry.name())) {
        leftovers.add(entry.name());
      } else {
        name(entry.name()).ifPresent(names::add);
      }
    }
    Detached detached = new Detached(disk);
    if (!settings.readOnly()) {
      delete(leftovers);
      leftovers.addAll(detached.clean());
    }
    formatVersion();
    Found found = open(names);
    Map<PartName, Long> sizes = checkBroken(found.broken());
    List<LoadReport.Broken> broken = new ArrayList<>();
    for (Map.Entry<PartName, String> part : found.broken().entrySet()) {
      Optional<DetachedName> movedTo =
          settings.readOnly()
              ? Optional.empty()
              : Optional.of(detached.move(part.getKey(), "broken-on-start"));
      broken.add(
          new LoadReport.Broken(part.getKey(), movedTo, sizes.get(part.getKey()), part.getValue()));
    }
    active.putAll(found.active());
    outdated.addAll(found.outdated());
    return new LoadReport(active.size(), outdated.size(), broken, leftovers);
  }

  private void delete(List<String> leftovers) throws IOException {
    if (!leftovers.isEmpty()) {
      // They may have been renamed just now, by a process that ended. If the power goes while they
      // are being deleted they must not be found, half deleted, under the names they had.
      disk.syncDirectory("");
    }
    for (String leftover : leftovers) {
      disk.deleteRecursively(leftover);
    }
  }

  /** Whether a directory is what somebody was writing or deleting when the power went. */
  static boolean temporary(String directory) {
    return directory.startsWith("tmp_")
        || directory.startsWith("tmp-fetch_")
        || directory.startsWith(PartSet.DELETING_PREFIX);
  }

  private Optional<PartName> name(String directory) {
    return ActiveParts.name(directory, Optional.of(settings.formatVersion()));
  }

  private void formatVersion() throws IOException {
    String file = FormatVersionFile.NAME;
    if (!disk.exists(file)) {
      if (settings.readOnly()) {
        return;
      }
      AtomicFile.write(disk, file, settings.formatVersion().write());
      return;
    }
    FormatVersionFile found =
        FormatVersionFile.read(disk.readAll(file, FormatVersionFile.LIMIT_BYTES), file);
    if (found != settings.formatVersion()) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS,
          "%s says %s, expected %s as the table's engine is given; the CREATE TABLE is another"
              + " table's",
          disk.describe(file),
          new String(found.write(), java.nio.charset.StandardCharsets.US_ASCII),
          new String(settings.formatVersion().write(), java.nio.charset.StandardCharsets.US_ASCII));
    }
  }

  private Found open(TreeSet<PartName> names) throws IOException {
    TreeSet<PartName> left = new TreeSet<>(names);
    Map<PartName, LoadedPart> active = new TreeMap<>();
    Map<PartName, String> broken = new TreeMap<>();
    SharedContents shared = new SharedContents();
    List<PartName> round = uncovered(left);
    while (!round.isEmpty()) {
      int done = active.size() + broken.size();
      boolean anyBroken = await(open(round, shared), done, done + round.size(), active, broken);
      round.forEach(left::remove);
      if (!anyBroken) {
        break;
      }
      // What a broken part covered is looked at again, unless a part that is whole covers it too.
      TreeSet<PartName> candidates = new TreeSet<>(left);
      candidates.addAll(active.keySet());
      round = new ArrayList<>(uncovered(candidates));
      round.removeAll(active.keySet());
    }
    return new Found(active, left, broken);
  }

  /** A part that was tried: opened or not. */
  private record Tried(PartName name, LoadedPart part, Throwable failure) {}

  private List<CompletableFuture<List<Tried>>> open(List<PartName> names, SharedContents shared) {
    List<CompletableFuture<List<Tried>>> opening = new ArrayList<>();
    for (int from = 0; from < names.size(); from += PARTS_OF_A_TASK) {
      List<PartName> some = names.subList(from, Math.min(from + PARTS_OF_A_TASK, names.size()));
      opening.add(CompletableFuture.supplyAsync(() -> tryAll(some, shared), executor));
    }
    return opening;
  }

  private List<Tried> tryAll(List<PartName> names, SharedContents shared) {
    List<Tried> tried = new ArrayList<>();
    try (Decompressor decompressor = new Decompressor(allocator)) {
      for (PartName name : names) {
        try {
          LoadedPart part =
              LoadedPart.open(
                  disk.within(name.text()), name.text(), settings.hints(), decompressor, shared);
          tried.add(new Tried(name, part, null));
        } catch (EngineException | IOException e) {
          tried.add(new Tried(name, null, e));
        }
      }
    }
    return tried;
  }

  /** Waits for all; true if any was broken. Weather is thrown: it says nothing about the part. */
  private boolean await(
      List<CompletableFuture<List<Tried>>> opening,
      int done,
      int total,
      Map<PartName, LoadedPart> active,
      Map<PartName, String> broken)
      throws IOException {
    Throwable weather = null;
    boolean any = false;
    int loaded = done;
    for (CompletableFuture<List<Tried>> task : opening) {
      List<Tried> some = List.of();
      try {
        some = task.join();
      } catch (CompletionException e) {
        weather = with(weather, e.getCause());
      }
      for (Tried part : some) {
        if (part.failure() == null) {
          active.put(part.name(), part.part());
        } else if (part.failure() instanceof EngineException engine
            && engine.code().kind() != ErrorCode.Kind.WEATHER) {
          broken.put(part.name(), engine.getMessage());
          any = true;
        } else {
          weather = with(weather, part.failure());
        }
      }
      loaded += some.size();
      progress.loaded(loaded, total);
    }
    if (weather instanceof IOException e) {
      throw e;
    }
    if (weather instanceof RuntimeException e) {
      throw e;
    }
    if (weather instanceof Error e) {
      throw e;
    }
    return any;
  }

  private static Throwable with(Throwable first, Throwable next) {
    if (first == null) {
      return next;
    }
    first.addSuppressed(next);
    return first;
  }

  /**
   * The parts that no other covers, in order.
   *
   * @throws EngineException LOGICAL_ERROR when two have blocks in common and neither covers the
   *     other: which rows count cannot be told
   */
  static List<PartName> uncovered(TreeSet<PartName> names) {
    List<PartName> inOrder = new ArrayList<>(names);
    // A part that covers another comes before it.
    inOrder.sort(
        Comparator.comparing(PartName::partition)
            .thenComparingLong(PartName::minBlock)
            .thenComparing(PartName::maxBlock, Comparator.reverseOrder())
            .thenComparing(PartName::level, Comparator.reverseOrder())
            .thenComparing(PartName::mutation, Comparator.reverseOrder()));
    List<PartName> top = new ArrayList<>();
    Deque<PartName> open = new ArrayDeque<>();
    for (PartName name : inOrder) {
      while (!open.isEmpty() && open.peek().disjoint(name)) {
        open.pop();
      }
      if (open.isEmpty()) {
        top.add(name);
      } else if (!open.peek().covers(name)) {
        throw EngineException.of(
            ErrorCode.LOGICAL_ERROR,
            "parts %s and %s have blocks in common and neither covers the other; move the one that"
                + " does not belong here to %s/",
            open.peek(),
            name,
            Detached.DIRECTORY);
      }
      open.push(name);
    }
    top.sort(Comparator.naturalOrder());
    return top;
  }

  private Map<PartName, Long> checkBroken(Map<PartName, String> broken) throws IOException {
    Map<PartName, Long> sizes = new TreeMap<>();
    long bytes = 0;
    for (PartName name : broken.keySet()) {
      long size = sizeBytes(name.text());
      sizes.put(name, size);
      bytes += size;
    }
    boolean tooMany = broken.size() > settings.maxSuspiciousBrokenParts();
    boolean tooLarge = bytes > settings.maxSuspiciousBrokenPartsBytes();
    if (tooMany || tooLarge) {
      Map.Entry<PartName, String> first = broken.entrySet().iterator().next();
      throw EngineException.of(
          ErrorCode.TOO_MANY_UNEXPECTED_DATA_PARTS,
          "%s: %d parts with %d bytes are broken, %s = %d, %s = %d; nothing was moved. The first is"
              + " %s: %s. If the disk is whole, move them to %s/ or raise the setting",
          disk.describe(""),
          broken.size(),
          bytes,
          PartSetSettings.MAX_SUSPICIOUS_BROKEN_PARTS.name(),
          settings.maxSuspiciousBrokenParts(),
          PartSetSettings.MAX_SUSPICIOUS_BROKEN_PARTS_BYTES.name(),
          settings.maxSuspiciousBrokenPartsBytes(),
          first.getKey(),
          first.getValue(),
          Detached.DIRECTORY);
    }
    return sizes;
  }

  private long sizeBytes(String directory) throws IOException {
    long bytes = 0;
    for (Disk.Entry entry : disk.list(directory)) {
      bytes += entry.directory() ? sizeBytes(directory + "/" + entry.name()) : entry.sizeBytes();
    }
    return bytes;
  }
}
