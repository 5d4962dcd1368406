package org.hyperslab.mpiio.collective;

import java.io.IOException;
import java.nio.file.Files;
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
 * What algorithms want to know about the file system of a file.
 *
 * @param type its name, such as {@code ext4} or {@code lustre}
 * @param stripeBytes the length of a stripe; 0 if the file is not striped or that is not known
 * @param stripes the number of servers or disks that stripes go to in turn; 1 if not striped
 * @param blockBytes the unit in which the file system stores or locks; at least 1
 * @param saturationBytes OMPIO's k: the bytes with which one writer gets all it can get
 * @param costs what requests cost
 */
public record FileSystemTraits(
    String type,
    long stripeBytes,
    int stripes,
    long blockBytes,
    long saturationBytes,
    StorageCosts costs) {

  /** Measured on ext4 and tmpfs: a request of this length is as good as any. */
  private static final long LOCAL_SATURATION_BYTES = 128 << 10;

  private static final long REMOTE_SATURATION_BYTES = 4 << 20;

  private static final Set<String> PARALLEL = Set.of("lustre", "gpfs", "beegfs", "pvfs2", "ceph");

  private static final Set<String> REMOTE = Set.of("nfs", "nfs4", "cifs", "smb3", "fuse.sshfs");

  private static final long PAGE_BYTES = 4096;

  private static final int MOST_KNOWN = 64;

  /**
   * By device: to ask the machine means to read its table of mounted file systems, for each file
   * that is opened. Lustre's striping is each file's own.
   */
  private static final Map<Object, FileSystemTraits> KNOWN = new ConcurrentHashMap<>();

  /** {@return a file in this machine's page cache or memory} */
  public static FileSystemTraits local() {
    return new FileSystemTraits(
        "local", 0, 1, PAGE_BYTES, LOCAL_SATURATION_BYTES, StorageCosts.LOCAL);
  }

  /**
   * {@return what the machine says about the file system that holds {@code path}, or would}
   * Striping is asked of Lustre's {@code lfs}; elsewhere it has to be hinted.
   *
   * @param path the path of the file
   */
  public static FileSystemTraits detect(Path path) {
    try {
      Path existing = path.toAbsolutePath();
      while (existing != null && !Files.exists(existing)) {
        existing = existing.getParent();
      }
      if (existing == null) {
        return local();
      }
      Object device = device(existing);
      FileSystemTraits known = device == null ? null : KNOWN.get(device);
      if (known != null) {
        return known;
      }
      FileSystemTraits traits = ofStore(existing);
      if (device != null && !traits.type.equals("lustre") && KNOWN.size() < MOST_KNOWN) {
        KNOWN.put(device, traits);
      }
      return traits;
    } catch (IOException unknown) {
      return local();
    }
  }

  /**
   * Names the file system that holds a file: its type and what is mounted there, or its device
   * where no mount point is found, as in a root directory that was changed without one.
   *
   * @throws IOException if the file cannot be looked at
   */
  static String nameOf(Path existing) throws IOException {
    try {
      java.nio.file.FileStore store = Files.getFileStore(existing);
      return store.type() + " " + store.name();
    } catch (IOException noMountPoint) {
      return "device " + device(existing);
    }
  }

  /** Returns the number of the device that holds a file; null where files do not tell. */
  private static Object device(Path existing) throws IOException {
    return existing.getFileSystem().supportedFileAttributeViews().contains("unix")
        ? Files.getAttribute(existing, "unix:dev")
        : null;
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
   * {@return the same with the striping and the saturation point that hints give, where they do}
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
   * Makes an empty file if hints say how a new one is to be: {@code file_perm} everywhere, {@code
   * striping_factor} and {@code striping_unit} where the file system is Lustre. By one process.
   *
   * @param path the path of the file
   * @param hints the hints for accesses to the file
   * @return whether it was made: not if hints say nothing of it, or there is such a file
   * @throws org.hyperslab.error.StorageException if it cannot be made
   */
  public static boolean create(Path path, Hints hints) {
    return NewFile.isAskedFor(hints) && NewFile.make(path, detect(path).type, hints);
  }

  /**
   * Tells a file's store in what style it will be accessed ({@code access_style}), so that the
   * system reads ahead, and forgets what is not needed again.
   *
   * @param store the open file; others than {@link org.hyperslab.format.store.FileStore} are not
   *     told
   * @param hints the hints for accesses to the file
   */
  public static void expectAccess(ByteStore store, Hints hints) {
    Set<String> style = hints.accessStyle();
    if (store instanceof org.hyperslab.format.store.FileStore file && !style.isEmpty()) {
      int direction =
          style.contains("sequential") ? 1 : style.contains("reverse_sequential") ? -1 : 0;
      file.expectAccess(style.contains("read_once"), style.contains("write_once"), direction);
    }
  }

  /**
   * {@return the hints that change nothing here, for people; empty if there are none}
   *
   * @param hints the hints for accesses to the file
   */
  public String ignored(Hints hints) {
    List<String> all = new ArrayList<>(hints.unknown());
    Set<String> style = new TreeSet<>(hints.accessStyle());
    style.retainAll(Set.of("read_mostly", "write_mostly", "random"));
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
   * {@return the same with other costs}
   *
   * @param other the costs
   */
  public FileSystemTraits with(StorageCosts other) {
    return new FileSystemTraits(type, stripeBytes, stripes, blockBytes, saturationBytes, other);
  }

  /**
   * {@return the same with another saturation point, as {@code hyperslab_saturation=measured} finds
   * it}
   *
   * @param bytes the size in bytes
   */
  public FileSystemTraits saturatedBy(long bytes) {
    return new FileSystemTraits(type, stripeBytes, stripes, blockBytes, bytes, costs);
  }

  /**
   * {@return the same with stripes of {@code bytes} over {@code count} servers}
   *
   * @param bytes the size in bytes
   * @param count how many
   */
  public FileSystemTraits striped(long bytes, int count) {
    return new FileSystemTraits(type, bytes, count, blockBytes, saturationBytes, costs);
  }

  /** {@return whether the file is striped over several servers, as far as is known} */
  public boolean isStriped() {
    return stripeBytes > 0 && stripes > 1;
  }
}
