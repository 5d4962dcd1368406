package org.hyperslab.plugins.codec;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.model.AttributeInfo;
import org.hyperslab.model.ChunkInfo;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.FileInfo;
import org.hyperslab.model.GroupInfo;
import org.hyperslab.model.LinkData;
import org.hyperslab.model.LinkInfo;
import org.hyperslab.model.ObjectInfo;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.model.Page;
import org.hyperslab.model.RawChunk;
import org.hyperslab.model.StorageSizes;
import org.hyperslab.plugins.codec.proto.Messages;
import org.hyperslab.plugins.codec.proto.Messages.ResultMessage;
import org.hyperslab.plugins.codec.proto.Messages.ResultMessage.ResultCase;
import org.hyperslab.vol.AttributeOperation;
import org.hyperslab.vol.DatasetOperation;
import org.hyperslab.vol.FileOperation;
import org.hyperslab.vol.GroupOperation;
import org.hyperslab.vol.LinkOperation;
import org.hyperslab.vol.ObjectOperation;
import org.hyperslab.vol.Operation;
import org.hyperslab.vol.StepOperation;
import org.hyperslab.vol.TypeOperation;

/** Decodes results from messages of {@link ResultEncoder}. Thread rule: stateless. */
final class ResultDecoder {

  private ResultDecoder() {}

  static Object decode(Operation<?> operation, ResultMessage message, EncodedMessage encoded) {
    ResultCase expected = expected(operation);
    if (message.getResultCase() != expected) {
      throw MalformedMessage.of(
          "result of " + operation.getClass().getSimpleName(),
          "actual=" + message.getResultCase() + ", expected=" + expected);
    }
    return switch (expected) {
      case NOTHING, RESULT_NOT_SET -> null;
      case TRUTH -> message.getTruth();
      case FILE -> file(message.getFile());
      case OBJECT -> object(message.getObject());
      case GROUP -> group(message.getGroup());
      case DATASET -> dataset(message.getDataset());
      case ATTRIBUTE -> attribute(message.getAttribute());
      case LINK -> link(message.getLink());
      case LINKS ->
          new Page<>(
              message.getLinks().getEntriesList().stream().map(ResultDecoder::link).toList(),
              message.getLinks().getLast());
      case ATTRIBUTES ->
          new Page<>(
              message.getAttributes().getEntriesList().stream()
                  .map(ResultDecoder::attribute)
                  .toList(),
              message.getAttributes().getLast());
      case CHUNKS ->
          new Page<>(
              message.getChunks().getEntriesList().stream().map(ResultDecoder::chunk).toList(),
              message.getChunks().getLast());
      case PATH ->
          message.getPath().hasPath()
              ? Optional.of(TextFields.text(message.getPath().getPath()))
              : Optional.empty();
      case CHUNK_FILTER_MASK ->
          new RawChunk(
              Payload.slice(encoded, 0, encoded.payloadBytes()), message.getChunkFilterMask());
      case COMMITTED_TYPE -> OptionDecoder.type(message.getCommittedType());
      case SIZES -> sizes(message.getSizes());
      case STEP_PROGRESS -> StepMessages.progress(message.getStepProgress());
      case STEP_PAGE -> StepMessages.page(message.getStepPage());
      case MATCHES -> Answers.matches(message.getMatches());
      case SUMMARY -> Answers.summary(message.getSummary());
      case BUFFER -> fill(operation, message.getBuffer(), encoded);
    };
  }

  /** Returns whether an operation without a result has succeeded; decided without parsing. */
  static boolean isNothing(Operation<?> operation, EncodedMessage encoded) {
    return ResultEncoder.isNothing(encoded.control()) && expected(operation) == ResultCase.NOTHING;
  }

