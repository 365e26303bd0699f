package io.coppice.engine;

/** When an insert is acknowledged. What creates, alters and drops tables is always durable. */
public enum Durability {
  /**
   * When the files of its parts and their names are on the disk: what was acknowledged is there
   * after a power cut.
   */
  DURABLE,
  /**
   * When its parts are written, as ClickHouse does: the system writes to the disk when it likes.
   */
  FAST
}
