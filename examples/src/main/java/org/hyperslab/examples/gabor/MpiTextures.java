package org.hyperslab.examples.gabor;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileStore;
import org.hyperslab.mpiio.MpiFile;
import org.hyperslab.mpiio.comm.Communicator;
import org.hyperslab.mpiio.file.AccessMode;
import org.hyperslab.mpiio.file.FileRequest;
import org.hyperslab.mpiio.file.MemoryBuffer;
import org.hyperslab.mpiio.hint.Hints;

/**
 * Textures as plain files of floats, written by MPI-IO.
 *
 * @param ranks the ranks
 * @param folder where the files go
 * @param hints how accesses go
 * @param stores wraps the stores of files to make their requests take time; null for plain files
 */
record MpiTextures(Communicator ranks, Path folder, Hints hints, UnaryOperator<ByteStore> stores)
    implements TextureOutput {

  private static final Set<AccessMode> MODES = Set.of(AccessMode.CREATE, AccessMode.READ_WRITE);

  @Override
  public Path file(int filter) {
    return folder.resolve("texture-%02d.raw".formatted(filter));
  }

  private MpiFile open(int filter) {
    Path path = file(filter);
    if (stores == null) {
      return MpiFile.open(ranks, path, MODES, hints);
    }
    if (ranks.rank() == 0) {
      FileStore.open(path, FileAccess.TRUNCATE).close();
    }
    ranks.barrier();
    ByteStore store = stores.apply(FileStore.open(path, FileAccess.UPDATE));
    return MpiFile.over(ranks, store, MODES, hints);
  }

  private long offset(MemorySegment rows) {
    return ranks.rank() * rows.byteSize();
  }

  @Override
  public void write(int filter, MemorySegment rows) {
    try (MpiFile file = open(filter)) {
      file.writeAtAll(offset(rows), MemoryBuffer.of(rows));
    }
  }

  @Override
  public Ongoing start(int filter, MemorySegment rows) {
    MpiFile file = open(filter);
    FileRequest request = file.startWriteAtAll(offset(rows), MemoryBuffer.of(rows));
    return new Ongoing() {
      @Override
      public void test() {
        request.test();
      }

      @Override
      public void end() {
        try (file) {
          request.await();
        }
      }
    };
  }

  @Override
  public void close() {}
}
