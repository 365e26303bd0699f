/**
 * Which parts of a table count: {@link io.coppice.parts.set.PartSet} knows the state of each part
 * in a table's directory, gives readers snapshots with a lease, and says which parts may be
 * deleted; {@link io.coppice.parts.set.PartCleaner} deletes them.
 *
 * <p>Owns the names in the table's directory: parts, {@code tmp_…}, {@code delete_tmp_…}, {@code
 * detached/}, {@code format_version.txt}. Any thread may call it; it starts none. Start reading at
 * {@code PartState}, then {@code PartSet}.
 */
package io.coppice.parts.set;
