package org.hyperslab.web.request;

import com.google.common.collect.ImmutableListMultimap;
import java.util.List;
import java.util.Optional;

/**
 * A request, already parsed: its length is bounded and it has no content.
 *
 * @param method GET, HEAD or another
 * @param path the decoded path, which begins with a slash
 * @param query the decoded parameters of the query, in the order of their first occurrence
 * @param headers the headers that the guard and the server use, by names in lower case
 */
public record WebRequest(
    String method,
    String path,
    ImmutableListMultimap<String, String> query,
    ImmutableListMultimap<String, String> headers) {

  /**
   * {@return the first value of a parameter of the query; empty if it is missing}
   *
   * @param name the name of the parameter
   */
  public Optional<String> parameter(String name) {
    return query.get(name).stream().findFirst();
  }

  /**
   * {@return the path without a slash at its end, which clients of old versions of h5grove send}
   */
  public String endpoint() {
    return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  /** What a request asks for, by how long it may keep a thread. */
  public enum Work {
    /** A description, which is short. */
    DESCRIPTION,
    /** Elements, of which one piece is read at a time. */
    ELEMENTS,
    /** Numbers computed of elements, all of which are read at once. */
    COMPUTATION
  }

  /** {@return what the request asks for} */
  public Work work() {
    String asked = endpoint();
    boolean computes =
        asked.equals("/stats") || asked.equals("/data") && parameter("reduce").isPresent();
    if (computes) {
      return Work.COMPUTATION;
    }
    return asked.equals("/data") || path.startsWith("/zarr/") ? Work.ELEMENTS : Work.DESCRIPTION;
  }

  /**
   * {@return the value of a header; empty if it is missing or occurs several times}
   *
   * @param name its name in lower case
   */
  public Optional<String> header(String name) {
    List<String> values = headers.get(name);
    return values.size() == 1 ? Optional.of(values.getFirst()) : Optional.empty();
  }
}
