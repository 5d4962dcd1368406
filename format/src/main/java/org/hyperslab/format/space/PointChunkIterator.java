package org.hyperslab.format.space;

/** Sorts points by the chunk that contains them, keeping their order within a chunk. */
final class PointChunkIterator extends ChunkIterator {

  private final PointSelection points;
  private final long[] extent;
  private final long[] chunkDims;
  private final long[] chunkOf;
  private final int[] order;
  private int next;

  PointChunkIterator(PointSelection points, long[] extent, long[] chunkDims) {
    this.points = points;
    this.extent = extent.clone();
    this.chunkDims = chunkDims.clone();
    this.chunkOf = new long[points.size()];
    long[] grid = new long[extent.length];
    for (int d = 0; d < grid.length; d++) {
      grid[d] = (extent[d] - 1) / chunkDims[d] + 1;
    }
    for (int i = 0; i < chunkOf.length; i++) {
      for (int d = 0; d < grid.length; d++) {
        chunkOf[i] = chunkOf[i] * grid[d] + points.coordinate(i, d) / chunkDims[d];
      }
    }
    this.order = SortedOrder.of(chunkOf, 0, chunkOf.length);
  }

  @Override
  ChunkPiece find() {
    if (next == order.length) {
      return null;
    }
    int first = next;
    long chunk = chunkOf[order[first]];
    while (next < order.length && chunkOf[order[next]] == chunk) {
      next++;
    }
    int rank = extent.length;
    long[] scaled = new long[rank];
    for (int d = 0; d < rank; d++) {
      scaled[d] = points.coordinate(order[first], d) / chunkDims[d];
    }
    long[] relative = new long[(next - first) * rank];
    long[] ordinals = new long[next - first];
    for (int i = first; i < next; i++) {
      ordinals[i - first] = order[i];
      for (int d = 0; d < rank; d++) {
        relative[(i - first) * rank + d] =
            points.coordinate(order[i], d) - scaled[d] * chunkDims[d];
      }
    }
    PointSelection inChunk = (PointSelection) PointSelection.of(rank, relative);
    return new ChunkPiece(scaled, extent, chunkDims, inChunk, ordinals);
  }
}
