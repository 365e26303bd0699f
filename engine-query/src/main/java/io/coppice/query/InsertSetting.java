package io.coppice.query;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.engine.AsyncInsertSettings;
import io.coppice.engine.InsertSettings;
import io.coppice.language.expression.Literal;
import io.coppice.parts.text.BatchReader;
import io.coppice.parts.write.BlockLimits;
import io.coppice.parts.write.PartitionLimit;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The settings of how rows go into tables, by ClickHouse's names and with 26.7's defaults. */
enum InsertSetting {
  MAX_BLOCK("max_block_size", Kind.POSITIVE, 65_409),
  MIN_ROWS("min_insert_block_size_rows", Kind.COUNT, BlockLimits.DEFAULT.minRows()),
  MIN_BYTES("min_insert_block_size_bytes", Kind.COUNT, BlockLimits.DEFAULT.minBytes()),
  MAX_ROWS("max_insert_block_size", Kind.POSITIVE, BlockLimits.DEFAULT.maxRows()),
  MAX_ROWS_TOO("max_insert_block_size_rows", Kind.POSITIVE, BlockLimits.DEFAULT.maxRows()),
  MAX_BYTES("max_insert_block_size_bytes", Kind.COUNT, 0),
  STRICT("use_strict_insert_block_limits", Kind.FLAG, 0),
  PARALLEL_PARSING("input_format_parallel_parsing", Kind.FLAG, 1),
  CHUNK_BYTES("min_chunk_bytes_for_parallel_parsing", Kind.POSITIVE, 10_485_760),
  MAX_PARTITIONS("max_partitions_per_insert_block", Kind.COUNT, PartitionLimit.DEFAULT.most()),
  THROW_ON_MAX_PARTITIONS("throw_on_max_partitions_per_insert_block", Kind.FLAG, 1),
  PARTS_TO_DELAY("parts_to_delay_insert", Kind.COUNT, 0),
  PARTS_TO_THROW("parts_to_throw_insert", Kind.COUNT, 0),
  WITHOUT_VIEWS("materialized_views_ignore_errors", Kind.FLAG, 0),
  /** 1 in 26.7, whose clickhouse-local has no queue for it and inserts at once all the same. */
  ASYNC("async_insert", Kind.FLAG, 0),
  ASYNC_WAIT("wait_for_async_insert", Kind.FLAG, 1),
  ASYNC_WAIT_SECONDS("wait_for_async_insert_timeout", Kind.COUNT, 120),
  ASYNC_BYTES("async_insert_max_data_size", Kind.POSITIVE, AsyncInsertSettings.DEFAULT.maxBytes()),
  ASYNC_INSERTS(
      "async_insert_max_query_number", Kind.POSITIVE, AsyncInsertSettings.DEFAULT.maxInserts()),
  ASYNC_MIN_MILLIS(
      "async_insert_busy_timeout_min_ms",
      Kind.COUNT,
      AsyncInsertSettings.DEFAULT.minWait().toMillis()),
  ASYNC_MAX_MILLIS(
      "async_insert_busy_timeout_max_ms",
      Kind.POSITIVE,
      AsyncInsertSettings.DEFAULT.maxWait().toMillis()),
  ASYNC_MAX_MILLIS_TOO(
      "async_insert_busy_timeout_ms",
      Kind.POSITIVE,
      AsyncInsertSettings.DEFAULT.maxWait().toMillis()),
  ASYNC_ADAPTIVE("async_insert_use_adaptive_busy_timeout", Kind.FLAG, 1),
  ASYNC_DEDUPLICATE("async_insert_deduplicate", Kind.FLAG, 0);

  private static final long MOST_MILLIS = 365L * 24 * 60 * 60 * 1000;

  private final String text;
  private final Kind kind;
  private final long otherwise;

  private enum Kind {
    /** 0 or 1. */
    FLAG,
    /** 0 or more. */
    COUNT,
    /** 1 or more. */
    POSITIVE
  }

  InsertSetting(String text, Kind kind, long otherwise) {
    this.text = text;
    this.kind = kind;
    this.otherwise = otherwise;
  }

  /** ClickHouse's name. */
  String text() {
    return text;
  }

