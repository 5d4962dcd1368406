package org.hyperslab.plugins.forwarding.wire;

import java.lang.foreign.MemorySegment;

/**
 * What becomes of frames that arrive.
 *
 * <p>Thread rule: all calls for one connection come from one thread, which serves others too: none
 * may block.
 */
public interface FrameHandler {

  /** The connection stands. */
  void opened(Connection connection);

  /**
   * Memory for the payload of a frame whose head has arrived and is intact.
   *
   * @param head the frame without its payload
   * @param bytes how long the payload is, at least 1
   * @return a native segment of that size
   * @throws org.hyperslab.error.HyperslabException to refuse: the connection closes with it
   */
  MemorySegment memory(Connection connection, Frame head, long bytes);

  /**
   * A whole frame has arrived.
   *
   * @throws org.hyperslab.error.HyperslabException to close the connection with a reason
   */
  void frame(Connection connection, Frame frame);

  /**
   * The connection has ended; called once.
   *
   * @param reason why, or null if it was closed here
   */
  void closed(Connection connection, Throwable reason);
}
