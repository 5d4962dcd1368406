package org.hyperslab.testkit.memory;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.Layout;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.DatasetOperation.Transfer;
import org.hyperslab.vol.MultiTransfers;

/** Carries out operations on datasets. Guarded by the connector's lock. */
final class Datasets {

  private Datasets() {}

  static Object run(DatasetOperation<?> operation, MemoryConnector c) {
    return switch (operation) {
      case DatasetOperation.Create o ->
          c.create(o.dataset(), o.at(), o.link(), place -> create(c, place.file, o.spec()));
      case DatasetOperation.Describe o -> describe(dataset(c, o));
      case DatasetOperation.Read o -> {
        read(dataset(c, o), o.transfer(), o.target());
        yield null;
      }
      case DatasetOperation.Write o -> {
        c.editable(o.dataset());
        write(dataset(c, o), o.transfer(), o.source());
        yield null;
      }
      case DatasetOperation.Multi o -> {
        all(o, c);
        yield null;
      }
      case DatasetOperation.SetExtent o -> {
        c.editable(o.dataset());
        setExtent(dataset(c, o), o.dims());
        yield null;
      }
      case DatasetOperation.Extend o -> {
        c.editable(o.dataset());
        MemoryObject dataset = dataset(c, o);
        setExtent(dataset, o.grown(dataset.space));
        yield describe(dataset);
      }
      case DatasetOperation.SetAccess o -> {
        dataset(c, o);
        throw MemoryLinks.unsupported("elements in other files");
      }
      case DatasetOperation.Question<?> o ->
          throw new IllegalArgumentException(o + " is answered by the connector");
      case DatasetOperation.ListChunks o -> throw MemoryLinks.unsupported("chunks as stored");
      case DatasetOperation.ReadChunk o -> throw MemoryLinks.unsupported("chunks as stored");
      case DatasetOperation.WriteChunk o -> throw MemoryLinks.unsupported("chunks as stored");
    };
  }

  private static void all(DatasetOperation.Multi multi, MemoryConnector c) {
    for (int i = 0; i < multi.parts().size(); i++) {
      DatasetOperation<Void> part = multi.parts().get(i);
      MultiTransfers.located(
          multi,
          i,
          () -> {
            if (multi.edits()) {
              c.editable(part.subject());
            }
            dataset(c, part);
          });
      MemoryObject dataset = dataset(c, part);
      MultiTransfers.requireFits(multi, i, dataset.type, dataset.space);
    }
    multi.parts().forEach(part -> run(part, c));
  }

  private static MemoryObject dataset(MemoryConnector c, DatasetOperation<?> operation) {
    return MemoryConnector.require(c.opened(operation.subject()).object(), ObjectKind.DATASET);
  }

  private static MemoryObject create(
      MemoryConnector c, MemoryFileState file, DatasetOperation.Spec spec) {
    checkLayout(spec);
    Optional<ObjectToken> committed = c.committed(file, spec.committedType());
    MemoryObject dataset = new MemoryObject(file, ObjectKind.DATASET, spec.options().attributes());
    dataset.type = spec.type();
    dataset.committedType = committed;
    dataset.space = spec.space();
    dataset.datasetOptions = spec.options();
    dataset.elements = filled(dataset, MemoryElements.count(spec.space()));
    return dataset;
  }

  private static void checkLayout(DatasetOperation.Spec spec) {
    DatasetOptions options = spec.options();
    Dataspace space = spec.space();
    switch (options.layout()) {
      case Layout.Chunked chunked -> checkChunks(chunked, space);
      case Layout.Virtual v -> throw MemoryLinks.unsupported("virtual dataset");
      case Layout.External e -> throw MemoryLinks.unsupported("external raw files");
      case Layout.Compact compact -> {
        requireFixed(spec, "compact");
        if (MemoryElements.count(space) * spec.type().size() > 65_520) {
          throw new InvalidUseException(
              "compact dataset: actual="
                  + MemoryElements.count(space) * spec.type().size()
                  + " bytes, expected=less than 64 KiB; use another layout");
        }
      }
      case Layout.Contiguous contiguous -> requireFixed(spec, "contiguous");
      case Layout.Auto auto -> {}
    }
  }

  private static void requireFixed(DatasetOperation.Spec spec, String layout) {
    if (!spec.options().filters().isEmpty()) {
      throw new InvalidUseException(
          "filters: actual=" + layout + " layout, expected=chunked layout");
    }
    if (spec.space().isExtendible()) {
      throw new InvalidUseException(
          "maximum extent: actual="
              + spec.space()
              + " with "
              + layout
              + " layout, expected=chunked layout");
    }
  }

