package org.hyperslab.web;

import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;

/** Creates replies that describe an error in h5grove's form, {@code {"message": ...}}. */
final class ErrorReplies {

  private static final int MAX_CHARS = 4096;

  private ErrorReplies() {}

  /**
   * {@return a reply with a message}
   *
   * @param status its HTTP status code
   * @param message the description of the error
   */
  static WebReply reply(int status, String message) {
    String some = message.substring(0, Math.min(message.length(), MAX_CHARS));
    JsonOutput out = new JsonOutput(Integer.MAX_VALUE).open('{').member("message", some).close('}');
    return WebReply.text(status, WebReply.JSON, out.toString());
  }

  /**
   * {@return the reply for a failure: 404 for an absent object, 403 for one that may not be read,
   * 422 for an unsupported or invalid request, 500 for an internal error}
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
