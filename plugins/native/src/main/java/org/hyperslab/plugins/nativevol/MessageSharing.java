package org.hyperslab.plugins.nativevol;

import org.hyperslab.format.header.HeaderMessage;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.header.SharedMessageResolver;

/** Resolves messages that object headers share, and counts their users. */
interface MessageSharing extends SharedMessageResolver {

  /**
   * Removes one user of a header's message if the message is shared or indexed. To be called under
   * the file's write lock before the header replaces or removes the message.
   *
   * @param header the object's header
   * @param message the message
   */
  void release(ObjectHeader header, HeaderMessage message);
}
