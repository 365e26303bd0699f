package io.coppice.engine;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.WritableFile;
import io.coppice.parts.name.PartName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which blocks of rows a table has taken: {@code deduplication_logs/deduplication_log_N.txt}, lines
 * of {@code 1}, part and block id for one that was, {@code 2}, part and block id for one that may
 * come again, with tabs between. The last so many count as the table's
 * non_replicated_deduplication_window says.
 *
 * <p>A record is durable before its part is. When a table is opened, records of parts that are not
 * there are taken back: the power went between the two, or the part was dropped.
 *
 * <p>Guarded by its owner's lock.
 */
final class DeduplicationLog implements AutoCloseable {
  static final String DIRECTORY = "deduplication_logs";

  private static final Pattern FILE = Pattern.compile("deduplication_log_([1-9][0-9]{0,17})\\.txt");
  private static final int LIMIT_BYTES = 1 << 28;

  private final Disk directory;
  private final Map<String, PartName> records = new LinkedHashMap<>();

  /** How many blocks each file remembers, by its number. */
  private final TreeMap<Long, Integer> files = new TreeMap<>();

  private long window;
  private Optional<WritableFile> open = Optional.empty();

  /** A block that a part holds. */
  record Entry(String block, PartName part) {}

  /**
   * Reads what is there.
   *
   * @param directory of the table
   * @param window how many blocks are remembered
   */
  DeduplicationLog(Disk directory, long window) throws IOException {
    this.directory = directory;
    this.window = window;
    if (!directory.exists(DIRECTORY)) {
      return;
    }
    for (Disk.Entry entry : directory.list(DIRECTORY)) {
      Matcher name = FILE.matcher(entry.name());
      if (name.matches()) {
        files.put(Long.parseLong(name.group(1)), 0);
      }
    }
    for (long number : files.keySet()) {
      String text =
          new String(directory.readAll(path(number), LIMIT_BYTES), StandardCharsets.UTF_8);
      int lines = 0;
      for (String line : text.split("\n")) {
        String[] fields = line.split("\t", -1);
        // The last line may be cut.
        if (fields.length == 3 && read(fields) && fields[0].equals("1")) {
          lines++;
        }
      }
      files.put(number, lines);
    }
  }

  private static String path(long number) {
    return DIRECTORY + "/deduplication_log_" + number + ".txt";
  }

  private boolean read(String[] fields) {
    Optional<PartName> part =
        PartName.tryParse(fields[1]).or(() -> PartName.tryParseWithDays(fields[1]));
    if (part.isEmpty()) {
      return false;
    }
    if (fields[0].equals("1")) {
      remember(fields[2], part.get());
    } else {
      records.remove(fields[2]);
    }
    return true;
  }

  private void remember(String block, PartName part) {
    records.remove(block);
    records.put(block, part);
    while (records.size() > window) {
      records.remove(records.keySet().iterator().next());
    }
  }

  /** Remembers another number of blocks from now on. */
  void window(long blocks) {
    window = blocks;
    while (records.size() > window) {
      records.remove(records.keySet().iterator().next());
    }
  }

  /** The part that holds a block, if it is remembered. */
  Optional<PartName> find(String block) {
    return Optional.ofNullable(records.get(block));
  }

  /** Remembers blocks; durable when this returns. */
  void add(List<Entry> entries) throws IOException {
    write("1", entries);
    entries.forEach(entry -> remember(entry.block(), entry.part()));
  }

  /** Forgets the blocks of parts; durable when this returns. */
  void forget(Predicate<PartName> gone) throws IOException {
    List<Entry> entries = new ArrayList<>();
    records.forEach(
        (block, part) -> {
          if (gone.test(part)) {
            entries.add(new Entry(block, part));
          }
        });
    write("2", entries);
    entries.forEach(entry -> records.remove(entry.block()));
  }

  private void write(String operation, List<Entry> entries) throws IOException {
    if (entries.isEmpty()) {
      return;
    }
    StringBuilder lines = new StringBuilder();
    for (Entry entry : entries) {
      lines
          .append(operation)
          .append('\t')
          .append(entry.part().text())
          .append('\t')
          .append(entry.block())
          .append('\n');
    }
    boolean full = !files.isEmpty() && files.lastEntry().getValue() >= 2 * window;
    if (open.isEmpty() || full) {
      next();
    }
    WritableFile file = open.orElseThrow();
    file.write(ByteBuffer.wrap(lines.toString().getBytes(StandardCharsets.UTF_8)));
    file.sync();
    files.merge(files.lastKey(), operation.equals("1") ? entries.size() : 0, Integer::sum);
  }

  /** Goes on in a new file, and deletes those that say nothing any more. */
  private void next() throws IOException {
    close();
    boolean made = !directory.exists(DIRECTORY);
    directory.createDirectories(DIRECTORY);
    long number = files.isEmpty() ? 1 : files.lastKey() + 1;
    open = Optional.of(directory.create(path(number)));
    files.put(number, 0);
    directory.syncDirectory(DIRECTORY);
    if (made) {
      directory.syncDirectory("");
    }
    long later = 0;
    for (long old : List.copyOf(files.descendingKeySet())) {
      if (later >= window && old != number) {
        directory.delete(path(old));
        files.remove(old);
      } else {
        later += files.get(old);
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (open.isPresent()) {
      open.get().close();
      open = Optional.empty();
    }
  }
}
