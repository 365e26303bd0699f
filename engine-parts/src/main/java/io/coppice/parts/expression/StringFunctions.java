package io.coppice.parts.expression;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.text.ByteText;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.FixedStringType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.Function.Call;
import io.coppice.parts.expression.Function.Kernel;
import io.coppice.parts.expression.Function.Resolved;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Strings as bytes; functions ending in UTF8 count characters. */
final class StringFunctions {
  private static final int MAX_REPEATED = 1 << 28;

  private StringFunctions() {}

  private interface ToLong {
    long of(byte[] bytes, int from, int to);
  }

  private interface ToBytes {
    byte[] of(byte[] value);
  }

  static void register(FunctionRegistry registry) {
    registry.add("length", call -> measure(call, PlainType.UINT64, (b, f, t) -> t - f));
    registry.add("empty", call -> measure(call, PlainType.UINT8, (b, f, t) -> t == f ? 1 : 0));
    registry.add("notEmpty", call -> measure(call, PlainType.UINT8, (b, f, t) -> t > f ? 1 : 0));
    registry.add("lengthUTF8", call -> measure(call, PlainType.UINT64, StringFunctions::points));
    registry.add("lower", call -> mapped(call, StringFunctions::lower));
    registry.add("upper", call -> mapped(call, value -> ascii(value, 'a', 'z', -32)));
    registry.add("reverse", call -> mapped(call, StringFunctions::reversed));
    registry.add("concat", StringFunctions::concat);
    registry.add("substring", StringFunctions::substring);
    registry.add("left", call -> side(call, true));
    registry.add("right", call -> side(call, false));
    registry.add("startsWith", call -> affix(call, true));
    registry.add("endsWith", call -> affix(call, false));
    registry.add("position", StringFunctions::position);
    registry.add("hasToken", StringFunctions::hasToken);
    registry.add("replaceAll", call -> replace(call, true));
    registry.add("replaceOne", call -> replace(call, false));
    registry.add("trimLeft", call -> trim(call, true, false));
    registry.add("trimRight", call -> trim(call, false, true));
    registry.add("trimBoth", call -> trim(call, true, true));
    registry.add("hex", StringFunctions::hex);
    registry.add("unhex", call -> toStrings(call, StringFunctions::unhexed));
    registry.add("repeat", StringFunctions::repeat);
    registry.add("format", StringFunctions::format);
    registry.add("splitByChar", StringFunctions::splitByChar);
    registry.add("like", call -> matching(call, Matching.LIKE, false));
    registry.add("notLike", call -> matching(call, Matching.LIKE, true));
    registry.add("ilike", call -> matching(call, Matching.ILIKE, false));
    registry.add("notILike", call -> matching(call, Matching.ILIKE, true));
    registry.add("match", call -> matching(call, Matching.REGEXP, false));
  }

  private static Values.Strings strings(Call call, Values[] args, int index) {
    if (args[index] instanceof Values.Strings strings) {
      return strings;
    }
    throw Families.illegal(call, index);
  }

  private static void string(Call call, int index) {
    if (!Types.string(call.type(index))) {
      throw Families.illegal(call, index);
    }
  }

  // Measures

  private static Resolved measure(Call call, PlainType result, ToLong measure) {
    Families.count(call, 1, 1);
    DataType type = call.type(0);
    boolean list =
        (type instanceof ArrayType || type instanceof MapType) && !call.name().endsWith("UTF8");
    boolean fixedSize =
        (type == PlainType.UUID || type == PlainType.IPV6 || type == PlainType.IPV4)
            && call.name().toLowerCase(Locale.ROOT).endsWith("empty");
    if (!list && !fixedSize && !Types.string(type)) {
      throw Families.illegal(call, 0);
    }
    if (list) {
      return new Resolved(
          result,
          (args, rows) -> {
            Values.Lists lists = (Values.Lists) args[0];
            long[] out = new long[lists.size()];
            for (int i = 0; i < out.length; i++) {
              out[i] = measure.of(null, lists.offsets[i], lists.offsets[i + 1]);
            }
            return new Values.Longs(out, args[0].constant(), null);
          });
    }
    boolean zeros =
        fixedSize
            || (type instanceof FixedStringType
                && call.name().toLowerCase(Locale.ROOT).endsWith("empty"));
    return new Resolved(
        result,
        (args, rows) -> {
          long[] out = new long[args[0].size()];
          for (int i = 0; i < out.length; i++) {
            if (zeros) {
              byte[] bytes = HashFunctions.memory(args[0], i, type);
              boolean empty = true;
              for (byte b : bytes) {
                empty &= b == 0;
              }
              out[i] = measure.of(null, 0, empty ? 0 : 1);
            } else {
              Values.Strings strings = (Values.Strings) args[0];
              out[i] = measure.of(strings.bytes, strings.offsets[i], strings.offsets[i + 1]);
            }
          }
          return new Values.Longs(out, args[0].constant(), null);
        });
  }

