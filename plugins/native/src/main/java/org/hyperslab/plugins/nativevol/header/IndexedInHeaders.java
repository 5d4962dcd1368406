package org.hyperslab.plugins.nativevol.header;

import java.util.List;
import org.hyperslab.format.header.HeaderMessage;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.index.shared.HeaderMessages;
import org.hyperslab.format.metadata.MetadataSpace;

/** Reads indexed messages from the object headers in which they are stored. */
record IndexedInHeaders(MetadataSpace space) implements HeaderMessages {

  @Override
  public byte[] encoded(long headerAddress, int messageType, int index) {
    ObjectHeader header = ObjectHeader.open(space, headerAddress);
    List<HeaderMessage> all = MessageType.of(messageType).map(header::findAll).orElse(List.of());
    return index < all.size() && !all.get(index).isShared()
        ? all.get(index).payload().toByteArray()
        : new byte[0];
  }
}
