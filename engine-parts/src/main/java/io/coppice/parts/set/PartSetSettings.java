package io.coppice.parts.set;

import io.coppice.base.setting.Setting;
import io.coppice.base.setting.Setting.Unit;
import io.coppice.parts.format.FormatVersionFile;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.table.TableDefinition;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * What a {@link PartSet} goes by. Immutable.
 *
 * @param formatVersion how parts are named
 * @param hints what parts of old form do not say
 * @param oldPartsLifetime how long an outdated part stays before it may be deleted
 * @param maxSuspiciousBrokenParts most broken parts with which a directory still loads
 * @param maxSuspiciousBrokenPartsBytes most bytes in broken parts with which a directory still
 *     loads
 * @param fsyncPartDirectory whether a part that was added is there after a crash
 * @param readOnly whether nothing is changed: what a crash left stays, broken parts stay where they
 *     are and do not count
 */
public record PartSetSettings(
    FormatVersionFile formatVersion,
    LoadedPart.Hints hints,
    Duration oldPartsLifetime,
    long maxSuspiciousBrokenParts,
    long maxSuspiciousBrokenPartsBytes,
    boolean fsyncPartDirectory,
    boolean readOnly) {

  public static final Setting OLD_PARTS_LIFETIME =
      new Setting(
          "old_parts_lifetime",
          480,
          Unit.SECONDS,
          0,
          1L << 32,
          "How long a part stays on the disk after a merge covered it. More: what was not synced"
              + " yet is longer safe from a power cut, and more space is used twice.");

  public static final Setting MAX_SUSPICIOUS_BROKEN_PARTS =
      new Setting(
          "max_suspicious_broken_parts",
          100,
          Unit.COUNT,
          0,
          Long.MAX_VALUE,
          "Broken parts that are moved to detached/ when a table is loaded; with more it is not"
              + " loaded. More: a table starts although much of it is missing.");

  public static final Setting MAX_SUSPICIOUS_BROKEN_PARTS_BYTES =
      new Setting(
          "max_suspicious_broken_parts_bytes",
          1L << 30,
          Unit.BYTES,
          0,
          Long.MAX_VALUE,
          "Bytes in broken parts that are moved to detached/ when a table is loaded; with more it"
              + " is not loaded. More: a table starts although much of it is missing.");

  /** ClickHouse's defaults, for tables whose parts are named by partition. */
  public static final PartSetSettings DEFAULTS =
      new PartSetSettings(
          FormatVersionFile.CUSTOM_PARTITIONING,
          LoadedPart.Hints.NONE,
          Duration.ofSeconds(OLD_PARTS_LIFETIME.defaultValue()),
          MAX_SUSPICIOUS_BROKEN_PARTS.defaultValue(),
          MAX_SUSPICIOUS_BROKEN_PARTS_BYTES.defaultValue(),
          false,
          false);

  public PartSetSettings {
    OLD_PARTS_LIFETIME.check(oldPartsLifetime.toSeconds());
    MAX_SUSPICIOUS_BROKEN_PARTS.check(maxSuspiciousBrokenParts);
    MAX_SUSPICIOUS_BROKEN_PARTS_BYTES.check(maxSuspiciousBrokenPartsBytes);
  }

  /** The defaults, with what a table's definition says. */
  public static PartSetSettings of(TableDefinition table) {
    return new PartSetSettings(
        table.oldSyntax() ? FormatVersionFile.MONTHLY : FormatVersionFile.CUSTOM_PARTITIONING,
        new LoadedPart.Hints(OptionalLong.of(table.settings().indexGranularity())),
        DEFAULTS.oldPartsLifetime,
        DEFAULTS.maxSuspiciousBrokenParts,
        DEFAULTS.maxSuspiciousBrokenPartsBytes,
        table.settings().fsyncPartDirectory(),
        false);
  }

  /** These with another lifetime of outdated parts. */
  public PartSetSettings oldPartsLifetime(Duration lifetime) {
    return new PartSetSettings(
        formatVersion,
        hints,
        lifetime,
        maxSuspiciousBrokenParts,
        maxSuspiciousBrokenPartsBytes,
        fsyncPartDirectory,
        readOnly);
  }

  /** These with other limits of broken parts. */
  public PartSetSettings brokenParts(long most, long mostBytes) {
    return new PartSetSettings(
        formatVersion, hints, oldPartsLifetime, most, mostBytes, fsyncPartDirectory, readOnly);
  }

  /** These with parts that are there after a crash once they were added, or without. */
  public PartSetSettings fsyncPartDirectory(boolean sync) {
    return new PartSetSettings(
        formatVersion,
        hints,
        oldPartsLifetime,
        maxSuspiciousBrokenParts,
        maxSuspiciousBrokenPartsBytes,
        sync,
        readOnly);
  }

  /** These with a directory of which nothing is changed, or one that is written. */
  public PartSetSettings readOnly(boolean only) {
    return new PartSetSettings(
        formatVersion,
        hints,
        oldPartsLifetime,
        maxSuspiciousBrokenParts,
        maxSuspiciousBrokenPartsBytes,
        fsyncPartDirectory,
        only);
  }
}
