package io.coppice.parts.format;

import io.coppice.base.bytes.ByteReader;
import io.coppice.base.bytes.ByteWriter;
import io.coppice.base.check.Check;
import io.coppice.language.type.DataType;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;

/** Rows of several columns, row after row, each value in the form of {@link SingleValue}. */
final class KeyValues {
  private final List<SingleValue> values = new ArrayList<>();
  private final List<FieldVector> vectors;

  KeyValues(List<DataType> types, List<FieldVector> vectors) {
    Check.argument(
        types.size() == vectors.size(), "%d types, %d vectors", types.size(), vectors.size());
    this.vectors = vectors;
    for (int i = 0; i < types.size(); i++) {
      values.add(SingleValue.of(types.get(i), vectors.get(i)));
    }
  }

  /** Reads until nothing is left or {@code limit} rows are read; sets the value counts. */
  int read(ByteReader in, int limit) {
    int row = 0;
    while (!in.atEnd() && row < limit) {
      for (SingleValue value : values) {
        value.read(in, row);
      }
      row++;
    }
    for (FieldVector vector : vectors) {
      vector.setValueCount(row);
    }
    return row;
  }

  void write(ByteWriter out, int from, int to) {
    for (int row = from; row < to; row++) {
      for (SingleValue value : values) {
        value.write(out, row);
      }
    }
  }
}
