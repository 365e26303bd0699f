package io.coppice.parts.name;

import io.coppice.base.check.Check;
import java.util.Optional;

/**
 * The file of a mutation that is not done yet, in the directory of a table that is not replicated:
 * {@code mutation_N.txt}, where N is the block number that the mutation took.
 *
 * @param number 1 or more
 */
public record MutationName(long number) {
  private static final String PREFIX = "mutation_";
  private static final String SUFFIX = ".txt";

  public MutationName {
    Check.argument(number > 0, "mutation %d", number);
  }

  /** Empty if {@code text} is no such name. */
  public static Optional<MutationName> tryParse(String text) {
    if (!text.matches("mutation_[1-9][0-9]{0,17}\\.txt")) {
      return Optional.empty();
    }
    String digits = text.substring(PREFIX.length(), text.length() - SUFFIX.length());
    return Optional.of(new MutationName(Long.parseLong(digits)));
  }

  /** The name of the file. */
  public String text() {
    return PREFIX + number + SUFFIX;
  }

  @Override
  public String toString() {
    return text();
  }
}