  private static long points(byte[] bytes, int from, int to) {
    long count = 0;
    for (int i = from; i < to; i++) {
      count += (bytes[i] & 0xC0) != 0x80 ? 1 : 0;
    }
    return count;
  }

  // One string to another

  /** FixedString stays what it is. */
  private static Resolved mapped(Call call, ToBytes function) {
    Families.count(call, 1, 1);
    string(call, 0);
    return new Resolved(call.type(0), mapping(call, function));
  }

  private static Resolved toStrings(Call call, ToBytes function) {
    Families.count(call, 1, 1);
    string(call, 0);
    return new Resolved(PlainType.STRING, mapping(call, function));
  }

  private static Kernel mapping(Call call, ToBytes function) {
    return (args, rows) -> {
      Values.Strings strings = strings(call, args, 0);
      Values.StringsBuilder out = new Values.StringsBuilder(strings.size());
      for (int i = 0; i < strings.size(); i++) {
        out.add(function.of(strings.get(i)));
      }
      return Conversions.constantLike(out.build(null), strings);
    };
  }

  private static byte[] ascii(byte[] value, char from, char to, int shift) {
    for (int i = 0; i < value.length; i++) {
      if (value[i] >= from && value[i] <= to) {
        value[i] += (byte) shift;
      }
    }
    return value;
  }

  /** The letters of ASCII in lower case, in place. */
  static byte[] lower(byte[] value) {
    return ascii(value, 'A', 'Z', 32);
  }

  private static byte[] reversed(byte[] value) {
    for (int i = 0, j = value.length - 1; i < j; i++, j--) {
      byte b = value[i];
      value[i] = value[j];
      value[j] = b;
    }
    return value;
  }

  private static byte[] unhexed(byte[] value) {
    int odd = value.length % 2;
    byte[] out = new byte[(value.length + 1) / 2];
    for (int i = 0; i < value.length; i++) {
      int digit = Character.digit(value[i], 16);
      int at = (i + odd) / 2;
      // What is no digit counts as 255, as there.
      out[at] = (byte) (out[at] * 16 + (digit < 0 ? 255 : digit));
    }
    return out;
  }

  // Several to one

  private static Resolved concat(Call call) {
    if (call.count() < 1) {
      Families.count(call, 1, Integer.MAX_VALUE);
    }
    return new Resolved(
        PlainType.STRING,
        (args, rows) -> {
          int count = Families.rows(args, rows);
          Values.Strings[] parts = new Values.Strings[args.length];
          for (int k = 0; k < args.length; k++) {
            parts[k] =
                Types.string(call.type(k))
                    ? (Values.Strings) args[k]
                    : Conversions.toText(args[k], call.type(k), call.defaultZone());
          }
          Values.StringsBuilder out = new Values.StringsBuilder(count);
          for (int i = 0; i < count; i++) {
            for (Values.Strings part : parts) {
              out.append(part.bytes, part.from(i), part.to(i));
            }
            out.end();
          }
          return Families.allConstant(args) ? out.build(null).asConstant() : out.build(null);
        });
  }

  private static Resolved substring(Call call) {
    Families.count(call, 2, 3);
    string(call, 0);
    integer(call, 1);
    if (call.count() == 3) {
      integer(call, 2);
    }
    return new Resolved(
        PlainType.STRING,
        (args, rows) -> {
          int count = Families.rows(args, rows);
          Values.Strings strings = strings(call, args, 0);
          Values.StringsBuilder out = new Values.StringsBuilder(count);
          for (int i = 0; i < count; i++) {
            long size = strings.length(i);
            long start = ((Values.Longs) args[1]).values[args[1].at(i)];
            long length =
                args.length == 3 ? ((Values.Longs) args[2]).values[args[2].at(i)] : size + 1;
            long from = start > 0 ? start - 1 : start < 0 ? size + start : size;
            long to = length < 0 ? size + length : Math.min(size, from + length);
            if (length >= 0 && from < 0) {
              to = Math.min(size, from + length);
            }
            from = Math.max(0, from);
            if (to > from && from < size) {
              int base = strings.from(i);
              out.append(strings.bytes, base + (int) from, base + (int) Math.min(size, to));
            }
            out.end();
          }
          return Families.allConstant(args) ? out.build(null).asConstant() : out.build(null);
        });
  }

