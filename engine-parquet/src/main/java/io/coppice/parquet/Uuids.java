package io.coppice.parquet;

/** UUIDs: in Parquet in the order of their text, in ClickHouse two numbers little-endian. */
final class Uuids {
  private Uuids() {}

  /** One form from the other. */
  static byte[] swapped(byte[] uuid) {
    byte[] other = new byte[16];
    for (int i = 0; i < 8; i++) {
      other[i] = uuid[7 - i];
      other[8 + i] = uuid[15 - i];
    }
    return other;
  }
}
