package org.hyperslab;

import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.ObjectOperation;

/** Opens objects by what identifies them rather than by a path. */
final class H5Objects {

  private H5Objects() {}

  /** Opens the object that a token names in the file in which {@code holder} is. */
  static H5Object byToken(H5Object holder, ObjectToken token) {
    Handle handle = Handle.fresh();
    OpenFile file = holder.file();
    ObjectInfo info = file.call(new ObjectOperation.OpenToken(handle, holder.home(), token));
    return H5Object.opened(file, handle, "(object " + token.address() + ")", info);
  }
}
