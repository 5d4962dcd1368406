package org.hyperslab.plugins.forwarding.client;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.format.store.SharedMemory;
import org.hyperslab.plugins.codec.EncodedMessage;
import org.hyperslab.plugins.codec.EncodingCache;
import org.hyperslab.plugins.codec.OperationCodec;
import org.hyperslab.vol.Operation;

/**
 * Encodes operations for the network's threads. Elements are sent from the caller's memory, or from
 * a copy if only the caller's thread may access that memory.
 *
 * <p>Thread rule: any thread.
 */
final class RequestEncoder {

  private final BufferPool pool;
  private final EncodingCache encodings = new EncodingCache();

  /** Creates an encoder that allocates memory for copies from a pool. */
  RequestEncoder(BufferPool pool) {
    this.pool = pool;
  }

  /**
   * An encoded operation.
   *
   * @param encoded the message and its payload
   * @param copies the memory of copies in the payload, to be released after the reply
   */
  record Request(EncodedMessage encoded, List<Lease> copies) {}

  /**
   * Encodes an operation.
   *
   * @param operation the operation
   * @param controlBytes the longest message in bytes
   * @param payloadBytes the largest payload in bytes
   * @return the encoded operation
   * @throws InvalidUseException if the message or the payload is larger, or the operation is
   *     invalid
   */
  Request encode(Operation<?> operation, int controlBytes, long payloadBytes) {
    List<Lease> copies = new ArrayList<>(0);
    EncodedMessage encoded =
        OperationCodec.encode(operation, bytes -> take(bytes, copies), encodings);
    if (encoded.control().length > controlBytes) {
      throw new InvalidUseException(
          "operation: actual="
              + encoded.control().length
              + " bytes without its elements, expected<="
              + controlBytes);
    }
    if (encoded.payloadBytes() > payloadBytes) {
      release(copies);
      throw new InvalidUseException(
          "payload of one request: actual="
              + encoded.payloadBytes()
              + " bytes, expected<="
              + payloadBytes
              + ", the window of the session; ask for more by the connector's option window, or give"
              + " the server more memory");
    }
    for (MemorySegment part : encoded.payload()) {
      if (!isSendable(part)) {
        return new Request(sendable(encoded, copies), copies);
      }
    }
    return new Request(encoded, copies);
  }

  private EncodedMessage sendable(EncodedMessage encoded, List<Lease> copies) {
    List<MemorySegment> payload = new ArrayList<>();
    for (MemorySegment part : encoded.payload()) {
      payload.add(isSendable(part) ? part : take(part.byteSize(), copies).copyFrom(part));
    }
    return new EncodedMessage(encoded.control(), payload);
  }

  private MemorySegment take(long bytes, List<Lease> copies) {
    Lease lease = pool.take(bytes);
    copies.add(lease);
    return lease.segment();
  }

  /** {@return whether another thread can send a segment} */
  private static boolean isSendable(MemorySegment part) {
    boolean shared = SharedMemory.isShared(part);
    return shared && (part.isNative() || part.heapBase().orElse(null) instanceof byte[]);
  }

  /** Releases copies that are no longer needed. */
  static void release(List<Lease> copies) {
    copies.forEach(Lease::close);
  }
}
