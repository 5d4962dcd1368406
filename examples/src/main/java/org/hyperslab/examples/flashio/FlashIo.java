package org.hyperslab.examples.flashio;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hyperslab.H5File;
import org.hyperslab.Session;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.OpenOptions;

/**
 * Writes a checkpoint and both plotfiles as the FLASH code does on a number of ranks, reads them
 * back, compares every value, and says how long it took. The ranks take turns in this process.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class FlashIo {

  private final Session session;
  private final FlashMesh mesh;
  private final String folder;
  private final FlashProgress progress;
  private final OpenOptions access;

  /**
   * A run that is about to start.
   *
   * @param session whose connector carries it out
   * @param mesh the blocks of all ranks
   * @param folder where the files go: a path or URI as the connector understands it, empty for none
   * @param progress hears how far it has come
   */
  public FlashIo(Session session, FlashMesh mesh, String folder, FlashProgress progress) {
    this(session, mesh, folder, progress, OpenOptions.READ);
  }

  private FlashIo(
      Session session, FlashMesh mesh, String folder, FlashProgress progress, OpenOptions access) {
    this.access = access;
    this.session = session;
    this.mesh = mesh;
    this.folder = folder.isEmpty() || folder.endsWith("/") ? folder : folder + "/";
    this.progress = progress;
  }

  /**
   * What became of one file.
   *
   * @param file which
   * @param name where it is
   * @param sizeBytes its length
   * @param writeSeconds from creating it to having it closed
   * @param readSeconds from opening it to having every value compared
   */
  public record Result(
      FlashFile file, String name, long sizeBytes, double writeSeconds, double readSeconds) {}

  /**
   * Writes and verifies the three files, replacing what is there.
   *
   * @throws IllegalStateException if a value read back differs
   * @throws org.hyperslab.error.HyperslabException if the connector fails
   */
  public List<Result> run() {
    FlashBlocks blocks = new FlashBlocks(mesh);
    List<Result> results = new ArrayList<>();
    for (FlashFile kind : FlashFile.values()) {
      results.add(run(kind, blocks));
    }
    return results;
  }

  /** The same with properties of the files that are opened, by names that the connector knows. */
  public FlashIo withProperties(Map<String, String> properties) {
    OpenOptions options = access;
    for (Map.Entry<String, String> property : properties.entrySet()) {
      options = options.withProperty(property.getKey(), property.getValue());
    }
    return new FlashIo(session, mesh, folder, progress, options);
  }

  private Result run(FlashFile kind, FlashBlocks blocks) {
    long started = System.nanoTime();
    try (H5File file = create(kind)) {
      new FlashWriter(mesh, blocks, kind, progress).write(file);
    }
    return verify(kind, 1e-9 * (System.nanoTime() - started));
  }

  private H5File create(FlashFile kind) {
    // As old as can be, like the original's files, which any HDF5 reader opens.
    CreateOptions options =
        CreateOptions.DEFAULT
            .withAccess(access.withWritable(true))
            .withBounds(FormatVersion.EARLIEST, FormatVersion.V110);
    return session.create(folder + kind.fileName(), options);
  }

  /**
   * Writes one file without waiting for any request before all of them are on their way, from
   * elements that were prepared before the clock runs.
   *
   * @return seconds from creating the file to having it closed
   */
  public double writeWithoutWaiting(FlashFile kind) {
    try (FlashStaging staging = new FlashStaging(mesh, kind)) {
      long started = System.nanoTime();
      try (H5File file = create(kind)) {
        staging.write(file);
      }
      return 1e-9 * (System.nanoTime() - started);
    }
  }

  /** How many requests for raw data {@link #writeWithoutWaiting} makes. */
  public long requests(FlashFile kind) {
    try (FlashStaging staging = new FlashStaging(mesh, kind)) {
      return staging.requests();
    }
  }

  /**
   * Reads a file back and compares every value.
   *
   * @param writeSeconds what it took to write it, for the result
   * @throws IllegalStateException if a value differs
   */
  public Result verify(FlashFile kind, double writeSeconds) {
    String name = folder + kind.fileName();
    long started = System.nanoTime();
    long size;
    try (H5File file = session.open(name, OpenOptions.READ)) {
      new FlashReader(mesh, kind, progress).verify(file);
      size = file.info().sizeBytes();
    }
    return new Result(kind, name, size, writeSeconds, 1e-9 * (System.nanoTime() - started));
  }
}
