package io.coppice.parts.stream;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.nio.ByteBuffer;

/**
 * Memory outside the heap, whose lack is an error of ours and not the end of the JVM. Stateless.
 */
public final class DirectMemory {
  private DirectMemory() {}

  /**
   * A new direct buffer.
   *
   * @param what the memory is for, for the message
   * @throws EngineException CANNOT_ALLOCATE_MEMORY when the JVM has no more of it
   */
  public static ByteBuffer allocate(int sizeBytes, String what) {
    try {
      return ByteBuffer.allocateDirect(sizeBytes);
    } catch (OutOfMemoryError e) {
      throw new EngineException(
          ErrorCode.CANNOT_ALLOCATE_MEMORY,
          String.format(
              "%s: no %d bytes of direct memory are left; allow more with -XX:MaxDirectMemorySize",
              what, sizeBytes),
          e);
    }
  }

  /**
   * What Arrow throws when an allocator is at its limit, or a vector at the most that it can hold,
   * as an error of ours.
   *
   * @param what was being done, for the message
   */
  public static EngineException lacking(RuntimeException arrows, String what) {
    return new EngineException(
        ErrorCode.MEMORY_LIMIT_EXCEEDED,
        String.format(
            "%s: more memory is needed than the allocator allows; raise its limit or take fewer rows"
                + " at once: %s",
            what, firstLine(arrows)),
        arrows);
  }

  private static String firstLine(RuntimeException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }
}
