package org.hyperslab;

import java.util.concurrent.CompletableFuture;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.TypeOperation;

/** An open committed (named) datatype, which datasets and attributes of its file can share. */
public final class CommittedType extends H5Object {

  private volatile Datatype datatype;

  CommittedType(OpenFile file, Handle handle, String path, CompletableFuture<ObjectInfo> opened) {
    super(file, handle, path, opened, true);
  }

  @Override
  public ObjectKind kind() {
    return ObjectKind.COMMITTED_TYPE;
  }

  /** {@return the datatype; it never changes} */
  public Datatype datatype() {
    checkOpen();
    Datatype known = datatype;
    if (known == null) {
      known = call(new TypeOperation.Describe(handle()));
      datatype = known;
    }
    return known;
  }
}
