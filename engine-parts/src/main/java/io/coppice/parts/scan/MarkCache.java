package io.coppice.parts.scan;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.coppice.parts.compress.Decompressor;
import io.coppice.parts.format.MarkFile;
import io.coppice.parts.format.PrimaryIndexFile;
import java.io.IOException;

/** Marks and primary indexes that were read, up to a number of bytes. Thread-safe. */
public final class MarkCache {
  private record Key(LoadedPart part, String file) {}

  private final Cache<Key, MarkFile> marks;
  private final Cache<Key, byte[]> indexes;

  /**
   * @param limitBytes most bytes of marks kept, and as many of primary indexes; those used longest
   *     ago go first
   */
  public MarkCache(long limitBytes) {
    this.marks =
        Caffeine.newBuilder()
            .maximumWeight(limitBytes)
            .weigher(
                (Key key, MarkFile file) -> (int) Math.min(Integer.MAX_VALUE, file.weightBytes()))
            .executor(Runnable::run)
            .build();
    this.indexes =
        Caffeine.newBuilder()
            .maximumWeight(limitBytes)
            .weigher((Key key, byte[] content) -> content.length + 64)
            .executor(Runnable::run)
            .build();
  }

  MarkFile get(LoadedPart part, String stem, Decompressor decompressor) throws IOException {
    Key key = new Key(part, stem);
    MarkFile file = marks.getIfPresent(key);
    if (file == null) {
      file = part.marks(stem, decompressor);
      marks.put(key, file);
    }
    return file;
  }

  /** The content of a part's primary index, out of its frames; not to be changed. */
  byte[] primaryIndex(LoadedPart part, String file, Decompressor decompressor) throws IOException {
    Key key = new Key(part, file);
    byte[] content = indexes.getIfPresent(key);
    if (content == null) {
      content =
          PrimaryIndexFile.content(
              part.readAll(file, PrimaryIndexFile.LIMIT_BYTES), file, decompressor);
      indexes.put(key, content);
    }
    return content;
  }

  /** Forgets all marks and indexes; they are read again when needed. */
  public void clear() {
    marks.invalidateAll();
    indexes.invalidateAll();
  }

  /** Bytes of marks and indexes held, about. */
  public long weightBytes() {
    return weight(marks) + weight(indexes);
  }

  private static long weight(Cache<?, ?> cache) {
    return cache.policy().eviction().map(e -> e.weightedSize().orElse(0)).orElse(0L);
  }
}
