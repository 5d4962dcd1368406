package org.hyperslab.model;

import java.util.List;

/**
 * The bytes that an object's metadata takes in the file in addition to its header, as the C library
 * counts them ({@code H5Oget_native_info}, {@code H5Fget_info}); -1 if the connector does not know.
 * The index of a dataset's chunks is counted in {@link DatasetInfo.StorageInfo}.
 *
 * @param indexBytes B-trees of a group's links, with their symbol tables
 * @param heapBytes heaps of a group's links, or those that name a dataset's external files or
 *     virtual sources
 * @param typeBytes the encoded datatype of a dataset or committed type, in the version in which the
 *     file has it; 0 for a group
 * @param attributeIndexBytes B-trees of attributes
 * @param attributeHeapBytes the heap of attributes
 * @param file metadata that belongs to no object; of the root group only, otherwise {@link
 *     File#NONE}
 */
public record StorageSizes(
    long indexBytes,
    long heapBytes,
    long typeBytes,
    long attributeIndexBytes,
    long attributeHeapBytes,
    File file) {

  /** The sizes reported by connectors that do not know how files are stored. */
  public static final StorageSizes UNKNOWN = new StorageSizes(-1, -1, -1, -1, -1, File.UNKNOWN);

  /** The sizes of a group that has only a header. */
  public static final StorageSizes NONE = new StorageSizes(0, 0, 0, 0, 0, File.NONE);

  /**
   * Metadata of a file as a whole.
   *
   * @param extensionBytes the superblock extension's object header
   * @param sharedHeaderBytes the table of shared messages
   * @param sharedIndexBytes its lists and B-trees
   * @param sharedHeapBytes its heaps
   * @param freeSpaceBytes free-space managers, header and list
   * @param freeBytes free bytes according to those managers
   * @param freeSections the lengths in bytes of the free ranges that they list, in no order; their
   *     sum is less than {@code freeBytes} if a list cannot be read
   */
  public record File(
      long extensionBytes,
      long sharedHeaderBytes,
      long sharedIndexBytes,
      long sharedHeapBytes,
      long freeSpaceBytes,
      long freeBytes,
      List<Long> freeSections) {

    /** Copies the list. */
    public File {
      freeSections = List.copyOf(freeSections);
    }

    /** The sizes reported by connectors that do not know how files are stored. */
    public static final File UNKNOWN = new File(-1, -1, -1, -1, -1, -1, List.of());

    /** The sizes of a file that has only a superblock. */
    public static final File NONE = new File(0, 0, 0, 0, 0, 0, List.of());
  }
}
