package io.coppice.engine;

import io.coppice.language.statement.PartitionId;
import io.coppice.parts.inspect.InspectionReport;
import io.coppice.parts.inspect.PartInspector;
import io.coppice.parts.name.PartName;
import io.coppice.parts.set.Part;
import io.coppice.parts.set.PartSnapshot;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** CHECK TABLE: the parts of a table looked through for damage, each whole. Stateless. */
public final class TableCheck {
  /**
   * What was found in one part.
   *
   * @param message what is wrong, file by file; empty when nothing is
   */
  public record Result(PartName part, boolean passed, String message) {}

  private TableCheck() {}

  /**
   * Looks through the active parts that have rows.
   *
   * @param partition which, all if it is absent
   */
  public static List<Result> of(Table table, Optional<PartitionId> partition) throws IOException {
    TableDefinition definition = table.definition();
    if (partition.orElse(null) instanceof PartitionId.Part named) {
      PartitionCommands.partName(table, named.name());
    }
    Predicate<PartName> meant =
        partition
            .map(p -> PartitionIds.meant(definition, p, table.allocator()))
            .orElse(name -> true);
    List<Result> results = new ArrayList<>();
    table.using(
        () -> {
          try (PartSnapshot snapshot = table.partSet().snapshot()) {
            for (Part part : snapshot.parts()) {
              if (meant.test(part.name()) && part.loaded().orElseThrow().rowCount() > 0) {
                results.add(check(table, definition, part.name()));
              }
            }
          }
        });
    return results;
  }

  private static Result check(Table table, TableDefinition definition, PartName part) {
    InspectionReport report =
        PartInspector.of(table.directory().within(part.text()), part.text())
            .table(definition)
            .inspect(table.allocator());
    return new Result(
        part,
        report.faults().isEmpty(),
        report.faults().stream().map(Object::toString).collect(Collectors.joining("; ")));
  }
}
