package io.coppice.parts.set;

import io.coppice.parts.name.PartName;
import io.coppice.parts.scan.LoadedPart;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The active parts of one moment, none of which is deleted before this is closed.
 *
 * <pre>{@code
 * PartSnapshot snapshot = parts.snapshot();
 * try (BatchStream batches =
 *     Scan.of(snapshot.loadedParts()).releasing(snapshot).open(allocator)) {
 * }</pre>
 *
 * <p>Any thread may use it. Belongs to the caller, who closes it; closing twice is harmless.
 */
public final class PartSnapshot implements AutoCloseable {
  private final PartSet set;
  private final List<Part> parts;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** The set has counted the lease of each part. */
  PartSnapshot(PartSet set, List<Part> parts) {
    this.set = set;
    this.parts = parts;
  }

  /** The parts in the order of their names, patch parts among them. */
  public List<Part> parts() {
    return parts;
  }

  /** The part of a name, if it was active. */
  public Optional<Part> part(PartName name) {
    return parts.stream().filter(p -> p.name().equals(name)).findFirst();
  }

  /** The parts that hold rows of their own, for a scan. */
  public List<LoadedPart> loadedParts() {
    return parts.stream()
        .filter(p -> !p.name().patch())
        .map(p -> p.loaded().orElseThrow())
        .toList();
  }

  /** The parts that hold updates of rows in others; a scan that leaves them out is not complete. */
  public List<LoadedPart> patches() {
    return parts.stream().filter(p -> p.name().patch()).map(p -> p.loaded().orElseThrow()).toList();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      set.release(parts);
    }
  }
}
