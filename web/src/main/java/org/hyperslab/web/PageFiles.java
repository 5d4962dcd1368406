package org.hyperslab.web;

import com.google.common.net.MediaType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.web.request.WebBody;
import org.hyperslab.web.request.WebReply;
import org.hyperslab.web.request.WebRequest;

/** Serves the files of the viewer's page, which are resources of this module. */
final class PageFiles {

  private static final Map<String, String> TYPES =
      Map.of(
          "/index.html", MediaType.HTML_UTF_8.toString(),
          "/viewer.js", MediaType.TEXT_JAVASCRIPT_UTF_8.toString(),
          "/viewer.css", MediaType.CSS_UTF_8.toString(),
          "/LICENCES.txt", MediaType.PLAIN_TEXT_UTF_8.toString());

  private PageFiles() {}

  /** {@return the file that a request asks for, if there is one} */
  static Optional<WebReply> answer(WebRequest request) {
    String name = request.path().equals("/") ? "/index.html" : request.path();
    return Optional.ofNullable(TYPES.get(name))
        .map(type -> WebReply.ok(type, WebBody.of(resource("page" + name))));
  }

  private static byte[] resource(String name) {
    try (InputStream in = PageFiles.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("resource " + name + ": actual=none, expected=in the jar");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
