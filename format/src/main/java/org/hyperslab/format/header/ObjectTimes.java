package org.hyperslab.format.header;

/**
 * The four times that a version 2 object header may store, in seconds since 1970-01-01 UTC, 0 to
 * 2^32-1.
 *
 * @param access the time of the last read; the HDF5 library sets it together with {@code change}
 * @param modification the time of the last change of data; the HDF5 library sets it only at
 *     creation
 * @param change the time of the last change of metadata
 * @param birth the time of creation
 */
public record ObjectTimes(long access, long modification, long change, long birth) {

  /**
   * {@return times that are all the same}
   *
   * @param epochSecond the time, seconds since 1970-01-01T00:00Z
   */
  public static ObjectTimes at(long epochSecond) {
    return new ObjectTimes(epochSecond, epochSecond, epochSecond, epochSecond);
  }

  /**
   * Returns the times after a change of metadata, with new access and change times, which the HDF5
   * library sets together.
   *
   * @param epochSecond the time, seconds since 1970-01-01T00:00Z
   * @return the new times
   */
  public ObjectTimes changed(long epochSecond) {
    return new ObjectTimes(epochSecond, modification, epochSecond, birth);
  }
}
