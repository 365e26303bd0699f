package io.coppice.parts.stream;

import io.coppice.base.error.EngineException;
import io.coppice.base.error.ErrorCode;
import java.nio.ByteBuffer;

/** Direct buffers, whose lack is an error of ours and not the end of the JVM. Stateless. */
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
}
