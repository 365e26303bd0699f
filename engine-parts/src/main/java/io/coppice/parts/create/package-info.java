/**
 * Whether ClickHouse would create a table: what it asks of names, types, codecs, keys, defaults,
 * constraints and TTL of a CREATE TABLE. Start with {@link io.coppice.parts.create.CreateCheck}.
 * Owns no files; any thread may call it.
 */
package io.coppice.parts.create;