  private static void integer(Call call, int index) {
    if (!Types.integer(call.type(index)) || Types.big(call.type(index))) {
      throw Families.illegal(call, index);
    }
  }

  private static Resolved side(Call call, boolean left) {
    Families.count(call, 2, 2);
    string(call, 0);
    integer(call, 1);
    return new Resolved(
        PlainType.STRING,
        (args, rows) -> {
          int count = Families.rows(args, rows);
          Values.Strings strings = strings(call, args, 0);
          Values.StringsBuilder out = new Values.StringsBuilder(count);
          for (int i = 0; i < count; i++) {
            int size = strings.length(i);
            long wanted = ((Values.Longs) args[1]).values[args[1].at(i)];
            int length = (int) Math.max(0, Math.min(size, wanted < 0 ? size + wanted : wanted));
            int from = left ? strings.from(i) : strings.to(i) - length;
            out.add(strings.bytes, from, from + length);
          }
          return Families.allConstant(args) ? out.build(null).asConstant() : out.build(null);
        });
  }

  private static Resolved affix(Call call, boolean start) {
    Families.count(call, 2, 2);
    string(call, 0);
    string(call, 1);
    return new Resolved(
        PlainType.UINT8,
        (args, rows) -> {
          int count = Families.rows(args, rows);
          Values.Strings strings = strings(call, args, 0);
          Values.Strings affixes = strings(call, args, 1);
          long[] out = new long[count];
          for (int i = 0; i < count; i++) {
            int size = strings.length(i);
            int length = affixes.length(i);
            int from = start ? strings.from(i) : strings.to(i) - length;
            out[i] =
                length <= size
                        && Arrays.equals(
                            strings.bytes,
                            from,
                            from + length,
                            affixes.bytes,
                            affixes.from(i),
                            affixes.to(i))
                    ? 1
                    : 0;
          }
          return new Values.Longs(out, Families.allConstant(args), null);
        });
  }

  /** Where {@code needle} first is in {@code bytes[from, to)}, or -1. */
  static int find(byte[] bytes, int from, int to, byte[] needle) {
    if (needle.length == 0) {
      return from;
    }
    for (int i = from; i <= to - needle.length; i++) {
      if (bytes[i] == needle[0]
          && Arrays.equals(bytes, i, i + needle.length, needle, 0, needle.length)) {
        return i;
      }
    }
    return -1;
  }

  /** Letters and digits of ASCII, and all bytes that are not ASCII, make tokens. */
  private static boolean tokenByte(byte b) {
    return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9') || b < 0;
  }

  private static Resolved hasToken(Call call) {
    Families.count(call, 2, 2);
    string(call, 0);
    byte[] token = Families.constantText(call, 1).getBytes(StandardCharsets.UTF_8);
    for (byte b : token) {
      if (!tokenByte(b)) {
        throw EngineException.of(
            ErrorCode.BAD_ARGUMENTS,
            "hasToken: the token '%s' has a byte that separates tokens",
            Families.constantText(call, 1));
      }
    }
    return new Resolved(
        PlainType.UINT8,
        (args, rows) -> {
          int count = Families.rows(args, rows);
          Values.Strings strings = strings(call, args, 0);
          long[] out = new long[count];
          for (int i = 0; i < count; i++) {
            out[i] = token(strings.bytes, strings.from(i), strings.to(i), token) ? 1 : 0;
          }
          return new Values.Longs(out, Families.allConstant(args), null);
        });
  }

  private static boolean token(byte[] bytes, int from, int to, byte[] token) {
    int at = token.length == 0 ? -1 : find(bytes, from, to, token);
    while (at >= 0) {
      int end = at + token.length;
      if ((at == from || !tokenByte(bytes[at - 1])) && (end == to || !tokenByte(bytes[end]))) {
        return true;
      }
      at = find(bytes, at + 1, to, token);
    }
    return false;
  }

