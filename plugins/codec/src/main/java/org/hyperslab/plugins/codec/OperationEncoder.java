package org.hyperslab.plugins.codec;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.plugins.codec.proto.Messages;
import org.hyperslab.plugins.codec.proto.Messages.OperationMessage;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.DatasetOperation.Transfer;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.GroupOperation;
import org.hyperslab.vol.Handle;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.Location;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.StepOperation;
import org.hyperslab.vol.TypeOperation;

/** Encodes operations as messages; {@link OperationDecoder} reads them. Confined to one thread. */
final class OperationEncoder {

  private final OperationMessage.Builder out = OperationMessage.newBuilder();
  private final LongFunction<MemorySegment> memory;
  private final EncodingCache cache;
  private List<MemorySegment> payload = List.of();

  private OperationEncoder(LongFunction<MemorySegment> memory, EncodingCache cache) {
    this.memory = memory;
    this.cache = cache;
  }

  static EncodedMessage encode(
      Operation<?> operation, LongFunction<MemorySegment> memory, EncodingCache cache) {
    if (operation instanceof DatasetOperation.Multi multi) {
      byte kind = multi.edits() ? MultiFrame.WRITES : MultiFrame.READS;
      return MultiFrame.join(
          kind, multi.parts().stream().map(part -> encode(part, memory, cache)).toList());
    }
    OperationEncoder encoder = new OperationEncoder(memory, cache);
    switch (operation) {
      case FileOperation<?> o -> encoder.file(o);
      case GroupOperation<?> o -> encoder.group(o);
      case LinkOperation<?> o -> encoder.link(o);
      case ObjectOperation<?> o -> encoder.object(o);
      case DatasetOperation<?> o -> encoder.dataset(o);
      case AttributeOperation<?> o -> encoder.attribute(o);
      case TypeOperation<?> o -> encoder.type(o);
      case StepOperation<?> o -> encoder.step(o);
    }
    return new EncodedMessage(encoder.out.build().toByteArray(), encoder.payload);
  }

  private static Messages.HandleOnly handle(Handle handle) {
    return Messages.HandleOnly.newBuilder().setHandle(handle.id()).build();
  }

  private static Messages.Location at(Location at) {
    return OptionEncoder.location(at);
  }

  private void file(FileOperation<?> operation) {
    switch (operation) {
      case FileOperation.Open o ->
          out.setFileOpen(
              Messages.FileOpen.newBuilder()
                  .setFile(o.file().id())
                  .setName(TextFields.bytes(o.name()))
                  .setOptions(OptionEncoder.open(o.options())));
      case FileOperation.Create o ->
          out.setFileCreate(
              Messages.FileCreate.newBuilder()
                  .setFile(o.file().id())
                  .setName(TextFields.bytes(o.name()))
                  .setOptions(OptionEncoder.create(o.options())));
      case FileOperation.Flush o -> out.setFileFlush(handle(o.file()));
      case FileOperation.Close o -> out.setFileClose(handle(o.file()));
      case FileOperation.Describe o -> out.setFileDescribe(handle(o.file()));
      case FileOperation.Exists o -> out.setFileExists(named(o.none(), o.name()));
      case FileOperation.Delete o -> out.setFileDelete(named(o.none(), o.name()));
    }
  }

  private static Messages.FileNamed named(Handle none, String name) {
    return Messages.FileNamed.newBuilder()
        .setHandle(none.id())
        .setName(TextFields.bytes(name))
        .build();
  }

  private void group(GroupOperation<?> operation) {
    switch (operation) {
      case GroupOperation.Create o ->
          out.setGroupCreate(
              Messages.GroupCreate.newBuilder()
                  .setGroup(o.group().id())
                  .setAt(at(o.at()))
                  .setOptions(OptionEncoder.group(o.options()))
                  .setLink(OptionEncoder.link(o.link())));
      case GroupOperation.Describe o -> out.setGroupDescribe(at(o.at()));
    }
  }

