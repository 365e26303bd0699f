package io.coppice.parts.expression;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.table.ArrowMapping;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * An expression with its types known, ready to run on batches. Immutable; any thread may evaluate
 * it. Made by {@link ExpressionCompiler}.
 */
public abstract sealed class TypedExpression {
  private final DataType type;
  private final String text;

  private TypedExpression(DataType type, String text) {
    this.type = type;
    this.text = text;
  }

  /** The type of the result, as ClickHouse 26.7 has it, LowCardinality left out. */
  public final DataType type() {
    return type;
  }

  /** Canonical text; two expressions of the same text over the same schema are the same. */
  public final String text() {
    return text;
  }

  /** The columns read, in the order of first use. */
  public final Set<String> columns() {
    Set<String> columns = new LinkedHashSet<>();
    collectColumns(columns);
    return columns;
  }

  abstract void collectColumns(Set<String> columns);

  /** The types of the columns read. */
  final List<DataType> columnTypes() {
    List<DataType> types = new java.util.ArrayList<>();
    collectTypes(types);
    return types;
  }

  void collectTypes(List<DataType> types) {}

  /** Whether equal values give equal results, whenever and for whichever row. */
  boolean repeatable() {
    return true;
  }

  /** The values for {@code rows} rows, or a constant. */
  abstract Values values(Batch batch);

  /** The value, if it is the same for every row of every batch. */
  public Optional<Values> constantValue() {
    return Optional.empty();
  }

  /**
   * Evaluates over {@code batch}, which is borrowed, into a new vector that the caller closes.
   *
   * @param field name and Arrow type of the vector, as the mapping of {@link #type()} has them
   * @throws EngineException for what ClickHouse refuses at run time, as a division by zero
   */
  public final FieldVector evaluate(
      VectorSchemaRoot batch, Field field, BufferAllocator allocator) {
    return evaluate(new Batch(batch), field, allocator);
  }

  /**
   * As {@link #evaluate(VectorSchemaRoot, Field, BufferAllocator)}; what several expressions over
   * one batch share is computed once.
   */
  public final FieldVector evaluate(Batch batch, BufferAllocator allocator) {
    return evaluate(batch, ArrowMapping.field(text, type), allocator);
  }

  private FieldVector evaluate(Batch batch, Field field, BufferAllocator allocator) {
    int rows = batch.rows();
    Values result = valuesOf(batch);
    FieldVector vector = field.createVector(allocator);
    boolean done = false;
    try {
      ArrowValues.write(result, type, vector, rows);
      done = true;
      return vector;
    } finally {
      if (!done) {
        vector.close();
      }
    }
  }

  private Values valuesOf(Batch batch) {
    try {
      return values(batch);
    } catch (EngineException e) {
      throw e.within(text + firstFailing(batch.root));
    }
  }

  /** Which row has no value: the last of the fewest first rows that fail. */
  private String firstFailing(VectorSchemaRoot batch) {
    int fine = 0;
    int failing = batch.getRowCount();
    if (failing == 0 || fails(batch, 0)) {
      return ""; // no row's fault
    }
    while (failing - fine > 1) {
      int middle = fine + (failing - fine) / 2;
      if (fails(batch, middle)) {
        failing = middle;
      } else {
        fine = middle;
      }
    }
    return " in row " + failing + " of " + batch.getRowCount();
  }

  private boolean fails(VectorSchemaRoot batch, int rows) {
    try {
      values(new Batch(batch, rows));
      return false;
    } catch (EngineException e) {
      return true;
    }
  }

  /**
   * As {@link #evaluate(VectorSchemaRoot, Field, BufferAllocator)}, the field made for the type.
   */
  public final FieldVector evaluate(VectorSchemaRoot batch, BufferAllocator allocator) {
    return evaluate(batch, ArrowMapping.field(text, type), allocator);
  }

  /**
   * The rows of {@code batch} for which this expression is true: neither 0 nor NULL.
   *
   * @throws EngineException {@code ILLEGAL_TYPE_OF_ARGUMENT} if it is no number of up to 64 bits
   */
  public final BitSet filter(VectorSchemaRoot batch) {
    return rows(batch, false);
  }

  /**
   * The rows of {@code batch} for which this expression is 1: neither NULL nor any other number, as
   * ClickHouse asks of a constraint.
   *
   * @throws EngineException {@code ILLEGAL_TYPE_OF_ARGUMENT} if it is no number of up to 64 bits
   */
  public final BitSet ones(VectorSchemaRoot batch) {
    return rows(batch, true);
  }