  private static Resolved position(Call call) {
    Families.count(call, 2, 3);
    string(call, 0);
    Families.searched(call, 0);
    string(call, 1);
    return new Resolved(
        PlainType.UINT64,
        (args, rows) -> {
          int count = Families.rows(args, rows);
          Values.Strings strings = strings(call, args, 0);
          Values.Strings needles = strings(call, args, 1);
          long[] out = new long[count];
          for (int i = 0; i < count; i++) {
            long start = args.length == 3 ? ((Values.Longs) args[2]).values[args[2].at(i)] : 1;
            int base = strings.from(i);
            long from = base + Math.max(0, start - 1);
            if (from <= strings.to(i)) {
              int at = find(strings.bytes, (int) from, strings.to(i), needles.get(i));
              out[i] = at < 0 ? 0 : at - base + 1;
            }
          }
          return new Values.Longs(out, Families.allConstant(args), null);
        });
  }

  private static Resolved replace(Call call, boolean all) {
    Families.count(call, 3, 3);
    string(call, 0);
    string(call, 1);
    string(call, 2);
    return new Resolved(
        PlainType.STRING,
        (args, rows) -> {
          int count = Families.rows(args, rows);
          Values.Strings strings = strings(call, args, 0);
          Values.StringsBuilder out = new Values.StringsBuilder(count);
          for (int i = 0; i < count; i++) {
            byte[] needle = strings(call, args, 1).get(i);
            byte[] replacement = strings(call, args, 2).get(i);
            int from = strings.from(i);
            int to = strings.to(i);
            while (needle.length > 0) {
              int at = find(strings.bytes, from, to, needle);
              if (at < 0) {
                break;
              }
              out.append(strings.bytes, from, at);
              out.append(replacement, 0, replacement.length);
              from = at + needle.length;
              if (!all) {
                break;
              }
            }
            out.append(strings.bytes, from, to);
            out.end();
          }
          return Families.allConstant(args) ? out.build(null).asConstant() : out.build(null);
        });
  }

  private static Resolved trim(Call call, boolean left, boolean right) {
    Families.count(call, 1, 2);
    string(call, 0);
    String characters = call.count() == 2 ? Families.constantText(call, 1) : " ";
    byte[] set = characters.getBytes(StandardCharsets.UTF_8);
    boolean[] trimmed = new boolean[256];
    for (byte b : set) {
      trimmed[b & 0xff] = true;
    }
    return new Resolved(
        PlainType.STRING,
        (args, rows) -> {
          Values.Strings strings = strings(call, args, 0);
          Values.StringsBuilder out = new Values.StringsBuilder(strings.size());
          for (int i = 0; i < strings.size(); i++) {
            int from = strings.offsets[i];
            int to = strings.offsets[i + 1];
            while (left && from < to && trimmed[strings.bytes[from] & 0xff]) {
              from++;
            }
            while (right && to > from && trimmed[strings.bytes[to - 1] & 0xff]) {
              to--;
            }
            out.add(strings.bytes, from, to);
          }
          return Conversions.constantLike(out.build(null), strings);
        });
  }

  private static Resolved hex(Call call) {
    Families.count(call, 1, 1);
    DataType type = call.type(0);
    boolean whole = Types.integer(type) || Types.dateLike(type) || type == PlainType.IPV4;
    return new Resolved(
        PlainType.STRING,
        (args, rows) -> {
          int size = args[0].size();
          Values.StringsBuilder out = new Values.StringsBuilder(size);
          for (int i = 0; i < size; i++) {
            byte[] bytes = HashFunctions.memory(args[0], i, type);
            StringBuilder text = new StringBuilder();
            boolean number = whole && !(type instanceof DataType.DateTime64Type);
            if (number) {
              boolean significant = false;
              for (int k = bytes.length - 1; k >= 0; k--) {
                significant |= bytes[k] != 0 || k == 0;
                if (significant) {
                  digits(bytes[k], text);
                }
              }
            } else if (type == PlainType.UUID) {
              for (int k = 0; k < 16; k++) {
                digits(bytes[k < 8 ? 7 - k : 23 - k], text);
              }
            } else {
              for (byte b : bytes) {
                digits(b, text);
              }
            }
            out.add(text.toString().getBytes(StandardCharsets.US_ASCII));
          }
          return Conversions.constantLike(out.build(null), args[0]);
        });
  }

