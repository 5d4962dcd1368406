package org.hyperslab.format.header;

import java.util.Optional;
import org.hyperslab.format.io.Bytes;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * Decodes and encodes the payload of a message by its type number.
 *
 * <p>Thread rule: no state.
 */
public final class MessageCodec {

  private MessageCodec() {}

  /**
   * Decodes a payload; a message of unknown type is decoded as an {@link UnknownMessage}.
   *
   * @param typeCode the message's type
   * @param flags the message's flags, {@link HeaderMessage#SHARED} and others
   * @param reader a reader over exactly the payload
   * @return the message
   * @throws org.hyperslab.error.CorruptFileException if the payload is not such a message
   * @throws org.hyperslab.error.UnsupportedFeatureException if its version is unknown
   */
  public static Message decode(int typeCode, int flags, MetadataReader reader) {
    Optional<MessageType> type = MessageType.of(typeCode);
    if (type.isEmpty()) {
      return UnknownMessage.decode(typeCode, reader);
    }
    // HDF5 1.10 leaves the old flags on the message that it replaces by a continuation.
    if ((flags & HeaderMessage.SHARED) != 0 && type.get() != MessageType.CONTINUATION) {
      if (!type.get().sharable()) {
        throw reader.corrupt(
            "flag actual=shared, expected=not shared, for a message type that "
                + "cannot be shared");
      }
      return SharedMessage.decode(typeCode, reader);
    }
    return switch (type.get()) {
      case NIL -> NilMessage.decode(reader);
      case DATASPACE -> DataspaceMessage.decode(reader);
      case LINK_INFO -> LinkInfoMessage.decode(reader);
      case DATATYPE -> DatatypeMessage.decode(reader);
      case FILL_VALUE_OLD -> FillValueOldMessage.decode(reader);
      case FILL_VALUE -> FillValueMessage.decode(reader);
      case LINK -> LinkMessage.decode(reader);
      case EXTERNAL_FILE_LIST -> ExternalFileListMessage.decode(reader);
      case DATA_LAYOUT -> DataLayoutMessage.decode(reader);
      case BOGUS -> BogusMessage.decode(reader);
      case GROUP_INFO -> GroupInfoMessage.decode(reader);
      case FILTER_PIPELINE -> FilterPipelineMessage.decode(reader);
      case ATTRIBUTE -> AttributeMessage.decode(reader);
      case COMMENT -> CommentMessage.decode(reader);
      case MODIFICATION_TIME_OLD -> ModificationTimeOldMessage.decode(reader);
      case SHARED_MESSAGE_TABLE -> SharedMessageTableMessage.decode(reader);
      case CONTINUATION -> ContinuationMessage.decode(reader);
      case SYMBOL_TABLE -> SymbolTableMessage.decode(reader);
      case MODIFICATION_TIME -> ModificationTimeMessage.decode(reader);
      case BTREE_K_VALUES -> BTreeKValuesMessage.decode(reader);
      case DRIVER_INFO -> DriverInfoMessage.decode(reader);
      case ATTRIBUTE_INFO -> AttributeInfoMessage.decode(reader);
      case REFERENCE_COUNT -> ReferenceCountMessage.decode(reader);
      case FILE_SPACE_INFO -> FileSpaceInfoMessage.decode(reader);
      case METADATA_CACHE_IMAGE -> MetadataCacheImageMessage.decode(reader);
    };
  }

  /**
   * {@return the payload of a message, without padding}
   *
   * @param message the message
   * @param scratch a writer whose content is overwritten
   */
  public static Bytes encode(Message message, MetadataWriter scratch) {
    scratch.reset();
    message.encode(scratch);
    return Bytes.of(scratch);
  }
}
