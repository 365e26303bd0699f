package io.coppice.parts.expression;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.text.ByteText;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.Function.Call;
import io.coppice.parts.expression.Function.Resolved;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Strings split, joined, padded, counted, and in Base64. Stateless. */
final class TextFunctions {
  private static final int MAX_PADDED = 1 << 24;

  private TextFunctions() {}

  private interface ToBytes {
    byte[] of(byte[] value);
  }

  static void register(FunctionRegistry registry) {
    registry.add("base64Encode", call -> mapped(call, Base64.getEncoder()::encode));
    registry.add("base64Decode", call -> mapped(call, value -> decoded(call, value)));
    registry.addWithNulls("arrayStringConcat", TextFunctions::joined);
    registry.add("splitByString", TextFunctions::split);
    registry.add("leftPad", call -> padded(call, true));
    registry.add("rightPad", call -> padded(call, false));
    registry.add("countSubstrings", call -> counted(call, false));
    registry.add("countSubstringsCaseInsensitive", call -> counted(call, true));
    registry.add("positionCaseInsensitive", TextFunctions::positioned);
    registry.add("extract", TextFunctions::extract);
    registry.add("extractAll", TextFunctions::extractAll);
  }

  private static void string(Call call, int index) {
    if (!Types.string(call.type(index))) {
      throw Families.illegal(call, index);
    }
  }

  /** As string, but FixedString is none. */
  private static void plainString(Call call, int index) {
    if (call.type(index) != PlainType.STRING) {
      throw Families.illegal(call, index);
    }
  }

  private static Resolved mapped(Call call, ToBytes function) {
    Families.count(call, 1, 1);
    string(call, 0);
    return new Resolved(
        PlainType.STRING,
        (args, rows) -> {
          Values.Strings strings = (Values.Strings) args[0];
          Values.StringsBuilder out = new Values.StringsBuilder(strings.size());
          for (int i = 0; i < strings.size(); i++) {
            out.add(function.of(strings.get(i)));
          }
          return Conversions.constantLike(out.build(null), strings);
        });
  }

  private static byte[] decoded(Call call, byte[] value) {
    try {
      if (value.length % 4 != 0) {
        throw new IllegalArgumentException("length " + value.length);
      }
      return Base64.getDecoder().decode(value);
    } catch (IllegalArgumentException e) {
      throw new EngineException(
          ErrorCode.INCORRECT_DATA,
          "function " + call.name() + ": this is no Base64: " + e.getMessage(),
          e);
    }
  }

  /** The elements that are not NULL, as text, with a separator between them. */
  private static Resolved joined(Call call) {
    Families.count(call, 1, 2);
    if (!(call.type(0) instanceof ArrayType array)) {
      throw Families.illegal(call, 0);
    }
    byte[] separator =
        call.count() == 1
            ? new byte[0]
            : Families.constantText(call, 1).getBytes(StandardCharsets.UTF_8);
    DataType element = Types.notNull(Types.bare(array.element()));
    return new Resolved(
        PlainType.STRING,
        (args, rows) -> {
          Values.Lists lists = (Values.Lists) args[0];
          Values elements = lists.elements;
          Values.StringsBuilder out = new Values.StringsBuilder(lists.size());
          Values.Strings texts =
              elements instanceof Values.Nothings
                  ? null
                  : element == PlainType.STRING
                      ? (Values.Strings) elements
                      : Conversions.toText(elements, element, call.defaultZone());
          for (int i = 0; i < lists.size(); i++) {
            boolean first = true;
            for (int j = lists.offsets[i]; texts != null && j < lists.offsets[i + 1]; j++) {
              if (elements.isNull(j)) {
                continue;
              }
              if (!first) {
                out.append(separator, 0, separator.length);
              }
              first = false;
              out.append(texts.bytes, texts.from(j), texts.to(j));
            }
            out.end();
          }
          return Conversions.constantLike(out.build(null), lists);
        });
  }

  private interface ToParts {
    void of(byte[] value, List<byte[]> to);
  }

