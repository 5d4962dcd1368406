package org.hyperslab.testkit.world;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;

/**
 * A path of a disk: names between slashes.
 *
 * <p>Thread rule: immutable.
 */
final class WorldPath implements Path {

  private final WorldFileSystem files;
  private final boolean absolute;
  private final List<String> names;

  private WorldPath(WorldFileSystem files, boolean absolute, List<String> names) {
    this.files = files;
    this.absolute = absolute;
    this.names = List.copyOf(names);
  }

  static WorldPath of(WorldFileSystem files, String text) {
    List<String> names = new ArrayList<>();
    for (String name : text.split("/", -1)) {
      if (!name.isEmpty()) {
        names.add(name);
      }
    }
    return new WorldPath(files, text.startsWith("/"), names);
  }

  private WorldPath with(boolean isAbsolute, List<String> others) {
    return new WorldPath(files, isAbsolute, others);
  }

  private WorldPath ours(Path other) {
    if (other instanceof WorldPath path) {
      return path;
    }
    if (!other.isAbsolute()) {
      return of(files, other.toString());
    }
    throw new ProviderMismatchException();
  }

  @Override
  public FileSystem getFileSystem() {
    return files;
  }

  @Override
  public boolean isAbsolute() {
    return absolute;
  }

  @Override
  public Path getRoot() {
    return absolute ? with(true, List.of()) : null;
  }

  @Override
  public Path getFileName() {
    return names.isEmpty() ? null : with(false, List.of(names.getLast()));
  }

  @Override
  public Path getParent() {
    if (names.isEmpty() || (!absolute && names.size() == 1)) {
      return null;
    }
    return with(absolute, names.subList(0, names.size() - 1));
  }

  @Override
  public int getNameCount() {
    return names.size();
  }

  @Override
  public Path getName(int index) {
    return with(false, List.of(names.get(index)));
  }

  @Override
  public Path subpath(int begin, int end) {
    return with(false, names.subList(begin, end));
  }

  @Override
  public boolean startsWith(Path other) {
    if (!(other instanceof WorldPath path) || path.files != files) {
      return false;
    }
    return path.absolute == absolute
        && path.names.size() <= names.size()
        && names.subList(0, path.names.size()).equals(path.names);
  }

  @Override
  public boolean endsWith(Path other) {
    WorldPath path = ours(other);
    int from = names.size() - path.names.size();
    return from >= 0 && names.subList(from, names.size()).equals(path.names);
  }

  @Override
  public Path normalize() {
    List<String> left = new ArrayList<>();
    for (String name : names) {
      if (name.equals("..") && !left.isEmpty() && !left.getLast().equals("..")) {
        left.removeLast();
      } else if (!name.equals(".") && !(name.equals("..") && absolute)) {
        left.add(name);
      }
    }
    return with(absolute, left);
  }

  @Override
  public Path resolve(Path other) {
    if (other.isAbsolute()) {
      return ours(other);
    }
    List<String> all = new ArrayList<>(names);
    all.addAll(ours(other).names);
    return with(absolute, all);
  }

  @Override
  public Path relativize(Path other) {
    WorldPath path = ours(other);
    int common = 0;
    while (common < Math.min(names.size(), path.names.size())
        && names.get(common).equals(path.names.get(common))) {
      common++;
    }
    List<String> steps = new ArrayList<>();
    for (int i = common; i < names.size(); i++) {
      steps.add("..");
    }
    steps.addAll(path.names.subList(common, path.names.size()));
    return with(false, steps);
  }

  @Override
  public URI toUri() {
    return URI.create("world://" + toAbsolutePath());
  }

  @Override
  public Path toAbsolutePath() {
    return absolute ? this : files.disk().root().resolve(this);
  }

  @Override
  public Path toRealPath(LinkOption... options) throws IOException {
    Path real = toAbsolutePath().normalize();
    files.disk().get(real.toString());
    return real;
  }

  @Override
  public WatchKey register(
      WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
    throw new UnsupportedOperationException("no watches");
  }

  @Override
  public int compareTo(Path other) {
    return toString().compareTo(other.toString());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof WorldPath path
        && path.files == files
        && path.absolute == absolute
        && path.names.equals(names);
  }

  @Override
  public int hashCode() {
    return names.hashCode();
  }

  @Override
  public String toString() {
    return (absolute ? "/" : "") + String.join("/", names);
  }
}
