package io.coppice.parquet;

import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.TupleType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.parquet.column.ColumnWriter;

/**
 * Takes the values of a column apart into those of the columns of a file, with the levels that say
 * where lists begin and what lacks. Confined to one thread.
 */
abstract class RowShredder {
  /** Writes what a row of a vector has. */
  abstract void write(FieldVector vector, int row, int repetition, int definition);

  /** Writes that there is nothing. */
  abstract void lack(int repetition, int definition);

  /**
   * For a type.
   *
   * @param depth lists around it
   * @param writers of the columns of the file, in order
   */
  static RowShredder of(DataType given, int depth, Supplier<ColumnWriter> writers) {
    DataType type = ColumnSchema.bare(given);
    if (type instanceof ArrayType array) {
      return new Elements(of(array.element(), depth + 1, writers), depth + 1);
    }
    if (type instanceof MapType map) {
      List<RowShredder> both = new ArrayList<>();
      both.add(of(map.key(), depth + 1, writers));
      both.add(of(map.value(), depth + 1, writers));
      return new Elements(new Group(both), depth + 1);
    }
    if (type instanceof TupleType tuple) {
      List<RowShredder> elements = new ArrayList<>();
      tuple.elements().forEach(e -> elements.add(of(e.type(), depth, writers)));
      return new Group(elements);
    }
    boolean nullable = type instanceof NullableType;
    DataType inner = type instanceof NullableType n ? ColumnSchema.bare(n.inner()) : type;
    return new Value(writers.get(), ValueGetter.of(inner), nullable);
  }

  private static final class Value extends RowShredder {
    private final ColumnWriter writer;
    private final ValueGetter getter;
    private final boolean nullable;

    Value(ColumnWriter writer, ValueGetter getter, boolean nullable) {
      this.writer = writer;
      this.getter = getter;
      this.nullable = nullable;
    }

    @Override
    void write(FieldVector vector, int row, int repetition, int definition) {
      if (nullable && vector.isNull(row)) {
        writer.writeNull(repetition, definition);
      } else {
        getter.write(vector, row, writer, repetition, nullable ? definition + 1 : definition);
      }
    }

    @Override
    void lack(int repetition, int definition) {
      writer.writeNull(repetition, definition);
    }
  }

  private static final class Group extends RowShredder {
    private final List<RowShredder> elements;

    Group(List<RowShredder> elements) {
      this.elements = elements;
    }

    @Override
    void write(FieldVector vector, int row, int repetition, int definition) {
      List<FieldVector> children = vector.getChildrenFromFields();
      for (int i = 0; i < elements.size(); i++) {
        elements.get(i).write(children.get(i), row, repetition, definition);
      }
    }

    @Override
    void lack(int repetition, int definition) {
      elements.forEach(element -> element.lack(repetition, definition));
    }
  }

  private static final class Elements extends RowShredder {
    private final RowShredder element;
    private final int own;

    Elements(RowShredder element, int own) {
      this.element = element;
      this.own = own;
    }

    @Override
    void write(FieldVector vector, int row, int repetition, int definition) {
      ListVector list = (ListVector) vector;
      int from = list.getElementStartIndex(row);
      int to = list.getElementEndIndex(row);
      if (from == to) {
        element.lack(repetition, definition);
      }
      for (int i = from; i < to; i++) {
        element.write(list.getDataVector(), i, i == from ? repetition : own, definition + 1);
      }
    }

    @Override
    void lack(int repetition, int definition) {
      element.lack(repetition, definition);
    }
  }
}
