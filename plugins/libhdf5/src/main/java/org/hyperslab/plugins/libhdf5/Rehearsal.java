package org.hyperslab.plugins.libhdf5;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.hyperslab.plugins.libhdf5.call.ClassSlot;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.call.RawMemory;

/**
 * Makes the most frequent calls of programs of libhdf5: writes and reads a large dataset, whole and
 * in part, contiguous and in deflated chunks, and many small ones, and looks at the file ({@link
 * RehearsedReading}). The callbacks are called as the C part of the bridge calls them; a {@link
 * RehearsedLibrary} answers for libhdf5.
 */
final class Rehearsal {

  private static final int LARGE = 1 << 18;

  private static final String ATTRIBUTE = "attribute";

  private static final int TRUNCATE = 2;
  private static final int GET_TYPE = 5;

  private final Arena arena = Arena.ofConfined();
  private final RehearsedLibrary library = new RehearsedLibrary(arena);
  private final Dispatch dispatch;

  /** {@code H5VL_loc_params_t} of an object itself: zeros but for the kind of object. */
  private final long self = arena.allocate(64, 8).address();

  private final long words = arena.allocate(64, 8).address();
  private final MemorySegment name = arena.allocate(64, 8);
  private final MemorySegment elements = arena.allocate(4L * LARGE, 8);

  /** Creates the bridge of the rehearsed library. */
  Rehearsal() {
    dispatch = BridgeEntry.create(new Hdf5Calls(library::symbol), 0, 0);
  }

  /**
   * Writes a file, reads it and closes it.
   *
   * @param path the file
   * @param datasets the number of small datasets
   */
  void run(Path path, int datasets) {
    long file =
        made(
            ClassSlot.FILE_CREATE,
            dispatch.few(
                ClassSlot.FILE_CREATE.ordinal(),
                arena.allocateFrom(path.toString()).address(),
                TRUNCATE,
                list("FILE_CREATE"),
                list("FILE_ACCESS"),
                list("DATASET_XFER"),
                0));
    elements.fill((byte) 1);
    for (long creation : new long[] {list("DATASET_CREATE"), library.chunked(LARGE / 8)}) {
      transfer(file, creation);
    }
    long one = library.space(1, false);
    attribute(file, one);
    long type = library.identifier("H5T_NATIVE_INT_g");
    for (int i = 0; i < datasets; i++) {
      long dataset = create(file, "small" + i, type, one, list("DATASET_CREATE"));
      move(ClassSlot.DATASET_WRITE, dataset, type, 0, 0);
      describe(dataset);
      if (i == 0) {
        attribute(dataset, one);
      }
      close(ClassSlot.DATASET_CLOSE, dataset);
    }
    close(ClassSlot.FILE_CLOSE, file);
    new RehearsedReading(arena, library, dispatch).run(path, "small0", ATTRIBUTE);
    made(ClassSlot.TERMINATE, 1 + dispatch.few(ClassSlot.TERMINATE.ordinal(), 0, 0, 0, 0, 0, 0));
  }

  private void attribute(long object, long space) {
    long type = library.identifier("H5T_NATIVE_INT_g");
    name.setString(0, ATTRIBUTE);
    long made =
        made(
            ClassSlot.ATTRIBUTE_CREATE,
            dispatch.many(
                ClassSlot.ATTRIBUTE_CREATE.ordinal(),
                object,
                self,
                name.address(),
                type,
                space,
                list("ATTRIBUTE_CREATE"),
                list("ATTRIBUTE_ACCESS"),
                list("DATASET_XFER"),
                0,
                0));
    long result =
        dispatch.few(
            ClassSlot.ATTRIBUTE_WRITE.ordinal(),
            made,
            type,
            elements.address(),
            list("DATASET_XFER"),
            0,
            0);
    made(ClassSlot.ATTRIBUTE_WRITE, 1 + result);
    close(ClassSlot.ATTRIBUTE_CLOSE, made);
  }

  private void transfer(long file, long creation) {
    long type = library.identifier("H5T_IEEE_F32LE_g");
    long dataset = create(file, "large" + creation, type, library.space(LARGE, false), creation);
    move(ClassSlot.DATASET_WRITE, dataset, type, 0, 0);
    move(ClassSlot.DATASET_READ, dataset, type, 0, 0);
    long half = library.space(LARGE / 2, false);
    move(ClassSlot.DATASET_READ, dataset, type, half, library.space(LARGE, true));
    close(ClassSlot.DATASET_CLOSE, dataset);
  }

  private long list(String kind) {
    return library.identifier("H5P_LST_" + kind + "_ID_g");
  }

  private long create(long file, String text, long type, long space, long creation) {
    name.setString(0, text);
    return made(
        ClassSlot.DATASET_CREATE,
        dispatch.many(
            ClassSlot.DATASET_CREATE.ordinal(),
            file,
            self,
            name.address(),
            list("LINK_CREATE"),
            type,
            space,
            creation,
            list("DATASET_ACCESS"),
            list("DATASET_XFER"),
            0));
  }

  private void move(ClassSlot callback, long dataset, long type, long memory, long selected) {
    long result =
        dispatch.many(
            callback.ordinal(),
            1,
            dataset,
            type,
            memory,
            selected,
            list("DATASET_XFER"),
            elements.address(),
            0,
            0,
            0);
    made(callback, 1 + result);
  }

  private void describe(long dataset) {
    RawMemory.setInt(words, GET_TYPE);
    long result =
        dispatch.few(
            ClassSlot.DATASET_GET.ordinal(), dataset, words, list("DATASET_XFER"), 0, 0, 0);
    made(ClassSlot.DATASET_GET, 1 + result);
  }

  private void close(ClassSlot callback, long pointer) {
    long result = dispatch.few(callback.ordinal(), pointer, list("DATASET_XFER"), 0, 0, 0, 0);
    made(callback, 1 + result);
  }

  private static long made(ClassSlot callback, long result) {
    return RehearsedReading.made(callback, result);
  }
}
