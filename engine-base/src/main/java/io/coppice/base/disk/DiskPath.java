package io.coppice.base.disk;

import io.coppice.base.check.Check;
import java.util.List;

/** The rule of {@link Disk}'s paths, checked before any disk is touched. */
public final class DiskPath {
  /** Longer paths are refused; Linux refuses longer ones too. */
  private static final int MOST_CHARS = 4096;

  private DiskPath() {}

  /** Refuses a path that does not name a file or directory below the root. */
  public static String checkBelow(String path) {
    Check.argument(!path.isEmpty(), "an empty path does not name a file");
    return check(path);
  }

  /** Refuses a path that leads out of the root; the empty path is the root. */
  public static String check(String path) {
    if (path.isEmpty()) {
      return path;
    }
    Check.argument(path.length() <= MOST_CHARS, "path of %d characters", path.length());
    for (String name : path.split("/", -1)) {
      boolean plain = !name.isEmpty() && !name.equals(".") && !name.equals("..");
      Check.argument(
          plain && name.indexOf('\0') < 0, "path \"%s\" is not plain and relative", path);
    }
    return path;
  }

  /** The path of {@code name} in {@code directory}, which may be empty. */
  public static String join(String directory, String name) {
    return directory.isEmpty() ? name : name.isEmpty() ? directory : directory + "/" + name;
  }

  /** The directory that {@code path} lies in; empty for the root. */
  public static String parent(String path) {
    int slash = path.lastIndexOf('/');
    return slash < 0 ? "" : path.substring(0, slash);
  }

  /** The last name of {@code path}. */
  public static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** The names of {@code path}, from the root down. */
  public static List<String> names(String path) {
    return path.isEmpty() ? List.of() : List.of(path.split("/"));
  }
}
