package io.coppice.language.parse;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.text.Identifiers;
import io.coppice.language.text.Quoted;
import io.coppice.language.type.DataType;
import io.coppice.language.type.DataType.ArrayType;
import io.coppice.language.type.DataType.DateTime64Type;
import io.coppice.language.type.DataType.DateTimeType;
import io.coppice.language.type.DataType.DecimalType;
import io.coppice.language.type.DataType.Element;
import io.coppice.language.type.DataType.EnumType;
import io.coppice.language.type.DataType.FixedStringType;
import io.coppice.language.type.DataType.GeometryType;
import io.coppice.language.type.DataType.IntervalType;
import io.coppice.language.type.DataType.LowCardinalityType;
import io.coppice.language.type.DataType.MapType;
import io.coppice.language.type.DataType.NestedType;
import io.coppice.language.type.DataType.NullableType;
import io.coppice.language.type.DataType.OpaqueType;
import io.coppice.language.type.DataType.SimpleAggregateType;
import io.coppice.language.type.DataType.Time64Type;
import io.coppice.language.type.DataType.TupleType;
import io.coppice.language.type.PlainType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Types from text, by recursive descent: columns.txt of a wide table holds ten thousand of them,
 * and most are one word. Every alias of ClickHouse 26.7 is known; names are matched as it does, by
 * case or without.
 */
final class TypeParser {
  private static final int MAX_DEPTH = 100;
  private static final int MAX_FIXED_STRING = 0xFFFFFF;

  private static final Map<String, String> ALIASES = aliases();

  /** Families that are matched without case, by their lower-case names. */
  private static final Map<String, String> FOLDED =
      folded(
          "Bool",
          "Date",
          "Date32",
          "DateTime",
          "DateTime32",
          "DateTime64",
          "Decimal",
          "Decimal32",
          "Decimal64",
          "Decimal128",
          "Decimal256",
          "Enum",
          "JSON",
          "Time",
          "Time64");

  private static final Map<String, GeometryType> SHAPES = shapes();
  private static final Map<String, IntervalType> INTERVALS = intervals();

  /** Types that exist but whose data is not read or written. */
  private static final Set<String> OPAQUE =
      Set.of("Variant", "Dynamic", "JSON", "Object", "AggregateFunction", "QBit", "Geometry");

  private final String text;
  private int at;
  private int depth;

  private TypeParser(String text) {
    this.text = text;
  }

  static DataType parse(String text) {
    Optional<PlainType> plain = PlainType.named(text);
    if (plain.isPresent()) {
      return plain.get();
    }
    TypeParser parser = new TypeParser(text);
    DataType type = parser.type();
    parser.space();
    if (parser.at < text.length()) {
      throw parser.syntax("the end of the type");
    }
    return type;
  }

  private DataType type() {
    if (++depth > MAX_DEPTH) {
      throw EngineException.of(
          ErrorCode.TOO_DEEP_RECURSION,
          "type nested deeper than %d levels at column %d",
          MAX_DEPTH,
          at + 1);
    }
    String written = name();
    String family = family(written);
    DataType type = ofFamily(family, written);
    depth--;
    return type;
  }

  /** The family's own name, after the alias of up to four words at hand is resolved. */
  private String family(String first) {
    String lower = first.toLowerCase(Locale.ROOT);
    String best = ALIASES.get(lower);
    int bestEnd = at;
    StringBuilder words = new StringBuilder(lower);
    for (int i = 0; i < 3; i++) {
      String word = peekWord();
      if (word == null) {
        break;
      }
      words.append(' ').append(word.toLowerCase(Locale.ROOT));
      String longer = ALIASES.get(words.toString());
      if (longer != null) {
        best = longer;
        bestEnd = at;
      }
    }
    at = bestEnd;
    if (best != null && !first.equals("GEOMETRY")) {
      return best;
    }
    if (first.equals("GEOMETRY")) {
      return "Geometry";
    }
    return FOLDED.getOrDefault(lower, first);
  }

