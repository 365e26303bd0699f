package io.coppice.parts.scan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A stream for each of the parts from which something is read, in the order of the parts; each is
 * read on the calling thread. Confined to one thread. The caller closes it, and no stream by
 * itself.
 */
public final class PartStreams implements AutoCloseable {
  private final List<BatchStream> streams;
  private final AutoCloseable[] owned;
  private boolean closed;

  PartStreams(List<BatchStream> streams, AutoCloseable... owned) {
    this.streams = List.copyOf(streams);
    this.owned = owned.clone();
  }

  public List<BatchStream> streams() {
    return streams;
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    List<AutoCloseable> all = new ArrayList<>(streams);
    all.addAll(List.of(owned));
    Limits.closeAll(all.toArray(new AutoCloseable[0]));
  }
}
