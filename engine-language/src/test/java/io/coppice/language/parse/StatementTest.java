package io.coppice.language.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Statements are printed as ClickHouse's {@code formatQuery} prints them. {@code statements.txt}
 * was written by 26.7: a statement after {@code ====}, then its answer.
 */
class StatementTest {
  private record Case(String statement, String printed) {}

  private static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (String section : Corpus.read("statements.txt").split("(?m)^==== ", -1)) {
      int end = section.indexOf('\n');
      if (end > 0) {
        cases.add(new Case(section.substring(0, end), section.substring(end + 1).strip()));
      }
    }
    return cases;
  }

  @TestFactory
  Stream<DynamicTest> printsAsClickHouseDoes() {
    List<Case> cases = cases();
    System.out.println("statements: " + cases.size());
    return cases.stream()
        .map(
            c ->
                DynamicTest.dynamicTest(
                    c.statement(),
                    () -> {
                      String printed = Parser.statement(c.statement()).text();
                      assertThat(printed).isEqualTo(c.printed());
                      // What was printed says the same.
                      assertThat(Parser.statement(printed).text()).isEqualTo(printed);
                    }));
  }
}
