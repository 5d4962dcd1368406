package org.hyperslab.plugins.codec;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.model.Condition;
import org.hyperslab.model.LinkData;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.model.RawChunk;
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

/** Decodes operations from messages of {@link OperationEncoder}. Confined to one thread. */
final class OperationDecoder {

  private final EncodedMessage encoded;
  private final DecodeLimits limits;
  private final LongUnaryOperator handles;
  private final EncodingCache cache;

  private OperationDecoder(
      EncodedMessage encoded, DecodeLimits limits, LongUnaryOperator handles, EncodingCache cache) {
    this.encoded = encoded;
    this.limits = limits;
    this.handles = handles;
    this.cache = cache;
  }

  static Operation<?> decode(
      OperationMessage m,
      EncodedMessage encoded,
      DecodeLimits limits,
      LongUnaryOperator handles,
      EncodingCache cache) {
    return new OperationDecoder(encoded, limits, handles, cache).decode(m);
  }

  private Operation<?> decode(OperationMessage m) {
    return switch (m.getOperationCase()) {
      case FILE_OPEN ->
          new FileOperation.Open(
              handle(m.getFileOpen().getFile()),
              TextFields.text(m.getFileOpen().getName()),
              OptionDecoder.open(m.getFileOpen().getOptions()));
      case FILE_CREATE ->
          new FileOperation.Create(
              handle(m.getFileCreate().getFile()),
              TextFields.text(m.getFileCreate().getName()),
              OptionDecoder.create(m.getFileCreate().getOptions()));
      case FILE_FLUSH -> new FileOperation.Flush(handle(m.getFileFlush()));
      case FILE_CLOSE -> new FileOperation.Close(handle(m.getFileClose()));
      case FILE_DESCRIBE -> new FileOperation.Describe(handle(m.getFileDescribe()));
      case FILE_EXISTS ->
          new FileOperation.Exists(
              handle(m.getFileExists().getHandle()), TextFields.text(m.getFileExists().getName()));
      case FILE_DELETE ->
          new FileOperation.Delete(
              handle(m.getFileDelete().getHandle()), TextFields.text(m.getFileDelete().getName()));
      case GROUP_CREATE -> group(m.getGroupCreate());
      case GROUP_DESCRIBE -> new GroupOperation.Describe(at(m.getGroupDescribe()));
      case LINK_CREATE_HARD,
          LINK_CREATE_SOFT,
          LINK_CREATE_EXTERNAL,
          LINK_CREATE_USER_DEFINED,
          LINK_DELETE,
          LINK_MOVE,
          LINK_COPY,
          LINK_EXISTS,
          LINK_DESCRIBE,
          LINK_LIST ->
          link(m);
      case OBJECT_OPEN,
          OBJECT_OPEN_TOKEN,
          OBJECT_DESCRIBE,
          OBJECT_MEASURE,
          OBJECT_PATH_OF,
          OBJECT_COPY,
          OBJECT_SET_COMMENT,
          OBJECT_COUNT_REFERENCE,
          OBJECT_FLUSH,
          OBJECT_REFRESH,
          OBJECT_CLOSE ->
          object(m);
      case DATASET_CREATE,
          DATASET_DESCRIBE,
          DATASET_READ,
          DATASET_WRITE,
          DATASET_SET_EXTENT,
          DATASET_LIST_CHUNKS,
          DATASET_SELECT,
          DATASET_SUMMARIZE,
          DATASET_READ_CHUNK,
          DATASET_WRITE_CHUNK,
          DATASET_EXTEND,
          DATASET_SET_ACCESS ->
          dataset(m);
      case ATTRIBUTE_CREATE,
          ATTRIBUTE_DESCRIBE,
          ATTRIBUTE_LIST,
          ATTRIBUTE_EXISTS,
          ATTRIBUTE_READ,
          ATTRIBUTE_WRITE,
          ATTRIBUTE_SET,
          ATTRIBUTE_RENAME,
          ATTRIBUTE_DELETE ->
          attribute(m);
      case TYPE_COMMIT ->
          new TypeOperation.Commit(
              handle(m.getTypeCommit().getType()),
              at(m.getTypeCommit().getAt()),
              OptionDecoder.type(m.getTypeCommit().getSpec()),
              OptionDecoder.link(m.getTypeCommit().getLink()));
      case TYPE_DESCRIBE -> new TypeOperation.Describe(handle(m.getTypeDescribe()));
      case STEP_START -> StepMessages.start(handle(m.getStepStart().getFile()), m.getStepStart());
      case STEP_PUBLISH ->
          StepMessages.publication(handle(m.getStepPublish().getFile()), m.getStepPublish());
      case STEP_NEXT -> StepMessages.request(handle(m.getStepNext().getFile()), m.getStepNext());
      case STEP_LEAVE ->
          new StepOperation.Leave(
              handle(m.getStepLeave().getFile()), m.getStepLeave().getFollower());
      case OPERATION_NOT_SET -> throw unknown();
    };
  }

