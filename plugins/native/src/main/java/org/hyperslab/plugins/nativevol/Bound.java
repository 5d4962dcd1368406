package org.hyperslab.plugins.nativevol;

import org.hyperslab.model.ObjectKind;
import org.hyperslab.plugins.nativevol.object.FileObjects;

/**
 * What a handle stands for.
 *
 * @param session the opening of a file through which it was opened
 * @param objects the file that the object is in: that of the session, or one behind an external
 *     link
 * @param address the object's header; for a file's handle, the root group's
 * @param kind what the object is
 * @param isFile whether this is the session's own handle
 */
record Bound(Session session, FileObjects objects, long address, ObjectKind kind, boolean isFile) {

  /** Whether the object is in another file than the session's, which is kept open for it. */
  boolean isForeign() {
    return objects != session.objects();
  }
}
