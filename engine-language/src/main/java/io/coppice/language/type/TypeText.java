package io.coppice.language.type;

import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.Element;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NestedType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.OpaqueType;
import io.coppice.language.type.DataType.SimpleAggregateType;
import io.coppice.language.type.DataType.TupleType;
import java.util.List;

/**
 * Types as {@code SHOW CREATE TABLE} prints them. It differs from {@link DataType#text()}: a tuple
 * of two or more elements takes a line for each, and an empty one has no brackets.
 */
public final class TypeText {
  private TypeText() {}

  /** The text of {@code type} in a line that is indented by {@code indent} spaces. */
  public static String inStatement(DataType type, int indent) {
    if (type instanceof TupleType tuple) {
      return tuple.elements().isEmpty() ? "Tuple" : elements("Tuple", tuple.elements(), indent);
    }
    if (type instanceof NestedType nested) {
      return elements("Nested", nested.elements(), indent);
    }
    if (type instanceof ArrayType array) {
      return "Array(" + inStatement(array.element(), indent) + ")";
    }
    if (type instanceof NullableType nullable) {
      return "Nullable(" + inStatement(nullable.inner(), indent) + ")";
    }
    if (type instanceof MapType map) {
      return "Map("
          + inStatement(map.key(), indent)
          + ", "
          + inStatement(map.value(), indent)
          + ")";
    }
    if (type instanceof SimpleAggregateType simple) {
      return "SimpleAggregateFunction("
          + simple.function()
          + ", "
          + inStatement(simple.inner(), indent)
          + ")";
    }
    if (type instanceof OpaqueType opaque) {
      return opaque(opaque);
    }
    return type.text();
  }

  private static String opaque(OpaqueType type) {
    return switch (type.family()) {
      case "Dynamic" -> type.text().replace("=", " = ");
      case "JSON" -> type.text().replace("=", " = ").replace(", SKIP ", ",     SKIP ");
      default -> type.text();
    };
  }

  private static String elements(String family, List<Element> elements, int indent) {
    if (elements.size() == 1) {
      return family + "(" + element(elements.get(0), indent) + ")";
    }
    String line = "\n" + " ".repeat(indent + 4);
    StringBuilder out = new StringBuilder(family).append('(');
    String comma = "";
    for (Element element : elements) {
      out.append(comma).append(line).append(element(element, indent + 4));
      comma = ",";
    }
    return out.append(')').toString();
  }

  private static String element(Element element, int indent) {
    return element
            .name()
            .map(name -> io.coppice.language.text.Identifiers.backQuoteIfNeeded(name) + " ")
            .orElse("")
        + inStatement(element.type(), indent);
  }
}
