package org.hyperslab.examples.flashio;

import java.util.ArrayList;
import java.util.List;
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

  /**
   * A run that is about to start.
   *
   * @param session whose connector carries it out
   * @param mesh the blocks of all ranks
   * @param folder where the files go: a path or URI as the connector understands it, empty for none
   * @param progress hears how far it has come
   */
  public FlashIo(Session session, FlashMesh mesh, String folder, FlashProgress progress) {
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

  private Result run(FlashFile kind, FlashBlocks blocks) {
    String name = folder + kind.fileName();
    long started = System.nanoTime();
    // As old as can be, like the original's files, which any HDF5 reader opens.
    CreateOptions options =
        CreateOptions.DEFAULT.withBounds(FormatVersion.EARLIEST, FormatVersion.V110);
    try (H5File file = session.create(name, options)) {
      new FlashWriter(mesh, blocks, kind, progress).write(file);
    }
    long written = System.nanoTime();
    long size;
    try (H5File file = session.open(name, OpenOptions.READ)) {
      new FlashReader(mesh, kind, progress).verify(file);
      size = file.info().sizeBytes();
    }
    long read = System.nanoTime();
    return new Result(kind, name, size, 1e-9 * (written - started), 1e-9 * (read - written));
  }
}
