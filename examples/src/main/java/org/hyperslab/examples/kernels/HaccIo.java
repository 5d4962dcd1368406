package org.hyperslab.examples.kernels;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.mpiio.file.FileView;

/**
 * HACC-IO (CORAL benchmarks): the checkpoint of a cosmology code, nine variables for each particle
 * (seven floats: position, velocity, potential; a 64-bit identity; a 16-bit mask), one call for
 * each. Either the rank's own block of the file holds them one after the other (the paper on
 * TAPIOCA calls this array of structures), or each goes into an array of all ranks' particles.
 *
 * @param particles particles of each rank
 * @param arrays whether each variable is an array of all ranks (structure of arrays), or each rank
 *     has its own block (array of structures)
 */
public record HaccIo(long particles, boolean arrays) implements IoKernel {

  /** Blocks of 100,000 particles, one for each rank. */
  public static final HaccIo DEFAULT = new HaccIo(100_000, false);

  private static final int[] VARIABLE_BYTES = {4, 4, 4, 4, 4, 4, 4, 8, 2};
  private static final int RECORD_BYTES = 38;

  @Override
  public String name() {
    return arrays ? "hacc-io-soa" : "hacc-io-aos";
  }

  @Override
  public String describe(int ranks) {
    return particles
        + " particles a rank, "
        + (arrays ? "structure of arrays" : "array of structures");
  }

  @Override
  public List<Access> accesses(int rank, int ranks) {
    FileView bytes = FileView.bytes();
    List<Access> accesses = new ArrayList<>();
    long base = arrays ? 0 : rank * particles * RECORD_BYTES;
    for (int size : VARIABLE_BYTES) {
      long offset = arrays ? base + rank * particles * size : base;
      accesses.add(access(bytes, offset, particles * size));
      base += (arrays ? ranks : 1) * particles * size;
    }
    return accesses;
  }

  private static Access access(FileView view, long file, long length) {
    return new Access(view, file, Access.Memory.dense(length), piece -> piece.at(file, 0, length));
  }

  @Override
  public long fileBytes(int ranks) {
    return ranks * particles * RECORD_BYTES;
  }
}
