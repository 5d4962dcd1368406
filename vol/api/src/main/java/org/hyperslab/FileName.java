package org.hyperslab;

import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.vol.ConnectorFactory;
import org.hyperslab.vol.Connectors;

/**
 * A file name of the user, split into the part that chooses a connector and the part that the
 * connector receives.
 *
 * @param configuration the configuration that the URI's scheme asks for; empty if it has none
 * @param name the path or URI without the connector's scheme
 */
record FileName(Optional<String> configuration, String name) {

  /** A scheme has at least two letters, so that a drive letter is not taken for one. */
  private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+):(.*)");

  /**
   * Returns the name of a path of the default file system, which is never taken for a URI.
   *
   * @throws UnsupportedFeatureException if it belongs to another file system
   */
  static FileName of(Path path) {
    Arguments.require(path, "file", "a Path");
    if (path.getFileSystem() != FileSystems.getDefault()) {
      throw new UnsupportedFeatureException(
          "path: actual=on the file system "
              + path.getFileSystem().provider().getScheme()
              + ", expected=on the default file system, at="
              + path.toUri()
              + "; copy the file to a local path, or pass its bytes to Hdf5.openInMemory");
    }
    boolean likeUri = SCHEME.matcher(path.toString()).matches();
    return new FileName(Optional.empty(), (likeUri ? path.toAbsolutePath() : path).toString());
  }

  static FileName parse(String text) {
    Matcher matcher = SCHEME.matcher(Arguments.require(text, "file", "a path or a URI"));
    if (!matcher.matches()) {
      return new FileName(Optional.empty(), text);
    }
    String scheme = matcher.group(1);
    if (scheme.equalsIgnoreCase("file")) {
      return new FileName(Optional.empty(), localPath(text, matcher.group(2)));
    }
    Optional<ConnectorFactory> factory = Connectors.byScheme(scheme);
    if (factory.isPresent()) {
      String lower = scheme.toLowerCase(Locale.ROOT);
      String rest = matcher.group(2);
      return new FileName(
          Optional.of(factory.get().name()),
          factory.get().keepsScheme(lower) ? lower + ":" + rest : rest);
    }
    if (matcher.group(2).startsWith("//")) {
      throw new NotFoundException(
          "connector for the scheme of a URI: actual=\""
              + scheme
              + "\", expected=one of "
              + Connectors.describeSchemes()
              + ", at="
              + text);
    }
    return new FileName(Optional.empty(), text);
  }

  private static String localPath(String uri, String withoutScheme) {
    return withoutScheme.startsWith("/") ? Path.of(URI.create(uri)).toString() : withoutScheme;
  }
}
