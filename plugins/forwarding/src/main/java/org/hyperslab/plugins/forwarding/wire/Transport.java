package org.hyperslab.plugins.forwarding.wire;

import io.netty.handler.ssl.NotSslRecordException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;

/** Tells why connections fail, without the words of the library that makes them. */
public final class Transport {

  private Transport() {}

  /**
   * Returns the reason of a failed connection, for a message: unlike the exception's message, never
   * null, and without the text and the names of this transport's implementation.
   *
   * @param failure the failure of the connection
   * @return its reason
   */
  public static String reason(Throwable failure) {
    Throwable cause = failure;
    while (isNettys(cause) && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return switch (cause) {
      case UnresolvedAddressException unknown -> "unknown host";
      case ClosedChannelException closed -> "closed";
      case NotSslRecordException plain -> "bytes that are not TLS";
      default -> reason(cause, cause.getMessage());
    };
  }

  private static String reason(Throwable cause, String text) {
    if (text == null) {
      return cause.getClass().getSimpleName();
    }
    // What failed stands before, in its own exceptions and in those of Java that it throws.
    boolean isCall = isNettys(cause) || text.contains("(..) failed with error(");
    int said = isCall ? text.lastIndexOf("): ") : -1;
    return said < 0 ? text : text.substring(said + 3);
  }

  private static boolean isNettys(Throwable failure) {
    return failure.getClass().getName().startsWith("io.netty.");
  }
}