  private static UnsupportedFeatureException unknown() {
    return new UnsupportedFeatureException(
        "operation: actual=none that this build knows, expected=a known one; use the same version"
            + " on both sides");
  }

  private Handle handle(long id) {
    return new Handle(handles.applyAsLong(id));
  }

  private Handle handle(Messages.HandleOnly message) {
    return handle(message.getHandle());
  }

  private Location at(Messages.Location at) {
    return new Location(handle(at.getBase()), TextFields.text(at.getPath()));
  }

  private Operation<?> group(Messages.GroupCreate m) {
    return new GroupOperation.Create(
        handle(m.getGroup()),
        at(m.getAt()),
        OptionDecoder.group(m.getOptions()),
        OptionDecoder.link(m.getLink()));
  }

  private Operation<?> link(OperationMessage m) {
    return switch (m.getOperationCase()) {
      case LINK_CREATE_HARD -> {
        Messages.LinkPair pair = m.getLinkCreateHard();
        yield new LinkOperation.CreateHard(
            at(pair.getFrom()), at(pair.getTo()), OptionDecoder.link(pair.getOptions()));
      }
      case LINK_CREATE_SOFT -> {
        Messages.LinkSoft soft = m.getLinkCreateSoft();
        yield new LinkOperation.CreateSoft(
            TextFields.text(soft.getTargetPath()),
            at(soft.getLink()),
            OptionDecoder.link(soft.getOptions()));
      }
      case LINK_CREATE_EXTERNAL -> {
        Messages.LinkSoft soft = m.getLinkCreateExternal();
        yield new LinkOperation.CreateExternal(
            TextFields.text(soft.getTargetFile()),
            TextFields.text(soft.getTargetPath()),
            at(soft.getLink()),
            OptionDecoder.link(soft.getOptions()));
      }
      case LINK_CREATE_USER_DEFINED -> {
        Messages.LinkUser user = m.getLinkCreateUserDefined();
        yield new LinkOperation.CreateUserDefined(
            user.getUserClass(),
            LinkData.of(user.getData().toByteArray()),
            at(user.getLink()),
            OptionDecoder.link(user.getOptions()));
      }
      case LINK_DELETE -> new LinkOperation.Delete(at(m.getLinkDelete()));
      case LINK_MOVE -> {
        Messages.LinkPair pair = m.getLinkMove();
        yield new LinkOperation.Move(
            at(pair.getFrom()), at(pair.getTo()), OptionDecoder.link(pair.getOptions()));
      }
      case LINK_COPY -> {
        Messages.LinkPair pair = m.getLinkCopy();
        yield new LinkOperation.Copy(
            at(pair.getFrom()), at(pair.getTo()), OptionDecoder.link(pair.getOptions()));
      }
      case LINK_EXISTS -> new LinkOperation.Exists(at(m.getLinkExists()));
      case LINK_DESCRIBE -> new LinkOperation.Describe(at(m.getLinkDescribe()));
      case LINK_LIST ->
          new LinkOperation.ListLinks(
              at(m.getLinkList().getAt()), OptionDecoder.page(m.getLinkList().getPage()));
      default -> throw unknown();
    };
  }

  private Operation<?> object(OperationMessage m) {
    return switch (m.getOperationCase()) {
      case OBJECT_OPEN ->
          new ObjectOperation.Open(
              handle(m.getObjectOpen().getObject()), at(m.getObjectOpen().getAt()));
      case OBJECT_OPEN_TOKEN -> {
        Messages.TokenOpen token = m.getObjectOpenToken();
        yield new ObjectOperation.OpenToken(
            handle(token.getObject()), handle(token.getFile()), new ObjectToken(token.getToken()));
      }
      case OBJECT_DESCRIBE -> new ObjectOperation.Describe(at(m.getObjectDescribe()));
      case OBJECT_MEASURE -> new ObjectOperation.Measure(at(m.getObjectMeasure()));
      case OBJECT_PATH_OF -> {
        Messages.TokenOpen token = m.getObjectPathOf();
        yield new ObjectOperation.PathOf(
            handle(token.getFile()), new ObjectToken(token.getToken()));
      }
      case OBJECT_COPY -> {
        Messages.ObjectCopy copy = m.getObjectCopy();
        yield new ObjectOperation.Copy(
            at(copy.getSource()),
            at(copy.getDestination()),
            OptionDecoder.copy(copy.getOptions()),
            OptionDecoder.link(copy.getLink()));
      }
      case OBJECT_SET_COMMENT -> {
        Messages.ObjectComment comment = m.getObjectSetComment();
        yield new ObjectOperation.SetComment(
            at(comment.getAt()),
            comment.hasComment()
                ? Optional.of(TextFields.text(comment.getComment()))
                : Optional.empty());
      }
      case OBJECT_COUNT_REFERENCE ->
          new ObjectOperation.CountReference(
              at(m.getObjectCountReference().getAt()), m.getObjectCountReference().getAdds());
      case OBJECT_FLUSH -> new ObjectOperation.Flush(handle(m.getObjectFlush()));
      case OBJECT_REFRESH -> new ObjectOperation.Refresh(handle(m.getObjectRefresh()));
      case OBJECT_CLOSE -> new ObjectOperation.Close(handle(m.getObjectClose()));
      default -> throw unknown();
    };
  }

