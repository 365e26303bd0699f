package io.coppice.parts.expression;

import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.ComparisonFunctions.Sign;
import io.coppice.parts.expression.Function.Argument;
import io.coppice.parts.expression.Function.Call;
import io.coppice.parts.expression.Function.Resolved;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tuples with elements that may be NULL, compared element by element: {@code (a, b) = (c, d)} is
 * {@code a = c AND b = d}, {@code (a, b) < (c, d)} is {@code a < c OR (a = c AND b < d)}, and NULL
 * goes through all of it.
 */
final class TupleComparison {
  private TupleComparison() {}

  /** Whether it is a tuple of which an element, or an element of one, is Nullable. */
  static boolean holdsNulls(DataType type) {
    return type instanceof TupleType tuple
        && tuple.elements().stream()
            .map(element -> Types.bare(element.type()))
            .anyMatch(element -> element instanceof NullableType || holdsNulls(element));
  }

  static Resolved of(Call call, Sign sign) {
    boolean pair =
        call.type(0) instanceof TupleType a
            && call.type(1) instanceof TupleType b
            && a.elements().size() == b.elements().size();
    if (!pair) {
      throw Families.illegalPair(call);
    }
    if (alwaysNull(call.type(0)) || alwaysNull(call.type(1))) {
      return new Resolved(
          new NullableType(PlainType.UINT8),
          (args, rows) -> new Values.Longs(new long[1], true, new boolean[] {true}));
    }
    int size = ((TupleType) call.type(0)).elements().size();
    Node result = from(call, 0, size, sign);
    return new Resolved(
        result.type,
        (args, rows) -> {
          boolean constant = Families.allConstant(args);
          Values values = result.run(args, constant ? 1 : rows);
          return constant ? values.asConstant() : values;
        });
  }

  /** Whether an element is the literal NULL: then 26.7 looks at no other. */
  private static boolean alwaysNull(DataType type) {
    return ((TupleType) type)
        .elements().stream()
            .map(element -> Types.bare(element.type()))
            .anyMatch(e -> e instanceof NullableType nullable && Types.isNothing(nullable));
  }

  private interface Run {
    Values run(Values[] args, int rows);
  }

  private record Node(DataType type, Run run) {
    Values run(Values[] args, int rows) {
      return run.run(args, rows);
    }
  }

  private static Node from(Call call, int index, int size, Sign sign) {
    boolean last = index == size - 1;
    return switch (sign) {
      case EQUALS, NOT_EQUALS -> {
        Node here = element(call, index, sign);
        yield last
            ? here
            : joined(
                call, sign == Sign.EQUALS ? "and" : "or", here, from(call, index + 1, size, sign));
      }
      case LESS, LESS_OR_EQUALS, GREATER, GREATER_OR_EQUALS -> {
        if (last) {
          yield element(call, index, sign);
        }
        boolean less = sign == Sign.LESS || sign == Sign.LESS_OR_EQUALS;
        Node rest =
            joined(
                call, "and", element(call, index, Sign.EQUALS), from(call, index + 1, size, sign));
        yield joined(call, "or", element(call, index, less ? Sign.LESS : Sign.GREATER), rest);
      }
    };
  }

  private static Node element(Call call, int index, Sign sign) {
    List<Argument> arguments = new ArrayList<>();
    for (Argument tuple : call.arguments()) {
      arguments.add(
          new Argument(
              ((TupleType) tuple.type()).elements().get(index).type(),
              tuple.constant().map(values -> elementOf(values, index, 1))));
    }
    String function =
        switch (sign) {
          case EQUALS -> "equals";
          case NOT_EQUALS -> "notEquals";
          case LESS -> "less";
          case LESS_OR_EQUALS -> "lessOrEquals";
          case GREATER -> "greater";
          case GREATER_OR_EQUALS -> "greaterOrEquals";
        };
    Resolved resolved =
        FunctionRegistry.instance().resolve(function, arguments, call.defaultZone());
    return new Node(
        resolved.type(),
        (args, rows) ->
            resolved
                .kernel()
                .run(
                    new Values[] {elementOf(args[0], index, rows), elementOf(args[1], index, rows)},
                    rows));
  }

  private static Values elementOf(Values tuple, int index, int rows) {
    Values element = ((Values.Tuples) tuple).elements.get(index);
    return tuple.constant() ? element.asConstant() : element.full(rows);
  }

  private static Node joined(Call call, String function, Node a, Node b) {
    Resolved resolved =
        FunctionRegistry.instance()
            .resolve(
                function,
                List.of(
                    new Argument(a.type, Optional.empty()), new Argument(b.type, Optional.empty())),
                call.defaultZone());
    return new Node(
        resolved.type(),
        (args, rows) ->
            resolved.kernel().run(new Values[] {a.run(args, rows), b.run(args, rows)}, rows));
  }
}
