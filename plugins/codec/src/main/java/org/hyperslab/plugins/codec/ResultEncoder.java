package org.hyperslab.plugins.codec;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.model.AttributeInfo;
import org.hyperslab.model.ChunkInfo;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.FileInfo;
import org.hyperslab.model.GroupInfo;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.Page;
import org.hyperslab.model.RawChunk;
import org.hyperslab.model.StepPage;
import org.hyperslab.model.StepProgress;
import org.hyperslab.model.StorageSizes;
import org.hyperslab.model.ValueSummary;
import org.hyperslab.plugins.codec.proto.Messages;
import org.hyperslab.plugins.codec.proto.Messages.ResultMessage;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.TypeOperation;

/** Encodes results as messages; {@link ResultDecoder} reads them. Thread rule: stateless. */
final class ResultEncoder {

  private static final byte[] NOTHING =
      ResultMessage.newBuilder()
          .setNothing(Messages.Nothing.getDefaultInstance())
          .build()
          .toByteArray();

  private ResultEncoder() {}

  /**
   * Returns whether a message is the result of an operation that has none and succeeded, the most
   * frequent one.
   */
  static boolean isNothing(byte[] control) {
    return Arrays.equals(control, NOTHING);
  }

  static EncodedMessage encode(Operation<?> operation, Object result) {
    return switch (operation) {
      case DatasetOperation.Read o -> buffer(o.transfer(), o.target());
      case DatasetOperation.ReadMulti o ->
          MultiFrame.join(
              MultiFrame.RESULTS, o.parts().stream().map(part -> encode(part, null)).toList());
      case AttributeOperation.Read o ->
          buffer(OperationEncoder.whole(o.memoryType(), o.target()), o.target());
      default -> value(operation, result);
    };
  }

  private static EncodedMessage buffer(DatasetOperation.Transfer transfer, DataBuffer buffer) {
    List<MemorySegment> elements = new MemorySide(transfer, buffer).gather(DecodeLimits::fresh);
    List<MemorySegment> heap =
        transfer.memoryType().hasOutOfLineParts() ? buffer.heap().blocks() : List.of();
    List<MemorySegment> payload = new ArrayList<>(elements);
    payload.addAll(heap);
    Messages.BufferMessage sizes =
        Messages.BufferMessage.newBuilder()
            .setElementBytes(Payload.bytes(elements))
            .setHeapBytes(Payload.bytes(heap))
            .build();
    return new EncodedMessage(
        ResultMessage.newBuilder().setBuffer(sizes).build().toByteArray(), payload);
  }

  private static EncodedMessage value(Operation<?> operation, Object result) {
    if (result == null) {
      return EncodedMessage.of(NOTHING);
    }
    ResultMessage.Builder out = ResultMessage.newBuilder();
    List<MemorySegment> payload = List.of();
    switch (result) {
      case Boolean truth -> out.setTruth(truth);
      case FileInfo info -> out.setFile(file(info));
      case ObjectInfo info -> out.setObject(object(info));
      case GroupInfo info -> out.setGroup(group(info));
      case DatasetInfo info -> out.setDataset(dataset(info));
      case AttributeInfo info -> out.setAttribute(attribute(info));
      case LinkInfo info -> out.setLink(link(info));
      case StepProgress progress -> out.setStepProgress(StepMessages.progress(progress));
      case StepPage steps -> out.setStepPage(StepMessages.page(steps));
      case StorageSizes sizes -> out.setSizes(sizes(sizes));
      case DatasetOperation.Matches matches -> out.setMatches(Answers.message(matches));
      case ValueSummary summary -> out.setSummary(Answers.message(summary));
      case TypeOperation.Spec type -> out.setCommittedType(OptionEncoder.type(type));
      case Optional<?> path -> out.setPath(path(path));
      case Page<?> page -> page(operation, page, out);
      case RawChunk chunk -> {
        out.setChunkFilterMask(chunk.filterMask());
        payload = List.of(chunk.bytes());
      }
      default ->
          throw new InvalidUseException(
              "result: actual="
                  + result.getClass().getName()
                  + ", expected=a result that an operation promises");
    }
    return new EncodedMessage(out.build().toByteArray(), payload);
  }

  private static Messages.PathMessage path(Optional<?> path) {
    Messages.PathMessage.Builder out = Messages.PathMessage.newBuilder();
    path.ifPresent(text -> out.setPath(TextFields.bytes(text.toString())));
    return out.build();
  }

  private static void page(Operation<?> operation, Page<?> page, ResultMessage.Builder out) {
    switch (operation) {
      case LinkOperation.ListLinks o -> {
        Messages.LinkPage.Builder links = Messages.LinkPage.newBuilder().setLast(page.last());
        page.entries().forEach(entry -> links.addEntries(link((LinkInfo) entry)));
        out.setLinks(links);
      }
      case AttributeOperation.ListAttributes o -> {
        Messages.AttributePage.Builder attributes =
            Messages.AttributePage.newBuilder().setLast(page.last());
        page.entries().forEach(entry -> attributes.addEntries(attribute((AttributeInfo) entry)));
        out.setAttributes(attributes);
      }
      default -> {
        Messages.ChunkPage.Builder chunks = Messages.ChunkPage.newBuilder().setLast(page.last());
        page.entries().forEach(entry -> chunks.addEntries(chunk((ChunkInfo) entry)));
        out.setChunks(chunks);
      }
    }
  }

