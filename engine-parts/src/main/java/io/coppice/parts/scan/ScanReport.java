package io.coppice.parts.scan;

import java.util.List;
import java.util.Map;

/**
 * What a scan read and what it left out, so far. Counts of granules do not include final marks.
 *
 * @param parts looked at
 * @param partsRead from which granules were chosen
 * @param granules of all parts
 * @param granulesAfterPartition left after partitions and minmax files were looked at
 * @param granulesAfterKey left after the primary key as well
 * @param granulesAfterIndexes left after skip indexes as well: those to read
 * @param rowsRead of the columns that were read first
 * @param rowsReturned in batches
 * @param compressedBytes read of data files
 * @param uncompressedBytes those held
 * @param rowsChosen of the granules to read
 * @param ranges runs of granules to read
 * @param rowsCounted of granules all of whose rows are known to pass, which are not read as only
 *     the number of rows is wanted
 * @param rowsByPartition rows of the parts from which granules were chosen, by partition
 * @param indexes what each index left, in the order in which they were looked at
 */
public record ScanReport(
    int parts,
    int partsRead,
    long granules,
    long granulesAfterPartition,
    long granulesAfterKey,
    long granulesAfterIndexes,
    long rowsRead,
    long rowsReturned,
    long compressedBytes,
    long uncompressedBytes,
    long rowsChosen,
    int ranges,
    long rowsCounted,
    Map<String, Long> rowsByPartition,
    List<IndexReport> indexes) {
  public ScanReport {
    rowsByPartition = Map.copyOf(rowsByPartition);
    indexes = List.copyOf(indexes);
  }
}