  private static void checkChunks(Layout.Chunked chunked, Dataspace space) {
    long[] dims = chunked.dimsArray();
    if (dims.length != space.rank() || space.kind() != Dataspace.Kind.SIMPLE) {
      throw new InvalidUseException(
          "rank of chunks: actual="
              + dims.length
              + ", expected="
              + space.rank()
              + " as the dataset's "
              + space);
    }
    for (int i = 0; i < dims.length; i++) {
      boolean fixed = space.maxDim(i) != Dataspace.UNLIMITED;
      if (dims[i] < 1 || (fixed && dims[i] > Math.max(1, space.maxDim(i)))) {
        throw new InvalidUseException(
            "chunk: actual="
                + dims[i]
                + " elements, expected=1 to the maximum extent "
                + space.maxDim(i)
                + ", at=dimension "
                + i);
      }
    }
  }

  private static DatasetInfo describe(MemoryObject dataset) {
    long bytes = MemoryElements.count(dataset.space) * dataset.type.size();
    return new DatasetInfo(
        dataset.type,
        dataset.committedType,
        dataset.space,
        dataset.datasetOptions,
        new DatasetInfo.StorageInfo(bytes, -1, "", 0, 0));
  }

  /** Elements that all have the fill value. */
  private static DataBuffer filled(MemoryObject dataset, long count) {
    DataBuffer elements = DataBuffer.allocate(dataset.type, count);
    if (dataset.datasetOptions.fill() instanceof FillValue.Value value) {
      DataBuffer one = DataBuffer.allocate(dataset.type, 1);
      MemoryElements.convert(
          new MemoryElements.Run(value.type(), value.value(), dataset.type, one), 1);
      DataBuffer packed = new DataBuffer(one.elements(), one.heap());
      for (long i = 0; i < count; i++) {
        DataBuffer here = new DataBuffer(slice(dataset, elements, i), elements.heap());
        MemoryElements.convert(new MemoryElements.Run(dataset.type, packed, dataset.type, here), 1);
      }
    }
    return elements;
  }

  private static MemorySegment slice(MemoryObject dataset, DataBuffer elements, long index) {
    int size = dataset.type.memorySize();
    return elements.elements().asSlice(index * size, size);
  }

  private static void read(MemoryObject dataset, Transfer transfer, DataBuffer target) {
    long count = transfer.requireFits(dataset.space, target);
    long[] from = MemoryElements.offsets(transfer.fileSelection(), dataset.space);
    long[] to = MemoryElements.offsets(transfer.memorySelection(), transfer.memorySpace());
    DataBuffer stored = MemoryElements.gather(dataset.type, dataset.elements, from);
    DataBuffer converted = MemoryElements.gather(transfer.memoryType(), target, to);
    MemoryElements.convert(
        new MemoryElements.Run(dataset.type, stored, transfer.memoryType(), converted), count);
    MemoryElements.scatter(transfer.memoryType(), converted, target, to);
  }

  private static void write(MemoryObject dataset, Transfer transfer, DataBuffer source) {
    long count = transfer.requireFits(dataset.space, source);
    long[] from = MemoryElements.offsets(transfer.memorySelection(), transfer.memorySpace());
    long[] to = MemoryElements.offsets(transfer.fileSelection(), dataset.space);
    DataBuffer given = MemoryElements.gather(transfer.memoryType(), source, from);
    DataBuffer converted = MemoryElements.gather(dataset.type, dataset.elements, to);
    MemoryElements.convert(
        new MemoryElements.Run(transfer.memoryType(), given, dataset.type, converted), count);
    MemoryElements.scatter(dataset.type, converted, dataset.elements, to);
  }

  private static void setExtent(MemoryObject dataset, List<Long> dims) {
    if (dims.equals(Arrays.stream(dataset.space.dims()).boxed().toList())) {
      return;
    }
    if (!(dataset.datasetOptions.layout() instanceof Layout.Chunked)
        && !(dataset.datasetOptions.layout() instanceof Layout.Auto
            && dataset.space.isExtendible())) {
      throw new InvalidUseException(
          "extent: actual=change of a dataset that is not chunked, expected=chunked layout");
    }
    long[] newDims = dims.stream().mapToLong(Long::longValue).toArray();
    Dataspace old = dataset.space;
    Dataspace changed = old.withDims(newDims);
    DataBuffer before = dataset.elements;
    long[] common = new long[newDims.length];
    for (int i = 0; i < common.length; i++) {
      common[i] = Math.min(newDims[i], old.dim(i));
    }
    Selection kept = Selection.box(new long[common.length], common);
    dataset.space = changed;
    DataBuffer after = filled(dataset, MemoryElements.count(changed));
    DataBuffer part =
        MemoryElements.gather(dataset.type, before, MemoryElements.offsets(kept, old));
    long[] places = MemoryElements.offsets(kept, changed);
    DataBuffer copied = MemoryElements.gather(dataset.type, after, places);
    MemoryElements.convert(
        new MemoryElements.Run(dataset.type, part, dataset.type, copied), places.length);
    MemoryElements.scatter(dataset.type, copied, after, places);
    dataset.elements = after;
  }
}
