package org.hyperslab.format.index;

/**
 * A link or attribute in dense storage.
 *
 * @param creationOrder its number in creation order; for a link, what its message says, or -1 if
 *     that says nothing
 * @param messageFlags flags of an attribute message; 0 for links
 * @param heapId its id in the storage's heap, or in the shared-message heap if the flags say so
 * @param message the encoded message
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record DenseEntry(long creationOrder, int messageFlags, byte[] heapId, byte[] message) {

  /** The message flag set if an attribute is in the shared-message heap. */
  public static final int SHARED = 0x02;

  /** {@return whether the message is in the shared-message heap} */
  public boolean shared() {
    return (messageFlags & SHARED) != 0;
  }
}
