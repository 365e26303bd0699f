package io.coppice.parts.inspect;

import io.coppice.base.disk.Disk;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.parse.Parser;
import io.coppice.language.statement.CreateTable;
import io.coppice.language.type.DataType;
import io.coppice.parts.column.Encoding.Mode;
import io.coppice.parts.column.Encoding.Substream;
import io.coppice.parts.column.Encodings;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.format.ChecksumsFile;
import io.coppice.parts.format.ColumnsFile;
import io.coppice.parts.format.ColumnsSubstreamsFile;
import io.coppice.parts.format.CountFile;
import io.coppice.parts.format.DefaultCodecFile;
import io.coppice.parts.format.MarkFile;
import io.coppice.parts.format.MarkFormat;
import io.coppice.parts.format.MetadataVersionFile;
import io.coppice.parts.format.PackedFile;
import io.coppice.parts.format.PartitionFile;
import io.coppice.parts.format.PrimaryIndexFile;
import io.coppice.parts.format.SerializationFile;
import io.coppice.parts.format.SourcePartsFile;
import io.coppice.parts.format.TtlFile;
import io.coppice.parts.format.TxnVersionFile;
import io.coppice.parts.format.UuidFile;
import io.coppice.parts.name.FileNames;
import io.coppice.parts.scan.BatchStream;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.scan.Scan;
import io.coppice.parts.scan.SkipIndexFile;
import io.coppice.parts.skip.SkipIndex;
import io.coppice.parts.stream.ArrowFlags;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.ColumnDefinition;
import io.coppice.parts.table.TableDefinition;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Looks through a whole part: every byte against the checksums, frame by frame; marks against the
 * data they point into; the small files against the data and each other; every value of every
 * column; and, where the table is known, the primary index, the order of rows, the partition and
 * the minmax files against the rows.
 *
 * <pre>{@code
 * InspectionReport report = PartInspector.of(disk, "all_1_1_0").table(definition).inspect(allocator);
 * report.faults().forEach(fault -> System.err.println(fault.text()));
 * }</pre>
 *
 * <p>Goes on after a fault with whatever can still be looked at, and never throws for damage. Reads
 * only. An inspector is immutable; {@link #inspect} belongs to one thread.
 */
public final class PartInspector {
  /** Files of a part that checksums.txt does not list. */
  private static final Set<String> NOT_LISTED =
      Set.of(
          ChecksumsFile.NAME,
          ColumnsFile.NAME,
          ColumnsSubstreamsFile.NAME,
          DefaultCodecFile.NAME,
          MetadataVersionFile.NAME,
          TxnVersionFile.NAME,
          UuidFile.NAME);

  private static final int MOST_FAULTS = 1000;

  private final Disk disk;
  private final String name;
  private final Optional<TableDefinition> table;
  private final ZoneId zone;

  private PartInspector(Disk disk, String name, Optional<TableDefinition> table, ZoneId zone) {
    this.disk = disk;
    this.name = name;
    this.table = table;
    this.zone = zone;
  }

  /**
   * For the part on a disk.
   *
   * @param disk of the part's directory, borrowed
   * @param name of the part, from which its partition is told
   */
  public static PartInspector of(Disk disk, String name) {
    ArrowFlags.require();
    return new PartInspector(disk, name, Optional.empty(), ZoneOffset.UTC);
  }

  /** The table that the part belongs to, which tells its keys. */
  public PartInspector table(TableDefinition definition) {
    return new PartInspector(disk, name, Optional.of(definition), zone);
  }

  /** The zone of times that name none, in which key expressions are evaluated; UTC if not said. */
  public PartInspector zone(ZoneId ofTimes) {
    return new PartInspector(disk, name, table, ofTimes);
  }

  /** Looks through the part. Takes memory of {@code allocator} and gives it back. */
  public InspectionReport inspect(BufferAllocator allocator) {
    try (BufferAllocator child = allocator.newChildAllocator("inspect", 0, Long.MAX_VALUE);
        Run run = new Run(child)) {
      return run.run();
    }
  }

  /** One inspection. */
  private final class Run implements AutoCloseable {
    private final BufferAllocator allocator;
    private final FileCheck check;
    private final List<Fault> faults = new ArrayList<>();
    private final Set<String> said = new HashSet<>();
    private final Set<String> faulty = new HashSet<>();
    private final Set<String> unreadColumns = new TreeSet<>();
    private final List<String> notes = new ArrayList<>();
    private final Map<String, FileCheck.Frames> frames = new HashMap<>();
    private final Map<String, Long> files = new TreeMap<>();
    private final Set<String> directories = new TreeSet<>();
    private final Map<String, List<String>> substreams = new HashMap<>();
    private final List<Fault> keyFaults = new ArrayList<>();
    private Optional<ChecksumsFile> checksums = Optional.empty();
    private int fileCount;
    private long sizeBytes;
    private long rowCount;

    Run(BufferAllocator allocator) {
      this.allocator = allocator;
      this.check = new FileCheck(allocator);
    }

    private void fault(Fault fault) {
      faulty.add(fault.file());
      if (faults.size() < MOST_FAULTS && said.add(fault.text())) {
        faults.add(fault);
      }
    }

    private void fault(String file, ErrorCode code, String format, Object... values) {
      fault(Fault.of(file, code, String.format(format, values)));
    }

    /** A step of the inspection, whose failure is a fault. */
    private interface Step {
      void run() throws IOException;
    }

    private boolean attempt(String file, Step step) {
      return attempt(file, false, step);
    }

    /**
     * Takes a step.
     *
     * @param excused whether a failure follows from a fault that is told already: one cause is one
     *     fault
     */
    private boolean attempt(String file, boolean excused, Step step) {
      Fault fault;
      try {
        step.run();
        return true;
      } catch (EngineException e) {
        // Frames of a codec that is not known here were noted when their checksums were compared.
        if (e.code() == ErrorCode.UNKNOWN_COMPRESSION_METHOD) {
          return false;
        }
        fault = Fault.of(file, e.code(), withoutPart(e.getMessage()));
      } catch (IOException e) {
        fault = Fault.of(file, ErrorCode.CANNOT_READ_ALL_DATA, "cannot be read: " + words(e));
      } catch (IllegalArgumentException | IndexOutOfBoundsException | ArithmeticException e) {
        // A check further down that was not worded for damage; the part is what is wrong.
        fault = Fault.of(file, ErrorCode.CORRUPTED_DATA, "contradicts itself: " + e.getMessage());
      }
      if (!excused) {
        fault(fault);
      }
      return false;
    }

    private static String words(IOException e) {
      if (e instanceof NoSuchFileException) {
        return "it is not there";
      }
      if (e instanceof AccessDeniedException) {
        return "access denied";
      }
      return e instanceof FileSystemException system && system.getReason() != null
          ? system.getReason()
          : String.valueOf(e.getMessage());
    }

    /** The message without what the report says anyway: the part's name. */
    private String withoutPart(String message) {
      String rest = message;
      while (rest.startsWith("part " + name + ": ") || rest.startsWith("part " + name + ", ")) {
        rest = rest.substring(name.length() + 7);
      }
      return rest;
    }

    InspectionReport run() {
      boolean listed = attempt("", () -> list(disk, files, directories));
      if (!listed) {
        return report();
      }
      if (files.containsKey(ChecksumsFile.NAME)) {
        attempt(ChecksumsFile.NAME, () -> checksums = Optional.of(readChecksums(disk)));
      } else {
        notes.add("no checksums.txt: only the checksums of frames were compared");
      }
      attempt("", () -> contents(disk, "", files, directories, checksums));
      smallFiles();
      Optional<LoadedPart> loaded = load();
      if (loaded.isPresent()) {
        LoadedPart part = loaded.get();
        attempt("", () -> marks(part));
        attempt("", () -> columns(part));
        tableTypes(part);
        keys(part);
      } else {
        notes.add("the part could not be opened: marks, rows and keys were not looked at");
      }
      return report();
    }

    private InspectionReport report() {
      if (faults.size() == MOST_FAULTS) {
        notes.add("there are more faults than the " + MOST_FAULTS + " named");
      }
      notes.addAll(check.notes());
      return new InspectionReport(
          name, rowCount, fileCount, sizeBytes, check.frames(), faults, notes);
    }

    private void list(Disk of, Map<String, Long> to, Set<String> directoriesTo) throws IOException {
      for (Disk.Entry entry : of.list("")) {
        if (entry.directory()) {
          directoriesTo.add(entry.name());
        } else {
          to.put(entry.name(), entry.sizeBytes());
        }
      }
    }

    private ChecksumsFile readChecksums(Disk of) throws IOException {
      return ChecksumsFile.read(
          of.readAll(ChecksumsFile.NAME, ChecksumsFile.LIMIT_BYTES),
          ChecksumsFile.NAME,
          check.decompressor());
    }

    /** Every byte of every file below a part or projection. */
    private void contents(
        Disk of,
        String prefix,
        Map<String, Long> present,
        Set<String> within,
        Optional<ChecksumsFile> list)
        throws IOException {
      Map<String, ChecksumsFile.Entry> expected =
          list.map(c -> (Map<String, ChecksumsFile.Entry>) c.files()).orElse(Map.of());
      for (Map.Entry<String, ChecksumsFile.Entry> entry : expected.entrySet()) {
        String file = entry.getKey();
        boolean projection = file.endsWith(".proj");
        if (projection ? !within.contains(file) : !present.containsKey(file)) {
          fault(
              prefix + file, ErrorCode.FILE_DOESNT_EXIST, "listed in checksums.txt and not there");
        }
      }
      for (Map.Entry<String, Long> file : present.entrySet()) {
        String label = prefix + file.getKey();
        Optional<ChecksumsFile.Entry> entry = Optional.ofNullable(expected.get(file.getKey()));
        fileCount++;
        sizeBytes += file.getValue();
        boolean read =
            attempt(label, () -> file(of, file.getKey(), label, prefix.isEmpty(), entry));
        if (!read) {
          continue;
        }
        if (entry.isPresent() && file.getValue() != entry.get().sizeBytes()) {
          fault(
              label,
              ErrorCode.BAD_SIZE_OF_FILE_IN_DATA_PART,
              "%d bytes, expected %d by checksums.txt",
              file.getValue(),
              entry.get().sizeBytes());
        }
        if (list.isPresent() && entry.isEmpty() && !NOT_LISTED.contains(file.getKey())) {
          fault(
              label,
              ErrorCode.UNEXPECTED_FILE_IN_DATA_PART,
              "not listed in checksums.txt, and no file that may be missing there");
        }
      }
      for (String directory : within) {
        projection(of, prefix + directory, directory, expected);
      }
    }

    private void file(
        Disk of, String file, String label, boolean ofPart, Optional<ChecksumsFile.Entry> expected)
        throws IOException {
      boolean framed =
          expected.isPresent() ? expected.get().content().isPresent() : file.endsWith(".bin");
      if (framed) {
        FileCheck.Frames found = check.frames(of, file, label, expected, this::fault);
        if (ofPart) {
          frames.put(file, found);
        }
      } else {
        check.bytes(of, file, label, expected, this::fault);
      }
    }

    private void projection(
        Disk of, String label, String directory, Map<String, ChecksumsFile.Entry> expected) {
      ChecksumsFile.Entry entry = expected.get(directory);
      if (entry == null) {
        fault(
            label,
            ErrorCode.UNEXPECTED_FILE_IN_DATA_PART,
            "a directory that checksums.txt does not list");
        return;
      }
      attempt(
          label,
          () -> {
            Disk inner = of.within(directory);
            Map<String, Long> present = new TreeMap<>();
            Set<String> deeper = new TreeSet<>();
            list(inner, present, deeper);
            if (!present.containsKey(ChecksumsFile.NAME)) {
              fault(label, ErrorCode.NO_FILE_IN_DATA_PART, "no %s", ChecksumsFile.NAME);
              return;
            }
            ChecksumsFile sums = readChecksums(inner);
            if (sums.totalSizeBytes() != entry.sizeBytes()
                || !sums.hashOfAllFiles().equals(entry.hash())) {
              fault(
                  label,
                  ErrorCode.CHECKSUM_DOESNT_MATCH,
                  "its files have %d bytes and hash %s, expected %d and %s by checksums.txt",
                  sums.totalSizeBytes(),
                  sums.hashOfAllFiles().numberHex(),
                  entry.sizeBytes(),
                  entry.hash().numberHex());
            }
            contents(inner, label + "/", present, deeper, Optional.of(sums));
          });
    }

    private void smallFile(String file, int limitBytes, SmallFile reader) {
      if (files.containsKey(file)) {
        attempt(
            file, faulty.contains(file), () -> reader.read(disk.readAll(file, limitBytes), file));
      }
    }

    private void smallFiles() {
      smallFile(ColumnsFile.NAME, ColumnsFile.LIMIT_BYTES, this::columnsFile);
      smallFile(CountFile.NAME, CountFile.LIMIT_BYTES, CountFile::read);
      smallFile(SerializationFile.NAME, SerializationFile.LIMIT_BYTES, SerializationFile::read);
      smallFile(DefaultCodecFile.NAME, DefaultCodecFile.LIMIT_BYTES, DefaultCodecFile::read);
      smallFile(
          ColumnsSubstreamsFile.NAME,
          ColumnsSubstreamsFile.LIMIT_BYTES,
          (bytes, file) ->
              ColumnsSubstreamsFile.read(bytes, file)
                  .columns()
                  .forEach(c -> substreams.put(c.name(), c.streams())));
      smallFile(
          MetadataVersionFile.NAME, MetadataVersionFile.LIMIT_BYTES, MetadataVersionFile::read);
      smallFile(UuidFile.NAME, UuidFile.LIMIT_BYTES, UuidFile::read);
      smallFile(TxnVersionFile.NAME, TxnVersionFile.LIMIT_BYTES, TxnVersionFile::read);
      smallFile(TtlFile.NAME, TtlFile.LIMIT_BYTES, TtlFile::read);
      smallFile(SourcePartsFile.NAME, SourcePartsFile.LIMIT_BYTES, SourcePartsFile::read);
      smallFile(PackedFile.SKIP_INDEXES, PackedFile.LIMIT_BYTES, PackedFile::read);
      smallFile(PackedFile.STATISTICS, PackedFile.LIMIT_BYTES, PackedFile::read);
      smallFile(
          PrimaryIndexFile.COMPRESSED_NAME,
          PrimaryIndexFile.LIMIT_BYTES,
          (bytes, file) -> PrimaryIndexFile.content(bytes, file, check.decompressor()));
    }

    private void columnsFile(byte[] bytes, String file) {
      Set<String> seen = new HashSet<>();
      for (ColumnsFile.Column column : ColumnsFile.read(bytes, file).columns()) {
        if (!seen.add(column.name())) {
          fault(file, ErrorCode.DUPLICATE_COLUMN, "column %s is there twice", column.name());
        }
        attempt(file, () -> Parser.type(column.type()));
      }
    }

    private Optional<LoadedPart> load() {
      OptionalLong granularity =
          table.isPresent()
              ? OptionalLong.of(table.get().settings().indexGranularity())
              : OptionalLong.empty();
      List<LoadedPart> loaded = new ArrayList<>();
      // Opening reads the small files and compares the sizes of all.
      boolean excused =
          faults.stream()
              .anyMatch(
                  f ->
                      !f.file().endsWith(".bin")
                          || f.code() == ErrorCode.FILE_DOESNT_EXIST
                          || f.code() == ErrorCode.BAD_SIZE_OF_FILE_IN_DATA_PART
                          || f.code() == ErrorCode.UNEXPECTED_FILE_IN_DATA_PART
                          || f.code() == ErrorCode.CANNOT_READ_ALL_DATA);
      attempt(
          "",
          excused,
          () ->
              loaded.add(
                  LoadedPart.open(disk, name, new LoadedPart.Hints(granularity), allocator)));
      return loaded.stream().findFirst();
    }

    // ---- marks

    private void marks(LoadedPart part) {
      Set<String> known = new HashSet<>(NOT_LISTED);
      known.addAll(
          List.of(
              CountFile.NAME,
              SerializationFile.NAME,
              PartitionFile.NAME,
              TtlFile.NAME,
              SourcePartsFile.NAME,
              PrimaryIndexFile.NAME,
              PrimaryIndexFile.COMPRESSED_NAME,
              PackedFile.SKIP_INDEXES,
              PackedFile.STATISTICS));
      List<String> opaque = new ArrayList<>();
      if (part.compact()) {
        known.add("data.bin");
        known.add("data" + part.markFormat().extension());
        String marks = "data" + part.markFormat().extension();
        attempt(marks, faulty.contains(marks), () -> streamMarks(part, "data"));
      }
      for (Map.Entry<String, DataType> column : part.columns().entrySet()) {
        if (!part.readable(column.getKey())) {
          opaque.add(FileNames.escape(column.getKey()));
          if (ArrowMapping.readable(column.getValue()) && !inBuckets(column.getKey())) {
            unreadColumns.add(column.getKey());
            fault(
                ColumnsSubstreamsFile.NAME,
                ErrorCode.LOGICAL_ERROR,
                "column %s has the streams %s, which are not those of the type %s that %s gives it",
                column.getKey(),
                substreams.getOrDefault(column.getKey(), List.of()),
                column.getValue().text(),
                ColumnsFile.NAME);
            continue;
          }
          notes.add(
              "column "
                  + column.getKey()
                  + " of type "
                  + column.getValue().text()
                  + ": values not read, checksums compared");
        } else if (!part.compact()) {
          wideColumn(part, column.getKey(), column.getValue(), known);
        }
      }
      for (String file : files.keySet()) {
        boolean carried =
            file.startsWith("skp_idx_")
                || file.startsWith("statistics_")
                || file.startsWith("minmax_")
                || file.contains(".dict.null.") // which old servers write and nobody reads
                || file.contains(".buckets_info.")
                || bucketed(file)
                // Listed ones are of columns that are gone: 26.7 leaves those of a dropped Nested.
                || (!opaque.isEmpty() || !part.compact() && listed(part, file))
                    && (file.endsWith(".bin") || MarkFormat.ofFileName(file).isPresent());
        if (!known.contains(file) && !carried && !faulty.contains(file)) {
          fault(
              file,
              ErrorCode.UNEXPECTED_FILE_IN_DATA_PART,
              "belongs to no column of %s and is no file that a part has",
              ColumnsFile.NAME);
        }
        if (file.startsWith("skp_idx_") && MarkFormat.ofFileName(file).isPresent()) {
          attempt(file, () -> indexMarks(file));
        }
      }
    }

    /** Whether a column holds a Map in buckets, whose streams are others than a Map's. */
    private boolean inBuckets(String column) {
      return substreams.getOrDefault(column, List.of()).stream()
          .anyMatch(stream -> stream.contains("bucket"));
    }

    /** A stream of a Map in buckets, which is carried along. */
    private boolean bucketed(String file) {
      return files.keySet().stream()
          .filter(f -> f.endsWith(".buckets_info.bin"))
          .anyMatch(f -> file.startsWith(f.substring(0, f.length() - 16)));
    }

    private static boolean listed(LoadedPart part, String file) {
      return part.checksums().filter(c -> c.files().containsKey(file)).isPresent();
    }

    private void wideColumn(LoadedPart part, String column, DataType type, Set<String> known) {
      List<Substream> streams = Encodings.streams(column, type, part.options(column, Mode.WIDE));
      boolean any = streams.stream().anyMatch(s -> !s.sharedSizes() && part.fileOf(s).isPresent());
      for (Substream stream : streams) {
        Optional<String> stem = part.fileOf(stream);
        if (stem.isEmpty()) {
          if (any) {
            fault(
                stream.name() + ".bin",
                ErrorCode.NO_FILE_IN_DATA_PART,
                "not there, though column %s has other files",
                column);
          } else {
            notes.add("column " + column + " has no data and reads as its default");
            return;
          }
          continue;
        }
        known.add(stem.get() + ".bin");
        boolean first = known.add(stem.get() + part.markFormat().extension());
        if (first) {
          String marks = stem.get() + part.markFormat().extension();
          attempt(marks, faulty.contains(marks), () -> streamMarks(part, stem.get()));
        }
      }
    }

    private void streamMarks(LoadedPart part, String stem) throws IOException {
      MarkFile marks = part.marks(stem, check.decompressor());
      String file = stem + part.markFormat().extension();
      FileCheck.Frames data = frames.get(stem + ".bin");
      if (data == null || faulty.contains(stem + ".bin")) {
        return;
      }
      if (!marks.hasFinalMark() || part.compact()) {
        places(marks, file, data, marks.granuleCount());
        return;
      }
      places(marks, file, data, marks.markCount());
      int last = marks.markCount() - 1;
      boolean dictionary = stem.endsWith(".dict"); // its final mark may stand before its last keys
      if (data.whole()
          && !dictionary
          && !data.end(marks.frameOffset(last, 0), marks.offsetInFrame(last, 0))) {
        fault(
            file,
            ErrorCode.CORRUPTED_DATA,
            "the final mark points to %d, %d in the frame, which is not the end of %s.bin",
            marks.frameOffset(last, 0),
            marks.offsetInFrame(last, 0),
            stem);
      }
    }

    private void places(MarkFile marks, String file, FileCheck.Frames data, int count) {
      for (int mark = 0; mark < count && data.whole(); mark++) {
        for (int place = 0; place < marks.placeCount(); place++) {
          long offset = marks.frameOffset(mark, place);
          int inFrame = marks.offsetInFrame(mark, place);
          if (!data.holds(offset, inFrame)) {
            fault(
                Fault.of(
                    file,
                    ErrorCode.CORRUPTED_DATA,
                    String.format(
                        "mark %d points to %d, %d in the frame: no frame starts there or it holds"
                            + " less",
                        mark, offset, inFrame)));
            return;
          }
        }
      }
    }

    private void indexMarks(String file) throws IOException {
      MarkFormat format = MarkFormat.ofFileName(file).orElseThrow();
      String stem = file.substring(0, file.length() - format.extension().length());
      // Marks of indexes have one place, whatever the extension says of the part.
      MarkFormat single =
          switch (format) {
            case MRK3, MRK4 -> MarkFormat.MRK2;
            case CMRK3, CMRK4 -> MarkFormat.CMRK2;
            case MRK, CMRK, MRK2, CMRK2 -> format;
          };
      MarkFile marks =
          MarkFile.read(
              disk.readAll(file, MarkFile.LIMIT_BYTES), file, single, 1, check.decompressor());
      for (Map.Entry<String, FileCheck.Frames> data : frames.entrySet()) {
        String dataFile = data.getKey();
        int dot = dataFile.lastIndexOf('.');
        boolean marksToo = MarkFormat.ofFileName(dataFile).isPresent();
        if (dot > 0 && !marksToo && dataFile.substring(0, dot).equals(stem)) {
          places(marks, file, data.getValue(), marks.granuleCount());
        }
      }
    }

    // ---- rows

    /** Reads every value of every column, and compares how much that is with its streams. */
    private void columns(LoadedPart part) {
      rowCount = part.columns().isEmpty() ? part.rowCount() : 0;
      Optional<CompactSizes> sizes = part.compact() ? compactSizes(part) : Optional.empty();
      List<String> names = List.copyOf(part.columns().keySet());
      for (int i = 0; i < names.size(); i++) {
        String column = names.get(i);
        if (part.readable(column)) {
          column(part, column, sizes, i);
        }
      }
      if (part.columns().keySet().stream().noneMatch(part::readable)) {
        rowCount = part.rowCount();
      }
      part.serialization().ifPresent(file -> defaults(part, file));
    }

    private void column(LoadedPart part, String column, Optional<CompactSizes> sizes, int index) {
      List<String> own = filesOf(part, column);
      boolean excused = own.stream().anyMatch(faulty::contains);
      boolean read =
          attempt(
              own.isEmpty() ? "" : own.get(0),
              excused,
              () -> {
                long rows = 0;
                try (BatchStream batches = Scan.of(part).columns(column).open(allocator);
                    StreamSizes encoded = StreamSizes.of(part, column, allocator)) {
                  while (batches.next()) {
                    encoded.add(batches.batch().getVector(0), batches.batch().getRowCount());
                    rows += batches.batch().getRowCount();
                  }
                  rowCount = Math.max(rowCount, rows);
                  if (!excused && rows == part.rowCount()) {
                    compare(part, column, encoded, sizes.map(s -> s.uncompressedBytes(index)));
                  }
                }
              });
      if (!read) {
        unreadColumns.add(column);
      }
    }

    /** Data and marks of a column, the first that of its values. */
    private List<String> filesOf(LoadedPart part, String column) {
      if (part.compact()) {
        return List.of("data.bin", "data" + part.markFormat().extension());
      }
      List<String> own = new ArrayList<>();
      for (Substream stream :
          Encodings.streams(column, part.columns().get(column), part.options(column, Mode.WIDE))) {
        part.fileOf(stream)
            .ifPresent(
                stem -> {
                  own.add(stem + ".bin");
                  own.add(stem + part.markFormat().extension());
                });
      }
      return own;
    }

    private Optional<CompactSizes> compactSizes(LoadedPart part) {
      try {
        return faulty.contains("data.bin")
            ? Optional.empty()
            : Optional.of(CompactSizes.of(part, allocator));
      } catch (EngineException | IOException e) {
        return Optional
            .empty(); // what is wrong with frames or marks is told where they are checked
      }
    }

    /** A type that is not the data's reads on without an error, past the data or not to its end. */
    private void compare(
        LoadedPart part, String column, StreamSizes encoded, Optional<Long> compactBytes)
        throws IOException {
      if (part.compact()) {
        OptionalLong expected = encoded.total();
        if (expected.isPresent()
            && compactBytes.isPresent()
            && compactBytes.get() != expected.getAsLong()) {
          otherSize(part, column, "data.bin", compactBytes.get(), expected.getAsLong());
        }
        return;
      }
      for (Map.Entry<Substream, Long> stream : encoded.streams().entrySet()) {
        Optional<String> stem = part.fileOf(stream.getKey());
        FileCheck.Frames found = stem.map(s -> frames.get(s + ".bin")).orElse(null);
        if (found != null
            && found.contentBytes().isPresent()
            && found.contentBytes().getAsLong() != stream.getValue()) {
          otherSize(
              part,
              column,
              stem.get() + ".bin",
              found.contentBytes().getAsLong(),
              stream.getValue());
        }
      }
    }

    private void otherSize(LoadedPart part, String column, String file, long found, long expected) {
      fault(
          file,
          ErrorCode.SIZES_OF_COLUMNS_DOESNT_MATCH,
          "column %s has %d bytes of data, expected %d for %d rows of the type %s that %s gives it",
          column,
          found,
          expected,
          part.rowCount(),
          part.columns().get(column).text(),
          ColumnsFile.NAME);
    }

    /** The types of the table's columns are those of the part's. */
    private void tableTypes(LoadedPart part) {
      if (table.isEmpty()) {
        return;
      }
      for (Map.Entry<String, DataType> column : part.columns().entrySet()) {
        Optional<DataType> wanted = table.get().column(column.getKey()).map(ColumnDefinition::type);
        if (wanted.isPresent()
            && !wanted.get().equals(column.getValue())
            && !ArrowMapping.readsAs(column.getValue(), wanted.get())) {
          fault(
              ColumnsFile.NAME,
              ErrorCode.TYPE_MISMATCH,
              "column %s is %s, expected %s as table %s has it",
              column.getKey(),
              column.getValue().text(),
              wanted.get().text(),
              table.get().name());
        }
      }
    }

    private void defaults(LoadedPart part, SerializationFile file) {
      for (SerializationFile.Column column : file.columns()) {
        SerializationFile.Info info = column.info();
        if (info.defaultCount() > info.rowCount()) {
          fault(
              SerializationFile.NAME,
              ErrorCode.CORRUPTED_DATA,
              "column %s: %d defaults in %d rows",
              column.name(),
              info.defaultCount(),
              info.rowCount());
        }
        if (!part.columns().containsKey(column.name())) {
          fault(
              SerializationFile.NAME,
              ErrorCode.CORRUPTED_DATA,
              "column %s is not in %s",
              column.name(),
              ColumnsFile.NAME);
        }
      }
    }

    private void keys(LoadedPart part) {
      if (table.isEmpty()) {
        notes.add(
            "the table is not known: keys, order and partition were not compared with the rows");
        return;
      }
      if (name.startsWith("patch-")) {
        notes.add("a patch part, which has keys of its own: they were not compared with the rows");
        return;
      }
      boolean read =
          attempt(
              "",
              !unreadColumns.isEmpty(),
              () -> {
                try (KeyCheck keys =
                    new KeyCheck(
                        part,
                        name,
                        table.get(),
                        zone,
                        check.decompressor(),
                        allocator,
                        this::keyFault)) {
                  keys.run();
                  notes.addAll(keys.notes());
                } finally {
                  keyFaults.forEach(this::fault);
                }
              });
      skipIndexes(part);
      if (!read && !unreadColumns.isEmpty()) {
        notes.add(
            "keys, order and partition were not compared with the rows: not all columns can be"
                + " read");
      }
    }

    /** The blocks of each index that the part has and that is known here. */
    private void skipIndexes(LoadedPart part) {
      Map<String, DataType> types = new LinkedHashMap<>();
      table.get().columns().forEach(c -> types.put(c.name(), c.type()));
      ExpressionCompiler compiler = ExpressionCompiler.of(types);
      List<String> read = new ArrayList<>();
      for (CreateTable.Index declared : table.get().indexes()) {
        if (SkipIndex.Kind.of(declared.type().name()) == SkipIndex.Kind.OTHER) {
          continue;
        }
        attempt(
            "",
            false,
            () -> {
              SkipIndex index =
                  SkipIndex.of(
                      declared,
                      declared.expression().keyElements().stream().map(compiler::typeOf).toList());
              try {
                SkipIndexFile.readThrough(part, index, check.decompressor(), allocator)
                    .ifPresent(file -> read.add(declared.name()));
              } catch (EngineException e) {
                // A file whose frames are broken was told already.
                if (faulty.stream().noneMatch(e.getMessage()::contains)) {
                  throw e;
                }
              }
            });
      }
      boolean compared = files.containsKey(ChecksumsFile.NAME);
      if (!read.isEmpty() && !compared) {
        notes.add(
            "skip indexes "
                + String.join(", ", read)
                + " were read and not compared with the rows: no checksums.txt vouches for them");
      }
    }

    /** What a file that is broken already makes of the keys is no fault of its own. */
    private void keyFault(Fault fault) {
      if (fault.file().isEmpty() || !faulty.contains(fault.file())) {
        keyFaults.add(fault);
      }
    }

    @Override
    public void close() {
      check.close();
    }
  }

  /** Reads a small file and throws what is wrong with it. */
  private interface SmallFile {
    void read(byte[] bytes, String name);
  }
}
