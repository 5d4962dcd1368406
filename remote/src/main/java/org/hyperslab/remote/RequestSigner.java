package org.hyperslab.remote;

import java.net.URI;
import java.util.Map;

/**
 * Authenticates requests by headers.
 *
 * <p>Thread rule: any thread.
 */
@FunctionalInterface
interface RequestSigner {

  /** A signer that adds nothing. */
  RequestSigner NONE = (method, uri, headers, contentHash) -> headers;

  /**
   * Adds headers that authenticate a request's sender.
   *
   * @param method the HTTP method, such as {@code GET}
   * @param uri the address, with its path and query in percent encoding
   * @param headers the other headers of the request
   * @param contentHash SHA-256 of the body in hexadecimal digits
   * @return all headers
   */
  Map<String, String> signed(
      String method, URI uri, Map<String, String> headers, String contentHash);

  /**
   * Returns whether the headers hold for one address only, so that redirections are not followed.
   */
  default boolean coversAddress() {
    return false;
  }
}
