package io.coppice.query;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Literal;
import io.coppice.language.text.NearNames;
import io.coppice.query.system.KnownSetting;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The settings that ClickHouse 26.7 has, by name, whether they are served here or not, with their
 * types and defaults; read when a statement names the first. Stateless.
 */
final class KnownSettings {
  /** Settings of how something is done, which change no answer: any value of them is taken. */
  private static final Pattern NEUTRAL =
      Pattern.compile(
          "(optimize|query_plan|compile|min_count_to_compile|log|filesystem|page_cache|query_cache"
              + "|read_in_order|read_backoff|prefetch|remote|local_filesystem|storage_file|s3|azure"
              + "|hdfs|http|distributed|parallel|memory|jemalloc|query_profiler|trace|background"
              + "|network|send|receive|connect|handshake|hedged|load_balancing|group_by_two_level"
              + "|max_bytes_before_external|max_bytes_ratio_before_external|temporary"
              + "|merge_tree|max_streams|max_read_buffer|preferred_block|opentelemetry"
              + "|aggregation_(in_order|memory)|max_size_to_preallocate|collect_hash_table"
              + "|enable_(multiple_prewhere|optimize|software_prefetch|parallel|reads_from|writes_to"
              + "|memory_bound|producing|sharding|lazy_columns|join_runtime|scalar_subquery)"
              + "|use_(skip_indexes|statistics|top_k|hedged|concurrency|index_for|lightweight"
              + "|primary_key|partition|text_index|query_condition|constant_folding|cache)"
              + "|allow_(reorder_prewhere|prefetched|asynchronous|push_predicate|aggregate_part"
              + "|limit_by|statistics|key_condition|execute_multiif|simdjson|hyperscan))_.*"
              + "|.*_threads|.*_cache|.*_bandwidth.*|move_.*_prewhere.*|secondary_indices.*"
              + "|interactive_delay|poll_interval|priority|workload|.*_profile_.*|max_pipeline_depth");

  /** Those among them that do. */
  private static final Set<String> NOT_NEUTRAL =
      Set.of(
          "optimize_on_insert",
          "optimize_throw_if_noop",
          "optimize_skip_unused_shards",
          "optimize_group_by_constant_keys",
          "use_query_cache",
          "merge_tree_determine_task_size_by_prewhere_columns");

  private static final Set<String> BOOLEANS =
      Set.of("0", "1", "true", "false", "t", "f", "y", "n", "yes", "no", "on", "off");

  private static final class Loaded {
    private static final Map<String, KnownSetting> ALL =
        KnownSetting.ofStatements().stream()
            .collect(Collectors.toUnmodifiableMap(KnownSetting::name, Function.identity()));
  }

  private KnownSettings() {}

  /**
   * Refuses a setting that there is not, a value that it cannot have, and a value other than the
   * default for what is neither served nor neutral: passed over, it would be a wrong answer.
   *
   * @param served whether the setting is
   * @throws EngineException UNKNOWN_SETTING, NOT_IMPLEMENTED, or what 26.7 says of such a value
   */
  static void check(String name, Literal value, boolean served) {
    KnownSetting known = Loaded.ALL.get(name);
    if (known == null) {
      throw EngineException.of(
          ErrorCode.UNKNOWN_SETTING,
          "there is no setting %s%s",
          name,
          NearNames.hint(name, Loaded.ALL.keySet()));
    }
    checkValue(name, known.type(), value);
    if (!served && !plain(value).equals(known.otherwise()) && !neutral(name)) {
      throw EngineException.of(
          ErrorCode.NOT_IMPLEMENTED,
          "setting %s is not served; leave it at %s, its default",
          name,
          known.otherwise().isEmpty() ? "''" : known.otherwise());
    }
  }

  private static boolean neutral(String name) {
    return NEUTRAL.matcher(name).matches() && !NOT_NEUTRAL.contains(name);
  }

  private static String plain(Literal value) {
    return value instanceof Literal.BoolLiteral flag
        ? flag.value() ? "1" : "0"
        : Settings.text(value);
  }

  private static void checkValue(String name, String type, Literal value) {
    switch (type) {
      case "Bool" -> checkBool(name, value);
      case "UInt64", "NonZeroUInt64", "Int64", "Int32", "MaxThreads", "UInt64Auto" ->
          checkInteger(name, type, value);
      case "Float", "Double", "Seconds", "Milliseconds" -> checkNumber(name, value);
      case "String" -> {
        if (!(value instanceof Literal.StringLiteral)) {
          throw refused(ErrorCode.BAD_GET, name, value, "a string");
        }
      }
      case "Char" -> {
        if (plain(value).length() > 1) {
          throw refused(
              ErrorCode.SIZE_OF_FIXED_STRING_DOESNT_MATCH, name, value, "a single character");
        }
      }
      default -> {} // names of ways, which those who serve them know
    }
  }

  private static void checkBool(String name, Literal value) {
    if (value instanceof Literal.IntegerLiteral number
        && !number.value().equals(BigInteger.ZERO)
        && !number.value().equals(BigInteger.ONE)) {
      throw refused(ErrorCode.CANNOT_CONVERT_TYPE, name, value, "0 or 1");
    }
    if (value instanceof Literal.StringLiteral text
        && !BOOLEANS.contains(text.value().toLowerCase(Locale.ROOT))) {
      throw refused(ErrorCode.CANNOT_PARSE_BOOL, name, value, "0 or 1");
    }
  }

  private static void checkInteger(String name, String type, Literal value) {
    boolean signed = type.startsWith("Int");
    if (value instanceof Literal.StringLiteral text) {
      boolean auto =
          (type.equals("MaxThreads") || type.equals("UInt64Auto"))
              && text.value().startsWith("auto");
      if (!auto && !text.value().matches(signed ? "[+-]?\\d+" : "\\+?\\d+")) {
        throw refused(ErrorCode.CANNOT_PARSE_INPUT_ASSERTION_FAILED, name, value, "a whole number");
      }
    }
    if (!signed && value instanceof Literal.IntegerLiteral number && number.value().signum() < 0) {
      throw refused(ErrorCode.CANNOT_CONVERT_TYPE, name, value, "a number from 0 on");
    }
  }

  private static void checkNumber(String name, Literal value) {
    if (value instanceof Literal.StringLiteral text) {
      try {
        double unused = Double.parseDouble(text.value());
      } catch (NumberFormatException e) {
        throw refused(ErrorCode.CANNOT_PARSE_NUMBER, name, value, "a number");
      }
    }
  }

  private static EngineException refused(
      ErrorCode code, String name, Literal value, String expected) {
    return EngineException.of(
        code, "setting %s: the value %s, expected %s", name, value.text(), expected);
  }
}
