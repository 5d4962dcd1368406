package org.hyperslab.format.header;

/**
 * A generation of the format, named after the release of the C library that introduced it. Writing
 * "for" a generation means using the encodings that the C library uses when its lower version bound
 * is that release.
 *
 * <p>Source: the {@code …_ver_bounds} tables of the reference implementation.
 */
public enum LibraryVersion {
  /** Readable by every release. */
  EARLIEST,
  /** HDF5 1.8: version 2 headers, link messages. */
  V18,
  /** HDF5 1.10: chunk indexes other than version 1 B-trees, virtual datasets. */
  V110,
  /** HDF5 1.12: revised references. */
  V112,
  /** HDF5 1.14, whose encodings are those of 1.12. */
  V114,
  /** HDF5 2.0: complex numbers, 8-byte filtered chunk sizes. */
  V200;

  /** The newest generation that this library writes. */
  public static final LibraryVersion LATEST = V200;

  /**
   * {@return whether this generation is {@code other} or newer}
   *
   * @param other the version to compare with
   */
  public boolean atLeast(LibraryVersion other) {
    return compareTo(other) >= 0;
  }

  /** {@return the version of superblocks} */
  public int superblock() {
    return choose(0, 2, 3, 3);
  }

  /** {@return the version of object headers} */
  public int objectHeader() {
    return choose(1, 2, 2, 2);
  }

  /** {@return the version of dataspace messages} */
  public int dataspace() {
    return choose(1, 2, 2, 2);
  }

  /** {@return the least version of datatype messages} */
  public int datatype() {
    return atLeast(V112) && !atLeast(V200) ? 4 : choose(1, 3, 3, 5);
  }

  /** {@return the version of fill value messages} */
  public int fillValue() {
    return choose(2, 3, 3, 3);
  }

  /** {@return the version of data layout messages} */
  public int dataLayout() {
    return choose(3, 3, 4, 5);
  }

  /** {@return the version of filter pipeline messages} */
  public int filterPipeline() {
    return choose(1, 2, 2, 2);
  }

  /** {@return the least version of attribute messages} */
  public int attribute() {
    return choose(1, 3, 3, 3);
  }

  private int choose(int earliest, int v18, int v110, int v200) {
    return switch (this) {
      case EARLIEST -> earliest;
      case V18 -> v18;
      case V110, V112, V114 -> v110;
      case V200 -> v200;
    };
  }
}
