package org.hyperslab.plugins.nativevol;

import org.hyperslab.format.header.HeaderMessage;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.header.SharedMessageResolver;

/** Finds the messages that object headers share, and counts their users. */
interface MessageSharing extends SharedMessageResolver {

  /**
   * Counts one user of a header's message less, if the message is shared or indexed. To be called
   * before the header replaces or loses it. Under the file's write lock.
   *
   * @param header the object's header
   * @param message the message
   */
  void release(ObjectHeader header, HeaderMessage message);
}
