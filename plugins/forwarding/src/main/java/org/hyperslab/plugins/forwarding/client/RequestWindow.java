package org.hyperslab.plugins.forwarding.client;

import java.util.List;
import java.util.function.Consumer;
import org.hyperslab.plugins.forwarding.wire.SequenceRing;
import org.hyperslab.plugins.forwarding.wire.Welcome;

/**
 * The unanswered requests of a session, and the part of the server's grant that they use. That part
 * is the bytes of their payloads until the reply, and a place among the replies that the server
 * keeps until they are acknowledged.
 *
 * <p>Requests are numbered from 1. An acknowledgement is a number below which <em>all</em> replies
 * have arrived, so a late reply delays the acknowledgement of those after it. Every request carries
 * an acknowledgement; one is sent separately when many replies have arrived.
 *
 * <p>Thread rule: guarded by the lock of its {@link ServerLink}.
 */
final class RequestWindow {

  /** The number of replies after which a separate acknowledgement is sent. */
  private static final int ACKNOWLEDGE_REPLIES = 1024;

  private final SequenceRing<SentRequest<?>> pending = new SequenceRing<>();

  /** The sizes of replies that are not acknowledged yet, in bytes. */
  private final SequenceRing<Long> unacknowledged = new SequenceRing<>();

  private Welcome grant;
  private long last;
  private long usedBytes;

  /** All replies below this number have been acknowledged. */
  private long acknowledgedBelow = 1;

  private long unacknowledgedBytes;

  /** Sets the limits that the server grants. */
  void granted(Welcome welcome) {
    grant = welcome;
  }

  /**
   * {@return whether a request of a given size has to wait; a request of any size may be sent
   * alone}
   */
  boolean isFull(long bytes) {
    return (usedBytes > 0 && usedBytes + bytes > grant.windowBytes()) || isLong();
  }

  /** {@return whether the server keeps at least half of the replies that it can keep} */
  private boolean isLong() {
    return last + 1 - acknowledgedBelow >= grant.outstanding() / 2;
  }

  /** Adds a request and assigns its number. */
  void enter(SentRequest<?> request) {
    request.sequence = ++last;
    usedBytes += request.bytes;
    pending.put(request.sequence, request);
  }

  /** {@return the number of the latest request; 0 if there was none} */
  long last() {
    return last;
  }

  /** {@return the unanswered request with a number, or null} */
  SentRequest<?> get(long number) {
    return pending.get(number);
  }

  /** Removes a request that has been answered by a reply of the given size in bytes. */
  void leave(SentRequest<?> request, long replyBytes) {
    pending.remove(request.sequence);
    usedBytes -= request.bytes;
    unacknowledged.put(request.sequence, replyBytes);
    unacknowledgedBytes += replyBytes;
  }

  /** Removes and returns all requests. */
  List<SentRequest<?>> leaveAll() {
    List<SentRequest<?>> all = pending.values();
    pending.clear();
    usedBytes = 0;
    unacknowledged.clear();
    unacknowledgedBytes = 0;
    return all;
  }

  /** {@return whether a request without a reply has not been abandoned} */
  boolean isWaiting() {
    return pending.values().stream().anyMatch(request -> !request.givenUp);
  }

  /** {@return the requests in the order of their numbers} */
  List<SentRequest<?>> all() {
    return pending.values();
  }

  /** Visits the requests after a number, in ascending order. */
  void forEachBehind(long number, Consumer<SentRequest<?>> action) {
    pending.forEachFrom(number + 1, action);
  }

  /** {@return whether there is a reply that can be acknowledged: all before it have arrived} */
  boolean canAcknowledge() {
    return arrivedBelow() > acknowledgedBelow;
  }

  /** {@return whether an acknowledgement should be sent now} */
  boolean mustAcknowledge() {
    return canAcknowledge()
        && (unacknowledged.size() >= ACKNOWLEDGE_REPLIES
            || unacknowledgedBytes >= grant.readBytes() / 4);
  }

  /** {@return the number below which all replies have arrived} */
  long arrivedBelow() {
    return pending.isEmpty() ? last + 1 : pending.first();
  }

  /**
   * Returns {@link #arrivedBelow}, which the next frame acknowledges. Replies behind an unanswered
   * request remain unacknowledged.
   */
  long acknowledge() {
    long below = arrivedBelow();
    while (!unacknowledged.isEmpty() && unacknowledged.first() < below) {
      unacknowledgedBytes -= unacknowledged.remove(unacknowledged.first());
    }
    acknowledgedBelow = below;
    return below;
  }
}