  private static ResultCase expected(Operation<?> operation) {
    return switch (operation) {
      case FileOperation.Open o -> ResultCase.FILE;
      case FileOperation.Create o -> ResultCase.FILE;
      case FileOperation.Describe o -> ResultCase.FILE;
      case FileOperation.Exists o -> ResultCase.TRUTH;
      case GroupOperation.Create o -> ResultCase.OBJECT;
      case GroupOperation.Describe o -> ResultCase.GROUP;
      case LinkOperation.Exists o -> ResultCase.TRUTH;
      case LinkOperation.Describe o -> ResultCase.LINK;
      case LinkOperation.ListLinks o -> ResultCase.LINKS;
      case ObjectOperation.Open o -> ResultCase.OBJECT;
      case ObjectOperation.OpenToken o -> ResultCase.OBJECT;
      case ObjectOperation.Describe o -> ResultCase.OBJECT;
      case ObjectOperation.Refresh o -> ResultCase.OBJECT;
      case ObjectOperation.Measure o -> ResultCase.SIZES;
      case ObjectOperation.PathOf o -> ResultCase.PATH;
      case DatasetOperation.Create o -> ResultCase.OBJECT;
      case DatasetOperation.Describe o -> ResultCase.DATASET;
      case DatasetOperation.Extend o -> ResultCase.DATASET;
      case DatasetOperation.Read o -> ResultCase.BUFFER;
      case DatasetOperation.ListChunks o -> ResultCase.CHUNKS;
      case DatasetOperation.Select o -> ResultCase.MATCHES;
      case DatasetOperation.Summarize o -> ResultCase.SUMMARY;
      case DatasetOperation.ReadChunk o -> ResultCase.CHUNK_FILTER_MASK;
      case AttributeOperation.Describe o -> ResultCase.ATTRIBUTE;
      case AttributeOperation.Set o -> ResultCase.ATTRIBUTE;
      case AttributeOperation.ListAttributes o -> ResultCase.ATTRIBUTES;
      case AttributeOperation.Exists o -> ResultCase.TRUTH;
      case AttributeOperation.Read o -> ResultCase.BUFFER;
      case TypeOperation.Commit o -> ResultCase.OBJECT;
      case TypeOperation.Describe o -> ResultCase.COMMITTED_TYPE;
      case StepOperation.Start o -> ResultCase.STEP_PROGRESS;
      case StepOperation.Publish o -> ResultCase.STEP_PROGRESS;
      case StepOperation.Next o -> ResultCase.STEP_PAGE;
      default -> ResultCase.NOTHING;
    };
  }

  private static Object fill(
      Operation<?> operation, Messages.BufferMessage message, EncodedMessage encoded) {
    switch (operation) {
      case DatasetOperation.Read o -> fill(o.transfer(), o.target(), message, encoded);
      case AttributeOperation.Read o ->
          fill(OperationEncoder.whole(o.memoryType(), o.target()), o.target(), message, encoded);
      default -> throw MalformedMessage.of("result", "actual=a buffer, expected=none");
    }
    return null;
  }

  private static void fill(
      DatasetOperation.Transfer transfer,
      DataBuffer target,
      Messages.BufferMessage message,
      EncodedMessage encoded) {
    MemorySide side = new MemorySide(transfer, target);
    DataBuffer packed = Payload.buffer(encoded, message.getElementBytes(), message.getHeapBytes());
    if (message.getElementBytes() != side.bytes()) {
      throw MalformedMessage.of(
          "result of a read",
          "bytes of elements actual=" + message.getElementBytes() + ", expected=" + side.bytes());
    }
    side.scatter(packed);
  }

  private static FileInfo file(Messages.FileInfoMessage m) {
    return new FileInfo(
        TextFields.text(m.getName()),
        m.getWritable(),
        m.getSuperblockVersion(),
        m.getSizeBytes(),
        m.getFreeBytes(),
        OptionDecoder.create(m.getCreation()),
        m.getFileNumber());
  }

