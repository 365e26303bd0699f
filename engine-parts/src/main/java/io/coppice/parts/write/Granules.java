package io.coppice.parts.write;

import io.coppice.base.check.Check;
import io.coppice.parts.table.TableSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/**
 * How the rows of a part are cut into granules, while they come in blocks.
 *
 * <p>With adaptive granularity a granule is to hold the rows of about index_granularity_bytes, at
 * most index_granularity and at least one: how many that are, each block says anew. In Wide parts a
 * granule that a block leaves unfinished goes on with the next block, and ends early where that has
 * larger rows. In Compact parts a granule is written at once: one that was begun waits for more
 * rows, and a rest of a block becomes a granule of its own, or joins the one before if it is less
 * than half of one.
 *
 * <p>Confined to one thread.
 */
final class Granules {
  private final TableSettings settings;
  private final boolean compact;
  private final OptionalInt fixed;
  private int[] rows = new int[8];
  private int count;
  private final Cursor cursor = new Cursor();

  /**
   * @param fixed rows of each granule where no block has a say in it
   */
  Granules(TableSettings settings, boolean compact, OptionalInt fixed) {
    this.settings = settings;
    this.compact = compact;
    this.fixed = fixed;
  }

  /** Those that are known already. */
  static Granules known(TableSettings settings, boolean compact, int[] rows) {
    Granules granules = new Granules(settings, compact, OptionalInt.empty());
    granules.rows = rows.clone();
    granules.count = rows.length;
    return granules;
  }

  /**
   * Some rows of one granule.
   *
   * @param from first row in the block
   * @param to behind the last
   * @param starts whether the granule starts with them
   */
  record Piece(int granule, int from, int to, boolean starts) {}

  /** How many there are. */
  int count() {
    return count;
  }

  /** Rows of a granule. */
  int rows(int granule) {
    Check.argument(granule < count, "granule %d of %d", granule, count);
    return rows[granule];
  }

  /**
   * Cuts the next block of a Wide part.
   *
   * @param bytes of the block in memory
   */
  List<Piece> cut(int blockRows, long bytes) {
    Check.invariant(!compact, "granules of a Compact part are cut with what waits");
    int size = size(blockRows, bytes);
    if (cursor.begun > 0 && rows[cursor.granule] - cursor.begun > size) {
      rows[cursor.granule] = Math.max(cursor.begun, size);
      cursor.stepOver();
    }
    int offset = cursor.begun > 0 ? rows[cursor.granule] - cursor.begun : 0;
    for (long row = offset; row < blockRows; row += size) {
      append(size);
    }
    return cursor.next(blockRows);
  }

  /** A block as one granule, whatever its size. */
  List<Piece> whole(int blockRows) {
    append(blockRows);
    return cursor.next(blockRows);
  }

  /**
   * Takes the next block of a Compact part into account.
   *
   * @param waiting rows before it that no granule was written of
   * @return whether what waits, with this block, is to be written now
   */
  boolean waits(int blockRows, long bytes, int waiting) {
    int size = size(blockRows, bytes);
    int offset = count > cursor.granule ? rows[cursor.granule] - waiting : 0;
    for (long row = offset; row < blockRows; row += rows[count - 1]) {
      long left = blockRows - row;
      if (left < size && (blockRows >= size || offset != 0)) {
        if (left * 2 >= size) {
          append((int) left);
        } else {
          rows[count - 1] += (int) left;
        }
      } else {
        append(size);
      }
    }
    return count == 0 || waiting + blockRows < rows[cursor.granule];
  }

  /** The granules of the rows that waited. */
  List<Piece> waited(int blockRows) {
    return cursor.next(blockRows);
  }

  /** Cuts the one block that a part is made of. */
  List<Piece> only(int blockRows, long bytes) {
    List<Piece> pieces;
    if (compact) {
      waits(blockRows, bytes, 0);
      pieces = waited(blockRows);
    } else {
      pieces = cut(blockRows, bytes);
    }
    end();
    return pieces;
  }

  /** No more rows come: the last granule has those that it got. */
  void end() {
    if (cursor.begun > 0) {
      rows[cursor.granule] = cursor.begun;
      cursor.stepOver();
    }
    count = Math.min(count, cursor.granule);
  }

  private void append(int size) {
    if (count == rows.length) {
      rows = Arrays.copyOf(rows, count * 2);
    }
    rows[count++] = size;
  }

  private int size(int blockRows, long bytes) {
    return fixed.isPresent()
        ? fixed.getAsInt()
        : (int) Math.min(Integer.MAX_VALUE, rowsPerGranule(blockRows, bytes, settings));
  }

  /** Rows of a granule for rows that take so many bytes in memory. */
  static long rowsPerGranule(long rows, long bytes, TableSettings settings) {
    long most = settings.indexGranularity();
    if (!settings.adaptive()) {
      return most;
    }
    long target = settings.indexGranularityBytes();
    long size;
    if (bytes >= target) {
      size = rows / Math.max(1, bytes / target);
    } else {
      size = target / Math.max(1, bytes / rows);
    }
    return Math.max(1, Math.min(most, size));
  }

  /** Goes over granules that are known, block after block. */
  Cursor cursor() {
    return new Cursor();
  }

  /** A place in the rows of the part. Confined to one thread. */
  final class Cursor {
    private int granule;
    private int begun;

    /** The granules that the next rows belong to. */
    List<Piece> next(int blockRows) {
      List<Piece> pieces = new ArrayList<>();
      int row = 0;
      while (row < blockRows) {
        Check.invariant(granule < count, "rows behind granule %d", count);
        int end = Math.min(blockRows, row + rows[granule] - begun);
        pieces.add(new Piece(granule, row, end, begun == 0));
        begun += end - row;
        row = end;
        stepOver();
      }
      return pieces;
    }

    private void stepOver() {
      if (begun == rows[granule]) {
        granule++;
        begun = 0;
      }
    }
  }
}
