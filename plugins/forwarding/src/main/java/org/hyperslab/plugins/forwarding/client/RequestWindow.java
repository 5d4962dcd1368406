package org.hyperslab.plugins.forwarding.client;

import java.util.List;
import java.util.function.Consumer;
import org.hyperslab.plugins.forwarding.memory.SequenceRing;
import org.hyperslab.plugins.forwarding.wire.Welcome;

/**
 * The requests of a session that have no reply, and what of the server's grant they use: bytes of
 * payload until the reply, and a place among the replies that the server keeps until it is told
 * that they have arrived.
 *
 * <p>Requests are numbered from 1. The server can be told only of a number below which <em>all</em>
 * replies are here, so one that is late holds up that of those behind it; and it is told with every
 * request, in passing, or by itself when much has arrived.
 *
 * <p>Thread rule: guarded by the lock of its {@link ServerLink}.
 */
final class RequestWindow {

  /** So many replies are told of by themselves, if no request does it before. */
  private static final int ACKNOWLEDGE_REPLIES = 1024;

  private final SequenceRing<SentRequest<?>> pending = new SequenceRing<>();
  private Welcome grant;
  private long last;
  private long usedBytes;

  /** The server knows that all replies below this number are here. */
  private long told = 1;

  private long untoldBytes;
  private int untoldReplies;

  /** What the server grants from now on. */
  void granted(Welcome welcome) {
    grant = welcome;
  }

  /** Whether a request of so many bytes has to wait; the largest may go alone. */
  boolean isFull(long bytes) {
    return (usedBytes > 0 && usedBytes + bytes > grant.windowBytes()) || isLong();
  }

  /** Whether the server keeps half as many replies as it may. */
  private boolean isLong() {
    return last + 1 - told >= grant.outstanding() / 2;
  }

  /** Takes a request in and gives it its number. */
  void enter(SentRequest<?> request) {
    request.sequence = ++last;
    usedBytes += request.bytes;
    pending.put(request.sequence, request);
  }

  /** The number of the latest request; 0 if there was none. */
  long last() {
    return last;
  }

  /** The request of a number; null if it is not here, or has had its reply. */
  SentRequest<?> get(long number) {
    return pending.get(number);
  }

  /** A request has its reply, with so many bytes of payload. */
  void leave(SentRequest<?> request, long replyBytes) {
    pending.remove(request.sequence);
    usedBytes -= request.bytes;
    untoldReplies++;
    untoldBytes += replyBytes;
  }

  /** All requests have got what they get: none waits any more. */
  List<SentRequest<?>> leaveAll() {
    List<SentRequest<?>> all = pending.values();
    pending.clear();
    usedBytes = 0;
    return all;
  }

  boolean isEmpty() {
    return pending.isEmpty();
  }

  /** The requests in the order of their numbers. */
  List<SentRequest<?>> all() {
    return pending.values();
  }

  /** Visits the requests behind a number, in their order. */
  void forEachBehind(long number, Consumer<SentRequest<?>> action) {
    pending.forEachFrom(number + 1, action);
  }

  /** Whether any reply has come of which the server has not been told. */
  boolean hasUntold() {
    return untoldReplies > 0;
  }

  /** Whether the server should be told now what has arrived. */
  boolean mustTell() {
    return untoldReplies >= ACKNOWLEDGE_REPLIES
        || untoldBytes >= grant.readBytes() / 4
        || (isLong() && arrivedBelow() - told >= ACKNOWLEDGE_REPLIES);
  }

  /** All replies below this number are here. */
  long arrivedBelow() {
    return pending.isEmpty() ? last + 1 : pending.first();
  }

  /** The same, where the frame that is sent next tells it. */
  long tell() {
    untoldBytes = 0;
    untoldReplies = 0;
    told = arrivedBelow();
    return told;
  }
}
