package org.hyperslab.plugins.nativevol.dataset;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.filter.FilterPipeline;
import org.hyperslab.format.filter.FilterStage;
import org.hyperslab.format.header.DataLayoutMessage;
import org.hyperslab.format.header.DataspaceMessage;
import org.hyperslab.format.header.DatatypeMessage;
import org.hyperslab.format.header.ExternalFileListMessage;
import org.hyperslab.format.header.FillValueMessage;
import org.hyperslab.format.header.FilterPipelineMessage;
import org.hyperslab.format.header.LibraryVersion;
import org.hyperslab.format.header.Message;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.header.ObjectHeader.NewMessage;
import org.hyperslab.format.header.SharedMessage;
import org.hyperslab.format.header.SharedPointer;
import org.hyperslab.format.header.VersionBounds;
import org.hyperslab.format.header.VirtualMappings;
import org.hyperslab.format.heap.GlobalHeapId;
import org.hyperslab.format.heap.LocalHeap;
import org.hyperslab.format.io.Bytes;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.space.SelectionCodec;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenStringType;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.format.type.convert.Converter;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.Layout;
import org.hyperslab.plugins.nativevol.header.HeaderStyle;
import org.hyperslab.plugins.nativevol.storage.CompactStorage;
import org.hyperslab.plugins.nativevol.storage.DatasetContext;
import org.hyperslab.plugins.nativevol.storage.DatasetDescription;
import org.hyperslab.plugins.nativevol.transfer.ChunkShape;
import org.hyperslab.plugins.nativevol.virtual.VirtualRules;

/**
 * Translates the user's creation options into the messages of a new dataset's header, and back.
 *
 * <p>Thread rule: no state; called under the file's write lock.
 */
public final class DatasetCreation {

  private final DatasetContext context;
  private final LibraryVersion low;

  /**
   * Creates datasets in a file.
   *
   * @param context the parts of the file that its datasets use
   */
  public DatasetCreation(DatasetContext context) {
    this.context = context;
    this.low = context.settings().low();
  }

  /**
   * {@return the messages of a new dataset, in the order in which the HDF5 library writes them}
   *
   * @param type the type of the elements, any form
   * @param committedType the header of the committed type to be shared, if the type is one
   * @param space the file's metadata
   * @param options the creation options
   */
  public List<NewMessage> messages(
      Datatype type, OptionalLong committedType, Dataspace space, DatasetOptions options) {
    Datatype fileType = fileType(type, committedType);
    requireFilled(fileType, options);
    Layout resolved = resolved(space, fileType, options);
    List<FilterStage> filters = filters(fileType, resolved, options);
    return messages(fileType, committedType, space, options, filters);
  }

  /**
   * {@return the messages of a dataset that is to hold the chunks of another one as they are
   * stored} Its filters are taken over unchanged, including those that are not known here.
   *
   * @param original the dataset that is copied
   * @param committedType the address of the committed type's header, if the type is one
   * @param options the creation options
   */
  public List<NewMessage> messagesOfCopy(
      DatasetDescription original, OptionalLong committedType, DatasetOptions options) {
    List<FilterStage> filters = new ArrayList<>();
    for (FilterPipelineMessage.Filter filter : original.filters()) {
      filters.add(
          new FilterStage(filter.id(), filter.optional(), filter.name(), filter.parameters()));
    }
    Datatype fileType = fileType(original.type(), committedType);
    return messages(fileType, committedType, original.space(), options, filters);
  }

  private List<NewMessage> messages(
      Datatype fileType,
      OptionalLong committedType,
      Dataspace space,
      DatasetOptions options,
      List<FilterStage> filters) {
    Layout resolved = resolved(space, fileType, options);
    DataLayoutMessage layout = layout(resolved, fileType, space, options, !filters.isEmpty());
    List<NewMessage> messages = new ArrayList<>();
    messages.add(NewMessage.of(DataspaceMessage.of(space, low)));
    messages.add(NewMessage.constant(typeMessage(fileType, committedType)));
    messages.add(NewMessage.constant(fill(fileType, options, layout)));
    messages.add(NewMessage.of(layout));
    if (!filters.isEmpty()) {
      messages.add(NewMessage.constant(FilterPipelineMessage.of(filters, low)));
    }
    if (resolved instanceof Layout.External external) {
      messages.add(NewMessage.constant(externalFiles(external, space, fileType)));
    }
    return messages;
  }

