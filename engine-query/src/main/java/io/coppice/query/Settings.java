package io.coppice.query;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Literal;
import io.coppice.parts.text.FormatSetting;
import io.coppice.parts.text.FormatSettings;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The settings of a session that are served, by ClickHouse's names. Stateless. */
final class Settings {
  /** The zone of times that name none. */
  static final String TIMEZONE = "session_timezone";

  /** The most memory of one statement, bytes; 0 for as much as the engine has. */
  static final String MAX_MEMORY_USAGE = "max_memory_usage";

  /** Those that change no result: how much is done at once is the engine's matter. */
  private static final Set<String> WITHOUT_EFFECT =
      Set.of(
          "max_threads",
          "max_insert_threads",
          // ALTER is done when it returns.
          "alter_sync",
          "mutations_sync",
          // These types are always there.
          "enable_time_time64_type",
          "allow_experimental_bfloat16_type",
          "optimize_move_to_prewhere",
          "use_uncompressed_cache",
          // Asked where they matter.
          "allow_drop_detached",
          "insert_deduplicate",
          "insert_deduplication_token",
          "check_query_single_value_result",
          "use_skip_indexes_on_data_read",
          "optimize_trivial_count_query",
          "enable_parallel_replicas",
          "log_queries");

  /** Those that let CREATE and ALTER make what is refused without them. */
  private static final Set<String> ALLOWING =
      Set.of(
          "allow_suspicious_codecs",
          "allow_suspicious_fixed_string_types",
          "allow_suspicious_indices",
          "allow_suspicious_low_cardinality_types");

  private Settings() {}

  /** Those among the settings that let CREATE and ALTER make what is refused without them. */
  static Map<String, Literal> allowing(Map<String, Literal> settings) {
    Map<String, Literal> allowing = new LinkedHashMap<>(settings);
    allowing.keySet().retainAll(ALLOWING);
    return allowing;
  }

  /**
   * Refuses settings that there are not, and values that a setting cannot have or that are not
   * served.
   *
   * @throws EngineException UNKNOWN_SETTING, NOT_IMPLEMENTED, BAD_ARGUMENTS for an unknown zone,
   *     and what 26.7 says of a value
   */
  static void check(Map<String, Literal> settings) {
    settings.forEach(
        (name, value) -> {
          KnownSettings.check(name, value, served(name));
          if (name.equals(TIMEZONE)) {
            zone(value);
          }
        });
    formats(settings);
    for (InsertSetting setting : InsertSetting.values()) {
      setting.of(settings); // refuses what it cannot be
    }
  }

  private static boolean served(String name) {
    return name.equals(TIMEZONE)
        || name.equals(MAX_MEMORY_USAGE)
        || WITHOUT_EFFECT.contains(name)
        || ALLOWING.contains(name)
        || InsertSetting.named(name).isPresent()
        || FormatSetting.named(name).isPresent();
  }

  /** Those of formats. */
  static FormatSettings formats(Map<String, Literal> settings) {
    FormatSettings formats = FormatSettings.DEFAULT;
    for (Map.Entry<String, Literal> entry : settings.entrySet()) {
      Optional<FormatSetting> setting = FormatSetting.named(entry.getKey());
      if (setting.isPresent()) {
        formats = formats.with(setting.get(), text(entry.getValue()));
      }
    }
    return formats;
  }

  /** How many bytes of memory outside the heap a statement may hold at once. */
  static long memoryBytes(Map<String, Literal> settings) {
    Literal value = settings.get(MAX_MEMORY_USAGE);
    if (value == null) {
      return Long.MAX_VALUE;
    }
    BigInteger bytes = new BigDecimal(text(value)).toBigInteger();
    boolean limited = bytes.signum() > 0 && bytes.bitLength() < 64;
    return limited ? bytes.longValue() : Long.MAX_VALUE;
  }

  /** The text of a value, without the quotes of a string. */
  static String text(Literal value) {
    return value instanceof Literal.StringLiteral text ? text.value() : value.text();
  }

  /** The zone that a value of session_timezone names; empty text means UTC. */
  static ZoneId zone(Literal value) {
    String name = text(value);
    try {
      return name.isEmpty() ? java.time.ZoneOffset.UTC : ZoneId.of(name);
    } catch (DateTimeException e) {
      throw EngineException.of(ErrorCode.BAD_ARGUMENTS, "%s: unknown zone %s", TIMEZONE, name);
    }
  }
}