  private static void digits(byte value, StringBuilder out) {
    out.append(Character.toUpperCase(Character.forDigit(value >> 4 & 15, 16)));
    out.append(Character.toUpperCase(Character.forDigit(value & 15, 16)));
  }

  private static Resolved repeat(Call call) {
    Families.count(call, 2, 2);
    if (call.type(0) != PlainType.STRING) {
      throw Families.illegal(call, 0);
    }
    integer(call, 1);
    return new Resolved(
        PlainType.STRING,
        (args, rows) -> {
          int count = Families.rows(args, rows);
          Values.Strings strings = strings(call, args, 0);
          Values.StringsBuilder out = new Values.StringsBuilder(count);
          for (int i = 0; i < count; i++) {
            long times = Math.max(0, ((Values.Longs) args[1]).values[args[1].at(i)]);
            if (times > 1000000 || times * strings.length(i) > MAX_REPEATED) {
              throw EngineException.of(
                  ErrorCode.TOO_LARGE_STRING_SIZE, "repeat: %d times is too often", times);
            }
            for (long k = 0; k < times; k++) {
              out.append(strings.bytes, strings.from(i), strings.to(i));
            }
            out.end();
          }
          return Families.allConstant(args) ? out.build(null).asConstant() : out.build(null);
        });
  }

