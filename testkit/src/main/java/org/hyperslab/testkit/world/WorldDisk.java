package org.hyperslab.testkit.world;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.hyperslab.format.store.LocalPaths;

/**
 * A disk with one file system. What a file and a folder were told since they were last forced is
 * lost or kept when the power fails, as the seed decides: writes in units of a sector, names in the
 * order in which they were changed in each folder.
 *
 * <p>A force that fails loses what it should have made durable, as Linux's page cache does: later
 * forces do not write it again.
 *
 * <p>Thread rule: confined to the world.
 */
public final class WorldDisk implements AutoCloseable {

  /** The unit of a torn write in bytes. */
  static final int SECTOR = 512;

  private final World world;
  private final String root;
  private final WorldFileSystem files;
  private final NavigableMap<String, DiskNode> names = new TreeMap<>();
  private final NavigableMap<String, DiskNode> durable = new TreeMap<>();
  private final List<Renaming> pending = new ArrayList<>();
  private Fault fault = Fault.NONE;
  private Omission omission = Omission.NONE;
  private long failAfter;
  private long freeBytes = Long.MAX_VALUE;
  private long numbers;

  /** The kind of requests that fail. */
  public enum Fault {
    /** No request fails. */
    NONE,
    /** Writes, and changes of the length. */
    WRITE,
    /** Forces of files and folders. */
    FORCE,
    /** Reads of files fail. */
    READ
  }

  /** What this disk does not do though it says so: a mutant of the programs that call it. */
  public enum Omission {
    /** Nothing is left out. */
    NONE,
    /** Forcing a folder. */
    FOLDERS,
    /** Forcing a journal. */
    JOURNALS,
    /** Forcing a file that is no journal. */
    FILES
  }

  /** A change of the names in a folder. */
  private record Renaming(String folder, Consumer<Map<String, DiskNode>> change) {}

  /**
   * Creates a disk with one empty folder, which is durable, and mounts it.
   *
   * @param world the world
   */
  public WorldDisk(World world) {
    this.world = world;
    this.root = "/world-" + UUID.randomUUID();
    this.files = new WorldFileSystem(this);
    names.put(root, new DiskNode(0, true));
    durable.put(root, names.get(root));
    LocalPaths.mount(root, files);
  }

  /** {@return the path of the folder that exists from the beginning} */
  public Path root() {
    return files.getPath(root);
  }

  FileSystem fileSystem() {
    return files;
  }

  World world() {
    return world;
  }

  /** Unmounts the disk. */
  @Override
  public void close() {
    LocalPaths.unmount(root);
  }

  // --- faults ---

  /**
   * Lets operations fail from some number of them on, until told otherwise.
   *
   * @param which what fails
   * @param after the number of such operations that still succeed
   */
  public void fail(Fault which, long after) {
    fault = which;
    failAfter = after;
  }

  /**
   * Limits the space.
   *
   * @param bytes the bytes by which files may still grow
   */
  public void free(long bytes) {
    freeBytes = bytes;
  }

  /**
   * Makes this disk one that leaves something out.
   *
   * @param what what it leaves out
   */
  public void omit(Omission what) {
    omission = what;
  }

  void check(Fault kind) throws IOException {
    if (fault == kind && failAfter-- <= 0) {
      throw new IOException("Input/output error");
    }
  }

  /** Takes space; returns how much of it there is. */
  long take(long bytes) {
    long taken = Math.min(bytes, freeBytes);
    freeBytes -= freeBytes == Long.MAX_VALUE ? 0 : taken;
    return taken;
  }

  /** Drops from memory what forces that failed have lost, as a system does at some time. */
  public void evict() {
    names.values().forEach(DiskNode::evict);
  }

