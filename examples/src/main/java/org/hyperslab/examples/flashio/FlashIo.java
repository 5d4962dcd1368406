package org.hyperslab.examples.flashio;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hyperslab.H5File;
import org.hyperslab.Session;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.mpiio.comm.Communicator;

/**
 * Writes a checkpoint and both plotfiles as the FLASH code does on a number of ranks, reads them
 * back, compares every value, and measures the times. The mesh is filled before the clock starts.
 *
 * <p>The ranks work at once, each in its thread or process, when given a communicator and a
 * connector for many ranks; without one they take turns in this thread, with any connector.
 *
 * <p>Thread rule: confined to one thread; each rank has its own.
 */
public final class FlashIo {

  private static final boolean TOGETHER = true;

  private final Session session;
  private final FlashPart part;
  private final String folder;
  private final FlashProgress progress;
  private final OpenOptions access;
  private final boolean together;

  /**
   * Creates a run in which the ranks take turns.
   *
   * @param session the session whose connector executes the run
   * @param mesh the blocks of all ranks
   * @param folder the folder of the files: a path or URI of the connector, empty for none
   * @param progress receives the progress
   */
  public FlashIo(Session session, FlashMesh mesh, String folder, FlashProgress progress) {
    this(session, FlashPart.inTurn(mesh), folder, progress, OpenOptions.READ, TOGETHER);
  }

  private FlashIo(
      Session session,
      FlashPart part,
      String folder,
      FlashProgress progress,
      OpenOptions access,
      boolean together) {
    this.together = together;
    this.access = access;
    this.session = session;
    this.part = part;
    this.folder = folder.isEmpty() || folder.endsWith("/") ? folder : folder + "/";
    this.progress = progress;
  }

  /**
   * Prepares the part of one rank in a run in which all ranks work at once; called by each rank.
   *
   * @param session the session of a connector for the ranks of {@code world}, such as {@code mpiio}
   * @param world the ranks that share the mesh
   * @param folder the folder of the files
   * @param progress receives the progress of this rank
   * @return the part of this rank
   */
  public static FlashIo onEveryRank(
      Session session, Communicator world, String folder, FlashProgress progress) {
    return new FlashIo(session, FlashPart.of(world), folder, progress, OpenOptions.READ, TOGETHER);
  }

  /**
   * The result for one file.
   *
   * @param file the kind of file
   * @param name the name of the file
   * @param sizeBytes the length of the file in bytes
   * @param writeSeconds the time from creating to closing it, on the slowest rank
   * @param readSeconds the time from opening it to the comparison of the last value, on the slowest
   *     rank
   */
  public record Result(
      FlashFile file, String name, long sizeBytes, double writeSeconds, double readSeconds) {}

  /**
   * Writes and verifies the three files, replacing existing ones.
   *
   * @return the results, the same on every rank
   * @throws IllegalStateException if a value read back differs
   * @throws org.hyperslab.error.HyperslabException if the connector fails
   */
  public List<Result> run() {
    FlashBlocks blocks = new FlashBlocks(part.mesh());
    blocks.become(part.first());
    List<Result> results = new ArrayList<>();
    for (FlashFile kind : FlashFile.values()) {
      results.add(run(kind, blocks));
    }
    return results;
  }

  /**
   * Sets properties of the files that are opened.
   *
   * @param properties values by names that the connector knows
   * @return the changed run
   */
  public FlashIo withProperties(Map<String, String> properties) {
    OpenOptions options = access;
    for (Map.Entry<String, String> property : properties.entrySet()) {
      options = options.withProperty(property.getKey(), property.getValue());
    }
    return new FlashIo(session, part, folder, progress, options, together);
  }

  /**
   * Sets whether a rank writes its rows of all datasets by one call, which is the default, or by
   * one call for each dataset. The files are the same.
   *
   * @param allDatasets whether one call writes all datasets
   * @return the changed run
   */
  public FlashIo withDatasetsTogether(boolean allDatasets) {
    return new FlashIo(session, part, folder, progress, access, allDatasets);
  }

  /**
   * Writes one file, replacing an existing one.
   *
   * @param kind which file
   * @return the seconds from creating to closing it, on the slowest rank
   */
  public double write(FlashFile kind) {
    FlashBlocks blocks = new FlashBlocks(part.mesh());
    blocks.become(part.first());
    return write(kind, blocks);
  }

  private Result run(FlashFile kind, FlashBlocks blocks) {
    return verify(kind, write(kind, blocks));
  }

  private double write(FlashFile kind, FlashBlocks blocks) {
    blocks.takeFillNanos();
    long started = part.startNanos();
    FlashWriter writer = new FlashWriter(part, blocks, kind, progress, together);
    try (H5File file = create(kind)) {
      writer.write(file);
    }
    writer.await();
    long nanos = System.nanoTime() - started - blocks.takeFillNanos();
    return 1e-9 * part.slowestNanos(nanos);
  }

  private H5File create(FlashFile kind) {
    // The oldest format, like the original's files, which any HDF5 reader opens.
    CreateOptions options =
        CreateOptions.DEFAULT
            .withAccess(access.withWritable(true))
            .withBounds(FormatVersion.EARLIEST, FormatVersion.V110);
    return session.create(folder + kind.fileName(), options);
  }

  /**
   * Writes one file, and waits for requests only after all have been submitted. The elements are
   * prepared before the clock starts.
   *
   * @param kind which file
   * @return the seconds from creating to closing the file
   */
  public double writeWithoutWaiting(FlashFile kind) {
    try (FlashStaging staging = new FlashStaging(part.mesh(), kind)) {
      long started = System.nanoTime();
      try (H5File file = create(kind)) {
        staging.write(file);
      }
      return 1e-9 * (System.nanoTime() - started);
    }
  }

  /**
   * Counts the requests for raw data that {@link #writeWithoutWaiting} makes.
   *
   * @param kind which file
   * @return the number
   */
  public long requests(FlashFile kind) {
    try (FlashStaging staging = new FlashStaging(part.mesh(), kind)) {
      return staging.requests();
    }
  }

  /**
   * Reads a file back and compares every value.
   *
   * @param kind which file
   * @param writeSeconds the time of writing it, for the result
   * @return times and sizes
   * @throws IllegalStateException if a value differs
   */
  public Result verify(FlashFile kind, double writeSeconds) {
    String name = folder + kind.fileName();
    long started = part.startNanos();
    long size;
    try (H5File file = session.open(name, OpenOptions.READ)) {
      new FlashReader(part, kind, progress).verify(file);
      size = file.info().sizeBytes();
    }
    long nanos = part.slowestNanos(System.nanoTime() - started);
    return new Result(kind, name, size, writeSeconds, 1e-9 * nanos);
  }
}
