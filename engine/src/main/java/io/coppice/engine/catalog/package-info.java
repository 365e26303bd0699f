/**
 * ClickHouse's data directory: which databases and tables there are, as files say it. Owns {@code
 * metadata/}, {@code metadata_dropped/}, the {@code .sql} files below {@code store/} and the links
 * in {@code data/}; what lies in a table's own directory belongs to {@code io.coppice.parts.set}.
 * One thread at a time. Start with {@link io.coppice.engine.catalog.Catalog}.
 */
package io.coppice.engine.catalog;
