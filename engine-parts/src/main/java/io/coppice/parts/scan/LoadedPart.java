package io.coppice.parts.scan;

import io.coppice.base.disk.Disk;
import io.coppice.base.disk.OpenDirectory;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.base.hash.FileHash;
import io.coppice.base.hash.Hash128;
import io.coppice.language.parse.Parser;
import io.coppice.language.type.DataType;
import io.coppice.parts.column.Encoding.Mode;
import io.coppice.parts.column.Encoding.Substream;
import io.coppice.parts.column.Encodings;
import io.coppice.parts.compress.CodecChain;
import io.coppice.parts.compress.Decompressor;
import io.coppice.parts.format.ChecksumsFile;
import io.coppice.parts.format.ColumnsFile;
import io.coppice.parts.format.ColumnsSubstreamsFile;
import io.coppice.parts.format.CountFile;
import io.coppice.parts.format.DefaultCodecFile;
import io.coppice.parts.format.MarkFile;
import io.coppice.parts.format.MarkFormat;
import io.coppice.parts.format.SerializationFile;
import io.coppice.parts.name.FileNames;
import io.coppice.parts.scan.SharedContents.Content;
import io.coppice.parts.stream.ArrowFlags;
import io.coppice.parts.stream.DirectMemory;
import io.coppice.parts.table.ArrowMapping;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.util.OversizedAllocationException;

/**
 * A part as its small files describe it: columns, how they are stored, where the granules are.
 * Opening reads no data; files that contradict each other are refused.
 *
 * <p>Immutable once open; any thread may use it. Borrows the disk.
 */
public final class LoadedPart {
  /** Files of more bytes are read whenever they are asked for. */
  private static final int MOST_KEPT_BYTES = 256;

  private final Map<String, byte[]> kept = new ConcurrentHashMap<>(0);
  private static final long MOST_GRANULE_ROWS = Integer.MAX_VALUE / 2;

  private final String name;
  private final Disk disk;
  private final Map<String, Long> files;
  private final Optional<ChecksumsFile> checksums;
  private final Map<String, DataType> columns;
  private final Map<String, Encodings.Kind> kinds;
  private final Optional<SerializationFile> serialization;
  private final MarkFormat markFormat;
  private final long rowCount;
  private final long[] granuleStarts;
  private final Map<String, Integer> compactMarkIndex;
  private final int compactMarksPerGranule;

  /** Columns whose streams are not those of their type, and which: maps in buckets, for one. */
  private final Map<String, List<String>> otherwiseStored;

  private final Optional<CodecChain> defaultCodec;

  /** Data files whose hash was found to be right: looked at once, files do not change. */
  private final Set<String> hashesChecked = ConcurrentHashMap.newKeySet();

  /** What a part of old form does not say itself. */
  public record Hints(OptionalLong indexGranularity) {
    public static final Hints NONE = new Hints(OptionalLong.empty());
  }

  /**
   * Opens a part.
   *
   * @param disk of the part's directory
   * @param name of the part, for messages
   * @param hints granularity of parts whose marks do not tell it
   * @param allocator for decompressing small files in passing
   * @throws EngineException of kind CORRUPTION naming the file that is missing or wrong
   */
  public static LoadedPart open(Disk disk, String name, Hints hints, BufferAllocator allocator)
      throws IOException {
    try (Decompressor decompressor = new Decompressor(allocator)) {
      return open(disk, name, hints, decompressor, new SharedContents());
    }
  }

  /**
   * Opens one of many parts, as {@link #open(Disk, String, Hints, BufferAllocator)} does.
   *
   * @param decompressor borrowed for the call
   * @param shared by parts that may have files alike
   */
  public static LoadedPart open(
      Disk disk, String name, Hints hints, Decompressor decompressor, SharedContents shared)
      throws IOException {
    ArrowFlags.require();
    try (OpenDirectory opened = disk.openDirectory("")) {
      return new LoadedPart(disk, opened, name, hints, decompressor, shared);
    } catch (EngineException e) {
      throw e.getMessage().startsWith("part " + name) ? e : e.within("part " + name);
    } catch (OutOfMemoryException | OversizedAllocationException e) {
      throw DirectMemory.lacking(e, "opening part " + name);
    }
  }

