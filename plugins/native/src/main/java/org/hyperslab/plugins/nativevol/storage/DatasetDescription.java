package org.hyperslab.plugins.nativevol.storage;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.header.DataLayoutMessage;
import org.hyperslab.format.header.DataspaceMessage;
import org.hyperslab.format.header.DatatypeMessage;
import org.hyperslab.format.header.ExternalFileListMessage;
import org.hyperslab.format.header.FillValueMessage;
import org.hyperslab.format.header.FillValueOldMessage;
import org.hyperslab.format.header.FilterPipelineMessage;
import org.hyperslab.format.header.HeaderMessage;
import org.hyperslab.format.header.Message;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.header.SharedMessage;
import org.hyperslab.format.header.SharedMessageResolver;
import org.hyperslab.format.header.SharedPointer;
import org.hyperslab.format.io.Bytes;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.plugins.nativevol.heap.HeapAccess;
import org.hyperslab.plugins.nativevol.transfer.FillPattern;

/**
 * The decoded content of a dataset's header: immutable, decoded again after the header changed.
 *
 * @param address the header's address
 * @param type the type of the elements, in the file form
 * @param committedType the address of the header that {@code type} is shared from, if it is
 *     committed
 * @param space the extent
 * @param layout the data layout message
 * @param fill the value of unwritten elements, and when storage is allocated and filled
 * @param filters the filters of chunks, the first applied first; empty if there are none
 * @param external the external files that hold the elements
 */
