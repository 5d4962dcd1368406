package org.hyperslab.plugins.forwarding.server;

import java.util.List;
import java.util.function.Consumer;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.plugins.forwarding.wire.Frame;
import org.hyperslab.plugins.forwarding.wire.SequenceRing;

/**
 * Keeps the replies of a session that its client has not acknowledged, and counts the memory of all
 * replies.
 *
 * <p>The memory of a reply is released when the client has acknowledged the reply and no connection
 * is still sending it. Otherwise a client that acknowledges replies without reading them would
 * receive what other sessions have since put there.
 *
 * <p>Thread rule: guarded by the session's lock.
 */
final class KeptReplies {

  /** The bytes of each message that are not counted, because the number of messages is bounded. */
  private static final int FREE_BYTES = 256;

  private final SequenceRing<KeptReply> kept = new SequenceRing<>();

  /** The client has acknowledged all replies below this number. */
  private long acknowledgedBelow;

  private long heldBytes;

  /** A reply with the memory of its payload. */
  static final class KeptReply {
    private final Frame frame;
    private final List<Lease> leases;

    /** The number of connections that are sending the reply. */
    private int sending;

    private boolean acknowledged;

    private KeptReply(Frame frame, List<Lease> leases) {
      this.frame = frame;
      this.leases = leases;
    }

    Frame frame() {
      return frame;
    }

    private long messageBytes() {
      return Math.max(0, frame.control().length - FREE_BYTES);
    }
  }

  /** {@return the number of replies that are not acknowledged} */
  int size() {
    return kept.size();
  }

  /** {@return the memory of replies, including those being prepared, in bytes} */
  long heldBytes() {
    return heldBytes;
  }

  /** Counts memory for a reply that is being prepared. */
  void hold(long bytes) {
    heldBytes += bytes;
  }

  /** Releases memory of a reply. */
  void release(List<Lease> leases) {
    for (Lease lease : leases) {
      heldBytes -= lease.segment().byteSize();
      lease.close();
    }
  }

  /**
   * Keeps a reply.
   *
   * @param frame the reply
   * @param leases the memory of its payload, counted already
   * @param isSent whether a connection is about to send it
   * @return the kept reply
   */
  KeptReply keep(Frame frame, List<Lease> leases, boolean isSent) {
    KeptReply reply = new KeptReply(frame, leases);
    heldBytes += reply.messageBytes();
    reply.sending = isSent ? 1 : 0;
    kept.put(frame.id(), reply);
    return reply;
  }

  /** Records that a connection is about to send a reply again. */
  void sending(KeptReply reply) {
    reply.sending++;
  }

  /** Records that a connection has stopped sending a reply. */
  void sent(KeptReply reply) {
    reply.sending--;
    releaseIfDone(reply);
  }

  /** Records that the client has received all replies below a number. */
  void acknowledge(long below) {
    if (below <= acknowledgedBelow) {
      return; // most requests repeat the number
    }
    while (!kept.isEmpty() && kept.first() < below) {
      acknowledge(kept.remove(kept.first()));
    }
    acknowledgedBelow = below;
  }

  private void acknowledge(KeptReply reply) {
    reply.acknowledged = true;
    releaseIfDone(reply);
  }

  private void releaseIfDone(KeptReply reply) {
    if (reply.acknowledged && reply.sending == 0) {
      release(reply.leases);
      heldBytes -= reply.messageBytes();
    }
  }

  /** Visits the kept replies in the order of their numbers. */
  void forEach(Consumer<KeptReply> action) {
    kept.values().forEach(action);
  }

  /** Treats all kept replies as acknowledged, because the session has ended. */
  void end() {
    kept.values().forEach(this::acknowledge);
    kept.clear();
  }

  /** Treats one reply as acknowledged, because the session has ended. */
  void end(KeptReply reply) {
    kept.remove(reply.frame.id());
    acknowledge(reply);
  }
}
