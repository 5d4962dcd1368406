package org.hyperslab.plugins.libhdf5.callback;

import java.util.Set;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.FileInfo;
import org.hyperslab.plugins.libhdf5.bridge.Bridge;
import org.hyperslab.plugins.libhdf5.bridge.NativeInfo;
import org.hyperslab.plugins.libhdf5.bridge.SwmrStart;
import org.hyperslab.plugins.libhdf5.call.Hdf5Function;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.plugins.libhdf5.file.FileImage;
import org.hyperslab.plugins.libhdf5.file.OpenedFile;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;

/**
 * The optional operations on files, with the numbers of {@code H5VLnative.h}.
 *
 * <p>The engine has no metadata cache and no page buffer of libhdf5's kind. A program may set and
 * read the configuration of the cache; its statistics are those of a cache that was not used.
 */
public final class FileOptionalCallbacks {

  private static final int CLEAR_LINK_CACHE = 0;
  private static final int IMAGE = 1;
  private static final int FREE_SPACE = 3;
  private static final int INFO = 4;
  private static final int CACHE_CONFIGURATION = 5;
  private static final int HIT_RATE = 6;
  private static final int CACHE_SIZE = 7;
  private static final int SIZE = 8;
  private static final int HANDLE = 9;
  private static final int RESET_HIT_RATE = 10;
  private static final int SET_CACHE_CONFIGURATION = 11;
  private static final int START_SWMR = 13;
  private static final int END_OF_ALLOCATION = 21;
  private static final int GET_ATOMICITY = 26;
  private static final int SET_ATOMICITY = 27;

  private static final Set<Integer> KNOWN =
      Set.of(
          CLEAR_LINK_CACHE,
          IMAGE,
          FREE_SPACE,
          INFO,
          CACHE_CONFIGURATION,
          HIT_RATE,
          CACHE_SIZE,
          SIZE,
          HANDLE,
          RESET_HIT_RATE,
          SET_CACHE_CONFIGURATION,
          START_SWMR,
          END_OF_ALLOCATION,
          GET_ATOMICITY,
          SET_ATOMICITY);

  private final Bridge bridge;
  private final SwmrStart swmr;

  public FileOptionalCallbacks(Bridge bridge) {
    this.bridge = bridge;
    this.swmr = new SwmrStart(bridge);
  }

  /** Returns whether there is an optional operation of a number. */
  static boolean has(int operation) {
    return KNOWN.contains(operation);
  }

  /** Answers the callback {@code file.optional.call} of libhdf5. */
  public long call(long pointer, long args) {
    OpenedFile file = bridge.objects.get(pointer).file();
    long out = RawMemory.getLong(args + 8);
    long list = file.settings().accessList();
    switch (RawMemory.getInt(args)) {
      case CLEAR_LINK_CACHE, RESET_HIT_RATE -> {}
      case IMAGE -> FileImage.get(file, out);
      case FREE_SPACE -> RawMemory.setLong(RawMemory.getLong(out), describe(file).freeBytes());
      case INFO -> putInfo(file, RawMemory.getLong(out + 8));
      case CACHE_CONFIGURATION ->
          bridge.hdf5.checked(Hdf5Function.P_GET_CACHE, list, RawMemory.getLong(out));
      case SET_CACHE_CONFIGURATION ->
          bridge.hdf5.checked(Hdf5Function.P_SET_CACHE, list, RawMemory.getLong(out));
      case HIT_RATE -> RawMemory.setLong(RawMemory.getLong(out), Double.doubleToLongBits(0));
      case CACHE_SIZE -> putCacheSize(out);
      case SIZE, END_OF_ALLOCATION ->
          RawMemory.setLong(RawMemory.getLong(out), describe(file).sizeBytes());
      case HANDLE -> RawMemory.setLong(RawMemory.getLong(out + 8), file.driverHandle());
      case START_SWMR -> swmr.start(file);
      case GET_ATOMICITY -> {
        requireRanks(file);
        RawMemory.setBool(RawMemory.getLong(out), file.isAtomic());
      }
      case SET_ATOMICITY -> {
        requireRanks(file);
        file.setAtomic((RawMemory.getInt(out) & 0xff) != 0);
      }
      default ->
          throw FileCallbacks.unknown("optional operation of a file", RawMemory.getInt(args));
    }
    return 0;
  }

  private void requireRanks(OpenedFile file) {
    if (!bridge.job.isShared(file.settings().accessList())) {
      throw new InvalidUseException(
          "atomicity of a file: actual=opened without H5Pset_fapl_mpio, expected=with it, at="
              + file.name());
    }
  }

  private static FileInfo describe(OpenedFile file) {
    return file.call(new FileOperation.Describe(file.handle()));
  }

  private static void putInfo(OpenedFile file, long out) {
    FileInfo info = describe(file);
    NativeInfo.put(
        info, file.call(new ObjectOperation.Measure(Location.of(file.handle()))).file(), out);
  }

  /** Stores the sizes of a metadata cache without entries, each unless its pointer is null. */
  private static void putCacheSize(long pointers) {
    for (int i = 0; i < 3; i++) {
      long size = RawMemory.getLong(pointers + 8L * i);
      if (size != 0) {
        RawMemory.setLong(size, 0);
      }
    }
    long count = RawMemory.getLong(pointers + 24);
    if (count != 0) {
      RawMemory.setInt(count, 0);
    }
  }
}
