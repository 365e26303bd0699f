package io.coppice.parts.table;

import java.util.Locale;
import java.util.Optional;

/** What merging does with rows of equal sorting key, by the name of the engine. */
public enum MergingKind {
  PLAIN(""),
  REPLACING("Replacing"),
  SUMMING("Summing"),
  AGGREGATING("Aggregating"),
  COLLAPSING("Collapsing"),
  VERSIONED_COLLAPSING("VersionedCollapsing"),
  COALESCING("Coalescing"),
  GRAPHITE("Graphite");

  private final String prefix;

  MergingKind(String prefix) {
    this.prefix = prefix;
  }

  /** The kind of an engine such as {@code ReplicatedReplacingMergeTree}, if it is a MergeTree. */
  public static Optional<MergingKind> ofEngine(String engine) {
    String name = engine;
    if (name.startsWith("Shared")) {
      name = name.substring("Shared".length());
    }
    if (name.startsWith("Replicated")) {
      name = name.substring("Replicated".length());
    }
    for (MergingKind kind : values()) {
      if (name.equals(kind.prefix + "MergeTree")) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }

  /** The name of the engine, as ClickHouse has it. */
  public String engine() {
    return prefix + "MergeTree";
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