  private Operation<?> dataset(OperationMessage m) {
    return switch (m.getOperationCase()) {
      case DATASET_CREATE -> create(m.getDatasetCreate());
      case DATASET_DESCRIBE ->
          new DatasetOperation.Describe(
              handle(m.getDatasetDescribe().getHandle()),
              m.getDatasetDescribe().getCounted(),
              m.getDatasetDescribe().getFollowing());
      case DATASET_READ -> read(m.getDatasetRead());
      case DATASET_WRITE -> write(m.getDatasetWrite());
      case DATASET_SET_EXTENT ->
          new DatasetOperation.SetExtent(
              handle(m.getDatasetSetExtent().getDataset()),
              List.copyOf(m.getDatasetSetExtent().getNumbersList()));
      case DATASET_EXTEND ->
          new DatasetOperation.Extend(
              handle(m.getDatasetExtend().getDataset()), m.getDatasetExtend().getRows());
      case DATASET_SET_ACCESS ->
          new DatasetOperation.SetAccess(
              handle(m.getDatasetSetAccess().getDataset()),
              OptionDecoder.properties(m.getDatasetSetAccess().getPropertiesList()));
      case DATASET_SELECT ->
          new DatasetOperation.Select(
              handle(m.getDatasetSelect().getDataset()),
              Condition.parse(TextFields.text(m.getDatasetSelect().getCondition())),
              m.getDatasetSelect().getPlaces());
      case DATASET_SUMMARIZE ->
          new DatasetOperation.Summarize(
              handle(m.getDatasetSummarize().getDataset()),
              new Condition.Field(
                  m.getDatasetSummarize().getFieldList().stream().map(TextFields::text).toList()));
      case DATASET_LIST_CHUNKS ->
          new DatasetOperation.ListChunks(
              handle(m.getDatasetListChunks().getAt().getBase()),
              OptionDecoder.page(m.getDatasetListChunks().getPage()));
      case DATASET_READ_CHUNK ->
          new DatasetOperation.ReadChunk(
              handle(m.getDatasetReadChunk().getDataset()),
              List.copyOf(m.getDatasetReadChunk().getNumbersList()));
      case DATASET_WRITE_CHUNK -> {
        Messages.ChunkWrite write = m.getDatasetWriteChunk();
        yield new DatasetOperation.WriteChunk(
            handle(write.getDataset()),
            List.copyOf(write.getOffsetList()),
            new RawChunk(Payload.slice(encoded, 0, encoded.payloadBytes()), write.getFilterMask()));
      }
      default -> throw unknown();
    };
  }

  private Operation<?> create(Messages.DatasetCreate m) {
    return new DatasetOperation.Create(
        handle(m.getDataset()),
        at(m.getAt()),
        m.hasIntended() ? TextFields.text(m.getIntended()) : at(m.getAt()).path(),
        new DatasetOperation.Spec(
            Structures.type(m.getType()),
            m.hasCommittedType() ? Optional.of(handle(m.getCommittedType())) : Optional.empty(),
            Structures.space(m.getSpace()),
            OptionDecoder.dataset(m.getOptions())),
        OptionDecoder.link(m.getLink()));
  }

  private Transfer transfer(Messages.TransferMessage m) {
    Transfer transfer =
        new Transfer(
            cache.type(m.getMemoryType()),
            cache.space(m.getMemorySpace()),
            Selection.all(),
            Structures.selection(m.getFileSelection()),
            TransferOptions.builder()
                .collective(m.getCollective())
                .properties(OptionDecoder.properties(m.getPropertiesList()))
                .build());
    Dataspace space = transfer.memorySpace();
    long expected = Math.multiplyExact(space.elementCount(), transfer.memoryType().size());
    if (m.getElementBytes() != expected) {
      throw MalformedMessage.of(
          "transfer", "bytes of elements actual=" + m.getElementBytes() + ", expected=" + expected);
    }
    return transfer;
  }

  private Operation<?> write(Messages.TransferMessage m) {
    Transfer transfer = transfer(m);
    return new DatasetOperation.Write(
        handle(m.getDataset()),
        transfer,
        Payload.buffer(encoded, m.getElementBytes(), m.getHeapBytes()));
  }

