package org.hyperslab.web.request;

import java.util.regex.Pattern;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.interchange.json.JsonOutput;
import org.hyperslab.web.files.FileNames;
import org.hyperslab.web.limit.RequestRefusal;

/** Creates replies that describe an error in h5grove's form, {@code {"message": ...}}. */
public final class ErrorReplies {

  private static final int MAX_CHARS = 4096;

  /** A URI with a query, which may hold a signature, or a user and password. */
  private static final Pattern SECRETS =
      Pattern.compile(
          "(\\b[a-z][a-z0-9+.-]*://)(?:[^\\s/?@]*@)?([^\\s?\"']*)(?:\\?[^\\s\"'@;,]*)?");

  private ErrorReplies() {}

  /**
   * {@return a reply with a message}
   *
   * @param status its HTTP status code
   * @param message the description of the error
   */
  public static WebReply reply(int status, String message) {
    String some = message.substring(0, Math.min(message.length(), MAX_CHARS));
    JsonOutput out = new JsonOutput(Integer.MAX_VALUE).open('{').member("message", some).close('}');
    return WebReply.ok(WebReply.JSON, new WebBody.InMemory(out.toBuffers())).withStatus(status);
  }

  /**
   * {@return the reply for a failure: 404 for an absent object, 403 for one that may not be read,
   * 422 for an unsupported or invalid request, 500 for an internal error}
   *
   * @param failure the failure
   * @param names the names of the files, by which messages name them
   */
  public static WebReply reply(Throwable failure, FileNames names) {
    String message = shown(String.valueOf(failure.getMessage()), names);
    return switch (failure) {
      case NotFoundException _ -> reply(404, message);
      case StorageException _ -> reply(message.contains("Permission denied") ? 403 : 500, message);
      case HyperslabException _ -> reply(422, message);
      case RequestRefusal refused -> reply(refused.status(), message);
      case OutOfMemoryError _ -> reply(503, "reply: actual=not enough memory");
      case ArithmeticException _ ->
          reply(422, "size: actual=too large for a number of 64 bits, expected=a part of it");
      default ->
          reply(500, "reply: actual=an internal error, " + failure.getClass().getSimpleName());
    };
  }

  /**
   * {@return a message without places of this machine and without secrets in addresses}
   *
   * @param message the message
   * @param names the names of the files
   */
  public static String shown(String message, FileNames names) {
    return SECRETS.matcher(names.withoutPlaces(message)).replaceAll("$1$2");
  }
}
