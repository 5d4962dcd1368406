package org.hyperslab.spark.table;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.hyperslab.convert.zarr.connector.ZarrConnectorFactory;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;

/**
 * The files that paths, folders, patterns and URIs stand for, each by its whole name, in the order
 * of their names.
 *
 * <p>A folder stands for the files in it and in the folders below, but for hidden ones (names that
 * begin with a dot or an underscore). A Zarr store is one file. A pattern has {@code *}, {@code ?},
 * {@code [...]} or <code>{a,b}</code>, as of {@link FileSystems}; {@code **} crosses folders.
 */
final class InputPaths {

  private static final String PATTERN = "*?[{";

  private InputPaths() {}

  /**
   * Returns the files.
   *
   * @param given what the query names
   * @throws NotFoundException if a path or a pattern stands for no file
   */
  static List<String> expand(List<String> given) {
    List<String> all = new ArrayList<>();
    for (String each : given) {
      List<String> found = expand(each);
      if (found.isEmpty()) {
        throw new NotFoundException("files: actual=none, expected=one or more, at=" + each);
      }
      all.addAll(found);
    }
    return all;
  }

  private static List<String> expand(String given) {
    String lower = given.toLowerCase(Locale.ROOT);
    if (lower.startsWith("s3a:") || lower.startsWith("s3n:")) {
      return expand("s3:" + given.substring(4));
    }
    if (lower.startsWith("file:")) {
      return expand(given.substring("file:".length()).replaceFirst("^//+", "/"));
    }
    if (isRemote(given)) {
      if (given.endsWith("/")) {
        throw new UnsupportedFeatureException(
            "folder of a server: actual=" + given + ", expected=the names of its files");
      }
      return List.of(given);
    }
    Path path = Path.of(given).toAbsolutePath().normalize();
    try {
      if (Files.isDirectory(path) && !ZarrConnectorFactory.isStore(path.toString())) {
        return files(path, null);
      }
      if (!Files.exists(path) && hasPattern(given)) {
        return files(fixedPart(path), FileSystems.getDefault().getPathMatcher("glob:" + path));
      }
      return Files.exists(path) ? List.of(path.toString()) : List.of();
    } catch (IOException failure) {
      throw new StorageException(
          "folder: actual=cannot be listed, expected=a readable folder, at=" + given, failure);
    }
  }

  /** Returns whether a name is that of a resource of a server. */
  static boolean isRemote(String name) {
    return name.matches("(?i)(https?|s3)://.*");
  }

  private static boolean hasPattern(String text) {
    return text.chars().anyMatch(c -> PATTERN.indexOf(c) >= 0);
  }

  private static Path fixedPart(Path pattern) {
    Path fixed = pattern.getRoot();
    for (Path name : pattern) {
      if (hasPattern(name.toString())) {
        break;
      }
      fixed = fixed.resolve(name);
    }
    return fixed;
  }

  private static List<String> files(Path folder, PathMatcher matcher) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    List<String> found = new ArrayList<>();
    add(folder, folder, matcher, found);
    return found;
  }

  private static void add(Path top, Path folder, PathMatcher matcher, List<String> to)
      throws IOException {
    List<Path> children;
    try (Stream<Path> listed = Files.list(folder)) {
      children = listed.filter(each -> !isHidden(each)).sorted().toList();
    }
    for (Path child : children) {
      boolean isFolder = Files.isDirectory(child);
      boolean isStore = isFolder && ZarrConnectorFactory.isStore(child.toString());
      if (isFolder && !isStore) {
        if (matcher != null && matcher.matches(child)) {
          add(top, child, null, to);
        } else {
          add(top, child, matcher, to);
        }
      } else if (matcher == null || matcher.matches(child)) {
        to.add(child.toString());
      }
    }
  }

  private static boolean isHidden(Path path) {
    String name = path.getFileName().toString();
    return name.startsWith(".") || name.startsWith("_");
  }
}
