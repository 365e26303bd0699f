/**
 * Parquet files read and written as ClickHouse 26.7 reads and writes them, on parquet-java's
 * columns and pages, without Hadoop: files, row groups, compression and nesting are handled here.
 * Owns no files; readers and writers are confined to one thread. Start at {@link
 * io.coppice.parquet.ParquetFormat}.
 */
package io.coppice.parquet;
