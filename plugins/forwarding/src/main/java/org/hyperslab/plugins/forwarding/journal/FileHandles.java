package org.hyperslab.plugins.forwarding.journal;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.vol.Handle;

/**
 * Records the open handles of one file, and orders the operations on it.
 *
 * <p>Thread rule: what it records of files and the journal is changed only by operations that run
 * alone in {@link #order}, and may be read by all others; the open objects change at any time.
 */
final class FileHandles {

  private final String path;
  private final FileOrder order;
  private final Map<Handle, OpenOptions> files = new ConcurrentHashMap<>();
  private final Map<Handle, Long> objects = new ConcurrentHashMap<>();
  private volatile FileJournal journal;
  private volatile OpenOptions options;
  private volatile boolean steps;

  /** The named operations under way; guarded by the map of files. */
  private int uses;

  FileHandles(String path, Executor executor) {
    this.path = path;
    this.order = new FileOrder(executor);
  }

  String path() {
    return path;
  }

  /** {@return the order of the operations on the file} */
  FileOrder order() {
    return order;
  }

  /** {@return the open handles of the file itself} */
  Collection<Handle> files() {
    return files.keySet();
  }

  /** {@return whether a handle is one of the file itself} */
  boolean isFile(Handle handle) {
    return files.containsKey(handle);
  }

  /** {@return a handle of the file, one for editing if there is one} */
  Handle anyFile() {
    return files.entrySet().stream()
        .filter(open -> open.getValue().writable())
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseGet(() -> files.keySet().iterator().next());
  }

  /** {@return the addresses of the open objects by handle} */
  Map<Handle, Long> objects() {
    return objects;
  }

  FileJournal journal() {
    return journal;
  }

  void journal(FileJournal started) {
    journal = started;
  }

  boolean isWritable() {
    return options != null && options.writable();
  }

  /** {@return whether readers of other processes follow the writes (SWMR)} */
  boolean isFollowed() {
    return isWritable() && (steps || options.swmr());
  }

  /** Records that readers follow the steps of the file from now on. */
  void stepsStarted() {
    steps = true;
  }

  /**
   * {@return the options of an opening for editing if there is one, otherwise of one for reading}
   */
  OpenOptions options() {
    return options;
  }

  /** Changes the number of named operations under way; returns whether the record is needed. */
  boolean isUsed(int more) {
    uses += more;
    return uses > 0 || !files.isEmpty();
  }

  void opened(Handle file, OpenOptions as) {
    files.put(file, as);
    options = isWritable() ? options : as;
  }

  /** Records that a handle of the file is closed; returns whether it was the last one. */
  boolean closed(Handle file) {
    files.remove(file);
    return files.isEmpty();
  }
}
