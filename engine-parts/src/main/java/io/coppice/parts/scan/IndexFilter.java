package io.coppice.parts.scan;

import io.coppice.base.error.EngineException;
import io.coppice.language.expression.Expression;
import io.coppice.language.expression.Expression.FunctionCall;
import io.coppice.language.expression.Literal;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.column.Vectors;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.expression.TypedExpression;
import io.coppice.parts.skip.IndexAnswer;
import io.coppice.parts.skip.IndexCondition;
import io.coppice.parts.skip.SkipIndex;
import io.coppice.parts.table.ArrowMapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * What a filter says of the expressions of a set or bloom filter index, as conditions that its
 * blocks can be asked about. Constants are converted to the type of the expression, and only used
 * when nothing is lost.
 *
 * <p>Immutable; any thread may use it. {@link #bind} makes the constants' memory.
 */
final class IndexFilter {
  private sealed interface Node {}

  private record And(List<Node> nodes) implements Node {}

  private record Or(List<Node> nodes) implements Node {}

  private record Not(Node node) implements Node {}

  private record Known(IndexAnswer answer) implements Node {}

  /** A condition on one of the expressions, made once constants have memory. */
  private record Leaf(Maker maker) implements Node {}

  private interface Maker {
    IndexCondition make(Bound bound);
  }

  private static final Node UNKNOWN = new Known(IndexAnswer.UNKNOWN);

  private final KeySpace space;
  private final ExpressionCompiler compiler;
  private final Node root;

  /**
   * @param columns types of the columns that the filter may name
   */
  IndexFilter(Expression filter, KeySpace space, Map<String, DataType> columns) {
    this.space = space;
    this.compiler = ExpressionCompiler.of(columns).forKeys(); // rand() is another in the filter
    this.root = node(filter);
  }

  /** Whether no block can be left out. */
  boolean unknown() {
    return unknown(root);
  }

  private static boolean unknown(Node node) {
    if (node instanceof And and) {
      return and.nodes().stream().allMatch(IndexFilter::unknown);
    }
    if (node instanceof Or or) {
      return or.nodes().stream().anyMatch(IndexFilter::unknown);
    }
    return node instanceof Not not ? unknown(not.node()) : node.equals(UNKNOWN);
  }

  private Node node(Expression given) {
    Expression expression = given.bare();
    if (!(expression instanceof FunctionCall call)) {
      return UNKNOWN;
    }
    List<Expression> arguments = call.arguments();
    switch (call.name()) {
      case "and":
        return new And(arguments.stream().map(this::node).toList());
      case "or":
        return new Or(arguments.stream().map(this::node).toList());
      case "not":
        return new Not(node(arguments.get(0)));
      default:
        return arguments.size() == 2 ? binary(call.name(), arguments) : UNKNOWN;
    }
  }

  private Node binary(String name, List<Expression> arguments) {
    Expression left = arguments.get(0);
    Expression right = arguments.get(1);
    Optional<Integer> index = index(left);
    boolean flipped = false;
    if (index.isEmpty() && index(right).isPresent()) {
      index = index(right);
      Expression swap = left;
      left = right;
      right = swap;
      flipped = true;
    }
    if (index.isEmpty()) {
      return position(name, arguments);
    }
    int at = index.get();
    Expression constant = right;
    DataType type = space.types().get(at).bare();
    return switch (name) {
      case "equals" -> equal(at, type, constant);
      case "notEquals" -> new Not(equal(at, type, constant));
      case "in", "globalIn" -> flipped ? UNKNOWN : in(at, type, constant);
      case "notIn", "globalNotIn" -> flipped ? UNKNOWN : new Not(in(at, type, constant));
      case "less", "lessOrEquals", "greater", "greaterOrEquals" ->
          range(at, type, name, flipped, constant);
      case "has" ->
          !flipped && type instanceof ArrayType array
              ? withConstant(
                  array.element().bare(), constant, (b, c) -> new IndexCondition.Has(at, c))
              : UNKNOWN;
      case "notLike" -> new Not(text(constant, t -> new IndexCondition.Like(at, t), flipped));
      case "like" -> text(constant, t -> new IndexCondition.Like(at, t), flipped);
      case "startsWith" -> text(constant, t -> new IndexCondition.StartsWith(at, t), flipped);
      case "endsWith" -> text(constant, t -> new IndexCondition.EndsWith(at, t), flipped);
      case "hasToken" -> text(constant, t -> new IndexCondition.HasToken(at, t), flipped);
      default -> UNKNOWN;
    };
  }

  /** {@code position(x, 'text') > 0} and the like. */
  private Node position(String name, List<Expression> arguments) {
    boolean found =
        (name.equals("greater") || name.equals("notEquals")) && isNumber(arguments.get(1), 0)
            || name.equals("greaterOrEquals") && isNumber(arguments.get(1), 1);
    if (found
        && arguments.get(0).bare() instanceof FunctionCall position
        && position.name().equals("position")
        && position.arguments().size() == 2) {
      Optional<Integer> index = index(position.arguments().get(0));
      if (index.isPresent()) {
        return text(
            position.arguments().get(1), t -> new IndexCondition.Contains(index.get(), t), false);
      }
    }
    return UNKNOWN;
  }

  private static boolean isNumber(Expression expression, long value) {
    return expression.bare() instanceof Literal.IntegerLiteral i
        && i.value().equals(java.math.BigInteger.valueOf(value));
  }

  private Optional<Integer> index(Expression expression) {
    String text = expression.bare().text();
    for (int i = 0; i < space.size(); i++) {
      if (space.expressions().get(i).bare().text().equals(text)) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }

  private interface WithConstant {
    IndexCondition make(Bound bound, IndexCondition.Constant constant);
  }

  private Node equal(int at, DataType type, Expression constant) {
    if (converted(type, constant).never()) {
      return new Known(IndexAnswer.NEVER);
    }
    return withConstant(type, constant, (b, c) -> new IndexCondition.Equal(at, c));
  }

  private Node withConstant(DataType type, Expression constant, WithConstant make) {
    return converted(type, constant)
        .value()
        .<Node>map(e -> new Leaf(b -> make.make(b, b.constant(e, type))))
        .orElse(UNKNOWN);
  }

  /**
   * A constant as a value of a type.
   *
   * @param value empty when it is none, or not quite that value
   * @param never whether no value of the type equals it
   */
  private record Converted(Optional<TypedExpression> value, boolean never) {
    static final Converted UNKNOWN = new Converted(Optional.empty(), false);
    static final Converted NEVER = new Converted(Optional.empty(), true);
  }

  private Converted converted(DataType type, Expression constant) {
    try {
      TypedExpression plain = compiler.compile(constant);
      if (!plain.columns().isEmpty()) {
        return Converted.UNKNOWN;
      }
      VectorSchemaRoot one = new VectorSchemaRoot(List.of(), List.of(), 1);
      if (plain.type().nullable()) {
        boolean isNull = compiler.compile(FunctionCall.of("isNull", constant)).filter(one).get(0);
        return isNull ? Converted.NEVER : Converted.UNKNOWN;
      }
      Expression cast = FunctionCall.of("CAST", constant, new Literal.StringLiteral(type.text()));
      if (!plain.type().equals(type)) {
        TypedExpression same = compiler.compile(FunctionCall.of("equals", cast, constant));
        if (!same.columns().isEmpty() || !same.filter(one).get(0)) {
          return number(type) && number(plain.type()) ? Converted.NEVER : Converted.UNKNOWN;
        }
      }
      return new Converted(Optional.of(compiler.compile(cast)), false);
    } catch (EngineException e) {
      return Converted.UNKNOWN; // the filter itself says so; here nothing is known
    }
  }

  private static boolean number(DataType type) {
    return type instanceof DecimalType
        || type instanceof PlainType plain && (plain.integer() || plain.floating());
  }

  private Node in(int at, DataType type, Expression set) {
    Expression bareSet = set.bare();
    List<Expression> elements =
        bareSet instanceof FunctionCall values
                && (values.name().equals("tuple") || values.name().equals("array"))
            ? values.arguments()
            : List.of(bareSet);
    List<TypedExpression> constants = new ArrayList<>();
    for (Expression element : elements) {
      Converted one = converted(type, element);
      if (one.value().isEmpty() && !one.never()) {
        return UNKNOWN;
      }
      one.value().ifPresent(constants::add);
    }
    if (constants.isEmpty()) {
      return new Known(IndexAnswer.NEVER);
    }
    return new Leaf(
        b -> new IndexCondition.In(at, constants.stream().map(c -> b.constant(c, type)).toList()));
  }

  private Node range(int at, DataType type, String name, boolean flipped, Expression constant) {
    boolean upper = name.startsWith("less") != flipped;
    boolean included = name.endsWith("OrEquals");
    return withConstant(
        type,
        constant,
        (b, c) -> {
          Optional<IndexCondition.Bound> end = Optional.of(new IndexCondition.Bound(c, included));
          return new IndexCondition.Range(
              at, upper ? Optional.empty() : end, upper ? end : Optional.empty());
        });
  }

  private interface WithText {
    IndexCondition make(IndexCondition.Bytes text);
  }

  private static Node text(Expression constant, WithText make, boolean flipped) {
    if (flipped || !(constant.bare() instanceof Literal.StringLiteral literal)) {
      return UNKNOWN;
    }
    IndexCondition.Bytes bytes = IndexCondition.Bytes.of(literal.bytes());
    return new Leaf(b -> make.make(bytes));
  }

  /** Gives the constants memory. The caller closes the result. */
  Bound bind(BufferAllocator allocator) {
    return new Bound(allocator);
  }

  /** The conditions with their constants. Confined to one thread. */
  final class Bound implements AutoCloseable {
    private final BufferAllocator allocator;
    private final List<FieldVector> constants = new ArrayList<>();
    private final Map<Leaf, IndexCondition> conditions = new java.util.IdentityHashMap<>();

    private Bound(BufferAllocator allocator) {
      this.allocator = allocator;
    }

    private IndexCondition.Constant constant(TypedExpression expression, DataType type) {
      FieldVector vector =
          expression.evaluate(
              new VectorSchemaRoot(List.of(), List.of(), 1),
              ArrowMapping.field("constant", type == PlainType.NOTHING ? PlainType.UINT8 : type),
              allocator);
      constants.add(vector);
      return new IndexCondition.Constant(vector, 0);
    }

    /** What a block says of the filter. */
    IndexAnswer ask(SkipIndex.Block block) {
      return ask(root, block);
    }

    private IndexAnswer ask(Node node, SkipIndex.Block block) {
      if (node instanceof And and) {
        IndexAnswer answer = IndexAnswer.ALWAYS;
        for (Node one : and.nodes()) {
          answer = answer.and(ask(one, block));
        }
        return answer;
      }
      if (node instanceof Or or) {
        IndexAnswer answer = IndexAnswer.NEVER;
        for (Node one : or.nodes()) {
          answer = answer.or(ask(one, block));
        }
        return answer;
      }
      if (node instanceof Not not) {
        return ask(not.node(), block).not();
      }
      if (node instanceof Known known) {
        return known.answer();
      }
      Leaf leaf = (Leaf) node;
      IndexCondition condition = conditions.get(leaf);
      if (condition == null) {
        condition = leaf.maker().make(this);
        conditions.put(leaf, condition);
      }
      return block.ask(condition);
    }

    @Override
    public void close() {
      Vectors.close(constants);
    }
  }
}
