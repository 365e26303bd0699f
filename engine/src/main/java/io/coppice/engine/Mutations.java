package io.coppice.engine;

import io.coppice.base.disk.Disk;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.parse.Parser;
import io.coppice.language.statement.Alter;
import io.coppice.language.statement.Alter.Command;
import io.coppice.language.statement.PartitionId;
import io.coppice.parts.format.MutationFile;
import io.coppice.parts.name.MutationName;
import io.coppice.parts.name.PartName;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.set.Part;
import io.coppice.parts.set.PartSet;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.write.PartChange;
import io.coppice.parts.write.PartRewriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The mutations of a table: the files that say what they are, and parts that go through them.
 * Confined to whoever holds the table alone.
 */
final class Mutations {
  /** Where a part lies while a mutation writes it, before its name. */
  static final String TEMPORARY = "tmp_mut_";

  /** So many stay when they are done, as with ClickHouse's finished_mutations_to_keep. */
  private static final int KEPT = 100;

  /**
   * A mutation.
   *
   * @param number parts whose data is older go through it
   * @param commands none where they are not understood
   */
  record Mutation(long number, Optional<List<Command>> commands) {
    boolean served() {
      return commands.isPresent() && commands.get().stream().allMatch(PartChange::serves);
    }

    String file() {
      return new MutationName(number).text();
    }

    /** The content of its file. */
    String content(Instant createTime) {
      String text =
          commands.orElseThrow().stream()
              .map(c -> "(" + c.text() + ")")
              .collect(Collectors.joining(", "));
      return new String(new MutationFile(createTime, text).write(), StandardCharsets.UTF_8);
    }
  }

  private final Disk directory;
  private final BufferAllocator allocator;
  private final List<Mutation> known = new ArrayList<>();
  private int withoutFile;

  Mutations(Disk directory, BufferAllocator allocator) {
    this.directory = directory;
    this.allocator = allocator;
  }

  /** Reads what the table's directory says. */
  static Mutations read(Disk directory, BufferAllocator allocator) throws IOException {
    Mutations mutations = new Mutations(directory, allocator);
    TreeSet<Long> numbers = new TreeSet<>();
    // Of a hundred thousand parts only the names are looked at.
    for (Disk.Entry entry : directory.list("", name -> name.startsWith("mutation_"))) {
      if (!entry.directory()) {
        MutationName.tryParse(entry.name()).ifPresent(name -> numbers.add(name.number()));
      }
    }
    for (long number : numbers) {
      String file = new MutationName(number).text();
      MutationFile read =
          MutationFile.read(
              directory.readAll(file, MutationFile.LIMIT_BYTES), directory.describe(file));
      mutations.known.add(new Mutation(number, commands(read.commands())));
    }
    return mutations;
  }

  private static Optional<List<Command>> commands(String text) {
    try {
      return Parser.statement("ALTER TABLE t " + text) instanceof Alter alter
          ? Optional.of(alter.commands())
          : Optional.empty();
    } catch (EngineException e) {
      System.getLogger(Mutations.class.getName())
          .log(System.Logger.Level.WARNING, "a mutation that is not understood: " + text, e);
      return Optional.empty();
    }
  }

  /** The highest number that a mutation has; 0 when there is none. */
  long last() {
    return known.isEmpty() ? 0 : known.get(known.size() - 1).number();
  }

  /** How many there are, for {@link #since}. */
  int count() {
    return known.size();
  }

  /** Those that came after there were {@code count}. */
  List<Mutation> since(int count) {
    return List.copyOf(known.subList(count, known.size()));
  }

  void add(Mutation mutation) {
    known.add(mutation);
  }

  /** Those that a part has yet to go through. */
  List<Mutation> pending(PartName part) {
    return known.stream().filter(m -> m.number() > part.dataVersion()).toList();
  }

  /**
   * Refuses to go on while parts wait for a mutation that is not served: they would pass for having
   * gone through it.
   */
  void refuseUnfinished(List<Part> active) {
    for (Part part : active) {
      for (Mutation mutation : pending(part.name())) {
        throw EngineException.of(
            ErrorCode.NOT_IMPLEMENTED,
            "part %s has yet to go through %s, which is not served here; let ClickHouse finish it",
            part.name(),
            mutation.file());
      }
    }
  }

