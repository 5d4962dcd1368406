package org.hyperslab.plugins.forwarding.journal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import javax.crypto.Mac;

/**
 * What makes a record belong to its place: a code over the journal's own number, the record's place
 * in it, its head and its bytes. A record of another journal, another place or another server has
 * another code.
 *
 * <p>Thread rule: confined to one thread at a time.
 */
final class JournalSeal {

  /** Bytes of a journal's own number. */
  static final int NONCE_BYTES = 16;

  private final Mac mac;
  private final byte[] nonce;
  private long place;

  /** For the records of a journal from the first on. */
  JournalSeal(JournalKey key, byte[] nonce) {
    this.mac = key.mac();
    this.nonce = nonce.clone();
  }

  /** The code of a record at the next place. */
  byte[] of(ByteBuffer head, List<ByteBuffer> parts) {
    mac.update(nonce);
    mac.update(ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(0, place));
    mac.update(head.duplicate());
    parts.forEach(part -> mac.update(part.duplicate()));
    return mac.doFinal();
  }

  /** The record at this place is there: the next one has the next place. */
  void advance() {
    place++;
  }
}
