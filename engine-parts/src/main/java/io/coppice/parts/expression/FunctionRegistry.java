package io.coppice.parts.expression;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.PlainType;
import io.coppice.parts.expression.Function.Argument;
import io.coppice.parts.expression.Function.Call;
import io.coppice.parts.expression.Function.Nulls;
import io.coppice.parts.expression.Function.Resolved;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Every function there is, by ClickHouse's names. Beside it the names of all functions of 26.7 are
 * known, with their aliases and whether case counts, so that an unknown function can be told from
 * one that is missing here. Immutable after loading.
 */
final class FunctionRegistry {
  private static final FunctionRegistry INSTANCE = new FunctionRegistry();

  /** Results that differ between calls: not for keys. */
  private static final Set<String> NOT_DETERMINISTIC =
      Set.of(
          "rand",
          "rand32",
          "rand64",
          "randConstant",
          "now",
          "now64",
          "today",
          "yesterday",
          "generateUUIDv4",
          "generateUUIDv7",
          "randomString",
          "hostName",
          "rowNumberInAllBlocks",
          "rowNumberInBlock",
          "blockNumber",
          "uptime",
          "currentDatabase",
          "version");

  record Entry(Function function, Nulls nulls) {}

  private final Map<String, Entry> functions = new HashMap<>();
  private final Map<String, String> aliases = new HashMap<>();
  private final Map<String, String> folded = new HashMap<>();
  private final Set<String> known = new HashSet<>();
  private final Set<String> aggregates = new HashSet<>();

  private FunctionRegistry() {
    readNames();
    aliases.put("DATE", "toDate");
    // Resolved before functions are looked up, so not in their list.
    known.addAll(List.of("untuple", "rollup", "cube", "grouping"));
    ArithmeticFunctions.register(this);
    ComparisonFunctions.register(this);
    LogicFunctions.register(this);
    ConditionalFunctions.register(this);
    ConversionFunctions.register(this);
    TimeFunctions.register(this);
    StringFunctions.register(this);
    HashFunctions.register(this);
    RoundingFunctions.register(this);
    CollectionFunctions.register(this);
    ArrayFunctions.register(this);
    LambdaFunctions.register(this);
    MathFunctions.register(this);
    LenientConversions.register(this);
    TextFunctions.register(this);
  }

  static FunctionRegistry instance() {
    return INSTANCE;
  }

  /** A function that gives NULL where an argument is NULL. */
  void add(String name, Function function) {
    functions.put(canonicalName(name), new Entry(function, Nulls.PROPAGATE));
  }

  /** The same for one that computes what lies behind a NULL, and throws if that cannot be. */
  void addSeeingDefaults(String name, Function function) {
    functions.put(canonicalName(name), new Entry(function, Nulls.PROPAGATE_DEFAULTS));
  }

  /** A function that sees NULLs. */
  void addWithNulls(String name, Function function) {
    functions.put(canonicalName(name), new Entry(function, Nulls.OWN));
  }

  /** The names of all functions that can be evaluated, sorted. */
  Set<String> names() {
    return new TreeSet<>(functions.keySet());
  }

  /** The names of all aggregate functions that ClickHouse has, sorted. */
  Set<String> aggregateNames() {
    return new TreeSet<>(aggregates);
  }

  /** ClickHouse's spelling of {@code name}: alias resolved, case corrected where it is free. */
  String canonicalName(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    String spelled = known.contains(name) ? name : folded.getOrDefault(lower, name);
    return aliases.getOrDefault(spelled, spelled);
  }

  boolean deterministic(String canonicalName) {
    return !NOT_DETERMINISTIC.contains(canonicalName);
  }

  Resolved resolve(String name, List<Argument> arguments, String defaultZone) {
    String canonical = canonicalName(name);
    Entry entry = functions.get(canonical);
    if (entry == null) {
      throw unknown(name, canonical);
    }
    Call call =
        new Call(canonical, arguments.stream().map(FunctionRegistry::bare).toList(), defaultZone);
    return entry.nulls() == Nulls.OWN
        ? entry.function().resolve(call)
        : propagating(entry.function(), call, entry.nulls() == Nulls.PROPAGATE_DEFAULTS);
  }

  /** ClickHouse's spelling of an aggregate function; empty if there is none of that name. */
  Optional<String> aggregate(String name) {
    String canonical = canonicalName(name);
    return aggregates.contains(canonical) ? Optional.of(canonical) : Optional.empty();
  }

  private static Argument bare(Argument argument) {
    return new Argument(Types.bare(argument.type()), argument.constant());
  }

