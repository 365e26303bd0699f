/**
 * Rows as text and in ClickHouse's other formats, in and out of Arrow batches. Start with {@link
 * io.coppice.parts.text.BatchReader}, {@link io.coppice.parts.text.BatchWriter} and {@link
 * io.coppice.parts.text.DataFormat}; {@link io.coppice.parts.text.ValueText} prints single values.
 * Readers and writers belong to one thread.
 */
package io.coppice.parts.text;
