package io.coppice.parquet;

import io.coppice.parts.compress.PageCompression;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageWriter;
import org.apache.parquet.column.statistics.SizeStatistics;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.column.statistics.geospatial.GeospatialStatistics;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;

/** The compressed pages of a column of the row group that is being written. One thread. */
@SuppressWarnings("deprecation") // the interface asks for its old methods too
final class ChunkBuffer implements PageWriter {
  private final ColumnDescriptor column;
  private final PageCompression compression;
  private final List<byte[]> pages = new ArrayList<>();
  private final Set<Encoding> encodings = new LinkedHashSet<>();
  private byte[] dictionary = new byte[0];
  private long values;
  private long plainBytes;
  private long pageBytes;

  ChunkBuffer(ColumnDescriptor column, PageCompression compression) {
    this.column = column;
    this.compression = compression;
  }

  private static org.apache.parquet.format.Encoding format(Encoding encoding) {
    return org.apache.parquet.format.Encoding.valueOf(encoding.name());
  }

  private byte[] page(PageHeader header, byte[] compressed) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Util.writePageHeader(header, out);
    plainBytes += out.size() + header.getUncompressed_page_size();
    out.write(compressed);
    pageBytes += out.size();
    return out.toByteArray();
  }

  @Override
  public void writePage(
      BytesInput bytes,
      int valueCount,
      Statistics<?> statistics,
      Encoding repetition,
      Encoding definition,
      Encoding encoding)
      throws IOException {
    byte[] plain = bytes.toInputStream().readAllBytes();
    byte[] compressed = compression.compress(plain);
    PageHeader header = new PageHeader(PageType.DATA_PAGE, plain.length, compressed.length);
    header.setData_page_header(
        new DataPageHeader(valueCount, format(encoding), format(definition), format(repetition)));
    pages.add(page(header, compressed));
    values += valueCount;
    encodings.add(repetition);
    encodings.add(definition);
    encodings.add(encoding);
  }

  @Override
  public void writePage(
      BytesInput bytes,
      int valueCount,
      int rowCount,
      Statistics<?> statistics,
      Encoding repetition,
      Encoding definition,
      Encoding encoding)
      throws IOException {
    writePage(bytes, valueCount, statistics, repetition, definition, encoding);
  }

  @Override
  public void writePage(
      BytesInput bytes,
      int valueCount,
      int rowCount,
      Statistics<?> statistics,
      SizeStatistics sizes,
      Encoding repetition,
      Encoding definition,
      Encoding encoding)
      throws IOException {
    writePage(bytes, valueCount, statistics, repetition, definition, encoding);
  }

  @Override
  public void writePage(
      BytesInput bytes,
      int valueCount,
      int rowCount,
      Statistics<?> statistics,
      SizeStatistics sizes,
      GeospatialStatistics places,
      Encoding repetition,
      Encoding definition,
      Encoding encoding)
      throws IOException {
    writePage(bytes, valueCount, statistics, repetition, definition, encoding);
  }

  @Override
  public void writePageV2(
      int rowCount,
      int nullCount,
      int valueCount,
      BytesInput repetitionLevels,
      BytesInput definitionLevels,
      Encoding encoding,
      BytesInput data,
      Statistics<?> statistics) {
    throw new AssertionError("pages are of version 1");
  }

  @Override
  public void writeDictionaryPage(DictionaryPage page) throws IOException {
    byte[] plain = page.getBytes().toInputStream().readAllBytes();
    byte[] compressed = compression.compress(plain);
    PageHeader header = new PageHeader(PageType.DICTIONARY_PAGE, plain.length, compressed.length);
    header.setDictionary_page_header(
        new DictionaryPageHeader(page.getDictionarySize(), format(page.getEncoding())));
    dictionary = page(header, compressed);
    encodings.add(page.getEncoding());
  }

  /** Writes all pages and says what they are. */
  ColumnChunk write(OutputStream out, long at) throws IOException {
    out.write(dictionary);
    for (byte[] page : pages) {
      out.write(page);
    }
    CompressionCodec codec =
        switch (compression) {
          case NONE -> CompressionCodec.UNCOMPRESSED;
          case SNAPPY -> CompressionCodec.SNAPPY;
          case ZSTD -> CompressionCodec.ZSTD;
          case LZ4_RAW -> CompressionCodec.LZ4_RAW;
          case GZIP -> CompressionCodec.GZIP;
        };
    ColumnMetaData meta =
        new ColumnMetaData(
            type(column),
            encodings.stream().map(ChunkBuffer::format).toList(),
            List.of(column.getPath()),
            codec,
            values,
            plainBytes,
            pageBytes,
            at + dictionary.length);
    if (dictionary.length > 0) {
      meta.setDictionary_page_offset(at);
    }
    ColumnChunk chunk = new ColumnChunk(at);
    chunk.setMeta_data(meta);
    return chunk;
  }

  static Type type(ColumnDescriptor column) {
    return switch (column.getPrimitiveType().getPrimitiveTypeName()) {
      case BINARY -> Type.BYTE_ARRAY;
      default -> Type.valueOf(column.getPrimitiveType().getPrimitiveTypeName().name());
    };
  }

  long sizeBytes() {
    return pageBytes;
  }

  long plainBytes() {
    return plainBytes;
  }

  @Override
  public long getMemSize() {
    return pageBytes;
  }

  @Override
  public long allocatedSize() {
    return pageBytes;
  }

  @Override
  public String memUsageString(String prefix) {
    return prefix + pageBytes + " bytes";
  }
}