  private void link(LinkOperation<?> operation) {
    switch (operation) {
      case LinkOperation.CreateHard o ->
          out.setLinkCreateHard(
              Messages.LinkPair.newBuilder()
                  .setFrom(at(o.target()))
                  .setTo(at(o.link()))
                  .setOptions(OptionEncoder.link(o.options())));
      case LinkOperation.CreateSoft o ->
          out.setLinkCreateSoft(
              Messages.LinkSoft.newBuilder()
                  .setTargetPath(TextFields.bytes(o.targetPath()))
                  .setLink(at(o.link()))
                  .setOptions(OptionEncoder.link(o.options())));
      case LinkOperation.CreateExternal o ->
          out.setLinkCreateExternal(
              Messages.LinkSoft.newBuilder()
                  .setTargetFile(TextFields.bytes(o.targetFile()))
                  .setTargetPath(TextFields.bytes(o.targetPath()))
                  .setLink(at(o.link()))
                  .setOptions(OptionEncoder.link(o.options())));
      case LinkOperation.CreateUserDefined o ->
          out.setLinkCreateUserDefined(
              Messages.LinkUser.newBuilder()
                  .setUserClass(o.userClass())
                  .setData(TextFields.wrap(o.data().toByteArray()))
                  .setLink(at(o.link()))
                  .setOptions(OptionEncoder.link(o.options())));
      case LinkOperation.Delete o -> out.setLinkDelete(at(o.link()));
      case LinkOperation.Move o ->
          out.setLinkMove(
              Messages.LinkPair.newBuilder()
                  .setFrom(at(o.from()))
                  .setTo(at(o.to()))
                  .setOptions(OptionEncoder.link(o.options())));
      case LinkOperation.Copy o ->
          out.setLinkCopy(
              Messages.LinkPair.newBuilder()
                  .setFrom(at(o.from()))
                  .setTo(at(o.to()))
                  .setOptions(OptionEncoder.link(o.options())));
      case LinkOperation.Exists o -> out.setLinkExists(at(o.link()));
      case LinkOperation.Describe o -> out.setLinkDescribe(at(o.link()));
      case LinkOperation.ListLinks o ->
          out.setLinkList(
              Messages.Listing.newBuilder()
                  .setAt(at(o.group()))
                  .setPage(OptionEncoder.page(o.page())));
    }
  }

  private void object(ObjectOperation<?> operation) {
    switch (operation) {
      case ObjectOperation.Open o ->
          out.setObjectOpen(
              Messages.ObjectOpen.newBuilder().setObject(o.object().id()).setAt(at(o.at())));
      case ObjectOperation.OpenToken o ->
          out.setObjectOpenToken(
              Messages.TokenOpen.newBuilder()
                  .setObject(o.object().id())
                  .setFile(o.file().id())
                  .setToken(o.token().address()));
      case ObjectOperation.Describe o -> out.setObjectDescribe(at(o.at()));
      case ObjectOperation.Measure o -> out.setObjectMeasure(at(o.at()));
      case ObjectOperation.PathOf o ->
          out.setObjectPathOf(
              Messages.TokenOpen.newBuilder().setFile(o.file().id()).setToken(o.token().address()));
      case ObjectOperation.Copy o ->
          out.setObjectCopy(
              Messages.ObjectCopy.newBuilder()
                  .setSource(at(o.source()))
                  .setDestination(at(o.destination()))
                  .setOptions(OptionEncoder.copy(o.options()))
                  .setLink(OptionEncoder.link(o.link())));
      case ObjectOperation.SetComment o -> {
        Messages.ObjectComment.Builder comment =
            Messages.ObjectComment.newBuilder().setAt(at(o.at()));
        o.comment().ifPresent(text -> comment.setComment(TextFields.bytes(text)));
        out.setObjectSetComment(comment);
      }
      case ObjectOperation.CountReference o ->
          out.setObjectCountReference(
              Messages.ReferenceCount.newBuilder().setAt(at(o.at())).setAdds(o.adds()));
      case ObjectOperation.Flush o -> out.setObjectFlush(handle(o.object()));
      case ObjectOperation.Refresh o -> out.setObjectRefresh(handle(o.object()));
      case ObjectOperation.Close o -> out.setObjectClose(handle(o.object()));
    }
  }

