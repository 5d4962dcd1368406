package org.hyperslab.mpiio.plan;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.hyperslab.mpiio.access.ExtentRuns;

/** An array whose dimensions are divided among a grid of ranks, slowest dimension first. */
public record ArrayBlocks(int[] grid, int[] block, int elementBytes) {

  public int ranks() {
    return Arrays.stream(grid).reduce(1, Math::multiplyExact);
  }

  public long bytes() {
    return (long) ranks() * blockBytes();
  }

  public int blockBytes() {
    return Arrays.stream(block).reduce(elementBytes, Math::multiplyExact);
  }

  public ExtentRuns list(int rank) {
    int[] place = new int[grid.length];
    int rest = rank;
    for (int d = grid.length - 1; d >= 0; d--) {
      place[d] = rest % grid[d];
      rest /= grid[d];
    }
    ExtentRuns.Builder extents = ExtentRuns.builder();
    add(0, 0, place, extents);
    return extents.build();
  }

  private void add(int dimension, long base, int[] place, ExtentRuns.Builder extents) {
    int length = grid[dimension] * block[dimension];
    long first = base * length + (long) place[dimension] * block[dimension];
    if (dimension == grid.length - 1) {
      extents.add(first * elementBytes, (long) block[dimension] * elementBytes);
      return;
    }
    for (int i = 0; i < block[dimension]; i++) {
      add(dimension + 1, first + i, place, extents);
    }
  }

  public List<ExtentRuns> lists() {
    return IntStream.range(0, ranks()).mapToObj(this::list).toList();
  }
}