  /** Returns the type as it is stored. A shared type is in that form already. */
  private Datatype fileType(Datatype type, OptionalLong committedType) {
    Datatype written = committedType.isPresent() ? type : context.settings().bounds().written(type);
    return written.forFile(context.file().geometry().sizeOfOffsets());
  }

  private static void requireFilled(Datatype fileType, DatasetOptions options) {
    if (options.fillTime() == FillValue.Time.NEVER && hasVariableLength(fileType)) {
      throw new InvalidUseException(
          "fill time: actual="
              + options.fillTime()
              + ", expected="
              + FillValue.Time.ON_ALLOCATION
              + " for elements of variable length, which are invalid until they are filled");
    }
  }

  private static boolean hasVariableLength(Datatype type) {
    return switch (type) {
      case VlenType _, VlenStringType _ -> true;
      case ArrayType array -> hasVariableLength(array.base());
      case CompoundType compound ->
          compound.members().stream().anyMatch(member -> hasVariableLength(member.type()));
      default -> false;
    };
  }

  private Message typeMessage(Datatype fileType, OptionalLong committedType) {
    if (committedType.isEmpty()) {
      return DatatypeMessage.of(fileType, low);
    }
    int version = low.atLeast(LibraryVersion.V18) ? 3 : 2;
    return new SharedMessage(
        MessageType.DATATYPE.code(),
        new SharedPointer.InHeader(version, committedType.getAsLong()));
  }

  /** Returns the filters, each with its client data computed for this dataset. */
  private List<FilterStage> filters(Datatype fileType, Layout resolved, DatasetOptions options) {
    if (options.filters().isEmpty()) {
      return List.of();
    }
    if (!(resolved instanceof Layout.Chunked chunked)) {
      throw new InvalidUseException(
          "filters: actual=layout " + resolved + ", expected=chunked; give the dataset chunks");
    }
    List<FilterStage> wanted = new ArrayList<>();
    for (FilterSpec filter : options.filters()) {
      wanted.add(
          new FilterStage(filter.id(), filter.optional(), filter.name(), filter.parameters()));
    }
    Optional<byte[]> fill =
        options.fill() instanceof FillValue.Undefined
            ? Optional.empty()
            : Optional.of(fillBytes(fileType, options.fill()).toByteArray());
    return FilterPipeline.of(wanted)
        .configured(FilterLayouts.context(fileType, chunked.dims(), fill))
        .stages();
  }

  private ExternalFileListMessage externalFiles(
      Layout.External external, Dataspace space, Datatype fileType) {
    long room = 0;
    for (Layout.External.Segment segment : external.segments()) {
      if (room == Long.MAX_VALUE) {
        throw new InvalidUseException(
            "external files: actual=a segment after an unlimited segment, expected=the unlimited "
                + "segment last");
      }
      boolean unlimited = segment.sizeBytes() == Dataspace.UNLIMITED;
      room = unlimited ? Long.MAX_VALUE : Math.addExact(room, segment.sizeBytes());
    }
    requireRoom(room, space, fileType);
    LocalHeap names = LocalHeap.create(context.space(), 64);
    // The first name in a heap of external files is the empty one, as in the HDF5 library.
    names.insert("");
    List<ExternalFileListMessage.Slot> slots = new ArrayList<>();
    for (Layout.External.Segment segment : external.segments()) {
      slots.add(
          new ExternalFileListMessage.Slot(
              names.insert(segment.file()), segment.offsetBytes(), segment.sizeBytes()));
    }
    return new ExternalFileListMessage(slots.size(), names.address(), slots);
  }