  private DataType ofFamily(String family, String written) {
    Optional<PlainType> plain = PlainType.named(family);
    if (plain.isPresent()) {
      skipArguments(family);
      return plain.get();
    }
    if (SHAPES.containsKey(family)) {
      return SHAPES.get(family);
    }
    if (INTERVALS.containsKey(family)) {
      return INTERVALS.get(family);
    }
    if (OPAQUE.contains(family)) {
      return opaque(family);
    }
    return switch (family) {
      case "Nullable" -> nullable(one(family));
      case "LowCardinality" -> lowCardinality(one(family));
      case "Array" -> new ArrayType(one(family));
      case "Map" -> map();
      case "Tuple" -> new TupleType(elements(family));
      case "Nested" -> nested();
      case "FixedString" -> fixedString();
      case "Decimal" -> decimal();
      case "Decimal32" -> decimal(9);
      case "Decimal64" -> decimal(18);
      case "Decimal128" -> decimal(38);
      case "Decimal256" -> decimal(76);
      case "DateTime" -> dateTime();
      case "DateTime32" -> new DateTimeType(zoneOnly());
      case "DateTime64" -> dateTime64();
      case "Time64" -> time64();
      case "Enum", "Enum8", "Enum16" -> enumeration(family);
      case "SimpleAggregateFunction" -> simpleAggregate();
      default ->
          throw EngineException.of(
              ErrorCode.UNKNOWN_TYPE,
              "unknown type '%s'%s",
              shortened(written),
              PlainType.ofAnyCase(written).map(t -> ", perhaps " + t.text()).orElse(""));
    };
  }

  // Families

