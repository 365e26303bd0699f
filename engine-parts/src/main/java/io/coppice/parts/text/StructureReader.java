package io.coppice.parts.text;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.parts.compress.ArrowCompression;
import io.coppice.parts.nativeformat.NativeReader;
import io.coppice.parts.table.ArrowMapping;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Finds out what columns an input has, from what it says of itself or from its first rows. The
 * input stands where it stood when it is done. Stateless.
 */
public final class StructureReader {
  /** How much of the input is looked at. */
  private static final int HEAD_BYTES = 1 << 20;

  /** The same for Native, whose first block has to be there as a whole. */
  private static final int BLOCK_BYTES = 128 << 20;

  private StructureReader() {}

  /**
   * The columns as a CREATE TABLE has them.
   *
   * @throws EngineException CANNOT_EXTRACT_TABLE_STRUCTURE when nothing tells them
   */
  public static String read(
      DataFormat format,
      BufferedInputStream in,
      String name,
      FormatSettings settings,
      BufferAllocator allocator)
      throws IOException {
    if (format.wholeFile()) {
      return wholeFile(format, in, name);
    }
    int most = format == DataFormat.NATIVE ? BLOCK_BYTES : HEAD_BYTES;
    in.mark(most + 1);
    byte[] head = in.readNBytes(most);
    in.reset();
    try {
      if (head.length == 0) {
        throw unknown(format, name, "it is empty");
      }
      InputStream start = new ByteArrayInputStream(head);
      return switch (format) {
        case NATIVE -> nativeBlock(start, name, allocator);
        case ARROW, ARROW_STREAM -> arrow(start, allocator);
        case ROW_BINARY_WITH_NAMES_AND_TYPES -> {
          List<List<String>> said = RowBinaryInput.head(format, start, name);
          yield columns(said.get(0), said.get(1));
        }
        case ROW_BINARY, ROW_BINARY_WITH_NAMES, VALUES ->
            throw unknown(format, name, "the format does not tell it");
        case JSON, JSON_COMPACT -> {
          Optional<Map<String, String>> described =
              JsonWhole.start(new RecordInput(start, head.length + 1), name);
          yield described.isPresent()
              ? columns(
                  List.copyOf(described.get().keySet()), List.copyOf(described.get().values()))
              : TextStructure.of(format, head, head.length < HEAD_BYTES, name, settings);
        }
        default -> TextStructure.of(format, head, head.length < HEAD_BYTES, name, settings);
      };
    } catch (EngineException e) {
      throw e.code() == ErrorCode.CANNOT_EXTRACT_TABLE_STRUCTURE
          ? e
          : unknown(format, name, e.getMessage());
    }
  }

  private static String wholeFile(DataFormat format, BufferedInputStream in, String name)
      throws IOException {
    if (!(in instanceof FileStream file)) {
      throw unknown(format, name, "it is no file");
    }
    try (WholeFileFormat.Opened opened = WholeFileFormat.of(format).open(file.path(), name)) {
      return columns(
          List.copyOf(opened.columns().keySet()),
          opened.columns().values().stream().map(DataType::text).toList());
    } catch (EngineException e) {
      throw e.code() == ErrorCode.INCORRECT_DATA ? unknown(format, name, e.getMessage()) : e;
    }
  }

  static EngineException unknown(DataFormat format, String name, String why) {
    return EngineException.of(
        ErrorCode.CANNOT_EXTRACT_TABLE_STRUCTURE,
        "the columns of %s can't be told from its %s: %s; give them as structure",
        name,
        format.text(),
        why);
  }

  static String columns(List<String> names, List<String> types) {
    List<String> columns = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      String quoted = names.get(i).replace("\\", "\\\\").replace("`", "\\`");
      columns.add("`" + quoted + "` " + types.get(i));
    }
    return String.join(", ", columns);
  }

  private static String nativeBlock(InputStream start, String name, BufferAllocator allocator)
      throws IOException {
    try (NativeReader reader = new NativeReader(Channels.newChannel(start), name, allocator)) {
      Optional<VectorSchemaRoot> block = reader.next();
      if (block.isEmpty()) {
        throw unknown(DataFormat.NATIVE, name, "it has no block");
      }
      try (VectorSchemaRoot root = block.get()) {
        return columns(root.getSchema());
      }
    }
  }

  private static String arrow(InputStream start, BufferAllocator allocator) throws IOException {
    try (ArrowStreamReader reader =
        new ArrowStreamReader(
            new ArrowFrames(new ArrowInput(start)), allocator, ArrowCompression.INSTANCE)) {
      return columns(reader.getVectorSchemaRoot().getSchema());
    }
  }

  private static String columns(Schema schema) {
    List<String> names = new ArrayList<>();
    List<String> types = new ArrayList<>();
    for (Field field : schema.getFields()) {
      names.add(field.getName());
      types.add(ArrowMapping.typeOf(field).text());
    }
    return columns(names, types);
  }
}
