package org.hyperslab.plugins.forwarding.journal;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.vol.Handle;

/**
 * What is open of one file. Thread rule: its own lock guards it, and orders the operations of a
 * journal.
 */
final class FileBook {

  private final String path;
  private final Set<Handle> files = new LinkedHashSet<>();
  private final Map<Handle, Long> objects = new LinkedHashMap<>();
  private FileJournal journal;
  private OpenOptions options;

  FileBook(String path) {
    this.path = path;
  }

  String path() {
    return path;
  }

  /** The open handles of the file itself. */
  Collection<Handle> files() {
    return files;
  }

  /** A handle of the file, to reach it by. */
  Handle anyFile() {
    return files.iterator().next();
  }

  /** The addresses of the objects that are open, by handle. */
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

  /** How it was opened for editing, or for reading if nobody edits it. */
  OpenOptions options() {
    return options;
  }

  void opened(Handle file, OpenOptions as) {
    files.add(file);
    options = isWritable() ? options : as;
  }
}
