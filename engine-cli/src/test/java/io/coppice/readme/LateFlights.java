package io.coppice.readme;

import io.coppice.parts.scan.BatchStream;
import io.coppice.parts.scan.PartReader;
import io.coppice.parts.scan.Scan;
import java.nio.file.Path;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** The program of the README, which a test compares with this file. */
public class LateFlights {
  public static void main(String[] arguments) throws Exception {
    Path path = Path.of(arguments[0]); // the directory of a part
    try (BufferAllocator allocator = new RootAllocator()) {
      PartReader part = PartReader.open(path, allocator);
      Scan scan = part.scan().columns("origin", "delay").where("delay > 60");
      long late = 0;
      try (BatchStream batches = scan.open(allocator)) {
        while (batches.next()) {
          late += batches.batch().getRowCount(); // an Arrow batch, valid until the next next()
        }
      }
      System.out.println(late + " of " + part.rowCount() + " flights were an hour late");
    }
  }
}