  private void dataset(DatasetOperation<?> operation) {
    switch (operation) {
      case DatasetOperation.Create o -> out.setDatasetCreate(create(o));
      case DatasetOperation.Describe o ->
          out.setDatasetDescribe(
              Messages.DatasetDescribe.newBuilder()
                  .setHandle(o.dataset().id())
                  .setCounted(o.counted())
                  .setFollowing(o.following()));
      case DatasetOperation.Read o ->
          out.setDatasetRead(read(o.dataset(), o.transfer(), o.target()));
      case DatasetOperation.Write o ->
          out.setDatasetWrite(write(o.dataset(), o.transfer(), o.source()));
      case DatasetOperation.Multi o -> throw new IllegalArgumentException(o + " is framed");
      case DatasetOperation.SetAccess o ->
          out.setDatasetSetAccess(
              Messages.DatasetAccess.newBuilder()
                  .setDataset(o.dataset().id())
                  .addAllProperties(OptionEncoder.properties(o.properties())));
      case DatasetOperation.SetExtent o -> out.setDatasetSetExtent(extent(o.dataset(), o.dims()));
      case DatasetOperation.Extend o ->
          out.setDatasetExtend(
              Messages.Extension.newBuilder().setDataset(o.dataset().id()).setRows(o.rows()));
      case DatasetOperation.Select o ->
          out.setDatasetSelect(
              Messages.SelectMessage.newBuilder()
                  .setDataset(o.dataset().id())
                  .setCondition(TextFields.bytes(o.condition().toString()))
                  .setPlaces(o.places()));
      case DatasetOperation.Summarize o ->
          out.setDatasetSummarize(
              Messages.SummarizeMessage.newBuilder()
                  .setDataset(o.dataset().id())
                  .addAllField(o.field().names().stream().map(TextFields::bytes).toList()));
      case DatasetOperation.ListChunks o ->
          out.setDatasetListChunks(
              Messages.Listing.newBuilder()
                  .setAt(Messages.Location.newBuilder().setBase(o.dataset().id()))
                  .setPage(OptionEncoder.page(o.page())));
      case DatasetOperation.ReadChunk o -> out.setDatasetReadChunk(extent(o.dataset(), o.offset()));
      case DatasetOperation.WriteChunk o -> {
        out.setDatasetWriteChunk(
            Messages.ChunkWrite.newBuilder()
                .setDataset(o.dataset().id())
                .addAllOffset(o.offset())
                .setFilterMask(o.chunk().filterMask()));
        payload = List.of(o.chunk().bytes());
      }
    }
  }

  private static Messages.Extent extent(Handle dataset, List<Long> numbers) {
    return Messages.Extent.newBuilder().setDataset(dataset.id()).addAllNumbers(numbers).build();
  }

  private static Messages.DatasetCreate create(DatasetOperation.Create o) {
    DatasetOperation.Spec spec = o.spec();
    Messages.DatasetCreate.Builder message =
        Messages.DatasetCreate.newBuilder()
            .setDataset(o.dataset().id())
            .setAt(at(o.at()))
            .setType(Structures.bytes(spec.type()))
            .setSpace(Structures.bytes(spec.space()))
            .setOptions(OptionEncoder.dataset(spec.options()))
            .setLink(OptionEncoder.link(o.link()));
    spec.committedType().ifPresent(type -> message.setCommittedType(type.id()));
    if (!o.intended().equals(o.at().path())) {
      message.setIntended(TextFields.bytes(o.intended()));
    }
    return message.build();
  }

  private Messages.TransferMessage write(Handle dataset, Transfer transfer, DataBuffer source) {
    MemorySide side = new MemorySide(transfer, source);
    return withPayload(message(dataset, transfer, side), side.gather(memory), transfer, source);
  }

  /**
   * Encodes a read. The content of the buffer is sent only if the read may leave a part of it
   * unchanged.
   */
  private Messages.TransferMessage read(Handle dataset, Transfer transfer, DataBuffer target) {
    MemorySide side = new MemorySide(transfer, target);
    Messages.TransferMessage.Builder message = message(dataset, transfer, side);
    if (MemorySide.keepsBytes(transfer.memoryType())) {
      List<MemorySegment> before = side.gather(memory);
      if (!MemorySide.isZero(before)) {
        return withPayload(message, before, transfer, target);
      }
    }
    return message.setElementBytes(side.bytes()).build();
  }

  private Messages.TransferMessage.Builder message(
      Handle dataset, Transfer transfer, MemorySide side) {
    TransferOptions options = transfer.options();
    return Messages.TransferMessage.newBuilder()
        .setDataset(dataset.id())
        .setMemoryType(cache.bytes(transfer.memoryType()))
        .setMemorySpace(cache.bytes(side.space()))
        .setFileSelection(Structures.bytes(transfer.fileSelection()))
        .setCollective(options.collective())
        .addAllProperties(OptionEncoder.properties(options.properties()));
  }

  private Messages.TransferMessage withPayload(
      Messages.TransferMessage.Builder message,
      List<MemorySegment> elements,
      Transfer transfer,
      DataBuffer buffer) {
    List<MemorySegment> heap = heapOf(transfer.memoryType(), buffer);
    payload = joined(elements, heap);
    return message
        .setElementBytes(Payload.bytes(elements))
        .setHeapBytes(Payload.bytes(heap))
        .build();
  }

  private static List<MemorySegment> heapOf(Datatype type, DataBuffer buffer) {
    return type.hasOutOfLineParts() ? buffer.heap().blocks() : List.of();
  }

  private static List<MemorySegment> joined(List<MemorySegment> first, List<MemorySegment> second) {
    List<MemorySegment> all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }

  private void attribute(AttributeOperation<?> operation) {
    switch (operation) {
      case AttributeOperation.Create o ->
          out.setAttributeCreate(create(o.object(), o.name(), o.spec()));
      case AttributeOperation.Describe o -> out.setAttributeDescribe(named(o.object(), o.name()));
      case AttributeOperation.ListAttributes o ->
          out.setAttributeList(
              Messages.Listing.newBuilder()
                  .setAt(at(o.object()))
                  .setPage(OptionEncoder.page(o.page()))
                  .setOrStored(o.orStored()));
      case AttributeOperation.Exists o -> out.setAttributeExists(named(o.object(), o.name()));
      case AttributeOperation.Read o ->
          out.setAttributeRead(transfer(o.object(), o.name(), o.memoryType(), o.target()));
      case AttributeOperation.Write o ->
          out.setAttributeWrite(transfer(o.object(), o.name(), o.memoryType(), o.source()));
      case AttributeOperation.Set o -> out.setAttributeSet(set(o));
      case AttributeOperation.Rename o ->
          out.setAttributeRename(
              Messages.AttributeRename.newBuilder()
                  .setObject(at(o.object()))
                  .setFrom(TextFields.bytes(o.from()))
                  .setTo(TextFields.bytes(o.to())));
      case AttributeOperation.Delete o -> out.setAttributeDelete(named(o.object(), o.name()));
    }
  }

  private static Messages.AttributeNamed named(Location object, String name) {
    return Messages.AttributeNamed.newBuilder()
        .setObject(at(object))
        .setName(TextFields.bytes(name))
        .build();
  }

  private static Messages.AttributeCreate create(
      Location object, String name, AttributeOperation.Spec spec) {
    Messages.AttributeCreate.Builder message =
        Messages.AttributeCreate.newBuilder()
            .setObject(at(object))
            .setName(TextFields.bytes(name))
            .setType(Structures.bytes(spec.type()))
            .setSpace(Structures.bytes(spec.space()))
            .setCharset(WireNumbers.CHARACTER_SET.of(spec.charset()));
    spec.committedType().ifPresent(type -> message.setCommittedType(type.id()));
    return message.build();
  }

  /**
   * Encodes a transfer of an attribute. The content of the buffer is sent for a read too, which may
   * leave parts of it unchanged.
   */
  private Messages.AttributeTransfer transfer(
      Location object, String name, Datatype type, DataBuffer buffer) {
    Sizes sizes = attach(type, buffer);
    return Messages.AttributeTransfer.newBuilder()
        .setObject(at(object))
        .setName(TextFields.bytes(name))
        .setMemoryType(Structures.bytes(type))
        .setElementBytes(sizes.elementBytes)
        .setHeapBytes(sizes.heapBytes)
        .build();
  }

  private Messages.AttributeSet set(AttributeOperation.Set o) {
    Datatype type = o.content().memoryType();
    Sizes sizes = attach(type, o.content().source());
    return Messages.AttributeSet.newBuilder()
        .setCreate(create(o.object(), o.name(), o.spec()))
        .setReplace(o.replace())
        .setMemoryType(Structures.bytes(type))
        .setElementBytes(sizes.elementBytes)
        .setHeapBytes(sizes.heapBytes)
        .build();
  }

  /** Bytes of the elements and of their heap in the payload. */
  private record Sizes(long elementBytes, long heapBytes) {}

  /** Makes all elements of a buffer, and their heap, the payload. */
  private Sizes attach(Datatype type, DataBuffer buffer) {
    List<MemorySegment> elements = new MemorySide(whole(type, buffer), buffer).gather(memory);
    List<MemorySegment> heap = heapOf(type, buffer);
    payload = joined(elements, heap);
    return new Sizes(Payload.bytes(elements), Payload.bytes(heap));
  }

  /** Returns a transfer of all elements that a buffer has room for. */
  static Transfer whole(Datatype type, DataBuffer buffer) {
    return new Transfer(
        type,
        Dataspace.simple(buffer.elements().byteSize() / type.size()),
        Selection.all(),
        Selection.all(),
        TransferOptions.DEFAULT);
  }

  private void type(TypeOperation<?> operation) {
    switch (operation) {
      case TypeOperation.Commit o ->
          out.setTypeCommit(
              Messages.TypeCommit.newBuilder()
                  .setType(o.type().id())
                  .setAt(at(o.at()))
                  .setSpec(OptionEncoder.type(o.spec()))
                  .setLink(OptionEncoder.link(o.link())));
      case TypeOperation.Describe o -> out.setTypeDescribe(handle(o.type()));
    }
  }

  private void step(StepOperation<?> operation) {
    switch (operation) {
      case StepOperation.Start o -> out.setStepStart(StepMessages.start(o));
      case StepOperation.Publish o -> out.setStepPublish(StepMessages.publication(o));
      case StepOperation.Next o -> out.setStepNext(StepMessages.request(o));
      case StepOperation.Leave o -> out.setStepLeave(StepMessages.request(o));
    }
  }
}