  private LoadedPart(
      Disk disk,
      OpenDirectory opened,
      String name,
      Hints hints,
      Decompressor decompressor,
      SharedContents shared)
      throws IOException {
    this.name = name;
    this.disk = disk;
    Map<String, Long> present = new TreeMap<>();
    for (Disk.Entry entry : opened.entries()) {
      if (!entry.directory()) {
        present.put(shared.name(entry.name()), entry.sizeBytes());
      }
    }
    Listed listed = opened::readListed;
    this.files = Collections.unmodifiableMap(present);
    this.checksums =
        files.containsKey(ChecksumsFile.NAME)
            ? Optional.of(
                ChecksumsFile.read(
                    content(ChecksumsFile.NAME, ChecksumsFile.LIMIT_BYTES, listed),
                    ChecksumsFile.NAME,
                    decompressor))
            : Optional.empty();
    checkSizes();
    Content columnsFile = read(ColumnsFile.NAME, ColumnsFile.LIMIT_BYTES, shared, listed);
    this.columns = shared.once(List.of(ColumnsFile.NAME, columnsFile), () -> columns(columnsFile));
    Optional<Content> serializationFile =
        optional(SerializationFile.NAME, SerializationFile.LIMIT_BYTES, shared, listed);
    this.serialization =
        serializationFile.map(
            content ->
                shared.once(
                    List.of(SerializationFile.NAME, content),
                    () -> SerializationFile.read(content.bytes(), SerializationFile.NAME)));
    this.kinds = shared.once(List.of("kinds", columnsFile, serializationFile), this::readKinds);
    this.defaultCodec =
        optional(DefaultCodecFile.NAME, DefaultCodecFile.LIMIT_BYTES, shared, listed)
            .map(
                content ->
                    shared.once(
                        List.of(DefaultCodecFile.NAME, content),
                        () ->
                            DefaultCodecFile.read(content.bytes(), DefaultCodecFile.NAME).chain()));
    String marks = findMarks();
    this.markFormat = MarkFormat.ofFileName(marks).orElseThrow();
    Optional<Content> substreamsFile =
        markFormat.compact() && !markFormat.perStream()
            ? Optional.empty()
            : optional(
                ColumnsSubstreamsFile.NAME, ColumnsSubstreamsFile.LIMIT_BYTES, shared, listed);
    Streams streams =
        shared.once(
            List.of("streams", columnsFile, serializationFile, substreamsFile, markFormat),
            () -> streams(substreamsFile));
    this.compactMarkIndex = streams.compactMarkIndex();
    this.compactMarksPerGranule = streams.compactMarksPerGranule();
    this.otherwiseStored = streams.otherwiseStored();
    if (!markFormat.compact()) {
      checkStreams();
    }
    OptionalLong counted =
        files.containsKey(CountFile.NAME)
            ? OptionalLong.of(
                CountFile.read(
                        checked(CountFile.NAME, CountFile.LIMIT_BYTES, listed), CountFile.NAME)
                    .rowCount())
            : OptionalLong.empty();
    this.rowCount = counted.isPresent() ? counted.getAsLong() : countRows();
    this.granuleStarts = readGranules(marks, hints, decompressor, listed);
  }

  /** How the files are read whose sizes are known. */
  private interface Listed {
    byte[] read(String file, int sizeBytes) throws IOException;
  }

  private Optional<Content> optional(
      String file, int limitBytes, SharedContents shared, Listed listed) throws IOException {
    return files.containsKey(file)
        ? Optional.of(read(file, limitBytes, shared, listed))
        : Optional.empty();
  }

  private Content read(String file, int limitBytes, SharedContents shared, Listed listed)
      throws IOException {
    if (!files.containsKey(file)) {
      throw EngineException.of(ErrorCode.NO_FILE_IN_DATA_PART, "no %s", file);
    }
    Content content = shared.of(content(file, limitBytes, listed));
    ChecksumsFile.Entry entry = checksums.map(c -> c.files().get(file)).orElse(null);
    if (entry != null) {
      checkHash(file, entry, content.hash());
    }
    return content;
  }

  /** This part, opened already, under another name of its directory. */
  public LoadedPart at(Disk directory) {
    return new LoadedPart(this, directory);
  }

  private LoadedPart(LoadedPart part, Disk disk) {
    this.name = part.name;
    this.disk = disk;
    this.files = part.files;
    this.checksums = part.checksums;
    this.columns = part.columns;
    this.kinds = part.kinds;
    this.serialization = part.serialization;
    this.markFormat = part.markFormat;
    this.rowCount = part.rowCount;
    this.granuleStarts = part.granuleStarts;
    this.compactMarkIndex = part.compactMarkIndex;
    this.compactMarksPerGranule = part.compactMarksPerGranule;
    this.otherwiseStored = part.otherwiseStored;
    this.defaultCodec = part.defaultCodec;
  }

