package org.hyperslab.plugins.forwarding.journal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import javax.crypto.Mac;

/**
 * Computes the authentication codes of a journal's records. A code covers the journal's nonce, the
 * record's position in the journal, its head and its bytes, so that a record of another journal,
 * position or server has another code.
 *
 * <p>Thread rule: confined to one thread at a time.
 */
final class JournalSeal {

  /** The length of the nonce in bytes. */
  static final int NONCE_BYTES = 16;

  private final Mac mac;
  private final byte[] nonce;
  private long place;

  /** Creates a seal at the first record of a journal. */
  JournalSeal(JournalKey key, byte[] nonce) {
    this.mac = key.mac();
    this.nonce = nonce.clone();
  }

  /** {@return the code of a record at the current position} */
  byte[] of(ByteBuffer head, List<ByteBuffer> parts) {
    mac.update(nonce);
    mac.update(ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(0, place));
    mac.update(head.duplicate());
    parts.forEach(part -> mac.update(part.duplicate()));
    return mac.doFinal();
  }

  /** Advances to the next position after the record at this one has been written or read. */
  void advance() {
    place++;
  }

  /** {@return the current position, counted from 0} */
  long place() {
    return place;
  }

  /** Moves to a position. */
  void moveTo(long position) {
    place = position;
  }
}
