package io.coppice.parts.expression;

import io.coppice.language.type.DataType;
import java.util.List;
import java.util.Optional;

/** A function of ClickHouse: resolved once for the types of its arguments, then run on columns. */
interface Function {
  /**
   * The function for arguments of these types.
   *
   * @throws io.coppice.base.error.EngineException if it has no such arguments
   */
  Resolved resolve(Call call);

  /**
   * An application to be resolved.
   *
   * @param name as ClickHouse spells it
   * @param defaultZone of times without a zone of their own
   */
  record Call(String name, List<Argument> arguments, String defaultZone) {
    DataType type(int index) {
      return arguments.get(index).type();
    }

    int count() {
      return arguments.size();
    }

    Call withArguments(List<Argument> other) {
      return new Call(name, other, defaultZone);
    }
  }

  /** An argument, with its value if it is a constant. */
  record Argument(DataType type, Optional<Values> constant) {}

  /**
   * What resolving gave.
   *
   * @param monotonicity of the first argument that is no constant, the others being constants
   * @param sameForAll whether it gives one value once it is resolved, though another next time
   * @param test what the function is of the one argument that is no constant, if that can be told
   *     from the values as they lie
   */
  record Resolved(
      DataType type,
      Kernel kernel,
      MonotonicityRule monotonicity,
      boolean sameForAll,
      Optional<ArgumentTest> test) {
    Resolved(DataType type, Kernel kernel, MonotonicityRule monotonicity, boolean sameForAll) {
      this(type, kernel, monotonicity, sameForAll, Optional.empty());
    }

    Resolved(DataType type, Kernel kernel, MonotonicityRule monotonicity) {
      this(type, kernel, monotonicity, false);
    }

    Resolved(DataType type, Kernel kernel, Optional<ArgumentTest> test) {
      this(type, kernel, MonotonicityRule.NONE, false, test);
    }

    Resolved(DataType type, Kernel kernel) {
      this(type, kernel, MonotonicityRule.NONE);
    }

    Resolved withKernel(Kernel other) {
      return new Resolved(type, other, monotonicity, sameForAll, test);
    }
  }

  /** The loop. Columns have {@code rows} rows or are constants; so has the result. */
  interface Kernel {
    Values run(Values[] arguments, int rows);
  }

  /** Answers for ranges, as KeyCondition asks. */
  interface MonotonicityRule {
    MonotonicityRule NONE = (low, high) -> Monotonicity.NONE;
    MonotonicityRule INCREASING = (low, high) -> Monotonicity.INCREASING;

    /** Whether the function is monotonic on values from {@code low} to {@code high}. */
    Monotonicity on(Optional<Values> low, Optional<Values> high);
  }

  /** How a function treats NULL in its arguments. */
  enum Nulls {
    /** NULL in any argument gives NULL; the function never sees them. */
    PROPAGATE,
    /** The same, but the function sees the default behind a NULL, and may refuse it. */
    PROPAGATE_DEFAULTS,
    /** The function takes care itself. */
    OWN
  }
}
