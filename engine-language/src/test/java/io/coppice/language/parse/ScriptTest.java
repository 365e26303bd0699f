package io.coppice.language.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import io.coppice.language.statement.Insert;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ScriptTest {
  private static List<Script.Item> items(String text) {
    Script script = new Script(text);
    List<Script.Item> items = new ArrayList<>();
    for (var item = script.next(); item.isPresent(); item = script.next()) {
      items.add(item.get());
    }
    return items;
  }

  private static List<String> texts(String text) {
    return items(text).stream().map(Script.Item::text).toList();
  }

  @Test
  void statementsAreCutAtSemicolonsOutsideOfTexts() {
    assertThat(texts("SELECT 1; SELECT ';' -- ; no\n;;; SELECT `a;b` /* ; */ ; "))
        .containsExactly("SELECT 1", "SELECT ';'", "SELECT `a;b`");
    assertThat(texts("")).isEmpty();
    assertThat(texts(" ;\n-- only a comment\n")).isEmpty();
  }

  @Test
  void dataOfValuesEndsAtItsSemicolon() {
    List<Script.Item> items =
        items(
            "INSERT INTO t VALUES (1, 'a;b'), (2, 'it\\'s');\nSELECT 1; INSERT INTO t VALUES (3)");
    assertThat(items).hasSize(3);
    assertThat(items.get(0).data()).contains("(1, 'a;b'), (2, 'it\\'s')");
    assertThat(items.get(1).data()).isEmpty();
    assertThat(items.get(2).data()).contains("(3)");
  }

  @Test
  void dataOfAFormatEndsWithItsLineOrAnEmptyOne() {
    List<Script.Item> items =
        items(
            "INSERT INTO t FORMAT CSV 1,'a;b'\nSELECT 1;\nINSERT INTO t FORMAT TSV\n1\t;\n2\t;\n\n"
                + "SELECT 2");
    assertThat(items).hasSize(4);
    assertThat(items.get(0).data()).contains("1,'a;b'\n");
    assertThat(items.get(2).data()).contains("1\t;\n2\t;\n");
    assertThat(items.get(3).text()).isEqualTo("SELECT 2");
  }

  @Test
  void insertsWithoutDataHaveNone() {
    assertThat(items("INSERT INTO t SELECT 1; SELECT 2").get(0).data()).isEmpty();
    assertThat(items("INSERT INTO t FORMAT CSV").get(0).data()).contains("");
    assertThat(items("INSERT INTO t FROM INFILE 'x' FORMAT CSV; SELECT 1")).hasSize(2);
    Insert insert = (Insert) items("INSERT INTO t FORMAT CSV").get(0).statement();
    assertThat(insert.source()).isEqualTo(new Insert.Source.Data(Optional.of("CSV")));
  }

  @Test
  void wordsOfQueriesAreNamesWhereNoQueryBegins() {
    assertThat(texts("SELECT select, `with` FROM t WHERE with = 1 AND (select) > 2")).hasSize(1);
    assertThat(Parser.expression("(select, with)").text()).isEqualTo("(`select`, with)");
    assertThat(
            Parser.createTable("CREATE TABLE t (select Int8, with Int8) ENGINE = M ORDER BY select")
                .text())
        .contains("`select` Int8", "ORDER BY `select`");
  }

  @Test
  void anErrorComesWhenItsStatementIsReachedAndSaysWhere() {
    Script script = new Script("SELECT 1;\n\nSELECT FROM FROM;");
    assertThat(script.next()).isPresent();
    assertThatThrownBy(script::next)
        .isInstanceOfSatisfying(
            EngineException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SYNTAX_ERROR))
        .hasMessageContaining("line 3, column");
    assertThatThrownBy(() -> Parser.statement("SELECT 1; SELECT 2"))
        .hasMessageContaining("more than one statement");
    assertThatThrownBy(() -> Parser.statement("SELECT a FROM t JOIN u ON 1"))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("line 1, column");
  }

  @Test
  void positionsCountCharactersBeyondTheFirstPlane() {
    List<Script.Item> items =
        items("SELECT '😀';\nINSERT INTO t VALUES ('😀;');SELECT '😀😀' AS x");
    assertThat(items.get(1).data()).contains("('😀;')");
    assertThat(items.get(2).statement().text()).isEqualTo("SELECT '😀😀' AS x");
  }

  @Test
  void damagedStatementsEndInATreeOrATypedError() {
    long seed = 20261130;
    System.out.println("damaged statements: seed " + seed);
    Random random = new Random(seed);
    List<String> statements =
        Corpus.read("statements.txt").lines().filter(l -> l.startsWith("==== ")).toList();
    int refused = 0;
    int read = 0;
    for (int i = 0; i < 3000; i++) {
      List<String> words =
          new ArrayList<>(
              List.of(statements.get(random.nextInt(statements.size())).substring(5).split(" ")));
      int changes = 1 + random.nextInt(3);
      for (int change = 0; change < changes; change++) {
        int at = random.nextInt(words.size());
        String other = statements.get(random.nextInt(statements.size())).substring(5);
        switch (random.nextInt(3)) {
          case 0 -> words.add(at, words.get(random.nextInt(words.size())));
          case 1 -> words.set(at, other.split(" ")[0]);
          default -> words.set(at, words.get(at).substring(words.get(at).length() / 2));
        }
      }
      try {
        for (Script.Item item : items(String.join(" ", words))) {
          item.statement().text();
        }
        read++;
      } catch (EngineException e) {
        refused++;
      }
    }
    System.out.println("damaged statements: " + refused + " refused, " + read + " read");
    assertThat(refused).isGreaterThan(500);
    assertThat(read).isGreaterThan(100);
  }
}