  /** An array of strings for each row of {@code strings}. */
  private static Values lists(Values.Strings strings, ToParts parts) {
    int[] offsets = new int[strings.size() + 1];
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i < strings.size(); i++) {
      parts.of(strings.get(i), all);
      offsets[i + 1] = all.size();
    }
    Values.StringsBuilder out = new Values.StringsBuilder(all.size());
    all.forEach(out::add);
    return new Values.Lists(offsets, out.build(null), strings.constant(), null);
  }

  private static Resolved split(Call call) {
    Families.count(call, 2, 3);
    plainString(call, 1);
    byte[] separator = Families.constantText(call, 0).getBytes(StandardCharsets.UTF_8);
    long most = call.count() == 3 ? Families.constantLong(call, 2) : 0;
    return new Resolved(
        new ArrayType(PlainType.STRING),
        (args, rows) ->
            lists((Values.Strings) args[1], (value, to) -> split(value, separator, most, to)));
  }

  private static void split(byte[] value, byte[] separator, long most, List<byte[]> to) {
    int from = 0;
    int step = separator.length == 0 ? 1 : 0;
    long parts = 0;
    while (from + step <= value.length) {
      int at =
          separator.length == 0
              ? Math.min(from + 1, value.length)
              : StringFunctions.find(value, from, value.length, separator);
      boolean last = at < 0 || (step == 1 && at == value.length);
      if (last || (most > 0 && parts + 1 >= most)) {
        int end = most > 0 && !last ? at : value.length;
        to.add(Arrays.copyOfRange(value, from, end));
        return;
      }
      to.add(Arrays.copyOfRange(value, from, at));
      parts++;
      from = at + separator.length;
    }
  }

  private static Resolved padded(Call call, boolean left) {
    Families.count(call, 2, 3);
    string(call, 0);
    if (!Types.integer(call.type(1)) || Types.big(call.type(1))) {
      throw Families.illegal(call, 1);
    }
    byte[] given =
        call.count() == 3
            ? Families.constantText(call, 2).getBytes(StandardCharsets.UTF_8)
            : new byte[] {' '};
    byte[] filler = given.length == 0 ? new byte[] {' '} : given;
    return new Resolved(
        PlainType.STRING,
        (args, rows) -> {
          int count = Families.rows(args, rows);
          Values.Strings strings = (Values.Strings) args[0];
          Values.StringsBuilder out = new Values.StringsBuilder(count);
          for (int i = 0; i < count; i++) {
            long wanted = ((Values.Longs) args[1]).values[args[1].at(i)];
            if (wanted < 0 || wanted > MAX_PADDED) {
              throw EngineException.of(
                  wanted < 0
                      ? ErrorCode.INDEX_OF_POSITIONAL_ARGUMENT_IS_OUT_OF_RANGE
                      : ErrorCode.TOO_LARGE_STRING_SIZE,
                  "function %s: a length of %d, it is 0 to %d",
                  call.name(),
                  wanted,
                  MAX_PADDED);
            }
            int size = strings.length(i);
            int kept = (int) Math.min(size, wanted);
            if (!left) {
              out.append(strings.bytes, strings.from(i), strings.from(i) + kept);
            }
            for (int j = 0; j < wanted - size; j++) {
              out.append(filler[j % filler.length]);
            }
            if (left) {
              out.append(strings.bytes, strings.from(i), strings.from(i) + kept);
            }
            out.end();
          }
          return Families.allConstant(args) ? out.build(null).asConstant() : out.build(null);
        });
  }

  private interface OfStrings {
    long of(byte[] value, byte[] needle, long start);
  }

  /** A number told of a string, a part of it, and perhaps where to start. */
  private static Resolved searched(Call call, boolean anyCase, OfStrings search) {
    Families.count(call, 2, 3);
    Families.searched(call, 0);
    plainString(call, 0);
    string(call, 1);
    return new Resolved(
        PlainType.UINT64,
        (args, rows) -> {
          long[] out = new long[Families.rows(args, rows)];
          for (int i = 0; i < out.length; i++) {
            byte[] value = ((Values.Strings) args[0]).get(i);
            byte[] needle = ((Values.Strings) args[1]).get(i);
            long start = args.length == 3 ? ((Values.Longs) args[2]).values[args[2].at(i)] : 1;
            out[i] =
                search.of(
                    anyCase ? StringFunctions.lower(value) : value,
                    anyCase ? StringFunctions.lower(needle) : needle,
                    Math.max(0, start - 1));
          }
          return new Values.Longs(out, Families.allConstant(args), null);
        });
  }

  private static Resolved counted(Call call, boolean anyCase) {
    return searched(
        call,
        anyCase,
        (value, needle, start) -> {
          long count = 0;
          long from = start;
          while (needle.length > 0 && from < value.length) {
            int at = StringFunctions.find(value, (int) from, value.length, needle);
            if (at < 0) {
              break;
            }
            count++;
            from = at + (long) needle.length;
          }
          return count;
        });
  }

  private static Resolved positioned(Call call) {
    return searched(
        call,
        true,
        (value, needle, start) ->
            start > value.length
                ? 0
                : StringFunctions.find(value, (int) start, value.length, needle) + 1L);
  }

  // Regular expressions

  private static Pattern pattern(Call call) {
    Families.count(call, 2, 2);
    plainString(call, 0);
    return StringFunctions.pattern(Families.constantText(call, 1).getBytes(StandardCharsets.UTF_8));
  }

  /** What the first group matched, or the whole where there is none. */
  private static byte[] found(Matcher matcher) {
    String text = matcher.groupCount() > 0 ? matcher.group(1) : matcher.group();
    return text == null ? new byte[0] : ByteText.bytes(text);
  }

  private static Resolved extract(Call call) {
    Pattern pattern = pattern(call);
    return new Resolved(
        PlainType.STRING,
        (args, rows) -> {
          Values.Strings strings = (Values.Strings) args[0];
          Values.StringsBuilder out = new Values.StringsBuilder(strings.size());
          for (int i = 0; i < strings.size(); i++) {
            Matcher matcher = StringFunctions.matcher(pattern, strings.get(i));
            out.add(matcher.find() ? found(matcher) : new byte[0]);
          }
          return Conversions.constantLike(out.build(null), strings);
        });
  }

  private static Resolved extractAll(Call call) {
    Pattern pattern = pattern(call);
    return new Resolved(
        new ArrayType(PlainType.STRING),
        (args, rows) ->
            lists(
                (Values.Strings) args[0],
                (value, to) -> {
                  Matcher matcher = StringFunctions.matcher(pattern, value);
                  while (matcher.find() && matcher.end() > matcher.start()) {
                    to.add(found(matcher));
                  }
                }));
  }
}
