package io.coppice.parts.text;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Bytes of an input with the record that is being read whole in memory. Places are counted from the
 * start of the record. Keeps count of lines. Confined to one thread; borrows the stream.
 */
final class RecordInput {
  /** The longest record that is read. */
  static final int MOST_RECORD_BYTES = 1 << 30;

  private static final int MOST_DEPTH = 1000;

  private final InputStream in;
  private byte[] buffer;
  private int start;
  private int end;
  private boolean ended;
  private long line = 1;
  private long consumed;

  RecordInput(InputStream in, int bufferBytes) {
    this.in = in;
    this.buffer = new byte[bufferBytes];
  }

  /** Bytes with the record in them; valid until the next call of {@link #available}. */
  byte[] bytes() {
    return buffer;
  }

  /** Where the record starts in {@link #bytes}. */
  int start() {
    return start;
  }

  /** How many bytes of the record, and of what follows it, are in memory. */
  int size() {
    return end - start;
  }

  /** Bytes of all records before this one. */
  long consumed() {
    return consumed;
  }

  /** Whether there is a byte at {@code place}; reads on when it is not in memory. */
  boolean available(int place) throws IOException {
    while (place >= end - start) {
      if (ended) {
        return false;
      }
      if (start > 0 && (end == buffer.length || start == end)) {
        System.arraycopy(buffer, start, buffer, 0, end - start);
        end -= start;
        start = 0;
      }
      if (end == buffer.length) {
        if (buffer.length >= MOST_RECORD_BYTES) {
          throw EngineException.of(
              ErrorCode.TOO_LARGE_STRING_SIZE,
              "line %d: a row of more than %d bytes; is the format right?",
              line,
              MOST_RECORD_BYTES);
        }
        buffer = Arrays.copyOf(buffer, Math.min(MOST_RECORD_BYTES, buffer.length * 2));
      }
      int n = in.read(buffer, end, buffer.length - end);
      if (n < 0) {
        ended = true;
      } else {
        end += n;
      }
    }
    return true;
  }

  /** The byte at {@code place}, or -1 behind the end of the input. */
  int at(int place) throws IOException {
    if (place < end - start || available(place)) {
      return buffer[start + place] & 0xFF;
    }
    return -1;
  }

  static boolean space(int b) {
    return b == ' ' || b == '\t' || b == '\n' || b == '\r';
  }

  /** The place of what is no space, at or behind another. */
  int behindSpace(int place) throws IOException {
    int i = place;
    while (space(at(i))) {
      i++;
    }
    return i;
  }

  /**
   * The place behind what opens with a bracket, brackets and quotes inside minded; -1 if it does
   * not end.
   *
   * @param place of the bracket
   * @param name of the input, for messages
   * @param sql whether round brackets, and quotes of other kinds, are what they are in SQL
   */
  int behindBrackets(int place, boolean sql, String name) throws IOException {
    int depth = 0;
    int quote = 0;
    int i = place;
    while (available(i)) {
      int size = end - start;
      for (; i < size; i++) {
        byte b = buffer[start + i];
        if (quote != 0) {
          if (b == '\\') {
            i++;
          } else if (b == quote) {
            quote = 0;
          }
        } else if (b == '"' || sql && (b == '\'' || b == '`')) {
          quote = b;
        } else if (b == '{' || b == '[' || sql && b == '(') {
          if (++depth > MOST_DEPTH) {
            throw EngineException.of(
                ErrorCode.INCORRECT_DATA,
                "%s, %s: nested deeper than %d levels",
                name,
                where(i),
                MOST_DEPTH);
          }
        } else if ((b == '}' || b == ']' || sql && b == ')') && --depth == 0) {
          return i + 1;
        }
      }
    }
    return -1;
  }

  /** Ends the record behind {@code size} bytes. */
  void consume(int size) {
    for (int i = start; i < start + size; i++) {
      if (buffer[i] == '\n') {
        line++;
      }
    }
    start += size;
    consumed += size;
  }

  /** {@code line 3, column 7}: of a place in the record, both from 1, the column in bytes. */
  String where(int place) {
    long atLine = line;
    int column = 1;
    int stop = Math.min(start + Math.max(place, 0), end);
    for (int i = start; i < stop; i++) {
      if (buffer[i] == '\n') {
        atLine++;
        column = 1;
      } else {
        column++;
      }
    }
    return "line " + atLine + ", column " + column;
  }
}
