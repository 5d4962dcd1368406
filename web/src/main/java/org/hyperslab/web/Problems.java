package org.hyperslab.web;

import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;

/** Replies that tell what went wrong: {@code {"message": ...}}, as h5grove's. */
final class Problems {

  private static final int MOST_CHARS = 4096;

  private Problems() {}

  /**
   * {@return a reply with a message}
   *
   * @param status its HTTP status code
   * @param message what went wrong
   */
  static WebReply reply(int status, String message) {
    String some = message.substring(0, Math.min(message.length(), MOST_CHARS));
    JsonOutput out = new JsonOutput(Integer.MAX_VALUE).open('{').member("message", some).close('}');
    return WebReply.text(status, WebReply.JSON, out.toString());
  }

  /**
   * {@return the reply for a failure: 404 for what is not there, 403 for what may not be read, 422
   * for what cannot be done, 500 for what should not happen}
   *
   * @param failure the failure
   */
  static WebReply reply(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    return switch (failure) {
      case NotFoundException _ -> reply(404, message);
      case StorageException _ -> reply(message.contains("Permission denied") ? 403 : 500, message);
      case HyperslabException _ -> reply(422, message);
      case OutOfMemoryError _ -> reply(503, "reply: actual=not enough memory");
      default -> reply(500, "reply: actual=" + failure);
    };
  }
}
