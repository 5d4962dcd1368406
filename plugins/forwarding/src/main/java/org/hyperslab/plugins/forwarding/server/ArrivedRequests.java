package org.hyperslab.plugins.forwarding.server;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.plugins.forwarding.wire.Connection;
import org.hyperslab.plugins.forwarding.wire.Frame;

/**
 * Keeps the requests of a session from their arrival until their reply, and counts their memory:
 * the payloads against the session's window, the messages by themselves.
 *
 * <p>The payload that a replaced connection may still be receiving is kept until that connection
 * has closed.
 *
 * <p>Thread rule: guarded by the session's lock.
 */
final class ArrivedRequests {

  private final long window;
  private final PayloadSlab payloads;
  private final Deque<ArrivedRequest> waiting = new ArrayDeque<>();
  private final Map<Connection, PayloadSlab.Part> abandoned = new HashMap<>();
  private PayloadSlab.Part receiving;
  private long received;
  private long payloadBytes;
  private long messageBytes;
  private int underWay;

  /** A request that has arrived; its payload is null if it has none. */
  record ArrivedRequest(Frame frame, PayloadSlab.Part payload) {
    long id() {
      return frame.id();
    }

    private long payloadBytes() {
      return payload == null ? 0 : payload.bytes().byteSize();
    }
  }

  /**
   * Creates an empty queue.
   *
   * @param pool supplies memory for payloads
   * @param window the largest number of bytes of payloads without a reply
   */
  ArrivedRequests(BufferPool pool, long window) {
    this.window = window;
    this.payloads = new PayloadSlab(pool, window);
  }

  /** {@return the number of the last request received; 0 before the first} */
  long received() {
    return received;
  }

  /** {@return the number of requests that have not started} */
  int waiting() {
    return waiting.size();
  }

  /** {@return the number of requests that have started and have no reply} */
  int underWay() {
    return underWay;
  }

  /** {@return whether no request waits or runs} */
  boolean isIdle() {
    return waiting.isEmpty() && underWay == 0;
  }

  /** {@return the bytes of all messages without a reply} */
  long messageBytes() {
    return messageBytes;
  }

  /** {@return the part of the window that is in use, from 0 to 1} */
  double windowUsed() {
    return (double) payloadBytes / window;
  }

  /**
   * Allocates memory for the payload of the request that arrives.
   *
   * @param bytes its length
   * @return the memory
   * @throws CorruptFileException if the client has exceeded its window
   */
  MemorySegment memory(long bytes) {
    if (bytes > window - payloadBytes) {
      throw ProtocolViolation.of(
          "payload without reply actual=" + payloadBytes + "+" + bytes + ", expected<=" + window);
    }
    payloadBytes += bytes;
    receiving = payloads.take(bytes);
    return receiving.bytes();
  }

  /** Keeps the memory into which a replaced connection may still be receiving. */
  void replaced(Connection by) {
    if (receiving != null) {
      payloadBytes -= receiving.bytes().byteSize();
      abandoned.put(by, receiving);
      receiving = null;
    }
  }

  /**
   * Releases what a closed connection was receiving.
   *
   * @param connection the connection
   * @param isCurrent whether no other connection has replaced it
   */
  void closed(Connection connection, boolean isCurrent) {
    PayloadSlab.Part unused = abandoned.remove(connection);
    if (unused != null) {
      payloads.release(unused);
    }
    if (isCurrent && receiving != null) {
      payloadBytes -= receiving.bytes().byteSize();
      payloads.release(receiving);
      receiving = null;
    }
  }

  /**
   * Requires that a request has the number after that of the last one.
   *
   * @throws CorruptFileException if it has another
   */
  void requireNext(Frame frame) {
    if (frame.id() != received + 1) {
      throw ProtocolViolation.of(
          "number of a request actual="
              + frame.id()
              + (frame.id() <= received ? " again" : "")
              + ", expected="
              + (received + 1));
    }
  }

  /** Counts the message of a request that has arrived; {@link #add} follows. */
  void count(Frame frame) {
    received = frame.id();
    messageBytes += frame.control().length;
  }

  /** Adds a request that was counted, with the payload that was received before it. */
  void add(Frame frame) {
    waiting.add(new ArrivedRequest(frame, receiving));
    receiving = null;
  }

  /** {@return the next request, which is then under way; null if none waits} */
  ArrivedRequest start() {
    ArrivedRequest next = waiting.poll();
    underWay += next == null ? 0 : 1;
    return next;
  }

  /**
   * Removes a waiting request, which is then under way.
   *
   * @param id its number
   * @return the request; null if it does not wait
   */
  ArrivedRequest remove(long id) {
    for (ArrivedRequest each : waiting) {
      if (each.id() == id) {
        waiting.remove(each);
        underWay++;
        return each;
      }
    }
    return null;
  }

  /** Releases the memory of a request that has its reply. */
  void ended(ArrivedRequest request) {
    payloadBytes -= request.payloadBytes();
    if (request.payload != null) {
      payloads.release(request.payload);
    }
    underWay--;
    messageBytes -= request.frame.control().length;
  }

  /** Releases the memory for payloads, because the session has ended. */
  void close() {
    payloads.close();
  }
}
