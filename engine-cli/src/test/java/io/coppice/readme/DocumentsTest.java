package io.coppice.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.parts.text.DataFormat;
import io.coppice.parts.text.FormatSetting;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documents say what is so. */
class DocumentsTest {
  private static final Path ROOT = Path.of(System.getProperty("coppice.root", ".."));

  @TempDir Path directory;

  @Test
  void theProgramOfTheReadmeIsTheOneThatTheBuildCompiles() throws IOException {
    Matcher block =
        Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(ROOT.resolve("README.md")));
    assertThat(block.find()).isTrue();
    String source =
        Files.readString(
            ROOT.resolve("engine-cli/src/test/java/io/coppice/readme/LateFlights.java"));
    String program =
        source.substring(source.indexOf("  public static void main"), source.lastIndexOf("}"));
    assertThat(block.group(1).strip()).isEqualTo(program.stripTrailing().stripIndent());
  }

  @Test
  void theProgramOfTheReadmeRuns() throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try {
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      LateFlights.main(new String[] {directory.resolve("data").toString()});
    } finally {
      System.setOut(before);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("origin\tlate", "SFO\t2", "3 flights in 1 part");
  }

  @Test
  void formatsAndTheirSettingsAreAllDescribed() throws IOException {
    List<String> lines = Files.readAllLines(ROOT.resolve("docs/formats.md"));
    List<String> rows = new ArrayList<>();
    for (DataFormat format : DataFormat.values()) {
      rows.add(
          String.format(
              "| %s | %s | %s |",
              format.text(), String.join(", ", format.aliases()), format.input() ? "yes" : ""));
    }
    for (FormatSetting setting : FormatSetting.values()) {
      String standard = setting.standard().isEmpty() ? " " : setting.standard();
      rows.add(String.format("| `%s` | `%s` | %s |", setting.text(), standard, setting.meaning()));
    }
    List<String> described =
        lines.stream()
            .filter(line -> line.startsWith("|") && !line.startsWith("|---"))
            .filter(line -> !line.startsWith("| format |") && !line.startsWith("| setting |"))
            .toList();
    assertThat(described).containsExactlyElementsOf(rows);
  }

  @Test
  void theCoordinatesOfTheReadmeAreThoseOfTheBuild() throws IOException {
    Matcher dependency =
        Pattern.compile(
                "<groupId>(.*)</groupId>\\s*<artifactId>(.*)</artifactId>\\s*<version>(.*)</version>")
            .matcher(Files.readString(ROOT.resolve("README.md")));
    assertThat(dependency.find()).isTrue();
    String module = Files.readString(ROOT.resolve(dependency.group(2)).resolve("pom.xml"));
    assertThat(module)
        .contains("<artifactId>" + dependency.group(2) + "</artifactId>")
        .contains("<groupId>" + dependency.group(1) + "</groupId>")
        .contains("<version>" + dependency.group(3) + "</version>");
  }

  @Test
  void theMapNamesEveryPackage() throws IOException {
    String map = Files.readString(ROOT.resolve("docs/ARCHITECTURE.md"));
    List<String> packages = new ArrayList<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.sorted().toList()) {
        Path sources = module.resolve("src/main/java");
        if (!Files.isDirectory(sources)) {
          continue;
        }
        try (Stream<Path> files = Files.walk(sources)) {
          files
              .filter(f -> f.toString().endsWith(".java"))
              .map(f -> sources.relativize(f.getParent()).toString().replace('/', '.'))
              .distinct()
              .sorted()
              .forEach(packages::add);
        }
      }
    }
    List<String> named = new ArrayList<>();
    Matcher names = Pattern.compile("`(io\\.coppice\\.[a-z.]+)`").matcher(map);
    while (names.find()) {
      named.add(names.group(1));
    }
    assertThat(packages).as("packages that docs/ARCHITECTURE.md does not name").isSubsetOf(named);
    System.out.printf("docs: %d packages on the map%n", packages.size());
  }

  @Test
  void linksBetweenDocumentsLeadSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    int links = 0;
    List<Path> documents = new ArrayList<>();
    for (String name : List.of("README.md", "CONTRIBUTING.md", "CHANGES.md")) {
      documents.add(ROOT.resolve(name));
    }
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      docs.filter(f -> f.toString().endsWith(".md")).forEach(documents::add);
    }
    for (Path document : documents) {
      Matcher link =
          Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)").matcher(Files.readString(document));
      while (link.find()) {
        links++;
        if (!Files.exists(document.resolveSibling(link.group(1)))) {
          broken.add(document + ": " + link.group(1));
        }
      }
    }
    System.out.printf("docs: %d links in %d documents%n", links, documents.size());
    assertThat(broken).isEmpty();
  }
}
