package org.hyperslab.plugins.libhdf5.object;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.plugins.libhdf5.call.CFunction;
import org.hyperslab.plugins.libhdf5.file.OpenedFile;

/**
 * The objects to which libhdf5 holds pointers. The pointers are numbers, not memory addresses,
 * except those of committed types, which point to a block of zeros.
 *
 * <p>Thread rule: any thread.
 */
public final class PointerTable {

  /** The distance between pointers, chosen so that they are aligned like allocated memory. */
  private static final int STEP = 16;

  /** The size of a block for a committed type, larger than libhdf5's structure for a type. */
  private static final int TYPE_BYTES = 256;

  private final AtomicLong next = new AtomicLong(1L << 20);
  private final AtomicLong openings = new AtomicLong();
  private final Map<Long, BridgeObject> objects = new ConcurrentHashMap<>();

  /** The pointers of files, by the number of the opening. */
  private final Map<Long, Long> files = new ConcurrentHashMap<>();

  /** Adds an object and returns its pointer. */
  public long add(BridgeObject object) {
    boolean type = isType(object);
    long pointer = type ? zeros() : next.getAndAdd(STEP);
    while (objects.putIfAbsent(pointer, object) != null) {
      pointer = type ? zeros() : next.getAndAdd(STEP);
    }
    return pointer;
  }

  /**
   * Returns a pointer for a committed type. When libhdf5 1.14.5 shuts down, it treats these
   * pointers as types of its own ({@code H5T__unlock_cb}), and ignores a type that holds zeros.
   */
  private long zeros() {
    return CFunction.named("calloc").call(1, TYPE_BYTES);
  }

  private static boolean isType(BridgeObject object) {
    return object instanceof BridgeObject.OfObject opened && opened.type() == IdType.DATATYPE;
  }

  /** Adds a new identifier of a file and returns its pointer. */
  public long addFile(OpenedFile file) {
    return addFile(file, openings.incrementAndGet());
  }

  /**
   * Adds an identifier of a file for one that was closed, through which an object is still open.
   *
   * @param known the number of that one; 0 for a new number
   */
  public long addFile(OpenedFile file, long known) {
    long opening = known == 0 ? openings.incrementAndGet() : known;
    long pointer = add(new BridgeObject.OfFile(file, opening));
    files.put(opening, pointer);
    return pointer;
  }

  /** Returns the pointer of a file's identifier by its number, if it is still open. */
  public Optional<Long> fileOf(long opening) {
    return Optional.ofNullable(files.get(opening));
  }

  /** Returns what a number stands for. */
  public BridgeObject get(long pointer) {
    BridgeObject found = objects.get(pointer);
    if (found == null) {
      throw unknown(pointer, "an open object of this connector");
    }
    return found;
  }

  /** Returns what a number stands for. */
  public <T extends BridgeObject> T get(long pointer, Class<T> type) {
    BridgeObject found = get(pointer);
    if (!type.isInstance(found)) {
      throw unknown(pointer, "a " + type.getSimpleName());
    }
    return type.cast(found);
  }

  /** Returns what a number stands for, if anything. */
  public Optional<BridgeObject> find(long pointer) {
    return Optional.ofNullable(objects.get(pointer));
  }

  /** Removes and returns an object; null if it is unknown. */
  public BridgeObject remove(long pointer) {
    BridgeObject removed = objects.remove(pointer);
    if (removed != null && isType(removed)) {
      CFunction.named("free").call(pointer);
    }
    if (removed instanceof BridgeObject.OfFile file) {
      files.remove(file.opening());
    }
    return removed;
  }

  int size() {
    return objects.size();
  }

  /** Gives everything that has a number to a function. */
  public void forEach(BiConsumer<Long, BridgeObject> action) {
    objects.forEach(action);
  }

  private static InvalidUseException unknown(long pointer, String expected) {
    return new InvalidUseException(
        "object: actual=0x" + Long.toHexString(pointer) + ", expected=" + expected);
  }
}
