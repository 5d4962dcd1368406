package org.hyperslab.plugins.libhdf5.bridge;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.RunCursor;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.plugins.libhdf5.call.CFunction;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.call.Hdf5Function;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.plugins.libhdf5.file.OpenedFile;
import org.hyperslab.plugins.libhdf5.object.BridgeObject;
import org.hyperslab.plugins.libhdf5.translate.CElements;
import org.hyperslab.plugins.libhdf5.translate.DataTransform;
import org.hyperslab.plugins.libhdf5.translate.SpaceTranslator;
import org.hyperslab.vol.DatasetOperation;

/**
 * Reads and writes elements of datasets. Elements that have the same bytes in C and in memory form
 * move between the program's memory and the connector without a copy; others pass through a buffer
 * of the selected elements.
 */
public final class DatasetTransfer {

  private static final long ALL = 0;
  private static final long BLOCK = 1;
  private static final long IN_LIST = 2;
  private static final int COLLECTIVE = 1;

  /** Bytes for the value of a property: at most two pointers. */
  private static final int VALUE_ROOM = 16;

  /** The bytes of idle memory that are kept for the next transfer with an expression. */
  private static final long IDLE_BYTES = 16L << 20;

  private final Bridge bridge;

  /** The list that libhdf5 keeps for H5P_DEFAULT; 0 until first needed. */
  private volatile long defaultList;

  private final BufferPool transformed = new BufferPool(IDLE_BYTES);

  public DatasetTransfer(Bridge bridge) {
    this.bridge = bridge;
  }

  /**
   * The arrays of {@code H5Dread_multi}, one entry for each dataset; for one dataset, its entries
   * instead of the addresses of arrays, as {@code hyperslab-bridge.c} passes them.
   *
   * @param count entries
   * @param datasets pointers to datasets
   * @param types identifiers of the types in memory
   * @param memorySpaces identifiers of dataspaces
   * @param fileSpaces identifiers of dataspaces
   * @param list the transfer property list
   * @param buffers addresses of elements
   */
  public record Request(
      long count,
      long datasets,
      long types,
      long memorySpaces,
      long fileSpaces,
      long list,
      long buffers) {

    private long dataset(long i) {
      return entry(datasets, i);
    }

    private long type(long i) {
      return entry(types, i);
    }

    private long memorySpace(long i) {
      return entry(memorySpaces, i);
    }

    private long fileSpace(long i) {
      return entry(fileSpaces, i);
    }

    private long buffer(long i) {
      return entry(buffers, i);
    }

    private long entry(long array, long i) {
      return count == 1 ? array : RawMemory.getLong(array + 8 * i);
    }
  }

  /**
   * How a transfer list moves elements.
   *
   * @param options the options of the transfer
   * @param transform the expression that is applied to the elements; null if there is none
   */
  private record How(TransferOptions options, DataTransform transform) {
    static final How DEFAULT = new How(TransferOptions.DEFAULT, null);
  }

  /** The part of one dataset. */
  private record Part(
      BridgeObject.OfObject dataset,
      long typeId,
      Datatype type,
      SpaceTranslator.Selected memory,
      Selection file,
      long buffer) {}

  /** Reads elements of datasets into memory of the program. */
  public long read(Request request, long pending) {
    requireOneFile(request);
    How how = how(request.list);
    TransferOptions options = ofRanks(how.options, request);
    CElements.Allocator allocator = allocator(request.list);
    for (long i = 0; i < request.count; i++) {
      Part part = part(request, i);
      if (how.transform != null) {
        readTransformed(part, options, how.transform);
      } else if (CElements.sameInC(part.type)) {
        CompletableFuture<?> stage =
            part.dataset
                .file()
                .submit(
                    new DatasetOperation.Read(
                        part.dataset.handle(), direct(part, options), buffer(part)));
        bridge.settle(part.dataset.file(), stage, pendingOf(request, pending), null);
      } else {
        readPacked(part, options, allocator, pendingOf(request, pending));
      }
    }
    return 0;
  }

  /** Reads elements, applies the program's expression to them, and stores the values. */
  private void readTransformed(Part part, TransferOptions options, DataTransform transform) {
    long count = part.memory.count();
    try (Lease room = DataTransform.room(transformed, part.type, count)) {
      DataBuffer packed = DataBuffer.of(room.segment());
      part.dataset
          .file()
          .call(
              new DatasetOperation.Read(
                  part.dataset.handle(), packedTransfer(part, count, options), packed));
      transform.apply(part.typeId, packed, count);
      scatter(part, packed, CElements.Allocator.C_LIBRARY);
    }
  }

  /**
   * Returns the address for a request; 0 for several datasets, which are waited for because libhdf5
   * has room for one request only.
   */
  private static long pendingOf(Request request, long pending) {
    return request.count == 1 ? pending : 0;
  }

