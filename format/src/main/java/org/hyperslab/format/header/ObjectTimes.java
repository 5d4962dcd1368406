package org.hyperslab.format.header;

/**
 * The four times that a version-2 object header may keep: seconds since 1970-01-01 UTC, 0 to
 * 2^32-1.
 *
 * @param access when the object was last read; the reference implementation does not maintain it
 * @param modification when its data last changed
 * @param change when its metadata last changed
 * @param birth when it was created
 */
public record ObjectTimes(long access, long modification, long change, long birth) {

  /** All four the same. */
  public static ObjectTimes at(long epochSecond) {
    return new ObjectTimes(epochSecond, epochSecond, epochSecond, epochSecond);
  }

  /** With another modification and change time. */
  public ObjectTimes modified(long epochSecond) {
    return new ObjectTimes(access, epochSecond, epochSecond, birth);
  }
}
