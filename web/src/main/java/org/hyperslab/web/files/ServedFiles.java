package org.hyperslab.web.files;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.model.Locking;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.scales.DimensionTable;
import org.hyperslab.vol.Connectors;
import org.hyperslab.web.limit.RequestRefusal;
import org.hyperslab.web.options.WebOptions;

/**
 * Opens files for requests. Requests share an open file as long as the file is unchanged; a changed
 * file is reopened, so that changes by other programs are visible. Files are not locked, so that
 * other programs can write them, and are closed soon after the last request.
 *
 * <p>Thread rule: any thread.
 */
public final class ServedFiles implements AutoCloseable {

  private static final String CONFINED_TO = "confinedTo";
  private static final String READ_MARKED = "clearConsistencyFlags";

  /** What every connector's error says of a file that is marked as open for writing. */
  private static final String MARKED = "marked as open for writing";

  /** The time for which a file stays open after the last request. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * The time for which a file of a connector is assumed unchanged, as only the connector could
   * detect changes.
   */
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final FileNames names;
  private final BiFunction<String, OpenOptions, H5File> opener;
  private final boolean readsMarked;
  private final Map<String, SharedFile> files = new ConcurrentHashMap<>();
  private final ScheduledExecutorService sweeper =
      Executors.newSingleThreadScheduledExecutor(
          task -> Thread.ofPlatform().daemon().name("hyperslab-web-close").unstarted(task));

  /**
   * Creates an instance without open files.
   *
   * @param names the names of the files
   * @param options how files are opened
   */
  public ServedFiles(FileNames names, WebOptions options) {
    this.names = names;
    this.opener = options.opener();
    this.readsMarked = options.readsMarked();
    sweeper.scheduleWithFixedDelay(this::sweep, 5, 5, TimeUnit.SECONDS);
  }

  /** {@return the names of the files} */
  public FileNames names() {
    return names;
  }

  /**
   * {@return an open file, which the caller closes to release it}
   *
   * @param name its name
   * @throws NotFoundException if there is no file of that name
   * @throws StorageException if it cannot be read
   */
  public Borrowed open(String name) {
    FileNames.Target target = find(name);
    String version = version(target);
    SharedFile[] found = new SharedFile[1];
    files.compute(
        name,
        (same, present) -> {
          if (present != null && present.version().equals(version) && present.use()) {
            found[0] = present;
            return present;
          }
          found[0] = open(target, version);
          found[0].use();
          if (present != null) {
            present.retire();
          }
          return found[0];
        });
    return new Borrowed(found[0]);
  }

  /**
   * {@return a text that changes when the file has changed}
   *
   * @param name its name
   * @throws NotFoundException if there is no file of that name
   */
  public String version(String name) {
    return version(find(name));
  }

  private FileNames.Target find(String name) {
    return names.find(name).orElseThrow(() -> notFound(name, null));
  }

  private static NotFoundException notFound(String name, Throwable cause) {
    return new NotFoundException("File not found: '" + name + "'", cause);
  }

  private static String version(FileNames.Target target) {
    if (target.local().isEmpty()) {
      return Long.toString(System.nanoTime() / FRESH_NANOS);
    }
    Path file = target.local().get();
    try {
      BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
      return now.size()
          + "-"
          + now.lastModifiedTime().to(TimeUnit.NANOSECONDS)
          + "-"
          + now.fileKey();
    } catch (IOException e) {
      throw notFound(file.getFileName().toString(), e);
    }
  }

  private SharedFile open(FileNames.Target target, String version) {
    OpenOptions options = options(target);
    if (target.local().isEmpty()) {
      // Closed at once: on a server, a file that is open for reading cannot be edited by others.
      return new SharedFile(version, opened(target, options, opener), false, () -> {});
    }
    // A separate connector: one that already has the file open would return its earlier state.
    Session session = Hdf5.session(Connectors.defaultConfiguration());
    try {
      return new SharedFile(version, opened(target, options, session::open), true, session::close);
    } catch (RuntimeException | OutOfMemoryError failure) {
      session.close();
      throw failure;
    }
  }

  private static H5File opened(
      FileNames.Target target,
      OpenOptions options,
      BiFunction<String, OpenOptions, H5File> opener) {
    try {
      return opener.apply(target.opened(), options);
    } catch (StorageException markedByWriter) {
      if (markedByWriter.getCause() instanceof AccessDeniedException) {
        throw new StorageException("Permission denied: " + target.opened(), markedByWriter);
      }
      try {
        // A file open for SWMR writing is marked, and is opened as a SWMR reader.
        return opener.apply(target.opened(), options.withSwmr(true));
      } catch (StorageException marked) {
        throw isMarked(marked) ? refused(target, marked) : marked;
      }
    }
  }

  private static boolean isMarked(StorageException failure) {
    return String.valueOf(failure.getMessage()).contains(MARKED);
  }

  private static RequestRefusal refused(FileNames.Target target, StorageException marked) {
    String name = target.local().map(Path::getFileName).map(Path::toString).orElse(target.opened());
    return new RequestRefusal(
        409,
        "The file '"
            + name
            + "' is marked as open for writing: its writer still has it open, or has ended without"
            + " closing it. Wait until it is closed; or, if no program writes it, clear the mark"
            + " with 'hyperslab clear -s FILE'; or start this server with --read-marked, which"
            + " reads such files as they are",
        marked);
  }

  private OpenOptions options(FileNames.Target target) {
    OpenOptions unlocked = OpenOptions.READ.withLocking(Locking.OFF);
    OpenOptions heeding = readsMarked ? unlocked.withProperty(READ_MARKED, "true") : unlocked;
    Optional<Path> folder = target.confinedTo();
    return folder.isEmpty() ? heeding : heeding.withProperty(CONFINED_TO, folder.get().toString());
  }

  private void sweep() {
    long now = System.nanoTime();
    for (String name : files.keySet()) {
      files.computeIfPresent(
          name,
          (same, file) -> {
            if (!file.isIdleSince(now - IDLE_NANOS)) {
              return file;
            }
            file.retire();
            return null;
          });
    }
  }

  @Override
  public void close() {
    sweeper.shutdownNow();
    for (String name : files.keySet()) {
      files.computeIfPresent(
          name,
          (same, file) -> {
            file.retire();
            return null;
          });
    }
  }

  /** An open file in use by one request. */
  public static final class Borrowed implements AutoCloseable {

    private final SharedFile shared;
    private boolean closed;

    private Borrowed(SharedFile shared) {
      this.shared = shared;
    }

    /** {@return the open file, which is shared} */
    public H5File file() {
      return shared.file();
    }

    /** {@return the dimensions of the file} */
    public DimensionTable dimensions() {
      return shared.dimensions();
    }

    /** Releases the file; releasing it twice has no effect. */
    @Override
    public void close() {
      if (!closed) {
        closed = true;
        shared.release();
      }
    }
  }
}