  private void readPacked(
      Part part, TransferOptions options, CElements.Allocator allocator, long pending) {
    long count = part.memory.count();
    DataBuffer packed = DataBuffer.allocate(part.type, count);
    CompletableFuture<?> stage =
        part.dataset
            .file()
            .submit(
                new DatasetOperation.Read(
                    part.dataset.handle(), packedTransfer(part, count, options), packed));
    bridge.settle(part.dataset.file(), stage, pending, () -> scatter(part, packed, allocator));
  }

  private void scatter(Part part, DataBuffer packed, CElements.Allocator allocator) {
    int memorySize = part.type.memorySize();
    bridge.references.in(
        part.dataset.file(),
        () -> {
          RunCursor runs = part.memory.selection().runs(part.memory.space().dims());
          long done = 0;
          while (runs.next()) {
            MemorySegment from =
                packed.elements().asSlice(done * memorySize, runs.length() * memorySize);
            bridge.elements.toC(
                part.type,
                new DataBuffer(from, packed.heap()),
                runs.length(),
                part.buffer + runs.offset() * part.type.size(),
                allocator);
            done += runs.length();
          }
        });
  }

  /** Writes elements of datasets from memory of the program. */
  public long write(Request request, long pending) {
    requireOneFile(request);
    How how = how(request.list);
    TransferOptions options = ofRanks(how.options, request);
    for (long i = 0; i < request.count; i++) {
      Part part = part(request, i);
      if (how.transform != null) {
        writeTransformed(part, options, how.transform, pendingOf(request, pending));
        continue;
      }
      DatasetOperation.Write operation =
          CElements.sameInC(part.type)
              ? new DatasetOperation.Write(
                  part.dataset.handle(), direct(part, options), buffer(part))
              : packedWrite(part, options);
      bridge.run(part.dataset.file(), operation, pendingOf(request, pending));
    }
    return 0;
  }

  /** Returns options for a file of several ranks, if transfers of these must not overlap. */
  private TransferOptions ofRanks(TransferOptions options, Request request) {
    return request.count > 0 && dataset(request, 0).file().isAtomic()
        ? options.withProperty("atomic", "true")
        : options;
  }

  /** Applies the program's expression to a copy of the elements, and writes the values. */
  private void writeTransformed(
      Part part, TransferOptions options, DataTransform transform, long pending) {
    long count = part.memory.count();
    OpenedFile file = part.dataset.file();
    Lease room = DataTransform.room(transformed, part.type, count);
    CompletableFuture<Void> stage;
    try {
      DataBuffer packed = DataBuffer.of(room.segment());
      gather(part, count, packed);
      transform.apply(part.typeId, packed, count);
      stage =
          file.submit(
              new DatasetOperation.Write(
                  part.dataset.handle(), packedTransfer(part, count, options), packed));
    } catch (RuntimeException | Error failure) {
      room.close();
      throw failure;
    }
    bridge.settle(file, stage.whenComplete((done, failure) -> room.close()), pending, null);
  }

  private DatasetOperation.Write packedWrite(Part part, TransferOptions options) {
    long count = part.memory.count();
    DataBuffer packed = DataBuffer.allocate(part.type, count);
    gather(part, count, packed);
    return new DatasetOperation.Write(
        part.dataset.handle(), packedTransfer(part, count, options), packed);
  }

  /** Copies the selected elements of the program's memory, one after the other. */
  private void gather(Part part, long count, DataBuffer packed) {
    int memorySize = part.type.memorySize();
    RunCursor runs = part.memory.selection().runs(part.memory.space().dims());
    long done = 0;
    while (count > 0 && runs.next()) {
      MemorySegment to = packed.elements().asSlice(done * memorySize, runs.length() * memorySize);
      bridge.elements.toMemory(
          part.type,
          part.buffer + runs.offset() * part.type.size(),
          runs.length(),
          new DataBuffer(to, packed.heap()));
      done += runs.length();
    }
  }

  private static DatasetOperation.Transfer direct(Part part, TransferOptions options) {
    return new DatasetOperation.Transfer(
        part.type, part.memory.space(), part.memory.selection(), part.file, options);
  }

  private static DatasetOperation.Transfer packedTransfer(
      Part part, long count, TransferOptions options) {
    return new DatasetOperation.Transfer(
        part.type.inMemory(), Dataspace.simple(count), Selection.all(), part.file, options);
  }

  private static DataBuffer buffer(Part part) {
    long bytes = Math.multiplyExact(part.memory.space().elementCount(), (long) part.type.size());
    return DataBuffer.of(RawMemory.at(part.buffer, part.buffer == 0 ? 0 : bytes));
  }

  /** Fails if the datasets are in several files, as libhdf5's own connector does. */
  private void requireOneFile(Request request) {
    for (long i = 1; i < request.count; i++) {
      OpenedFile first = dataset(request, 0).file();
      OpenedFile other = dataset(request, i).file();
      if (other != first) {
        throw new InvalidUseException(
            "datasets of one call: actual=in "
                + first.name()
                + " and "
                + other.name()
                + ", expected=in one file");
      }
    }
  }

  private BridgeObject.OfObject dataset(Request request, long i) {
    return bridge.objects.get(request.dataset(i), BridgeObject.OfObject.class);
  }

