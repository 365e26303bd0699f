package io.coppice.parts.scan;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.coppice.parts.compress.Decompressor;
import io.coppice.parts.format.MarkFile;
import java.io.IOException;

/** Marks that were read, up to a number of bytes. Thread-safe. */
public final class MarkCache {
  private record Key(LoadedPart part, String stem) {}

  private final Cache<Key, MarkFile> cache;

  /**
   * @param limitBytes most bytes of marks kept; those used longest ago go first
   */
  public MarkCache(long limitBytes) {
    this.cache =
        Caffeine.newBuilder()
            .maximumWeight(limitBytes)
            .weigher(
                (Key key, MarkFile marks) -> (int) Math.min(Integer.MAX_VALUE, marks.weightBytes()))
            .executor(Runnable::run)
            .build();
  }

  MarkFile get(LoadedPart part, String stem, Decompressor decompressor) throws IOException {
    Key key = new Key(part, stem);
    MarkFile marks = cache.getIfPresent(key);
    if (marks == null) {
      marks = part.marks(stem, decompressor);
      cache.put(key, marks);
    }
    return marks;
  }

  /** Bytes of marks held, about. */
  public long weightBytes() {
    return cache.policy().eviction().map(e -> e.weightedSize().orElse(0)).orElse(0L);
  }
}
