package org.hyperslab.plugins.nativevol;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.Layout;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.plugins.nativevol.dataset.NativeDataset;
import org.hyperslab.plugins.nativevol.file.NativeFile;
import org.hyperslab.plugins.nativevol.raw.RawStorage;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.MultiTransfers;

/**
 * Carries out operations on datasets.
 *
 * <p>Thread rule: any thread.
 */
final class DatasetHandler {

  private final HandleTable handles;
  private final GroupHandler groups;
  private final HandleBinder binder;

  DatasetHandler(HandleTable handles, GroupHandler groups, HandleBinder binder) {
    this.handles = handles;
    this.groups = groups;
    this.binder = binder;
  }

  /** Carries out an operation and returns its result, or null if it has none. */
  Object execute(DatasetOperation<?> operation) {
    return switch (operation) {
      case DatasetOperation.Create create -> create(create);
      case DatasetOperation.Describe describe ->
          describe(handles.require(describe.dataset()), describe);
      case DatasetOperation.SetAccess set -> {
        setAccess(handles.require(set.dataset()), set);
        yield null;
      }
      case DatasetOperation.Read read -> {
        dataset(read.dataset()).read(read.transfer(), read.target());
        yield null;
      }
      case DatasetOperation.Write write -> {
        NativeDataset dataset = writable(write.dataset());
        StepHandler.requireUnpublished(handles.require(write.dataset()), write.transfer());
        dataset.write(write.transfer(), write.source());
        yield null;
      }
      case DatasetOperation.Multi multi -> {
        transferAll(multi);
        yield null;
      }
      case DatasetOperation.SetExtent extent -> {
        NativeDataset dataset = growing(extent.dataset());
        dataset
            .file()
            .edit(() -> {
              dataset.setExtent(extent.dims());
              return null;
            });
        yield null;
      }
      case DatasetOperation.Extend extend -> {
        NativeDataset dataset = growing(extend.dataset());
        yield dataset
            .file()
            .edit(() -> {
              dataset.setExtent(extend.grown(dataset.description().space()));
              return dataset.info(false);
            });
      }
      case DatasetOperation.Question<?> question ->
          throw new IllegalArgumentException(question + " is answered by the connector");
      case DatasetOperation.ListChunks list -> dataset(list.dataset()).listChunks(list.page());
      case DatasetOperation.ReadChunk read -> dataset(read.dataset()).readChunk(read.offset());
      case DatasetOperation.WriteChunk write -> {
        NativeDataset dataset = writable(write.dataset());
        OpenObject object = handles.require(write.dataset());
        object.objects().steps().requireUnpublished(object.address(), write.offset().getFirst());
        dataset
            .file()
            .edit(() -> {
              dataset.writeChunk(write.offset(), write.chunk());
              return null;
            });
        yield null;
      }
    };
  }

  /**
   * What a dataset is now.
   *
   * @param unrecorded whether the file records another extent
   */
  private record Description(DatasetInfo info, boolean unrecorded) {}

  /**
   * Describes a dataset; the extent of a virtual one may first follow its sources. As in the C
   * library, a file that is open for editing then records the extent: programs that do not ask for
   * the extent use the recorded one.
   */
  private static DatasetInfo describe(OpenObject object, DatasetOperation.Describe request) {
    NativeDataset dataset = dataset(object);
    NativeFile file = dataset.file();
    if (request.counted()) {
      dataset.flushChunks(); // those that wait in memory count too, as in the C library
    }
    Description now =
        file.read(() -> {
          boolean unrecorded = request.following() && dataset.followSources();
          return new Description(dataset.info(request.counted()), unrecorded);
        });
    if (now.unrecorded && object.opening().writable()) {
      file.edit(() -> {
        dataset.recordExtent();
        return null;
      });
    }
    return now.info;
  }

  /** Checks all parts, then carries them out in the order of their places in the file. */
  private void transferAll(DatasetOperation.Multi multi) {
    List<NativeDataset> datasets = new ArrayList<>();
    List<DatasetInfo> infos = new ArrayList<>();
    for (int i = 0; i < multi.parts().size(); i++) {
      Handle handle = multi.parts().get(i).subject();
      MultiTransfers.located(
          multi, i, () -> datasets.add(multi.edits() ? writable(handle) : dataset(handle)));
      NativeDataset dataset = datasets.get(i);
      infos.add(dataset.file().read(() -> dataset.info(false)));
      MultiTransfers.requireFits(multi, i, infos.get(i).type(), infos.get(i).space());
      if (multi.edits()) {
        DatasetOperation<Void> part = multi.parts().get(i);
        StepHandler.requireUnpublished(handles.require(handle), MultiTransfers.transfer(part));
      }
    }
    for (int part : inFileOrder(datasets, infos)) {
      MultiTransfers.located(multi, part, () -> transfer(datasets.get(part), multi, part));
    }
  }

  private static void transfer(NativeDataset dataset, DatasetOperation.Multi multi, int part) {
    DatasetOperation<Void> one = multi.parts().get(part);
    if (multi.edits()) {
      dataset.write(MultiTransfers.transfer(one), MultiTransfers.buffer(one));
    } else {
      dataset.read(MultiTransfers.transfer(one), MultiTransfers.buffer(one));
    }
  }

  /**
   * Returns the indices of the parts, ordered by the places of their datasets; parts of one dataset
   * keep their order. The place of a virtual dataset means nothing, as its elements are in other
   * datasets.
   */
  private static int[] inFileOrder(List<NativeDataset> datasets, List<DatasetInfo> infos) {
    IntStream all = IntStream.range(0, infos.size());
    boolean virtual =
        infos.stream().anyMatch(info -> info.options().layout() instanceof Layout.Virtual);
    return virtual
        ? all.toArray()
        : all.boxed()
            .sorted(Comparator.comparingLong(i -> place(datasets.get(i), infos.get(i))))
            .mapToInt(Integer::intValue)
            .toArray();
  }

  /** Returns the address of the elements or, if they are in several places, of the header. */
  private static long place(NativeDataset dataset, DatasetInfo info) {
    long offset = info.storage().offset();
    return offset >= 0 ? offset : dataset.header().address();
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

  /** Returns the raw bytes of an open dataset. */
  RawStorage rawStorage(Handle handle) {
    return dataset(handle).rawStorage();
  }

  private void setAccess(OpenObject object, DatasetOperation.SetAccess set) {
    NativeDataset dataset = dataset(set.dataset());
    boolean alone = object.objects().headers().references().handles(object.address()) == 1;
    dataset
        .file()
        .read(() -> {
          dataset.setAccess(set.properties(), alone);
          return null;
        });
  }

  private NativeDataset writable(Handle handle) {
    OpenObject object = handles.require(handle);
    Locator.requireWritable(object);
    return dataset(object);
  }

  private NativeDataset growing(Handle handle) {
    NativeDataset dataset = writable(handle);
    StepHandler.requireGrowing(handles.require(handle));
    return dataset;
  }

  private NativeDataset dataset(Handle handle) {
    return dataset(handles.require(handle));
  }

  private static NativeDataset dataset(OpenObject object) {
    if (object.kind() != ObjectKind.DATASET) {
      throw new InvalidUseException(
          "object: actual=" + object.kind() + ", expected=" + ObjectKind.DATASET);
    }
    return object.objects().datasets().at(object.address());
  }
}
