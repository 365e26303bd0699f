package io.coppice.parts.write;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.WritableFile;
import io.coppice.base.hash.FileHash;
import io.coppice.base.hash.Hash128;
import io.coppice.parts.compress.CodecChain;
import io.coppice.parts.compress.Compressor;
import io.coppice.parts.format.ChecksumsFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The files of a part that is being written, and their entries for checksums.txt. Borrows the disk
 * and the compressor. Confined to one thread; others write through {@link #with}.
 */
final class PartFiles {
  private final Disk disk;
  private final Compressor compressor;
  private final boolean sync;
  private final SortedMap<String, ChecksumsFile.Entry> entries;
  private final LongAdder sizeBytes;

  /**
   * @param disk of the part's directory
   * @param sync whether each file is made durable before the next
   */
  PartFiles(Disk disk, Compressor compressor, boolean sync) {
    this(disk, compressor, sync, ChecksumsFile.newFiles(), new LongAdder());
  }

  private PartFiles(
      Disk disk,
      Compressor compressor,
      boolean sync,
      SortedMap<String, ChecksumsFile.Entry> entries,
      LongAdder sizeBytes) {
    this.disk = disk;
    this.compressor = compressor;
    this.sync = sync;
    this.entries = entries;
    this.sizeBytes = sizeBytes;
  }

  /** The same files, for another thread with its own compressor. */
  PartFiles with(Compressor other) {
    return new PartFiles(disk, other, sync, entries, sizeBytes);
  }

  Disk disk() {
    return disk;
  }

  boolean sync() {
    return sync;
  }

  /** Writes a file that checksums.txt lists. */
  void write(String name, byte[] content) throws IOException {
    writeUnlisted(name, content);
    list(name, content.length, FileHash.of(content), Optional.empty());
  }

  /** Writes a file of frames that checksums.txt lists with its content's hash. */
  void writeCompressed(String name, byte[] content, CodecChain chain, int blockBytes)
      throws IOException {
    byte[] frames = compressor.compressAll(chain, content, blockBytes);
    writeUnlisted(name, frames);
    list(
        name,
        frames.length,
        FileHash.of(frames),
        Optional.of(new ChecksumsFile.Content(content.length, FileHash.of(content))));
  }

  /** Writes a file of frames made before, which checksums.txt lists with its content's hash. */
  void writeFrames(String name, byte[] frames, long contentBytes, Hash128 contentHash)
      throws IOException {
    writeUnlisted(name, frames);
    list(
        name,
        frames.length,
        FileHash.of(frames),
        Optional.of(new ChecksumsFile.Content(contentBytes, contentHash)));
  }

  /** Writes a file that holds not one frame. */
  void writeNoFrames(String name) throws IOException {
    writeNoFrames(name, Hash128.ZERO);
  }

  /** Writes a file that holds not one frame, of which checksums.txt says another hash. */
  void writeNoFrames(String name, Hash128 contentHash) throws IOException {
    writeFrames(name, new byte[0], 0, contentHash);
  }

  /** Writes a file that checksums.txt does not list. */
  void writeUnlisted(String name, byte[] content) throws IOException {
    try (WritableFile file = disk.create(name)) {
      file.write(ByteBuffer.wrap(content));
      if (sync) {
        file.sync();
      }
    }
    sizeBytes.add(content.length);
  }

  /** Ends a file of frames and lists it. */
  void finish(
      String name, CompressedSink.FrameFile file, long uncompressedBytes, Hash128 uncompressedHash)
      throws IOException {
    file.finish(sync);
    sizeBytes.add(file.sizeBytes());
    list(
        name,
        file.sizeBytes(),
        file.hash(),
        Optional.of(new ChecksumsFile.Content(uncompressedBytes, uncompressedHash)));
  }

  private void list(
      String name, long size, Hash128 hash, Optional<ChecksumsFile.Content> uncompressed) {
    synchronized (entries) {
      entries.put(name, new ChecksumsFile.Entry(size, hash, uncompressed));
    }
  }

  SortedMap<String, ChecksumsFile.Entry> entries() {
    return entries;
  }

  /** Bytes of all files written. */
  long sizeBytes() {
    return sizeBytes.sum();
  }
}
