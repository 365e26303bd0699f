/**
 * What a table is: columns, keys, settings, and how ClickHouse's types lie in Arrow. Start with
 * {@link io.coppice.parts.table.ArrowMapping} and {@code TableDefinition}. Immutable; any thread
 * may use it.
 */
package io.coppice.parts.table;
