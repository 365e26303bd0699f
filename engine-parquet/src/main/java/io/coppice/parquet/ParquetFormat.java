package io.coppice.parquet;

import io.coppice.parts.text.BatchWriter;
import io.coppice.parts.text.DataFormat;
import io.coppice.parts.text.WholeFileFormat;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;

/** Serves the format Parquet to those who look for formats on the class path. Stateless. */
public final class ParquetFormat implements WholeFileFormat {
  /** For {@link java.util.ServiceLoader}. */
  public ParquetFormat() {}

  @Override
  public DataFormat format() {
    return DataFormat.PARQUET;
  }

  @Override
  public Opened open(Path file, String name) throws IOException {
    return ParquetReader.open(file, name);
  }

  @Override
  public BatchWriter writer(
      OutputStream out, Schema schema, BatchWriter.Options options, BufferAllocator allocator)
      throws IOException {
    return ParquetWriter.open(out, schema, options.settings());
  }
}