  private Part part(Request request, long i) {
    BridgeObject.OfObject dataset = dataset(request, i);
    long typeId = request.type(i);
    Datatype type = bridge.types.read(typeId);
    SpaceTranslator.Selected file = fileSpace(request.fileSpace(i), dataset);
    SpaceTranslator.Selected memory = memorySpace(request.memorySpace(i), file);
    long count = memory.count();
    requireEqual(count, memory == file ? count : file.count());
    long buffer = request.buffer(i);
    if (buffer == 0 && count > 0) {
      throw new InvalidUseException(
          "buffer: actual=null, expected=room for " + count + " elements");
    }
    if (buffer == 0 || memory.space().kind() == Dataspace.Kind.NULL) {
      memory = SpaceTranslator.Selected.all(Dataspace.simple(0));
    }
    return new Part(dataset, typeId, type, memory, file.selection(), buffer);
  }

  private static void requireEqual(long inMemory, long inFile) {
    if (inMemory != inFile) {
      throw new InvalidUseException(
          "elements selected in memory: actual="
              + inMemory
              + ", expected="
              + inFile
              + " as selected in the file");
    }
  }

  private SpaceTranslator.Selected fileSpace(long spaceId, BridgeObject.OfObject dataset) {
    if (spaceId == IN_LIST) {
      throw new UnsupportedFeatureException(
          "selection: actual=in the property list (H5S_PLIST), expected=a dataspace or H5S_ALL");
    }
    Dataspace extent = dataset.dataset().space();
    if (spaceId == ALL) {
      return SpaceTranslator.Selected.all(extent);
    }
    SpaceTranslator.Selected given = bridge.spaces.read(spaceId);
    return new SpaceTranslator.Selected(extent, given.selection());
  }

  private SpaceTranslator.Selected memorySpace(long spaceId, SpaceTranslator.Selected file) {
    if (spaceId == ALL) {
      return file;
    }
    if (spaceId == BLOCK) {
      return SpaceTranslator.Selected.all(Dataspace.simple(file.count()));
    }
    return bridge.spaces.read(spaceId);
  }

  private How how(long list) {
    return isDefault(list)
        ? How.DEFAULT
        : new How(options(list), DataTransform.of(bridge.hdf5, list));
  }

  /**
   * Returns the transfer options: whether all ranks take part, if libhdf5 is a parallel one.
   *
   * @throws UnsupportedFeatureException if callbacks are to decide on conversions or filters
   */
  private TransferOptions options(long list) {
    requireHonoured(list);
    if (!bridge.hdf5.has(Hdf5Function.P_GET_COLLECTIVE)) {
      return TransferOptions.DEFAULT;
    }
    return bridge.hdf5.intOf(Hdf5Function.P_GET_COLLECTIVE, list) == COLLECTIVE
        ? TransferOptions.COLLECTIVE
        : TransferOptions.DEFAULT;
  }

  private void requireHonoured(long list) {
    requireUnset(
        list,
        "type_conv_cb",
        "callback of conversions (H5Pset_type_conv_cb)",
        "numbers that do not fit are clipped");
    requireUnset(
        list,
        "filter_cb",
        "callback of filters (H5Pset_filter_callback)",
        "a filter that fails is an error");
    if (bridge.hdf5.status(Hdf5Function.P_GET_CHECKSUMS, list) == 0) {
      throw new UnsupportedFeatureException(
          "checksums of chunks (H5Pset_edc_check): actual=disabled, expected=enabled; "
              + "H5Dread_chunk reads a chunk as it is stored");
    }
  }

  /** Fails if the first word of a property, a pointer, is not null. */
  private void requireUnset(long list, String property, String what, String instead) {
    MemorySegment memory = bridge.hdf5.scratch();
    memory.setString(VALUE_ROOM, property);
    RawMemory.setLong(memory.address(), 0);
    bridge.hdf5.checked(Hdf5Function.P_GET, list, memory.address() + VALUE_ROOM, memory.address());
    if (RawMemory.getLong(memory.address()) != 0) {
      throw new UnsupportedFeatureException(what + ": actual=set, expected=none; " + instead);
    }
  }

  private boolean isDefault(long list) {
    if (defaultList == 0) {
      defaultList = bridge.hdf5.known("H5P_LST_DATASET_XFER_ID_g");
    }
    return list == Hdf5Calls.DEFAULT || list == defaultList;
  }

  /** Returns the allocator that the program chose for the memory of variable-length values. */
  public CElements.Allocator allocator(long list) {
    if (isDefault(list)) {
      return CElements.Allocator.C_LIBRARY;
    }
    long out = bridge.hdf5.scratch().address();
    RawMemory.setLong(out, 0);
    bridge.hdf5.checked(Hdf5Function.P_GET_VLEN_MANAGER, list, out, out + 8, out + 16, out + 24);
    long function = RawMemory.getLong(out);
    long context = RawMemory.getLong(out + 8);
    if (function == 0) {
      return CElements.Allocator.C_LIBRARY;
    }
    CFunction allocate = CFunction.at(function);
    return bytes -> allocate.call(bytes, context);
  }
}
