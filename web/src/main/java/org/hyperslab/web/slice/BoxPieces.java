package org.hyperslab.web.slice;

/**
 * A regular part of a dataset, divided into consecutive pieces in row-major order. Each piece is
 * regular and small enough to be held in memory.
 *
 * <p>The dimensions behind {@code split} are whole in every piece, {@code split} is divided into
 * runs of {@code run} indices, and the dimensions before it have one index in each piece.
 *
 * <p>Thread rule: immutable.
 *
 * @param box the whole part
 * @param split the dimension that is divided; 0 for a scalar
 * @param run the number of its indices in each piece except the last
 */
public record BoxPieces(StridedBox box, int split, long run) {

  /**
   * The greatest number of chunks of a piece: a request that touches many is checked in between.
   */
  private static final long MAX_CHUNKS = 4096;

  /**
   * One piece of the box.
   *
   * @param box its elements
   * @param first the index of its first element among all, in row-major order
   */
  public record Piece(StridedBox box, long first) {}

  /**
   * Divides a box.
   *
   * @param box the box
   * @param chunk the shape of the dataset's chunks; empty if there are none
   * @param most the most elements of a piece; up to eight times as many where chunks are larger
   * @return the pieces
   */
  public static BoxPieces of(StridedBox box, long[] chunk, long most) {
    long perChunk = Math.max(1, box.elements() / Math.max(1, box.chunks(chunk)));
    long fewer = Math.min(most, StridedBox.product(perChunk, MAX_CHUNKS));
    long[] count = box.count();
    int split = Math.max(0, count.length - 1);
    long inner = 1;
    while (split > 0 && count[split] <= fewer / inner) {
      inner *= Math.max(1, count[split]);
      split--;
    }
    long run = Math.max(1, fewer / inner);
    if (count.length > 0 && chunk.length == count.length && box.step()[split] == 1) {
      run = aligned(run, chunk[split], inner, fewer);
    }
    return new BoxPieces(box, split, run);
  }

  /** Aligns a run to whole rows of chunks, because a chunk in two pieces is decoded twice. */
  private static long aligned(long run, long chunk, long inner, long most) {
    if (run >= chunk) {
      return run / chunk * chunk;
    }
    return chunk <= 8 * most / inner ? chunk : run;
  }

  private long[] count() {
    return box.count();
  }

  /** {@return how many pieces there are, or the greatest long if there are more} */
  public long pieces() {
    return box.elements() == 0 ? 0 : StridedBox.product(outer(), runs());
  }

  private long outer() {
    long outer = 1;
    for (int i = 0; i < split; i++) {
      outer = StridedBox.product(outer, count()[i]);
    }
    return outer;
  }

  private long runs() {
    return count().length == 0 ? 1 : (count()[split] - 1) / run + 1;
  }

  private long inner() {
    long inner = 1;
    for (int i = split + 1; i < count().length; i++) {
      inner *= count()[i];
    }
    return inner;
  }

  /**
   * {@return the piece with an index}
   *
   * @param number the index of the piece, from 0, in row-major order
   */
  public Piece piece(long number) {
    if (count().length == 0) {
      return new Piece(box, 0);
    }
    long[] from = box.start().clone();
    long[] some = count().clone();
    long outer = number / runs();
    long at = number % runs() * run;
    long rest = outer;
    for (int i = split - 1; i >= 0; i--) {
      from[i] += rest % count()[i] * box.step()[i];
      some[i] = 1;
      rest /= count()[i];
    }
    from[split] += at * box.step()[split];
    some[split] = Math.min(run, count()[split] - at);
    long first = (outer * count()[split] + at) * inner();
    return new Piece(new StridedBox(from, box.step(), some), first);
  }

  /**
   * {@return the number of the piece that has an element}
   *
   * @param element its index among all elements, in row-major order
   */
  long pieceOf(long element) {
    if (count().length == 0) {
      return 0;
    }
    long row = element / inner();
    return row / count()[split] * runs() + row % count()[split] / run;
  }
}
