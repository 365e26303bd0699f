package io.coppice.merge.run;

import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.parts.format.ChecksumsFile;
import io.coppice.parts.format.SerializationFile;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.MergingKind;
import io.coppice.parts.table.TableDefinition;
import io.coppice.parts.table.TableSettings;
import io.coppice.parts.write.PartAppender;
import io.coppice.parts.write.TableKeys;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What a merged part will be like, and how it is made, found out from its sources as ClickHouse
 * finds it out. Immutable.
 *
 * @param vertical whether columns besides those of the keys come one by one
 * @param form of the part
 * @param rowCount of the sources
 * @param uncompressedBytes of the sources' data
 */
record MergePlan(boolean vertical, PartAppender.Form form, long rowCount, long uncompressedBytes) {

  /** The plan for merging parts, in their order. */
  static MergePlan of(
      List<LoadedPart> parts, TableDefinition table, TableKeys keys, MergeOptions options) {
    TableSettings settings = table.settings();
    long rows = 0;
    long bytes = 0;
    long compressed = 0;
    for (LoadedPart part : parts) {
      rows += part.rowCount();
      bytes += uncompressedBytes(part);
      compressed += part.files().values().stream().mapToLong(Long::longValue).sum();
    }
    boolean compact =
        settings.adaptive()
            && (bytes < settings.minBytesForWidePart() || rows < settings.minRowsForWidePart());
    Set<String> first = firstColumns(table, keys);
    long others = table.storedColumns().stream().filter(c -> !first.contains(c.name())).count();
    boolean vertical =
        options.vertical()
            && !compact
            && (options.verticalFromCompact() || parts.stream().noneMatch(LoadedPart::compact))
            && oneByOne(table.kind())
            && others >= options.verticalMinColumns()
            && rows >= options.verticalMinRows()
            && bytes >= options.verticalMinBytes()
            && parts.size() <= RowSources.MOST_SOURCES;
    Set<String> all = new LinkedHashSet<>();
    table.storedColumns().forEach(c -> all.add(c.name()));
    boolean constant = settings.constAdaptiveGranularity() && !compact && rows > 0;
    boolean sync =
        options.minRowsToSync() > 0 && rows >= options.minRowsToSync()
            || options.minBytesToSync() > 0 && compressed >= options.minBytesToSync();
    return new MergePlan(
        vertical,
        new PartAppender.Form(
            compact,
            vertical ? first : all,
            vertical && !constant,
            constant
                ? OptionalInt.of(PartAppender.granuleRows(rows, bytes, settings))
                : OptionalInt.empty(),
            infos(parts, table),
            sync),
        rows,
        bytes);
  }

  private static boolean oneByOne(MergingKind kind) {
    return switch (kind) {
      case PLAIN, REPLACING, COLLAPSING, VERSIONED_COLLAPSING -> true;
      case SUMMING, AGGREGATING, COALESCING, GRAPHITE -> false;
    };
  }

  /** Columns that the order of rows, and what remains of them, depends on. */
  private static Set<String> firstColumns(TableDefinition table, TableKeys keys) {
    Set<String> first = new HashSet<>();
    keys.sorting().forEach(k -> first.addAll(k.expression().columns()));
    if (table.kind() != MergingKind.PLAIN) {
      table.engineArguments().forEach(a -> a.collectNames(first));
    }
    if (first.isEmpty()) {
      first.add(table.storedColumns().get(0).name());
    }
    table
        .indexes()
        .forEach(
            index -> {
              Set<String> used = new HashSet<>();
              index.expression().collectNames(used);
              if (used.size() > 1) {
                first.addAll(used);
              }
            });
    return first;
  }

  /** Bytes of a part's columns before compression. */
  private static long uncompressedBytes(LoadedPart part) {
    long bytes = 0;
    if (part.checksums().isPresent()) {
      for (Map.Entry<String, ChecksumsFile.Entry> file :
          part.checksums().get().files().entrySet()) {
        if (file.getKey().endsWith(".bin")) {
          bytes += file.getValue().content().map(ChecksumsFile.Content::sizeBytes).orElse(0L);
        }
      }
    }
    return bytes;
  }

  /** What the sources know of columns' defaults, added up; it decides which are sparse. */
  private static Map<String, SerializationFile.Info> infos(
      List<LoadedPart> parts, TableDefinition table) {
    Map<String, SerializationFile.Info> sums = new LinkedHashMap<>();
    double ratio = table.settings().sparseRatio();
    for (ColumnDefinition column : table.storedColumns()) {
      SerializationFile.Info sum = none(column.type());
      for (LoadedPart part : parts) {
        if (part.holds(column.name())) {
          Optional<SerializationFile.Info> info =
              part.serialization().flatMap(s -> s.info(column.name()));
          sum = info.isPresent() ? plus(sum, info.get()) : sum;
        } else if (column.expression().isEmpty()) {
          sum = plus(sum, onlyDefaults(column.type(), part.rowCount()));
        }
      }
      sums.put(column.name(), chosen(sum, column.type(), ratio));
    }
    return sums;
  }

  private static SerializationFile.Info none(DataType type) {
    return onlyDefaults(type, 0);
  }

  private static SerializationFile.Info onlyDefaults(DataType type, long rows) {
    Optional<List<SerializationFile.Info>> elements = Optional.empty();
    if (type.storage() instanceof TupleType tuple) {
      elements =
          Optional.of(tuple.elements().stream().map(e -> onlyDefaults(e.type(), rows)).toList());
    }
    return new SerializationFile.Info(SerializationFile.Kind.DEFAULT, rows, rows, false, elements);
  }

  private static SerializationFile.Info plus(SerializationFile.Info a, SerializationFile.Info b) {
    Optional<List<SerializationFile.Info>> elements = a.subcolumns();
    List<SerializationFile.Info> others = b.subcolumns().orElse(List.of());
    if (elements.isPresent() && others.size() == elements.get().size()) {
      List<SerializationFile.Info> sums = new ArrayList<>();
      for (int i = 0; i < others.size(); i++) {
        sums.add(plus(elements.get().get(i), others.get(i)));
      }
      elements = Optional.of(sums);
    }
    return new SerializationFile.Info(
        a.kind(),
        a.defaultCount() + b.defaultCount(),
        a.rowCount() + b.rowCount(),
        a.exact(),
        elements);
  }

  private static SerializationFile.Info chosen(
      SerializationFile.Info sum, DataType type, double ratio) {
    Optional<List<SerializationFile.Info>> elements = sum.subcolumns();
    boolean sparse = false;
    if (type.storage() instanceof TupleType tuple) {
      List<SerializationFile.Info> all = elements.orElseThrow();
      List<SerializationFile.Info> chosen = new ArrayList<>();
      for (int i = 0; i < all.size(); i++) {
        chosen.add(chosen(all.get(i), tuple.elements().get(i).type(), ratio));
      }
      elements = Optional.of(chosen);
    } else {
      // Recorded whatever the type; types that are never sparse are written in full all the same.
      sparse = sum.rowCount() > 0 && (double) sum.defaultCount() / sum.rowCount() > ratio;
    }
    return new SerializationFile.Info(
        sparse ? SerializationFile.Kind.SPARSE : SerializationFile.Kind.DEFAULT,
        sum.defaultCount(),
        sum.rowCount(),
        sum.exact(),
        elements);
  }
}
