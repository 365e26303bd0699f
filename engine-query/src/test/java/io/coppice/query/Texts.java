package io.coppice.query;

import io.coppice.parts.text.BatchWriter;
import io.coppice.parts.text.DataFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import org.apache.arrow.memory.BufferAllocator;

/** Results as text. */
final class Texts {
  private Texts() {}

  /** The rows of a statement as TSV, without the last line feed. */
  static String tsv(Session session, BufferAllocator allocator, String sql) throws IOException {
    return text(session, allocator, sql, DataFormat.TSV);
  }

  /** The rows of a statement in a format, without the last line feed. */
  static String text(Session session, BufferAllocator allocator, String sql, DataFormat format)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (QueryResult result = session.execute(sql);
        BatchWriter writer =
            BatchWriter.open(format, out, result.schema(), ZoneOffset.UTC, allocator)) {
      while (result.next()) {
        writer.write(result.batch());
      }
    }
    String text = out.toString(StandardCharsets.UTF_8);
    return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
  }
}
