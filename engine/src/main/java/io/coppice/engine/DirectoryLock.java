package io.coppice.engine;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;

/**
 * One writer for a data directory. The file {@code coppice.lock} names who holds it: process, host
 * and start. The system gives the lock back when a process ends however it ends, so that a file
 * left behind is no obstacle.
 *
 * <p>A ClickHouse process shows that it has the directory by a lock on its {@code status} file,
 * which is recognised where the system tells (Linux).
 */
final class DirectoryLock implements AutoCloseable {
  private static final String FILE = "coppice.lock";
  private static final String CLICKHOUSE_FILE = "status";
  private static final int LIMIT_BYTES = 4096;

  private final FileChannel channel;
  private final FileLock lock;

  private DirectoryLock(FileChannel channel, FileLock lock) {
    this.channel = channel;
    this.lock = lock;
  }

  /**
   * Takes the lock.
   *
   * @param now when the engine started, for others to read
   * @throws EngineException ABORTED naming the owner when somebody has it
   */
  static DirectoryLock take(Path directory, Instant now) throws IOException {
    refuseClickHouse(directory);
    Path file = directory.resolve(FILE);
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      FileLock lock = tryLock(channel);
      if (lock == null) {
        throw EngineException.of(
            ErrorCode.ABORTED,
            "%s is open for writing by %s; close that one, or open this one to read only",
            directory,
            owner(channel));
      }
      String text =
          "pid: "
              + ProcessHandle.current().pid()
              + "\nhost: "
              + host()
              + "\nstarted: "
              + now
              + "\n";
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
      return new DirectoryLock(channel, lock);
    } catch (Throwable e) {
      channel.close();
      throw e;
    }
  }

  private static FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // another engine of this JVM
    }
  }

  private static String owner(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(LIMIT_BYTES);
    channel.read(bytes, 0);
    String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
    return text.isBlank()
        ? "a process that has not said who it is"
        : text.strip().replace("\n", ", ");
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }

  /** A running ClickHouse holds a flock on its status file; Linux lists locks by inode. */
  private static void refuseClickHouse(Path directory) throws IOException {
    Path status = directory.resolve(CLICKHOUSE_FILE);
    Path locks = Path.of("/proc/locks");
    if (!Files.isRegularFile(status) || !Files.isReadable(locks)) {
      return;
    }
    Object inode = Files.getAttribute(status, "unix:ino");
    Optional<String> holder =
        Files.readAllLines(locks).stream()
            .filter(line -> line.contains("FLOCK"))
            .map(line -> line.trim().split("\\s+"))
            .filter(words -> words.length > 5 && words[5].endsWith(":" + inode))
            .map(words -> words[4])
            .findFirst();
    if (holder.isPresent()) {
      throw EngineException.of(
          ErrorCode.ABORTED,
          "%s is open in a ClickHouse process, pid %s; end that one first",
          directory,
          holder.get());
    }
  }

  @Override
  public void close() throws IOException {
    try {
      lock.release();
    } finally {
      channel.close();
    }
  }
}