  /**
   * The content of a small file of this part, which has the hash that checksums.txt says, if that
   * lists it.
   *
   * @throws EngineException TOO_LARGE_SIZE_COMPRESSED above {@code limitBytes},
   *     CHECKSUM_DOESNT_MATCH, BAD_SIZE_OF_FILE_IN_DATA_PART; each names the file
   */
  public byte[] readAll(String file, int limitBytes) throws IOException {
    return checked(file, limitBytes, disk::readListed);
  }

  private byte[] checked(String file, int limitBytes, Listed listed) throws IOException {
    byte[] content = content(file, limitBytes, listed);
    ChecksumsFile.Entry entry = checksums.map(c -> c.files().get(file)).orElse(null);
    if (entry != null) {
      checkHash(file, entry, FileHash.of(content));
    }
    return content;
  }

  /**
   * {@link #readAll} of a file that every query looks at: its bytes, which nobody changes, are read
   * once and kept where they are few.
   */
  byte[] readKept(String file, int limitBytes) throws IOException {
    byte[] before = kept.get(file);
    if (before != null) {
      return before;
    }
    byte[] content = readAll(file, limitBytes);
    if (content.length <= MOST_KEPT_BYTES) {
      kept.put(file, content);
    }
    return content;
  }

  private byte[] content(String file, int limitBytes, Listed listed) throws IOException {
    Long size = files.get(file);
    if (size != null && size > limitBytes) {
      throw EngineException.of(
          ErrorCode.TOO_LARGE_SIZE_COMPRESSED,
          "%s has %d bytes, at most %d are read of such a file",
          file,
          size,
          limitBytes);
    }
    return size == null || size == 0
        ? disk.readAll(file, limitBytes)
        : listed.read(file, Math.toIntExact(size));
  }

  private static void checkHash(String file, ChecksumsFile.Entry listed, Hash128 found) {
    if (!found.equals(listed.hash())) {
      throw EngineException.of(
          ErrorCode.CHECKSUM_DOESNT_MATCH,
          "%s has the hash %s, expected %s by checksums.txt",
          file,
          found,
          listed.hash());
    }
  }

  /**
   * Whether the hash of a data file is still to be compared with checksums.txt: frames vouch for
   * themselves, but not for being frames of this file.
   */
  boolean hashIsToBeChecked(String file) {
    return checksums.isPresent()
        && checksums.get().files().containsKey(file)
        && !hashesChecked.contains(file);
  }

  /** Compares the hash of a data file that was read whole. */
  void checkHash(String file, Hash128 found) {
    checkHash(file, checksums.orElseThrow().files().get(file), found);
    hashesChecked.add(file);
  }

  /**
   * Every listed file is there and has the size listed, as ClickHouse checks when it loads a part.
   */
  private void checkSizes() {
    if (checksums.isEmpty()) {
      return;
    }
    for (Map.Entry<String, ChecksumsFile.Entry> listed : checksums.get().files().entrySet()) {
      if (listed.getKey().endsWith(".proj")) {
        continue;
      }
      Long size = files.get(listed.getKey());
      if (size == null) {
        throw EngineException.of(
            ErrorCode.FILE_DOESNT_EXIST,
            "%s is listed in checksums.txt and not there",
            listed.getKey());
      }
      if (size != listed.getValue().sizeBytes()) {
        throw EngineException.of(
            ErrorCode.BAD_SIZE_OF_FILE_IN_DATA_PART,
            "%s has %d bytes, expected %d by checksums.txt",
            listed.getKey(),
            size,
            listed.getValue().sizeBytes());
      }
    }
  }

  private static Map<String, DataType> columns(Content content) {
    ColumnsFile file = ColumnsFile.read(content.bytes(), ColumnsFile.NAME);
    Map<String, DataType> types = new LinkedHashMap<>();
    Map<String, DataType> parsed = new HashMap<>();
    for (ColumnsFile.Column column : file.columns()) {
      DataType type = parsed.computeIfAbsent(column.type(), text -> type(text, column.name()));
      types.put(column.name(), type);
    }
    return Collections.unmodifiableMap(types);
  }

  private static DataType type(String text, String column) {
    try {
      return Parser.type(text);
    } catch (EngineException e) {
      throw e.within(ColumnsFile.NAME + ", column " + column);
    }
  }

