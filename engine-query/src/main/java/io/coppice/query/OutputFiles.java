package io.coppice.query;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.statement.Query;
import io.coppice.parts.text.BatchWriter;
import io.coppice.parts.text.DataFormat;
import io.coppice.parts.text.FileCompression;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Results that go to files: INTO OUTFILE, and what is inserted into {@code file(…)}. */
final class OutputFiles {
  private static final int BUFFER_BYTES = 1 << 16;

  private final Context context;

  OutputFiles(Context context) {
    this.context = context;
  }

  /**
   * Writes the rows of a query, which are closed, where its INTO OUTFILE says.
   *
   * @return how many
   * @throws EngineException FILE_ALREADY_EXISTS when neither APPEND nor TRUNCATE is said
   */
  long write(Query query, Rows rows) throws IOException {
    try (rows) {
      Query.Outfile outfile = query.outfile().orElseThrow();
      Path file = InputFiles.named(outfile.path());
      if (Files.exists(file) && !outfile.append() && !outfile.truncate()) {
        throw EngineException.of(
            ErrorCode.FILE_ALREADY_EXISTS,
            "file %s exists; say APPEND or TRUNCATE behind its name",
            outfile.path());
      }
      DataFormat format = query.format().map(DataFormat::named).orElseGet(() -> guessed(file));
      FileCompression compression =
          FileCompression.of(outfile.compression().orElse("auto"), outfile.path());
      return write(file, format, compression, outfile.level(), outfile.append(), rows);
    }
  }

  private static DataFormat guessed(Path file) {
    try {
      return DataFormat.ofFileName(file.toString());
    } catch (EngineException e) {
      return DataFormat.TSV; // as ClickHouse takes it
    }
  }

  /** Writes all rows to a file, behind what it has or instead of it; says how many. */
  long write(
      Path file,
      DataFormat format,
      FileCompression compression,
      int level,
      boolean append,
      Rows rows)
      throws IOException {
    OpenOption mode = append ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING;
    long count = 0;
    try (OutputStream raw =
            Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, mode);
        OutputStream out =
            compression.open(new BufferedOutputStream(raw, BUFFER_BYTES), Math.max(0, level));
        BatchWriter writer =
            BatchWriter.open(
                format,
                out,
                Batches.schema(rows.columns()),
                new BatchWriter.Options(context.surroundings().zone(), context.formats(), false),
                context.allocator())) {
      while (rows.next()) {
        writer.write(rows.batch());
        count += rows.batch().getRowCount();
      }
    } catch (IOException e) {
      if (e instanceof FileSystemException || e instanceof InterruptedIOException) {
        throw e;
      }
      throw new EngineException(
          ErrorCode.CANNOT_WRITE_TO_FILE_DESCRIPTOR,
          "can't write " + file + ": " + e.getMessage() + "; it has a part of the rows",
          e);
    }
    return count;
  }
}
