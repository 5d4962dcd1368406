package org.hyperslab.mpi;

import static org.hyperslab.format.store.NativeFunction.value;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Hints for an MPI library: strings by name. A library ignores names that it does not know.
 *
 * <p>Thread rule: one thread at a time.
 */
public final class MpiInfo implements AutoCloseable {

  private static final int KEY_BYTES = 257;

  private final Library library;
  private final long handle;
  private boolean closed;

  private MpiInfo(Library library, long handle) {
    this.library = library;
    this.handle = handle;
  }

  static MpiInfo create(Library library) {
    return new MpiInfo(library, library.newHandle(Call.INFO_CREATE));
  }

  /** Wraps a handle that a call returned and takes ownership of it. */
  static MpiInfo owning(Library library, long handle) {
    return new MpiInfo(library, handle);
  }

  /** Returns the handle of hints, or MPI_INFO_NULL if {@code info} is null. */
  static long handleOf(Library library, MpiInfo info) {
    return info == null ? library.handle(Predefined.INFO_NULL) : info.handle;
  }

  /**
   * Sets a hint.
   *
   * @param key the name of the hint
   * @param value the value
   */
  public void set(String key, String value) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment k = arena.allocateFrom(key);
      MemorySegment v = arena.allocateFrom(value);
      library.call(Call.INFO_SET, value(handle), k, v);
    }
  }

  /**
   * {@return the value of a hint; empty if it is not set}
   *
   * @param key the name of the hint
   */
  public Optional<String> get(String key) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment k = arena.allocateFrom(key);
      MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
      MemorySegment found = arena.allocate(ValueLayout.JAVA_INT);
      library.call(Call.INFO_GET_VALUELEN, value(handle), k, length, found);
      if (found.get(ValueLayout.JAVA_INT, 0) == 0) {
        return Optional.empty();
      }
      int bytes = length.get(ValueLayout.JAVA_INT, 0);
      MemorySegment value = arena.allocate(bytes + 1L);
      library.call(Call.INFO_GET, value(handle), k, value(bytes), value, found);
      return Optional.of(value.getString(0));
    }
  }

  /**
   * Removes a hint.
   *
   * @param key the name of the hint
   * @throws org.hyperslab.error.MpiException if no hint has that name
   */
  public void remove(String key) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment k = arena.allocateFrom(key);
      library.call(Call.INFO_DELETE, value(handle), k);
    }
  }

  /** {@return all hints, in the library's order} */
  public Map<String, String> toMap() {
    Map<String, String> all = new LinkedHashMap<>();
    int count = library.anInt(Call.INFO_GET_NKEYS, value(handle));
    for (int i = 0; i < count; i++) {
      String key = key(i);
      all.put(key, get(key).orElse(""));
    }
    return all;
  }

  private String key(int index) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment key = arena.allocate(KEY_BYTES);
      library.call(Call.INFO_GET_NTHKEY, value(handle), value(index), key);
      return key.getString(0);
    }
  }

  /** {@return a copy, to be closed by the caller} */
  public MpiInfo duplicate() {
    return new MpiInfo(library, library.newHandle(Call.INFO_DUP, value(handle)));
  }

  @Override
  public void close() {
    if (!closed && !library.isFinished()) {
      library.free(Call.INFO_FREE, handle);
    }
    closed = true;
  }

  @Override
  public String toString() {
    return closed || library.isFinished() ? "closed hints" : toMap().toString();
  }
}
