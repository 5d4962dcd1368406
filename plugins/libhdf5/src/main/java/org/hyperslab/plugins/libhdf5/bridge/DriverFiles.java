package org.hyperslab.plugins.libhdf5.bridge;

import java.lang.foreign.Arena;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.superblock.SuperblockCodec;
import org.hyperslab.model.Locking;
import org.hyperslab.plugins.libhdf5.call.AccessFlags;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.call.Hdf5Function;
import org.hyperslab.plugins.libhdf5.call.ProgramThread;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.plugins.libhdf5.file.DriverStore;
import org.hyperslab.plugins.libhdf5.file.FileRanks;
import org.hyperslab.plugins.libhdf5.file.OpenFiles;
import org.hyperslab.plugins.libhdf5.file.OpenedFile;
import org.hyperslab.plugins.libhdf5.translate.FileLists;
import org.hyperslab.vol.Connector;
import org.hyperslab.vol.Connectors;

/**
 * Opens files whose driver alone finds them ({@link DriverStore}). The connector {@code native}
 * opens them, whatever connector is configured.
 *
 * <p>Thread rule: that of {@link Hdf5Calls}.
 */
public final class DriverFiles {

  private final Hdf5Calls hdf5;
  private final FileLists lists;
  private final OpenFiles files;
  private final AtomicLong numbers = new AtomicLong();

  DriverFiles(Hdf5Calls hdf5, FileLists lists, OpenFiles files) {
    this.hdf5 = hdf5;
    this.lists = lists;
    this.files = files;
  }

  /**
   * Opens the file in which another is created.
   *
   * @param flags values of {@code H5F_ACC_…}
   * @throws InvalidUseException if it is open in this program
   */
  CoreFiles.Storage toCreate(String configuration, String name, int flags, long accessList) {
    requireNoSwmr(name, flags);
    requireWhole(name, AccessFlags.WRITABLE, accessList);
    if ((flags & AccessFlags.TRUNCATE) != 0) {
      requireClosed(name, accessList);
    }
    DriverStore store =
        DriverStore.open(hdf5, name, flags | AccessFlags.WRITABLE | AccessFlags.CREATE, accessList);
    return placed(configuration, store, accessList, store::empty);
  }

  /** Opens an existing file. */
  CoreFiles.Storage toOpen(String configuration, String name, int flags, long accessList) {
    requireNoSwmr(name, flags);
    requireWhole(name, flags, accessList);
    DriverStore store = DriverStore.open(hdf5, name, flags & AccessFlags.WRITABLE, accessList);
    return placed(configuration, store, accessList, () -> {});
  }

  /** Fails if a file that is split by kind of data is to be changed. */
  private void requireWhole(String name, int flags, long accessList) {
    if ((flags & AccessFlags.WRITABLE) != 0 && lists.isSplitting(accessList)) {
      throw new UnsupportedFeatureException(
          "file driver: actual=split or multi with a file to create or edit, expected=a file to"
              + " read, or another driver, at="
              + name);
    }
  }

  private static void requireNoSwmr(String name, int flags) {
    if ((flags & (AccessFlags.SWMR_WRITE | AccessFlags.SWMR_READ)) != 0) {
      throw new UnsupportedFeatureException(
          "SWMR access: actual=a file driver that does not support it, expected=the default one,"
              + " at="
              + name);
    }
  }

  private CoreFiles.Storage placed(
      String configuration, DriverStore store, long accessList, Runnable prepare) {
    try {
      if (files.withDriver().stream().noneMatch(other -> other.settings().driver().isSame(store))
          && isLocking(accessList)) {
        store.lock();
      }
      ProgramThread.inside(() -> {
        prepare.run();
        return null;
      });
    } catch (RuntimeException failure) {
      store.closeNow();
      throw failure;
    }
    return new CoreFiles.Storage(
        new FileRanks(configuration, Connectors.FALLBACK, null),
        "driver:" + numbers.incrementAndGet(),
        null,
        store);
  }

  /** Fails if a file of several files that is to be created is open, as libhdf5 does. */
  private void requireClosed(String name, long accessList) {
    if (files.withDriver().isEmpty()) {
      return;
    }
    DriverStore tentative;
    try {
      tentative = DriverStore.open(hdf5, name, 0, accessList);
    } catch (StorageException notThere) {
      return;
    }
    boolean open =
        files.withDriver().stream().anyMatch(f -> f.settings().driver().isSame(tentative));
    tentative.closeNow();
    if (open) {
      throw new InvalidUseException(
          "file to create: actual=open in this program, expected=closed, at=" + name);
    }
  }

  /** Returns the open file that a driver says is the same as one that it has just opened. */
  Optional<OpenedFile> known(CoreFiles.Storage storage) {
    return files.withDriver().stream()
        .filter(file -> file.settings().driver().isSame(storage.driver()))
        .findFirst();
  }

  /**
   * Returns a connector for one file. It shares nothing with those of other files: a driver that
   * opens a file in a call would otherwise wait for the opening of its own.
   */
  static Connector connector(CoreFiles.Storage storage) {
    ByteStore store = storage.driver();
    return Connectors.create(Connectors.FALLBACK).over(storage.path(), store);
  }

  /** Returns whether a driver finds a file that HDF5 can open. */
  public boolean isAccessible(String name, long accessList) {
    DriverStore store = DriverStore.open(hdf5, name, 0, accessList);
    try {
      return ProgramThread.inside(() -> SuperblockCodec.findSignature(store).isPresent());
    } finally {
      store.closeNow();
    }
  }

  /** Has a driver delete a file. */
  public void delete(String name, long accessList) {
    try (Arena arena = Arena.ofConfined()) {
      hdf5.checked(Hdf5Function.FD_DELETE, RawMemory.name(name, arena).address(), accessList);
    }
  }

  private boolean isLocking(long accessList) {
    return lists.locking(accessList).effective() != Locking.OFF;
  }
}
