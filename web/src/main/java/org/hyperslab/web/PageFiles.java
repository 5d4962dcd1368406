package org.hyperslab.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;

/** Serves the files of the viewer's page, which are resources of this module. */
final class PageFiles {

  private static final Map<String, String> TYPES =
      Map.of(
          "/index.html", "text/html; charset=utf-8",
          "/viewer.js", "text/javascript; charset=utf-8",
          "/viewer.css", "text/css; charset=utf-8",
          "/LICENCES.txt", "text/plain; charset=utf-8");

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
