package org.hyperslab.plugins.mpiio;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.plugins.mpiio.dataset.ParallelDataset;
import org.hyperslab.vol.Handle;

/**
 * What each handle of one rank stands for. Objects are numbered as the ranks open them, so that
 * ranks can speak of them.
 *
 * <p>Thread rule: any thread.
 */
final class OpenHandles {

  private final Map<Handle, Entry> entries = new ConcurrentHashMap<>();

  private sealed interface Entry {}

  private record Failed(HyperslabException cause) implements Entry {}

  /**
   * An open object or file.
   *
   * @param handle by which this rank names it
   * @param number the same on all ranks
   * @param label for people
   * @param session the handle of the file through which it was opened; for a file, its own
   * @param writable whether edits through that file are allowed
   * @param file the file as this rank has it open; for objects behind external links, that of the
   *     session
   * @param key identifies a dataset; null for anything else
   * @param dataset null if it is not one
   */
  record Opened(
      Handle handle,
      long number,
      String label,
      Handle session,
      boolean writable,
      OpenFile file,
      DatasetKey key,
      ParallelDataset dataset)
      implements Entry {

    boolean isFile() {
      return handle.equals(session);
    }
  }

  /** Identifies a dataset of an open file. */
  record DatasetKey(long fileNumber, long token) implements Comparable<DatasetKey> {
    @Override
    public int compareTo(DatasetKey other) {
      int files = Long.compare(fileNumber, other.fileNumber);
      return files != 0 ? files : Long.compare(token, other.token);
    }
  }

  /**
   * What a handle stands for.
   *
   * @throws HyperslabException that with which opening it failed
   * @throws InvalidUseException if it is closed or was never opened
   */
  Opened require(Handle handle) {
    return switch (entries.get(handle)) {
      case Opened opened -> opened;
      case Failed failed -> throw failed.cause;
      case null ->
          throw new InvalidUseException(
              "handle: actual=" + handle + " closed or never opened, expected=open");
    };
  }

  /** What a handle stands for, or null if it stands for nothing. */
  Opened find(Handle handle) {
    return entries.get(handle) instanceof Opened opened ? opened : null;
  }

  void put(Opened opened) {
    entries.put(opened.handle(), opened);
  }

  void fail(Handle handle, HyperslabException cause) {
    entries.putIfAbsent(handle, new Failed(cause));
  }

  void remove(Handle handle) {
    entries.remove(handle);
  }

  /** What was opened through a file, the file's own handle last. */
  List<Opened> of(Handle session) {
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

  /** Open files, in the order of their opening. */
  List<Opened> files() {
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
