package org.hyperslab.format.header;

/**
 * The four times that a version-2 object header may keep: seconds since 1970-01-01 UTC, 0 to
 * 2^32-1.
 *
 * @param access when the object was last read; the HDF5 library sets it with {@code change}
 * @param modification when its data last changed; the HDF5 library leaves it as it was at creation
 * @param change when its metadata last changed
 * @param birth when it was created
 */
public record ObjectTimes(long access, long modification, long change, long birth) {

  /**
   * {@return all four the same}
   *
   * @param epochSecond the time, seconds since 1970-01-01T00:00Z
   */
  public static ObjectTimes at(long epochSecond) {
    return new ObjectTimes(epochSecond, epochSecond, epochSecond, epochSecond);
  }

  /**
   * Returns the times after a change of metadata: of access and change, which the HDF5 library sets
   * together.
   *
   * @param epochSecond the time, seconds since 1970-01-01T00:00Z
   * @return the new times
   */
  public ObjectTimes changed(long epochSecond) {
    return new ObjectTimes(epochSecond, modification, epochSecond, birth);
  }
}
