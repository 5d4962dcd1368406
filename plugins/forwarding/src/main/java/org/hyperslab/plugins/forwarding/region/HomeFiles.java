package org.hyperslab.plugins.forwarding.region;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.ConfinedFolder;
import org.hyperslab.format.store.LocalPaths;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.FileInfo;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;

/**
 * Handles the files whose home is this server. Other servers may write regions of their contiguous
 * datasets at any time. The connector below may fill small gaps between runs with bytes that it has
 * read before, which would undo such writes; contiguous datasets are therefore written here, run by
 * run.
 *
 * <p>Thread rule: any thread.
 */
final class HomeFiles {

  private final Connector below;
  private final ConfinedFolder folder;
  private final Map<Handle, Own> files = new ConcurrentHashMap<>();
  private final Map<Handle, Handle> fileOf = new ConcurrentHashMap<>();
  private final Map<Handle, RegionDataset> datasets = new ConcurrentHashMap<>();

  /** An open file, whose byte store is opened when it is first needed. */
  private static final class Own {
    final Path path;
    final FileInfo info;
    private final ConfinedFolder within;
    private ByteStore store;

    Own(Path path, FileInfo info, ConfinedFolder within) {
      this.within = within;
      this.path = path;
      this.info = info;
    }

    synchronized ByteStore store() {
      if (store == null) {
        store = RegionFile.bytes(path, true, within);
      }
      return store;
    }

    synchronized void flush() {
      if (store != null && RegionFile.forces(info)) {
        store.force(false);
      }
    }

    synchronized void close() {
      if (store != null) {
        try {
          flush();
        } finally {
          store.close();
          store = null;
        }
      }
    }
  }

  HomeFiles(Connector below, ConfinedFolder folder) {
    this.below = below;
    this.folder = folder;
  }

  /** Records what an operation has opened. */
  void opened(Operation<?> operation, Object result) {
    switch (operation) {
      case FileOperation.Open o when result instanceof FileInfo info ->
          opened(o.file(), o.name(), info);
      case FileOperation.Create o when result instanceof FileInfo info ->
          opened(o.file(), o.name(), info);
      default -> {
        Handle file = fileOf.getOrDefault(operation.subject(), operation.subject());
        Own own = files.get(file);
        if (own != null
            && result instanceof ObjectInfo info
            && info.kind() == ObjectKind.DATASET
            && info.fileNumber() == own.info.fileNumber()) {
          operation.opens().ifPresent(opened -> fileOf.put(opened, file));
        } else if (own != null && result instanceof ObjectInfo) {
          operation.opens().ifPresent(opened -> groupOpened(opened, file, (ObjectInfo) result));
        }
      }
    }
  }

  private void groupOpened(Handle handle, Handle file, ObjectInfo info) {
    if (info.fileNumber() == files.get(file).info.fileNumber()) {
      fileOf.put(handle, file);
    }
  }

  private void opened(Handle file, String name, FileInfo info) {
    if (info.writable()
        && info.creation().access().properties().keySet().stream()
            .noneMatch(property -> property.startsWith("driver") || property.startsWith("cost."))) {
      files.put(file, new Own(LocalPaths.of(name), info, folder));
    }
  }

  /**
   * Flushes and closes the byte stores of the files that an operation is about to flush or close.
   */
  void before(Operation<?> operation) {
    switch (operation) {
      case FileOperation.Flush flush when files.containsKey(flush.file()) ->
          files.get(flush.file()).flush();
      case FileOperation.Close close -> {
        Own own = files.remove(close.file());
        if (own != null) {
          fileOf.values().removeIf(close.file()::equals);
          datasets.keySet().removeIf(handle -> !fileOf.containsKey(handle));
          own.close();
        }
      }
      case ObjectOperation.Flush flush when fileOf.containsKey(flush.object()) ->
          files.get(fileOf.get(flush.object())).flush();
      case ObjectOperation.Close close -> {
        fileOf.remove(close.object());
        datasets.remove(close.object());
      }
      default -> {
        // neither closes nor flushes
      }
    }
  }

  /** {@return the dataset of a write that must be carried out here} */
  Optional<RegionDataset> forWriting(DatasetOperation.Write write) {
    Handle handle = write.dataset();
    RegionDataset known = datasets.get(handle);
    Handle file = fileOf.get(handle);
    Own own = file == null ? null : files.get(file);
    if (known != null || own == null) {
      return Optional.ofNullable(known);
    }
    try {
      DatasetInfo info =
          below.submit(new DatasetOperation.Describe(handle)).toCompletableFuture().join();
      if (!RegionDataset.isPlain(info)) {
        return Optional.empty();
      }
      RegionFile bytes = new RegionFile(below, file, own.info, null, own.store(), false);
      datasets.put(handle, new RegionDataset(bytes, handle, info));
    } catch (CompletionException | HyperslabException noLongerOpen) {
      return Optional.empty(); // the connector below reports the error
    }
    return Optional.of(datasets.get(handle));
  }

  void close() {
    List.copyOf(files.values()).forEach(Own::close);
  }
}
