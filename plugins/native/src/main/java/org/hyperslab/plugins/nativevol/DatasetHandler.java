package org.hyperslab.plugins.nativevol;

import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.plugins.nativevol.raw.RawStorage;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Handle;

/**
 * Carries out operations on datasets.
 *
 * <p>Thread rule: any thread.
 */
final class DatasetHandler {

  private final HandleTable handles;
  private final GroupHandler groups;
  private final Binder binder;

  DatasetHandler(HandleTable handles, GroupHandler groups, Binder binder) {
    this.handles = handles;
    this.groups = groups;
    this.binder = binder;
  }

  /** Carries out an operation; the result, null if it is void. */
  Object execute(DatasetOperation<?> operation) {
    return switch (operation) {
      case DatasetOperation.Create create -> create(create);
      case DatasetOperation.Describe describe -> {
        NativeDataset dataset = dataset(describe.dataset());
        yield dataset.context().file().read(dataset::info);
      }
      case DatasetOperation.Read read -> {
        dataset(read.dataset()).read(read.transfer(), read.target());
        yield null;
      }
      case DatasetOperation.Write write -> {
        writable(write.dataset()).write(write.transfer(), write.source());
        yield null;
      }
      case DatasetOperation.SetExtent extent -> {
        NativeDataset dataset = writable(extent.dataset());
        dataset
            .context()
            .file()
            .edit(() -> {
              dataset.setExtent(extent.dims());
              return null;
            });
        yield null;
      }
      case DatasetOperation.Extend extend -> {
        NativeDataset dataset = writable(extend.dataset());
        yield dataset
            .context()
            .file()
            .edit(() -> {
              dataset.setExtent(extend.grown(dataset.description().space()));
              return dataset.info();
            });
      }
      case DatasetOperation.ListChunks list -> dataset(list.dataset()).listChunks(list.page());
      case DatasetOperation.ReadChunk read -> dataset(read.dataset()).readChunk(read.offset());
      case DatasetOperation.WriteChunk write -> {
        NativeDataset dataset = writable(write.dataset());
        dataset
            .context()
            .file()
            .edit(() -> {
              dataset.writeChunk(write.offset(), write.chunk());
              return null;
            });
        yield null;
      }
    };
  }

  private Object create(DatasetOperation.Create create) {
    DatasetOperation.Spec spec = create.spec();
    return groups.create(
        create.dataset(),
        create.at(),
        create.link(),
        objects ->
            objects
                .newObjects()
                .dataset(
                    spec.type(),
                    binder.committedType(spec.committedType(), objects),
                    spec.space(),
                    spec.options()));
  }

  /** The bytes of an open dataset. */
  RawStorage rawStorage(Handle handle) {
    return dataset(handle).rawStorage();
  }

  private NativeDataset writable(Handle handle) {
    Locator.requireWritable(handles.require(handle));
    return dataset(handle);
  }

  private NativeDataset dataset(Handle handle) {
    OpenObject object = handles.require(handle);
    if (object.kind() != ObjectKind.DATASET) {
      throw new InvalidUseException(
          "object: actual=" + object.kind() + ", expected=" + ObjectKind.DATASET);
    }
    return object.objects().dataset(object.address());
  }
}