public record DatasetDescription(
    long address,
    Datatype type,
    OptionalLong committedType,
    Dataspace space,
    DataLayoutMessage layout,
    FillValueMessage fill,
    List<FilterPipelineMessage.Filter> filters,
    Optional<ExternalFileListMessage> external) {

  /**
   * Decodes a header.
   *
   * @param header the object's header
   * @param resolver finds the content of shared messages
   * @return the content of the header
   */
  public static DatasetDescription of(ObjectHeader header, SharedMessageResolver resolver) {
    HeaderMessage type = required(header, MessageType.DATATYPE);
    Datatype datatype = content(header, type, DatatypeMessage.class, resolver).type();
    Dataspace space =
        content(header, required(header, MessageType.DATASPACE), DataspaceMessage.class, resolver)
            .space();
    DataLayoutMessage layout =
        content(
            header, required(header, MessageType.DATA_LAYOUT), DataLayoutMessage.class, resolver);
    List<FilterPipelineMessage.Filter> filters =
        header
            .find(MessageType.FILTER_PIPELINE, FilterPipelineMessage.class, resolver)
            .map(FilterPipelineMessage::filters)
            .orElse(List.of());
    return new DatasetDescription(
        header.address(),
        datatype,
        committed(type),
        space,
        layout,
        fill(header, layout.layout(), resolver),
        filters,
        header.find(MessageType.EXTERNAL_FILE_LIST, ExternalFileListMessage.class, resolver));
  }

  private static OptionalLong committed(HeaderMessage type) {
    return type.message() instanceof SharedMessage shared
            && shared.pointer() instanceof SharedPointer.InHeader there
        ? OptionalLong.of(there.headerAddress())
        : OptionalLong.empty();
  }

  private static HeaderMessage required(ObjectHeader header, MessageType type) {
    Optional<HeaderMessage> found = header.find(type);
    if (found.isEmpty()) {
      throw corrupt(header, type.structure() + " actual=none, expected=one");
    }
    return found.get();
  }

  private static <M extends Message> M content(
      ObjectHeader header, HeaderMessage found, Class<M> kind, SharedMessageResolver resolver) {
    Message message = found.message(resolver);
    if (!kind.isInstance(message)) {
      throw corrupt(header, kind.getSimpleName() + " actual=" + message);
    }
    return kind.cast(message);
  }

  private static CorruptFileException corrupt(ObjectHeader header, String problem) {
    return new CorruptFileException(
        header.space().geometry().file(), "dataset header", header.address(), problem);
  }

  /**
   * Returns the fill value of either message type. Without one, as written before HDF5 1.6, it is
   * undefined, and storage is allocated as the layout requires ({@code H5D__open_oid}).
   */
  private static FillValueMessage fill(
      ObjectHeader header, DataLayoutMessage.Layout layout, SharedMessageResolver resolver) {
    Optional<FillValueMessage> modern =
        header.find(MessageType.FILL_VALUE, FillValueMessage.class, resolver);
    if (modern.isPresent()) {
      return modern.get();
    }
    Optional<Bytes> old =
        header
            .find(MessageType.FILL_VALUE_OLD, FillValueOldMessage.class, resolver)
            .map(FillValueOldMessage::value);
    Bytes value = old.orElse(Bytes.EMPTY);
    return new FillValueMessage(
        2,
        old.isPresent() ? FillValueMessage.Allocation.LATE : allocation(layout),
        FillValueMessage.Write.IF_SET,
        value.size() == 0 ? FillValueMessage.Kind.UNDEFINED : FillValueMessage.Kind.VALUE,
        value);
  }

  private static FillValueMessage.Allocation allocation(DataLayoutMessage.Layout layout) {
    return switch (layout) {
      case DataLayoutMessage.Compact _ -> FillValueMessage.Allocation.EARLY;
      case DataLayoutMessage.Contiguous _ -> FillValueMessage.Allocation.LATE;
      case DataLayoutMessage.Chunked _, DataLayoutMessage.Virtual _ ->
          FillValueMessage.Allocation.INCREMENTAL;
    };
  }

  /**
   * {@return the size of all elements in the file form, in bytes; {@link Long#MAX_VALUE} if it is
   * greater}
   */
  public long totalBytes() {
    long count = space.elementCount();
    return count > Long.MAX_VALUE / type.size() ? Long.MAX_VALUE : count * type.size();
  }

  /** {@return whether the elements are in other datasets} */
  public boolean isVirtual() {
    return layout.layout() instanceof DataLayoutMessage.Virtual;
  }

  /**
   * {@return the description of an equal dataset whose header is at another address}
   *
   * @param newAddress the address of the other header
   */
  public DatasetDescription at(long newAddress) {
    return new DatasetDescription(
        newAddress, type, committedType, space, layout, fill, filters, external);
  }

  /** Returns this description with another extent. */
  DatasetDescription withSpace(Dataspace newSpace) {
    return new DatasetDescription(
        address, type, committedType, newSpace, layout, fill, filters, external);
  }

  /** Returns this description with another layout message. */
  DatasetDescription withLayout(DataLayoutMessage newLayout) {
    return new DatasetDescription(
        address, type, committedType, space, newLayout, fill, filters, external);
  }

  /**
   * Returns whether the elements own the objects to which they refer in the global heap, so that
   * freeing the elements frees these. This does not hold where storage is not filled: slots may
   * then hold bytes of earlier data, which may refer to objects that others own.
   */
  boolean ownsHeapObjects() {
    boolean filled =
        switch (fill.write()) {
          case ON_ALLOCATION -> true;
          case IF_SET -> fill.kind() == FillValueMessage.Kind.VALUE;
          case NEVER -> false;
        };
    boolean inThisFile = external.isEmpty() && !isVirtual();
    return type.hasOutOfLineParts() && filled && inThisFile;
  }

  /** Returns the fill value in the file form; an empty segment if it is zeros. */
  MemorySegment fillElement() {
    boolean usable =
        fill.kind() == FillValueMessage.Kind.VALUE && fill.value().size() == type.size();
    return MemorySegment.ofArray(usable ? fill.value().toByteArray() : new byte[0]);
  }

  /**
   * {@return the value of unwritten elements} An undefined value, one of a wrong size, or one that
   * is never written counts as zeros.
   *
   * @param heap gives stored elements their own copies of the heap objects that the value refers to
   */
  public FillPattern fillPattern(HeapAccess heap) {
    if (fill.write() == FillValueMessage.Write.NEVER) {
      return FillPattern.of(new byte[0]);
    }
    MemorySegment element = fillElement();
    byte[] bytes = element.toArray(ValueLayout.JAVA_BYTE);
    return type.hasOutOfLineParts()
        ? FillPattern.of(bytes, elements -> heap.copyShared(type, elements, element))
        : FillPattern.of(bytes);
  }
}