  /** Strips Nullable from the arguments and puts it around the result. */
  private static Resolved propagating(Function function, Call call, boolean defaults) {
    boolean nullable = call.arguments().stream().anyMatch(a -> a.type() instanceof NullableType);
    if (!nullable) {
      return function.resolve(call);
    }
    if (call.arguments().stream().anyMatch(a -> Types.isNothing(a.type()))) {
      return new Resolved(
          new NullableType(PlainType.NOTHING), (args, rows) -> Values.Nothings.of(1, true));
    }
    List<Argument> inner = new ArrayList<>();
    for (Argument argument : call.arguments()) {
      inner.add(new Argument(Types.notNull(argument.type()), argument.constant()));
    }
    Resolved resolved = function.resolve(call.withArguments(inner));
    DataType result = resolved.type();
    Function.Kernel kernel =
        (args, rows) -> {
          boolean[] nulls = eitherNull(args, rows);
          boolean allConstant = true;
          Values[] plain = new Values[args.length];
          for (int i = 0; i < args.length; i++) {
            DataType type = inner.get(i).type();
            plain[i] =
                defaults && args[i].nulls() != null
                    ? Defaults.inPlaceOfNulls(args[i], type)
                    : defaulted(args[i], type);
            allConstant &= args[i].constant();
          }
          Values values = resolved.kernel().run(plain, rows);
          if (nulls == null) {
            return values;
          }
          if (values.constant() && !allConstant) {
            values = values.full(rows);
          }
          if (values.nulls() != null) {
            boolean[] own = values.nulls();
            for (int i = 0; i < nulls.length; i++) {
              nulls[i] |= own[i];
            }
          }
          return values.withNulls(nulls);
        };
    return new Resolved(Types.nullable(result), kernel, resolved.monotonicity());
  }

  /** Rows that are NULL in any argument; of length 1 if all are constants; null for none. */
  static boolean[] eitherNull(Values[] args, int rows) {
    boolean any = false;
    boolean constant = true;
    for (Values arg : args) {
      any |= arg.nulls() != null;
      constant &= arg.constant();
    }
    if (!any) {
      return null;
    }
    boolean[] nulls = new boolean[constant ? 1 : rows];
    for (Values arg : args) {
      if (arg.nulls() != null) {
        for (int i = 0; i < nulls.length; i++) {
          nulls[i] |= arg.isNull(i);
        }
      }
    }
    return nulls;
  }

  /** Without nulls, and with values in their places that no function stumbles over. */
  private static Values defaulted(Values values, DataType type) {
    boolean[] nulls = values.nulls();
    if (nulls == null) {
      return values;
    }
    if (type instanceof DataType.EnumType) {
      return Defaults.inPlaceOfNulls(values, type);
    }
    if (values instanceof Values.Longs longs) {
      long[] filled = longs.values.clone();
      for (int i = 0; i < filled.length; i++) {
        if (nulls[i]) {
          filled[i] = 1;
        }
      }
      return new Values.Longs(filled, values.constant(), null);
    }
    if (values instanceof Values.Bigs bigs) {
      java.math.BigInteger[] filled = bigs.values.clone();
      for (int i = 0; i < filled.length; i++) {
        if (nulls[i]) {
          filled[i] = java.math.BigInteger.ONE;
        }
      }
      return new Values.Bigs(filled, values.constant(), null);
    }
    if (values instanceof Values.Strings strings && type == PlainType.STRING) {
      return new Values.Strings(strings.bytes, strings.offsets, values.constant(), null);
    }
    return values.withNulls(null);
  }

  private EngineException unknown(String name, String canonical) {
    if (aggregates.contains(canonical)) {
      return EngineException.of(
          ErrorCode.ILLEGAL_AGGREGATION,
          "%s is an aggregate function; only functions of single rows can be evaluated here",
          name);
    }
    if (known.contains(canonical)) {
      return EngineException.of(
          ErrorCode.NOT_IMPLEMENTED, "function %s of ClickHouse is not supported yet", name);
    }
    String lower = name.toLowerCase(Locale.ROOT);
    Optional<String> hint =
        known.stream()
            .filter(candidate -> distance(candidate.toLowerCase(Locale.ROOT), lower) <= 2)
            .min(
                java.util.Comparator.<String>comparingInt(
                        candidate -> distance(candidate.toLowerCase(Locale.ROOT), lower))
                    .thenComparing(candidate -> candidate));
    return EngineException.of(
        ErrorCode.UNKNOWN_FUNCTION,
        "unknown function %s%s",
        name.length() > 80 ? name.substring(0, 80) + "…" : name,
        hint.map(text -> ", perhaps " + text).orElse(""));
  }

  /** Edits between two words, 3 standing for 3 and more. */
  private static int distance(String a, String b) {
    if (Math.abs(a.length() - b.length()) > 2) {
      return 3;
    }
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(change, Math.min(previous[j], current[j - 1]) + 1);
      }
      previous = current;
    }
    return Math.min(3, previous[b.length()]);
  }

  private void readNames() {
    try (InputStream in = FunctionRegistry.class.getResourceAsStream("functions-26.7.tsv")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      text.lines()
          .map(line -> line.split("\t", -1))
          .forEach(
              row -> {
                known.add(row[0]);
                if (row[1].equals("1")) {
                  folded.put(row[0].toLowerCase(Locale.ROOT), row[0]);
                }
                if (!row[2].isEmpty()) {
                  aliases.put(row[0], row[2]);
                }
                if (row[3].equals("1")) {
                  aggregates.add(row[0]);
                }
              });
    } catch (IOException e) {
      throw new UncheckedIOException("the list of functions inside the library", e);
    }
  }
}
