package io.coppice.parts.expression;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.Function.Argument;
import io.coppice.parts.expression.Function.Call;
import io.coppice.parts.expression.Function.Resolved;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A number compared with a constant string: the string is read as the number's type. One beyond
 * that type compares with nothing, so that only {@code !=} holds.
 */
final class TextBesideNumber {
  private static final Pattern WHOLE = Pattern.compile("0|-?[1-9][0-9]*|-0");

  private TextBesideNumber() {}

  /** Which argument is the constant string beside a number; empty if none is. */
  static Optional<Integer> place(Call call) {
    for (int i = 0; i < 2; i++) {
      boolean text = Types.string(call.type(i)) && call.arguments().get(i).constant().isPresent();
      if (text && Types.number(call.type(1 - i))) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }

  static Resolved compare(Call call, int place, ComparisonFunctions.Sign sign) {
    DataType type = call.type(1 - place);
    Values.Strings strings = (Values.Strings) call.arguments().get(place).constant().orElseThrow();
    String text = new String(strings.get(0), StandardCharsets.UTF_8);
    Optional<Values> number = strings.isNull(0) ? Optional.empty() : read(text, type, call);
    if (number.isEmpty()) {
      long holds = sign == ComparisonFunctions.Sign.NOT_EQUALS ? 1 : 0;
      return new Resolved(
          PlainType.UINT8,
          (args, rows) -> {
            long[] out = new long[Families.rows(args, rows)];
            java.util.Arrays.fill(out, holds);
            return new Values.Longs(out, Families.allConstant(args), null);
          });
    }
    List<Argument> arguments = new ArrayList<>(call.arguments());
    arguments.set(place, new Argument(type, number));
    Resolved inner = ComparisonFunctions.compare(call.withArguments(arguments), sign);
    return new Resolved(
        inner.type(),
        (args, rows) -> {
          Values[] read = args.clone();
          read[place] = number.get();
          return inner.kernel().run(read, rows);
        },
        inner.test());
  }

  /** The number, or empty if the type does not hold it. */
  private static Optional<Values> read(String text, DataType type, Call call) {
    if (type == PlainType.BOOL) {
      return Optional.of(converted(text, type, call));
    }
    if (text.isEmpty() && !Types.floating(type)) {
      throw EngineException.of(
          ErrorCode.ATTEMPT_TO_READ_AFTER_EOF,
          "%s: an empty string is no %s; write a number",
          call.name(),
          type.text());
    }
    if (Types.floating(type) || type instanceof DecimalType) {
      return Optional.of(fraction(text, type, call));
    }
    boolean whole = WHOLE.matcher(text).matches();
    if (!whole || (text.startsWith("-") && !Types.signed(type))) {
      throw mismatch(text, type, call);
    }
    BigInteger value = new BigInteger(text);
    if (!Numbers.fits(value, type)) {
      return Optional.empty();
    }
    return Optional.of(Numbers.ofBigs(new BigInteger[] {value}, type, true));
  }

  private static Values fraction(String text, DataType type, Call call) {
    try {
      return converted(text, type, call);
    } catch (EngineException e) {
      boolean unread =
          e.code() == ErrorCode.CANNOT_PARSE_TEXT || e.code() == ErrorCode.CANNOT_PARSE_NUMBER;
      if (!unread) {
        throw e;
      }
      boolean begun = !text.isEmpty() && "+-.0123456789".indexOf(text.charAt(0)) >= 0;
      if (Types.floating(type) && !begun) {
        throw EngineException.of(
            ErrorCode.CANNOT_PARSE_NUMBER,
            "%s: '%s' does not begin as a %s does",
            call.name(),
            text,
            type.text());
      }
      throw mismatch(text, type, call);
    }
  }

  private static Values converted(String text, DataType type, Call call) {
    Values.Strings strings = Values.Strings.constant(text.getBytes(StandardCharsets.UTF_8));
    return Conversions.convert(strings, PlainType.STRING, type, call, 1).asConstant();
  }

  private static EngineException mismatch(String text, DataType type, Call call) {
    return EngineException.of(
        ErrorCode.TYPE_MISMATCH,
        "%s: cannot convert string '%s' to type %s; write it as such a number",
        call.name(),
        text,
        type.text());
  }
}
