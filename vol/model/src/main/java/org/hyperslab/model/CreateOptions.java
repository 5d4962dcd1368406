package org.hyperslab.model;

import java.util.List;
import org.hyperslab.error.InvalidUseException;

/**
 * Options for creating a file.
 *
 * <p>Thread rule: immutable.
 */
public final class CreateOptions {

  /** The greatest half of a node's entries that a file can record. */
  private static final int GREATEST_K = 65_535;

  /** Replaces an existing file; readable by HDF5 1.10 and later. */
  public static final CreateOptions DEFAULT = builder().build();

  private final boolean exclusive;
  private final long userBlockBytes;
  private final int sizeOfOffsets;
  private final int sizeOfLengths;
  private final int symbolLeafK;
  private final int symbolInternalK;
  private final int chunkInternalK;
  private final GroupOptions root;
  private final SpaceStrategy space;
  private final OpenOptions access;

  private CreateOptions(Builder builder) {
    exclusive = builder.exclusive;
    userBlockBytes = builder.userBlockBytes;
    sizeOfOffsets = builder.sizeOfOffsets;
    sizeOfLengths = builder.sizeOfLengths;
    symbolLeafK = builder.symbolLeafK;
    symbolInternalK = builder.symbolInternalK;
    chunkInternalK = builder.chunkInternalK;
    root = builder.root;
    space = builder.space;
    access = builder.access;
  }

