package io.coppice.parts.write;

import io.coppice.base.bytes.Memory;
import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Vectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.types.pojo.ArrowType.ExtensionType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Values that Arrow has no type for and that others, ClickHouse among them, pass as their bytes:
 * wide integers, BFloat16, IPv6, and UUID, whose canonical extension has them in the order of the
 * text. Stateless.
 */
final class RawValues {
  private RawValues() {}

  /** Whether {@code vector} holds the bytes of values of {@code type}. */
  static boolean fits(FieldVector vector, DataType type) {
    boolean wanted =
        type.bare() instanceof PlainType p
            && (p.integer() && p.widthBytes() > 8
                || p == PlainType.BFLOAT16
                || p == PlainType.UUID
                || p == PlainType.IPV6);
    boolean binary =
        vector instanceof FixedSizeBinaryVector
            || vector instanceof org.apache.arrow.vector.VarBinaryVector;
    return wanted && binary;
  }

  /** The values as the engine has them; the caller owns the result. */
  static FieldVector read(
      FieldVector vector, DataType type, Field field, int rows, BufferAllocator allocator) {
    int width = type.bare().widthBytes();
    boolean swapped =
        type.bare() == PlainType.UUID
            && "arrow.uuid"
                .equals(
                    vector.getField().getMetadata().get(ExtensionType.EXTENSION_METADATA_KEY_NAME));
    FixedSizeBinaryVector made = (FixedSizeBinaryVector) field.createVector(allocator);
    try {
      Vectors.reserve(made, rows);
      long to = Vectors.data(made);
      Memory.fill(to, (long) rows * width, (byte) 0);
      for (int row = 0; row < rows; row++) {
        if (vector.isNull(row)) {
          if (!field.isNullable()) {
            throw EngineException.of(
                ErrorCode.CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN,
                "column %s has NULL in row %d and is not Nullable",
                field.getName(),
                row + 1);
          }
          continue;
        }
        copy(vector, row, to + (long) row * width, width, swapped);
        if (field.isNullable()) {
          made.setIndexDefined(row);
        }
      }
      Vectors.finish(made, rows);
      return made;
    } catch (Throwable e) {
      made.close();
      throw e;
    }
  }

  private static void copy(FieldVector vector, int row, long to, int width, boolean swapped) {
    long from;
    int size;
    if (vector instanceof FixedSizeBinaryVector fixed) {
      size = fixed.getByteWidth();
      from = Vectors.data(vector) + (long) row * size;
    } else {
      BaseVariableWidthVector variable = (BaseVariableWidthVector) vector;
      size = variable.getValueLength(row);
      from = Vectors.data(vector) + variable.getStartOffset(row);
    }
    if (size != width) {
      throw EngineException.of(
          ErrorCode.SIZE_OF_FIXED_STRING_DOESNT_MATCH,
          "column %s, row %d: %d bytes, expected %d",
          vector.getName(),
          row + 1,
          size,
          width);
    }
    if (swapped) {
      Memory.putLong(to, Long.reverseBytes(Memory.getLong(from)));
      Memory.putLong(to + 8, Long.reverseBytes(Memory.getLong(from + 8)));
    } else {
      Memory.copy(from, to, width);
    }
  }
}
