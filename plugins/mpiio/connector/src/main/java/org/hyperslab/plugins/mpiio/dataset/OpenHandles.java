package org.hyperslab.plugins.mpiio.dataset;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.vol.Handle;

/**
 * Maps each handle of one rank to its open object. Objects are numbered in the order of their
 * opening, so that ranks can refer to them. If ranks open objects by themselves, they refer to the
 * addresses of objects in the file instead.
 *
 * <p>Thread rule: any thread.
 */
public final class OpenHandles {

  private final Map<Handle, Entry> entries = new ConcurrentHashMap<>();
  private final Runnable settle;
  private final boolean byAddress;

  /** Guards the next field, and is told of each file that is recorded. */
  private final Object fileOpened = new Object();

  /** The greatest number of a file that was recorded; files are numbered from 0 or more. */
  private long lastFile = -1;

  private sealed interface Entry {}

  /**
   * An object that could not be opened.
   *
   * @param cause the failure
   * @param label the ranks' label of it, if opening it was deferred; otherwise null
   */
  private record Failed(HyperslabException cause, String label) implements Entry {}

  /** An object whose opening is deferred. */
  private record Expected(String label) implements Entry {}

  /**
   * An open object or file.
   *
   * @param handle the handle on this rank
   * @param number the number, the same on all ranks
   * @param label the label, for display
   * @param session the handle of the file through which it was opened; for a file, its own
   * @param writable whether edits through that file are allowed
   * @param file the file as this rank has it open; for objects behind external links, that of the
   *     session
   * @param key what identifies the object on all ranks; null for files
   * @param dataset the dataset; null for other objects
   */
  public record Opened(
      Handle handle,
      long number,
      String label,
      Handle session,
      boolean writable,
      RankFile file,
      ObjectKey key,
      ParallelDataset dataset)
      implements Entry {

    /** Returns whether a handle is that of a file. */
    public boolean isFile() {
      return handle.equals(session);
    }
  }

  /** Identifies an object of an open file. */
  public record ObjectKey(long fileNumber, long token) implements Comparable<ObjectKey> {
    @Override
    public int compareTo(ObjectKey other) {
      int files = Long.compare(fileNumber, other.fileNumber);
      return files != 0 ? files : Long.compare(token, other.token);
    }
  }

  /**
   * Creates an empty map.
   *
   * @param settle makes the ranks agree on deferred operations, which resolves expected objects
   * @param byAddress whether ranks open objects by themselves
   */
  public OpenHandles(Runnable settle, boolean byAddress) {
    this.settle = settle;
    this.byAddress = byAddress;
  }

  /** Returns the object of a handle once the ranks have agreed on it; null if there is none. */
  private Entry settled(Handle handle) {
    Entry entry = entries.get(handle);
    if (entry instanceof Expected) {
      settle.run();
      entry = entries.get(handle);
    }
    return entry;
  }

  /**
   * Returns the object of a handle.
   *
   * @throws HyperslabException the failure of opening it
   * @throws InvalidUseException if it is closed or was never opened
   */
  public Opened require(Handle handle) {
    return switch (settled(handle)) {
      case Opened opened -> opened;
      case Failed failed -> throw failed.cause;
      case Expected expected ->
          throw new InvalidUseException(
              "handle: actual=" + expected.label + ", which is not yet open, expected=open");
      case null ->
          throw new InvalidUseException(
              "handle: actual=" + handle + " closed or never opened, expected=open");
    };
  }

  /** Returns the dataset of a handle; throws InvalidUseException for another object, too. */
  public Opened requireDataset(Handle handle) {
    Opened opened = require(handle);
    if (opened.dataset() == null) {
      throw new InvalidUseException(
          "object: actual=" + opened.label() + ", expected=" + ObjectKind.DATASET);
    }
    return opened;
  }

  /** Returns a dataset as {@link #requireDataset} does, which must be open for editing. */
  public Opened requireWritable(Handle handle) {
    Opened opened = requireDataset(handle);
    if (!opened.writable()) {
      throw new InvalidUseException(
          "edit: actual=file opened for reading, expected=opened for editing, at="
              + opened.label());
    }
    return opened;
  }

  /** Returns the object of a handle, or null if there is none. */
  public Opened find(Handle handle) {
    return settled(handle) instanceof Opened opened ? opened : null;
  }

  /**
   * Returns the ranks' label of a handle's object, even if opening it is pending or has failed,
   * because a rank that does not know the outcome yet must make the same call.
   */
  public String label(Handle handle) {
    return switch (entries.get(handle)) {
      case Expected expected -> expected.label;
      case Failed failed when failed.label != null -> failed.label;
      case null, default -> label(require(handle));
    };
  }

  private String label(Opened opened) {
    return byAddress && opened.key() != null
        ? "object at " + opened.key().token() + " in file number " + opened.key().fileNumber()
        : opened.label();
  }

  /** Throws the failure with which opening a handle ended, if it failed. */
  public void requireNotFailed(Handle handle) {
    if (entries.get(handle) instanceof Failed failed) {
      throw failed.cause;
    }
  }

  /** Adds what was opened under a handle. */
  public void put(Opened opened) {
    entries.put(opened.handle(), opened);
    if (opened.isFile()) {
      synchronized (fileOpened) {
        lastFile = Math.max(lastFile, opened.file().number());
        fileOpened.notifyAll();
      }
    }
  }

  /** Registers a handle for the object that a deferred operation opens. */
  public void expect(Handle handle, String label) {
    entries.put(handle, new Expected(label));
  }

  /** Makes operations on a handle fail, unless it has an object already. */
  public void fail(Handle handle, HyperslabException cause) {
    entries.compute(
        handle,
        (key, entry) ->
            switch (entry) {
              case Expected expected -> new Failed(cause, expected.label);
              case null -> new Failed(cause, null);
              default -> entry;
            });
  }

  /** Removes what is closed. */
  public void remove(Handle handle) {
    entries.remove(handle);
  }

  /** Returns the objects that were opened through a file, with the file's own handle last. */
  public List<Opened> of(Handle session) {
    List<Opened> found = new ArrayList<>();
    entries
        .values()
        .forEach(entry -> {
          if (entry instanceof Opened opened && opened.session().equals(session)) {
            found.add(opened);
          }
        });
    found.sort(Comparator.comparingLong(Opened::number).reversed());
    return found;
  }

  /** Returns an opening of the file of a number; null if there is none. */
  Opened file(long number) {
    for (Opened file : files()) {
      if (file.file().number() == number) {
        return file;
      }
    }
    return null;
  }

  /**
   * Returns an opening of the file of a number. Ranks open files together, but another rank may
   * have finished before this one has recorded the file: waits for a number that has not been here
   * yet.
   *
   * @param nanos how long it waits at most
   * @return the opening; null if the file is closed, or was not opened in time
   */
  Opened awaitFile(long number, long nanos) {
    long end = System.nanoTime() + nanos;
    synchronized (fileOpened) {
      long left = nanos;
      while (number > lastFile && left > 0) {
        try {
          TimeUnit.NANOSECONDS.timedWait(fileOpened, left);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          break;
        }
        left = end - System.nanoTime();
      }
    }
    return file(number);
  }

  /** Returns the open files, in the order of their opening. */
  public List<Opened> files() {
    List<Opened> found = new ArrayList<>();
    entries
        .values()
        .forEach(entry -> {
          if (entry instanceof Opened opened && opened.isFile()) {
            found.add(opened);
          }
        });
    found.sort(Comparator.comparingLong(Opened::number));
    return found;
  }
}
