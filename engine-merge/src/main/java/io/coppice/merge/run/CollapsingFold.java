package io.coppice.merge.run;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import org.apache.arrow.vector.TinyIntVector;

/**
 * CollapsingMergeTree: of rows that begin (sign 1) and end (sign -1) a state, the first end and the
 * last begin remain; no end where there are more begins, no begin where there are more ends; and
 * none where there are as many of both and the last is an end.
 */
final class CollapsingFold implements RowFold {
  private final int sign;
  private final Corner firstEnd = new Corner();
  private final Corner lastBegin = new Corner();
  private int begins;
  private int ends;
  private int count;
  private boolean lastBegins;

  /** A row that may remain. */
  private static final class Corner {
    private Chunk chunk;
    private int row;
    private int place;

    void set(Chunk given, int at, int placeInRun) {
      given.hold();
      clear();
      chunk = given;
      row = at;
      place = placeInRun;
    }

    void keep(Keeping to) {
      to.keep(chunk, row, place);
    }

    void clear() {
      if (chunk != null) {
        chunk.release();
        chunk = null;
      }
    }
  }

  /**
   * @param sign number of the column
   */
  CollapsingFold(int sign) {
    this.sign = sign;
  }

  @Override
  public void add(Chunk chunk, int row) {
    int value = ((TinyIntVector) chunk.columns().get(sign)).get(row);
    if (value == 1) {
      begins++;
      lastBegin.set(chunk, row, count);
    } else if (value == -1) {
      if (ends == 0) {
        firstEnd.set(chunk, row, count);
      }
      ends++;
    } else {
      throw EngineException.of(
          ErrorCode.INCORRECT_DATA,
          "sign %d in a merge of a CollapsingMergeTree, expected 1 or -1",
          value);
    }
    lastBegins = value == 1;
    count++;
  }

  @Override
  public void end(Keeping to) {
    if (lastBegins || begins != ends) {
      if (begins <= ends) {
        firstEnd.keep(to);
      }
      if (begins >= ends) {
        lastBegin.keep(to);
      }
    }
    close();
    begins = 0;
    ends = 0;
    count = 0;
  }

  @Override
  public void close() {
    firstEnd.clear();
    lastBegin.clear();
  }
}
