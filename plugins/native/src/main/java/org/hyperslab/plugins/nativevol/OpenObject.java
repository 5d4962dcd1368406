package org.hyperslab.plugins.nativevol;

import org.hyperslab.model.ObjectKind;
import org.hyperslab.plugins.nativevol.object.FileObjects;

/**
 * The object that a handle names.
 *
 * @param opening the opening of a file through which it was opened
 * @param objects the file that holds the object: that of the opening, or one reached through an
 *     external link
 * @param address the address of the object's header; for a file's handle, of the root group's
 *     header
 * @param kind the kind of the object
 * @param isFile whether this is the opening's own handle
 */
record OpenObject(
    FileOpening opening, FileObjects objects, long address, ObjectKind kind, boolean isFile) {

  /**
   * Returns whether the object is in a file other than the opening's, which is kept open for it.
   */
  boolean isForeign() {
    return objects != opening.objects();
  }
}
