package org.hyperslab.model;

import org.hyperslab.error.InvalidUseException;

/**
 * Options for creating a file.
 *
 * @param exclusive whether it is an error that the file exists; otherwise it is replaced
 * @param userBlockBytes bytes before the superblock: 0, or a power of two from 512
 * @param sizeOfOffsets bytes of a file address: 2, 4 or 8
 * @param sizeOfLengths bytes of a length: 2, 4 or 8
 * @param symbolLeafK half the entries of a symbol table node
 * @param symbolInternalK half the entries of a group B-tree node
 * @param chunkInternalK half the entries of a chunk B-tree node
 * @param root what the root group is created with
 * @param space how file space is managed
 * @param access bounds, locks, durability and the rest, as for opening; it is always writable
 */
public record CreateOptions(
    boolean exclusive,
    long userBlockBytes,
    int sizeOfOffsets,
    int sizeOfLengths,
    int symbolLeafK,
    int symbolInternalK,
    int chunkInternalK,
    GroupOptions root,
    SpaceStrategy space,
    OpenOptions access) {

  private static final int GREATEST_K = 65_535;

  /**
   * Requires the sizes of nodes that a file can record.
   *
   * @throws InvalidUseException if one of them is not 1 to 65,535
   */
  public CreateOptions {
    requireK("symbolLeafK", symbolLeafK);
    requireK("symbolInternalK", symbolInternalK);
    requireK("chunkInternalK", chunkInternalK);
  }

  private static void requireK(String name, int value) {
    if (value < 1 || value > GREATEST_K) {
      throw new InvalidUseException(
          name + " of a new file: actual=" + value + ", expected=1.." + GREATEST_K);
    }
  }

  /** Replaces an existing file; readable by HDF5 1.10 and later. */
  public static final CreateOptions DEFAULT =
      new CreateOptions(
          false, 0, 8, 8, 4, 16, 32, GroupOptions.DEFAULT, SpaceStrategy.DEFAULT, OpenOptions.EDIT);

  /**
   * {@return these options with an existing file being an error or not}
   *
   * @param newExclusive whether an existing file is an error
   */
  public CreateOptions withExclusive(boolean newExclusive) {
    return new CreateOptions(
        newExclusive,
        userBlockBytes,
        sizeOfOffsets,
        sizeOfLengths,
        symbolLeafK,
        symbolInternalK,
        chunkInternalK,
        root,
        space,
        access);
  }

  /**
   * {@return these options with a user block before the superblock}
   *
   * @param bytes the number of bytes
   */
  public CreateOptions withUserBlock(long bytes) {
    return new CreateOptions(
        exclusive,
        bytes,
        sizeOfOffsets,
        sizeOfLengths,
        symbolLeafK,
        symbolInternalK,
        chunkInternalK,
        root,
        space,
        access);
  }

  /**
   * {@return these options with other sizes of addresses and lengths}
   *
   * @param offsets the bytes of an offset: 2, 4 or 8
   * @param lengths the bytes of a length: 2, 4 or 8
   */
  public CreateOptions withSizes(int offsets, int lengths) {
    return new CreateOptions(
        exclusive,
        userBlockBytes,
        offsets,
        lengths,
        symbolLeafK,
        symbolInternalK,
        chunkInternalK,
        root,
        space,
        access);
  }

  /**
   * {@return these options with other options of the root group}
   *
   * @param newRoot how the root group is created
   */
  public CreateOptions withRoot(GroupOptions newRoot) {
    return new CreateOptions(
        exclusive,
        userBlockBytes,
        sizeOfOffsets,
        sizeOfLengths,
        symbolLeafK,
        symbolInternalK,
        chunkInternalK,
        newRoot,
        space,
        access);
  }

  /**
   * {@return these options with another strategy for file space}
   *
   * @param newSpace the strategy for file space
   */
  public CreateOptions withSpace(SpaceStrategy newSpace) {
    return new CreateOptions(
        exclusive,
        userBlockBytes,
        sizeOfOffsets,
        sizeOfLengths,
        symbolLeafK,
        symbolInternalK,
        chunkInternalK,
        root,
        newSpace,
        access);
  }

  /**
   * {@return these options with other options for opening: bounds, locks, durability}
   *
   * @param newAccess how the new file is opened
   */
  public CreateOptions withAccess(OpenOptions newAccess) {
    return new CreateOptions(
        exclusive,
        userBlockBytes,
        sizeOfOffsets,
        sizeOfLengths,
        symbolLeafK,
        symbolInternalK,
        chunkInternalK,
        root,
        space,
        newAccess);
  }

  /**
   * {@return these options with other version bounds}
   *
   * @param low the lower version bound
   * @param high the upper version bound
   */
  public CreateOptions withBounds(FormatVersion low, FormatVersion high) {
    return withAccess(access.withBounds(low, high));
  }

  /**
   * Written by hand: the method generated for a record creates classes at run time, which delays
   * the start of a job's ranks.
   */
  @Override
  public String toString() {
    return "CreateOptions[exclusive="
        + exclusive
        + ", userBlockBytes="
        + userBlockBytes
        + ", sizeOfOffsets="
        + sizeOfOffsets
        + ", sizeOfLengths="
        + sizeOfLengths
        + ", symbolLeafK="
        + symbolLeafK
        + ", symbolInternalK="
        + symbolInternalK
        + ", chunkInternalK="
        + chunkInternalK
        + ", root="
        + root
        + ", space="
        + space
        + ", access="
        + access
        + "]";
  }
}
