package org.hyperslab.plugins.nativevol;

import org.hyperslab.model.ObjectKind;

/**
 * The object that a handle stands for.
 *
 * @param opening the opening of a file through which it was opened
 * @param objects the file that the object is in: that of the opening, or one behind an external
 *     link
 * @param address the object's header; for a file's handle, the root group's
 * @param kind the kind of the object
 * @param isFile whether this is the opening's own handle
 */
record OpenObject(
    FileOpening opening, FileObjects objects, long address, ObjectKind kind, boolean isFile) {

  /**
   * Returns whether the object is in another file than the opening's, which is kept open for it.
   */
  boolean isForeign() {
    return objects != opening.objects();
  }
}
