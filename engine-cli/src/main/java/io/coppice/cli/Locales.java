package io.coppice.cli;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What the locale did to the arguments. Where it has ASCII only, the JVM makes question marks of
 * all other letters before any program sees them; guessing what they were would read another file
 * or look for other rows. The launcher sets a locale that has them all. Stateless.
 */
final class Locales {
  private static final String ADVICE = "set a locale with UTF-8, as by LC_ALL=C.UTF-8";

  private Locales() {}

  /** Whether the locale knows ASCII only. */
  private static boolean ascii() {
    try {
      String name = System.getProperty("sun.jnu.encoding", "UTF-8");
      return Charset.forName(name).equals(StandardCharsets.US_ASCII);
    } catch (IllegalArgumentException e) {
      return false; // a charset of the system that this JVM does not have: it works by another way
    }
  }

  /**
   * Whether letters of the arguments were lost on the way here.
   *
   * @param arguments how many the process was given
   */
  static boolean lost(int arguments) {
    if (!ascii()) {
      return false;
    }
    byte[] command;
    try {
      command = Files.readAllBytes(Path.of("/proc/self/cmdline"));
    } catch (IOException e) {
      return false; // no Linux
    }
    return anyLetterIn(command, arguments);
  }

  /** Whether one of the last strings of a command line, each ended by a zero, is not ASCII. */
  static boolean anyLetterIn(byte[] command, int arguments) {
    int left = arguments;
    for (int i = command.length - 2; i >= 0; i--) {
      if (command[i] == 0 && --left == 0) {
        break;
      }
      if (left > 0 && command[i] < 0) {
        return true;
      }
    }
    return false;
  }

  static String refusal() {
    return String.format(
        Locale.ROOT,
        "the arguments have letters that this locale (%s) does not know: %s",
        System.getProperty("sun.jnu.encoding"),
        ADVICE);
  }

  /** What to say behind a path that is not there, when its letters may be why. */
  static String hint(String path) {
    return ascii() && path.indexOf('?') >= 0 ? " (if the ? are letters, " + ADVICE + ")" : "";
  }
}
