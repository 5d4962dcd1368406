package org.hyperslab.plugins.libhdf5;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.io.NameBytes;

/**
 * Reads and writes memory of the process by address: the arguments that libhdf5 passes. Addresses
 * come from the program and cannot be checked.
 */
final class RawMemory {

  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  /** The maximum number of bytes that are searched for a terminator. */
  private static final int MAX_TEXT_BYTES = 1 << 20;

  private RawMemory() {}

  static long getLong(long address) {
    return ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
  }

  static void setLong(long address, long value) {
    ALL.set(ValueLayout.JAVA_LONG_UNALIGNED, address, value);
  }

  static int getInt(long address) {
    return ALL.get(ValueLayout.JAVA_INT_UNALIGNED, address);
  }

  static void setInt(long address, int value) {
    ALL.set(ValueLayout.JAVA_INT_UNALIGNED, address, value);
  }

  static boolean getBool(long address) {
    return ALL.get(ValueLayout.JAVA_BYTE, address) != 0;
  }

  static void setBool(long address, boolean value) {
    ALL.set(ValueLayout.JAVA_BYTE, address, (byte) (value ? 1 : 0));
  }

  /** Returns the memory of a length at an address. */
  static MemorySegment at(long address, long bytes) {
    return ALL.asSlice(address, bytes);
  }

  static byte[] bytes(long address, long count) {
    byte[] copy = new byte[Math.toIntExact(count)];
    MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, address, copy, 0, copy.length);
    return copy;
  }

  /** Returns the length of the NUL-terminated text at an address. */
  static int textLength(long address) {
    int skipped = (int) (address & 7);
    long before = (1L << 8 * skipped) - 1;
    long zeros = zeroBytes(getLong(address - skipped) | before);
    if (zeros != 0) {
      return (Long.numberOfTrailingZeros(zeros) >>> 3) - skipped;
    }
    for (int i = 8 - skipped; i < MAX_TEXT_BYTES; i += 8) {
      zeros = zeroBytes(getLong(address + i));
      if (zeros != 0) {
        return i + (Long.numberOfTrailingZeros(zeros) >>> 3);
      }
    }
    throw new InvalidUseException(
        "text passed by the program: actual=no NUL within "
            + MAX_TEXT_BYTES
            + " bytes, expected=NUL-terminated");
  }

  /**
   * Returns a word whose lowest bit that is set lies in the first byte that is zero; 0 if none is.
   * Whole words that are aligned never reach into a page that the text is not in. Source: Henry S.
   * Warren, Hacker's Delight, section 6-1; bytes come in the order of little-endian machines.
   */
  private static long zeroBytes(long word) {
    return (word - 0x0101010101010101L) & ~word & 0x8080808080808080L;
  }

  /**
   * Returns the NUL-terminated text at an address, or null if the address is null. Bytes that are
   * not valid UTF-8 are preserved when the text is encoded again.
   */
  static String text(long address) {
    return address == 0 ? null : NameBytes.decode(bytes(address, textLength(address)));
  }

  /** Returns the bytes of a name, with a terminator. */
  static MemorySegment name(String text, Arena arena) {
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
  static int putText(String text, long buffer, long size) {
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
  static int fillText(String text, long buffer, long size) {
    byte[] bytes = NameBytes.encode(text);
    if (buffer != 0 && size > 0) {
      put(bytes, buffer, (int) Math.min(bytes.length, size));
      if (bytes.length < size) {
        setBool(buffer + bytes.length, false);
      }
    }
    return bytes.length;
  }

  static void put(byte[] bytes, long address, int count) {
    MemorySegment.copy(bytes, 0, ALL, ValueLayout.JAVA_BYTE, address, count);
  }
}
