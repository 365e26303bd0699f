/**
 * Names: of parts, of detached parts, of mutations, of partitions, of the files and streams of a
 * part. Start with {@link io.coppice.parts.name.PartName}. Nothing here touches a disk; all of it
 * is immutable and may be used from any thread.
 */
package io.coppice.parts.name;
