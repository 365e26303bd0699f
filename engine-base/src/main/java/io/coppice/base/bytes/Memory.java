package io.coppice.base.bytes;

import java.lang.reflect.Field;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import sun.misc.Unsafe;

/**
 * Raw memory by address, for the inner loops: no bounds are checked here, so callers check a whole
 * range before they touch it. All multi-byte values are little-endian, as in every ClickHouse file.
 *
 * <p>The only class that touches {@code sun.misc.Unsafe}. Stateless; any thread may call it.
 */
public final class Memory {
  private static final Unsafe UNSAFE = unsafe();
  private static final long BUFFER_ADDRESS = bufferAddressOffset();
  private static final long BYTES = Unsafe.ARRAY_BYTE_BASE_OFFSET;

  static {
    if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
      throw new ExceptionInInitializerError("Coppice runs on little-endian machines only");
    }
  }

  private Memory() {}

  private static Unsafe unsafe() {
    try {
      Field field = Unsafe.class.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return (Unsafe) field.get(null);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("deprecation") // the only way to a direct buffer's address without JNI on 17
  private static long bufferAddressOffset() {
    try {
      return UNSAFE.objectFieldOffset(Buffer.class.getDeclaredField("address"));
    } catch (NoSuchFieldException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Address of byte 0 of a direct buffer; keep the buffer reachable while using it. */
  public static long address(ByteBuffer direct) {
    if (!direct.isDirect()) {
      throw new IllegalArgumentException("a heap buffer has no address");
    }
    return UNSAFE.getLong(direct, BUFFER_ADDRESS);
  }

  /** Memory of the caller's, to be given to {@link #free}; what it holds is anything. */
  public static long allocate(long sizeBytes) {
    return UNSAFE.allocateMemory(sizeBytes);
  }

  /** Gives back what {@link #allocate} gave, once. */
  public static void free(long address) {
    UNSAFE.freeMemory(address);
  }

  public static byte getByte(long address) {
    return UNSAFE.getByte(address);
  }

  public static short getShort(long address) {
    return UNSAFE.getShort(address);
  }

  public static int getInt(long address) {
    return UNSAFE.getInt(address);
  }

  public static long getLong(long address) {
    return UNSAFE.getLong(address);
  }

  public static void putByte(long address, byte value) {
    UNSAFE.putByte(address, value);
  }

  public static void putShort(long address, short value) {
    UNSAFE.putShort(address, value);
  }

  public static void putInt(long address, int value) {
    UNSAFE.putInt(address, value);
  }

  public static void putLong(long address, long value) {
    UNSAFE.putLong(address, value);
  }

  public static byte getByte(byte[] array, int index) {
    return array[index];
  }

  /** Eight bytes of {@code array} from {@code index}; the caller has checked the range. */
  public static long getLong(byte[] array, int index) {
    return UNSAFE.getLong(array, BYTES + index);
  }

  /** Four bytes of {@code array} from {@code index}; the caller has checked the range. */
  public static int getInt(byte[] array, int index) {
    return UNSAFE.getInt(array, BYTES + index);
  }

  public static void copy(long from, long to, long sizeBytes) {
    UNSAFE.copyMemory(from, to, sizeBytes);
  }

  public static void copy(byte[] from, int offset, long to, int sizeBytes) {
    UNSAFE.copyMemory(from, BYTES + offset, null, to, sizeBytes);
  }

  public static void copy(long from, byte[] to, int offset, int sizeBytes) {
    UNSAFE.copyMemory(null, from, to, BYTES + offset, sizeBytes);
  }

  public static void fill(long address, long sizeBytes, byte value) {
    UNSAFE.setMemory(address, sizeBytes, value);
  }

  /*
   * One loop for memory and for arrays: a place is a base and an offset. The base is null and the
   * offset an address, or the base is a byte[] and the offset comes from arrayOffset.
   */

  /** The offset that stands for {@code array[index]} when the array is the base. */
  public static long arrayOffset(long index) {
    return BYTES + index;
  }

  /** The byte at {@code offset} of {@code base}: an address when {@code base} is null. */
  public static byte byteAt(byte[] base, long offset) {
    return UNSAFE.getByte(base, offset);
  }

  /** Two bytes at {@code offset} of {@code base}: an address when {@code base} is null. */
  public static short shortAt(byte[] base, long offset) {
    return UNSAFE.getShort(base, offset);
  }

  /** Four bytes at {@code offset} of {@code base}: an address when {@code base} is null. */
  public static int intAt(byte[] base, long offset) {
    return UNSAFE.getInt(base, offset);
  }

  /** Eight bytes at {@code offset} of {@code base}: an address when {@code base} is null. */
  public static long longAt(byte[] base, long offset) {
    return UNSAFE.getLong(base, offset);
  }

  /** Copies from {@code offset} of {@code base} (an address when null) into an array. */
  public static void copy(byte[] base, long offset, byte[] to, int toIndex, int sizeBytes) {
    UNSAFE.copyMemory(base, offset, to, BYTES + toIndex, sizeBytes);
  }

  /** Writes two bytes of {@code array} at {@code index}; the caller has checked the range. */
  public static void putShort(byte[] array, int index, short value) {
    UNSAFE.putShort(array, BYTES + index, value);
  }

  /** Writes four bytes of {@code array} at {@code index}; the caller has checked the range. */
  public static void putInt(byte[] array, int index, int value) {
    UNSAFE.putInt(array, BYTES + index, value);
  }

  /** Writes eight bytes of {@code array} at {@code index}; the caller has checked the range. */
  public static void putLong(byte[] array, int index, long value) {
    UNSAFE.putLong(array, BYTES + index, value);
  }
}
