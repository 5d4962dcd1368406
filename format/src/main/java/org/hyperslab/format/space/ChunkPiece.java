package org.hyperslab.format.space;

/**
 * The part of a selection that lies in one chunk.
 *
 * <p>Thread rule: immutable.
 */
public final class ChunkPiece {

  private final long[] scaled;
  private final long[] extent;
  private final long[] chunkDims;
  private final SpanNode piece;
  private final SpanNode root;
  private final PointSelection points;
  private final long[] ordinals;

  /** Creates a piece of a tree, in chunk-relative indices. */
  ChunkPiece(long[] scaled, long[] extent, long[] chunkDims, SpanNode piece, SpanNode root) {
    this.scaled = scaled;
    this.extent = extent;
    this.chunkDims = chunkDims;
    this.piece = piece;
    this.root = root;
    this.points = null;
    this.ordinals = null;
  }

  /**
   * Creates a piece of a list of points, in chunk-relative indices, with their positions in the
   * list.
   */
  ChunkPiece(
      long[] scaled, long[] extent, long[] chunkDims, PointSelection points, long[] ordinals) {
    this.scaled = scaled;
    this.extent = extent;
    this.chunkDims = chunkDims;
    this.piece = null;
    this.root = null;
    this.points = points;
    this.ordinals = ordinals;
  }

  /**
   * {@return the chunk's index in each dimension: its first element's index divided by the chunk's
   * extent}
   */
  public long[] scaled() {
    return scaled.clone();
  }

  /**
   * {@return the chunk's index in one dimension}
   *
   * @param dimension the dimension, counted from 0, the slowest
   */
  public long scaled(int dimension) {
    return scaled[dimension];
  }

  /** {@return the extent of a chunk in elements; all chunks of a dataset have the same} */
  public long[] chunkDims() {
    return chunkDims.clone();
  }

  /**
   * {@return the number of elements selected in this chunk; points count as often as they are
   * listed}
   */
  public long elementCount() {
    return piece != null ? piece.count : ordinals.length;
  }

  /** {@return whether every element of the chunk is selected, each once, in row-major order} */
  public boolean isWhole() {
    return piece != null && piece.count == Extents.volume(chunkDims);
  }

  /**
   * {@return whether every element of the chunk inside the dataset's extent is selected, so that
   * the old content of the chunk need not be read} Also true if {@link #isWhole()}.
   */
  public boolean coversExtent() {
    if (piece == null) {
      return false;
    }
    long inside = 1;
    for (int i = 0; i < scaled.length; i++) {
      inside *= Math.min(chunkDims[i], extent[i] - scaled[i] * chunkDims[i]);
    }
    return piece.count == inside;
  }

  /** {@return the selection, in indices relative to the chunk's first element} */
  public Selection selection() {
    return piece != null ? SetOperations.wrap(scaled.length, piece) : points;
  }

  /** {@return the runs in the chunk, as element offsets from its first element} */
  public RunCursor runs() {
    return piece != null
        ? new TreeRunCursor(piece, chunkDims, 0, Long.MAX_VALUE)
        : points.runs(chunkDims);
  }

  /**
   * {@return the runs in the chunk with their positions in the whole selection's order of transfer}
   * Unlike those of {@link #runs()}, runs end where that order is not contiguous.
   */
  ChunkRuns ordinalRuns() {
    return piece != null
        ? new ChunkRuns(new TreeChunkRuns(piece, root, scaled, chunkDims))
        : new ChunkRuns(new PointChunkRuns(points, ordinals, chunkDims));
  }

  /**
   * Pairs the elements in the chunk with those of a memory selection: the n-th element of the whole
   * file selection belongs to the n-th of the memory selection. Only the cursors take memory.
   *
   * @param memory a selection of at least as many elements as the whole file selection
   * @param memoryExtent the extent that it lies in
   * @return the pairs
   */
  public RunPairs pairs(Selection memory, long[] memoryExtent) {
    return new RunPairs(ordinalRuns(), memory.runs(memoryExtent));
  }
}
