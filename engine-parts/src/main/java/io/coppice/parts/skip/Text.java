package io.coppice.parts.skip;

import io.coppice.base.bytes.Memory;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.format.ValueOrder;
import java.util.Arrays;
import java.util.Optional;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;

/** Bytes of values of String and FixedString. */
final class Text {
  private Text() {}

  /** Whether values of the type are text. */
  static boolean holds(DataType type) {
    DataType bare = type.bare();
    return bare == PlainType.STRING || bare instanceof DataType.FixedStringType;
  }

  /** The bytes of a value; empty for NULL and for types that are no text. */
  static Optional<byte[]> at(DataType type, FieldVector vector, int row) {
    if (vector.isNull(row) || !holds(type)) {
      return Optional.empty();
    }
    long from;
    int size;
    if (vector instanceof BaseVariableWidthVector strings) {
      from = strings.getDataBuffer().memoryAddress() + strings.getStartOffset(row);
      size = strings.getValueLength(row);
    } else {
      from = ValueOrder.address(vector, row);
      size = type.bare().widthBytes();
    }
    byte[] bytes = new byte[size];
    Memory.copy(from, bytes, 0, size);
    return Optional.of(bytes);
  }

  /** How {@code text}, cut to the length of {@code prefix}, compares with it. */
  static int comparePrefix(byte[] text, byte[] prefix) {
    int size = Math.min(text.length, prefix.length);
    return Arrays.compareUnsigned(text, 0, size, prefix, 0, prefix.length);
  }
}
