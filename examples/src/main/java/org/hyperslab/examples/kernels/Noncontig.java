package org.hyperslab.examples.kernels;

import java.util.List;
import org.hyperslab.mpiio.file.DerivedType;
import org.hyperslab.mpiio.file.FileView;

/**
 * ROMIO's noncontig: vectors of blocks dealt out cyclically over the ranks, in the file or in
 * memory or in both. Where the file is contiguous each rank's blocks lie together.
 *
 * @param blocks blocks of each rank
 * @param blockBytes bytes of a block
 * @param memoryGaps whether each block in memory is followed by a gap as long
 * @param fileGaps whether blocks of the ranks take turns in the file
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
        + (fileGaps ? "dealt out in the file" : "together in the file");
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
