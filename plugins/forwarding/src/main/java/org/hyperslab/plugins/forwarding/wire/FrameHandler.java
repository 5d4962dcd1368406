package org.hyperslab.plugins.forwarding.wire;

import java.lang.foreign.MemorySegment;

/**
 * Handles the events of connections.
 *
 * <p>Thread rule: all calls for one connection come from one thread, which serves other connections
 * too, so no method may block.
 */
public interface FrameHandler {

  /**
   * Called when a connection has been established.
   *
   * @param connection the connection
   */
  void opened(Connection connection);

  /**
   * Allocates memory for the payload of a frame whose head has arrived and is intact.
   *
   * @param connection the connection
   * @param head the frame without its payload
   * @param bytes the length of the payload in bytes, at least 1
   * @return a native segment of that size
   * @throws org.hyperslab.error.HyperslabException to refuse the frame; the connection is closed
   *     with this exception as the reason
   */
  MemorySegment memory(Connection connection, Frame head, long bytes);

  /**
   * Called when a frame has arrived completely.
   *
   * @param connection the connection
   * @param frame the frame
   * @throws org.hyperslab.error.HyperslabException to close the connection with this exception as
   *     the reason
   */
  void frame(Connection connection, Frame frame);

  /**
   * Called once, when a connection has ended.
   *
   * @param connection the connection
   * @param reason the reason, or null if this side has closed it
   */
  void closed(Connection connection, Throwable reason);
}
