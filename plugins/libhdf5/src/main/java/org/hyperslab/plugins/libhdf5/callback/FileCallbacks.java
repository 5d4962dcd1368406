package org.hyperslab.plugins.libhdf5.callback;

import java.util.List;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.libhdf5.bridge.Bridge;
import org.hyperslab.plugins.libhdf5.bridge.IdSearch;
import org.hyperslab.plugins.libhdf5.call.AccessFlags;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.plugins.libhdf5.file.FileRanks;
import org.hyperslab.plugins.libhdf5.file.OpenedFile;
import org.hyperslab.plugins.libhdf5.object.BridgeObject;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;

/** The callbacks on files ({@code H5VL_file_class_t}). */
public final class FileCallbacks {

  private static final int CLOSE_SEMI = 2;
  private static final int CLOSE_STRONG = 3;

  /** The number of significant bytes of a token, and of bytes of a blob's identifier. */
  private static final int TOKEN_BYTES = 8;

  private static final int BLOB_ID_BYTES = 16;

  private final Bridge bridge;
  private final IdSearch ids;

  public FileCallbacks(Bridge bridge, IdSearch ids) {
    this.bridge = bridge;
    this.ids = ids;
  }

  /** Answers the callback {@code file.close} of libhdf5. */
  public long close(long pointer, long request) {
    BridgeObject.OfFile object = bridge.objects.get(pointer, BridgeObject.OfFile.class);
    OpenedFile file = object.file();
    int degree = file.settings().closeDegree();
    List<OpenedFile> hierarchy = bridge.mounts.hierarchy(file);
    boolean last = otherIdentifiers(hierarchy, pointer) == 0;
    if (last && degree == CLOSE_SEMI && bridge.mounts.uses(hierarchy) > 1) {
      throw new InvalidUseException(
          "closing the file: actual=objects in it are open, expected=none, because of "
              + "H5F_CLOSE_SEMI, at="
              + file.name());
    }
    bridge.objects.remove(pointer);
    bridge.release(file, request);
    if (last && degree == CLOSE_STRONG) {
      hierarchy.forEach(each -> bridge.close(each, request));
    }
    return 0;
  }

  private int otherIdentifiers(List<OpenedFile> hierarchy, long pointer) {
    int[] count = new int[1];
    bridge.objects.forEach((key, object) -> {
      if (key != pointer
          && object instanceof BridgeObject.OfFile f
          && hierarchy.contains(f.file())) {
        count[0]++;
      }
    });
    return count[0];
  }

  /** Answers the callback {@code file.get} of libhdf5. */
  public long get(long pointer, long args) {
    OpenedFile file = bridge.objects.get(pointer).file();
    long first = args + 8;
    switch (RawMemory.getInt(args)) {
      case 0 -> container(RawMemory.getLong(first));
      case 1 -> RawMemory.setLong(first, bridge.lists.copy(file.settings().accessList()));
      case 2 -> RawMemory.setLong(first, bridge.lists.file(file.info()));
      case 3 -> RawMemory.setLong(RawMemory.getLong(first), file.info().fileNumber());
      case 4 -> RawMemory.setInt(RawMemory.getLong(first), intent(file));
      case 5 -> {
        int length =
            RawMemory.putText(
                file.name(), RawMemory.getLong(args + 24), RawMemory.getLong(args + 16));
        RawMemory.setLong(RawMemory.getLong(args + 32), length);
      }
      case 6 ->
          RawMemory.setLong(RawMemory.getLong(args + 16), count(pointer, RawMemory.getInt(first)));
      case 7 -> identifiers(pointer, args);
      default -> throw unknown("get", RawMemory.getInt(args));
    }
    return 0;
  }

  private static void container(long info) {
    RawMemory.setLong(info + 8, 0);
    RawMemory.setLong(info + 16, TOKEN_BYTES);
    RawMemory.setLong(info + 24, BLOB_ID_BYTES);
  }

  private static int intent(OpenedFile file) {
    int swmr = file.settings().writable() ? AccessFlags.SWMR_WRITE : AccessFlags.SWMR_READ;
    return (file.settings().writable() ? AccessFlags.WRITABLE : 0) | (file.isSwmr() ? swmr : 0);
  }

