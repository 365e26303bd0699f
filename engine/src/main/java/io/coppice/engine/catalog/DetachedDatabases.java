package io.coppice.engine.catalog;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.statement.CreateDatabase;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The databases that were detached since the directory was opened. Their files stay as they are, so
 * that the next start has them again, as ClickHouse's has; until then nothing else may take their
 * names. Not thread-safe; its catalog's lock guards it.
 */
final class DetachedDatabases {
  private final Map<String, DatabaseEntry> databases = new TreeMap<>();
  private final Map<String, Set<UUID>> tables = new TreeMap<>();

  void add(DatabaseEntry database, Collection<TableEntry> of) {
    databases.put(database.name(), database);
    tables.put(database.name(), of.stream().map(TableEntry::uuid).collect(Collectors.toSet()));
  }

  /** Whether a directory of the store is of a detached database or of one of its tables. */
  boolean holds(UUID uuid) {
    return databases.values().stream().anyMatch(database -> database.uuid().equals(uuid))
        || tables.values().stream().anyMatch(of -> of.contains(uuid));
  }

  /**
   * Refuses a name whose file is there.
   *
   * @throws EngineException ATOMIC_RENAME_FAIL
   */
  void refuseName(String name) {
    if (databases.containsKey(name)) {
      throw EngineException.of(
          ErrorCode.ATOMIC_RENAME_FAIL,
          "database %s is detached, and its file is still there; ATTACH DATABASE brings it back",
          name);
    }
  }

  /**
   * The detached database that a statement means, which is attached from now on; empty if it means
   * one that is not known, whose UUID it tells.
   *
   * @throws EngineException UNKNOWN_DATABASE_ENGINE if the statement tells nothing and nothing is
   *     known of the database, INCORRECT_QUERY if it tells an engine without UUID or another UUID
   *     than the database has
   */
  Optional<DatabaseEntry> take(CreateDatabase attach) {
    DatabaseEntry known = databases.get(attach.database());
    if (attach.engine().isEmpty() && known == null) {
      throw EngineException.of(
          ErrorCode.UNKNOWN_DATABASE_ENGINE,
          "attach database %s: there is no detached database of this name; a new one needs UUID and"
              + " ENGINE",
          attach.database());
    }
    if (attach.engine().isPresent()) {
      if (attach.uuid().isEmpty()) {
        throw EngineException.of(
            ErrorCode.INCORRECT_QUERY,
            "attach database %s: with ENGINE it needs UUID; ATTACH DATABASE %s brings back a"
                + " detached one",
            attach.database(),
            attach.database());
      }
      if (known != null && !known.uuid().equals(UUID.fromString(attach.uuid().get()))) {
        throw EngineException.of(
            ErrorCode.INCORRECT_QUERY,
            "attach database %s: UUID %s, the detached database has %s",
            attach.database(),
            attach.uuid().get(),
            known.uuid());
      }
    }
    databases.remove(attach.database());
    tables.remove(attach.database());
    return Optional.ofNullable(known);
  }
}