  private Map<String, Encodings.Kind> readKinds() {
    Map<String, Encodings.Kind> found = new HashMap<>();
    if (serialization.isPresent()) {
      for (SerializationFile.Column column : serialization.get().columns()) {
        if (!columns.containsKey(column.name())) {
          throw EngineException.of(
              ErrorCode.CORRUPTED_DATA,
              "%s names column %s, which is not in %s",
              SerializationFile.NAME,
              column.name(),
              ColumnsFile.NAME);
        }
        found.put(column.name(), kind(column.info()));
      }
    }
    return found;
  }

  private static Encodings.Kind kind(SerializationFile.Info info) {
    return new Encodings.Kind(
        info.kind() == SerializationFile.Kind.SPARSE,
        info.subcolumns().orElse(List.of()).stream().map(LoadedPart::kind).toList());
  }

  private String findMarks() {
    for (MarkFormat format : MarkFormat.values()) {
      String file = "data" + format.extension();
      if (format.compact() && files.containsKey("data.bin") && files.containsKey(file)) {
        return file;
      }
    }
    for (Map.Entry<String, DataType> column : columns.entrySet()) {
      Optional<String> stem = firstStream(column.getKey(), column.getValue());
      for (MarkFormat format : MarkFormat.values()) {
        if (!format.compact()
            && stem.isPresent()
            && files.containsKey(stem.get() + format.extension())) {
          return stem.get() + format.extension();
        }
      }
    }
    for (String file : files.keySet()) { // columns whose data is not read have marks as well
      Optional<MarkFormat> format = MarkFormat.ofFileName(file);
      if (format.isPresent() && !format.get().compact() && !file.startsWith("skp_idx_")) {
        return file;
      }
    }
    throw EngineException.of(ErrorCode.NO_FILE_IN_DATA_PART, "no file of marks of any column");
  }

  private Optional<String> firstStream(String column, DataType type) {
    if (!ArrowMapping.readable(type)) {
      return Optional.empty();
    }
    for (Substream stream : streamsOf(column, type)) {
      Optional<String> file = fileOf(stream);
      if (file.isPresent()) {
        return file;
      }
    }
    return Optional.empty();
  }

  private List<Substream> streamsOf(String column, DataType type) {
    return Encodings.streams(column, type, options(column, Mode.WIDE));
  }

  /** Stem of the files of a stream, hashed or not; empty when the part does not have them. */
  public Optional<String> fileOf(Substream stream) {
    if (files.containsKey(stream.name() + ".bin")) {
      return Optional.of(stream.name());
    }
    String hashed = FileNames.hashed(stream.name());
    return files.containsKey(hashed + ".bin") ? Optional.of(hashed) : Optional.empty();
  }

  /** How a column of this part is encoded. */
  public Encodings.Options options(String column, Mode mode) {
    boolean sizes = serialization.map(SerializationFile::stringsWithSizes).orElse(false);
    boolean nested = sizes && serialization.map(SerializationFile::propagate).orElse(false);
    boolean sparseNullable =
        serialization.map(s -> s.typeVersions().getOrDefault("nullable", 0) == 1).orElse(false);
    return new Encodings.Options(
        mode,
        sizes,
        nested,
        sparseNullable,
        false,
        kinds.getOrDefault(column, Encodings.Kind.DEFAULT));
  }

  /** Where the streams of columns are, as far as that does not follow from the types. */
  private record Streams(
      Map<String, Integer> compactMarkIndex,
      int compactMarksPerGranule,
      Map<String, List<String>> otherwiseStored) {}

  private Streams streams(Optional<Content> substreams) {
    Map<String, List<String>> otherwise = new TreeMap<>();
    if (!markFormat.compact()) {
      substreams.ifPresent(content -> readSubstreams(content, Mode.WIDE, otherwise));
      return new Streams(Map.of(), 1, Collections.unmodifiableMap(otherwise));
    }
    Map<String, Integer> indexes = new HashMap<>();
    int index = 0;
    if (!markFormat.perStream()) {
      for (String column : columns.keySet()) {
        indexes.put(column, index++);
      }
      return new Streams(indexes, index, otherwise);
    }
    if (substreams.isEmpty()) {
      throw EngineException.of(
          ErrorCode.NO_FILE_IN_DATA_PART,
          "no %s, which says what the marks in data.mrk4 are of",
          ColumnsSubstreamsFile.NAME);
    }
    for (ColumnsSubstreamsFile.Column column :
        readSubstreams(substreams.get(), Mode.COMPACT, otherwise).columns()) {
      indexes.put(column.name(), index);
      index += column.streams().size();
    }
    return new Streams(indexes, index, otherwise);
  }

