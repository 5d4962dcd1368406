package org.hyperslab;

import java.util.concurrent.CompletableFuture;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.AttributeStorage;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.TypeOperation;
import org.jspecify.annotations.Nullable;

/** An open committed (named) datatype, which datasets and attributes of its file can share. */
public final class CommittedType extends H5Object {

  private volatile TypeOperation.@Nullable Spec spec;

  CommittedType(OpenFile file, Handle handle, String path, CompletableFuture<ObjectInfo> opened) {
    super(file, handle, path, opened, true);
  }

  @Override
  public ObjectKind kind() {
    return ObjectKind.COMMITTED_TYPE;
  }

  /** {@return the datatype; it never changes} */
  public Datatype datatype() {
    return spec().datatype();
  }

  /** {@return how its attributes are kept; it never changes} */
  public AttributeStorage attributeStorage() {
    return spec().attributes();
  }

  private TypeOperation.Spec spec() {
    checkOpen();
    TypeOperation.Spec known = spec;
    if (known == null) {
      known = call(new TypeOperation.Describe(handle()));
      spec = known;
    }
    return known;
  }
}
