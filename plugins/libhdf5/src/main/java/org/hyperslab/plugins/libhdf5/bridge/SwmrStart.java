package org.hyperslab.plugins.libhdf5.bridge;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.file.OpenedFile;
import org.hyperslab.plugins.libhdf5.object.BridgeObject;
import org.hyperslab.plugins.libhdf5.object.IdType;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.ObjectOperation;

/**
 * Lets readers of other processes follow a file that is open for editing ({@code
 * H5Fstart_swmr_write}). The file is closed in its connector and opened again with SWMR access, and
 * so are the groups and datasets in it, by the handles that they have.
 *
 * <p>Thread rule: that of {@link Hdf5Calls}.
 */
public final class SwmrStart {

  private final Bridge bridge;

  public SwmrStart(Bridge bridge) {
    this.bridge = bridge;
  }

  /**
   * Reopens a file with SWMR access, and its open groups and datasets with it.
   *
   * @param file a file that is open for editing
   * @throws InvalidUseException if the file is open for reading, has started already, is mounted or
   *     in memory, or if attributes or committed types in it are open, as in libhdf5
   */
  public void start(OpenedFile file) {
    require(file.settings().writable(), file, "open for reading", "open for editing");
    require(!file.isSwmr(), file, "started before", "not started");
    require(bridge.mounts.hierarchy(file).size() == 1, file, "mounted", "not mounted");
    require(!file.settings().shared(), file, "open on several ranks", "on one");
    require(file.settings().localPath() != null, file, "not on this machine", "a local file");
    OpenOptions options = bridge.fileLists.access(file.settings().accessList(), true, true);
    Map<Long, BridgeObject.OfObject> open = open(file);
    List<ObjectToken> tokens =
        open.values().stream().map(each -> each.info().join().token()).toList();
    open.values().forEach(each -> file.call(new ObjectOperation.Close(each.handle())));
    file.call(new FileOperation.Close(file.handle()));
    boolean started = false;
    try {
      reopen(file, options);
      started = true;
    } finally {
      if (!started) {
        reopen(file, options.withSwmr(false));
      }
      int i = 0;
      for (BridgeObject.OfObject each : open.values()) {
        file.call(new ObjectOperation.OpenToken(each.handle(), file.handle(), tokens.get(i++)));
      }
    }
    file.startSwmr();
  }

  private static void reopen(OpenedFile file, OpenOptions options) {
    file.call(new FileOperation.Open(file.handle(), file.settings().localPath(), options));
  }

  /** Returns the groups and datasets that are open in a file, in the order of opening. */
  private Map<Long, BridgeObject.OfObject> open(OpenedFile file) {
    Map<Long, BridgeObject.OfObject> found = new TreeMap<>();
    bridge.objects.forEach((pointer, object) -> {
      if (object.file() != file) {
        return;
      }
      switch (object) {
        case BridgeObject.OfAttribute _ -> require(false, file, "open attributes", "none");
        case BridgeObject.OfObject o -> {
          require(o.type() != IdType.DATATYPE, file, "open committed types", "none");
          found.put(pointer, o);
        }
        case BridgeObject.OfFile _, BridgeObject.OfRequest _ -> {}
      }
    });
    return found;
  }

  private static void require(boolean holds, OpenedFile file, String actual, String expected) {
    if (!holds) {
      throw new InvalidUseException(
          "file for SWMR writing: actual="
              + actual
              + ", expected="
              + expected
              + ", at="
              + file.name());
    }
  }
}
