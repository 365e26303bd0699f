package io.coppice.parts.format;

import io.coppice.base.bytes.ByteReader;
import io.coppice.base.bytes.ByteWriter;
import io.coppice.base.check.Check;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.base.hash.Hash128;
import io.coppice.base.hash.SipHash;
import io.coppice.parts.compress.CodecChain;
import io.coppice.parts.compress.Compressor;
import io.coppice.parts.compress.Decompressor;
import io.coppice.parts.name.FileNames;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Sizes and hashes of the files of a part: {@code checksums.txt}.
 *
 * <p>It begins with {@code checksums format version: V} and a line feed. Then:
 *
 * <pre>
 *   V = 4   compressed frames that hold the body of version 3, cut every 64 KiB
 *   V = 3   count of files (variable length); per file in the order of the names' bytes:
 *             name (variable-length size, bytes)
 *             size (variable length)
 *             16 bytes hash of the file, chained over blocks of 2048 bytes
 *             1 byte: 1 if the next two are there
 *             uncompressed size (variable length)
 *             16 bytes hash of what the file's frames hold, chained likewise
 *   V = 2   text: "N files:", and per file five or six lines (see below)
 *   V = 1   nothing that is used: as if the file were not there
 * </pre>
 *
 * <p>Text of version 2, TAB a tab, each line ended by a line feed:
 *
 * <pre>
 *   2 files:
 *   id.bin
 *   TAB size: 57
 *   TAB hash: LOW HIGH
 *   TAB compressed: 1
 *   TAB uncompressed size: 80
 *   TAB uncompressed hash: LOW HIGH
 * </pre>
 *
 * <p>Version 5 is the short form kept beside a part in Keeper ({@link #minimalistic}); in a file it
 * is refused. The file of a projection is a directory {@code p.proj}, with the sum of its sizes and
 * the hash of all its files. Not listed: checksums.txt, columns.txt, columns_substreams.txt,
 * default_compression_codec.txt, metadata_version.txt, txn_version.txt.
 *
 * <p>Checked on reading: the version, frames, the count against what is there, names that stay
 * inside the directory, none twice, nothing behind. Golden files: every part of {@code
 * golden/18.16.1} and {@code golden/26.7} (version 4).
 *
 * @param files by name, in the order of the names' bytes
 */
public record ChecksumsFile(SortedMap<String, Entry> files) {
  /** The file's name. */
  public static final String NAME = "checksums.txt";

  /** Most bytes read, and most bytes that frames may hold. */
  public static final int LIMIT_BYTES = 1 << 28;

  /** Where 26.7 cuts the frames of this file. */
  public static final int BLOCK_BYTES = 65536;

  private static final String HEAD = "checksums format version: ";
  private static final int SHORTEST_ENTRY = 1 + 1 + 1 + 16 + 1;
  private static final int SHORTEST_TEXT_ENTRY =
      "a\n\tsize: 0\n\thash: 0 0\n\tcompressed: 0\n".length();

  /**
   * What a file is.
   *
   * @param sizeBytes of the file
   * @param hash of the file
   * @param content of what its frames hold; empty for a file without frames
   */
  public record Entry(long sizeBytes, Hash128 hash, Optional<Content> content) {
    public Entry {
      Check.argument(0 <= sizeBytes, "size %d", sizeBytes);
    }

    /** A file without frames. */
    public static Entry of(long sizeBytes, Hash128 hash) {
      return new Entry(sizeBytes, hash, Optional.empty());
    }

    /** A file of frames. */
    public static Entry of(
        long sizeBytes, Hash128 hash, long uncompressedSizeBytes, Hash128 uncompressedHash) {
      return new Entry(
          sizeBytes, hash, Optional.of(new Content(uncompressedSizeBytes, uncompressedHash)));
    }
  }

  /** What the frames of a file hold together. */
  public record Content(long sizeBytes, Hash128 hash) {
    public Content {
      Check.argument(0 <= sizeBytes, "size %d", sizeBytes);
    }
  }

  public ChecksumsFile {
    SortedMap<String, Entry> copy = new TreeMap<>(Utf8Order.INSTANCE);
    copy.putAll(files);
    files = Collections.unmodifiableSortedMap(copy);
  }

  /** An empty map in the order of this file, to be filled and given to the constructor. */
  public static SortedMap<String, Entry> newFiles() {
    return new TreeMap<>(Utf8Order.INSTANCE);
  }

  /**
   * Reads the file.
   *
   * @param name for messages
   * @throws EngineException UNKNOWN_FORMAT, CANNOT_PARSE_INPUT_ASSERTION_FAILED, INCORRECT_DATA,
   *     INCORRECT_FILE_NAME, and those of frames
   */
  public static ChecksumsFile read(byte[] bytes, String name, Decompressor decompressor) {
    int end = 0;
    while (end < bytes.length && end < 64 && bytes[end] != '\n') {
      end++;
    }
    String head = new String(bytes, 0, end, StandardCharsets.ISO_8859_1);
    if (!head.matches("checksums format version: [0-9]{1,9}") || end == bytes.length) {
      throw EngineException.of(
          ErrorCode.CANNOT_PARSE_INPUT_ASSERTION_FAILED,
          "%s, line 1: expected 'checksums format version: 4', found '%s'",
          name,
          head);
    }
    int from = end + 1;
    SortedMap<String, Entry> files = newFiles();
    switch (Integer.parseInt(head.substring(HEAD.length()))) {
      case 1 -> {}
      case 2 -> readText(bytes, from, name, files);
      case 3 -> readBody(new ByteReader(bytes, from, bytes.length - from, name, from), files);
      case 4 -> {
        byte[] body = decompressor.decompressAll(bytes, from, name, LIMIT_BYTES);
        readBody(new ByteReader(body, name + " (uncompressed)"), files);
      }
      default ->
          throw EngineException.of(
              ErrorCode.UNKNOWN_FORMAT, "%s: '%s', expected version 1 to 4", name, head);
    }
    return new ChecksumsFile(files);
  }

  private static void readBody(ByteReader in, SortedMap<String, Entry> files) {
    int count = in.count("files", in.remaining() / SHORTEST_ENTRY);
    for (int i = 0; i < count; i++) {
      String file = in.string(255);
      long size = in.varUInt();
      Hash128 hash = new Hash128(in.u64(), in.u64());
      int compressed = in.u8();
      Entry entry;
      if (compressed == 0) {
        entry = entry(file, in.name(), size, hash, 0, null);
      } else if (compressed == 1) {
        long contentSize = in.varUInt();
        entry = entry(file, in.name(), size, hash, contentSize, new Hash128(in.u64(), in.u64()));
      } else {
        throw EngineException.of(
            ErrorCode.INCORRECT_DATA,
            "%s: %s is compressed: %d, expected 0 or 1",
            in.name(),
            file,
            compressed);
      }
      put(file, entry, in.name(), files);
    }
    in.expectEnd();
  }

  private static Entry entry(
      String file, String name, long size, Hash128 hash, long contentSize, Hash128 contentHash) {
    if (size < 0 || contentSize < 0) {
      throw EngineException.of(
          ErrorCode.INCORRECT_DATA,
          "%s: %s has %s bytes, uncompressed %s",
          name,
          file,
          Long.toUnsignedString(size),
          Long.toUnsignedString(contentSize));
    }
    return contentHash == null
        ? Entry.of(size, hash)
        : Entry.of(size, hash, contentSize, contentHash);
  }

  private static void put(String file, Entry entry, String name, SortedMap<String, Entry> files) {
    FileNames.checkStaysInside(file, name);
    if (files.put(file, entry) != null) {
      throw EngineException.of(ErrorCode.INCORRECT_DATA, "%s: %s is there twice", name, file);
    }
  }

  private static void readText(
      byte[] bytes, int from, String name, SortedMap<String, Entry> files) {
    TextReader in = new TextReader(java.util.Arrays.copyOfRange(bytes, from, bytes.length), name);
    long count = in.number(in.remaining() / SHORTEST_TEXT_ENTRY);
    in.expect(" files:\n");
    for (long i = 0; i < count; i++) {
      String file = in.line();
      in.expect("\tsize: ");
      long size = in.number(Long.MAX_VALUE);
      in.expect("\n\thash: ");
      Hash128 hash = readHash(in);
      in.expect("\n\tcompressed: ");
      long contentSize = 0;
      Hash128 contentHash = null;
      if (in.number(1) == 1) {
        in.expect("\n\tuncompressed size: ");
        contentSize = in.number(Long.MAX_VALUE);
        in.expect("\n\tuncompressed hash: ");
        contentHash = readHash(in);
      }
      in.expect("\n");
      put(file, entry(file, name, size, hash, contentSize, contentHash), name, files);
    }
    in.expectEnd();
  }

  private static Hash128 readHash(TextReader in) {
    long low = in.unsigned();
    in.expect(" ");
    return new Hash128(low, in.unsigned());
  }

  /**
   * The bytes of the file in version 4, as 26.7 writes them with {@link CodecChain#LZ4} and {@link
   * #BLOCK_BYTES}.
   */
  public byte[] write(Compressor compressor, CodecChain chain, int blockBytes) {
    byte[] frames = compressor.compressAll(chain, body(), blockBytes);
    return new ByteWriter(frames.length + 32).text(HEAD + "4\n").bytes(frames).toByteArray();
  }

  /** The bytes of the file in version 3. */
  public byte[] writeUncompressed() {
    return new ByteWriter().text(HEAD + "3\n").bytes(body()).toByteArray();
  }

  /** The bytes of the file in version 2. */
  public byte[] writeText() {
    StringBuilder out = new StringBuilder(HEAD + "2\n");
    out.append(files.size()).append(" files:\n");
    files.forEach(
        (file, entry) -> {
          out.append(file).append("\n\tsize: ").append(entry.sizeBytes());
          out.append("\n\thash: ").append(text(entry.hash()));
          out.append("\n\tcompressed: ").append(entry.content().isPresent() ? 1 : 0);
          entry
              .content()
              .ifPresent(
                  content -> {
                    out.append("\n\tuncompressed size: ").append(content.sizeBytes());
                    out.append("\n\tuncompressed hash: ").append(text(content.hash()));
                  });
          out.append('\n');
        });
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String text(Hash128 hash) {
    return Long.toUnsignedString(hash.low()) + " " + Long.toUnsignedString(hash.high());
  }

  private byte[] body() {
    ByteWriter out = new ByteWriter(64 * files.size() + 16).varUInt(files.size());
    files.forEach(
        (file, entry) -> {
          out.string(file).varUInt(entry.sizeBytes());
          out.u128(entry.hash().low(), entry.hash().high());
          out.u8(entry.content().isPresent() ? 1 : 0);
          entry
              .content()
              .ifPresent(
                  content ->
                      out.varUInt(content.sizeBytes())
                          .u128(content.hash().low(), content.hash().high()));
        });
    return out.toByteArray();
  }

  /** Sum of the sizes of all files, bytes. */
  public long totalSizeBytes() {
    return files.values().stream().mapToLong(Entry::sizeBytes).sum();
  }

  /** {@code hash_of_all_files} of system.parts: names and hashes of all files. */
  public Hash128 hashOfAllFiles() {
    SipHash hash = new SipHash();
    files.forEach((file, entry) -> update(hash, file, entry.hash()));
    return hash.hash128();
  }

  /**
   * {@code hash_of_uncompressed_files} of system.parts: names and hashes of those without frames.
   */
  public Hash128 hashOfUncompressedFiles() {
    SipHash hash = new SipHash();
    files.forEach(
        (file, entry) -> {
          if (entry.content().isEmpty()) {
            update(hash, file, entry.hash());
          }
        });
    return hash.hash128();
  }

  /**
   * {@code uncompressed_hash_of_compressed_files} of system.parts: names of those with frames, and
   * hashes of what the frames hold. Equal for equal data, whatever the codec.
   */
  public Hash128 uncompressedHashOfCompressedFiles() {
    SipHash hash = new SipHash();
    files.forEach(
        (file, entry) -> entry.content().ifPresent(content -> update(hash, file, content.hash())));
    return hash.hash128();
  }

  private static void update(SipHash hash, String file, Hash128 fileHash) {
    byte[] bytes = file.getBytes(StandardCharsets.UTF_8);
    hash.updateU64(bytes.length).update(bytes);
    hash.updateU64(fileHash.low()).updateU64(fileHash.high());
  }

  /**
   * The short form kept in Keeper, version 5: count of files with frames, count of those without
   * (variable length both), and the three hashes of 16 bytes.
   */
  public byte[] minimalistic() {
    long compressed = files.values().stream().filter(e -> e.content().isPresent()).count();
    ByteWriter out = new ByteWriter().text(HEAD + "5\n");
    out.varUInt(compressed).varUInt(files.size() - compressed);
    for (Hash128 hash :
        java.util.List.of(
            hashOfAllFiles(), hashOfUncompressedFiles(), uncompressedHashOfCompressedFiles())) {
      out.u128(hash.low(), hash.high());
    }
    return out.toByteArray();
  }

  /** The names in order. */
  public Collection<String> names() {
    return files.keySet();
  }
}
