package io.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher hands on what it was given. It runs here in a directory of its own, where it finds
 * itself built: of a program that prints its arguments, each as the hex digits of its UTF-8.
 */
class LauncherTest {
  private static final Path ROOT = Path.of(System.getProperty("coppice.root", ".."));

  private static final String ECHO =
      """
      package io.coppice.cli;
      public class Main {
        public static void main(String[] arguments) {
          StringBuilder said = new StringBuilder();
          for (String a : arguments) {
            for (byte b : a.getBytes(java.nio.charset.StandardCharsets.UTF_8)) {
              said.append(String.format("%02x", b));
            }
            said.append('.');
          }
          System.out.println(said);
          for (String a : arguments) {
            if (a.startsWith("exit")) {
              System.exit(Integer.parseInt(a.substring(4)));
            }
            if (a.startsWith("file:")) {
              System.exit(new java.io.File(a.substring(5)).exists() ? 0 : 9);
            }
          }
        }
      }
      """;

  @TempDir Path directory;

  private Path launcher;

  @BeforeEach
  void install() throws IOException {
    Path home = Files.createDirectories(directory.resolve("home with blanks & 'quotes'"));
    launcher = home.resolve("coppice");
    Files.write(launcher, Files.readAllBytes(ROOT.resolve("coppice")));
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(home.resolve("pom.xml"), "<project/>");
    Path source = Files.createDirectories(directory.resolve("source/io/coppice/cli"));
    Files.writeString(source.resolve("Main.java"), ECHO);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assertThat(
            compiler.run(
                null, null, null, "--release", "17", source.resolve("Main.java").toString()))
        .isZero();
    Path jar = home.resolve("echo.jar");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out)) {
      entries.putNextEntry(new JarEntry("io/coppice/cli/Main.class"));
      entries.write(Files.readAllBytes(source.resolve("Main.class")));
      entries.closeEntry();
    }
    Files.createDirectories(home.resolve(".coppice"));
    Files.writeString(home.resolve(".coppice/classpath"), jar.toString());
  }

  private record Ran(int status, String out, String err) {}

  private Ran run(Path command, Path in, Map<String, String> environment, String... arguments)
      throws Exception {
    List<String> all = new ArrayList<>(List.of(command.toString()));
    all.addAll(Arrays.asList(arguments));
    return run(new ProcessBuilder(all), in, environment);
  }

  private Ran run(ProcessBuilder builder, Path in, Map<String, String> environment)
      throws Exception {
    Path out = Files.createTempFile(directory, "out", "");
    Path err = Files.createTempFile(directory, "err", "");
    builder.directory(in.toFile()).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().keySet().removeIf(k -> k.startsWith("LC_") || k.equals("LANG"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    return new Ran(
        process.exitValue(), Files.readString(out).strip(), Files.readString(err).strip());
  }

  private static String hex(String... arguments) {
    return Arrays.stream(arguments)
        .map(a -> HexFormat.of().formatHex(a.getBytes(StandardCharsets.UTF_8)) + ".")
        .collect(Collectors.joining());
  }

  @Test
  void argumentsArriveAsTheyWereGiven() throws Exception {
    String[] arguments = {
      "two words",
      "",
      "*",
      "?",
      "[a-z]*",
      "$HOME",
      "`id`",
      "a\"b",
      "it's",
      "\\",
      "--",
      "-x=y z",
      "semi;colon",
      "line\nfeed",
      "tab\there",
      " blank ",
      "#none",
      "~",
      "{a,b}",
      "!!"
    };
    Ran ran = run(launcher, directory, Map.of("LC_ALL", "C.UTF-8"), arguments);
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out()).isEqualTo(hex(arguments));
    assertThat(ran.status()).isZero();
  }

  @Test
  void theExitStatusIsHandedOn() throws Exception {
    for (int status : new int[] {0, 1, 2, 7}) {
      assertThat(run(launcher, directory, Map.of(), "exit" + status).status()).isEqualTo(status);
    }
  }

  @Test
  void itIsCalledThroughLinksAndFromAnywhere() throws Exception {
    Path bin = Files.createDirectories(directory.resolve("bin"));
    Path first = Files.createSymbolicLink(bin.resolve("first"), launcher);
    Path second = Files.createSymbolicLink(bin.resolve("second"), Path.of("first"));
    Path elsewhere = Files.createDirectories(directory.resolve("elsewhere"));
    for (Path command : List.of(first, second)) {
      Ran ran = run(command, elsewhere, Map.of(), "a b");
      assertThat(ran.err()).isEmpty();
      assertThat(ran.out()).isEqualTo(hex("a b"));
    }
    String path = bin + ":" + System.getenv("PATH");
    Ran ran =
        run(new ProcessBuilder("/usr/bin/env", "PATH=" + path, "second", "x"), elsewhere, Map.of());
    assertThat(ran.out()).isEqualTo(hex("x"));
    Files.writeString(elsewhere.resolve("here.txt"), "");
    assertThat(run(first, elsewhere, Map.of(), "file:here.txt").status())
        .as("paths are relative to where the caller is")
        .isZero();
  }

  /**
   * The shell makes the letters, byte for byte, whatever this JVM's own locale would make of them.
   */
  @Test
  void lettersBeyondAsciiArriveInEveryLocale() throws Exception {
    int locales = 0;
    for (Map<String, String> locale :
        List.of(
            Map.<String, String>of(),
            Map.of("LC_ALL", "C"),
            Map.of("LC_ALL", "POSIX"),
            Map.of("LANG", "C"),
            Map.of("LC_CTYPE", "C", "LANG", "C.UTF-8"),
            Map.of("LC_ALL", "xx_YY.UTF-8"),
            Map.of("LC_ALL", "C.UTF-8"))) {
      String script =
          "letters=$(printf 'Z\\303\\274rich \\346\\227\\245'); touch \"$letters\";"
              + " exec \"$0\" \"$letters\" \"file:$letters\"";
      Ran ran =
          run(new ProcessBuilder("bash", "-c", script, launcher.toString()), directory, locale);
      assertThat(ran.out()).as("%s: %s", locale, ran.err()).startsWith(hex("Zürich 日"));
      assertThat(ran.status()).as("%s finds the file", locale).isZero();
      locales++;
    }
    System.out.printf("launcher: letters in %d locales%n", locales);
  }

  /** Called past the launcher, the program refuses what the locale has lost. */
  @Test
  @EnabledOnOs(
      value = OS.LINUX,
      disabledReason = "elsewhere the system does not tell what was lost")
  void lettersThatTheLocaleLosesAreRefused() throws Exception {
    String script =
        "exec \"$JAVA_HOME/bin/java\" -cp \"$COPPICE_CLASSES\" io.coppice.cli.Main part info"
            + " \"$(printf 'Z\\303\\274rich')\"";
    String classes =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    Ran ran =
        run(
            new ProcessBuilder("bash", "-c", script),
            directory,
            Map.of("LC_ALL", "C", "COPPICE_CLASSES", classes));
    assertThat(ran.status()).as(ran.err()).isEqualTo(2);
    assertThat(ran.err()).contains("LC_ALL=C.UTF-8");
    Ran fine =
        run(
            new ProcessBuilder("bash", "-c", script),
            directory,
            Map.of("LC_ALL", "C.UTF-8", "COPPICE_CLASSES", classes));
    assertThat(fine.status()).as(fine.err()).isEqualTo(1);
    assertThat(fine.err()).contains("no such file or directory: " + directory.resolve("Zürich"));
  }
}
