package org.hyperslab.plugins.nativevol.space;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.hyperslab.format.metadata.SpaceKind;
import org.hyperslab.format.store.ByteStore;

/**
 * A plan to move raw data from the end of a file into free space before it, so that the file can be
 * truncated. Only the end of the file is considered: an extent that is followed by one that cannot
 * move stays.
 *
 * @param moves the extents to move and their new places, from the end of the file down
 * @param end the end of the file after the moves
 */
public record TailMove(List<Move> moves, long end) {

  /** The greatest number of bytes that are moved when a file is closed. */
  private static final long MAX_BYTES = 256L << 20;

  /** The least number of bytes by which a move must shorten the file, */
  private static final long MIN_GAIN_BYTES = 2048;

  /** and the least share of the file's size, as a divisor. */
  private static final int MIN_GAIN_SHARE = 1024;

  /** The greatest number of free sections that are examined when a file is closed. */
  private static final long MAX_STEPS = 10_000_000;

  /**
   * The move of one extent.
   *
   * @param extent the raw data
   * @param to the new address, bytes from the base address
   */
  public record Move(MovableExtent extent, long to) {

    /**
     * Copies the bytes to their new place, which does not overlap the old one.
     *
     * @param store the store of the file
     * @param baseAddress the offset in the store of the file's address 0
     */
    public void copy(ByteStore store, long baseAddress) {
      long size = extent.sizeBytes();
      MemorySegment strip = MemorySegment.ofArray(new byte[(int) Math.min(size, STRIP_BYTES)]);
      for (long done = 0; done < size; done += STRIP_BYTES) {
        MemorySegment part = strip.asSlice(0, Math.min(STRIP_BYTES, size - done));
        store.read(baseAddress + extent.address() + done, part);
        store.write(baseAddress + to + done, part);
      }
    }
  }

  private static final int STRIP_BYTES = 1 << 20;

  /**
   * Plans which extents can be moved.
   *
   * @param free the space that will be free; modified
   * @param end the end of the file
   * @param extents the extents that can be moved
   */
  static TailMove plan(FreeSpace free, long end, TailExtents extents, SpacePolicy policy) {
    List<Move> moves = new ArrayList<>();
    long moved = 0;
    long[] steps = {MAX_STEPS};
    long at = trimmed(free, end);
    for (Optional<MovableExtent> last = extents.endingAt(at);
        last.isPresent();
        last = extents.endingAt(at)) {
      MovableExtent extent = last.get();
      long size = extent.sizeBytes();
      if (moved + size > MAX_BYTES) {
        break;
      }
      OptionalLong place = free.takeFirst(size, policy.placement(SpaceKind.RAW_DATA, size), steps);
      if (place.isEmpty()) {
        break;
      }
      moves.add(new Move(extent, place.getAsLong()));
      moved += size;
      at = trimmed(free, extent.address());
    }
    return new TailMove(moves, at);
  }

  private static long trimmed(FreeSpace free, long end) {
    long at = end;
    for (OptionalLong start = free.startOfSectionEndingAt(at);
        start.isPresent();
        start = free.startOfSectionEndingAt(at)) {
      at = start.getAsLong();
      free.cut(at);
    }
    return at;
  }

  /**
   * {@return whether a file that ends at {@code end} is worth shortening by {@code gain} bytes}
   *
   * @param gain the number of bytes
   * @param end the end of the file before and after the move
   */
  public static boolean isWorth(long gain, long end) {
    return gain >= MIN_GAIN_BYTES && gain >= end / MIN_GAIN_SHARE;
  }
}
