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

  /** Values in their slots; 0 stands for an empty slot unless the slot has a group. */
  private long[] values = new long[FIRST_SLOTS];

  /** Groups of the slots, plus one; null while all are of group 0. */
  private int[] groupsOf;

  /** Whether the value 0 is there, while all are of group 0. */
  private boolean zero;

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
    if (groups > 1 && groupsOf == null) {
      separate();
    }
  }

  /** Tells the values of groups apart from now on. */
  private void separate() {
    groupsOf = new int[values.length];
    boolean had = zero;
    for (int slot = 0; slot < values.length; slot++) {
      groupsOf[slot] = values[slot] != 0 ? 1 : 0;
    }
    // From now on a slot is where value and group send it.
    rehash(values.length);
    if (had) {
      counts[0]--;
      add(0, 0);
    }
  }

  @Override
  void take(List<FieldVector> arguments, int[] groups, int rows) {
    packed.pack(arguments, rows);
    if (groupsOf == null) {
      for (int row = 0; row < rows; row++) {
        if (groups[row] >= 0) {
          add(packed.key(row));
        }
      }
      return;
    }
    for (int row = 0; row < rows; row++) {
      if (groups[row] >= 0) {
        add(packed.key(row), groups[row]);
      }
    }
  }

  private void add(long value) {
    if (value == 0) {
      counts[0] += zero ? 0 : 1;
      zero = true;
      return;
    }
    long[] slots = values;
    int mask = slots.length - 1;
    int slot = LongTable.slot(value) & mask;
    while (slots[slot] != 0) {
      if (slots[slot] == value) {
        return;
      }
      slot = slot + 1 & mask;
    }
    slots[slot] = value;
    counts[0]++;
    if (++used * 2 > slots.length) {
      rehash(Math.multiplyExact(slots.length, 2));
    }
  }

  private void add(long value, int group) {
    int mask = values.length - 1;
    int slot = LongTable.slot(value + mixed(group)) & mask;
    while (groupsOf[slot] != 0) {
      if (values[slot] == value && groupsOf[slot] == group + 1) {
        return;
      }
      slot = slot + 1 & mask;
    }
    values[slot] = value;
    groupsOf[slot] = group + 1;
    counts[group]++;
    if (++used * 2 > values.length) {
      rehash(Math.multiplyExact(values.length, 2));
    }
  }

  private static long mixed(int group) {
    return group * 0xD6E8FEB86659FD93L;
  }

  private void rehash(int slots) {
    long[] oldValues = values;
    int[] oldGroups = groupsOf;
    values = new long[slots];
    int mask = slots - 1;
    if (oldGroups == null) {
      for (long value : oldValues) {
        if (value != 0) {
          int slot = LongTable.slot(value) & mask;
          while (values[slot] != 0) {
            slot = slot + 1 & mask;
          }
          values[slot] = value;
        }
      }
      return;
    }
    groupsOf = new int[slots];
    for (int i = 0; i < oldValues.length; i++) {
      if (oldGroups[i] != 0) {
        int slot = LongTable.slot(oldValues[i] + mixed(oldGroups[i] - 1)) & mask;
        while (groupsOf[slot] != 0) {
          slot = slot + 1 & mask;
        }
        values[slot] = oldValues[i];
        groupsOf[slot] = oldGroups[i];
      }
    }
  }

  @Override
  void absorb(Aggregator other, int[] groups) {
    DistinctLongs theirs = (DistinctLongs) other;
    if (theirs.groupsOf == null) {
      if (groups.length == 0 || groups[0] < 0) {
        return;
      }
      if (theirs.zero) {
        addTo(0, groups[0]);
      }
      for (long value : theirs.values) {
        if (value != 0) {
          addTo(value, groups[0]);
        }
      }
      return;
    }
    for (int i = 0; i < theirs.values.length; i++) {
      if (theirs.groupsOf[i] != 0 && groups[theirs.groupsOf[i] - 1] >= 0) {
        addTo(theirs.values[i], groups[theirs.groupsOf[i] - 1]);
      }
    }
  }

  private void addTo(long value, int group) {
    if (groupsOf == null) {
      add(value);
    } else {
      add(value, group);
    }
  }

  @Override
  public long heapBytes() {
    return 8L * counts.length + 8L * values.length + (groupsOf == null ? 0 : 4L * groupsOf.length);
  }

  @Override
  void write(FieldVector to, int groups) {
    Numbers.write(counts, groups, to);
  }
}
