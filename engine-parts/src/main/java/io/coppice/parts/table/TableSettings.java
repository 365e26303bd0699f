package io.coppice.parts.table;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.expression.Literal;
import io.coppice.parts.compress.CodecChain;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The settings of a MergeTree table that decide what a part looks like, under ClickHouse's names. A
 * setting of ClickHouse that has no say in that is accepted; one that has, and that is not
 * supported with the value given, is an error; an unknown name is an error.
 *
 * <p>Immutable; any thread may use it.
 */
public record TableSettings(
    long indexGranularity,
    long indexGranularityBytes,
    long minIndexGranularityBytes,
    boolean constAdaptiveGranularity,
    long minBytesForWidePart,
    long minRowsForWidePart,
    long minCompressBlockSize,
    long maxCompressBlockSize,
    boolean compressMarks,
    CodecChain marksCodec,
    int marksBlockSize,
    boolean compressPrimaryKey,
    CodecChain primaryKeyCodec,
    int primaryKeyBlockSize,
    double sparseRatio,
    boolean exactDefaultCounts,
    boolean serializationWithTypes,
    boolean stringsWithSizes,
    boolean typesForNested,
    boolean sparseNullable,
    boolean marksForSubstreams,
    boolean framePerColumnInCompact,
    long packedSkipIndexMaxBytes,
    boolean escapeIndexFileNames,
    boolean hashLongFileNames,
    int maxFileNameLength,
    long adaptiveWriteBufferFromColumns,
    int adaptiveWriteBufferInitialBytes,
    boolean allowNullableKey,
    boolean allowFloatPartitionKey,
    boolean minMaxForBlockNumbers,
    boolean assignPartUuids,
    boolean fsyncAfterInsert,
    boolean fsyncPartDirectory,
    boolean shareNestedOffsets,
    CodecChain defaultCodec,
    Profile profile) {

  /** Which engine's defaults hold. */
  public enum Profile {
    /** What ClickHouse 26.7 writes. */
    MODERN,
    /**
     * What ClickHouse 18.16 reads: Wide, marks of fixed granularity, nothing compressed but data.
     */
    CLASSIC
  }

  /**
   * All settings of tables of 26.7 with their types, and those of queries, which a CREATE TABLE may
   * have as well.
   */
  private static final Map<String, String> KNOWN = readKnown();

  /** Settings of ClickHouse that change no byte of an inserted part. */
  private static final Set<String> WITHOUT_EFFECT_PREFIXES =
      Set.of(
          "shared_merge_tree_",
          "replicated_",
          "merge_",
          "vertical_merge_",
          "zero_copy_",
          "remote_fs_",
          "compact_parts_",
          "write_ahead_log_",
          "in_memory_parts_",
          "max_replicated_",
          "prefer_fetch_",
          "max_bytes_to_merge",
          "max_postpone_",
          "async_",
          "cache_populated_",
          "distributed_index_analysis_",
          "disable_",
          "part_moves_",
          "cleanup_",
          "kill_",
          "dead_blobs_",
          "inactive_parts_",
          "min_age_to_force_",
          "enable_vertical_merge",
          "object_",
          "text_index_",
          "refresh_",
          "number_of_",
          "min_bytes_to_",
          "try_fetch_",
          "fault_probability_",
          "sleep_before_",
          "initialization_",
          "prewarm_",
          "lock_acquire_",
          "finished_mutations_",
          "reduce_blocking_",
          "non_replicated_",
          "lightweight_mutation_",
          "deduplicat",
          "always_",
          "detach_",
          "load_",
          "execute_merges_",
          "exclude_",
          "wait_for_",
          "zookeeper_",
          "apply_patches_",
          "remove_",
          "simultaneous_",
          "concurrent_part_",
          "max_part_",
          "background_",
          "columns_to_prewarm_");

  private static final Set<String> WITHOUT_EFFECT =
      Set.of(
          "add_implicit_sign_column_constraint_for_collapsing_engine",
          "allow_coalescing_columns_in_partition_or_order_key",
          "allow_commit_order_projection",
          "allow_dimensions_outside_sorting_key",
          "allow_experimental_replacing_merge_with_cleanup",
          "allow_experimental_reverse_key",
          "allow_experimental_text_index_phrase_search",
          "allow_minmax_index_for_json",
          "allow_part_offset_column_in_projections",
          "allow_reduce_blocking_parts_task",
          "allow_remote_fs_zero_copy_replication",
          "allow_summing_columns_in_partition_or_order_key",
          "allow_suspicious_indices",
          "allow_tuple_element_aggregation",
          "allow_vertical_merges_from_compact_to_wide_parts",
          "alter_column_secondary_index_mode",
          "auto_statistics_types",
          "check_delay_period",
          "check_sample_column_is_correct",
          "clean_deleted_rows",
          "clone_replica_zookeeper_create_get_part_batch_size",
          "columns_and_secondary_indices_sizes_lazy_calculation",
          "compatibility_allow_sampling_expression_not_in_primary_key",
          "dynamic_serialization_version",
          // Parts of an INSERT do not have these columns; merges write them.
          "enable_block_number_column",
          "enable_block_offset_column",
          "enable_index_granularity_compression",
          "enable_max_bytes_limit_for_min_age_to_force_merge",
          "enable_mixed_granularity_parts",
          "enable_replacing_merge_with_cleanup_for_min_age_to_force_merge",
          "enable_the_endpoint_id_with_zookeeper_name_prefix",
          "enforce_index_structure_match_on_partition_manipulation",
          "escape_variant_subcolumn_filenames",
          "force_read_through_cache_for_merges",
          "map_buckets_coefficient",
          "map_buckets_min_avg_size",
          "map_buckets_strategy",
          "map_serialization_version",
          "materialize_projections_on_insert",
          "materialize_projections_on_merge",
          "materialize_skip_indexes_on_merge",
          "materialize_statistics_on_merge",
          "materialize_ttl_recalculate_only",
          "max_avg_part_size_for_too_many_parts",
          "max_buckets_in_map",
          "max_cleanup_delay_period",
          "max_concurrent_queries",
          "max_delay_to_insert",
          "max_delay_to_mutate_ms",
          "max_digestion_size_per_segment",
          "max_files_to_modify_in_alter_columns",
          "max_files_to_remove_in_alter_columns",
          "max_merge_delayed_streams_for_parallel_write",
          "max_merge_selecting_sleep_ms",
          "max_number_of_merges_with_ttl_in_pool",
          "max_number_of_mutations_for_replica",
          "max_partitions_to_read",
          "max_parts_in_total",
          "max_parts_to_merge_at_once",
          "max_projections",
          "max_suspicious_broken_parts",
          "max_suspicious_broken_parts_bytes",
          "max_uncompressed_bytes_in_patches",
          "min_absolute_delay_to_close",
          "min_bytes_for_compact_part",
          "min_bytes_for_full_part_storage",
          "min_compressed_bytes_to_fsync_after_fetch",
          "min_compressed_bytes_to_fsync_after_merge",
          "min_delay_to_insert_ms",
          "min_delay_to_mutate_ms",
          "min_free_disk_bytes_to_perform_insert",
          "min_free_disk_ratio_to_perform_insert",
          "min_level_for_full_part_storage",
          "min_marks_to_honor_max_concurrent_queries",
          "min_merge_bytes_to_use_direct_io",
          "min_parts_to_merge_at_once",
          "min_relative_delay_to_close",
          "min_relative_delay_to_measure",
          "min_relative_delay_to_yield_leadership",
          "min_replicated_logs_to_keep",
          "min_rows_for_compact_part",
          "min_rows_for_full_part_storage",
          "min_rows_to_fsync_after_merge",
          "mutation_workload",
          "notify_newest_block_number",
          "old_parts_lifetime",
          "parts_to_delay_insert",
          "parts_to_throw_insert",
          "primary_key_lazy_load",
          "primary_key_ratio_of_unique_prefix_values_to_skip_suffix_columns",
          "search_orphaned_parts_disks",
          "storage_policy",
          "disk",
          "table_readonly",
          "temporary_directories_lifetime",
          "ttl_only_drop_parts",
          "use_adaptive_write_buffer_for_dynamic_subcolumns",
          "use_async_block_ids_cache",
          "use_compact_variant_discriminators_serialization",
          "use_metadata_cache",
          "use_minimalistic_checksums_in_zookeeper",
          "use_minimalistic_part_header_in_zookeeper",
          "use_primary_key_cache",
          // 26.7 writes the final mark whatever this says.
          "write_final_mark");

  /** Settings that change parts in a way we do not write; accepted with the value that does not. */
  private static final Map<String, String> ONLY_WITH =
      Map.of(
          "optimize_row_order", "0",
          "map_serialization_version_for_zero_level_parts", "basic",
          "min_level_for_wide_part", "0",
          "add_minmax_index_for_block_number_column", "0",
          "add_minmax_index_for_block_offset_column", "0",
          "table_disk", "0");

  private static final List<String> MERGE_SELECTORS =
      List.of("Manual", "Trivial", "StochasticSimple", "Simple");

  /** Settings read elsewhere: implicit indexes are added by the table's definition. */
  private static final Set<String> READ_BY_DEFINITION =
      Set.of(
          "add_minmax_index_for_numeric_columns",
          "add_minmax_index_for_string_columns",
          "add_minmax_index_for_temporal_columns");

  /** Whether ClickHouse has a setting of tables of that name. */
  public static boolean known(String name) {
    return KNOWN.containsKey(name);
  }

  /** The defaults of an engine. */
  public static TableSettings defaults(Profile profile) {
    return of(Map.of(), profile);
  }

  /**
   * The settings of a CREATE TABLE over the defaults of a profile.
   *
   * @throws EngineException UNKNOWN_SETTING, or NOT_IMPLEMENTED for a value that would change parts
   *     in a way that is not written
   */
  public static TableSettings of(Map<String, Literal> given, Profile profile) {
    Reader in = new Reader(given);
    boolean modern = profile == Profile.MODERN;
    // Forms of types that the part cannot tell are not written.
    boolean withTypes = in.oneOf("serialization_info_version", "with_types", "basic") && modern;
    TableSettings settings =
        new TableSettings(
            in.number("index_granularity", 8192),
            in.number("index_granularity_bytes", modern ? 10L << 20 : 0),
            in.number("min_index_granularity_bytes", 1024),
            in.flag("use_const_adaptive_granularity", false),
            in.number("min_bytes_for_wide_part", modern ? 10L << 20 : 0),
            in.number("min_rows_for_wide_part", 0),
            orDefault(in.number("min_compress_block_size", 0), 64L << 10),
            orDefault(in.number("max_compress_block_size", 0), 1L << 20),
            in.flag("compress_marks", modern),
            in.codec("marks_compression_codec", CodecChain.ZSTD_3),
            (int) in.bounded("marks_compress_block_size", 64 << 10, 1, 1 << 30),
            in.flag("compress_primary_key", modern),
            in.codec("primary_key_compression_codec", CodecChain.ZSTD_3),
            (int) in.bounded("primary_key_compress_block_size", 64 << 10, 1, 1 << 30),
            modern ? in.decimal("ratio_of_defaults_for_sparse_serialization", 0.9375) : in.only1(),
            in.flag("compute_exact_num_defaults_for_sparse_columns", false),
            withTypes,
            in.oneOf("string_serialization_version", "with_size_stream", "single_stream")
                && withTypes,
            in.flag("propagate_types_serialization_versions_to_nested_types", true),
            in.oneOf("nullable_serialization_version", "allow_sparse", "basic", false) && withTypes,
            in.flag("write_marks_for_substreams_in_compact_parts", true),
            in.flag("compress_per_column_in_compact_parts", true),
            in.number("packed_skip_index_max_bytes", 0),
            in.flag("escape_index_filenames", true),
            in.flag("replace_long_file_name_to_hash", modern),
            (int) in.bounded("max_file_name_length", 127, 0, 255),
            in.number("min_columns_to_activate_adaptive_write_buffer", modern ? 500 : 0),
            (int) in.bounded("adaptive_write_buffer_initial_size", 16384, 1, 1 << 30),
            in.flag("allow_nullable_key", false),
            in.flag("allow_floating_point_partition_key", false),
            in.oneOf(
                "part_minmax_index_columns",
                "with_block_number_offset",
                "partition_key_only",
                false),
            in.flag("assign_part_uuids", false),
            in.flag("fsync_after_insert", false),
            in.flag("fsync_part_directory", false),
            in.flag("share_nested_offsets", true),
            in.codec("default_compression_codec", CodecChain.LZ4),
            profile);
    in.refuseTheRest(modern);
    if (settings.indexGranularityBytes > 0
        && settings.indexGranularityBytes < settings.minIndexGranularityBytes) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS,
          "index_granularity_bytes = %d, expected min_index_granularity_bytes = %d or more, or 0",
          settings.indexGranularityBytes,
          settings.minIndexGranularityBytes);
    }
    if (settings.indexGranularity <= 0) {
      throw EngineException.of(
          ErrorCode.BAD_ARGUMENTS,
          "index_granularity = %d, expected a positive number",
          settings.indexGranularity);
    }
    return settings;
  }

  private static long orDefault(long value, long whenZero) {
    return value == 0 ? whenZero : value;
  }

  /**
   * The same with files of marks of another form, as a part may have that was written with other
   * settings.
   *
   * @param compressed whether they are in frames
   * @param rows whether they tell the rows of granules
   * @param perStream whether those of Compact parts are of streams, not of columns
   */
  public TableSettings withMarks(boolean compressed, boolean rows, boolean perStream) {
    long granuleBytes = indexGranularityBytes > 0 ? indexGranularityBytes : 10L << 20;
    return new TableSettings(
        indexGranularity,
        rows ? granuleBytes : 0,
        minIndexGranularityBytes,
        constAdaptiveGranularity,
        minBytesForWidePart,
        minRowsForWidePart,
        minCompressBlockSize,
        maxCompressBlockSize,
        compressed,
        marksCodec,
        marksBlockSize,
        compressPrimaryKey,
        primaryKeyCodec,
        primaryKeyBlockSize,
        sparseRatio,
        exactDefaultCounts,
        serializationWithTypes,
        stringsWithSizes,
        typesForNested,
        sparseNullable,
        perStream,
        framePerColumnInCompact,
        packedSkipIndexMaxBytes,
        escapeIndexFileNames,
        hashLongFileNames,
        maxFileNameLength,
        adaptiveWriteBufferFromColumns,
        adaptiveWriteBufferInitialBytes,
        allowNullableKey,
        allowFloatPartitionKey,
        minMaxForBlockNumbers,
        assignPartUuids,
        fsyncAfterInsert,
        fsyncPartDirectory,
        shareNestedOffsets,
        defaultCodec,
        profile);
  }

  /** Whether granules are sized by their bytes, which marks then tell. */
  public boolean adaptive() {
    return indexGranularityBytes > 0;
  }

  /** Longest name of a stream's file; longer ones are hashed. */
  public int fileNameLimit() {
    return hashLongFileNames ? maxFileNameLength : Integer.MAX_VALUE;
  }

  /** Takes settings one by one, so that what is left at the end is unknown. */
  private static final class Reader {
    private final Map<String, Literal> left;

    Reader(Map<String, Literal> given) {
      this.left = new TreeMap<>(given);
    }

    private Optional<SettingValue> value(String name) {
      return Optional.ofNullable(left.remove(name)).map(literal -> new SettingValue(name, literal));
    }

    private Optional<String> text(String name) {
      return value(name).map(SettingValue::text);
    }

    long number(String name, long fallback) {
      return bounded(name, fallback, 0, Long.MAX_VALUE);
    }

    long bounded(String name, long fallback, long least, long most) {
      Optional<SettingValue> given = value(name);
      if (given.isEmpty()) {
        return fallback;
      }
      long value = given.get().whole();
      if (value < least || value > most) {
        throw EngineException.of(
            ErrorCode.BAD_ARGUMENTS,
            "setting %s = %s, expected a whole number from %d to %d",
            name,
            given.get().text(),
            least,
            most);
      }
      return value;
    }

    boolean flag(String name, boolean fallback) {
      return value(name).map(SettingValue::flag).orElse(fallback);
    }

    double decimal(String name, double fallback) {
      return value(name).map(SettingValue::decimal).orElse(fallback);
    }

    /** No column is sparse in the classic profile, whatever the ratio. */
    double only1() {
      text("ratio_of_defaults_for_sparse_serialization");
      return 1.0;
    }

    CodecChain codec(String name, CodecChain fallback) {
      return text(name).filter(t -> !t.isEmpty()).map(CodecChain::parse).orElse(fallback);
    }

    boolean oneOf(String name, String whenTrue, String whenFalse) {
      return oneOf(name, whenTrue, whenFalse, true);
    }

    boolean oneOf(String name, String whenTrue, String whenFalse, boolean fallback) {
      Optional<String> text = text(name);
      if (text.isEmpty()) {
        return fallback;
      }
      if (!text.get().equals(whenTrue) && !text.get().equals(whenFalse)) {
        throw EngineException.of(
            ErrorCode.BAD_ARGUMENTS,
            "setting %s = %s is not written; %s and %s are",
            name,
            text.get(),
            whenTrue,
            whenFalse);
      }
      return text.get().equals(whenTrue);
    }

    void refuseTheRest(boolean modern) {
      for (Map.Entry<String, String> only : ONLY_WITH.entrySet()) {
        text(only.getKey())
            .filter(t -> !t.equals(only.getValue()))
            .ifPresent(
                t -> {
                  throw EngineException.of(
                      ErrorCode.NOT_IMPLEMENTED,
                      "setting %s = %s changes parts in a way that is not written; only %s is",
                      only.getKey(),
                      t,
                      only.getValue());
                });
      }
      for (Map.Entry<String, Literal> one : left.entrySet()) {
        String name = one.getKey();
        boolean withoutEffect =
            WITHOUT_EFFECT.contains(name)
                || READ_BY_DEFINITION.contains(name)
                || WITHOUT_EFFECT_PREFIXES.stream().anyMatch(name::startsWith);
        // Old versions had settings that are no more; their names are taken by their beginning.
        boolean known = KNOWN.containsKey(name) || !modern && withoutEffect;
        if (!known) {
          throw EngineException.of(
              ErrorCode.UNKNOWN_SETTING, "unknown setting %s of a MergeTree table", name);
        }
        if (KNOWN.containsKey(name)) {
          checkValue(name, KNOWN.get(name), one.getValue());
        }
      }
    }

    /** Refuses values that a setting without effect on parts could not have. */
    private void checkValue(String name, String type, Literal literal) {
      SettingValue value = new SettingValue(name, literal);
      switch (type) {
        case "Bool" -> value.flag();
        case "UInt64", "UInt32", "Seconds", "Milliseconds" -> value.whole();
        case "NonZeroUInt64" -> {
          if (value.whole() == 0) {
            throw EngineException.of(
                ErrorCode.BAD_ARGUMENTS, "setting %s = 0, expected more", name);
          }
        }
        case "Float" -> value.decimal();
        case "MergeSelectorAlgorithm" -> {
          if (!MERGE_SELECTORS.contains(value.text())) {
            throw EngineException.of(
                ErrorCode.BAD_ARGUMENTS,
                "setting %s = %s, expected one of %s",
                name,
                value.text(),
                MERGE_SELECTORS);
          }
        }
        default -> {
          // Texts, lists of names and settings of the query: nothing is known of their values.
        }
      }
    }
  }

  private static Map<String, String> readKnown() {
    Map<String, String> known = new HashMap<>();
    try (InputStream in = TableSettings.class.getResourceAsStream("settings-26.7.tsv")) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        String[] cells = line.split("\t");
        known.putIfAbsent(cells[0], cells[1]);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the list of settings inside the library", e);
    }
    return Map.copyOf(known);
  }
}
