package io.coppice.base.hash;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The values that ClickHouse 26.7 printed: {@code hash_golden.tsv}. */
final class HashGolden {
  /** One value of SQL and its hashes by function name. */
  record Row(String value, String type, Map<String, String> hashes) {}

  private final List<Row> rows = new ArrayList<>();
  private final Map<String, List<String>> calls = new HashMap<>();

  HashGolden() {
    String text;
    try (InputStream in = HashGolden.class.getResourceAsStream("/hash_golden.tsv")) {
      text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String[] lines = text.split("\n", -1);
    String[] names = lines[0].split("\t", -1);
    for (int i = 1; i < lines.length; i++) {
      String[] cells = lines[i].split("\t", -1);
      if (cells.length == names.length) {
        Map<String, String> hashes = new HashMap<>();
        for (int c = 2; c < cells.length; c++) {
          hashes.put(names[c], cells[c]);
        }
        rows.add(new Row(cells[0], cells[1], hashes));
      } else if (cells.length > 1) {
        calls.put(cells[0], List.of(cells).subList(1, cells.length));
      }
    }
  }

  List<Row> rows() {
    return rows;
  }

  /** The result of a call with several arguments, or of a keyed hash. */
  List<String> call(String text) {
    return calls.get(text);
  }
}
