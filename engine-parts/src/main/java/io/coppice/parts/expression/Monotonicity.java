package io.coppice.parts.expression;

/**
 * Whether a function keeps the order of its argument on a range.
 *
 * @param monotonic whether it does, up or down
 * @param increasing if monotonic: whether it goes up
 * @param always whether it holds on the whole range of the type
 */
public record Monotonicity(boolean monotonic, boolean increasing, boolean always) {
  /** Nothing is known. */
  public static final Monotonicity NONE = new Monotonicity(false, false, false);

  /** Never goes down, on the whole type. */
  public static final Monotonicity INCREASING = new Monotonicity(true, true, true);

  /** Never goes up, on the whole type. */
  public static final Monotonicity DECREASING = new Monotonicity(true, false, true);

  /** Never goes down on the range asked for. */
  public static final Monotonicity INCREASING_HERE = new Monotonicity(true, true, false);

  /** Never goes up on the range asked for. */
  public static final Monotonicity DECREASING_HERE = new Monotonicity(true, false, false);
}
