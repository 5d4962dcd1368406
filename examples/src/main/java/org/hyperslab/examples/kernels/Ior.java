package org.hyperslab.examples.kernels;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.file.FileView;

/**
 * IOR's basic pattern (LLNL, github.com/hpc/ior): a file of segments, each with a block of every
 * rank; a block is moved in transfers. With one segment the ranks' data are large consecutive
 * pieces; with blocks of one transfer they are strided.
 *
 * @param segments the number of segments (IOR's -s)
 * @param blockBytes the bytes of a rank's part of a segment (-b)
 * @param transferBytes the bytes moved by one call (-t); divides the block
 * @param random whether a rank's transfers come in random order (-z)
 */
public record Ior(int segments, long blockBytes, long transferBytes, boolean random)
    implements IoKernel {

  /** IOR's defaults: one segment, blocks of 1 MiB, transfers of 256 KiB. */
  public static final Ior DEFAULT = new Ior(1, 1 << 20, 256 << 10, false);

  /**
   * The bytes of a transfer of IOR-hard (io500); the greatest power of two that divides it is 32.
   */
  private static final int HARD_BYTES = 47_008;

  /**
   * {@return io500's IOR-hard: single transfers of 47,008 bytes, those of all ranks in turn}
   *
   * @param segments the number of transfers of each rank
   */
  public static Ior hard(int segments) {
    return new Ior(segments, HARD_BYTES, HARD_BYTES, false);
  }

  /** Checks that transfers divide blocks. */
  public Ior {
    if (segments < 1 || transferBytes < 1 || blockBytes < 1 || blockBytes % transferBytes != 0) {
      throw new InvalidUseException(
          "ior: actual="
              + segments
              + " segments, blocks of "
              + blockBytes
              + ", transfers of "
              + transferBytes
              + ", expected=at least one, blocks a multiple of transfers");
    }
  }

  @Override
  public String name() {
    return "ior";
  }

  @Override
  public String describe(int ranks) {
    return segments
        + " segments, blocks of "
        + blockBytes
        + " bytes, transfers of "
        + transferBytes
        + (random ? ", in random order" : "");
  }

  @Override
  public List<Access> accesses(int rank, int ranks) {
    FileView bytes = FileView.bytes();
    List<Access> accesses = new ArrayList<>();
    for (long segment = 0; segment < segments; segment++) {
      long block = (segment * ranks + rank) * blockBytes;
      for (long at = 0; at < blockBytes; at += transferBytes) {
        long file = block + at;
        accesses.add(
            new Access(
                bytes,
                file,
                Access.Memory.dense(transferBytes),
                piece -> piece.at(file, 0, transferBytes)));
      }
    }
    if (random) {
      Collections.shuffle(accesses, new Random(rank));
    }
    return accesses;
  }

  @Override
  public long fileBytes(int ranks) {
    return ranks * segments * blockBytes;
  }
}
