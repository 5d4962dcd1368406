package org.hyperslab.format.filter;

import java.lang.foreign.MemorySegment;

/**
 * Receives a filter's result: in a buffer of a {@link FilterScratch} that grows on request, up to a
 * limit, or in the caller's own memory if the result is to be placed there. A filter requests room
 * with {@link #array} or {@link #segment} and writes from its start.
 *
 * <p>Thread rule: belongs to the thread of its scratch.
 */
public final class FilterOutput {

  private final FilterScratch scratch;
  private final long limitBytes;
  private final int slot;
  private final MemorySegment target;
  private MemorySegment segment;
  private byte[] array;
  private int arrayOffset;
  private boolean passed;
  private boolean inTarget;

  /**
   * Creates an output.
   *
   * @param slot the index of the scratch's buffer to use
   * @param target memory of exactly the expected size for the result, or null
   */
  FilterOutput(FilterScratch scratch, int slot, long limitBytes, MemorySegment target) {
    this.scratch = scratch;
    this.slot = slot;
    this.limitBytes = limitBytes;
    this.target = target;
  }

  /** {@return the scratch of this thread, for objects that a filter keeps} */
  public FilterScratch scratch() {
    return scratch;
  }

  /** {@return the greatest number of bytes that this output accepts} */
  public long limitBytes() {
    return limitBytes;
  }

  /**
   * {@return an array with room for {@code capacityBytes} from {@link #arrayOffset}; bytes written
   * before are kept}
   *
   * @param capacityBytes the capacity in bytes
   * @throws MalformedDataException if that is more than the limit or than an array can hold
   */
  public byte[] array(long capacityBytes) throws MalformedDataException {
    checkLimit(capacityBytes);
    if (capacityBytes > ArrayFilter.MAXIMUM_ARRAY_BYTES) {
      throw new MalformedDataException(
          "too long for an array: actual="
              + capacityBytes
              + " bytes, expected=at most "
              + ArrayFilter.MAXIMUM_ARRAY_BYTES);
    }
    if (array == null || capacityBytes > segment.byteSize()) {
      byte[] targetArray = target == null ? null : FilterScratch.arrayOf(target);
      if (array == null && targetArray != null && capacityBytes <= target.byteSize()) {
        array = targetArray;
        arrayOffset = Math.toIntExact(target.address());
        segment = target;
        inTarget = true;
      } else {
        grow((int) capacityBytes);
      }
    }
    return array;
  }

  private void grow(int capacityBytes) {
    byte[] grown = scratch.buffer(slot, capacityBytes);
    MemorySegment now = MemorySegment.ofArray(grown);
    if (segment != null) {
      long kept = Math.min(segment.byteSize(), grown.length);
      MemorySegment.copy(segment, 0, now, 0, kept);
    }
    array = grown;
    arrayOffset = 0;
    segment = now;
    inTarget = false;
  }

  /** {@return the index in the array of the output's first byte; valid after {@link #array}} */
  public int arrayOffset() {
    return arrayOffset;
  }

  /**
   * {@return a segment with room for {@code capacityBytes}, on or off the heap; bytes written
   * before are kept}
   *
   * @param capacityBytes the capacity in bytes
   * @throws MalformedDataException if that is more than the limit
   */
  public MemorySegment segment(long capacityBytes) throws MalformedDataException {
    checkLimit(capacityBytes);
    if (segment != null && capacityBytes <= segment.byteSize()) {
      return segment;
    }
    if (segment == null && target != null && capacityBytes <= target.byteSize()) {
      segment = target;
      inTarget = true;
      array = FilterScratch.arrayOf(target);
      arrayOffset = array == null ? 0 : Math.toIntExact(target.address());
    } else if (capacityBytes <= ArrayFilter.MAXIMUM_ARRAY_BYTES) {
      grow((int) capacityBytes);
    } else {
      inTarget = false;
      segment = scratch.largeBuffer(slot, capacityBytes, segment);
      array = null;
    }
    return segment;
  }

  /**
   * Declares that the result is part of the source itself, so that nothing need be copied. Call it
   * instead of {@link #array} and {@link #segment}, and return the length of the part.
   *
   * @param partOfSource a slice of the filter's input
   */
  public void pass(MemorySegment partOfSource) {
    segment = partOfSource;
    array = null;
    passed = true;
  }

  /** Returns whether the result is part of the source. */
  boolean passed() {
    return passed;
  }

  private void checkLimit(long capacityBytes) throws MalformedDataException {
    if (capacityBytes > limitBytes || capacityBytes < 0) {
      throw new MalformedDataException(
          "result too long: actual="
              + capacityBytes
              + " bytes or more, expected=at most "
              + limitBytes);
    }
  }

  /** Returns the first {@code lengthBytes} of the bytes written. */
  MemorySegment result(long lengthBytes) throws MalformedDataException {
    checkLimit(lengthBytes);
    if (lengthBytes == 0) {
      return MemorySegment.NULL;
    }
    return segment.asSlice(0, lengthBytes);
  }

  /** Returns the memory for the result, or null. */
  MemorySegment target() {
    return target;
  }

  /** Returns whether the bytes were written to the target. */
  boolean inTarget() {
    return inTarget;
  }
}
