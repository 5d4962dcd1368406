package org.hyperslab.examples.kernels;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.mpiio.view.FileView;

/**
 * HACC-IO (CORAL benchmarks): the checkpoint of a cosmology code, nine variables for each particle
 * (seven floats: position, velocity, potential; a 64-bit identity; a 16-bit mask), either particle
 * by particle or variable by variable, each with all ranks' particles one after the other.
 *
 * @param particles particles of each rank
 * @param arrays whether each variable is an array (structure of arrays), or each particle a record
 *     (array of structures)
 */
public record HaccIo(long particles, boolean arrays) implements IoKernel {

  /** Records of 100,000 particles a rank. */
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
    if (!arrays) {
      accesses.add(access(bytes, rank * particles * RECORD_BYTES, particles * RECORD_BYTES));
      return accesses;
    }
    long base = 0;
    for (int size : VARIABLE_BYTES) {
      accesses.add(access(bytes, base + rank * particles * size, particles * size));
      base += ranks * particles * size;
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