  private BitSet rows(VectorSchemaRoot batch, boolean onlyOnes) {
    int rows = batch.getRowCount();
    BitSet selected = new BitSet(rows);
    Values result = valuesOf(new Batch(batch));
    if (result instanceof Values.Nothings) {
      return selected;
    }
    if (!(result instanceof Values.Longs longs)) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_TYPE_OF_ARGUMENT,
          "filter %s has type %s, expected UInt8",
          text,
          type.text());
    }
    if (result.constant()) {
      if (!result.isNull(0) && passes(longs.values[0], onlyOnes)) {
        selected.set(0, rows);
      }
      return selected;
    }
    for (int i = 0; i < rows; i++) {
      if (passes(longs.values[i], onlyOnes) && !result.isNull(i)) {
        selected.set(i);
      }
    }
    return selected;
  }

  private static boolean passes(long value, boolean onlyOnes) {
    return onlyOnes ? value == 1 : value != 0;
  }

  /**
   * A batch whose columns are converted once, when first read, and whose expressions are computed
   * once. Confined to one thread.
   */
  public static final class Batch {
    private final VectorSchemaRoot root;
    private final Map<String, Values> given;
    private final int rows;
    private final Map<String, Values> read = new java.util.HashMap<>();
    private final Map<String, Values> computed = new java.util.HashMap<>();

    /** A batch, which is borrowed. */
    public Batch(VectorSchemaRoot root) {
      this(root, root.getRowCount());
    }

    /** The first rows of a batch. */
    Batch(VectorSchemaRoot root, int rows) {
      this.root = root;
      this.given = Map.of();
      this.rows = rows;
    }

    Batch(Map<String, Values> given, int rows) {
      this.root = null;
      this.given = given;
      this.rows = rows;
    }

    int rows() {
      return rows;
    }

    Values column(String name, DataType type) {
      Values values = given.get(name);
      return values != null ? values : read.computeIfAbsent(name, n -> convert(n, type));
    }

    private Values convert(String name, DataType type) {
      FieldVector vector = root == null ? null : root.getVector(name);
      if (vector == null) {
        throw EngineException.of(
            ErrorCode.NOT_FOUND_COLUMN_IN_BLOCK, "column %s is not in the batch", name);
      }
      return ArrowValues.read(vector, type);
    }
  }

  /** A column of the batch. */
  public static final class ColumnReference extends TypedExpression {
    private final String name;

    ColumnReference(String name, DataType type, String text) {
      super(type, text);
      this.name = name;
    }

    public String name() {
      return name;
    }

    @Override
    void collectColumns(Set<String> columns) {
      columns.add(name);
    }

    @Override
    void collectTypes(List<DataType> types) {
      types.add(type());
    }

    @Override
    Values values(Batch batch) {
      return batch.column(name, type());
    }
  }

  /** A value known beforehand: a literal, or what was computed of literals. */
  public static final class Constant extends TypedExpression {
    private final Values value;

    Constant(Values value, DataType type, String text) {
      super(type, text);
      this.value = value;
    }

    /** One row, constant. */
    public Values value() {
      return value;
    }

    @Override
    public Optional<Values> constantValue() {
      return Optional.of(value);
    }

    @Override
    void collectColumns(Set<String> columns) {}

    @Override
    Values values(Batch batch) {
      return value;
    }
  }

  /** A function of other expressions. */
  public static final class FunctionResult extends TypedExpression {
    private final String function;
    private final List<TypedExpression> arguments;
    private final Function.Resolved resolved;
    private final boolean repeatableBody;

    FunctionResult(
        String function, List<TypedExpression> arguments, Function.Resolved resolved, String text) {
      this(function, arguments, resolved, text, true);
    }

    /** A function, perhaps of a lambda whose body need not be repeatable. */
    FunctionResult(
        String function,
        List<TypedExpression> arguments,
        Function.Resolved resolved,
        String text,
        boolean repeatableBody) {
      super(resolved.type(), text);
      this.function = function;
      this.arguments = List.copyOf(arguments);
      this.resolved = resolved;
      this.repeatableBody = repeatableBody;
    }

    /** What this is of one argument's values as they lie in their vector. */
    Optional<ArgumentTest> test() {
      return resolved.test();
    }

    @Override
    boolean repeatable() {
      return repeatableBody
          && FunctionRegistry.instance().deterministic(function)
          && !SurroundingFunctions.NAMES.contains(function)
          && arguments.stream().allMatch(TypedExpression::repeatable);
    }

    @Override
    void collectTypes(List<DataType> types) {
      arguments.forEach(argument -> argument.collectTypes(types));
    }

    /** ClickHouse's name of the function. */
    public String function() {
      return function;
    }

    public List<TypedExpression> arguments() {
      return arguments;
    }

    /**
     * The one argument that is no constant, if there is exactly one: the argument that {@link
     * #monotonicity} and {@link #apply} are about.
     */
    public Optional<TypedExpression> variableArgument() {
      TypedExpression variable = null;
      for (TypedExpression argument : arguments) {
        if (argument.constantValue().isEmpty()) {
          if (variable != null) {
            return Optional.empty();
          }
          variable = argument;
        }
      }
      return Optional.ofNullable(variable);
    }

    /**
     * Whether the result keeps the order of {@link #variableArgument} while that is between {@code
     * low} and {@code high}; an absent end is open.
     */
    public Monotonicity monotonicity(Optional<Values> low, Optional<Values> high) {
      return variableArgument().isEmpty()
          ? Monotonicity.NONE
          : resolved.monotonicity().on(low, high);
    }

    /** The function of one value of {@link #variableArgument}: a constant of one row. */
    public Values apply(Values value) {
      Values[] values = new Values[arguments.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = arguments.get(i).constantValue().orElse(value);
      }
      Values result = resolved.kernel().run(values, 1);
      return result.constant() ? result : result.asConstant();
    }

    @Override
    void collectColumns(Set<String> columns) {
      arguments.forEach(argument -> argument.collectColumns(columns));
    }

    @Override
    Values values(Batch batch) {
      Values known = batch.computed.get(text());
      if (known == null) {
        Values[] values = new Values[arguments.size()];
        for (int i = 0; i < values.length; i++) {
          values[i] = arguments.get(i).values(batch);
        }
        known = resolved.kernel().run(values, batch.rows());
        batch.computed.put(text(), known);
      }
      return known;
    }
  }

  /** True for what may be used as a filter. */
  public final boolean filterable() {
    DataType bare = Types.notNull(Types.bare(type));
    return bare == PlainType.NOTHING || (Types.integer(bare) && !Types.big(bare));
  }
}
