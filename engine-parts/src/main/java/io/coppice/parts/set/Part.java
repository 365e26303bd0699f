package io.coppice.parts.set;

import io.coppice.parts.name.PartName;
import io.coppice.parts.scan.LoadedPart;
import java.util.Optional;

/**
 * A part of a {@link PartSet} and where it is in its life. Any thread may look; only its set moves
 * it.
 */
public final class Part {
  private final PartName name;
  // Both are written under the set's lock only; volatile so that anybody can look without it.
  private volatile PartState state;
  private volatile Optional<LoadedPart> loaded = Optional.empty();

  // Guarded by the set's lock.
  int leases;
  long outdatedNanos;
  boolean waitsForLifetime = true;

  Part(PartName name, PartState state) {
    this.name = name;
    this.state = state;
  }

  public PartName name() {
    return name;
  }

  public PartState state() {
    return state;
  }

  /**
   * What its small files say. Empty while the part is being added, and for parts that were found
   * covered by another when the set was loaded, which nobody needs to read.
   */
  public Optional<LoadedPart> loaded() {
    return loaded;
  }

  void move(PartState to) {
    state = state.to(to);
  }

  void loaded(LoadedPart part) {
    loaded = Optional.of(part);
  }

  @Override
  public String toString() {
    return name.text() + " " + state;
  }
}
