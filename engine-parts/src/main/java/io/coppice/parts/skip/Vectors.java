package io.coppice.parts.skip;

import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.PlainType;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Vectors that keep the values of a block: every field may be NULL, times are plain integers. */
final class Vectors {
  private Vectors() {}

  static List<FieldVector> of(List<DataType> types, BufferAllocator allocator) {
    List<FieldVector> vectors = new ArrayList<>();
    for (DataType type : types) {
      vectors.add(field("v", type).createVector(allocator));
    }
    return vectors;
  }

  private static Field field(String name, DataType given) {
    DataType type = given.storage();
    if (type instanceof DataType.LowCardinalityType low) {
      return field(name, low.inner());
    } else if (type instanceof NullableType nullable) {
      return field(name, nullable.inner());
    }
    List<Field> children = new ArrayList<>();
    ArrowType arrow;
    if (type instanceof DataType.ArrayType array) {
      children.add(field("item", array.element()));
      arrow = ArrowType.List.INSTANCE;
    } else if (type instanceof DataType.MapType map) {
      List<Field> both = List.of(field("key", map.key()), field("value", map.value()));
      children.add(
          new Field("entries", new FieldType(false, ArrowType.Struct.INSTANCE, null), both));
      arrow = ArrowType.List.INSTANCE;
    } else if (type instanceof DataType.TupleType tuple) {
      for (int i = 0; i < tuple.elements().size(); i++) {
        children.add(field(Integer.toString(i), tuple.elements().get(i).type()));
      }
      arrow = ArrowType.Struct.INSTANCE;
    } else if (type == PlainType.STRING) {
      arrow = ArrowType.Binary.INSTANCE;
    } else if (type == PlainType.BOOL) {
      arrow = ArrowType.Bool.INSTANCE;
    } else if (type == PlainType.NOTHING) {
      arrow = ArrowType.Null.INSTANCE;
    } else {
      arrow = new ArrowType.FixedSizeBinary(type.widthBytes());
    }
    return new Field(name, FieldType.nullable(arrow), children);
  }
}
