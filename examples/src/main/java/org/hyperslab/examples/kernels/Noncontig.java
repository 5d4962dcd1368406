package org.hyperslab.examples.kernels;

import java.util.List;
import org.hyperslab.mpiio.datatype.DerivedType;
import org.hyperslab.mpiio.file.FileView;

/**
 * ROMIO's noncontig: vectors of blocks distributed cyclically over the ranks, in the file, in
 * memory or in both. If the file is contiguous, each rank's blocks are adjacent.
 *
 * @param blocks the number of blocks of each rank
 * @param blockBytes the bytes of a block
 * @param memoryGaps whether each block in memory is followed by a gap of equal length
 * @param fileGaps whether the blocks of the ranks alternate in the file
 */
public record Noncontig(int blocks, int blockBytes, boolean memoryGaps, boolean fileGaps)
    implements IoKernel {

  /** 16,384 blocks of 128 bytes, noncontiguous in file and memory. */
  public static final Noncontig DEFAULT = new Noncontig(16_384, 128, true, true);

  @Override
  public String name() {
    return "noncontig";
  }

  @Override
  public String describe(int ranks) {
    return blocks
        + " blocks of "
        + blockBytes
        + " bytes a rank, "
        + (memoryGaps ? "with" : "without")
        + " gaps in memory, "
        + (fileGaps ? "cyclic in the file" : "contiguous in the file");
  }

  @Override
  public List<Access> accesses(int rank, int ranks) {
    long stride = fileGaps ? (long) ranks * blockBytes : blockBytes;
    long base = (long) rank * (fileGaps ? blockBytes : (long) blocks * blockBytes);
    DerivedType seen = DerivedType.hvector(blocks, blockBytes, stride, DerivedType.BYTE);
    long apart = memoryGaps ? 2L * blockBytes : blockBytes;
    DerivedType held = DerivedType.hvector(blocks, blockBytes, apart, DerivedType.BYTE);
    return List.of(
        new Access(
            FileView.of(base, DerivedType.BYTE, seen),
            0,
            new Access.Memory(apart * blocks, 1, held),
            piece -> {
              for (int i = 0; i < blocks; i++) {
                piece.at(base + i * stride, i * apart, blockBytes);
              }
            }));
  }

  @Override
  public long fileBytes(int ranks) {
    return (long) ranks * blocks * blockBytes;
  }
}
