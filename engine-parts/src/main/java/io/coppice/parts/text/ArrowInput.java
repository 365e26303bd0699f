package io.coppice.parts.text;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Rows in Arrow's IPC form, file or stream, told apart by what they begin with. A file is a stream
 * between eight bytes at its head and a footer, which says where the batches are for those who
 * jump; read from its start it needs no jumping, so that a pipe may bring it.
 *
 * <p>Confined to one thread; borrows the stream.
 */
final class ArrowInput extends FilterInputStream {
  private static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);
  private static final int HEAD_BYTES = 8;

  private boolean begun;
  private boolean file;

  ArrowInput(InputStream in) {
    super(new PushbackInputStream(in, HEAD_BYTES));
  }

  private void begin() throws IOException {
    begun = true;
    PushbackInputStream again = (PushbackInputStream) in;
    byte[] head = again.readNBytes(HEAD_BYTES);
    file =
        head.length == HEAD_BYTES && Arrays.equals(head, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
    if (!file) {
      again.unread(head);
    }
  }

  @Override
  public int read() throws IOException {
    if (!begun) {
      begin();
    }
    return super.read();
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    if (!begun) {
      begin();
    }
    return super.read(to, offset, length);
  }

  /**
   * Refuses a file that is cut off behind its last batch.
   *
   * @throws EngineException CANNOT_READ_ALL_DATA
   */
  void checkEnd(String name) throws IOException {
    if (!file) {
      return;
    }
    byte[] last = new byte[0];
    byte[] buffer = new byte[1 << 16];
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      byte[] both = Arrays.copyOf(last, last.length + n);
      System.arraycopy(buffer, 0, both, last.length, n);
      last = Arrays.copyOfRange(both, Math.max(0, both.length - MAGIC.length), both.length);
    }
    if (!Arrays.equals(last, MAGIC)) {
      throw EngineException.of(
          ErrorCode.CANNOT_READ_ALL_DATA,
          "%s: the Arrow file breaks off: it does not end with the %s of a footer",
          name,
          new String(MAGIC, StandardCharsets.US_ASCII));
    }
  }
}
