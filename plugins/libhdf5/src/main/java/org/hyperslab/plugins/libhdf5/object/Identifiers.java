package org.hyperslab.plugins.libhdf5.object;

import java.util.concurrent.CompletableFuture;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.call.Hdf5Function;
import org.hyperslab.plugins.libhdf5.file.OpenedFile;
import org.hyperslab.vol.Handle;

/** Creates identifiers of libhdf5 for objects that the bridge opened itself, for callbacks. */
public final class Identifiers {

  private Identifiers() {}

  /** Returns the table's entry for an opened object. */
  public static BridgeObject.OfObject opened(
      OpenedFile file, Handle handle, ObjectInfo info, OpenedPath path, long opening) {
    DatasetState dataset = null;
    if (info.kind() == ObjectKind.DATASET) {
      dataset = new DatasetState(file, handle, 0);
      dataset.identify(info.token());
    }
    file.use();
    return new BridgeObject.OfObject(
        file,
        handle,
        IdType.of(info.kind()),
        CompletableFuture.completedFuture(info),
        dataset,
        path,
        opening);
  }

  /** Returns a new identifier of an open object, which {@code H5Idec_ref} closes. */
  public static long register(
      Hdf5Calls hdf5, PointerTable objects, OpenedFile file, Handle handle, ObjectInfo info) {
    BridgeObject.OfObject object = opened(file, handle, info, null, 0);
    return hdf5.id(Hdf5Function.VL_WRAP_REGISTER, objects.add(object), object.type());
  }
}