  /**
   * Requires that external files have room for the greatest extent, which may exceed the present
   * one in the slowest dimension only. Source: {@code H5D__efl_construct} of the C library.
   */
  private static void requireRoom(long room, Dataspace space, Datatype fileType) {
    long bytes = fileType.size();
    for (int d = 0; d < space.rank(); d++) {
      if (d > 0 && space.maxDim(d) != space.dim(d)) {
        throw new InvalidUseException(
            "extent of a dataset in external files: actual="
                + space
                + ", expected=extendible in dimension 0 only");
      }
      bytes =
          space.maxDim(d) == Dataspace.UNLIMITED
              ? Long.MAX_VALUE
              : ChunkShape.product(bytes, space.maxDim(d));
    }
    if (room < bytes) {
      throw new InvalidUseException(
          "external files: actual=room for "
              + room
              + " bytes, expected="
              + (bytes == Long.MAX_VALUE ? "no limit" : "at least " + bytes)
              + " for the greatest extent "
              + space);
    }
  }

  private DataLayoutMessage.Virtual virtual(Layout.Virtual virtual, Dataspace space) {
    VirtualRules.require(virtual, space);
    VersionBounds bounds = context.settings().bounds();
    bounds.require("a virtual dataset", LibraryVersion.V110);
    if (virtual.mappings().isEmpty()) { // as the C library stores none
      return new DataLayoutMessage.Virtual(FileGeometry.UNDEFINED, 0);
    }
    List<VirtualMappings.Mapping> mappings = new ArrayList<>();
    List<Integer> ranks = new ArrayList<>();
    for (Layout.Virtual.Mapping mapping : virtual.mappings()) {
      mappings.add(
          new VirtualMappings.Mapping(
              mapping.sourceFile(),
              mapping.sourceDataset(),
              mapping.sourceSelection(),
              mapping.selection()));
      ranks.add(mapping.sourceSpace().rank());
      requireWritable(bounds, mapping.selection(), space.rank());
      requireWritable(bounds, mapping.sourceSelection(), mapping.sourceSpace().rank());
    }
    MetadataWriter writer = new MetadataWriter(context.file().geometry(), 256);
    new VirtualMappings(mappings).encode(writer, space.rank(), ranks);
    GlobalHeapId id = context.heap().heap().insert(MemorySegment.ofArray(writer.toByteArray()));
    return new DataLayoutMessage.Virtual(id.collectionAddress(), id.index());
  }

  private void requireWritable(VersionBounds bounds, Selection selection, int rank) {
    MetadataWriter encoded = new MetadataWriter(context.file().geometry(), 256);
    SelectionCodec.encode(selection, rank, encoded);
    bounds.requireSelection(MemorySegment.ofArray(encoded.toByteArray()));
  }

  private DataLayoutMessage layout(
      Layout resolved,
      Datatype fileType,
      Dataspace space,
      DatasetOptions options,
      boolean filtered) {
    long bytes = bytes(space, fileType, resolved);
    int version = low.dataLayout();
    return switch (resolved) {
      case Layout.Compact _ -> {
        requireFixed(space);
        yield new DataLayoutMessage(version, compact(bytes, fileType, options));
      }
      case Layout.Contiguous _ -> {
        requireFixed(space);
        yield new DataLayoutMessage(
            version, new DataLayoutMessage.Contiguous(FileGeometry.UNDEFINED, bytes));
      }
      case Layout.Chunked chunked ->
          new ChunkedCreation(context).message(chunked, space, fileType, filtered, options);
      case Layout.External _ ->
          new DataLayoutMessage(
              version, new DataLayoutMessage.Contiguous(FileGeometry.UNDEFINED, bytes));
      case Layout.Virtual virtual ->
          new DataLayoutMessage(Math.max(4, version), virtual(virtual, space));
      case Layout.Auto _ ->
          throw new IllegalStateException("the layout should have been chosen before");
    };
  }

