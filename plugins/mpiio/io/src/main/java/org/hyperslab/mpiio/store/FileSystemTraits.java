package org.hyperslab.mpiio.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.mpiio.hint.Hints;

/**
 * The properties of a file's file system on which algorithms depend.
 *
 * @param type its name, such as {@code ext4} or {@code lustre}
 * @param stripeBytes the length of a stripe; 0 if the file is not striped or that is not known
 * @param stripes the number of servers or disks that stripes go to in turn; 1 if not striped
 * @param blockBytes the unit in which the file system stores or locks; at least 1
 * @param saturationBytes OMPIO's k: the bytes at which one writer reaches its full bandwidth
 * @param costs the costs of requests
 */
public record FileSystemTraits(
    String type,
    long stripeBytes,
    int stripes,
    long blockBytes,
    long saturationBytes,
    StorageCosts costs) {

  /**
   * The request length above which the bandwidth of a local file system is assumed not to increase.
   */
  private static final long LOCAL_SATURATION_BYTES = 128 << 10;

  private static final long REMOTE_SATURATION_BYTES = 4 << 20;

  private static final Set<String> PARALLEL = Set.of("lustre", "gpfs", "beegfs", "pvfs2", "ceph");

  private static final Set<String> REMOTE = Set.of("nfs", "nfs4", "cifs", "smb3", "fuse.sshfs");

  private static final long PAGE_BYTES = 4096;

  private static final int MAX_KNOWN = 64;

  /** The word of {@code access_style} for accesses that begin anywhere. */
  private static final String RANDOM = "random";

  /**
   * The traits by device, cached because detection reads the table of mounted file systems for each
   * opened file. Lustre's striping is specific to each file.
   */
  private static final Map<Object, FileSystemTraits> KNOWN = new ConcurrentHashMap<>();

  /** {@return the traits of a file in this machine's page cache or memory} */
  public static FileSystemTraits local() {
    return new FileSystemTraits(
        "local", 0, 1, PAGE_BYTES, LOCAL_SATURATION_BYTES, StorageCosts.LOCAL);
  }

  /**
   * {@return the traits of the file system that contains or would contain {@code path}} Lustre's
   * striping comes from {@code lfs}; for other file systems hints must give it.
   *
   * @param path the path of the file
   */
  public static FileSystemTraits detect(Path path) {
    try {
      Path existing = path.toAbsolutePath();
      Object device = null;
      for (boolean found = false; !found; ) {
        try {
          device = device(existing);
          found = true;
        } catch (IOException absent) {
          existing = existing.getParent();
          if (existing == null) {
            return local();
          }
        }
      }
      FileSystemTraits known = device == null ? null : KNOWN.get(device);
      if (known != null) {
        return known;
      }
      FileSystemTraits traits = ofStore(existing);
      if (device != null && !traits.type.equals("lustre") && KNOWN.size() < MAX_KNOWN) {
        KNOWN.put(device, traits);
      }
      return traits;
    } catch (IOException unknown) {
      return local();
    }
  }

  /**
   * Names the file system that contains a file: its type and mount, or its device if no mount point
   * is found, as in a changed root directory.
   *
   * @throws IOException if the attributes of the file cannot be read
   */
  static String nameOf(Path existing) throws IOException {
    try {
      java.nio.file.FileStore store = Files.getFileStore(existing);
      return store.type() + " " + store.name();
    } catch (IOException noMountPoint) {
      return "device " + device(existing);
    }
  }

  /**
   * Returns the number of the device that holds a file; null if unknown.
   *
   * @throws IOException if there is no such file
   */
  private static Object device(Path path) throws IOException {
    if (path.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return Files.getAttribute(path, "unix:dev");
    }
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString());
    }
    return null;
  }

  private static FileSystemTraits ofStore(Path existing) throws IOException {
    java.nio.file.FileStore store = Files.getFileStore(existing);
    String type = store.type().toLowerCase(Locale.ROOT);
    boolean distant = PARALLEL.contains(type) || REMOTE.contains(type);
    FileSystemTraits traits =
        new FileSystemTraits(
            type,
            0,
            1,
            Math.max(1, blockSize(store)),
            distant ? REMOTE_SATURATION_BYTES : LOCAL_SATURATION_BYTES,
            distant ? StorageCosts.REMOTE : StorageCosts.LOCAL);
    return type.equals("lustre") ? LustreStriping.of(existing, traits) : traits;
  }

  private static long blockSize(java.nio.file.FileStore store) throws IOException {
    try {
      return store.getBlockSize();
    } catch (UnsupportedOperationException none) {
      return PAGE_BYTES;
    }
  }

  /**
   * {@return these traits with the striping and the saturation point of the hints, if given}
   *
   * @param hints the hints for accesses to the file
   */
  public FileSystemTraits with(Hints hints) {
    long bytes = hints.striping().unitBytes() > 0 ? hints.striping().unitBytes() : stripeBytes;
    int count = hints.striping().factor() > 0 ? hints.striping().factor() : stripes;
    String asked = hints.choice().saturation();
    boolean given = Character.isDigit(asked.charAt(0));
    long saturation = given ? Long.parseLong(asked) : saturationBytes;
    return new FileSystemTraits(type, bytes, count, blockBytes, saturation, costs);
  }

  /**
   * Creates an empty file if hints determine properties of new files: {@code file_perm} everywhere,
   * {@code striping_factor} and {@code striping_unit} on Lustre. Called by one process.
   *
   * @param path the path of the file
   * @param hints the hints for accesses to the file
   * @return whether it was created; false if the hints have no such properties, or the file exists
   * @throws org.hyperslab.error.StorageException if it cannot be created
   */
  public static boolean create(Path path, Hints hints) {
    return FileCreation.isAskedFor(hints) && FileCreation.make(path, detect(path).type, hints);
  }

  /**
   * Passes the style of accesses ({@code access_style}) to a file's store, so that the system reads
   * ahead or does not, and drops pages that are not needed again.
   *
   * @param store the open file; ignored unless it is a {@link org.hyperslab.format.store.FileStore}
   * @param hints the hints for accesses to the file
   */
  public static void expectAccess(ByteStore store, Hints hints) {
    Set<String> style = hints.accessStyle();
    if (store instanceof org.hyperslab.format.store.FileStore file && !style.isEmpty()) {
      int direction =
          style.contains("sequential") ? 1 : style.contains("reverse_sequential") ? -1 : 0;
      file.expectAccess(style.contains("read_once"), style.contains("write_once"), direction);
      if (direction == 0 && style.contains(RANDOM)) {
        file.expectRandomReads(true);
      }
    }
  }

  /**
   * {@return the hints without effect here, for display; empty if there are none}
   *
   * @param hints the hints for accesses to the file
   */
  public String ignored(Hints hints) {
    List<String> all = new ArrayList<>(hints.unknown());
    Set<String> style = new TreeSet<>(hints.accessStyle());
    if (style.stream().noneMatch(word -> word.endsWith("sequential"))) {
      style.remove(RANDOM);
    }
    style.retainAll(Set.of("read_mostly", "write_mostly", RANDOM));
    style.forEach(word -> all.add(Hints.ACCESS_STYLE + "=" + word));
    if (!type.equals("lustre") && hints.striping().factor() > 0) {
      all.add("striping_factor for the file itself");
    }
    if (!type.equals("lustre") && hints.striping().unitBytes() > 0) {
      all.add("striping_unit for the file itself");
    }
    return all.isEmpty() ? "" : "; ignored hints: " + String.join(", ", all);
  }

  /**
   * {@return these traits with other costs}
   *
   * @param other the costs
   */
  public FileSystemTraits with(StorageCosts other) {
    return new FileSystemTraits(type, stripeBytes, stripes, blockBytes, saturationBytes, other);
  }

  /**
   * {@return these traits with another saturation point, such as the one measured for {@code
   * hyperslab_saturation=measured}}
   *
   * @param bytes the size in bytes
   */
  public FileSystemTraits saturatedBy(long bytes) {
    return new FileSystemTraits(type, stripeBytes, stripes, blockBytes, bytes, costs);
  }

  /**
   * {@return these traits with stripes of {@code bytes} over {@code count} servers}
   *
   * @param bytes the size in bytes
   * @param count the number of servers
   */
  public FileSystemTraits striped(long bytes, int count) {
    return new FileSystemTraits(type, bytes, count, blockBytes, saturationBytes, costs);
  }

  /** {@return whether the file is known to be striped over several servers} */
  public boolean isStriped() {
    return stripeBytes > 0 && stripes > 1;
  }
}
