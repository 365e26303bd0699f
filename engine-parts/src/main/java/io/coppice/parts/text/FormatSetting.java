package io.coppice.parts.text;

import java.util.Arrays;
import java.util.Optional;

/** The settings of formats that are served, by ClickHouse's names and with 26.7's defaults. */
public enum FormatSetting {
  PARQUET_COMPRESSION(
      "output_format_parquet_compression_method",
      Kind.TEXT,
      "zstd",
      "How pages of Parquet are compressed: none, snappy, zstd, lz4 or gzip."),
  PARQUET_ROW_GROUP(
      "output_format_parquet_row_group_size",
      Kind.NUMBER,
      "1000000",
      "Rows of a row group of Parquet. More: smaller files, more memory."),
  SKIP_UNKNOWN_FIELDS(
      "input_format_skip_unknown_fields",
      Kind.FLAG,
      "1",
      "Columns of the input that the table does not have are passed over; else they are an error."),
  NULL_AS_DEFAULT(
      "input_format_null_as_default",
      Kind.FLAG,
      "1",
      "NULL for a column that is not Nullable stands for its default; else it is an error."),
  DEFAULTS_FOR_OMITTED_FIELDS(
      "input_format_defaults_for_omitted_fields",
      Kind.FLAG,
      "1",
      "What the input lacks is filled by DEFAULT expressions; else by the default of the type."),
  VALUES_EXPRESSIONS(
      "input_format_values_interpret_expressions",
      Kind.FLAG,
      "1",
      "What is no literal in VALUES is read as an expression; else it is an error."),
  CSV_EMPTY_AS_DEFAULT(
      "input_format_csv_empty_as_default",
      Kind.FLAG,
      "1",
      "An empty field of CSV stands for the column's default."),
  CSV_SKIP_FIRST_LINES(
      "input_format_csv_skip_first_lines",
      Kind.NUMBER,
      "0",
      "So many lines at the start of CSV are passed over."),
  CSV_DETECT_HEADER(
      "input_format_csv_detect_header",
      Kind.FLAG,
      "1",
      "A first line of CSV that has the names of columns is read as such."),
  TSV_SKIP_FIRST_LINES(
      "input_format_tsv_skip_first_lines",
      Kind.NUMBER,
      "0",
      "So many lines at the start of TSV are passed over."),
  TSV_DETECT_HEADER(
      "input_format_tsv_detect_header",
      Kind.FLAG,
      "1",
      "A first line of TSV that has the names of columns is read as such."),
  CSV_DELIMITER(
      "format_csv_delimiter", Kind.TEXT, ",", "The one character between the fields of CSV."),
  CSV_NULL("format_csv_null_representation", Kind.TEXT, "\\N", "What stands for NULL in CSV."),
  TSV_NULL("format_tsv_null_representation", Kind.TEXT, "\\N", "What stands for NULL in TSV."),
  CSV_CRLF(
      "output_format_csv_crlf_end_of_line",
      Kind.FLAG,
      "0",
      "Lines of CSV end with carriage return and line feed."),
  TSV_CRLF(
      "output_format_tsv_crlf_end_of_line",
      Kind.FLAG,
      "0",
      "Lines of TSV end with carriage return and line feed."),
  JSON_QUOTE_64BIT_INTEGERS(
      "output_format_json_quote_64bit_integers",
      Kind.FLAG,
      "0",
      "Integers of 64 bits and more stand in quotes in JSON."),
  JSON_QUOTE_64BIT_FLOATS(
      "output_format_json_quote_64bit_floats", Kind.FLAG, "0", "Float64 stands in quotes in JSON."),
  JSON_QUOTE_DENORMALS(
      "output_format_json_quote_denormals",
      Kind.FLAG,
      "0",
      "nan and inf are written in quotes in JSON; else as null."),
  JSON_QUOTE_DECIMALS(
      "output_format_json_quote_decimals", Kind.FLAG, "0", "Decimals stand in quotes in JSON."),
  JSON_ESCAPE_SLASHES(
      "output_format_json_escape_forward_slashes",
      Kind.FLAG,
      "1",
      "Slashes in strings of JSON have a backslash before them."),
  JSON_NAMED_TUPLES(
      "output_format_json_named_tuples_as_objects",
      Kind.FLAG,
      "1",
      "Tuples whose elements have names are objects in JSON; else arrays."),
  JSON_ARRAY_OF_ROWS(
      "output_format_json_array_of_rows",
      Kind.FLAG,
      "0",
      "The rows of JSONEachRow are the elements of one array."),
  WRITE_STATISTICS(
      "output_format_write_statistics",
      Kind.FLAG,
      "1",
      "Time, rows and bytes read stand at the end of JSON."),
  DATE_TIME_INPUT(
      "date_time_input_format",
      Kind.TEXT,
      "best_effort",
      "How times are read: best_effort, which takes many forms, is the only way there is."),
  DATE_TIME_OUTPUT(
      "date_time_output_format",
      Kind.TEXT,
      "simple",
      "How times are written: simple, iso (2024-01-02T03:04:05Z) or unix_timestamp."),
  BOOL_TRUE("bool_true_representation", Kind.TEXT, "true", "What stands for true in TSV and CSV."),
  BOOL_FALSE(
      "bool_false_representation", Kind.TEXT, "false", "What stands for false in TSV and CSV."),
  PRETTY_MAX_ROWS(
      "output_format_pretty_max_rows", Kind.NUMBER, "1000", "Most rows that Pretty formats print."),
  PRETTY_ROW_NUMBERS(
      "output_format_pretty_row_numbers", Kind.FLAG, "1", "Rows have numbers in Pretty formats."),
  PRETTY_MAX_COLUMN_PAD(
      "output_format_pretty_max_column_pad_width",
      Kind.NUMBER,
      "250",
      "Up to which width values of a column are filled with blanks in Pretty formats."),
  PRETTY_MAX_VALUE_WIDTH(
      "output_format_pretty_max_value_width",
      Kind.NUMBER,
      "10000",
      "Longer values are cut in Pretty formats."),
  PRETTY_COLOR(
      "output_format_pretty_color",
      Kind.TEXT,
      "auto",
      "Names are bold in Pretty formats: 1, 0, or auto for where a terminal is written to."),
  PRETTY_CHARSET(
      "output_format_pretty_grid_charset",
      Kind.TEXT,
      "UTF-8",
      "What the lines of Pretty formats are of: UTF-8 or ASCII."),
  PRETTY_VERTICAL(
      "output_format_pretty_fallback_to_vertical",
      Kind.FLAG,
      "1",
      "A few rows of a wide table are printed as Vertical by Pretty formats."),
  PRETTY_NUMBER_TIP(
      "output_format_pretty_single_large_number_tip_threshold",
      Kind.NUMBER,
      "1000000",
      "Larger numbers are told in words beside Pretty and Vertical; 0 for never."),
  SQL_INSERT_TABLE(
      "output_format_sql_insert_table_name",
      Kind.TEXT,
      "table",
      "The table named by the statements of SQLInsert."),
  SQL_INSERT_BATCH(
      "output_format_sql_insert_max_batch_size",
      Kind.NUMBER,
      "65409",
      "Most rows of a statement of SQLInsert."),
  SQL_INSERT_NAMES(
      "output_format_sql_insert_include_column_names",
      Kind.FLAG,
      "1",
      "The statements of SQLInsert list the columns."),
  SQL_INSERT_REPLACE(
      "output_format_sql_insert_use_replace",
      Kind.FLAG,
      "0",
      "The statements of SQLInsert are REPLACE INTO."),
  SQL_INSERT_QUOTE(
      "output_format_sql_insert_quote_names",
      Kind.FLAG,
      "1",
      "Names of columns stand in backquotes in SQLInsert.");

  /** What values a setting has. */
  public enum Kind {
    FLAG,
    NUMBER,
    TEXT
  }

  private final String text;
  private final Kind kind;
  private final String standard;
  private final String meaning;

  FormatSetting(String text, Kind kind, String standard, String meaning) {
    this.text = text;
    this.kind = kind;
    this.standard = standard;
    this.meaning = meaning;
  }

  /** ClickHouse's name. */
  public String text() {
    return text;
  }

  public Kind kind() {
    return kind;
  }

  /** The value that holds where none is given. */
  public String standard() {
    return standard;
  }

  /** What more and less of it does, as a sentence. */
  public String meaning() {
    return meaning;
  }

  /** The setting of that name. */
  public static Optional<FormatSetting> named(String name) {
    return Arrays.stream(values()).filter(setting -> setting.text.equals(name)).findFirst();
  }
}
