package org.hyperslab.format.store;

import java.net.URI;
import java.util.Map;

/**
 * Says who sends a request, by headers.
 *
 * <p>Thread rule: any thread.
 */
@FunctionalInterface
interface RequestSigner {

  /** Signs nothing. */
  RequestSigner NONE = (method, uri, headers, contentHash) -> headers;

  /**
   * Adds to the headers of a request those that prove its sender.
   *
   * @param method such as {@code GET}
   * @param uri the place, its path and query in percent encoding
   * @param headers what the request says besides
   * @param contentHash SHA-256 of the body in hexadecimal digits
   * @return all headers
   */
  Map<String, String> signed(
      String method, URI uri, Map<String, String> headers, String contentHash);
}
