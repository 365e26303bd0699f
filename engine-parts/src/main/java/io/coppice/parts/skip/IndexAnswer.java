package io.coppice.parts.skip;

/**
 * What an index knows of a condition in a block: whether some row may fulfil it, and whether some
 * row may fail it. An index that knows nothing says {@link #UNKNOWN}; reading is then never wrong,
 * only slower. Answers combine as the conditions do.
 *
 * @param mayBeTrue false only if no row fulfils it
 * @param mayBeFalse false only if every row fulfils it
 */
public record IndexAnswer(boolean mayBeTrue, boolean mayBeFalse) {
  /** The index can't tell. */
  public static final IndexAnswer UNKNOWN = new IndexAnswer(true, true);

  /** No row fulfils the condition. */
  public static final IndexAnswer NEVER = new IndexAnswer(false, true);

  /** Every row fulfils the condition. */
  public static final IndexAnswer ALWAYS = new IndexAnswer(true, false);

  /** The answer for both conditions together. */
  public IndexAnswer and(IndexAnswer other) {
    return new IndexAnswer(mayBeTrue && other.mayBeTrue, mayBeFalse || other.mayBeFalse);
  }

  /** The answer for at least one of the conditions. */
  public IndexAnswer or(IndexAnswer other) {
    return new IndexAnswer(mayBeTrue || other.mayBeTrue, mayBeFalse && other.mayBeFalse);
  }

  /** The answer for the opposite of a condition that is never NULL. */
  public IndexAnswer not() {
    return new IndexAnswer(/* mayBeTrue= */ mayBeFalse, /* mayBeFalse= */ mayBeTrue);
  }
}
