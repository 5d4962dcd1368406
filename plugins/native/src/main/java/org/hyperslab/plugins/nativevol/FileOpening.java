package org.hyperslab.plugins.nativevol;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.hyperslab.plugins.nativevol.object.FileObjects;
import org.hyperslab.vol.Handle;

/**
 * One opening of a file by a user.
 *
 * @param file the handle of the file
 * @param objects the open file, perhaps shared with other openings
 * @param writable whether edits through this opening are allowed
 * @param children the handles opened through it
 */
record FileOpening(Handle file, FileObjects objects, boolean writable, Set<Handle> children) {

  /** Returns an opening without children. */
  static FileOpening of(Handle file, FileObjects objects, boolean writable) {
    return new FileOpening(file, objects, writable, ConcurrentHashMap.newKeySet());
  }
}
