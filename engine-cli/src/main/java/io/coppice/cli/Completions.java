package io.coppice.cli;

import io.coppice.engine.Engine;
import io.coppice.engine.Table;
import io.coppice.parts.expression.ExpressionCompiler;
import io.coppice.parts.text.DataFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/** What a word of a statement may become: keywords, functions, formats, tables, their columns. */
final class Completions implements Completer {
  private static final List<String> KEYWORDS =
      List.of(
          "ADD",
          "ALTER",
          "AND",
          "AS",
          "ASC",
          "ATTACH",
          "BETWEEN",
          "BY",
          "CASE",
          "CAST",
          "CHECK",
          "CLEAR",
          "CODEC",
          "COLUMN",
          "COMMENT",
          "CONSTRAINT",
          "CREATE",
          "DATABASE",
          "DATABASES",
          "DEFAULT",
          "DELETE",
          "DESC",
          "DESCRIBE",
          "DETACH",
          "DISTINCT",
          "DROP",
          "ELSE",
          "END",
          "ENGINE",
          "EXCHANGE",
          "EXISTS",
          "EXPLAIN",
          "FINAL",
          "FORMAT",
          "FREEZE",
          "FROM",
          "FUNCTION",
          "GROUP",
          "HAVING",
          "IF",
          "IN",
          "INDEX",
          "INFILE",
          "INSERT",
          "INTO",
          "IS",
          "LIKE",
          "LIMIT",
          "MATERIALIZED",
          "MergeTree",
          "MODIFY",
          "MOVE",
          "NOT",
          "NULL",
          "OFFSET",
          "OR",
          "ORDER",
          "OUTFILE",
          "PARTITION",
          "PREWHERE",
          "PRIMARY KEY",
          "RENAME",
          "REPLACE",
          "SAMPLE",
          "SELECT",
          "SET",
          "SETTINGS",
          "SHOW",
          "SYSTEM",
          "TABLE",
          "TABLES",
          "THEN",
          "TO",
          "TRUNCATE",
          "TTL",
          "UNION ALL",
          "USE",
          "USING",
          "VALUES",
          "WHEN",
          "WHERE",
          "WITH");

  private final Engine engine;

  Completions(Engine engine) {
    this.engine = engine;
  }

  @Override
  public void complete(LineReader reader, ParsedLine line, List<Candidate> to) {
    String word = line.word().substring(0, Math.min(line.wordCursor(), line.word().length()));
    matching(word).forEach(name -> to.add(new Candidate(name)));
  }

  /** The names that a word may be the beginning of. */
  Set<String> matching(String word) {
    Set<String> names = new TreeSet<>();
    names.addAll(KEYWORDS);
    names.addAll(ExpressionCompiler.functions());
    names.addAll(DataFormat.names(false));
    names.addAll(engine.databases());
    for (Table table : engine.tables()) {
      names.add(table.name().table());
      table.definition().columns().forEach(column -> names.add(column.name()));
    }
    String start = word.toLowerCase(Locale.ROOT);
    names.removeIf(name -> !name.toLowerCase(Locale.ROOT).startsWith(start));
    return names;
  }
}
