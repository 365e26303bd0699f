/**
 * How the values of each type lie in the streams of a column: one class per encoding, each of which
 * writes rows of an Arrow vector to sinks and appends rows from sources to a vector. Start with
 * {@link io.coppice.parts.column.Encoding}. An encoding has state and belongs to one reader or
 * writer.
 */
package io.coppice.parts.column;
