package io.coppice.parts.scan;

import io.coppice.base.hash.FileHash;
import io.coppice.base.hash.Hash128;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * What small files say that many parts of a table have alike, columns.txt above all: equal bytes
 * are understood once and kept once. Every part's own bytes are read and compared.
 *
 * <p>Thread-safe. Belongs to whoever opens the parts; it is forgotten when they are open.
 */
public final class SharedContents {
  private final ConcurrentHashMap<List<Object>, Object> known = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, String> names = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Content, Content> contents = new ConcurrentHashMap<>();

  /** The bytes of a file and their hash. */
  static final class Content {
    private final byte[] bytes;
    private final int code;
    private volatile Hash128 hash;

    private Content(byte[] bytes) {
      this.bytes = bytes;
      this.code = Arrays.hashCode(bytes);
    }

    /** The bytes, which nobody changes. */
    byte[] bytes() {
      return bytes;
    }

    Hash128 hash() {
      Hash128 found = hash;
      if (found == null) {
        found = FileHash.of(bytes);
        hash = found;
      }
      return found;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Content content && Arrays.equals(bytes, content.bytes);
    }

    @Override
    public int hashCode() {
      return code;
    }
  }

  /** The one string that is kept of equal names. */
  String name(String name) {
    String before = names.putIfAbsent(name, name);
    return before == null ? name : before;
  }

  /** The one that has these bytes. */
  Content of(byte[] bytes) {
    Content content = new Content(bytes);
    Content before = contents.putIfAbsent(content, content);
    return before == null ? content : before;
  }

  /**
   * What follows from a key, found out the first time. What fails is not remembered.
   *
   * @param <T> of one class for a key, whose first element says which
   */
  @SuppressWarnings("unchecked")
  <T> T once(List<Object> key, Supplier<T> found) {
    Object before = known.get(key);
    if (before == null) {
      before = found.get();
      known.putIfAbsent(key, before);
    }
    return (T) before;
  }
}
