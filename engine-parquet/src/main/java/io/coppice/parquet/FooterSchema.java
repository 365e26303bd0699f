package io.coppice.parquet;

import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.DateType;
import org.apache.parquet.format.DecimalType;
import org.apache.parquet.format.EnumType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.IntType;
import org.apache.parquet.format.ListType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.MapType;
import org.apache.parquet.format.MicroSeconds;
import org.apache.parquet.format.MilliSeconds;
import org.apache.parquet.format.NanoSeconds;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.StringType;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.format.TimestampType;
import org.apache.parquet.format.UUIDType;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;

/** The schema of a file as its footer has it: elements in preorder. Stateless. */
final class FooterSchema {
  private FooterSchema() {}

  static List<SchemaElement> of(MessageType schema) {
    List<SchemaElement> elements = new ArrayList<>();
    SchemaElement root = new SchemaElement(schema.getName());
    root.setNum_children(schema.getFieldCount());
    elements.add(root);
    schema.getFields().forEach(field -> add(field, elements));
    return elements;
  }

  private static void add(Type type, List<SchemaElement> elements) {
    SchemaElement element = new SchemaElement(type.getName());
    element.setRepetition_type(FieldRepetitionType.valueOf(type.getRepetition().name()));
    LogicalTypeAnnotation logical = type.getLogicalTypeAnnotation();
    if (logical != null) {
      annotate(element, logical);
    }
    elements.add(element);
    if (type.isPrimitive()) {
      PrimitiveType primitive = type.asPrimitiveType();
      element.setType(
          switch (primitive.getPrimitiveTypeName()) {
            case BINARY -> org.apache.parquet.format.Type.BYTE_ARRAY;
            default ->
                org.apache.parquet.format.Type.valueOf(primitive.getPrimitiveTypeName().name());
          });
      if (primitive.getTypeLength() > 0) {
        element.setType_length(primitive.getTypeLength());
      }
      return;
    }
    GroupType group = type.asGroupType();
    element.setNum_children(group.getFieldCount());
    group.getFields().forEach(field -> add(field, elements));
  }

  private static void annotate(SchemaElement element, LogicalTypeAnnotation logical) {
    if (logical instanceof LogicalTypeAnnotation.StringLogicalTypeAnnotation) {
      element.setLogicalType(LogicalType.STRING(new StringType()));
      element.setConverted_type(ConvertedType.UTF8);
    } else if (logical instanceof LogicalTypeAnnotation.EnumLogicalTypeAnnotation) {
      element.setLogicalType(LogicalType.ENUM(new EnumType()));
      element.setConverted_type(ConvertedType.ENUM);
    } else if (logical instanceof LogicalTypeAnnotation.ListLogicalTypeAnnotation) {
      element.setLogicalType(LogicalType.LIST(new ListType()));
      element.setConverted_type(ConvertedType.LIST);
    } else if (logical instanceof LogicalTypeAnnotation.MapLogicalTypeAnnotation) {
      element.setLogicalType(LogicalType.MAP(new MapType()));
      element.setConverted_type(ConvertedType.MAP);
    } else if (logical instanceof LogicalTypeAnnotation.DateLogicalTypeAnnotation) {
      element.setLogicalType(LogicalType.DATE(new DateType()));
      element.setConverted_type(ConvertedType.DATE);
    } else if (logical instanceof LogicalTypeAnnotation.UUIDLogicalTypeAnnotation) {
      element.setLogicalType(LogicalType.UUID(new UUIDType()));
    } else if (logical instanceof LogicalTypeAnnotation.DecimalLogicalTypeAnnotation decimal) {
      element.setLogicalType(
          LogicalType.DECIMAL(new DecimalType(decimal.getScale(), decimal.getPrecision())));
      element.setConverted_type(ConvertedType.DECIMAL);
      element.setPrecision(decimal.getPrecision());
      element.setScale(decimal.getScale());
    } else if (logical instanceof LogicalTypeAnnotation.IntLogicalTypeAnnotation integer) {
      element.setLogicalType(
          LogicalType.INTEGER(new IntType((byte) integer.getBitWidth(), integer.isSigned())));
      element.setConverted_type(
          ConvertedType.valueOf((integer.isSigned() ? "INT_" : "UINT_") + integer.getBitWidth()));
    } else if (logical instanceof LogicalTypeAnnotation.TimestampLogicalTypeAnnotation time) {
      TimeUnit unit =
          switch (time.getUnit()) {
            case MILLIS -> TimeUnit.MILLIS(new MilliSeconds());
            case MICROS -> TimeUnit.MICROS(new MicroSeconds());
            case NANOS -> TimeUnit.NANOS(new NanoSeconds());
          };
      element.setLogicalType(LogicalType.TIMESTAMP(new TimestampType(true, unit)));
    } else if (!(logical instanceof LogicalTypeAnnotation.MapKeyValueTypeAnnotation)) {
      throw new AssertionError("no form for " + logical);
    }
  }
}