  private long count(long pointer, int types) {
    BridgeObject origin = bridge.objects.get(pointer);
    long[] count = new long[1];
    bridge.objects.forEach((key, object) -> {
      if (IdSearch.counts(origin, object, types)) {
        count[0]++;
      }
    });
    return count[0];
  }

  private void identifiers(long pointer, long args) {
    long most = RawMemory.getLong(args + 16);
    long list = RawMemory.getLong(args + 24);
    List<Long> found = ids.of(bridge.objects.get(pointer), RawMemory.getInt(args + 8));
    int given = (int) Math.min(most, found.size());
    for (int i = 0; i < given; i++) {
      RawMemory.setLong(list + 8L * i, found.get(i));
    }
    RawMemory.setLong(RawMemory.getLong(args + 32), given);
  }

  /** Answers the callback {@code file.specific} of libhdf5. */
  public long specific(long pointer, long args, long request) {
    switch (RawMemory.getInt(args)) {
      case 0 -> flush(bridge.objects.get(pointer).file(), request);
      case 1 -> {
        OpenedFile file = bridge.objects.get(pointer).file();
        file.use();
        RawMemory.setLong(RawMemory.getLong(args + 8), bridge.objects.addFile(file));
      }
      case 2 -> RawMemory.setBool(RawMemory.getLong(args + 24), accessible(args));
      case 3 -> delete(args);
      case 4 -> {
        OpenedFile other = bridge.objects.get(RawMemory.getLong(args + 8)).file();
        RawMemory.setBool(
            RawMemory.getLong(args + 16), bridge.objects.get(pointer).file() == other);
      }
      default -> throw unknown("specific", RawMemory.getInt(args));
    }
    return 0;
  }

  /** Flushes a file and the files that are mounted in it. */
  private void flush(OpenedFile file, long request) {
    bridge.mounts.below(file).forEach(mount -> flush(mount.child(), 0));
    if (file.settings().writable()) {
      bridge.run(file, new FileOperation.Flush(file.handle()), request);
    }
  }

  private boolean accessible(long args) {
    String name = RawMemory.text(RawMemory.getLong(args + 8));
    long accessList = RawMemory.getLong(args + 16);
    if (bridge.fileLists.hasOwnDriver(accessList)) {
      return bridge.drivers.isAccessible(name, accessList);
    }
    FileRanks ranks = bridge.fileOpener.ranks(accessList, true);
    OpenedFile.FileKey key = bridge.files.key(ranks.configuration(), name);
    if (bridge.files.find(key).isPresent()) {
      return true;
    }
    bridge.files.awaitClosed(key);
    Connector connector = bridge.files.connector(ranks.effective());
    boolean exists =
        OpenedFile.await(ranks.submit(connector, new FileOperation.Exists(Handle.fresh(), name)));
    if (!exists) {
      requireThere(ranks, connector, name);
    }
    return exists;
  }

  /**
   * Fails if there is no file of a name, as libhdf5 does, which says no of files of other kinds.
   */
  private static void requireThere(FileRanks ranks, Connector connector, String name) {
    Handle handle = Handle.fresh();
    try {
      OpenedFile.await(
          ranks.submit(connector, new FileOperation.Open(handle, name, OpenOptions.READ)));
      ranks.submit(connector, new FileOperation.Close(handle));
    } catch (NotFoundException missing) {
      throw missing;
    } catch (HyperslabException other) {
      // There is something, and it is no file of this connector.
    }
  }

  private void delete(long args) {
    String name = RawMemory.text(RawMemory.getLong(args + 8));
    long accessList = RawMemory.getLong(args + 16);
    if (bridge.fileLists.hasOwnDriver(accessList)) {
      bridge.drivers.delete(name, accessList);
      return;
    }
    FileRanks ranks = bridge.fileOpener.ranks(accessList, true);
    OpenedFile.FileKey key = bridge.files.key(ranks.configuration(), name);
    if (bridge.files.find(key).isPresent()) {
      throw new InvalidUseException(
          "file to delete: actual=open in this program, expected=closed, at=" + name);
    }
    bridge.files.awaitClosed(key);
    OpenedFile.await(
        ranks.submit(
            bridge.files.connector(ranks.effective()),
            new FileOperation.Delete(Handle.fresh(), name)));
  }

  static UnsupportedFeatureException unknown(String what, int operation) {
    return new UnsupportedFeatureException(
        what + ": actual=operation " + operation + ", expected=an operation of HDF5 1.14");
  }
}
