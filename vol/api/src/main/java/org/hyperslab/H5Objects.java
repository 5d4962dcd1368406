package org.hyperslab;

import org.hyperslab.error.CorruptFileException;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.ObjectOperation;

/** Opens objects by their tokens rather than by paths. */
final class H5Objects {

  private H5Objects() {}

  /** Opens the object that a token names in the file in which {@code holder} is. */
  static H5Object byToken(H5Object holder, ObjectToken token) {
    Handle handle = Handle.fresh();
    OpenFile file = holder.file();
    ObjectInfo info = file.call(new ObjectOperation.OpenToken(handle, holder.home(), token));
    return H5Object.opened(file, handle, "(object " + token.address() + ")", info);
  }

  /** Opens the committed type that a token names; corrupt if another kind of object is there. */
  static CommittedType committedType(H5Object holder, ObjectToken token) {
    H5Object found = byToken(holder, token);
    if (found instanceof CommittedType type) {
      return type;
    }
    ObjectKind kind = found.kind();
    found.close();
    throw new CorruptFileException(
        holder.file().name(),
        "shared datatype",
        token.address(),
        "object actual=" + kind + ", expected=" + ObjectKind.COMMITTED_TYPE);
  }
}
