package org.hyperslab.format.index.dense;

/**
 * A link or an attribute in dense storage.
 *
 * @param creationOrder the number in creation order; for a link, the one in its message, or -1 if
 *     it has none
 * @param messageFlags the flags of an attribute message; 0 for links
 * @param heapId the id in the storage's heap, or in the shared-message heap if the flags say so
 * @param message the encoded message
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record DenseEntry(long creationOrder, int messageFlags, byte[] heapId, byte[] message) {

  /** The flag of an attribute message that is in the shared-message heap. */
  public static final int SHARED = 0x02;

  /** {@return whether the message is in the shared-message heap} */
  public boolean shared() {
    return (messageFlags & SHARED) != 0;
  }
}
