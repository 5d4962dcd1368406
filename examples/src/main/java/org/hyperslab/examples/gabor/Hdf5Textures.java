package org.hyperslab.examples.gabor;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Memory;
import org.hyperslab.Session;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.TransferOptions;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.vol.Connector;

/**
 * Textures as HDF5 files with a dataset {@code texture} each. Started writes advance by the
 * connector's own threads, so tests have no effect; with {@code progress=wait} it has ended when
 * the call returns.
 */
final class Hdf5Textures implements TextureOutput {

  static final String DATASET = "texture";

  private final Communicator ranks;
  private final Path folder;
  private final long size;
  private final Session session;

  /**
   * Opens a session.
   *
   * @param ranks the ranks
   * @param folder where the files go
   * @param size the length of the image's edges in pixels
   * @param connector writes the files; the caller closes it
   */
  Hdf5Textures(Communicator ranks, Path folder, int size, Connector connector) {
    this.ranks = ranks;
    this.folder = folder;
    this.size = size;
    this.session = Hdf5.session(connector);
  }

  @Override
  public Path file(int filter) {
    return folder.resolve("texture-%02d.h5".formatted(filter));
  }

  private Dataset dataset(H5File file) {
    return file.createDataset(DATASET, float.class, size, size);
  }

  private Selection place(long rows) {
    return Selection.box(new long[] {ranks.rank() * rows, 0}, new long[] {rows, size});
  }

  private long rows(MemorySegment texture) {
    return texture.byteSize() / Float.BYTES / size;
  }

  private Memory memory(MemorySegment texture) {
    return Memory.of(texture, Datatypes.NATIVE_FLOAT, rows(texture), size);
  }

  @Override
  public void write(int filter, MemorySegment texture) {
    try (H5File file = session.create(file(filter))) {
      dataset(file).write(place(rows(texture)), memory(texture), TransferOptions.COLLECTIVE);
    }
  }

  @Override
  public Ongoing start(int filter, MemorySegment texture) {
    H5File file = session.create(file(filter));
    CompletableFuture<Void> written =
        dataset(file).writeAsync(place(rows(texture)), memory(texture), TransferOptions.COLLECTIVE);
    return new Ongoing() {
      @Override
      public void test() {}

      @Override
      public void end() {
        try (file) {
          written.join();
        }
      }
    };
  }

  @Override
  public void close() {
    session.close();
  }
}
