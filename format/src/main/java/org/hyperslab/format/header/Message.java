package org.hyperslab.format.header;

import org.hyperslab.format.io.MetadataWriter;

/**
 * The decoded content of one object header message. Each kind is a record with its decoder and
 * encoder. If a kind has several versions, the record contains the version, so that decoding and
 * encoding yields the same bytes except for padding.
 *
 * <p>Source: HDF5 File Format Specification, IV.A.2 "Data Object Header Messages".
 *
 * <p>Thread rule: immutable.
 */
public sealed interface Message
    permits NilMessage,
        DataspaceMessage,
        LinkInfoMessage,
        DatatypeMessage,
        FillValueOldMessage,
        FillValueMessage,
        LinkMessage,
        ExternalFileListMessage,
        DataLayoutMessage,
        BogusMessage,
        GroupInfoMessage,
        FilterPipelineMessage,
        AttributeMessage,
        CommentMessage,
        ModificationTimeOldMessage,
        SharedMessageTableMessage,
        ContinuationMessage,
        SymbolTableMessage,
        ModificationTimeMessage,
        BTreeKValuesMessage,
        DriverInfoMessage,
        AttributeInfoMessage,
        ReferenceCountMessage,
        FileSpaceInfoMessage,
        MetadataCacheImageMessage,
        SharedMessage,
        UnknownMessage {

  /** {@return the number of the message's type} */
  int typeCode();

  /**
   * Appends the payload, without padding and without the message's own header.
   *
   * @param writer receives the bytes, at its position
   */
  void encode(MetadataWriter writer);
}
