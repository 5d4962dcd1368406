package org.hyperslab.plugins.libhdf5.translate;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.plugins.libhdf5.call.CFunction;
import org.hyperslab.plugins.libhdf5.call.RawMemory;

/**
 * References to regions in the form before HDF5 1.12 ({@code hdset_reg_ref_t}): the address of the
 * dataset, and the number under which the library to preload keeps the encoded selection.
 *
 * <pre>
 *   0              8         12
 *   +--------------+---------+
 *   | address      | number  |
 *   +--------------+---------+
 * </pre>
 *
 * <p>Thread rule: any thread.
 */
final class OldRegions {

  private static final int ADDRESS_BYTES = 8;

  private OldRegions() {}

  /** The functions of the library to preload, looked up when they are first needed. */
  private static final class Kept {
    static final CFunction KEEP = function("hyperslab_keep_selection");
    static final CFunction FIND = function("hyperslab_kept_selection");

    private static CFunction function(String name) {
      long address = CFunction.find(0, name);
      return address == 0 ? null : CFunction.at(address);
    }
  }

  /**
   * Returns the payload of the reference at an address in C; null for a null reference.
   *
   * @throws InvalidUseException if the library does not know the selection
   */
  static MemorySegment payload(long c) {
    long address = RawMemory.getLong(c);
    if (address == 0) {
      return null;
    }
    requireLibrary();
    try (Arena arena = Arena.ofConfined()) {
      long length = arena.allocate(8, 8).address();
      long bytes = Kept.FIND.call(RawMemory.getInt(c + ADDRESS_BYTES), length);
      if (bytes == 0) {
        throw new InvalidUseException(
            "region reference: actual=an unknown selection, expected=a reference that this process"
                + " has made or read");
      }
      long selection = RawMemory.getLong(length);
      byte[] payload = new byte[Math.toIntExact(ADDRESS_BYTES + selection)];
      MemorySegment out = MemorySegment.ofArray(payload);
      out.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, address);
      MemorySegment.copy(RawMemory.at(bytes, selection), 0, out, ADDRESS_BYTES, selection);
      return out;
    }
  }

  /** Stores the reference with a payload at an address in C, or a null reference if it is null. */
  static void store(MemorySegment payload, long c) {
    RawMemory.setLong(c, 0);
    RawMemory.setInt(c + ADDRESS_BYTES, 0);
    if (payload == null || payload.get(ValueLayout.JAVA_LONG_UNALIGNED, 0) == 0) {
      return;
    }
    requireLibrary();
    try (Arena arena = Arena.ofConfined()) {
      long length = payload.byteSize() - ADDRESS_BYTES;
      MemorySegment selection = arena.allocate(Math.max(length, 1));
      MemorySegment.copy(payload, ADDRESS_BYTES, selection, 0, length);
      int number = (int) Kept.KEEP.call(selection.address(), length);
      if (number == 0) {
        throw new StorageException(
            "selection of a region reference: actual=no memory, expected=" + length + " bytes");
      }
      RawMemory.setLong(c, payload.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
      RawMemory.setInt(c + ADDRESS_BYTES, number);
    }
  }

  private static void requireLibrary() {
    if (Kept.KEEP == null || Kept.FIND == null) {
      throw new UnsupportedFeatureException(
          "region reference (hdset_reg_ref_t): actual=no library to preload, expected=LD_PRELOAD"
              + " set to what \"hyperslab bridge --preload\" prints");
    }
  }
}
