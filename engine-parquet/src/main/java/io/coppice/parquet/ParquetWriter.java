package io.coppice.parquet;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.parts.compress.PageCompression;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.text.BatchWriter;
import io.coppice.parts.text.FormatSetting;
import io.coppice.parts.text.FormatSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.column.impl.ColumnWriteStoreV1;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;
import org.apache.parquet.schema.MessageType;

/**
 * Writes batches to a Parquet file, a row group at a time, which is in memory until it is whole.
 * Confined to one thread; the stream stays open.
 */
final class ParquetWriter implements BatchWriter {
  /** Bytes of a row group on the heap from which on it is written, whatever its rows. */
  private static final long MOST_GROUP_BYTES = 64 << 20;

  private static final int CHECKED_ROWS = 1024;

  private final OutputStream out;
  private final MessageType schema;
  private final List<Field> fields;
  private final PageCompression compression;
  private final long groupRows;
  private final ParquetProperties properties =
      ParquetProperties.builder().withWriterVersion(WriterVersion.PARQUET_1_0).build();
  private final Map<ColumnDescriptor, ChunkBuffer> chunks = new LinkedHashMap<>();
  private final List<RowShredder> shredders = new ArrayList<>();
  private final List<RowGroup> groups = new ArrayList<>();
  private ColumnWriteStore store;
  private long written;
  private long rows;
  private long allRows;
  private boolean closed;

  private ParquetWriter(
      OutputStream out,
      MessageType schema,
      List<Field> fields,
      PageCompression compression,
      long groupRows) {
    this.out = out;
    this.schema = schema;
    this.fields = fields;
    this.compression = compression;
    this.groupRows = groupRows;
  }

  static ParquetWriter open(OutputStream out, Schema schema, FormatSettings settings)
      throws IOException {
    List<Field> fields = schema.getFields();
    List<org.apache.parquet.schema.Type> columns = new ArrayList<>();
    for (Field field : fields) {
      columns.add(ColumnSchema.of(field.getName(), ArrowMapping.typeOf(field)));
    }
    ParquetWriter writer =
        new ParquetWriter(
            out,
            new MessageType("schema", columns),
            fields,
            compression(settings.text(FormatSetting.PARQUET_COMPRESSION)),
            Math.max(1, settings.number(FormatSetting.PARQUET_ROW_GROUP)));
    writer.put(ParquetFile.MAGIC);
    writer.begin();
    return writer;
  }

  private static PageCompression compression(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "none" -> PageCompression.NONE;
      case "snappy" -> PageCompression.SNAPPY;
      case "zstd" -> PageCompression.ZSTD;
      case "lz4" -> PageCompression.LZ4_RAW;
      case "gzip" -> PageCompression.GZIP;
      default ->
          throw EngineException.of(
              ErrorCode.BAD_ARGUMENTS,
              "output_format_parquet_compression_method is %s, expected none, snappy, zstd, lz4 or"
                  + " gzip",
              name);
    };
  }

  private void put(byte[] bytes) throws IOException {
    out.write(bytes);
    written += bytes.length;
  }

  private void begin() {
    chunks.clear();
    shredders.clear();
    for (ColumnDescriptor column : schema.getColumns()) {
      chunks.put(column, new ChunkBuffer(column, compression));
    }
    store = new ColumnWriteStoreV1(schema, chunks::get, properties);
    Iterator<ColumnDescriptor> columns = schema.getColumns().iterator();
    for (Field field : fields) {
      shredders.add(
          RowShredder.of(
              ArrowMapping.typeOf(field), 0, () -> store.getColumnWriter(columns.next())));
    }
    rows = 0;
  }

  @Override
  public void write(VectorSchemaRoot batch) throws IOException {
    for (int row = 0; row < batch.getRowCount(); row++) {
      for (int i = 0; i < shredders.size(); i++) {
        shredders.get(i).write(batch.getVector(i), row, 0, 0);
      }
      store.endRecord();
      rows++;
      if (rows >= groupRows || rows % CHECKED_ROWS == 0 && large()) {
        end();
        begin();
      }
    }
  }

  private boolean large() {
    return store.getBufferedSize() >= MOST_GROUP_BYTES;
  }

  /** Writes the row group. */
  private void end() throws IOException {
    store.flush();
    store.close();
    if (rows == 0) {
      return;
    }
    long start = written;
    long plain = 0;
    List<ColumnChunk> written = new ArrayList<>();
    for (ChunkBuffer chunk : chunks.values()) {
      written.add(chunk.write(out, this.written));
      this.written += chunk.sizeBytes();
      plain += chunk.plainBytes();
    }
    RowGroup group = new RowGroup(written, plain, rows);
    group.setFile_offset(start);
    group.setTotal_compressed_size(this.written - start);
    group.setOrdinal((short) Math.min(Short.MAX_VALUE, groups.size()));
    groups.add(group);
    allRows += rows;
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    end();
    FileMetaData footer = new FileMetaData(1, FooterSchema.of(schema), allRows, groups);
    footer.setCreated_by("Coppice version 0.1.0");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Util.writeFileMetaData(footer, bytes);
    put(bytes.toByteArray());
    put(
        ByteBuffer.allocate(8)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(bytes.size())
            .put(ParquetFile.MAGIC)
            .array());
  }
}