  /**
   * Lets the power fail: what was not forced is lost or kept as the seed decides. All processes
   * that have files open must have been killed before.
   */
  public void powerCut() {
    RandomGenerator random = world.random();
    DiskNode.Loss loss = DiskNode.Loss.values()[random.nextInt(DiskNode.Loss.values().length)];
    Map<String, Integer> kept = new TreeMap<>();
    Map<String, Integer> counts = new TreeMap<>();
    pending.forEach(each -> counts.merge(each.folder, 1, Integer::sum));
    counts.forEach((folder, count) -> kept.put(folder, loss.prefix(count, random)));
    for (Renaming each : pending) {
      if (kept.merge(each.folder, -1, Integer::sum) >= 0) {
        each.change.accept(durable);
      }
    }
    pending.clear();
    names.clear();
    names.putAll(durable);
    // What is in a folder that was lost is lost with it.
    for (Iterator<String> each = names.keySet().iterator(); each.hasNext(); ) {
      String name = each.next();
      if (!name.equals(root) && !names.containsKey(parent(name))) {
        each.remove();
      }
    }
    names.values().forEach(node -> node.powerCut(loss, random));
    durable.clear();
    durable.putAll(names);
    fault = Fault.NONE;
  }

  /**
   * Flips a bit of a file, as it may happen to a disk that is long not read.
   *
   * @param path the file
   * @param offset the byte
   * @param bit the bit in it
   */
  public void flip(String path, int offset, int bit) {
    names.get(path).flip(offset, bit);
  }

  /**
   * {@return the paths of all files below the folder whose names end as given}
   *
   * @param end the end of their names
   */
  public List<String> paths(String end) {
    return names.entrySet().stream()
        .filter(each -> !each.getValue().isFolder() && each.getKey().endsWith(end))
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * {@return the content of a file}
   *
   * @param path the file
   */
  public byte[] bytes(String path) {
    return names.get(path).bytes();
  }

  // --- names ---

  static String parent(String path) {
    int slash = path.lastIndexOf('/');
    return slash <= 0 ? "/" : path.substring(0, slash);
  }

  DiskNode find(String path) {
    return names.get(path);
  }

  DiskNode get(String path) throws NoSuchFileException {
    DiskNode node = names.get(path);
    if (node == null) {
      throw new NoSuchFileException(path);
    }
    return node;
  }

  List<String> children(String path) throws IOException {
    if (!get(path).isFolder()) {
      throw new NotDirectoryException(path);
    }
    return names.subMap(path + "/", path + "0").keySet().stream()
        .filter(name -> parent(name).equals(path))
        .toList();
  }

  DiskNode create(String path, boolean folder) throws IOException {
    if (names.containsKey(path)) {
      throw new FileAlreadyExistsException(path);
    }
    requireFolder(path);
    DiskNode node = new DiskNode(++numbers, folder);
    change(parent(path), map -> map.put(path, node));
    return node;
  }

  private void requireFolder(String path) throws IOException {
    if (!get(parent(path)).isFolder()) {
      throw new NotDirectoryException(parent(path));
    }
  }

  void link(String path, DiskNode node) throws IOException {
    if (names.containsKey(path)) {
      throw new FileAlreadyExistsException(path);
    }
    requireFolder(path);
    change(parent(path), map -> map.put(path, node));
  }

  void delete(String path) throws IOException {
    get(path);
    change(parent(path), map -> map.remove(path));
  }

  void rename(String from, String to, boolean replaces) throws IOException {
    get(from);
    requireFolder(to);
    if (!replaces && names.containsKey(to)) {
      throw new FileAlreadyExistsException(to);
    }
    change(
        parent(to),
        map -> {
          DiskNode moved = map.remove(from);
          if (moved != null) {
            map.put(to, moved);
          }
        });
  }

  private void change(String folder, Consumer<Map<String, DiskNode>> how) {
    how.accept(names);
    pending.add(new Renaming(folder, how));
  }

  /** Makes a file, or the names in a folder, durable. */
  void force(String path, DiskNode node) throws IOException {
    world.pass();
    try {
      check(Fault.FORCE);
    } catch (IOException failed) {
      node.loseUnforced();
      throw failed;
    }
    if (node.isFolder()) {
      if (omission != Omission.FOLDERS) {
        applyNames(path);
      }
    } else if (omission != (path.contains(".journal") ? Omission.JOURNALS : Omission.FILES)) {
      node.force();
    }
    world.pass();
  }

  private void applyNames(String folder) {
    pending.removeIf(each -> {
      boolean its = each.folder.equals(folder);
      if (its) {
        each.change.accept(durable);
      }
      return its;
    });
  }
}
