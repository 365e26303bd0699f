package io.coppice.parts.text;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.flatbuf.DictionaryBatch;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;

/**
 * An Arrow stream on its way to Arrow's reader, which allocates what the sizes in it say: those
 * that cannot be are refused here, before anything is allocated for them. The bytes are passed on
 * as they are. Confined to one thread; borrows the stream.
 */
final class ArrowFrames extends InputStream {
  private static final int MOST_METADATA_BYTES = 64 << 20;

  /** Rows that a batch may have whatever its bytes, and how many more for each of them. */
  private static final long MANY_ROWS = 1 << 24;

  private static final long MOST_ROWS_PER_BYTE = 2048;

  private final InputStream in;
  private byte[] head = new byte[0];
  private int headAt;
  private long bodyLeft;
  private boolean ended;

  ArrowFrames(InputStream in) {
    this.in = in;
  }

  private static EngineException absurd(String what, long found, long most) {
    return EngineException.of(
        ErrorCode.INCORRECT_DATA,
        "not an Arrow stream: a message with %s %d, at most %d is read",
        what,
        found,
        most);
  }

  /** Reads the head of the next message: its length and metadata. */
  private void nextHead() throws IOException {
    byte[] prefix = in.readNBytes(8);
    if (prefix.length < 8) {
      head = prefix;
      headAt = 0;
      ended = true;
      return;
    }
    ByteBuffer words = ByteBuffer.wrap(prefix).order(ByteOrder.LITTLE_ENDIAN);
    boolean marked = words.getInt(0) == -1; // before 0.15 there was no mark
    int length = marked ? words.getInt(4) : words.getInt(0);
    if (length < 0 || length > MOST_METADATA_BYTES) {
      throw absurd("metadata of bytes:", length, MOST_METADATA_BYTES);
    }
    int already = marked ? 0 : Math.min(4, length);
    byte[] metadata = in.readNBytes(length - already);
    head = new byte[8 + metadata.length];
    System.arraycopy(prefix, 0, head, 0, 8);
    System.arraycopy(metadata, 0, head, 8, metadata.length);
    headAt = 0;
    if (length == 0 || metadata.length < length - already) {
      ended = true; // the end mark, or the stream breaks off, which Arrow's reader notices
      return;
    }
    Message message =
        Message.getRootAsMessage(
            ByteBuffer.wrap(head, marked ? 8 : 4, length).slice().order(ByteOrder.LITTLE_ENDIAN));
    bodyLeft = message.bodyLength();
    if (bodyLeft < 0 || bodyLeft > Integer.MAX_VALUE) {
      throw absurd("a body of bytes:", bodyLeft, Integer.MAX_VALUE);
    }
    if (message.headerType() == MessageHeader.RecordBatch) {
      checkRows((RecordBatch) message.header(new RecordBatch()), bodyLeft);
    } else if (message.headerType() == MessageHeader.DictionaryBatch) {
      DictionaryBatch dictionary = (DictionaryBatch) message.header(new DictionaryBatch());
      checkRows(dictionary.data(), bodyLeft);
    }
  }

  private static void checkRows(RecordBatch batch, long bodyBytes) {
    long most = Math.max(MANY_ROWS, MOST_ROWS_PER_BYTE * bodyBytes);
    if (batch.length() < 0 || batch.length() > most) {
      throw absurd("rows:", batch.length(), most);
    }
    for (int i = 0; i < batch.nodesLength(); i++) {
      long rows = batch.nodes(i).length();
      if (rows < 0 || rows > most) {
        throw absurd("rows:", rows, most);
      }
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (headAt == head.length && bodyLeft == 0 && !ended) {
      nextHead();
    }
    if (headAt < head.length) {
      int n = Math.min(length, head.length - headAt);
      System.arraycopy(head, headAt, to, offset, n);
      headAt += n;
      return n;
    }
    if (bodyLeft == 0) {
      return -1;
    }
    int n = in.read(to, offset, (int) Math.min(length, bodyLeft));
    bodyLeft = n < 0 ? 0 : bodyLeft - n;
    ended |= n < 0;
    return n;
  }
}
