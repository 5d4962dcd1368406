package org.hyperslab.plugins.forwarding;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.vol.Handle;

/**
 * Records the open handles of one file.
 *
 * <p>Thread rule: guarded by its own lock, which also determines the order of operations in the
 * journal.
 */
final class FileHandles {

  private final String path;
  private final Set<Handle> files = new LinkedHashSet<>();
  private final Map<Handle, Long> objects = new LinkedHashMap<>();
  private FileJournal journal;
  private OpenOptions options;

  FileHandles(String path) {
    this.path = path;
  }

  String path() {
    return path;
  }

  /** {@return the open handles of the file itself} */
  Collection<Handle> files() {
    return files;
  }

  /** {@return one of the handles of the file} */
  Handle anyFile() {
    return files.iterator().next();
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
    return isWritable() && options.swmr();
  }

  /**
   * {@return the options of an opening for editing if there is one, otherwise of one for reading}
   */
  OpenOptions options() {
    return options;
  }

  void opened(Handle file, OpenOptions as) {
    files.add(file);
    options = isWritable() ? options : as;
  }
}
