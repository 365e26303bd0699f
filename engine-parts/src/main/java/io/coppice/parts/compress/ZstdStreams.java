package io.coppice.parts.compress;

import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** ZSTD as a stream: whole files of rows, not frames of a part. Stateless. */
public final class ZstdStreams {
  /** What ClickHouse takes for its output when no level is said. */
  private static final int USUAL_LEVEL = 3;

  private ZstdStreams() {}

  /** What a compressed stream holds, frame behind frame; closing closes both. */
  public static InputStream input(InputStream in) throws IOException {
    return new ZstdInputStream(in).setContinuous(false);
  }

  /** A stream whose bytes go compressed to another; closing closes both. */
  public static OutputStream output(OutputStream out, int level) throws IOException {
    return new ZstdOutputStream(out, level == 0 ? USUAL_LEVEL : level);
  }
}