  private Operation<?> read(Messages.TransferMessage m) {
    Transfer transfer = transfer(m);
    return new DatasetOperation.Read(
        handle(m.getDataset()),
        transfer,
        target(transfer.memoryType(), m.getElementBytes(), m.getHeapBytes()));
  }

  /**
   * Returns a buffer to be filled, with the content of the payload as its initial content, if there
   * is any.
   */
  private DataBuffer target(Datatype type, long elementBytes, long heapBytes) {
    if (elementBytes < 0 || heapBytes < 0 || elementBytes > limits.bufferBytes() - heapBytes) {
      throw MalformedMessage.of(
          "read",
          "bytes of buffer actual="
              + elementBytes
              + " and "
              + heapBytes
              + ", expected=at most "
              + limits.bufferBytes());
    }
    boolean filled = encoded.payloadBytes() > 0;
    if (filled) {
      Payload.requireSizes(encoded, elementBytes, heapBytes);
    }
    MemorySegment elements = limits.memory().apply(elementBytes);
    VlenHeap heap = type.hasOutOfLineParts() ? new VlenHeap(limits.bufferBytes()) : VlenHeap.none();
    if (!filled && MemorySide.keepsBytes(type)) {
      elements.fill((byte) 0);
    }
    if (filled) {
      MemorySegment.copy(Payload.slice(encoded, 0, elementBytes), 0, elements, 0, elementBytes);
      if (heapBytes > 0 && type.hasOutOfLineParts()) {
        heap.append(Payload.slice(encoded, elementBytes, heapBytes));
      }
    }
    return new DataBuffer(elements, heap);
  }

  private Operation<?> attribute(OperationMessage m) {
    return switch (m.getOperationCase()) {
      case ATTRIBUTE_CREATE -> create(m.getAttributeCreate());
      case ATTRIBUTE_DESCRIBE ->
          new AttributeOperation.Describe(
              at(m.getAttributeDescribe().getObject()),
              TextFields.text(m.getAttributeDescribe().getName()));
      case ATTRIBUTE_LIST ->
          new AttributeOperation.ListAttributes(
              at(m.getAttributeList().getAt()),
              OptionDecoder.page(m.getAttributeList().getPage()),
              m.getAttributeList().getOrStored());
      case ATTRIBUTE_EXISTS ->
          new AttributeOperation.Exists(
              at(m.getAttributeExists().getObject()),
              TextFields.text(m.getAttributeExists().getName()));
      case ATTRIBUTE_READ -> {
        Messages.AttributeTransfer t = m.getAttributeRead();
        Datatype type = Structures.type(t.getMemoryType());
        yield new AttributeOperation.Read(
            at(t.getObject()),
            TextFields.text(t.getName()),
            type,
            target(type, t.getElementBytes(), t.getHeapBytes()));
      }
      case ATTRIBUTE_WRITE -> {
        Messages.AttributeTransfer t = m.getAttributeWrite();
        yield new AttributeOperation.Write(
            at(t.getObject()),
            TextFields.text(t.getName()),
            Structures.type(t.getMemoryType()),
            Payload.buffer(encoded, t.getElementBytes(), t.getHeapBytes()));
      }
      case ATTRIBUTE_SET -> set(m.getAttributeSet());
      case ATTRIBUTE_RENAME ->
          new AttributeOperation.Rename(
              at(m.getAttributeRename().getObject()),
              TextFields.text(m.getAttributeRename().getFrom()),
              TextFields.text(m.getAttributeRename().getTo()));
      case ATTRIBUTE_DELETE ->
          new AttributeOperation.Delete(
              at(m.getAttributeDelete().getObject()),
              TextFields.text(m.getAttributeDelete().getName()));
      default -> throw unknown();
    };
  }

  private Operation<?> create(Messages.AttributeCreate m) {
    return new AttributeOperation.Create(at(m.getObject()), TextFields.text(m.getName()), spec(m));
  }

  private AttributeOperation.Spec spec(Messages.AttributeCreate m) {
    return new AttributeOperation.Spec(
        Structures.type(m.getType()),
        m.hasCommittedType() ? Optional.of(handle(m.getCommittedType())) : Optional.empty(),
        Structures.space(m.getSpace()),
        OptionDecoder.charset(m.getCharset()));
  }

  private Operation<?> set(Messages.AttributeSet m) {
    return new AttributeOperation.Set(
        at(m.getCreate().getObject()),
        TextFields.text(m.getCreate().getName()),
        spec(m.getCreate()),
        m.getReplace(),
        new AttributeOperation.Content(
            Structures.type(m.getMemoryType()),
            Payload.buffer(encoded, m.getElementBytes(), m.getHeapBytes())));
  }
}
