package org.hyperslab.plugins.libhdf5.callback;

import org.hyperslab.plugins.libhdf5.bridge.Bridge;
import org.hyperslab.plugins.libhdf5.bridge.PollOrder;
import org.hyperslab.plugins.libhdf5.call.CFunction;
import org.hyperslab.plugins.libhdf5.call.Hdf5Function;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.plugins.libhdf5.object.BridgeObject;
import org.hyperslab.plugins.libhdf5.object.RequestUnderWay;

/** The callbacks on asynchronous operations ({@code H5VL_request_class_t}). */
public final class RequestCallbacks {

  private final Bridge bridge;
  private final PollOrder order = new PollOrder();

  public RequestCallbacks(Bridge bridge) {
    this.bridge = bridge;
  }

  private RequestUnderWay request(long pointer) {
    return bridge.objects.get(pointer, BridgeObject.OfRequest.class).request();
  }

  /** Answers the callback {@code request.wait} of libhdf5. */
  public long await(long pointer, long nanos, long status) {
    RawMemory.setInt(status, nanos < 0 ? request(pointer).await(nanos) : polled(pointer, nanos));
    return 0;
  }

  /**
   * Returns the state of a request after waiting for a limited time. Pointers are numbered in the
   * order of requests.
   */
  private int polled(long pointer, long nanos) {
    if (order.holds(pointer)) {
      return RequestUnderWay.IN_PROGRESS;
    }
    int state = request(pointer).await(nanos);
    if (state == RequestUnderWay.IN_PROGRESS) {
      order.hold();
    }
    return state;
  }

  /** Answers the callback {@code request.notify} of libhdf5. */
  public long notify(long pointer, long callback, long context) {
    CFunction call = CFunction.at(callback);
    request(pointer).whenDone(status -> call.call(context, status));
    return 0;
  }

  /**
   * Reports that a request cannot be canceled. A submitted operation is never withdrawn, because
   * later operations may depend on it.
   */
  public long cancel(long pointer, long status) {
    int now = polled(pointer, 0);
    RawMemory.setInt(
        status, now == RequestUnderWay.IN_PROGRESS ? RequestUnderWay.CANNOT_CANCEL : now);
    return 0;
  }

  /** Answers the callback {@code request.specific} of libhdf5. */
  public long specific(long pointer, long args) {
    RequestUnderWay request = request(pointer);
    switch (RawMemory.getInt(args)) {
      case 0 -> {
        long stack = bridge.hdf5.id(Hdf5Function.E_CREATE_STACK);
        if (request.failure() != null) {
          bridge.errors.push(stack, "asynchronous operation", request.failure());
        }
        RawMemory.setLong(args + 8, stack);
      }
      case 1 -> {
        RawMemory.setLong(RawMemory.getLong(args + 8), request.startedMicros());
        RawMemory.setLong(RawMemory.getLong(args + 16), request.durationNanos());
      }
      default -> throw FileCallbacks.unknown("operation on a request", RawMemory.getInt(args));
    }
    return 0;
  }

  /** Answers the callback {@code request.free} of libhdf5. */
  public long free(long pointer) {
    bridge.objects.remove(pointer);
    return 0;
  }
}
