package org.hyperslab.plugins.nativevol.store;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.CostStore;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileLocking;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.format.store.LocalPaths;
import org.hyperslab.format.store.MultiStore;
import org.hyperslab.format.store.PageBufferStore;
import org.hyperslab.format.store.RemoteStores;
import org.hyperslab.format.superblock.DriverInfo;
import org.hyperslab.format.superblock.Superblock;
import org.hyperslab.format.superblock.SuperblockCodec;
import org.hyperslab.model.Locking;
import org.hyperslab.model.OpenOptions;

/**
 * Opens the byte store of a named file: paths, {@code file:}, {@code http(s):} and {@code s3:} URIs
 * ({@link RemoteStores}), families and split files, each with the lock that the HDF5 library would
 * take.
 *
 * <p>Properties of {@link OpenOptions}: {@code driver} is {@code family} (the name holds {@code %d}
 * or {@code %05d}; {@code family.memberBytes} is the members' size, 0 for that of the first) or,
 * for reading only, {@code split} (the name is the part before {@code -m.h5} and {@code -r.h5}) or
 * {@code multi} (the name is the part before {@code -s.h5}). Without that property {@link
 * DriverDetection} detects the driver.
 *
 * <p>{@code pageBuffer.bytes} is the amount of memory for caching pages of {@code
 * pageBuffer.pageBytes} (default 4096) bytes, so that small reads of metadata cost one request per
 * page; not with SWMR. It suits files whose space is managed in pages of that size.
 *
 * <p>Locks: exclusive to edit, shared to read, none to read with SWMR. Unless the options decide
 * otherwise, {@code HDF5_USE_FILE_LOCKING} set to {@code FALSE} or {@code 0} disables them, and
 * {@code BEST_EFFORT} opens without locks where the file system does not support them.
 *
 * <p>Thread rule: no state.
 */
public final class StoreOpener {

  static final String DRIVER = "driver";
  static final String FAMILY = "family";
  static final String SPLIT = "split";
  static final String MULTI = "multi";
  static final String MEMBER_BYTES = "family.memberBytes";
  static final String PAGE_BUFFER = "pageBuffer.bytes";
  static final String PAGE_BUFFER_PAGE = "pageBuffer.pageBytes";
  private static final String DEFAULT_PAGE_BYTES = "4096";
  static final String COST_LATENCY = "cost.latencyMicros";
  static final String COST_BANDWIDTH = "cost.megabytesPerSecond";
  static final String COST_SERVERS = "cost.servers";
  private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+://");
  private static final Pattern BLANKS = Pattern.compile("\\s+");
  private static final long DEFAULT_MEMBER_BYTES = 1L << 31;

  private StoreOpener() {}

  /**
   * Opens an existing file.
   *
   * @param name the file's name
   * @param options the options for opening the file
   * @return the store
   */
  public static ByteStore open(String name, OpenOptions options) {
    if (RemoteStores.isRemote(name)) {
      requireUnconfined(name, options);
      if (options.writable()) {
        throw new InvalidUseException(
            "edit: actual="
                + RemoteStores.shown(name)
                + ", expected=a local file; remote files can only be read, and S3 objects only "
                + "be created as a whole");
      }
      return buffered(RemoteStores.open(name, options.properties()), options);
    }
    FileAccess access = options.writable() ? FileAccess.UPDATE : FileAccess.READ;
    String driver = driver(options);
    if (options.writable() && (driver.equals(SPLIT) || driver.equals(MULTI))) {
      throw readOnly(name);
    }
    return switch (driver) {
      case FAMILY -> family(name, options, access, 0);
      case SPLIT -> new SplitView(split(name, options));
      case MULTI -> new SplitView(multi(name, options));
      default -> buffered(priced(plain(path(name), options, access), options), options);
    };
  }

  /** Returns a store with a page cache, if the options ask for one. */
  private static ByteStore buffered(ByteStore store, OpenOptions options) {
    String bytes = options.properties().get(PAGE_BUFFER);
    if (bytes == null || options.swmr()) {
      return store;
    }
    String page = options.properties().getOrDefault(PAGE_BUFFER_PAGE, DEFAULT_PAGE_BYTES);
    try {
      return new PageBufferStore(store, Integer.parseInt(page), Long.parseLong(bytes));
    } catch (IllegalArgumentException wrong) {
      store.close();
      throw new InvalidUseException(
          PAGE_BUFFER
              + " and "
              + PAGE_BUFFER_PAGE
              + ": actual="
              + bytes
              + " and "
              + page
              + ", expected=numbers of bytes, with a page of at least 512 and a buffer of at least"
              + " one page, at="
              + store.name(),
          wrong);
    }
  }

