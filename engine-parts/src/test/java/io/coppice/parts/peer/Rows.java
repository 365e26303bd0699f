package io.coppice.parts.peer;

import io.coppice.base.disk.LocalDisk;
import io.coppice.parts.nativeformat.NativeReader;
import io.coppice.parts.nativeformat.NativeWriter;
import io.coppice.parts.scan.BatchStream;
import io.coppice.parts.scan.LoadedPart;
import io.coppice.parts.scan.Scan;
import io.coppice.parts.table.ArrowMapping;
import io.coppice.parts.table.TableDefinition;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;

/**
 * Rows as strings of bytes: equal when every value is the same bit for bit, NaN and minus zero
 * among them.
 */
final class Rows {
  private Rows() {}

  /** Adds the rows of a batch, which is borrowed. */
  static void add(VectorSchemaRoot batch, List<String> to) {
    for (int row = 0; row < batch.getRowCount(); row++) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      for (FieldVector vector : batch.getFieldVectors()) {
        value(vector, row, out);
      }
      to.add(out.toString(StandardCharsets.ISO_8859_1));
    }
  }

  /**
   * Adds the rows of a batch, which is borrowed, as a table keeps them: LowCardinality has no minus
   * zero.
   */
  static void addAsStored(VectorSchemaRoot batch, List<String> to) {
    batch.getFieldVectors().forEach(v -> clearMinusZeros(v, false));
    add(batch, to);
  }

  private static void clearMinusZeros(FieldVector vector, boolean within) {
    boolean low =
        within
            || vector
                .getField()
                .getMetadata()
                .getOrDefault(ArrowMapping.TYPE_KEY, "")
                .startsWith("LowCardinality");
    vector.getChildrenFromFields().forEach(v -> clearMinusZeros(v, low));
    for (int row = 0; low && row < vector.getValueCount(); row++) {
      if (vector instanceof Float4Vector f && !f.isNull(row) && f.get(row) == 0) {
        f.set(row, 0f);
      } else if (vector instanceof Float8Vector f && !f.isNull(row) && f.get(row) == 0) {
        f.set(row, 0d);
      }
    }
  }

  private static void value(FieldVector vector, int row, ByteArrayOutputStream out) {
    if (vector instanceof NullVector || vector.isNull(row)) {
      out.write('N');
      return;
    }
    out.write('v');
    if (vector instanceof ListVector list) {
      int from = list.getElementStartIndex(row);
      int to = list.getElementEndIndex(row);
      number(to - from, out);
      for (int i = from; i < to; i++) {
        value(list.getDataVector(), i, out);
      }
    } else if (vector instanceof StructVector struct) {
      for (FieldVector child : struct.getChildrenFromFields()) {
        value(child, row, out);
      }
    } else if (vector instanceof BaseVariableWidthVector strings) {
      byte[] bytes = strings.get(row);
      number(bytes.length, out);
      out.writeBytes(bytes);
    } else if (vector instanceof BitVector bits) {
      out.write(bits.get(row));
    } else {
      BaseFixedWidthVector fixed = (BaseFixedWidthVector) vector;
      byte[] bytes = new byte[fixed.getTypeWidth()];
      fixed.getDataBuffer().getBytes((long) row * bytes.length, bytes);
      out.writeBytes(bytes);
    }
  }

  private static void number(int value, ByteArrayOutputStream out) {
    out.write(value >>> 24);
    out.write(value >>> 16);
    out.write(value >>> 8);
    out.write(value);
  }

  /** The rows of blocks in the Native format. */
  static List<String> ofNative(byte[] blocks, BufferAllocator allocator) throws IOException {
    List<String> rows = new ArrayList<>();
    try (NativeReader reader =
        new NativeReader(
            Channels.newChannel(new ByteArrayInputStream(blocks)), "the answer", allocator)) {
      Optional<VectorSchemaRoot> block = reader.next();
      while (block.isPresent()) {
        try (VectorSchemaRoot batch = block.get()) {
          add(batch, rows);
        }
        block = reader.next();
      }
    }
    return rows;
  }

  /** A batch as one block in the Native format. */
  static byte[] toNative(VectorSchemaRoot batch, BufferAllocator allocator) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (NativeWriter writer = new NativeWriter(Channels.newChannel(out), allocator)) {
      writer.write(batch);
    }
    return out.toByteArray();
  }

  /** The rows that a scan gives, in its order. */
  static List<String> ofScan(Scan scan, BufferAllocator allocator) throws IOException {
    List<String> rows = new ArrayList<>();
    try (BatchStream batches = scan.open(allocator)) {
      while (batches.next()) {
        add(batches.batch(), rows);
      }
    }
    return rows;
  }

  /** The parts in a directory, in the order of their names. */
  static List<LoadedPart> parts(
      Path directory, List<String> names, TableDefinition table, BufferAllocator allocator)
      throws IOException {
    List<LoadedPart> parts = new ArrayList<>();
    for (String name : names.stream().sorted().toList()) {
      parts.add(
          LoadedPart.open(
              new LocalDisk(directory.resolve(name)),
              name,
              new LoadedPart.Hints(OptionalLong.of(table.settings().indexGranularity())),
              allocator));
    }
    return parts;
  }

  /** Copies a directory and what is in it. */
  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> paths = Files.walk(from)) {
      for (Path path : paths.sorted().toList()) {
        Files.copy(path, to.resolve(from.relativize(path).toString()));
      }
    }
  }

  /** The first row that differs, in words; empty when there is none. */
  static Optional<String> difference(List<String> expected, List<String> found) {
    if (expected.equals(found)) {
      return Optional.empty();
    }
    for (int i = 0; i < Math.min(expected.size(), found.size()); i++) {
      if (!expected.get(i).equals(found.get(i))) {
        return Optional.of(
            "row %d of %d and %d: expected %s found %s"
                .formatted(
                    i, expected.size(), found.size(), shown(expected.get(i)), shown(found.get(i))));
      }
    }
    return Optional.of("%d rows, found %d".formatted(expected.size(), found.size()));
  }

  private static String shown(String row) {
    StringBuilder hex = new StringBuilder();
    for (int i = 0; i < Math.min(row.length(), 200); i++) {
      char c = row.charAt(i);
      hex.append(c > ' ' && c < 127 ? Character.toString(c) : "\\%02x".formatted((int) c));
    }
    return hex.toString();
  }
}
