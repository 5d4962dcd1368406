package org.hyperslab.web.request;

import com.google.common.net.MediaType;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A reply to a request.
 *
 * @param status its HTTP status code
 * @param headers its headers besides those that the server adds: length, range, safety
 * @param body its content
 */
public record WebReply(int status, Map<String, String> headers, WebBody body) {

  /** The type of JSON. */
  public static final String JSON = MediaType.JSON_UTF_8.withoutParameters().toString();

  /** The type of elements and other bytes. */
  public static final String BYTES = MediaType.OCTET_STREAM.toString();

  /** The type of plain text. */
  static final String TEXT = MediaType.PLAIN_TEXT_UTF_8.toString();

  /** Copies the headers. */
  public WebReply {
    headers = Map.copyOf(headers);
  }

  /**
   * {@return a reply with status 200}
   *
   * @param type its media type
   * @param body its content
   */
  public static WebReply ok(String type, WebBody body) {
    return new WebReply(200, Map.of("content-type", type), body);
  }

  /**
   * {@return a text reply}
   *
   * @param status its HTTP status code
   * @param type its media type
   * @param text its content, sent as UTF-8
   */
  public static WebReply text(int status, String type, String text) {
    return new WebReply(
        status, Map.of("content-type", type), WebBody.of(text.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * {@return this reply with another status}
   *
   * @param newStatus its HTTP status code
   */
  WebReply withStatus(int newStatus) {
    return new WebReply(newStatus, headers, body);
  }

  /**
   * {@return this reply with an additional header}
   *
   * @param name the header's name, in lower case
   * @param value its value
   */
  public WebReply with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new WebReply(status, more, body);
  }
}
