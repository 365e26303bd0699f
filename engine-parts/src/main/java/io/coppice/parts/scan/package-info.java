/**
 * Reading parts to Arrow batches: {@link io.coppice.parts.scan.LoadedPart} is a part opened by its
 * small files, {@link io.coppice.parts.scan.Scan} asks for columns and rows of some, leaves out
 * granules that cannot hold a row of interest, and gives a {@link
 * io.coppice.parts.scan.BatchStream}.
 *
 * <p>Opens files, writes none, starts no thread. Parts and scans may be used by any thread, a
 * stream by one; what a stream took of an allocator comes back when it is closed. Every checksum of
 * what is read is verified.
 */
package io.coppice.parts.scan;
