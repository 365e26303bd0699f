package io.coppice.cli;

import io.coppice.parts.scan.ScanReport;
import java.util.List;
import java.util.Locale;

/** What a scan did, in words. Stateless. */
final class Stats {
  private Stats() {}

  static List<String> lines(ScanReport report, double seconds) {
    return List.of(
        String.format(
            Locale.ROOT,
            "parts     %s of %s read",
            Amounts.count(report.partsRead()),
            Amounts.count(report.parts())),
        String.format(
            Locale.ROOT,
            "granules  %s of %s read: %s left by partition, %s by primary key, %s by skip indexes",
            Amounts.count(report.granulesAfterIndexes()),
            Amounts.count(report.granules()),
            Amounts.count(report.granulesAfterPartition()),
            Amounts.count(report.granulesAfterKey()),
            Amounts.count(report.granulesAfterIndexes())),
        String.format(
            Locale.ROOT,
            "rows      %s read, %s returned",
            Amounts.count(report.rowsRead()),
            Amounts.count(report.rowsReturned())),
        String.format(
            Locale.ROOT,
            "bytes     %s read, %s uncompressed, in %.3f s",
            Amounts.bytes(report.compressedBytes()),
            Amounts.bytes(report.uncompressedBytes()),
            seconds));
  }
}
