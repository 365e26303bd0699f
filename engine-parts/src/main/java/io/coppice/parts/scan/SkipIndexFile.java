package io.coppice.parts.scan;

import io.coppice.base.bytes.ByteReader;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.parts.compress.Decompressor;
import io.coppice.parts.format.PackedFile;
import io.coppice.parts.name.FileNames;
import io.coppice.parts.skip.SkipIndex;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;

/**
 * What a part has of a skip index, decompressed: a file of its own, or an entry of the packed file.
 *
 * @param bytes not to be changed
 * @param name of the file, for messages
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SkipIndexFile(byte[] bytes, String name) {
  private static final long LIMIT_BYTES = 1L << 30;

  /** Finds and decompresses the index, if the part has it: it may be younger than the part. */
  static Optional<SkipIndexFile> find(LoadedPart part, SkipIndex index, Decompressor decompressor)
      throws IOException {
    // Names are escaped or not, and hashed when they are too long, as settings had it.
    List<String> names = new ArrayList<>();
    for (String stem : List.of(index.fileStem(), "skp_idx_" + index.name())) {
      names.add(stem + index.extension());
      names.add(FileNames.hashed(stem) + index.extension());
    }
    for (String file : names) {
      if (FileNames.staysInside(file) && part.files().containsKey(file)) {
        byte[] frames = part.readAll(file, Integer.MAX_VALUE - 16);
        return Optional.of(opened(frames, file, decompressor));
      }
    }
    if (part.files().containsKey(PackedFile.SKIP_INDEXES)) {
      PackedFile packed =
          PackedFile.read(
              part.readAll(PackedFile.SKIP_INDEXES, PackedFile.LIMIT_BYTES),
              PackedFile.SKIP_INDEXES);
      for (String name : names) {
        Optional<PackedFile.Entry> entry = packed.entry(name);
        if (entry.isPresent()) {
          return Optional.of(
              opened(entry.get().content(), PackedFile.SKIP_INDEXES + "/" + name, decompressor));
        }
      }
    }
    return Optional.empty();
  }

  private static SkipIndexFile opened(byte[] frames, String name, Decompressor decompressor) {
    return new SkipIndexFile(decompressor.decompressAll(frames, 0, name, LIMIT_BYTES), name);
  }

  /**
   * Reads all blocks of a part's index, whose number follows from that of its granules. What they
   * say is not compared with the rows.
   *
   * @return the file's name, or none where the part has no such index
   * @throws EngineException when a block cannot be understood, or bytes are left behind the last
   */
  public static Optional<String> readThrough(
      LoadedPart part, SkipIndex index, Decompressor decompressor, BufferAllocator allocator)
      throws IOException {
    Optional<SkipIndexFile> found = find(part, index, decompressor);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    ByteReader in = new ByteReader(found.get().bytes(), found.get().name());
    int blocks = (part.granuleCount() + index.granularity() - 1) / index.granularity();
    for (int block = 0; block < blocks; block++) {
      index.read(in, allocator).close();
    }
    if (in.remaining() > 0) {
      throw EngineException.of(
          ErrorCode.CORRUPTED_DATA,
          "%s: %d bytes behind the %d blocks that %d granules have",
          found.get().name(),
          in.remaining(),
          blocks,
          part.granuleCount());
    }
    return Optional.of(found.get().name());
  }
}