  /**
   * Every column of a Wide part has its files. Files of no column may be there: 26.7 leaves those
   * of a Nested that was dropped.
   */
  private void checkStreams() {
    for (Map.Entry<String, DataType> column : columns.entrySet()) {
      if (!ArrowMapping.readable(column.getValue())) {
        continue;
      }
      List<String> names = new ArrayList<>();
      List<String> other = otherwiseStored.get(column.getKey());
      if (other != null) {
        names.addAll(other);
      } else {
        streamsOf(column.getKey(), column.getValue()).forEach(s -> names.add(s.name()));
      }
      for (String stream : names) {
        String file =
            files.containsKey(stream + ".bin")
                ? stream + ".bin"
                : FileNames.hashed(stream) + ".bin";
        if (!files.containsKey(file)) {
          throw EngineException.of(
              ErrorCode.NO_FILE_IN_DATA_PART,
              "no %s.bin, which column %s of type %s in %s needs",
              stream,
              column.getKey(),
              column.getValue().text(),
              ColumnsFile.NAME);
        }
      }
    }
  }

  /** Whether the data of a column of this part can be read. */
  public boolean readable(String column) {
    DataType type = columns.get(column);
    return type != null && ArrowMapping.readable(type) && !otherwiseStored.containsKey(column);
  }

