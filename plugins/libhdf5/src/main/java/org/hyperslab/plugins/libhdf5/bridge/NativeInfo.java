package org.hyperslab.plugins.libhdf5.bridge;

import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.model.FileInfo;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.StorageSizes;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.ObjectOperation;

/**
 * Stores how objects and files are stored ({@code H5O_native_info_t}, {@code H5F_info2_t}), which
 * libhdf5 asks every connector for, not only its own ({@code H5Oget_native_info}, {@code
 * H5Fget_info2}).
 */
public final class NativeInfo {

  /** The field flag {@code H5O_NATIVE_INFO_HDR}. */
  private static final int HEADER = 0x0008;

  /** The field flag {@code H5O_NATIVE_INFO_META_SIZE}. */
  private static final int METADATA_SIZES = 0x0010;

  private static final int LENGTH = 96;

  private static final int FILE_LENGTH = 80;

  private NativeInfo() {}

  /**
   * Stores the fields that are asked for, and zeros elsewhere.
   *
   * @param fields a sum of {@code H5O_NATIVE_INFO_} constants
   * @param out the address of the structure
   * @throws UnsupportedFeatureException if the connector does not know how files are stored
   */
  public static void put(LocationResolver.Place place, int fields, long out) {
    RawMemory.at(out, LENGTH).fill((byte) 0);
    ObjectInfo info = place.file().call(new ObjectOperation.Describe(place.at()));
    if ((fields & HEADER) != 0) {
      putHeader(info.header(), out);
    }
    if ((fields & METADATA_SIZES) != 0) {
      StorageSizes sizes = place.file().call(new ObjectOperation.Measure(place.at()));
      requireKnown(sizes.indexBytes() >= 0);
      boolean isDataset = info.kind() == ObjectKind.DATASET;
      RawMemory.setLong(out + 64, isDataset ? chunkIndex(place) : sizes.indexBytes());
      RawMemory.setLong(out + 72, sizes.heapBytes());
      RawMemory.setLong(out + 80, sizes.attributeIndexBytes());
      RawMemory.setLong(out + 88, sizes.attributeHeapBytes());
    }
  }

  /** Stores an {@code H5O_hdr_info_t}. */
  private static void putHeader(ObjectInfo.HeaderInfo header, long out) {
    requireKnown(header.version() > 0);
    RawMemory.setInt(out, header.version());
    RawMemory.setInt(out + 4, header.messageCount());
    RawMemory.setInt(out + 8, header.chunkCount());
    RawMemory.setInt(out + 12, header.flags());
    RawMemory.setLong(out + 16, header.totalBytes());
    RawMemory.setLong(out + 24, header.totalBytes() - header.messageBytes() - header.freeBytes());
    RawMemory.setLong(out + 32, header.messageBytes());
    RawMemory.setLong(out + 40, header.freeBytes());
    RawMemory.setLong(out + 48, header.presentTypes());
    RawMemory.setLong(out + 56, header.sharedTypes());
  }

  /**
   * Stores an {@code H5F_info2_t}. The versions of free space and of shared messages are 0, the
   * only ones there are.
   *
   * @param out the address of the structure
   * @throws UnsupportedFeatureException if the connector does not know how files are stored
   */
  public static void put(FileInfo file, StorageSizes.File sizes, long out) {
    requireKnown(file.superblockVersion() >= 0 && sizes.extensionBytes() >= 0);
    RawMemory.at(out, FILE_LENGTH).fill((byte) 0);
    RawMemory.setInt(out, file.superblockVersion());
    RawMemory.setLong(out + 8, file.superblockBytes());
    RawMemory.setLong(out + 16, sizes.extensionBytes());
    RawMemory.setLong(out + 32, sizes.freeSpaceBytes());
    RawMemory.setLong(out + 40, file.freeBytes());
    RawMemory.setLong(out + 56, sizes.sharedHeaderBytes());
    RawMemory.setLong(out + 64, sizes.sharedIndexBytes());
    RawMemory.setLong(out + 72, sizes.sharedHeapBytes());
  }

  private static long chunkIndex(LocationResolver.Place place) {
    Handle dataset = Handle.fresh();
    place.file().call(new ObjectOperation.Open(dataset, place.at()));
    try {
      return place
          .file()
          .call(new DatasetOperation.Describe(dataset, true, false))
          .storage()
          .indexBytes();
    } finally {
      place.file().call(new ObjectOperation.Close(dataset));
    }
  }

  private static void requireKnown(boolean known) {
    if (!known) {
      throw new UnsupportedFeatureException(
          "storage in the file (H5Oget_native_info, H5Fget_info2): actual=a connector that does not know it, "
              + "expected=one that does, such as native");
    }
  }
}
