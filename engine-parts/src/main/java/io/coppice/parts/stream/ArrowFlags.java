package io.coppice.parts.stream;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Whether the JVM was started as Arrow needs it. Without the flag Arrow starts, and fails in the
 * middle of the first thing it reads or writes; so whatever this library is entered by asks first.
 * Stateless; any thread may call it.
 */
public final class ArrowFlags {
  /** The option of the JVM that Arrow cannot do without. */
  public static final String FLAG = "--add-opens=java.base/java.nio=ALL-UNNAMED";

  private ArrowFlags() {}

  /**
   * Refuses to go on in a JVM that was started without {@link #FLAG}.
   *
   * @throws EngineException SUPPORT_IS_DISABLED saying how to set it
   */
  public static void require() {
    Module arrow = MemoryUtil.class.getModule();
    if (ByteBuffer.class.getModule().isOpen("java.nio", arrow)) {
      return;
    }
    String flag = arrow.isNamed() ? "--add-opens=java.base/java.nio=" + arrow.getName() : FLAG;
    throw EngineException.of(
        ErrorCode.SUPPORT_IS_DISABLED,
        "Apache Arrow, whose batches rows go in and out by, needs a JVM started with %s; this one was"
            + " not. java: put it before -jar or the main class, or into JAVA_TOOL_OPTIONS. Maven"
            + " Surefire: <configuration><argLine>%s</argLine></configuration>. Gradle:"
            + " jvmArgs(\"%s\") in the test task, applicationDefaultJvmArgs = [\"%s\"] for run",
        flag,
        flag,
        flag,
        flag);
  }
}