  private DataType nullable(DataType inner) {
    if (inner instanceof NullableType
        || inner instanceof ArrayType
        || inner instanceof MapType
        || inner instanceof NestedType
        || inner instanceof LowCardinalityType
        || inner instanceof OpaqueType) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_TYPE_OF_ARGUMENT, "%s cannot be inside Nullable", inner.text());
    }
    return new NullableType(inner);
  }

  private DataType lowCardinality(DataType inner) {
    DataType value = inner instanceof NullableType n ? n.inner() : inner;
    boolean fits =
        (value instanceof PlainType plain && plain != PlainType.NOTHING && plain != PlainType.TIME)
            || value instanceof FixedStringType
            || value instanceof DateTimeType;
    if (!fits) {
      throw EngineException.of(
          ErrorCode.ILLEGAL_TYPE_OF_ARGUMENT,
          "LowCardinality holds numbers, strings, Date or DateTime, not %s",
          inner.text());
    }
    return new LowCardinalityType(inner);
  }

  private DataType map() {
    open("Map");
    DataType key = type();
    if (peek() == ')') {
      throw EngineException.of(
          ErrorCode.NUMBER_OF_ARGUMENTS_DOESNT_MATCH, "Map takes two types, of keys and of values");
    }
    expect(',');
    DataType value = type();
    expect(')');
    if (key.nullable()) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS, "Map cannot have a key of type %s", key.text());
    }
    return new MapType(key, value);
  }

  private DataType nested() {
    List<Element> elements = elements("Nested");
    if (elements.isEmpty()) {
      throw EngineException.of(ErrorCode.EMPTY_DATA_PASSED, "Nested without elements");
    }
    if (elements.get(0).name().isEmpty()) {
      throw EngineException.of(ErrorCode.BAD_ARGUMENTS, "Nested needs elements with names");
    }
    return new NestedType(elements);
  }

  private List<Element> elements(String family) {
    List<Element> elements = new ArrayList<>();
    if (!accept('(')) {
      return elements;
    }
    Set<String> names = new HashSet<>();
    int named = 0;
    while (!accept(')')) {
      if (!elements.isEmpty()) {
        expect(',');
      }
      Optional<String> name = elementName();
      if (name.isPresent()) {
        named++;
        if (!names.add(name.get())) {
          throw EngineException.of(
              ErrorCode.DUPLICATE_COLUMN, "%s has two elements named %s", family, name.get());
        }
      }
      elements.add(new Element(name, type()));
    }
    if (named != 0 && named != elements.size()) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS, "%s: names for some of the elements only", family);
    }
    return elements;
  }

  /** The name before an element's type, if there is one. */
  private Optional<String> elementName() {
    space();
    int start = at;
    if (at < text.length() && (text.charAt(at) == '`' || text.charAt(at) == '"')) {
      return Optional.of(name());
    }
    String word = name();
    space();
    boolean typeFollows =
        at < text.length()
            && (wordStart(text.charAt(at)) || text.charAt(at) == '`')
            && !ALIASES.containsKey(multiWord(start));
    if (typeFollows) {
      return Optional.of(word);
    }
    at = start;
    return Optional.empty();
  }

  /** The two words from {@code start} on, lower case, to tell "DOUBLE PRECISION" from "a Int8". */
  private String multiWord(int start) {
    int saved = at;
    at = start;
    String first = peekWord();
    String second = peekWord();
    at = saved;
    return (first + " " + second).toLowerCase(Locale.ROOT);
  }

  private DataType fixedString() {
    if (!accept('(')) {
      throw EngineException.of(
          ErrorCode.NUMBER_OF_ARGUMENTS_DOESNT_MATCH,
          "FixedString needs its size in bytes, as in FixedString(16)");
    }
    if (peek() == '\'') {
      throw EngineException.of(
          ErrorCode.UNEXPECTED_AST_STRUCTURE,
          "FixedString(%s): the size must be a number",
          Identifiers.quoteString(shortened(string())));
    }
    space();
    int start = at;
    long size = number();
    String written = shortened(text.substring(start, at));
    expect(')');
    if (size < 1 || size == Long.MAX_VALUE) {
      throw EngineException.of(
          ErrorCode.UNEXPECTED_AST_STRUCTURE,
          "FixedString(%s): the size must be positive, and at most %d",
          written,
          MAX_FIXED_STRING);
    }
    if (size > MAX_FIXED_STRING) {
      throw EngineException.of(
          ErrorCode.ARGUMENT_OUT_OF_BOUND,
          "FixedString(%s): at most %d bytes",
          written,
          MAX_FIXED_STRING);
    }
    return new FixedStringType((int) size);
  }

  private DataType decimal() {
    long precision = 10;
    long scale = 0;
    if (accept('(')) {
      if (peek() == '\'') {
        throw EngineException.of(
            ErrorCode.ILLEGAL_TYPE_OF_ARGUMENT, "Decimal takes its precision as a number");
      }
      precision = number();
      if (accept(',')) {
        scale = number();
      }
      expect(')');
    }
    return decimal(precision, scale);
  }

  private DataType decimal(int precision) {
    open("Decimal" + (precision == 9 ? 32 : precision == 18 ? 64 : precision == 38 ? 128 : 256));
    long scale = number();
    expect(')');
    return decimal(precision, scale);
  }

  private static DataType decimal(long precision, long scale) {
    if (precision < 1 || precision > 76) {
      throw EngineException.of(
          ErrorCode.ARGUMENT_OUT_OF_BOUND, "Decimal precision %d, it is 1 to 76", precision);
    }
    if (scale < 0 || scale > precision) {
      throw EngineException.of(
          ErrorCode.ARGUMENT_OUT_OF_BOUND,
          "Decimal(%d, %d): the scale is 0 to the precision",
          precision,
          scale);
    }
    return new DecimalType((int) precision, (int) scale);
  }

  private DataType dateTime() {
    if (!accept('(')) {
      return new DateTimeType(Optional.empty());
    }
    if (accept(')')) {
      return new DateTimeType(Optional.empty());
    }
    if (peek() == '\'') {
      String zone = string();
      expect(')');
      return new DateTimeType(Optional.of(zone(zone)));
    }
    return scaled(number());
  }

  private DataType scaled(long scale) {
    Optional<String> zone = accept(',') ? Optional.of(zone(string())) : Optional.empty();
    expect(')');
    return scale == 0 && zone.isEmpty()
        ? new DateTimeType(zone)
        : new DateTime64Type(scale("DateTime64", scale), zone);
  }

  private DataType dateTime64() {
    if (!accept('(')) {
      return new DateTime64Type(3, Optional.empty());
    }
    if (peek() == '\'') {
      throw EngineException.of(
          ErrorCode.ILLEGAL_TYPE_OF_ARGUMENT, "DateTime64 takes its scale first, then the zone");
    }
    int scale = scale("DateTime64", number());
    Optional<String> zone = accept(',') ? Optional.of(zone(string())) : Optional.empty();
    expect(')');
    return new DateTime64Type(scale, zone);
  }

  private Optional<String> zoneOnly() {
    if (!accept('(')) {
      return Optional.empty();
    }
    Optional<String> zone = peek() == '\'' ? Optional.of(zone(string())) : Optional.empty();
    expect(')');
    return zone;
  }

  private static String zone(String zone) {
    try {
      java.time.ZoneId.of(zone);
    } catch (java.time.DateTimeException e) {
      throw new EngineException(ErrorCode.BAD_ARGUMENTS, "unknown time zone '" + zone + "'", e);
    }
    return zone;
  }

  private DataType time64() {
    int scale = 3;
    if (accept('(')) {
      scale = scale("Time64", number());
      expect(')');
    }
    return new Time64Type(scale);
  }

  private static int scale(String family, long scale) {
    if (scale < 0 || scale > 9) {
      boolean time = family.equals("Time64");
      throw EngineException.of(
          time
              ? ErrorCode.BAD_ARGUMENTS
              : scale < 0 ? ErrorCode.ILLEGAL_TYPE_OF_ARGUMENT : ErrorCode.ARGUMENT_OUT_OF_BOUND,
          "%s of scale %d, at most 9 (nanoseconds)",
          family,
          scale);
    }
    return (int) scale;
  }

  private DataType enumeration(String family) {
    if (!accept('(')) {
      throw EngineException.of(ErrorCode.EMPTY_DATA_PASSED, "%s without elements", family);
    }
    List<EnumType.Entry> entries = new ArrayList<>();
    Map<String, Long> values = new HashMap<>();
    Map<Long, String> names = new HashMap<>();
    boolean counted = false;
    long next = 1;
    while (!accept(')')) {
      if (!entries.isEmpty()) {
        expect(',');
      }
      String name = string();
      if (accept('=')) {
        if (counted) {
          throw EngineException.of(
              ErrorCode.UNEXPECTED_AST_STRUCTURE,
              "%s: a number for '%s' after elements without one",
              family,
              shortened(name));
        }
        next = number();
      } else {
        counted = true;
      }
      if (next < Short.MIN_VALUE || next > Short.MAX_VALUE) {
        throw outOfEnum(family, name, next);
      }
      if (values.put(name, next) != null) {
        throw EngineException.of(
            ErrorCode.SYNTAX_ERROR, "%s has two elements '%s'", family, shortened(name));
      }
      String twin = names.put(next, name);
      if (twin != null) {
        throw EngineException.of(
            ErrorCode.SYNTAX_ERROR,
            "%s: '%s' and '%s' have the same number %d",
            family,
            shortened(twin),
            shortened(name),
            next);
      }
      entries.add(new EnumType.Entry(name, (int) next));
      next++;
    }
    if (entries.isEmpty()) {
      throw EngineException.of(ErrorCode.EMPTY_DATA_PASSED, "%s without elements", family);
    }
    boolean small = entries.stream().allMatch(e -> e.value() == (byte) e.value());
    if (family.equals("Enum8") && !small) {
      EnumType.Entry large =
          entries.stream().filter(e -> e.value() != (byte) e.value()).findFirst().orElseThrow();
      throw outOfEnum(family, large.name(), large.value());
    }
    return new EnumType(family.equals("Enum16") || !small ? 2 : 1, entries);
  }

  private static EngineException outOfEnum(String family, String name, long value) {
    return EngineException.of(
        ErrorCode.ARGUMENT_OUT_OF_BOUND,
        "%s: number %d of '%s' is out of its range",
        family,
        value,
        shortened(name));
  }

  private DataType simpleAggregate() {
    open("SimpleAggregateFunction");
    space();
    int start = at;
    String function = name();
    if (peek() == '(') {
      function = function + balanced();
    }
    if (accept(',')) {
      DataType inner = type();
      expect(')');
      return new SimpleAggregateType(simpleFunction(function), inner);
    }
    at = start;
    throw syntax("a function and a type");
  }

  private static String simpleFunction(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "sum", "min", "max", "any" -> name.toLowerCase(Locale.ROOT);
      default -> name;
    };
  }

  private DataType opaque(String family) {
    if (!accept('(')) {
      return new OpaqueType(family, family);
    }
    if (family.equals("Variant")) {
      List<DataType> types = new ArrayList<>();
      while (!accept(')')) {
        if (!types.isEmpty()) {
          expect(',');
        }
        types.add(type());
      }
      types.sort(Comparator.comparing(DataType::text));
      List<String> texts = types.stream().map(DataType::text).toList();
      return new OpaqueType(family, "Variant(" + String.join(", ", texts) + ")");
    }
    at--;
    return new OpaqueType(family, family + balanced());
  }

  // Words and signs

  private DataType one(String family) {
    if (!accept('(') || peek() == ')') {
      throw arguments(family);
    }
    DataType type = type();
    if (peek() == ',') {
      throw arguments(family);
    }
    expect(')');
    return type;
  }

  private static EngineException arguments(String family) {
    return EngineException.of(
        ErrorCode.NUMBER_OF_ARGUMENTS_DOESNT_MATCH, "%s takes exactly one type", family);
  }

  private void open(String family) {
    if (!accept('(')) {
      throw EngineException.of(
          ErrorCode.NUMBER_OF_ARGUMENTS_DOESNT_MATCH, "%s needs arguments in brackets", family);
    }
  }

  /** Plain types take arguments and ignore them, as in INT(11). */
  private void skipArguments(String family) {
    if (peek() == '(') {
      if (PlainType.NOTHING.text().equals(family)) {
        throw syntax("the end of the type");
      }
      balanced();
    }
  }

  /** What is in the brackets at hand with them, words a space apart, `, ` after commas. */
  private String balanced() {
    StringBuilder out = new StringBuilder();
    int open = 0;
    boolean word = false;
    while (true) {
      space();
      if (at >= text.length()) {
        throw syntax("')'");
      }
      char c = text.charAt(at);
      if (c == '(') {
        open++;
        at++;
        out.append(c);
        word = false;
      } else if (c == ')') {
        open--;
        at++;
        out.append(c);
        word = false;
        if (open == 0) {
          return out.toString();
        }
      } else if (c == ',') {
        at++;
        out.append(", ");
        word = false;
      } else {
        boolean wordHere = wordStart(c) || Character.isDigit(c) || c == '\'' || c == '`';
        if (wordHere && (word || out.charAt(out.length() - 1) == ')')) {
          out.append(' ');
        }
        if (c == '\'') {
          out.append(Identifiers.quoteString(string()));
        } else if (c == '`' || c == '"') {
          out.append(Identifiers.backQuoteIfNeeded(name()));
        } else if (wordHere) {
          int start = at;
          while (at < text.length() && wordPart(text.charAt(at))) {
            at++;
          }
          out.append(text, start, at);
        } else {
          out.append(c);
          at++;
        }
        word = wordHere;
      }
    }
  }

  private String name() {
    space();
    if (at >= text.length()) {
      throw syntax("the name of a type");
    }
    char c = text.charAt(at);
    if (c == '`' || c == '"') {
      return quoted(c);
    }
    if (!wordStart(c)) {
      throw syntax("a name");
    }
    int start = at;
    while (at < text.length() && wordPart(text.charAt(at))) {
      at++;
    }
    return text.substring(start, at);
  }

  /** The next word if there is one, passing it. */
  private String peekWord() {
    int saved = at;
    space();
    if (at < text.length() && wordStart(text.charAt(at))) {
      return name();
    }
    at = saved;
    return null;
  }

  private String string() {
    space();
    if (at >= text.length() || text.charAt(at) != '\'') {
      throw syntax("a string in single quotes");
    }
    return quoted('\'');
  }

  private String quoted(char mark) {
    int end = Quoted.end(text, at);
    if (end < 0) {
      throw syntax("a closing " + mark);
    }
    String value = Quoted.value(text.substring(at, end));
    at = end;
    return value;
  }

  private long number() {
    space();
    int start = at;
    if (at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+')) {
      at++;
      space();
    }
    int digits = at;
    long value = 0;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      int digit = text.charAt(at) - '0';
      value = value > (Long.MAX_VALUE - digit) / 10 ? Long.MAX_VALUE : value * 10 + digit;
      at++;
    }
    if (at == digits) {
      at = start;
      throw syntax("a number");
    }
    return text.charAt(start) == '-' ? -value : value;
  }

  private char peek() {
    space();
    return at < text.length() ? text.charAt(at) : 0;
  }

  private boolean accept(char c) {
    if (peek() == c) {
      at++;
      return true;
    }
    return false;
  }

  private void expect(char c) {
    if (!accept(c)) {
      throw syntax("'" + c + "'");
    }
  }

  private void space() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private EngineException syntax(String expected) {
    int line = 1;
    int lineStart = 0;
    for (int i = 0; i < at; i++) {
      if (text.charAt(i) == '\n') {
        line++;
        lineStart = i + 1;
      }
    }
    return EngineException.of(
        ErrorCode.SYNTAX_ERROR,
        "type '%s': syntax error at line %d, column %d: found %s, expected %s",
        shortened(text),
        line,
        at - lineStart + 1,
        at < text.length() ? "'" + text.charAt(at) + "'" : "the end of the text",
        expected);
  }

  private static String shortened(String text) {
    return text.length() <= 80 ? text : text.substring(0, 80) + "…";
  }

  private static boolean wordStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  private static boolean wordPart(char c) {
    return wordStart(c) || (c >= '0' && c <= '9');
  }

  // Tables

  private static Map<String, String> folded(String... names) {
    Map<String, String> folded = new HashMap<>();
    for (String name : names) {
      folded.put(name.toLowerCase(Locale.ROOT), name);
    }
    return folded;
  }

  private static Map<String, GeometryType> shapes() {
    Map<String, GeometryType> shapes = new HashMap<>();
    for (GeometryType.Shape shape : GeometryType.Shape.values()) {
      shapes.put(shape.text(), new GeometryType(shape));
    }
    return shapes;
  }

  private static Map<String, IntervalType> intervals() {
    Map<String, IntervalType> intervals = new HashMap<>();
    for (IntervalType.Unit unit : IntervalType.Unit.values()) {
      IntervalType type = new IntervalType(unit);
      intervals.put(type.text(), type);
    }
    return intervals;
  }

  /** Alias in lower case to family. Words of an alias are one space apart. */
  private static Map<String, String> aliases() {
    Map<String, String> all = new HashMap<>();
    Supplier<String[]> signed = () -> new String[] {"", " signed"};
    for (String sign : signed.get()) {
      all.put("int1" + sign, "Int8");
      all.put("tinyint" + sign, "Int8");
      all.put("smallint" + sign, "Int16");
      all.put("mediumint" + sign, "Int32");
      all.put("int" + sign, "Int32");
      all.put("integer" + sign, "Int32");
      all.put("bigint" + sign, "Int64");
    }
    all.put("int1 unsigned", "UInt8");
    all.put("tinyint unsigned", "UInt8");
    all.put("smallint unsigned", "UInt16");
    all.put("mediumint unsigned", "UInt32");
    all.put("int unsigned", "UInt32");
    all.put("integer unsigned", "UInt32");
    all.put("bigint unsigned", "UInt64");
    all.put("byte", "Int8");
    all.put("signed", "Int64");
    all.put("unsigned", "UInt64");
    all.put("bit", "UInt64");
    all.put("set", "UInt64");
    all.put("year", "UInt16");
    all.put("boolean", "Bool");
    all.put("float", "Float32");
    all.put("real", "Float32");
    all.put("single", "Float32");
    all.put("double", "Float64");
    all.put("double precision", "Float64");
    all.put("dec", "Decimal");
    all.put("numeric", "Decimal");
    all.put("fixed", "Decimal");
    all.put("timestamp", "DateTime");
    all.put("inet4", "IPv4");
    all.put("inet6", "IPv6");
    all.put("binary", "FixedString");
    for (String string :
        List.of(
            "binary large object",
            "binary varying",
            "blob",
            "bytea",
            "char",
            "char large object",
            "char varying",
            "character",
            "character large object",
            "character varying",
            "clob",
            "longblob",
            "longtext",
            "mediumblob",
            "mediumtext",
            "national char",
            "national char varying",
            "national character",
            "national character large object",
            "national character varying",
            "nchar",
            "nchar large object",
            "nchar varying",
            "nvarchar",
            "text",
            "tinyblob",
            "tinytext",
            "varbinary",
            "varchar",
            "varchar2")) {
      all.put(string, "String");
    }
    return all;
  }
}
