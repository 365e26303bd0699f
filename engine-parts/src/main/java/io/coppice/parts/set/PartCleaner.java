package io.coppice.parts.set;

import io.coppice.base.check.Check;
import io.coppice.base.disk.Disk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Deletes outdated parts that no snapshot holds and that are old enough, a bounded number each time
 * it is called. It neither sleeps nor starts threads: whoever has threads calls {@link #run}.
 *
 * <p>A part is first renamed to {@code delete_tmp_NAME}, and only when that is durable its files
 * are deleted, so that no crash leaves half a part under a part's name. One thread at a time.
 */
public final class PartCleaner {
  private final PartSet set;
  private final int mostParts;

  /**
   * What one call did.
   *
   * @param deleted parts deleted
   * @param failures why parts could not be deleted, one each; they are tried again
   * @param nextMillis when the next part is old enough, from now; empty when none waits. Parts that
   *     only a lease holds back do not count: it may never end
   */
  public record Cleaned(int deleted, List<IOException> failures, OptionalLong nextMillis) {
    public Cleaned {
      failures = List.copyOf(failures);
    }
  }

  /**
   * @param mostParts most parts deleted by one call
   */
  public PartCleaner(PartSet set, int mostParts) {
    Check.argument(mostParts > 0, "%d parts", mostParts);
    this.set = set;
    this.mostParts = mostParts;
  }

  /** Deletes what is due, at most so many parts as the constructor was told. */
  public Cleaned run() {
    List<Part> due = set.takeForDeletion(mostParts);
    List<IOException> failures = new ArrayList<>();
    List<Part> renamed = new ArrayList<>();
    List<Part> left = new ArrayList<>(due);
    int deleted = 0;
    try {
      for (Part part : due) {
        try {
          rename(part);
          renamed.add(part);
        } catch (IOException e) {
          failures.add(e);
        }
      }
      try {
        if (!renamed.isEmpty()) {
          set.disk().syncDirectory("");
        }
      } catch (IOException e) {
        failures.add(e);
        renamed.clear();
      }
      for (Part part : renamed) {
        try {
          set.disk().deleteRecursively(deleting(part));
          left.remove(part);
          set.deleted(part);
          deleted++;
        } catch (IOException e) {
          failures.add(e);
        }
      }
    } finally {
      set.notDeleted(left);
    }
    return new Cleaned(deleted, failures, set.nextDeletionMillis());
  }

  private void rename(Part part) throws IOException {
    Disk disk = set.disk();
    // If not, then an attempt before this one came as far as the renaming.
    if (disk.exists(part.name().text())) {
      disk.deleteRecursively(deleting(part));
      disk.rename(part.name().text(), deleting(part));
    }
  }

  private static String deleting(Part part) {
    return PartSet.DELETING_PREFIX + part.name().text();
  }
}
