package org.hyperslab.plugins.nativevol.file;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import org.hyperslab.format.metadata.SpaceKind;
import org.hyperslab.format.store.ByteStore;

/**
 * Raw data at the end of a file that is to move into free space before it, so that the file can be
 * cut. Only the end of the file is considered: an extent that is followed by one that cannot move
 * stays.
 *
 * @param moves the extents to move and their new places, from the end of the file down
 * @param end where the file can end afterwards
 */
record TailMove(List<Move> moves, long end) {

  /** More bytes than this are not moved for one closing. */
  private static final long MOST_BYTES = 256L << 20;

  /** A file is not moved about to become shorter by fewer bytes than this, */
  private static final long LEAST_GAIN_BYTES = 2048;

  /** nor by less than this fraction of it (a divisor). */
  private static final int LEAST_GAIN_SHARE = 1024;

  /** Free sections that are looked at for one closing. */
  private static final long MOST_STEPS = 10_000_000;

  /**
   * The move of one extent.
   *
   * @param to where to, bytes from the base address
   */
  record Move(MovableExtent extent, long to) {

    /**
     * Copies the bytes to their new place, which does not overlap the old one.
     *
     * @param store holds the file
     * @param baseAddress the offset in the store of the file's address 0
     */
    void copy(ByteStore store, long baseAddress) {
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
   * @param end where the file ends
   * @param extents the extents that can be moved; sorted by this method
   */
  static TailMove plan(FreeSpace free, long end, List<MovableExtent> extents, SpacePolicy policy) {
    extents.sort(Comparator.comparingLong(MovableExtent::address).reversed());
    List<Move> moves = new ArrayList<>();
    long moved = 0;
    long[] steps = {MOST_STEPS};
    long at = trimmed(free, end);
    for (MovableExtent extent : extents) {
      long size = extent.sizeBytes();
      if (extent.address() + size != at || moved + size > MOST_BYTES) {
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

  /** Returns whether a file that ends at {@code end} should be shortened by a number of bytes. */
  static boolean isWorth(long gain, long end) {
    return gain >= LEAST_GAIN_BYTES && gain >= end / LEAST_GAIN_SHARE;
  }
}
