package io.coppice.parquet;

import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.DateTime64Type;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.DataType.Element;
import io.coppice.language.type.DataType.FixedStringType;
import io.coppice.language.type.DataType.LowCardinalityType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.format.Type;

/** Which ClickHouse type a column of a file has, as 26.7 takes it. Stateless. */
final class LeafTypes {
  private static final int MOST_FIXED_BYTES = 1 << 24;

  private LeafTypes() {}

  /** The type of values, without NULL. */
  static DataType of(SchemaElement element) throws IOException {
    return switch (element.getType()) {
      case BOOLEAN -> PlainType.BOOL;
      case INT32, INT64 -> integer(element);
      case INT96 -> new DateTime64Type(9, Optional.empty());
      case FLOAT -> PlainType.FLOAT32;
      case DOUBLE -> PlainType.FLOAT64;
      case BYTE_ARRAY -> decimal(element).<DataType>map(type -> type).orElse(PlainType.STRING);
      case FIXED_LEN_BYTE_ARRAY -> fixed(element);
    };
  }

  private static DataType fixed(SchemaElement element) throws IOException {
    int size = element.getType_length();
    if (size <= 0 || size > MOST_FIXED_BYTES) {
      throw Damage.broken("column %s has values of %d bytes", element.getName(), size);
    }
    Optional<DecimalType> decimal = decimal(element);
    if (decimal.isPresent()) {
      return decimal.get();
    }
    Optional<LogicalType> logical = Optional.ofNullable(element.getLogicalType());
    if (logical.isPresent() && logical.get().isSetUUID() && size == 16) {
      return PlainType.UUID;
    }
    if (logical.isPresent() && logical.get().isSetFLOAT16() && size == 2) {
      return PlainType.FLOAT32;
    }
    return new FixedStringType(size);
  }

  private static Optional<DecimalType> decimal(SchemaElement element) throws IOException {
    boolean logical = element.isSetLogicalType() && element.getLogicalType().isSetDECIMAL();
    if (!logical && element.getConverted_type() != ConvertedType.DECIMAL) {
      return Optional.empty();
    }
    int precision =
        logical ? element.getLogicalType().getDECIMAL().getPrecision() : element.getPrecision();
    int scale = logical ? element.getLogicalType().getDECIMAL().getScale() : element.getScale();
    if (precision < 1 || precision > 76 || scale < 0 || scale > precision) {
      throw Damage.broken("column %s is Decimal(%d, %d)", element.getName(), precision, scale);
    }
    return Optional.of(new DecimalType(precision, scale));
  }

  private static int scale(TimeUnit unit) {
    return unit.isSetMILLIS() ? 3 : unit.isSetMICROS() ? 6 : 9;
  }

  private static DataType integer(SchemaElement element) throws IOException {
    Optional<DecimalType> decimal = decimal(element);
    if (decimal.isPresent()) {
      return decimal.get();
    }
    boolean wide = element.getType() == Type.INT64;
    PlainType plain = wide ? PlainType.INT64 : PlainType.INT32;
    if (element.isSetLogicalType()) {
      LogicalType logical = element.getLogicalType();
      if (logical.isSetINTEGER()) {
        int bits = logical.getINTEGER().getBitWidth();
        if (bits != 8 && bits != 16 && bits != 32 && bits != 64 || bits == 64 != wide) {
          throw Damage.broken("column %s has integers of %d bits", element.getName(), bits);
        }
        String name = (logical.getINTEGER().isIsSigned() ? "Int" : "UInt") + bits;
        return PlainType.named(name).orElseThrow();
      }
      if (logical.isSetDATE() && !wide) {
        return PlainType.DATE32;
      }
      if (logical.isSetTIMESTAMP() && wide) {
        // Local times too: 26.7 has no type without a zone.
        return new DateTime64Type(scale(logical.getTIMESTAMP().getUnit()), Optional.of("UTC"));
      }
      return plain;
    }
    if (!element.isSetConverted_type()) {
      return plain;
    }
    return switch (element.getConverted_type()) {
      case INT_8 -> PlainType.INT8;
      case INT_16 -> PlainType.INT16;
      case UINT_8 -> PlainType.UINT8;
      case UINT_16 -> PlainType.UINT16;
      case UINT_32 -> wide ? plain : PlainType.UINT32;
      case UINT_64 -> wide ? PlainType.UINT64 : plain;
      case DATE -> wide ? plain : PlainType.DATE32;
      case TIMESTAMP_MILLIS -> wide ? new DateTime64Type(3, Optional.of("UTC")) : plain;
      case TIMESTAMP_MICROS -> wide ? new DateTime64Type(6, Optional.of("UTC")) : plain;
      default -> plain;
    };
  }

  /**
   * The type in which a column is given: that which is wanted where the file's bytes are its own,
   * or only NULL is not wanted; else that of the file.
   *
   * @param nullAsDefault whether NULL becomes the default of a type without NULL
   */
  static DataType given(DataType file, DataType wanted, boolean nullAsDefault) {
    DataType want =
        wanted.storage() instanceof LowCardinalityType low ? low.inner() : wanted.storage();
    if (file instanceof NullableType nullable) {
      boolean keeps = want instanceof NullableType || !nullAsDefault;
      DataType inner =
          given(nullable.inner(), want instanceof NullableType w ? w.inner() : want, nullAsDefault);
      return keeps ? new NullableType(inner) : inner;
    }
    DataType bare = want instanceof NullableType nullable ? nullable.inner().storage() : want;
    if (file instanceof ArrayType f && bare instanceof ArrayType w) {
      return new ArrayType(given(f.element(), w.element(), nullAsDefault));
    }
    if (file instanceof MapType f && bare instanceof MapType w) {
      return new MapType(
          given(f.key(), w.key(), nullAsDefault), given(f.value(), w.value(), nullAsDefault));
    }
    if (file instanceof TupleType f
        && bare instanceof TupleType w
        && f.elements().size() == w.elements().size()) {
      List<Element> elements = new ArrayList<>();
      for (int i = 0; i < f.elements().size(); i++) {
        elements.add(
            new Element(
                f.elements().get(i).name(),
                given(f.elements().get(i).type(), w.elements().get(i).type(), nullAsDefault)));
      }
      return new TupleType(elements);
    }
    boolean sixteen = bare == PlainType.IPV6 || bare == PlainType.UUID;
    boolean raw = bare instanceof PlainType p && (p.integer() && p.widthBytes() > 8 || sixteen);
    if (raw && file instanceof FixedStringType f && f.sizeBytes() == bare.widthBytes()) {
      return bare;
    }
    return file == PlainType.UINT32 && bare == PlainType.IPV4 ? bare : file;
  }
}
