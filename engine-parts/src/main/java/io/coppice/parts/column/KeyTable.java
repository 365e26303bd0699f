package io.coppice.parts.column;

import io.coppice.base.bytes.Memory;
import io.coppice.parts.stream.Sink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Distinct byte strings numbered in the order in which they were added: the dictionary of a
 * LowCardinality column, and the counter of distinct values. Keys lie one behind another in one
 * direct buffer; an open hash table of key numbers finds them.
 *
 * <p>Confined to one thread.
 */
public final class KeyTable {
  private static final int FIRST_SLOTS = 64;

  private int[] slots = new int[FIRST_SLOTS];
  private long[] hashes = new long[FIRST_SLOTS / 2];
  private int[] ends = new int[FIRST_SLOTS / 2 + 1];
  private ByteBuffer bytes = ByteBuffer.allocateDirect(1024);
  private long address = Memory.address(bytes);
  private int count;

  /** An empty table. */
  public KeyTable() {
    Arrays.fill(slots, -1);
  }

  /** Keys added. */
  public int count() {
    return count;
  }

  /** Memory that the table takes. */
  public long memoryBytes() {
    return 4L * slots.length + 8L * hashes.length + 4L * ends.length + bytes.capacity();
  }

  /** Where a key's bytes lie, until the next key is added. */
  public long address(int key) {
    return address + ends[key];
  }

  /** How many bytes a key has. */
  public int sizeBytes(int key) {
    return ends[key + 1] - ends[key];
  }

  /** Number of the key, or -1. */
  public int find(long at, int size, long hash) {
    int mask = slots.length - 1;
    for (int slot = (int) hash & mask; ; slot = slot + 1 & mask) {
      int key = slots[slot];
      if (key < 0) {
        return -1;
      }
      if (hashes[key] == hash && equal(key, at, size)) {
        return key;
      }
    }
  }

  /** Adds a key, which is not looked for: the first keys of a dictionary may be equal. */
  public int add(long at, int size, long hash) {
    if (count + 1 >= slots.length / 2) {
      grow();
    }
    int begin = ends[count];
    if (bytes.capacity() - begin < size) {
      ByteBuffer old = bytes;
      long from = address;
      bytes = ByteBuffer.allocateDirect(Math.toIntExact((begin + (long) size) * 2));
      address = Memory.address(bytes);
      Memory.copy(from, address, begin);
      java.lang.ref.Reference.reachabilityFence(old);
    }
    Memory.copy(at, address + begin, size);
    hashes[count] = hash;
    ends[count + 1] = begin + size;
    insertSlot(count, hash);
    return count++;
  }

  private void insertSlot(int key, long hash) {
    int mask = slots.length - 1;
    int slot = (int) hash & mask;
    while (slots[slot] >= 0) {
      slot = slot + 1 & mask;
    }
    slots[slot] = key;
  }

  private void grow() {
    slots = new int[slots.length * 2];
    Arrays.fill(slots, -1);
    hashes = Arrays.copyOf(hashes, slots.length / 2);
    ends = Arrays.copyOf(ends, slots.length / 2 + 1);
    for (int key = 0; key < count; key++) {
      insertSlot(key, hashes[key]);
    }
  }

  private boolean equal(int key, long at, int size) {
    int begin = ends[key];
    if (ends[key + 1] - begin != size) {
      return false;
    }
    long mine = address + begin;
    int i = 0;
    for (; size - i >= 8; i += 8) {
      if (Memory.getLong(mine + i) != Memory.getLong(at + i)) {
        return false;
      }
    }
    for (; i < size; i++) {
      if (Memory.getByte(mine + i) != Memory.getByte(at + i)) {
        return false;
      }
    }
    return true;
  }

  /** Writes all keys from {@code first} on: each with its size before it, or bare. */
  void write(Sink sink, boolean withSizes) throws IOException {
    if (!withSizes) {
      sink.write(address, ends[count]);
      return;
    }
    for (int key = 0; key < count; key++) {
      int size = ends[key + 1] - ends[key];
      sink.putVarUInt(size);
      sink.write(address + ends[key], size);
    }
  }

  /** Bytes of all keys together. */
  int keyBytes() {
    return ends[count];
  }

  /** A hash for this table only; not one of ClickHouse's. */
  public static long hash(long at, int size) {
    long h = size * 0x9E3779B97F4A7C15L;
    int i = 0;
    for (; size - i >= 8; i += 8) {
      h = (h ^ Memory.getLong(at + i)) * 0xBF58476D1CE4E5B9L;
      h ^= h >>> 32;
    }
    long tail = 0;
    for (int shift = 0; i < size; i++, shift += 8) {
      tail |= (Memory.getByte(at + i) & 0xFFL) << shift;
    }
    h = (h ^ tail) * 0x94D049BB133111EBL;
    return h ^ h >>> 29;
  }
}