  /** {@return a builder that starts with the defaults} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return a builder that starts with these options} */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.exclusive = exclusive;
    builder.userBlockBytes = userBlockBytes;
    builder.sizeOfOffsets = sizeOfOffsets;
    builder.sizeOfLengths = sizeOfLengths;
    builder.symbolLeafK = symbolLeafK;
    builder.symbolInternalK = symbolInternalK;
    builder.chunkInternalK = chunkInternalK;
    builder.root = root;
    builder.space = space;
    builder.access = access;
    return builder;
  }

  /** {@return whether it is an error that the file exists; otherwise it is replaced} */
  public boolean exclusive() {
    return exclusive;
  }

  /** {@return the number of bytes before the superblock: 0, or a power of two from 512} */
  public long userBlockBytes() {
    return userBlockBytes;
  }

  /** {@return the bytes of a file address: 2, 4 or 8} */
  public int sizeOfOffsets() {
    return sizeOfOffsets;
  }

  /** {@return the bytes of a length: 2, 4 or 8} */
  public int sizeOfLengths() {
    return sizeOfLengths;
  }

  /** {@return half the entries of a symbol table node} */
  public int symbolLeafK() {
    return symbolLeafK;
  }

  /** {@return half the entries of a group B-tree node} */
  public int symbolInternalK() {
    return symbolInternalK;
  }

  /** {@return half the entries of a chunk B-tree node} */
  public int chunkInternalK() {
    return chunkInternalK;
  }

  /** {@return what the root group is created with} */
  public GroupOptions root() {
    return root;
  }

  /** {@return how file space is managed} */
  public SpaceStrategy space() {
    return space;
  }

  /**
   * {@return bounds, locks, durability and the rest, as for opening; the file is always writable}
   */
  public OpenOptions access() {
    return access;
  }

  private static void requireK(String name, int value) {
    if (value < 1 || value > GREATEST_K) {
      throw new InvalidUseException(
          name + " of a new file: actual=" + value + ", expected=1.." + GREATEST_K);
    }
  }

  /**
   * {@return these options with an existing file being an error or not}
   *
   * @param newExclusive whether an existing file is an error
   */
  public CreateOptions withExclusive(boolean newExclusive) {
    return toBuilder().exclusive(newExclusive).build();
  }

  /**
   * {@return these options with a user block before the superblock}
   *
   * @param bytes the number of bytes
   */
  public CreateOptions withUserBlock(long bytes) {
    return toBuilder().userBlockBytes(bytes).build();
  }

  /**
   * {@return these options with other sizes of addresses and lengths}
   *
   * @param offsets the bytes of an offset: 2, 4 or 8
   * @param lengths the bytes of a length: 2, 4 or 8
   */
  public CreateOptions withSizes(int offsets, int lengths) {
    return toBuilder().sizeOfOffsets(offsets).sizeOfLengths(lengths).build();
  }

  /**
   * {@return these options with other options of the root group}
   *
   * @param newRoot how the root group is created
   */
  public CreateOptions withRoot(GroupOptions newRoot) {
    return toBuilder().root(newRoot).build();
  }

  /**
   * {@return these options with another strategy for file space}
   *
   * @param newSpace the strategy for file space
   */
  public CreateOptions withSpace(SpaceStrategy newSpace) {
    return toBuilder().space(newSpace).build();
  }

  /**
   * {@return these options with other options for opening: bounds, locks, durability}
   *
   * @param newAccess how the new file is opened
   */
  public CreateOptions withAccess(OpenOptions newAccess) {
    return toBuilder().access(newAccess).build();
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

  private List<Object> values() {
    return List.of(
        exclusive,
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

  @Override
  public boolean equals(Object other) {
    return other instanceof CreateOptions options && values().equals(options.values());
  }

  @Override
  public int hashCode() {
    return values().hashCode();
  }

  /** Returns all options with their values. */
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

  /** Collects options; confined to one thread. */
  public static final class Builder {
    private boolean exclusive;
    private long userBlockBytes;
    private int sizeOfOffsets = 8;
    private int sizeOfLengths = 8;
    private int symbolLeafK = 4;
    private int symbolInternalK = 16;
    private int chunkInternalK = 32;
    private GroupOptions root = GroupOptions.DEFAULT;
    private SpaceStrategy space = SpaceStrategy.DEFAULT;
    private OpenOptions access = OpenOptions.EDIT;

    private Builder() {}

    /**
     * Sets whether it is an error that the file exists; otherwise it is replaced.
     *
     * @param newExclusive whether it is an error that the file exists; otherwise it is replaced
     * @return this builder
     */
    public Builder exclusive(boolean newExclusive) {
      this.exclusive = newExclusive;
      return this;
    }

    /**
     * Sets the number of bytes before the superblock: 0, or a power of two from 512.
     *
     * @param newUserBlockBytes the number of bytes before the superblock: 0, or a power of two from
     *     512
     * @return this builder
     */
    public Builder userBlockBytes(long newUserBlockBytes) {
      this.userBlockBytes = newUserBlockBytes;
      return this;
    }

    /**
     * Sets the bytes of a file address: 2, 4 or 8.
     *
     * @param newSizeOfOffsets the bytes of a file address: 2, 4 or 8
     * @return this builder
     */
    public Builder sizeOfOffsets(int newSizeOfOffsets) {
      this.sizeOfOffsets = newSizeOfOffsets;
      return this;
    }

    /**
     * Sets the bytes of a length: 2, 4 or 8.
     *
     * @param newSizeOfLengths the bytes of a length: 2, 4 or 8
     * @return this builder
     */
    public Builder sizeOfLengths(int newSizeOfLengths) {
      this.sizeOfLengths = newSizeOfLengths;
      return this;
    }

    /**
     * Sets half the entries of a symbol table node.
     *
     * @param newSymbolLeafK half the entries of a symbol table node
     * @return this builder
     */
    public Builder symbolLeafK(int newSymbolLeafK) {
      this.symbolLeafK = newSymbolLeafK;
      return this;
    }

    /**
     * Sets half the entries of a group B-tree node.
     *
     * @param newSymbolInternalK half the entries of a group B-tree node
     * @return this builder
     */
    public Builder symbolInternalK(int newSymbolInternalK) {
      this.symbolInternalK = newSymbolInternalK;
      return this;
    }

    /**
     * Sets half the entries of a chunk B-tree node.
     *
     * @param newChunkInternalK half the entries of a chunk B-tree node
     * @return this builder
     */
    public Builder chunkInternalK(int newChunkInternalK) {
      this.chunkInternalK = newChunkInternalK;
      return this;
    }

    /**
     * Sets what the root group is created with.
     *
     * @param newRoot what the root group is created with
     * @return this builder
     */
    public Builder root(GroupOptions newRoot) {
      this.root = newRoot;
      return this;
    }

    /**
     * Sets how file space is managed.
     *
     * @param newSpace how file space is managed
     * @return this builder
     */
    public Builder space(SpaceStrategy newSpace) {
      this.space = newSpace;
      return this;
    }

    /**
     * Sets bounds, locks, durability and the rest, as for opening; the file is always writable.
     *
     * @param newAccess bounds, locks, durability and the rest, as for opening; the file is always
     *     writable
     * @return this builder
     */
    public Builder access(OpenOptions newAccess) {
      this.access = newAccess;
      return this;
    }

    /**
     * {@return the options}
     *
     * @throws InvalidUseException if half the entries of a node are not 1 to 65,535
     */
    public CreateOptions build() {
      requireK("symbolLeafK", symbolLeafK);
      requireK("symbolInternalK", symbolInternalK);
      requireK("chunkInternalK", chunkInternalK);
      return new CreateOptions(this);
    }
  }
}
