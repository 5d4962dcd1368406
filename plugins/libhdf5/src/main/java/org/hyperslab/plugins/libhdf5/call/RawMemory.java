package org.hyperslab.plugins.libhdf5.call;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.NameBytes;

/**
 * Reads and writes memory of the process by address: the arguments that libhdf5 passes. Addresses
 * come from the program and cannot be checked.
 */
public final class RawMemory {

  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  /** The maximum number of bytes that are searched for a terminator. */
  private static final int MAX_TEXT_BYTES = 1 << 20;

  /** Room for the bytes of a text of usual length. */
  private static final ThreadLocal<byte[]> NAME = ThreadLocal.withInitial(() -> new byte[256]);

  private RawMemory() {}

  /** Returns a long of native memory. */
  public static long getLong(long address) {
    return ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
  }

  /** Sets a long in native memory. */
  public static void setLong(long address, long value) {
    ALL.set(ValueLayout.JAVA_LONG_UNALIGNED, address, value);
  }

  /** Returns an int of native memory. */
  public static int getInt(long address) {
    return ALL.get(ValueLayout.JAVA_INT_UNALIGNED, address);
  }

  /** Sets an int in native memory. */
  public static void setInt(long address, int value) {
    ALL.set(ValueLayout.JAVA_INT_UNALIGNED, address, value);
  }

  /** Returns a bool of native memory. */
  public static boolean getBool(long address) {
    return ALL.get(ValueLayout.JAVA_BYTE, address) != 0;
  }

  /** Sets a bool in native memory. */
  public static void setBool(long address, boolean value) {
    ALL.set(ValueLayout.JAVA_BYTE, address, (byte) (value ? 1 : 0));
  }

  /** Returns the memory of a length at an address. */
  public static MemorySegment at(long address, long bytes) {
    return ALL.asSlice(address, bytes);
  }

  /** Returns bytes of native memory. */
  public static byte[] bytes(long address, long count) {
    byte[] copy = new byte[Math.toIntExact(count)];
    MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, address, copy, 0, copy.length);
    return copy;
  }

  /**
   * Returns the NUL-terminated text at an address, or null if the address is null. Bytes that are
   * not valid UTF-8 are preserved when the text is encoded again.
   */
  public static String text(long address) {
    if (address == 0) {
      return null;
    }
    byte[] room = NAME.get();
    int length = CFunction.text(address, MAX_TEXT_BYTES, room);
    if (length == MAX_TEXT_BYTES) {
      throw new InvalidUseException(
          "text passed by the program: actual=no NUL within "
              + MAX_TEXT_BYTES
              + " bytes, expected=NUL-terminated");
    }
    return length <= room.length
        ? NameBytes.decode(room, 0, length)
        : NameBytes.decode(bytes(address, length));
  }

  /** Returns the bytes of a name, with a terminator. */
  public static MemorySegment name(String text, Arena arena) {
    byte[] bytes = NameBytes.encode(text);
    MemorySegment copy = arena.allocate(bytes.length + 1L);
    MemorySegment.copy(bytes, 0, copy, ValueLayout.JAVA_BYTE, 0, bytes.length);
    return copy;
  }

  /**
   * Copies text as C functions return names: truncated to the buffer, with a terminator.
   *
   * @return the number of bytes of the whole text, without the terminator
   */
  public static int putText(String text, long buffer, long size) {
    byte[] bytes = NameBytes.encode(text);
    if (buffer != 0 && size > 0) {
      int copied = (int) Math.min(bytes.length, size - 1);
      MemorySegment.copy(bytes, 0, ALL, ValueLayout.JAVA_BYTE, buffer, copied);
      setBool(buffer + copied, false);
    }
    return bytes.length;
  }

  /**
   * Copies text as {@link #putText} does, but uses the last byte for text if it fills the buffer,
   * as libhdf5 returns comments.
   */
  public static int fillText(String text, long buffer, long size) {
    byte[] bytes = NameBytes.encode(text);
    if (buffer != 0 && size > 0) {
      put(bytes, buffer, (int) Math.min(bytes.length, size));
      if (bytes.length < size) {
        setBool(buffer + bytes.length, false);
      }
    }
    return bytes.length;
  }

  /** Copies bytes to native memory. */
  public static void put(byte[] bytes, long address, int count) {
    MemorySegment.copy(bytes, 0, ALL, ValueLayout.JAVA_BYTE, address, count);
  }
}
