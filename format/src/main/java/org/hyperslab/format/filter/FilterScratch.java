package org.hyperslab.format.filter;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Working memory that a thread keeps between chunks, so that filtering does not allocate memory for
 * every chunk: buffers for the stages of a pipeline, and the codecs' own state.
 *
 * <p>Thread rule: one thread at a time. It must be closed: buffers for chunks of more than 2 GiB
 * are outside the heap and are not garbage-collected.
 */
public final class FilterScratch implements AutoCloseable {

  private static final int SLOTS = 4;
  private static final int STAGING = 2;

  /** The slot of the buffer that {@link #input} returns. */
  private static final int INPUT = 3;

  private final byte[][] buffers = new byte[SLOTS][];
  private final MemorySegment[] largeBuffers = new MemorySegment[SLOTS];
  private final Arena[] largeArenas = new Arena[SLOTS];
  private final Map<Object, Object> states = new HashMap<>();
  private final List<Runnable> closers = new ArrayList<>();

  /** Creates an empty scratch. */
  public FilterScratch() {}

  /**
   * Returns memory of {@code lengthBytes} for stored bytes that are to be read and decoded. It is
   * valid until the next call of this method; its content is unspecified.
   *
   * @param lengthBytes the length in bytes
   * @return the memory
   */
  public MemorySegment input(long lengthBytes) {
    if (lengthBytes > ArrayFilter.MAXIMUM_ARRAY_BYTES) {
      return largeBuffer(INPUT, lengthBytes, null).asSlice(0, lengthBytes);
    }
    return MemorySegment.ofArray(buffer(INPUT, (int) lengthBytes)).asSlice(0, lengthBytes);
  }

  /**
   * {@return the state kept under {@code key}, created at the first call}
   *
   * @param <T> the type of the value
   * @param key the identity of the object; by convention the class of the filter, or a record
   * @param maker creates it
   */
  @SuppressWarnings("unchecked")
  public <T> T state(Object key, Supplier<T> maker) {
    Object state = states.get(key);
    if (state == null) {
      state = maker.get();
      states.put(key, state);
    }
    return (T) state;
  }

  /**
   * Registers an action to run when this scratch is closed.
   *
   * @param closer the action
   */
  public void onClose(Runnable closer) {
    closers.add(closer);
  }

  /** Returns a buffer of at least {@code capacityBytes}; growing loses the content. */
  byte[] buffer(int slot, int capacityBytes) {
    byte[] buffer = buffers[slot];
    if (buffer == null || buffer.length < capacityBytes) {
      long generous = Math.max(1 << 12, capacityBytes + (long) capacityBytes / 4);
      buffer = new byte[(int) Math.min(generous, ArrayFilter.MAXIMUM_ARRAY_BYTES)];
      buffers[slot] = buffer;
    }
    return buffer;
  }

  /**
   * Returns a buffer outside the heap that begins with the content of {@code kept}, unless that is
   * null.
   */
  MemorySegment largeBuffer(int slot, long capacityBytes, MemorySegment kept) {
    MemorySegment buffer = largeBuffers[slot];
    if (buffer != null && buffer.byteSize() >= capacityBytes) {
      if (kept != null) {
        buffer.copyFrom(kept);
      }
      return buffer;
    }
    Arena arena = Arena.ofShared();
    buffer = arena.allocate(capacityBytes, 64);
    if (kept != null) {
      buffer.copyFrom(kept);
    }
    freeLarge(slot);
    largeArenas[slot] = arena;
    largeBuffers[slot] = buffer;
    return buffer;
  }

  private void freeLarge(int slot) {
    if (largeArenas[slot] != null) {
      largeArenas[slot].close();
      largeArenas[slot] = null;
      largeBuffers[slot] = null;
    }
  }

  /** Returns {@code source} as part of an array: its own if it has one, or a copy. */
  Span span(MemorySegment source) {
    int length = Math.toIntExact(source.byteSize());
    byte[] array = arrayOf(source);
    if (array != null) {
      return new Span(array, Math.toIntExact(source.address()), length);
    }
    byte[] staging = buffer(STAGING, length);
    MemorySegment.copy(source, ValueLayout.JAVA_BYTE, 0, staging, 0, length);
    return new Span(staging, 0, length);
  }

  /** Returns the byte array behind a writable segment on the heap, or null. */
  static byte[] arrayOf(MemorySegment segment) {
    return segment.heapBase().orElse(null) instanceof byte[] array ? array : null;
  }

  /** Frees native memory and forgets the buffers. */
  @Override
  public void close() {
    closers.forEach(Runnable::run);
    closers.clear();
    states.clear();
    for (int i = 0; i < SLOTS; i++) {
      buffers[i] = null;
      freeLarge(i);
    }
  }
}