  /**
   * The mutations that a part can go through now, none when it has to stay as it is.
   *
   * @throws EngineException NOT_IMPLEMENTED when one that is not served stands before one that the
   *     table's definition takes for done
   */
  List<Mutation> due(PartName part) {
    List<Mutation> pending = pending(part);
    List<Mutation> due = new ArrayList<>();
    for (Mutation mutation : pending) {
      if (mutation.served() && due.size() == pending.indexOf(mutation)) {
        due.add(mutation);
      } else if (mutation.served()) {
        throw EngineException.of(
            ErrorCode.NOT_IMPLEMENTED,
            "part %s has to go through %s before %s, and it is not served here; let ClickHouse"
                + " finish it",
            part,
            pending.get(due.size()).file(),
            mutation.file());
      }
    }
    return due;
  }

  /** The name of a part that has gone through a mutation. */
  static PartName through(PartName part, long number) {
    return new PartName(
        part.partition(), part.minBlock(), part.maxBlock(), part.level(), number, part.days());
  }

  /**
   * Writes what mutations make of a part.
   *
   * @param from the directory that the part lies in, in the table's
   * @param to a directory that is not there; deleted again if this fails
   * @param table as it is when they are done
   */
  void write(
      LoadedPart part,
      PartName name,
      String from,
      String to,
      List<Mutation> mutations,
      TableDefinition table)
      throws IOException {
    PartChange change = PartChange.none(part.columns());
    for (Mutation mutation : mutations) {
      for (Command command : mutation.commands().orElseThrow()) {
        if (concerns(command, name, table)) {
          change = change.then(command);
        }
      }
    }
    boolean written = false;
    try (PartRewriter rewriter = new PartRewriter(directory, table, allocator)) {
      directory.deleteRecursively(to);
      rewriter.write(part, from, to, change);
      written = true;
    } finally {
      if (!written) {
        directory.deleteRecursively(to);
      }
    }
  }

  private boolean concerns(Command command, PartName part, TableDefinition table) {
    Optional<PartitionId> partition = Optional.empty();
    if (command instanceof Alter.ClearElement clear) {
      partition = clear.partition();
    } else if (command instanceof Alter.MaterializeTtl ttl) {
      partition = ttl.partition();
    }
    return partition.map(p -> PartitionIds.meant(table, p, allocator).test(part)).orElse(true);
  }

  /**
   * Finishes what a crash interrupted, or another engine left: parts that have yet to go through
   * mutations do so.
   *
   * @param readOnly when nothing may be written; a part that would have to be is then an error
   */
  void finish(PartSet parts, TableDefinition table, boolean readOnly) throws IOException {
    for (Part part : parts.active()) {
      List<Mutation> due = due(part.name());
      if (due.isEmpty()) {
        continue;
      }
      if (readOnly) {
        throw EngineException.of(
            ErrorCode.READONLY,
            "part %s has yet to go through %s; open the directory for writing once",
            part.name(),
            due.get(0).file());
      }
      PartName name = through(part.name(), due.get(due.size() - 1).number());
      String temporary = TEMPORARY + name.text();
      write(part.loaded().orElseThrow(), part.name(), part.name().text(), temporary, due, table);
      parts.add(temporary, name);
    }
  }

  /** Deletes the files of all mutations of a table that has no part left for them. */
  void forgetAll() throws IOException {
    while (withoutFile < known.size()) {
      forgetNext();
    }
  }

  /** Deletes the files of mutations that have long been done. */
  void forgetOld(List<Part> active) throws IOException {
    long oldest = active.stream().mapToLong(p -> p.name().dataVersion()).min().orElse(last());
    while (known.size() - withoutFile > KEPT && known.get(withoutFile).number() <= oldest) {
      forgetNext();
    }
  }

  private void forgetNext() throws IOException {
    directory.delete(known.get(withoutFile).file());
    // It stays in memory: an insert that began before it has yet to go through it.
    withoutFile++;
  }
}
