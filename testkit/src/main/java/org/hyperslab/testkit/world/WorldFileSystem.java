package org.hyperslab.testkit.world;

import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.Set;

/**
 * The file system of a disk, as Java sees it.
 *
 * <p>Thread rule: confined to the world.
 */
final class WorldFileSystem extends FileSystem {

  private final WorldDisk disk;
  private final WorldFiles provider = new WorldFiles();

  WorldFileSystem(WorldDisk disk) {
    this.disk = disk;
  }

  WorldDisk disk() {
    return disk;
  }

  @Override
  public FileSystemProvider provider() {
    return provider;
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException("the disk is closed instead");
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public String getSeparator() {
    return "/";
  }

  @Override
  public Iterable<Path> getRootDirectories() {
    return List.of(getPath("/"));
  }

  @Override
  public Iterable<FileStore> getFileStores() {
    return List.of();
  }

  @Override
  public Set<String> supportedFileAttributeViews() {
    return Set.of("basic", "posix");
  }

  @Override
  public Path getPath(String first, String... more) {
    return WorldPath.of(this, more.length == 0 ? first : first + "/" + String.join("/", more));
  }

  @Override
  public PathMatcher getPathMatcher(String pattern) {
    PathMatcher matcher = FileSystems.getDefault().getPathMatcher(pattern);
    return path -> matcher.matches(Path.of(path.toString()));
  }

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    throw new UnsupportedOperationException("no users");
  }

  @Override
  public WatchService newWatchService() {
    throw new UnsupportedOperationException("no watches");
  }
}
