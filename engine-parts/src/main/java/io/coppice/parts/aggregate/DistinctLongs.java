package io.coppice.parts.aggregate;

import io.coppice.language.type.DataType;
import io.coppice.language.type.PlainType;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.FieldVector;

/**
 * {@code uniqExact} of a value of up to eight bytes: an open hash table of values while there is
 * one group, of values and groups once there are more.
 */
final class DistinctLongs extends Aggregator {
  private static final int FIRST_SLOTS = 256;

  private final PackedKeys packed;
  private long[] counts = new long[0];

  /** The values while all are of group 0; null afterwards. */
  private LongSet one = new LongSet();

  /** A value, then its group plus one; there the empty slot has 0. */
  private long[] slots = new long[2 * FIRST_SLOTS];

  private int used;

  /** Distinct values of a type of up to eight bytes. */
  DistinctLongs(DataType argument) {
    super(PlainType.UINT64);
    this.packed = PackedKeys.ofNotNull(argument);
  }

  /** Whether values of a type can be counted so. */
  static boolean takes(DataType type) {
    int width = type.widthBytes();
    return width > 0 && width <= 8;
  }

  @Override
  void grow(int groups) {
    if (groups > counts.length) {
      counts = Arrays.copyOf(counts, capacity(counts.length, groups));
    }
    if (groups > 1 && one != null) {
      // From now on the values of groups are told apart.
      LongSet before = one;
      one = null;
      counts[0] = 0;
      before.forEach(value -> add(value, 0));
    }
  }

  @Override
  void take(List<FieldVector> arguments, int[] groups, int rows) {
    packed.pack(arguments, rows);
    if (one != null) {
      counts[0] += one.addAll(packed.keys(), packed.keep(groups, rows));
      return;
    }
    for (int row = 0; row < rows; row++) {
      if (groups[row] >= 0) {
        add(packed.key(row), groups[row]);
      }
    }
  }

  private void add(long value, int group) {
    if (one != null) {
      counts[0] += one.add(value) ? 1 : 0;
      return;
    }
    int mask = slots.length - 2;
    int slot = LongTable.slot(value + mixed(group)) * 2 & mask;
    while (slots[slot + 1] != 0) {
      if (slots[slot] == value && slots[slot + 1] == group + 1) {
        return;
      }
      slot = slot + 2 & mask;
    }
    slots[slot] = value;
    slots[slot + 1] = group + 1;
    counts[group]++;
    if (++used * 4 > slots.length) {
      rehash();
    }
  }

  private static long mixed(int group) {
    return group * 0xD6E8FEB86659FD93L;
  }

  private void rehash() {
    long[] old = slots;
    slots = new long[Math.multiplyExact(old.length, 2)];
    int mask = slots.length - 2;
    for (int i = 0; i < old.length; i += 2) {
      if (old[i + 1] != 0) {
        int slot = LongTable.slot(old[i] + mixed((int) old[i + 1] - 1)) * 2 & mask;
        while (slots[slot + 1] != 0) {
          slot = slot + 2 & mask;
        }
        slots[slot] = old[i];
        slots[slot + 1] = old[i + 1];
      }
    }
  }

  @Override
  void absorb(Aggregator other, int[] groups) {
    DistinctLongs theirs = (DistinctLongs) other;
    if (theirs.one != null) {
      if (groups.length > 0 && groups[0] >= 0) {
        theirs.one.forEach(value -> add(value, groups[0]));
      }
      return;
    }
    for (int i = 0; i < theirs.slots.length; i += 2) {
      int group = (int) theirs.slots[i + 1] - 1;
      if (group >= 0 && groups[group] >= 0) {
        add(theirs.slots[i], groups[group]);
      }
    }
  }

  @Override
  public boolean ordered() {
    return false;
  }

  @Override
  public long heapBytes() {
    return 8L * counts.length + 8L * slots.length + (one == null ? 0 : one.heapBytes());
  }

  @Override
  void write(FieldVector to, int groups) {
    Numbers.write(counts, groups, to);
  }
}
