/**
 * Building parts from Arrow batches: {@link io.coppice.parts.write.PartBuilder} gathers batches to
 * blocks, splits them by partition, sorts them and writes each piece as the files of a part, with
 * the bytes that ClickHouse would write.
 *
 * <p>Owns the directories {@code tmp_insert_…} while it writes them. Confined to one thread;
 * batches are borrowed for the call.
 */
package io.coppice.parts.write;
