package org.hyperslab.format.index.array;

import java.util.Arrays;
import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.format.index.grid.ChunkVisitor;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * Consecutive elements of an array index in memory: a column of addresses and, with filters,
 * columns of sizes and masks.
 *
 * <p>Thread rule: edited by one thread while there are no readers; otherwise read in any number of
 * threads.
 */
public final class ChunkElements {

  private final ChunkElementFormat format;
  private final long[] addresses;
  private final long[] storedBytes;
  private final int[] filterMasks;

  private ChunkElements(ChunkElementFormat format, int count) {
    this.format = format;
    addresses = new long[count];
    storedBytes = format.filtered() ? new long[count] : null;
    filterMasks = format.filtered() ? new int[count] : null;
  }

  /** Creates {@code count} elements of chunks that were never written. */
  static ChunkElements unwritten(ChunkElementFormat format, int count) {
    ChunkElements elements = new ChunkElements(format, count);
    Arrays.fill(elements.addresses, FileGeometry.UNDEFINED);
    return elements;
  }

  /** Decodes {@code count} elements. */
  static ChunkElements decode(ChunkElementFormat format, MetadataReader reader, int count) {
    ChunkElements elements = new ChunkElements(format, count);
    for (int i = 0; i < count; i++) {
      long address = reader.offset();
      if (!ChunkChecks.plausible(reader.geometry(), address)) {
        throw reader.corrupt("chunk address actual=" + Long.toUnsignedString(address));
      }
      elements.addresses[i] = address;
      if (format.filtered()) {
        elements.storedBytes[i] = reader.unsigned(format.sizeFieldBytes());
        elements.filterMasks[i] = reader.i32();
        if (elements.storedBytes[i] < 0) {
          throw reader.corrupt(
              "chunk size actual=" + Long.toUnsignedString(elements.storedBytes[i]));
        }
      }
    }
    return elements;
  }

  void encode(MetadataWriter writer) {
    for (int i = 0; i < addresses.length; i++) {
      writer.offset(addresses[i]);
      if (format.filtered()) {
        writer.unsigned(storedBytes[i], format.sizeFieldBytes()).u32(filterMasks[i]);
      }
    }
  }

  /** Returns whether these are a given number of elements in a given format. */
  boolean are(ChunkElementFormat wanted, int count) {
    return addresses.length == count && format.equals(wanted);
  }

  /** Returns the number of elements. */
  public int count() {
    return addresses.length;
  }

  boolean isAllocated(int i) {
    return addresses[i] != FileGeometry.UNDEFINED;
  }

  /** Returns where a chunk lies, by the index of its element. */
  public ChunkLocation get(int i) {
    long address = addresses[i];
    if (address == FileGeometry.UNDEFINED) {
      return ChunkLocation.NONE;
    }
    return format.filtered()
        ? new ChunkLocation(address, storedBytes[i], filterMasks[i])
        : new ChunkLocation(address, format.chunkBytes(), 0);
  }

  /**
   * Visits the allocated chunks among these elements.
   *
   * @param first the number of the chunk of element 0
   * @param scaled memory for the coordinates, which is passed to each visit
   * @return whether the visitor continues
   */
  public boolean visit(ChunkNumbering numbering, long first, long[] scaled, ChunkVisitor visitor) {
    for (int i = 0; i < addresses.length; i++) {
      if (isAllocated(i)) {
        numbering.coordinates(first + i, scaled);
        if (!visitor.visit(scaled, get(i))) {
          return false;
        }
      }
    }
    return true;
  }

  /** Sets where a chunk lies, by the index of its element. */
  public void set(int i, ChunkLocation location) {
    addresses[i] = location.address();
    if (format.filtered()) {
      storedBytes[i] = location.storedBytes();
      filterMasks[i] = location.filterMask();
    }
  }
}
