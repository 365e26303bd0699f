package io.coppice.language.type;

import io.coppice.language.text.Identifiers;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.Element;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NestedType;
import io.coppice.language.type.DataType.TupleType;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Types for people: each named element of a tuple on a line of its own, as DESCRIBE prints them.
 */
public final class PrettyType {
  private static final String STEP = "    ";

  private PrettyType() {}

  /** The text of a type, on several lines if it has named elements. */
  public static String text(DataType type) {
    return text(type, "");
  }

  private static String text(DataType type, String indent) {
    if (type instanceof ArrayType array) {
      return "Array(" + text(array.element(), indent) + ")";
    }
    if (type instanceof MapType map) {
      return "Map(" + text(map.key(), indent) + ", " + text(map.value(), indent) + ")";
    }
    if (type instanceof TupleType tuple) {
      return "Tuple(" + elements(tuple.elements(), indent) + ")";
    }
    return type instanceof NestedType nested
        ? "Nested(" + elements(nested.elements(), indent) + ")"
        : type.text();
  }

  private static String elements(List<Element> elements, String indent) {
    boolean named = !elements.isEmpty() && elements.get(0).name().isPresent();
    if (!named) {
      return elements.stream().map(e -> text(e.type(), indent)).collect(Collectors.joining(", "));
    }
    String inner = indent + STEP;
    return elements.stream()
        .map(
            e ->
                "\n"
                    + inner
                    + Identifiers.backQuoteIfNeeded(e.name().orElseThrow())
                    + " "
                    + text(e.type(), inner))
        .collect(Collectors.joining(","));
  }
}