  private static Resolved format(Call call) {
    Families.count(call, 1, Integer.MAX_VALUE);
    String pattern = Families.constantText(call, 0);
    List<Object> pieces = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    int next = 0;
    boolean numbered = false;
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      boolean doubled = i + 1 < pattern.length() && pattern.charAt(i + 1) == c;
      if ((c == '{' || c == '}') && doubled) {
        text.append(c);
        i++;
      } else if (c == '{') {
        int end = pattern.indexOf('}', i);
        if (end < 0) {
          throw EngineException.of(ErrorCode.BAD_ARGUMENTS, "format: '{' without '}'");
        }
        String inside = pattern.substring(i + 1, end);
        int index;
        if (inside.isEmpty()) {
          index = next++;
        } else if (inside.matches("[0-9]{1,4}")) {
          index = Integer.parseInt(inside);
          numbered = true;
        } else {
          throw EngineException.of(
              ErrorCode.BAD_ARGUMENTS, "format: '{%s}' is no number of an argument", inside);
        }
        if (numbered && next > 0) {
          throw EngineException.of(
              ErrorCode.BAD_ARGUMENTS, "format: '{}' and numbers cannot be mixed");
        }
        if (index + 1 >= call.count()) {
          throw EngineException.of(ErrorCode.BAD_ARGUMENTS, "format: no argument %d", index);
        }
        pieces.add(text.toString().getBytes(StandardCharsets.UTF_8));
        text.setLength(0);
        pieces.add(index + 1);
        i = end;
      } else {
        text.append(c);
      }
    }
    pieces.add(text.toString().getBytes(StandardCharsets.UTF_8));
    return new Resolved(
        PlainType.STRING,
        (args, rows) -> {
          int count = Families.rows(args, rows);
          Values.Strings[] texts = new Values.Strings[args.length];
          for (int k = 1; k < args.length; k++) {
            texts[k] =
                Types.string(call.type(k))
                    ? (Values.Strings) args[k]
                    : Conversions.toText(args[k], call.type(k), call.defaultZone());
          }
          Values.StringsBuilder out = new Values.StringsBuilder(count);
          for (int i = 0; i < count; i++) {
            for (Object piece : pieces) {
              if (piece instanceof byte[] bytes) {
                out.append(bytes, 0, bytes.length);
              } else {
                Values.Strings from = texts[(Integer) piece];
                out.append(from.bytes, from.from(i), from.to(i));
              }
            }
            out.end();
          }
          return Families.allConstant(args) ? out.build(null).asConstant() : out.build(null);
        });
  }

  private static Resolved splitByChar(Call call) {
    Families.count(call, 2, 3);
    if (call.type(1) != PlainType.STRING) {
      throw Families.illegal(call, 1);
    }
    byte[] separator = Families.constantText(call, 0).getBytes(StandardCharsets.UTF_8);
    if (separator.length != 1) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS, "splitByChar: the separator must be one byte");
    }
    long most = call.count() == 3 ? Families.constantLong(call, 2) : 0;
    return new Resolved(
        new ArrayType(PlainType.STRING),
        (args, rows) -> {
          Values.Strings strings = strings(call, args, 1);
          int count = strings.size();
          int[] offsets = new int[count + 1];
          List<byte[]> parts = new ArrayList<>();
          for (int i = 0; i < count; i++) {
            int from = strings.offsets[i];
            int to = strings.offsets[i + 1];
            int begin = parts.size();
            for (int j = from; j < to; j++) {
              if (strings.bytes[j] == separator[0]) {
                if (most > 0 && parts.size() - begin + 1 >= most) {
                  to = j;
                  break;
                }
                parts.add(Arrays.copyOfRange(strings.bytes, from, j));
                from = j + 1;
              }
            }
            parts.add(Arrays.copyOfRange(strings.bytes, from, to));
            offsets[i + 1] = parts.size();
          }
          Values.StringsBuilder out = new Values.StringsBuilder(parts.size());
          parts.forEach(out::add);
          return new Values.Lists(offsets, out.build(null), strings.constant(), null);
        });
  }

  // Patterns

  private enum Matching {
    LIKE,
    ILIKE,
    REGEXP
  }

  private static Resolved matching(Call call, Matching kind, boolean not) {
    Families.count(call, 2, 2);
    string(call, 0);
    string(call, 1);
    java.util.Optional<Values> constant = call.arguments().get(1).constant();
    java.util.function.Predicate<byte[]> fixed =
        constant.map(v -> matcher(((Values.Strings) v).get(0), kind)).orElse(null);
    return new Resolved(
        PlainType.UINT8,
        (args, rows) -> {
          int count = Families.rows(args, rows);
          Values.Strings strings = strings(call, args, 0);
          long[] out = new long[count];
          for (int i = 0; i < count; i++) {
            java.util.function.Predicate<byte[]> matcher =
                fixed != null ? fixed : matcher(strings(call, args, 1).get(i), kind);
            out[i] = matcher.test(strings.get(i)) != not ? 1 : 0;
          }
          return new Values.Longs(out, Families.allConstant(args), null);
        },
        constant
            .filter(v -> kind == Matching.LIKE && call.type(0) == PlainType.STRING)
            .flatMap(v -> LikePattern.bytes(((Values.Strings) v).get(0)))
            .map(bytes -> new ArgumentTest.Strings(0, bytes, not)));
  }

  private static java.util.function.Predicate<byte[]> matcher(byte[] pattern, Matching kind) {
    if (kind != Matching.REGEXP) {
      return new LikePattern(ByteText.of(pattern), kind == Matching.ILIKE)::matches;
    }
    Pattern compiled = pattern(pattern);
    return value -> found(compiled, value);
  }

  /**
   * A regular expression.
   *
   * @throws EngineException {@code CANNOT_COMPILE_REGEXP}
   */
  static Pattern pattern(byte[] pattern) {
    try {
      return Pattern.compile(new String(pattern, StandardCharsets.UTF_8), Pattern.DOTALL);
    } catch (PatternSyntaxException e) {
      throw new EngineException(
          ErrorCode.CANNOT_COMPILE_REGEXP,
          "regular expression '"
              + new String(pattern, StandardCharsets.UTF_8)
              + "': "
              + e.getDescription(),
          e);
    }
  }

  /** Java's expressions can backtrack without end, so their steps are counted. */
  static java.util.regex.Matcher matcher(Pattern pattern, byte[] value) {
    return pattern.matcher(new CountedText(ByteText.of(value)));
  }

  private static boolean found(Pattern pattern, byte[] value) {
    try {
      return matcher(pattern, value).find();
    } catch (StackOverflowError e) {
      throw new EngineException(
          ErrorCode.CANNOT_COMPILE_REGEXP,
          "regular expression '" + pattern + "' needs too much stack on this string",
          e);
    }
  }

  private static final class CountedText implements CharSequence {
    private static final int MAX_STEPS = 50_000_000;

    private final String text;
    private int steps;

    CountedText(String text) {
      this.text = text;
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      if (++steps > MAX_STEPS) {
        throw EngineException.of(
            ErrorCode.CANNOT_COMPILE_REGEXP,
            "regular expression takes more than %d steps on one string",
            MAX_STEPS);
      }
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.substring(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