  private static Messages.FileInfoMessage file(FileInfo info) {
    return Messages.FileInfoMessage.newBuilder()
        .setName(TextFields.bytes(info.name()))
        .setWritable(info.writable())
        .setSuperblockVersion(info.superblockVersion())
        .setSizeBytes(info.sizeBytes())
        .setFreeBytes(info.freeBytes())
        .setCreation(OptionEncoder.create(info.creation()))
        .setFileNumber(info.fileNumber())
        .build();
  }

  private static Messages.ObjectInfoMessage object(ObjectInfo info) {
    Messages.ObjectInfoMessage.Builder out =
        Messages.ObjectInfoMessage.newBuilder()
            .setKind(WireNumbers.OBJECT_KIND.of(info.kind()))
            .setToken(info.token().address())
            .setFileNumber(info.fileNumber())
            .setReferenceCount(info.referenceCount())
            .setAttributeCount(info.attributeCount())
            .setCreationOrderTracked(info.creationOrderTracked())
            .setHeaderVersion(info.header().version())
            .setHeaderChunkCount(info.header().chunkCount())
            .setHeaderMessageCount(info.header().messageCount())
            .setHeaderTotalBytes(info.header().totalBytes())
            .setHeaderFreeBytes(info.header().freeBytes())
            .setHeaderFlags(info.header().flags())
            .setHeaderMessageBytes(info.header().messageBytes())
            .setHeaderPresentTypes(info.header().presentTypes())
            .setHeaderSharedTypes(info.header().sharedTypes());
    info.modified()
        .ifPresent(
            at -> out.setModifiedSeconds(at.getEpochSecond()).setModifiedNanos(at.getNano()));
    info.comment().ifPresent(comment -> out.setComment(TextFields.bytes(comment)));
    return out.build();
  }

  private static Messages.SizesMessage sizes(StorageSizes sizes) {
    return Messages.SizesMessage.newBuilder()
        .setIndexBytes(sizes.indexBytes())
        .setHeapBytes(sizes.heapBytes())
        .setTypeBytes(sizes.typeBytes())
        .setAttributeIndexBytes(sizes.attributeIndexBytes())
        .setAttributeHeapBytes(sizes.attributeHeapBytes())
        .setExtensionBytes(sizes.file().extensionBytes())
        .setSharedHeaderBytes(sizes.file().sharedHeaderBytes())
        .setSharedIndexBytes(sizes.file().sharedIndexBytes())
        .setSharedHeapBytes(sizes.file().sharedHeapBytes())
        .setFreeSpaceBytes(sizes.file().freeSpaceBytes())
        .setManagedFreeBytes(sizes.file().freeBytes())
        .addAllFreeSections(sizes.file().freeSections())
        .build();
  }

  private static Messages.GroupInfoMessage group(GroupInfo info) {
    return Messages.GroupInfoMessage.newBuilder()
        .setLinkCount(info.linkCount())
        .setMaximumCreationOrder(info.maximumCreationOrder())
        .setStorage(WireNumbers.GROUP_STORAGE.of(info.storage()))
        .setMounted(info.mounted())
        .setOptions(OptionEncoder.group(info.options()))
        .build();
  }

  private static Messages.DatasetInfoMessage dataset(DatasetInfo info) {
    Messages.DatasetInfoMessage.Builder out =
        Messages.DatasetInfoMessage.newBuilder()
            .setType(Structures.bytes(info.type()))
            .setSpace(Structures.bytes(info.space()))
            .setOptions(OptionEncoder.dataset(info.options()))
            .setAllocatedBytes(info.storage().allocatedBytes())
            .setOffset(info.storage().offset())
            .setChunkIndex(TextFields.bytes(info.storage().chunkIndex()))
            .setChunkCount(info.storage().chunkCount())
            .setIndexBytes(info.storage().indexBytes());
    info.committedType().ifPresent(token -> out.setCommittedType(token.address()));
    return out.build();
  }

  private static Messages.AttributeInfoMessage attribute(AttributeInfo info) {
    Messages.AttributeInfoMessage.Builder out =
        Messages.AttributeInfoMessage.newBuilder()
            .setName(TextFields.bytes(info.name()))
            .setCharset(WireNumbers.CHARACTER_SET.of(info.charset()))
            .setType(Structures.bytes(info.type()))
            .setSpace(Structures.bytes(info.space()))
            .setDataBytes(info.dataBytes());
    info.committedType().ifPresent(token -> out.setCommittedType(token.address()));
    info.creationOrder().ifPresent(out::setCreationOrder);
    return out.build();
  }

  private static Messages.LinkInfoMessage link(LinkInfo info) {
    Messages.LinkInfoMessage.Builder out =
        Messages.LinkInfoMessage.newBuilder()
            .setName(TextFields.bytes(info.name()))
            .setKind(WireNumbers.LINK_KIND.of(info.kind()))
            .setCharset(WireNumbers.CHARACTER_SET.of(info.charset()))
            .setUserClass(info.userClass())
            .setUserData(TextFields.wrap(info.userData().toByteArray()));
    info.creationOrder().ifPresent(out::setCreationOrder);
    Optional.ofNullable(info.token()).ifPresent(token -> out.setToken(token.address()));
    Optional.ofNullable(info.targetFile()).ifPresent(f -> out.setTargetFile(TextFields.bytes(f)));
    Optional.ofNullable(info.targetPath()).ifPresent(p -> out.setTargetPath(TextFields.bytes(p)));
    return out.build();
  }

  private static Messages.ChunkInfoMessage chunk(ChunkInfo info) {
    return Messages.ChunkInfoMessage.newBuilder()
        .addAllOffset(info.offset())
        .setAddress(info.address())
        .setStoredBytes(info.storedBytes())
        .setFilterMask(info.filterMask())
        .build();
  }
}