  private static ObjectInfo object(Messages.ObjectInfoMessage m) {
    return new ObjectInfo(
        WireNumbers.OBJECT_KIND.constant(m.getKind()),
        new ObjectToken(m.getToken()),
        m.getFileNumber(),
        m.getReferenceCount(),
        m.getAttributeCount(),
        m.hasModifiedSeconds() ? Optional.of(instant(m)) : Optional.empty(),
        m.hasComment() ? Optional.of(TextFields.text(m.getComment())) : Optional.empty(),
        m.getCreationOrderTracked(),
        new ObjectInfo.HeaderInfo(
            m.getHeaderVersion(),
            m.getHeaderFlags(),
            m.getHeaderChunkCount(),
            m.getHeaderMessageCount(),
            m.getHeaderTotalBytes(),
            m.getHeaderMessageBytes(),
            m.getHeaderFreeBytes(),
            m.getHeaderPresentTypes(),
            m.getHeaderSharedTypes()));
  }

  private static StorageSizes sizes(Messages.SizesMessage m) {
    return new StorageSizes(
        m.getIndexBytes(),
        m.getHeapBytes(),
        m.getTypeBytes(),
        m.getAttributeIndexBytes(),
        m.getAttributeHeapBytes(),
        new StorageSizes.File(
            m.getExtensionBytes(),
            m.getSharedHeaderBytes(),
            m.getSharedIndexBytes(),
            m.getSharedHeapBytes(),
            m.getFreeSpaceBytes(),
            m.getManagedFreeBytes(),
            m.getFreeSectionsList()));
  }

  private static Instant instant(Messages.ObjectInfoMessage m) {
    try {
      return Instant.ofEpochSecond(m.getModifiedSeconds(), m.getModifiedNanos());
    } catch (DateTimeException e) {
      throw new CorruptFileException(
          "message", "time", CorruptFileException.NO_OFFSET, e.getMessage(), e);
    }
  }

  private static GroupInfo group(Messages.GroupInfoMessage m) {
    return new GroupInfo(
        m.getLinkCount(),
        m.getMaximumCreationOrder(),
        WireNumbers.GROUP_STORAGE.constant(m.getStorage()),
        m.getMounted(),
        OptionDecoder.group(m.getOptions()));
  }

  private static DatasetInfo dataset(Messages.DatasetInfoMessage m) {
    return new DatasetInfo(
        Structures.type(m.getType()),
        m.hasCommittedType()
            ? Optional.of(new ObjectToken(m.getCommittedType()))
            : Optional.empty(),
        Structures.space(m.getSpace()),
        OptionDecoder.dataset(m.getOptions()),
        new DatasetInfo.StorageInfo(
            m.getAllocatedBytes(),
            m.getOffset(),
            TextFields.text(m.getChunkIndex()),
            m.getChunkCount(),
            m.getIndexBytes()));
  }

  private static AttributeInfo attribute(Messages.AttributeInfoMessage m) {
    return new AttributeInfo(
        TextFields.text(m.getName()),
        OptionDecoder.charset(m.getCharset()),
        Structures.type(m.getType()),
        m.hasCommittedType()
            ? Optional.of(new ObjectToken(m.getCommittedType()))
            : Optional.empty(),
        Structures.space(m.getSpace()),
        m.hasCreationOrder() ? OptionalLong.of(m.getCreationOrder()) : OptionalLong.empty(),
        m.getDataBytes());
  }

  private static LinkInfo link(Messages.LinkInfoMessage m) {
    return new LinkInfo(
        TextFields.text(m.getName()),
        WireNumbers.LINK_KIND.constant(m.getKind()),
        OptionDecoder.charset(m.getCharset()),
        m.hasCreationOrder() ? OptionalLong.of(m.getCreationOrder()) : OptionalLong.empty(),
        m.hasToken() ? new ObjectToken(m.getToken()) : null,
        m.hasTargetFile() ? TextFields.text(m.getTargetFile()) : null,
        m.hasTargetPath() ? TextFields.text(m.getTargetPath()) : null,
        m.getUserClass(),
        LinkData.of(m.getUserData().toByteArray()));
  }

  private static ChunkInfo chunk(Messages.ChunkInfoMessage m) {
    List<Long> offset = new ArrayList<>(m.getOffsetList());
    return new ChunkInfo(offset, m.getAddress(), m.getStoredBytes(), m.getFilterMask());
  }
}