  /** Opens a file to be created, or truncates it. */
  static ByteStore create(String name, OpenOptions options, boolean exclusive) {
    if (RemoteStores.isRemote(name)) {
      requireUnconfined(name, options);
      return RemoteStores.create(name, options.properties(), exclusive);
    }
    FileAccess access = exclusive ? FileAccess.CREATE_NEW : FileAccess.TRUNCATE;
    return switch (driver(options)) {
      case FAMILY -> family(path(name).toString(), options, access, DEFAULT_MEMBER_BYTES);
      case SPLIT, MULTI -> throw readOnly(name);
      default -> priced(plain(path(name), options, access), options);
    };
  }

  /** Refuses remote files to an opening that is confined to a folder. */
  private static void requireUnconfined(String name, OpenOptions options) {
    if (LocalFiles.of(options).areConfined()) {
      throw new NotFoundException(
          "file not found: actual="
              + RemoteStores.shown(name)
              + ", expected=a file below the folder that is served");
    }
  }

  /** Returns a store that simulates the request costs that the options set. */
  private static ByteStore priced(ByteStore store, OpenOptions options) {
    String latency = options.properties().get(COST_LATENCY);
    String bandwidth = options.properties().get(COST_BANDWIDTH);
    String servers = options.properties().getOrDefault(COST_SERVERS, "1");
    if (latency == null && bandwidth == null) {
      return store;
    }
    try {
      return CostStore.inRealTime(
          store,
          new CostStore.Costs(
              Math.multiplyExact(1000, Long.parseLong(latency)),
              Math.multiplyExact(1_000_000, Long.parseLong(bandwidth)),
              Integer.parseInt(servers)));
    } catch (NumberFormatException | ArithmeticException notANumber) {
      store.close();
      throw new InvalidUseException(
          COST_LATENCY
              + " and "
              + COST_BANDWIDTH
              + ": actual="
              + latency
              + " and "
              + bandwidth
              + " of "
              + servers
              + " servers, expected=whole numbers",
          notANumber);
    }
  }

  private static String driver(OpenOptions options) {
    String driver = options.properties().getOrDefault(DRIVER, "");
    if (!List.of("", "sec2", FAMILY, SPLIT, MULTI).contains(driver)) {
      throw new InvalidUseException(
          "driver: actual=" + driver + ", expected=sec2, family, split or multi");
    }
    return driver;
  }

  private static ByteStore family(
      String name, OpenOptions options, FileAccess access, long defaultBytes) {
    String bytes = options.properties().get(MEMBER_BYTES);
    try {
      long memberBytes = bytes == null ? defaultBytes : Long.parseLong(bytes);
      return LocalFiles.of(options).family(name, memberBytes, access);
    } catch (NumberFormatException notANumber) {
      throw new InvalidUseException(
          MEMBER_BYTES + ": actual=" + bytes + ", expected=a number of bytes", notANumber);
    }
  }

  private static UnsupportedFeatureException readOnly(String name) {
    return new UnsupportedFeatureException(
        "edit: actual=a file split by kind of data, expected=one file or a family, at="
            + name
            + "; copy it to one file first");
  }

  private static ByteStore split(String name, OpenOptions options) {
    ByteStore metadata = plain(path(name + "-m.h5"), options, FileAccess.READ);
    try {
      return MultiStore.split(
          name, metadata, plain(path(name + "-r.h5"), options, FileAccess.READ));
    } catch (RuntimeException failure) {
      metadata.close();
      throw failure;
    }
  }

  /**
   * Opens a multi file for reading. Its member {@code -s.h5} names the others and their start
   * addresses.
   */
  private static ByteStore multi(String name, OpenOptions options) {
    List<MultiStore.Member> members = new ArrayList<>();
    ByteStore first = plain(path(name + "-s.h5"), options, FileAccess.READ);
    members.add(new MultiStore.Member(0, first));
    try {
      Superblock superblock = SuperblockCodec.readUnchecked(first);
      Optional<DriverInfo> info = DriverDetection.driverInfo(first, superblock);
      List<DriverInfo.Member> others =
          info.isPresent()
              ? info.get().multiMembers(superblock.geometry())
              : DriverInfo.usualMultiMembers();
      for (DriverInfo.Member member : others) {
        Path path = path(member.nameTemplate().replace("%s", name));
        if (member.startAddress() != 0 && LocalFiles.of(options).exists(path)) {
          members.add(
              new MultiStore.Member(member.startAddress(), plain(path, options, FileAccess.READ)));
        }
      }
      return new MultiStore(name, members);
    } catch (RuntimeException failure) {
      members.forEach(member -> member.store().close());
      throw failure;
    }
  }