  /**
   * Returns the size of all elements in bytes, as an unsigned number: a contiguous dataset may have
   * an extent of up to 2<sup>64</sup> bytes as long as none of them is written.
   */
  private static long bytes(Dataspace space, Datatype fileType, Layout layout) {
    long high = Math.unsignedMultiplyHigh(space.elementCount(), (long) fileType.size());
    long bytes = space.elementCount() * fileType.size();
    boolean signed = !(layout instanceof Layout.Contiguous);
    if (high != 0 || (signed && bytes < 0)) {
      throw new InvalidUseException(
          "dataset: actual="
              + space
              + " of "
              + fileType.size()
              + " bytes each, expected=below 2^"
              + (signed ? 63 : 64)
              + " bytes in all");
    }
    return bytes;
  }

  /** Returns the layout chosen for {@link Layout.Auto}; other layouts unchanged. */
  private static Layout resolved(Dataspace space, Datatype fileType, DatasetOptions options) {
    if (!(options.layout() instanceof Layout.Auto)) {
      return options.layout();
    }
    boolean needsChunks = space.isExtendible() || !options.filters().isEmpty();
    return needsChunks ? Layout.Chunked.automatic(space, fileType.size()) : new Layout.Contiguous();
  }

  private static void requireFixed(Dataspace space) {
    if (space.isExtendible()) {
      throw new InvalidUseException(
          "layout: actual=contiguous with the extendible extent "
              + space
              + ", expected=chunked; give the dataset chunks or a fixed extent");
    }
  }

  private DataLayoutMessage.Compact compact(long bytes, Datatype fileType, DatasetOptions options) {
    if (bytes > CompactStorage.MAXIMUM_BYTES) {
      throw new InvalidUseException(
          "compact storage: actual="
              + bytes
              + " bytes, expected=at most "
              + CompactStorage.MAXIMUM_BYTES
              + "; use contiguous or chunked storage");
    }
    byte[] data = new byte[(int) bytes];
    byte[] element = fillBytes(fileType, options.fill()).toByteArray();
    for (int at = 0; at < data.length && element.length > 0; at += element.length) {
      if (at > 0 && fileType.hasOutOfLineParts()) {
        element = fillBytes(fileType, options.fill()).toByteArray(); // each element has its own
      }
      System.arraycopy(element, 0, data, at, element.length);
    }
    return new DataLayoutMessage.Compact(Bytes.of(data));
  }

  private FillValueMessage fill(
      Datatype fileType, DatasetOptions options, DataLayoutMessage layout) {
    FillValueMessage.Allocation allocation =
        switch (options.allocationTime()) {
          case DEFAULT -> defaultAllocation(layout.layout());
          case EARLY -> FillValueMessage.Allocation.EARLY;
          case LATE -> FillValueMessage.Allocation.LATE;
          case INCREMENTAL -> FillValueMessage.Allocation.INCREMENTAL;
        };
    FillValueMessage.Write write = fillTime(fileType, options.fillTime());
    FillValueMessage.Kind kind =
        switch (options.fill()) {
          case FillValue.Default _ -> FillValueMessage.Kind.DEFAULT;
          case FillValue.Undefined _ -> FillValueMessage.Kind.UNDEFINED;
          case FillValue.Value _ -> FillValueMessage.Kind.VALUE;
        };
    return new FillValueMessage(
        low.fillValue(), allocation, write, kind, fillBytes(fileType, options.fill()));
  }

  /**
   * Returns the time at which storage is filled: always, if elements have variable length. A writer
   * that fills only where a fill value is set would take the previous bytes of the space for the
   * ids of heap objects. The HDF5 library does the same.
   */
  private static FillValueMessage.Write fillTime(Datatype fileType, FillValue.Time asked) {
    if (hasVariableLength(fileType)) {
      return FillValueMessage.Write.ON_ALLOCATION;
    }
    return switch (asked) {
      case ON_ALLOCATION -> FillValueMessage.Write.ON_ALLOCATION;
      case NEVER -> FillValueMessage.Write.NEVER;
      case IF_SET -> FillValueMessage.Write.IF_SET;
    };
  }

