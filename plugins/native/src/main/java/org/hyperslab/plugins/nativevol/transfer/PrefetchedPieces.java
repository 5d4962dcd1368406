package org.hyperslab.plugins.nativevol.transfer;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Iterator;
import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.format.space.ChunkPiece;
import org.hyperslab.format.space.RunPairs;

/**
 * Iterates over the pieces of a read, and announces some megabytes of them at a time to the file's
 * store before it returns them. It announces the whole of a filtered chunk, and of others the bytes
 * from the first to the last element that is read.
 *
 * <p>Thread rule: one thread at a time.
 */
final class PrefetchedPieces implements Iterator<ChunkPiece> {

  /** The number of bytes announced at a time, which remote stores can cache. */
  private static final long WINDOW_BYTES = 8L << 20;

  private static final int WINDOW_PIECES = 1024;

  private final Iterator<ChunkPiece> pieces;
  private final ChunkPlaces places;
  private final ChunkShape shape;
  private final ElementTransfer transfer;
  private final int elementSize;
  private final ArrayDeque<ChunkPiece> told = new ArrayDeque<>();

  PrefetchedPieces(
      Iterator<ChunkPiece> pieces,
      ChunkPlaces places,
      ChunkShape shape,
      ElementTransfer transfer,
      int elementSize) {
    this.pieces = pieces;
    this.places = places;
    this.shape = shape;
    this.transfer = transfer;
    this.elementSize = elementSize;
  }

  @Override
  public boolean hasNext() {
    return !told.isEmpty() || pieces.hasNext();
  }

  @Override
  public ChunkPiece next() {
    if (told.isEmpty()) {
      report();
    }
    return told.remove();
  }

  private void report() {
    long[] addresses = new long[WINDOW_PIECES];
    long[] lengths = new long[WINDOW_PIECES];
    long bytes = 0;
    int count = 0;
    while (pieces.hasNext() && bytes < WINDOW_BYTES && count < WINDOW_PIECES) {
      ChunkPiece piece = pieces.next();
      told.add(piece);
      ChunkLocation location = places.find(piece.scaled());
      if (location.isAllocated()) {
        place(piece, location, addresses, lengths, count);
        bytes += lengths[count++];
      }
    }
    places.prefetch(Arrays.copyOf(addresses, count), Arrays.copyOf(lengths, count));
  }

  private void place(
      ChunkPiece piece, ChunkLocation location, long[] addresses, long[] lengths, int at) {
    long first = 0;
    long end = location.storedBytes();
    boolean filtered = shape.isFiltered(piece.scaled(), transfer.fileExtent());
    if (!filtered && !piece.coversExtent()) {
      first = end;
      end = 0;
      RunPairs pairs = transfer.pairs(piece);
      while (pairs.nextGroup()) {
        long last = pairs.fileOffset() + (pairs.repeats() - 1) * pairs.fileStride();
        first = Math.min(first, Math.min(pairs.fileOffset(), last) * elementSize);
        end = Math.max(end, (Math.max(pairs.fileOffset(), last) + pairs.length()) * elementSize);
      }
    }
    addresses[at] = location.address() + first;
    lengths[at] = Math.max(0, end - first);
  }
}
