/**
 * ALTER TABLE thought through before anything is changed: what the new definition is, whether
 * ClickHouse would allow it, and which commands old parts must go through. No files, no threads;
 * {@code Table} carries it out. Start with {@link io.coppice.engine.alter.Alteration}.
 */
package io.coppice.engine.alter;
