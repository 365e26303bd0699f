/**
 * Merging parts: the rows of several sorted parts of a partition as one part, with ClickHouse's
 * bytes. Owns directories {@code tmp_merge_…} in a table's. Has no threads: whoever calls {@link
 * io.coppice.merge.run.MergeTask#advance} does the work. Start reading there.
 */
package io.coppice.merge.run;
