package org.hyperslab;

import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.ObjectOperation;

/** Opens objects by what identifies them rather than by a path. */
final class H5Objects {

  private H5Objects() {}

  static H5Object byToken(OpenFile file, ObjectToken token) {
    Handle handle = Handle.fresh();
    ObjectInfo info = file.call(new ObjectOperation.OpenToken(handle, file.handle(), token));
    return H5Object.opened(file, handle, "(object " + token.address() + ")", info);
  }
}