  private static ByteStore plain(Path path, OpenOptions options, FileAccess access) {
    Locking locking = options.locking().effective();
    LocalFiles files = LocalFiles.of(options);
    if (locking == Locking.OFF || (options.swmr() && !access.writable())) {
      return files.open(path, access);
    }
    FileLocking lock = access.writable() ? FileLocking.EXCLUSIVE : FileLocking.SHARED;
    FileStore store;
    try {
      store = files.open(path, access, lock);
    } catch (StorageException refused) {
      String holder = files.areConfined() ? "" : holder(path);
      throw new StorageException(refused.getMessage() + holder, refused);
    }
    if (locking == Locking.ON && !store.locked()) {
      store.close();
      throw new StorageException(
          "lock: actual=not supported by the file system, expected=locked, at="
              + path
              + "; open it with locking off or with best effort");
    }
    return store;
  }

  /** Returns whether the file is locked while it is open, according to the options. */
  static boolean locks(OpenOptions options) {
    return options.locking().effective() != Locking.OFF && !options.swmr();
  }

  /**
   * Deletes a local file, under the lock of a writer, or an object of S3.
   *
   * @param name the file's name
   * @throws StorageException if storage refuses, or another opener has locked the file
   */
  public static void delete(String name) {
    if (RemoteStores.isRemote(name)) {
      RemoteStores.delete(name, Map.of());
      return;
    }
    Path path = path(name);
    if (Locking.DEFAULT.effective() == Locking.OFF || !Files.isReadable(path)) {
      remove(path, name);
      return;
    }
    // A file that may not be written can be deleted if its folder may: readers are then let be.
    FileAccess access = Files.isWritable(path) ? FileAccess.UPDATE : FileAccess.READ;
    try (ByteStore _ = plain(path, OpenOptions.EDIT, access)) {
      remove(path, name);
    }
  }

  private static void remove(Path path, String name) {
    try {
      Files.delete(path);
    } catch (NoSuchFileException absent) {
      throw new NotFoundException("delete: actual=no such file, expected=file, at=" + name, absent);
    } catch (IOException failure) {
      throw new StorageException("delete failed: actual=" + failure + ", at=" + name, failure);
    }
  }

  /**
   * Returns the holder of a lock on a file according to /proc/locks on Linux; empty if it is
   * unknown.
   */
  private static String holder(Path path) {
    try {
      Object inode = Files.getAttribute(path, "unix:ino");
      List<String> holders = new ArrayList<>();
      String self = Long.toString(ProcessHandle.current().pid());
      for (String line : Files.readAllLines(Path.of("/proc/locks"))) {
        List<String> fields = BLANKS.splitAsStream(line.trim()).toList();
        if (fields.size() > 5 && fields.get(5).endsWith(":" + inode)) {
          String mode = fields.get(3).toLowerCase(Locale.ROOT);
          holders.add(
              fields.get(4).equals(self)
                  ? "this program itself ("
                      + mode
                      + "), which has the file open through another session or connector; close it"
                      + " there, or flush it there and open this one without locking"
                  : "process " + fields.get(4) + " (" + mode + ")");
        }
      }
      return holders.isEmpty() ? "" : "; the lock is held by " + String.join(", ", holders);
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException unknown) {
      return "";
    }
  }

  /** Returns the path of a local file's name. */
  static Path path(String name) {
    if (SCHEME.matcher(name).lookingAt() && !name.startsWith("file:")) {
      throw new UnsupportedFeatureException(
          "file: actual="
              + name
              + ", expected=a local path; http:// and https:// can be opened for reading only,"
              + " s3:// can be read or created, and other schemes are not supported");
    }
    try {
      return name.startsWith("file:") ? Path.of(URI.create(name)) : LocalPaths.of(name);
    } catch (InvalidPathException notAPath) {
      throw new NotFoundException("file not found: actual=" + name + ", expected=a path", notAPath);
    }
  }

  /**
   * {@return a key that is the same for all names of one local file, so that a file is never opened
   * twice; empty if the file does not exist or is not a regular file}
   *
   * @param name the file's name
   * @param options the options for opening the file
   */
  public static Optional<Object> identity(String name, OpenOptions options) {
    if (RemoteStores.isRemote(name)
        || !options.properties().getOrDefault(DRIVER, "sec2").equals("sec2")) {
      return Optional.of(driver(options) + ":" + name);
    }
    try {
      Path path = path(name);
      Object key = Files.getAttribute(path, "basic:fileKey");
      return Optional.of(key == null ? path.toRealPath() : key);
    } catch (IOException absent) {
      return Optional.empty();
    }
  }
}
