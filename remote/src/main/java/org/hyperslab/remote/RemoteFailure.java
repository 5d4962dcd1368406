package org.hyperslab.remote;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import javax.net.ssl.SSLException;
import org.hyperslab.error.StorageException;

/**
 * Describes in words why a web server did not answer a request.
 *
 * <p>Thread rule: no state.
 */
final class RemoteFailure {

  private static final String CHECK_ADDRESS =
      "check the host and port of the address, and that the server runs and no firewall is between";

  private RemoteFailure() {}

  /**
   * What went wrong.
   *
   * @param actual what happened instead
   * @param expected what should have happened
   * @param remedy what to do; empty if there is nothing in particular
   */
  private record Words(String actual, String expected, String remedy) {}

  /**
   * Returns the error for a request that got no answer.
   *
   * @param operation what was requested, such as {@code read}
   * @param uri the address of the request
   * @param place what the error names: the address, with an offset if there is one
   * @param cause the failure of the last attempt
   */
  static StorageException of(String operation, URI uri, String place, Throwable cause) {
    Words words = words(uri, cause);
    StringBuilder text = new StringBuilder(operation + " failed: actual=" + words.actual);
    text.append(", expected=").append(words.expected).append(", at=").append(place);
    if (!words.remedy.isEmpty()) {
      text.append("; ").append(words.remedy);
    }
    if (isUnreached(cause) && S3Settings.isAmazon(uri)) {
      text.append("; for a bucket of another server, set s3.endpoint or AWS_ENDPOINT_URL to it");
    }
    return new StorageException(text.toString(), cause);
  }

  private static boolean isUnreached(Throwable cause) {
    return cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException;
  }

  private static Words words(URI uri, Throwable cause) {
    String server = WebAddress.withoutUser(uri).getRawAuthority();
    if (isUnresolved(cause)) {
      return new Words(
          "no host has the name " + uri.getHost(),
          "the name of a host that this machine finds",
          "check the name, and that this machine has a network");
    }
    return switch (cause) {
      case ConnectException refused ->
          new Words("no connection to " + server, "a server that accepts it", CHECK_ADDRESS);
      case HttpConnectTimeoutException late ->
          new Words(
              "no connection to " + server + " in time", "a server that accepts it", CHECK_ADDRESS);
      case HttpTimeoutException silent ->
          new Words(
              silent.getMessage(),
              "an answer",
              "remote.idleMillis, remote.requestMillis and remote.totalMillis set how long to"
                  + " wait");
      case SSLException insecure ->
          new Words(
              "no secure connection to " + server + " (" + reason(insecure) + ")",
              "a server of HTTPS whose certificate Java trusts",
              "check the address; javax.net.ssl.trustStore names other certificates to trust");
      case InterruptedException interrupted ->
          new Words("the thread was interrupted", "an answer", "");
      default -> new Words(reason(cause), "success", "try again later");
    };
  }

  /** Returns whether the cause is that no host has the name; the client wraps it. */
  private static boolean isUnresolved(Throwable cause) {
    for (Throwable each = cause; each != null; each = each.getCause()) {
      if (each instanceof UnresolvedAddressException || each instanceof UnknownHostException) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether a request failed in a way that shows a wrong address or a server that is not
   * there, rather than one that is busy.
   */
  static boolean isAddressOrServer(Throwable cause) {
    return isUnreached(cause) || isUnresolved(cause) || cause instanceof SSLException;
  }

  /** Returns the reason of a failure in words. */
  static String reason(Throwable cause) {
    boolean isPlain = cause instanceof IOException && cause.getMessage() != null;
    return isPlain ? cause.getMessage() : "the connection broke";
  }
}
