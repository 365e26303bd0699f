/**
 * The files of a part, one class each, which documents its bytes, reads them strictly and writes
 * them as ClickHouse does. Start with {@link io.coppice.parts.format.ChecksumsFile}, which lists
 * the others, and {@link io.coppice.parts.format.MarkFile}.
 *
 * <p>Readers take the bytes of a file and a name for messages; every fault is an {@link
 * io.coppice.base.error.EngineException} that names file and place. Counts and sizes are compared
 * with what is there before anything is allocated. Values are immutable and may be used from any
 * thread, unless a class says otherwise.
 */
package io.coppice.parts.format;