  static Optional<InsertSetting> named(String name) {
    return Arrays.stream(values()).filter(setting -> setting.text.equals(name)).findFirst();
  }

  /**
   * What the settings of a statement say.
   *
   * @throws EngineException BAD_ARGUMENTS for a value that the setting cannot have
   */
  long of(Map<String, Literal> settings) {
    Literal value = settings.get(text);
    if (value == null) {
      return otherwise;
    }
    String written = value instanceof Literal.StringLiteral s ? s.value() : value.text();
    BigInteger number;
    try {
      number =
          switch (written) {
            case "true" -> BigInteger.ONE;
            case "false" -> BigInteger.ZERO;
            default -> new BigInteger(written);
          };
    } catch (NumberFormatException e) {
      throw refused(written);
    }
    if (number.signum() < 0
        || kind == Kind.POSITIVE && number.signum() == 0
        || kind == Kind.FLAG && number.bitLength() > 1) {
      throw refused(written);
    }
    // Numbers of ClickHouse reach a bit farther: what is so large is no limit.
    return number.bitLength() > 63 ? Long.MAX_VALUE : number.longValue();
  }

  private EngineException refused(String written) {
    return EngineException.of(
        ErrorCode.BAD_ARGUMENTS,
        "setting %s is %s, expected %s",
        text,
        written,
        switch (kind) {
          case FLAG -> "0 or 1";
          case COUNT -> "a number from 0 on";
          case POSITIVE -> "a number from 1 on";
        });
  }

  private boolean is(Map<String, Literal> settings) {
    return of(settings) == 1;
  }

  private static long mostRows(Map<String, Literal> settings) {
    return (settings.containsKey(MAX_ROWS_TOO.text) ? MAX_ROWS_TOO : MAX_ROWS).of(settings);
  }

  /** Rows of a block of those that a query reads and gives. */
  static int blockRows(Map<String, Literal> settings) {
    return (int) Math.min(MAX_BLOCK.of(settings), 1 << 24);
  }

  /** Blocks of the data that comes with an INSERT. */
  static BlockLimits blocks(Map<String, Literal> settings) {
    return new BlockLimits(
        MIN_ROWS.of(settings),
        MIN_BYTES.of(settings),
        mostRows(settings),
        MAX_BYTES.of(settings),
        STRICT.is(settings));
  }

  /** Blocks of a file that a statement reads. */
  static BlockLimits fileBlocks(Map<String, Literal> settings) {
    return new BlockLimits(0, 0, blockRows(settings), 0, false);
  }

  /** The pieces in which text is read. */
  static BatchReader.Segment segment(Map<String, Literal> settings, BlockLimits blocks) {
    return PARALLEL_PARSING.is(settings)
        ? new BatchReader.Segment(blocks.maxRows(), CHUNK_BYTES.of(settings))
        : BatchReader.Segment.NONE;
  }

  /** How an insert is carried out. */
  static InsertSettings insert(Map<String, Literal> settings) {
    return InsertSettings.DEFAULT
        .withBlocks(blocks(settings))
        .withPartitions(
            new PartitionLimit(MAX_PARTITIONS.of(settings), THROW_ON_MAX_PARTITIONS.is(settings)))
        .withParts(
            OptionalLong.of(PARTS_TO_DELAY.of(settings)),
            OptionalLong.of(PARTS_TO_THROW.of(settings)))
        .withoutViews(WITHOUT_VIEWS.is(settings));
  }

  /** When gathered inserts are written. */
  static AsyncInsertSettings async(Map<String, Literal> settings) {
    InsertSetting most =
        settings.containsKey(ASYNC_MAX_MILLIS_TOO.text) ? ASYNC_MAX_MILLIS_TOO : ASYNC_MAX_MILLIS;
    return new AsyncInsertSettings(
        ASYNC_BYTES.of(settings),
        ASYNC_INSERTS.of(settings),
        Duration.ofMillis(Math.min(MOST_MILLIS, ASYNC_MIN_MILLIS.of(settings))),
        Duration.ofMillis(Math.min(MOST_MILLIS, most.of(settings))),
        ASYNC_ADAPTIVE.is(settings),
        ASYNC_DEDUPLICATE.is(settings));
  }
}
