package org.hyperslab.plugins.libhdf5;

import java.lang.foreign.Arena;
import java.nio.file.Path;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.plugins.libhdf5.call.ClassSlot;
import org.hyperslab.plugins.libhdf5.call.RawMemory;

/**
 * The calls of programs that read a file, such as {@code h5ls}, {@code h5dump} and h5py: opens it,
 * lists links, attributes and objects, opens and describes them, and reads their elements.
 */
final class RehearsedReading {

  private static final int BY_NAME = 1;
  private static final int ROOM = 128;

  private final Arena arena;
  private final RehearsedLibrary library;
  private final Dispatch dispatch;

  /** {@code H5VL_loc_params_t} of an object itself, and of one with a name. */
  private final long self;

  private final long named;

  /** The arguments of a callback, and where it stores results. */
  private final long words;

  private final long results;

  RehearsedReading(Arena arena, RehearsedLibrary library, Dispatch dispatch) {
    this.arena = arena;
    this.library = library;
    this.dispatch = dispatch;
    this.self = room();
    this.named = room();
    this.words = room();
    this.results = room();
    RawMemory.setInt(named + 4, BY_NAME);
  }

  private long room() {
    return arena.allocate(ROOM, 8).address();
  }

  private long text(String text) {
    return arena.allocateFrom(text).address();
  }

  /**
   * Reads a file.
   *
   * @param path the file
   * @param dataset a dataset in its root group, of four-byte elements
   * @param attribute an attribute of that dataset and of the root group, of one such element
   */
  void run(Path path, String dataset, String attribute) {
    long file = opened(ClassSlot.FILE_OPEN, text(path.toString()), 0, 0, 0, 0, 0);
    for (int what : new int[] {1, 2, 4}) {
      get(ClassSlot.FILE_GET, file, what);
    }
    long group = opened(ClassSlot.GROUP_OPEN, file, self, text("/"), list("GROUP_ACCESS"), 0, 0);
    done(ClassSlot.GROUP_GET, group, words(1, 0, 0, 0, 0, 0, results), 0);
    iterate(group);
    describe(file, dataset);
    readAttribute(group, self, attribute);
    dataset(file, dataset, attribute);
    close(ClassSlot.GROUP_CLOSE, group);
    close(ClassSlot.FILE_CLOSE, file);
  }

  private long list(String kind) {
    return library.identifier("H5P_LST_" + kind + "_ID_g");
  }

  /** Stores the words of a callback's arguments, the first of which is its operation. */
  private long words(long... values) {
    for (int i = 0; i < ROOM / Long.BYTES; i++) {
      RawMemory.setLong(words + 8L * i, i < values.length ? values[i] : 0);
    }
    return words;
  }

  /** Walks over the links of the group, over its attributes, and over all objects below it. */
  private void iterate(long group) {
    long visitor = library.symbol("visitor");
    done(ClassSlot.LINK_SPECIFIC, group, self, words(2, 0, 0, 0, visitor));
    done(ClassSlot.ATTRIBUTE_SPECIFIC, group, self, words(3, 0, 0, visitor));
    done(ClassSlot.OBJECT_SPECIFIC, group, self, words(3, 0, 1, visitor));
  }

  /** Asks whether there is a link, what it is, and what it leads to. */
  private void describe(long file, String name) {
    RawMemory.setLong(named + 8, text(name));
    RawMemory.setLong(named + 16, list("LINK_ACCESS"));
    done(ClassSlot.LINK_SPECIFIC, file, named, words(1, results));
    done(ClassSlot.LINK_GET, file, named, words(0, results));
    done(ClassSlot.OBJECT_SPECIFIC, file, named, words(1, results));
    done(ClassSlot.OBJECT_GET, file, named, words(3, 1, results));
  }

  private void dataset(long file, String name, String attribute) {
    RawMemory.setLong(named + 8, text(name));
    long object = opened(ClassSlot.OBJECT_OPEN, file, named, results, 0, 0, 0);
    close(ClassSlot.DATASET_CLOSE, object);
    long dataset =
        opened(ClassSlot.DATASET_OPEN, file, self, text(name), list("DATASET_ACCESS"), 0, 0);
    for (int what : new int[] {1, 2, 5}) {
      get(ClassSlot.DATASET_GET, dataset, what);
    }
    done(ClassSlot.OBJECT_GET, dataset, self, words(1, ROOM / 2, results, results + ROOM / 2));
    readAttribute(dataset, self, attribute);
    long type = library.identifier("H5T_NATIVE_INT_g");
    long list = list("DATASET_XFER");
    made(
        ClassSlot.DATASET_READ,
        1
            + dispatch.many(
                ClassSlot.DATASET_READ.ordinal(), 1, dataset, type, 0, 0, list, results, 0, 0, 0));
    close(ClassSlot.DATASET_CLOSE, dataset);
  }

  private void readAttribute(long object, long place, String name) {
    done(ClassSlot.ATTRIBUTE_SPECIFIC, object, place, words(2, text(name), results));
    long attribute =
        opened(ClassSlot.ATTRIBUTE_OPEN, object, place, text(name), list("ATTRIBUTE_ACCESS"), 0, 0);
    for (int what : new int[] {3, 5}) {
      get(ClassSlot.ATTRIBUTE_GET, attribute, what);
    }
    long type = library.identifier("H5T_NATIVE_INT_g");
    done(ClassSlot.ATTRIBUTE_READ, attribute, type, results);
    close(ClassSlot.ATTRIBUTE_CLOSE, attribute);
  }

  /** Asks for a property that is returned in the second word, or at the address in it. */
  private void get(ClassSlot callback, long object, int what) {
    done(callback, object, words(what, results), 0);
  }

  private long opened(ClassSlot callback, long a, long b, long c, long d, long e, long f) {
    return made(callback, dispatch.few(callback.ordinal(), a, b, c, d, e, f));
  }

  private void done(ClassSlot callback, long a, long b, long c) {
    made(callback, 1 + dispatch.few(callback.ordinal(), a, b, c, list("DATASET_XFER"), 0, 0));
  }

  private void close(ClassSlot callback, long pointer) {
    done(callback, pointer, list("DATASET_XFER"), 0);
  }

  /** Returns a pointer or a status plus 1; fails if it is 0. */
  static long made(ClassSlot callback, long result) {
    if (result == 0) {
      throw new InvalidUseException("rehearsal: actual=" + callback + " failed, expected=success");
    }
    return result;
  }
}
