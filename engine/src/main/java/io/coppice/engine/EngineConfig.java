package io.coppice.engine;

import io.coppice.base.check.Check;
import io.coppice.base.disk.Disk;
import io.coppice.base.disk.LocalDisk;
import io.coppice.base.time.TimeSource;
import io.coppice.parts.table.TableSettings.Profile;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * How an engine is to work. Immutable; each {@code with} method gives a changed copy.
 *
 * @param path the directory on this machine; absent when {@code disk} is something else
 * @param disk what holds the data directory
 * @param readOnly whether nothing is to be changed, so that it may be opened beside a writer
 * @param durability when an insert is acknowledged
 * @param memoryBytes most memory outside the heap that inserts, scans and results take together
 * @param threads threads that scans and loading use, at least 1
 * @param profile which ClickHouse's parts are written where a table does not say
 * @param time the clock
 * @param uuids identities of new databases and tables
 * @param loading who wants to know how far tables have come when they are opened
 */
public record EngineConfig(
    Optional<Path> path,
    Disk disk,
    boolean readOnly,
    Durability durability,
    long memoryBytes,
    int threads,
    Profile profile,
    TimeSource time,
    Supplier<UUID> uuids,
    LoadProgress loading) {

  public EngineConfig {
    Check.argument(memoryBytes > 0, "memory budget of %d bytes", memoryBytes);
    Check.argument(threads > 0, "%d threads", threads);
  }

  /** The defaults over a directory of this machine. */
  public static EngineConfig at(Path path) {
    return new EngineConfig(
        Optional.of(path.toAbsolutePath().normalize()),
        new LocalDisk(path),
        false,
        Durability.DURABLE,
        MemoryBudget.ofThisMachine(),
        Runtime.getRuntime().availableProcessors(),
        Profile.MODERN,
        TimeSource.system(),
        UUID::randomUUID,
        LoadProgress.NONE);
  }

  /** The defaults over any disk, which nothing else may use at the same time. */
  public static EngineConfig on(Disk disk) {
    EngineConfig local = at(Path.of("."));
    return new EngineConfig(
        Optional.empty(),
        disk,
        false,
        local.durability,
        local.memoryBytes,
        local.threads,
        local.profile,
        local.time,
        local.uuids,
        local.loading);
  }

  /** Whether nothing is changed. */
  public EngineConfig withReadOnly(boolean only) {
    return new EngineConfig(
        path, disk, only, durability, memoryBytes, threads, profile, time, uuids, loading);
  }

  /** When inserts are acknowledged. */
  public EngineConfig withDurability(Durability other) {
    return new EngineConfig(
        path, disk, readOnly, other, memoryBytes, threads, profile, time, uuids, loading);
  }

  /** Most bytes outside the heap. */
  public EngineConfig withMemoryBytes(long bytes) {
    return new EngineConfig(
        path, disk, readOnly, durability, bytes, threads, profile, time, uuids, loading);
  }

  /** Threads for scans and loading. */
  public EngineConfig withThreads(int count) {
    return new EngineConfig(
        path, disk, readOnly, durability, memoryBytes, count, profile, time, uuids, loading);
  }

  /** Which ClickHouse's parts are written. */
  public EngineConfig withProfile(Profile other) {
    return new EngineConfig(
        path, disk, readOnly, durability, memoryBytes, threads, other, time, uuids, loading);
  }

  /** The clock. */
  public EngineConfig withTime(TimeSource other) {
    return new EngineConfig(
        path, disk, readOnly, durability, memoryBytes, threads, profile, other, uuids, loading);
  }

  /** Identities of new databases and tables. */
  public EngineConfig withUuids(Supplier<UUID> other) {
    return new EngineConfig(
        path, disk, readOnly, durability, memoryBytes, threads, profile, time, other, loading);
  }

  /** Who wants to know how far tables have come when they are opened. */
  public EngineConfig withLoading(LoadProgress other) {
    return new EngineConfig(
        path, disk, readOnly, durability, memoryBytes, threads, profile, time, uuids, other);
  }
}