  private static FillValueMessage.Allocation defaultAllocation(DataLayoutMessage.Layout layout) {
    return switch (layout) {
      case DataLayoutMessage.Compact _ -> FillValueMessage.Allocation.EARLY;
      case DataLayoutMessage.Contiguous _ -> FillValueMessage.Allocation.LATE;
      case DataLayoutMessage.Chunked _, DataLayoutMessage.Virtual _ ->
          FillValueMessage.Allocation.INCREMENTAL;
    };
  }

  /** Returns the user's fill value in the file form; empty if there is none. */
  private Bytes fillBytes(Datatype fileType, FillValue fill) {
    if (!(fill instanceof FillValue.Value(Datatype type, DataBuffer value))) {
      return Bytes.EMPTY;
    }
    byte[] element = new byte[fileType.size()];
    Converter.between(type, fileType)
        .open(value.heap(), context.heap())
        .convert(value.elements(), 0, MemorySegment.ofArray(element), 0, 1);
    return Bytes.of(element);
  }

  /**
   * {@return whether the storage of a new dataset is allocated at once}
   *
   * @param options the creation options
   */
  public static boolean allocatesEarly(DatasetOptions options) {
    return options.allocationTime() == AllocationTime.EARLY;
  }

  /** Returns the options with which an equal dataset could be created. */
  DatasetOptions optionsOf(DatasetDescription dataset, ObjectHeader header) {
    DatasetOptions.Builder builder = DatasetOptions.builder().layout(layoutOf(dataset));
    for (FilterPipelineMessage.Filter filter : dataset.filters()) {
      builder.filter(
          new FilterSpec(filter.id(), filter.optional(), filter.name(), filter.parameters()));
    }
    FillValueMessage fill = dataset.fill();
    builder.fill(
        switch (fill.kind()) {
          case DEFAULT -> new FillValue.Default();
          case UNDEFINED -> new FillValue.Undefined();
          case VALUE -> fillOf(dataset);
        });
    builder.fillTime(
        switch (fill.write()) {
          case ON_ALLOCATION -> FillValue.Time.ON_ALLOCATION;
          case NEVER -> FillValue.Time.NEVER;
          case IF_SET -> FillValue.Time.IF_SET;
        });
    builder.allocationTime(
        switch (fill.allocation()) {
          case DEFAULT -> AllocationTime.DEFAULT;
          case EARLY -> AllocationTime.EARLY;
          case LATE -> AllocationTime.LATE;
          case INCREMENTAL -> AllocationTime.INCREMENTAL;
        });
    boolean times = header.times().isPresent() || header.has(MessageType.MODIFICATION_TIME);
    return builder.trackTimes(times).attributes(HeaderStyle.attributes(header)).build();
  }

  private FillValue fillOf(DatasetDescription dataset) {
    Datatype type = dataset.type();
    byte[] bytes = dataset.fill().value().toByteArray();
    if (bytes.length != type.size()) {
      return new FillValue.Default();
    }
    MemorySegment stored = MemorySegment.ofArray(bytes);
    if (!type.hasOutOfLineParts()) {
      return new FillValue.Value(type, DataBuffer.of(stored));
    }
    DataBuffer value = DataBuffer.allocate(type.inMemory(), 1);
    try {
      Converter.between(type, type.inMemory())
          .open(context.heap(), value.heap())
          .convert(stored, 0, value.elements(), 0, 1);
    } catch (CorruptFileException lost) {
      // Copies made by HDF5 1.10 look like this. The written elements can be read all the same.
      return new FillValue.Undefined();
    }
    return new FillValue.Value(type.inMemory(), value);
  }

  private static Layout layoutOf(DatasetDescription dataset) {
    return switch (dataset.layout().layout()) {
      case DataLayoutMessage.Compact _ -> new Layout.Compact();
      case DataLayoutMessage.Contiguous _ -> new Layout.Contiguous();
      case DataLayoutMessage.Chunked chunked ->
          new Layout.Chunked(chunked.sizes(), !chunked.partialUnfiltered());
      case DataLayoutMessage.Virtual _ -> new Layout.Virtual(List.of());
    };
  }
}
