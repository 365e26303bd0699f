package io.coppice.parquet;

import io.coppice.parts.compress.PageCompression;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Util;
import org.apache.parquet.schema.PrimitiveType;

/** The pages of a column in a row group, one after the other in memory. Confined to one thread. */
final class ChunkPages implements PageReader {
  private static final int MOST_PAGE_BYTES = 512 << 20;

  private final InputStream in;
  private final PageCompression compression;
  private final PrimitiveType type;
  private final long values;
  private long read;
  private boolean begun;
  private PageHeader ahead;

  ChunkPages(ParquetFile file, ColumnMetaData chunk, PrimitiveType type) throws IOException {
    boolean dictionary =
        chunk.isSetDictionary_page_offset() && chunk.getDictionary_page_offset() > 0;
    long from =
        dictionary
            ? Math.min(chunk.getDictionary_page_offset(), chunk.getData_page_offset())
            : chunk.getData_page_offset();
    this.in = file.range(from, chunk.getTotal_compressed_size());
    this.compression =
        switch (chunk.getCodec()) {
          case UNCOMPRESSED -> PageCompression.NONE;
          case SNAPPY -> PageCompression.SNAPPY;
          case GZIP -> PageCompression.GZIP;
          case ZSTD -> PageCompression.ZSTD;
          case LZ4_RAW -> PageCompression.LZ4_RAW;
          default ->
              throw Damage.broken(
                  "column %s is compressed with %s; there are UNCOMPRESSED, SNAPPY, GZIP, ZSTD and"
                      + " LZ4_RAW",
                  String.join(".", chunk.getPath_in_schema()), chunk.getCodec());
        };
    this.type = type;
    this.values = chunk.getNum_values();
    if (values < 0) {
      throw Damage.broken("a chunk of %d values", values);
    }
  }

  @Override
  public long getTotalValueCount() {
    return values;
  }

  private PageHeader header() throws IOException {
    PageHeader header = ahead;
    ahead = null;
    begun = true;
    return header != null ? header : Util.readPageHeader(in);
  }

  private byte[] bytes(int size) throws IOException {
    if (size < 0 || size > in.available()) {
      throw Damage.broken("a page of %d bytes, the chunk has %d more", size, in.available());
    }
    byte[] bytes = in.readNBytes(size);
    if (bytes.length != size) {
      throw Damage.broken("a page of %d bytes breaks off behind %d", size, bytes.length);
    }
    return bytes;
  }

  private byte[] plain(byte[] compressed, int size) throws IOException {
    if (size < 0 || size > MOST_PAGE_BYTES) {
      throw Damage.broken("a page of %d bytes uncompressed, at most %d", size, MOST_PAGE_BYTES);
    }
    return size == 0 ? new byte[0] : compression.decompress(compressed, size);
  }

  @Override
  public DictionaryPage readDictionaryPage() {
    try {
      if (begun || values == 0) {
        return null;
      }
      PageHeader header = header();
      if (header.getType() != PageType.DICTIONARY_PAGE) {
        ahead = header;
        return null;
      }
      DictionaryPageHeader own = header.getDictionary_page_header();
      byte[] plain =
          plain(bytes(header.getCompressed_page_size()), header.getUncompressed_page_size());
      if (own.getNum_values() < 0 || own.getNum_values() > plain.length * 8L + 1) {
        throw Damage.broken(
            "a dictionary of %d values in %d bytes", own.getNum_values(), plain.length);
      }
      return new DictionaryPage(
          BytesInput.from(plain), own.getNum_values(), Encoding.valueOf(own.getEncoding().name()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public DataPage readPage() {
    try {
      while (read < values) {
        PageHeader header = header();
        byte[] bytes = bytes(header.getCompressed_page_size());
        if (header.getType() == PageType.DATA_PAGE) {
          return first(header, bytes);
        }
        if (header.getType() == PageType.DATA_PAGE_V2) {
          return second(header, bytes);
        }
      }
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void count(int page) throws IOException {
    if (page <= 0 || page > values - read) {
      throw Damage.broken("a page of %d values, %d of %d are left", page, values - read, values);
    }
    read += page;
  }

  private DataPage first(PageHeader header, byte[] bytes) throws IOException {
    DataPageHeader own = header.getData_page_header();
    count(own.getNum_values());
    return new DataPageV1(
        BytesInput.from(plain(bytes, header.getUncompressed_page_size())),
        own.getNum_values(),
        header.getUncompressed_page_size(),
        Statistics.noopStats(type),
        Encoding.valueOf(own.getRepetition_level_encoding().name()),
        Encoding.valueOf(own.getDefinition_level_encoding().name()),
        Encoding.valueOf(own.getEncoding().name()));
  }

  private DataPage second(PageHeader header, byte[] bytes) throws IOException {
    DataPageHeaderV2 own = header.getData_page_header_v2();
    count(own.getNum_values());
    int repetition = own.getRepetition_levels_byte_length();
    int definition = own.getDefinition_levels_byte_length();
    if (repetition < 0 || definition < 0 || (long) repetition + definition > bytes.length) {
      throw Damage.broken("levels of %d and %d bytes", repetition, definition);
    }
    int levels = repetition + definition;
    byte[] data = java.util.Arrays.copyOfRange(bytes, levels, bytes.length);
    if (!own.isSetIs_compressed() || own.isIs_compressed()) {
      data = plain(data, header.getUncompressed_page_size() - levels);
    }
    return DataPageV2.uncompressed(
        own.getNum_rows(),
        own.getNum_nulls(),
        own.getNum_values(),
        BytesInput.from(bytes, 0, repetition),
        BytesInput.from(bytes, repetition, definition),
        Encoding.valueOf(own.getEncoding().name()),
        BytesInput.from(data),
        Statistics.noopStats(type));
  }
}
