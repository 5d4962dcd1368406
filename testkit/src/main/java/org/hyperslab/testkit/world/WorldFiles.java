package org.hyperslab.testkit.world;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What Java's calls on paths of disks do.
 *
 * <p>Thread rule: confined to the world.
 */
final class WorldFiles extends FileSystemProvider {

  private static WorldDisk disk(Path path) {
    return ((WorldFileSystem) path.getFileSystem()).disk();
  }

  private static String text(Path path) {
    return path.toAbsolutePath().normalize().toString();
  }

  @Override
  public String getScheme() {
    return "world";
  }

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
    throw new UnsupportedOperationException("disks make file systems");
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    throw new UnsupportedOperationException("disks have file systems");
  }

  @Override
  public Path getPath(URI uri) {
    throw new UnsupportedOperationException("no URIs");
  }

  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    WorldDisk disk = disk(path);
    boolean writes =
        options.contains(StandardOpenOption.WRITE) || options.contains(StandardOpenOption.APPEND);
    boolean reads = options.contains(StandardOpenOption.READ) || !writes;
    DiskNode node = disk.find(text(path));
    if (writes && node != null && options.contains(StandardOpenOption.CREATE_NEW)) {
      throw new FileAlreadyExistsException(text(path));
    }
    boolean creates =
        writes
            && (options.contains(StandardOpenOption.CREATE)
                || options.contains(StandardOpenOption.CREATE_NEW));
    if (node == null && creates) {
      disk.world().pass();
      node = disk.create(text(path), false);
    }
    node = disk.get(text(path));
    if (writes && node.isFolder()) {
      throw new IOException("Is a directory: " + path);
    }
    if (writes && options.contains(StandardOpenOption.TRUNCATE_EXISTING)) {
      node.truncate(0);
    }
    return new WorldChannel(disk, text(path), node, reads, writes);
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return newFileChannel(path, options, attributes);
  }

  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path folder, DirectoryStream.Filter<? super Path> filter) throws IOException {
    List<Path> all = new ArrayList<>();
    for (String name : disk(folder).children(text(folder))) {
      Path path = folder.getFileSystem().getPath(name);
      if (filter.accept(path)) {
        all.add(path);
      }
    }
    return new DirectoryStream<>() {
      @Override
      public Iterator<Path> iterator() {
        return all.iterator();
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
    disk(folder).create(text(folder), true);
  }

  @Override
  public void createLink(Path link, Path existing) throws IOException {
    disk(link).link(text(link), disk(existing).get(text(existing)));
  }

  @Override
  public void delete(Path path) throws IOException {
    WorldDisk disk = disk(path);
    if (disk.get(text(path)).isFolder() && !disk.children(text(path)).isEmpty()) {
      throw new DirectoryNotEmptyException(text(path));
    }
    disk.delete(text(path));
  }

  @Override
  public void copy(Path source, Path target, CopyOption... options) throws IOException {
    WorldDisk disk = disk(source);
    byte[] bytes = disk.get(text(source)).bytes();
    if (List.of(options).contains(StandardCopyOption.REPLACE_EXISTING)
        && disk.find(text(target)) != null) {
      disk.delete(text(target));
    }
    disk.create(text(target), false);
    try (FileChannel channel = newFileChannel(target, Set.of(StandardOpenOption.WRITE))) {
      channel.write(ByteBuffer.wrap(bytes));
    }
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) throws IOException {
    disk(source).world().pass();
    List<CopyOption> all = List.of(options);
    boolean replaces =
        all.contains(StandardCopyOption.REPLACE_EXISTING)
            || all.contains(StandardCopyOption.ATOMIC_MOVE);
    disk(source).rename(text(source), text(target), replaces);
  }

  @Override
  public boolean isSameFile(Path path, Path other) throws IOException {
    return disk(path).get(text(path)) == disk(other).get(text(other));
  }

  @Override
  public boolean isHidden(Path path) {
    return false;
  }

  @Override
  public FileStore getFileStore(Path path) {
    throw new UnsupportedOperationException("no file stores");
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    disk(path).get(text(path));
  }

  @Override
  public <V extends FileAttributeView> V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    return type == BasicFileAttributeView.class ? type.cast(new View(this, path)) : null;
  }

  private record View(WorldFiles files, Path path) implements BasicFileAttributeView {
    @Override
    public String name() {
      return "basic";
    }

    @Override
    public BasicFileAttributes readAttributes() throws IOException {
      return files.readAttributes(path, BasicFileAttributes.class);
    }

    @Override
    public void setTimes(FileTime modified, FileTime accessed, FileTime created) {}
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    if (!type.isAssignableFrom(Attributes.class)) {
      throw new UnsupportedOperationException(type.getName());
    }
    return type.cast(new Attributes(disk(path).get(text(path))));
  }

  private record Attributes(DiskNode node) implements PosixFileAttributes {
    private static final FileTime TIME = FileTime.fromMillis(0);

    @Override
    public UserPrincipal owner() {
      throw new UnsupportedOperationException("no users");
    }

    @Override
    public GroupPrincipal group() {
      throw new UnsupportedOperationException("no groups");
    }

    @Override
    public Set<PosixFilePermission> permissions() {
      return Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    }

    @Override
    public FileTime lastModifiedTime() {
      return TIME;
    }

    @Override
    public FileTime lastAccessTime() {
      return TIME;
    }

    @Override
    public FileTime creationTime() {
      return TIME;
    }

    @Override
    public boolean isRegularFile() {
      return !node.isFolder();
    }

    @Override
    public boolean isDirectory() {
      return node.isFolder();
    }

    @Override
    public boolean isSymbolicLink() {
      return false;
    }

    @Override
    public boolean isOther() {
      return false;
    }

    @Override
    public long size() {
      return node.size();
    }

    @Override
    public Object fileKey() {
      return node; // its identity
    }
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String names, LinkOption... options)
      throws IOException {
    DiskNode node = disk(path).get(text(path));
    return switch (names.substring(names.indexOf(':') + 1)) {
      case "fileKey" -> Map.of("fileKey", node);
      case "size" -> Map.of("size", (long) node.size());
      default -> throw new UnsupportedOperationException(names);
    };
  }

  @Override
  public void setAttribute(Path path, String name, Object value, LinkOption... options) {
    throw new UnsupportedOperationException(name);
  }
}