  /**
   * Refuses a column that is stored in another way than its type says.
   *
   * @throws EngineException NOT_IMPLEMENTED
   */
  void checkReadable(String column) {
    List<String> streams = otherwiseStored.get(column);
    if (streams != null) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED,
          "part %s: %s gives column %s of type %s the streams %s, which are not read; leave this"
              + " column out, the others are readable",
          name,
          ColumnsSubstreamsFile.NAME,
          column,
          columns.get(column).text(),
          streams);
    }
  }

  /** Reads which streams each column has, which follows from its type as well. */
  private ColumnsSubstreamsFile readSubstreams(
      Content content, Mode mode, Map<String, List<String>> otherwise) {
    ColumnsSubstreamsFile file =
        ColumnsSubstreamsFile.read(content.bytes(), ColumnsSubstreamsFile.NAME);
    List<String> names = file.columns().stream().map(ColumnsSubstreamsFile.Column::name).toList();
    if (!names.equals(List.copyOf(columns.keySet()))) {
      throw EngineException.of(
          ErrorCode.LOGICAL_ERROR,
          "%s has %d columns, which are not the %d of %s",
          ColumnsSubstreamsFile.NAME,
          names.size(),
          columns.size(),
          ColumnsFile.NAME);
    }
    for (ColumnsSubstreamsFile.Column column : file.columns()) {
      DataType type = columns.get(column.name());
      if (ArrowMapping.readable(type)) {
        List<String> expected =
            Encodings.streams(column.name(), type, options(column.name(), mode)).stream()
                .map(Substream::name)
                .toList();
        if (!expected.equals(column.streams())) {
          if (mode == Mode.WIDE) {
            otherwise.put(column.name(), column.streams());
            continue;
          }
          throw EngineException.of(
              ErrorCode.LOGICAL_ERROR,
              "%s gives column %s the streams %s, expected %s by its type %s",
              ColumnsSubstreamsFile.NAME,
              column.name(),
              column.streams(),
              expected,
              type.text());
        }
      }
    }
    return file;
  }

  /**
   * Rows by the size of a stream with a fixed number of bytes per row: old parts have no count.txt.
   */
  private long countRows() {
    if (checksums.isPresent()) {
      for (Map.Entry<String, DataType> column : columns.entrySet()) {
        if (!ArrowMapping.readable(column.getValue())) {
          continue;
        }
        Substream first = streamsOf(column.getKey(), column.getValue()).get(0);
        int width = first.name().endsWith(".null") ? 1 : first.type().widthBytes();
        boolean plain = !first.name().endsWith(".dict") && !first.name().endsWith(".sparse.idx");
        Optional<String> file = fileOf(first);
        if (width > 0 && plain && file.isPresent()) {
          ChecksumsFile.Entry entry = checksums.get().files().get(file.get() + ".bin");
          if (entry != null && entry.content().isPresent()) {
            return entry.content().get().sizeBytes() / width;
          }
        }
      }
    }
    throw EngineException.of(
        ErrorCode.NO_FILE_IN_DATA_PART,
        "no %s, and no column of fixed width to tell the number of rows from",
        CountFile.NAME);
  }

  private long[] readGranules(String file, Hints hints, Decompressor decompressor, Listed listed)
      throws IOException {
    MarkFile marks = readMarks(file, decompressor, listed);
    int count = marks.granuleCount();
    long[] starts = new long[count + 1];
    if (!markFormat.rows()) {
      long granularity = hints.indexGranularity().orElse(8192);
      long expected = (rowCount + granularity - 1) / granularity;
      if (count != expected || Math.min(granularity, rowCount) > MOST_GRANULE_ROWS) {
        throw EngineException.of(
            ErrorCode.CORRUPTED_DATA,
            "%s has %d marks; %d rows in granules of %d need %d. If the table's index_granularity"
                + " is another, give its CREATE TABLE",
            file,
            count,
            rowCount,
            granularity,
            expected);
      }
      for (int i = 0; i < count; i++) {
        starts[i] = i * granularity;
      }
      starts[count] = rowCount;
      return starts;
    }
    for (int i = 0; i < count; i++) {
      starts[i + 1] = starts[i] + marks.rowCount(i);
    }
    if (starts[count] != rowCount) {
      throw EngineException.of(
          ErrorCode.CORRUPTED_DATA,
          "the granules of %s have %d rows, expected %d by %s",
          file,
          starts[count],
          rowCount,
          CountFile.NAME);
    }
    return starts;
  }

  private MarkFile readMarks(String file, Decompressor decompressor, Listed listed)
      throws IOException {
    return MarkFile.read(
        checked(file, MarkFile.LIMIT_BYTES, listed),
        file,
        markFormat,
        compactMarksPerGranule,
        decompressor);
  }

  /** Reads the marks of a stream, or of all streams of a Compact part for {@code data}. */
  public MarkFile marks(String stem, Decompressor decompressor) throws IOException {
    String file = stem + markFormat.extension();
    if (!files.containsKey(file)) {
      throw EngineException.of(ErrorCode.NO_FILE_IN_DATA_PART, "no %s", file);
    }
    MarkFile marks = readMarks(file, decompressor, disk::readListed);
    boolean fits = marks.granuleCount() == granuleCount();
    for (int i = 0; fits && markFormat.rows() && i < granuleCount(); i++) {
      fits = marks.rowCount(i) == rowsIn(i);
    }
    if (!fits) {
      throw EngineException.of(
          ErrorCode.CORRUPTED_DATA,
          "%s does not have the granules that other files of the part have",
          file);
    }
    return marks;
  }

  /** Which of the marks of a granule of a Compact part is a column's first. */
  public OptionalLong compactMark(String column) {
    Integer index = compactMarkIndex.get(column);
    return index == null ? OptionalLong.empty() : OptionalLong.of(index);
  }

  public String name() {
    return name;
  }

  public Disk disk() {
    return disk;
  }

  /** Sizes of the files directly in the part, by name. */
  public Map<String, Long> files() {
    return files;
  }

  public Optional<ChecksumsFile> checksums() {
    return checksums;
  }

  /** The columns in the order of columns.txt. */
  public Map<String, DataType> columns() {
    return columns;
  }

  /** Whether columns.txt has a column of that name. */
  public boolean holds(String column) {
    return columns.containsKey(column);
  }

  public Optional<SerializationFile> serialization() {
    return serialization;
  }

  public Optional<CodecChain> defaultCodec() {
    return defaultCodec;
  }

  /** Format of the files of marks; Compact parts are those whose format is. */
  public MarkFormat markFormat() {
    return markFormat;
  }

  public boolean compact() {
    return markFormat.compact();
  }

  public long rowCount() {
    return rowCount;
  }

  public int granuleCount() {
    return granuleStarts.length - 1;
  }

  /** First row of granule {@code granule}, or the row count for the one behind the last. */
  public long granuleStart(int granule) {
    return granuleStarts[granule];
  }

  /** Rows of granule {@code granule}. */
  public int rowsIn(int granule) {
    return Math.toIntExact(granuleStarts[granule + 1] - granuleStarts[granule]);
  }

  /** The granule that holds row {@code row}. */
  public int granuleOf(long row) {
    int found = Arrays.binarySearch(granuleStarts, row);
    return found >= 0 ? found : -found - 2;
  }

  @Override
  public String toString() {
    return name;
  }
}
