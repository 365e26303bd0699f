package io.coppice.language.parse;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Texts written by ClickHouse itself, beside the tests. */
final class Corpus {
  private Corpus() {}

  static String read(String name) {
    try (InputStream in = Corpus.class.getResourceAsStream("/io/coppice/language/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lines of tab-separated columns. */
  static List<String[]> rows(String name) {
    return read(name).lines().map(line -> line.split("\t", -1)).toList();
  }

  /** Statements by the name in the line {@code ==== name} before each. */
  static Map<String, String> statements(String name) {
    Map<String, String> statements = new LinkedHashMap<>();
    for (String section : read(name).split("(?m)^==== ", -1)) {
      int end = section.indexOf('\n');
      if (end > 0) {
        statements.put(section.substring(0, end), section.substring(end + 1).strip());
      }
    }
    return statements;
  }
}
