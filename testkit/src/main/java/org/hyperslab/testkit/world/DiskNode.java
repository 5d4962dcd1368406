package org.hyperslab.testkit.world;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A file or a folder of a disk: what programs see, what is durable, and the changes between.
 *
 * <p>Thread rule: confined to the world.
 */
final class DiskNode {

  private final long number;
  private final boolean folder;
  private final List<Change> pending = new ArrayList<>();
  private final List<WorldLock> locks = new ArrayList<>();
  private byte[] bytes = new byte[0];
  private int size;
  private byte[] kept = new byte[0];
  private int keptSize;

  /** Whether memory has what a force that failed has lost. */
  private boolean loses;

  /**
   * A write, or a change of the length if there are no bytes.
   *
   * @param at the offset, or the new length
   * @param bytes the bytes; null for a change of the length
   */
  private record Change(int at, byte[] bytes) {}

  /** What a power cut loses of what was not forced. */
  enum Loss {
    ALL,
    NOTHING,
    CHANGES,
    SECTORS,
    TAIL;

    /** Returns how many of a folder's changes, which are kept in order, survive. */
    int prefix(int count, RandomGenerator random) {
      return switch (this) {
        case ALL -> 0;
        case NOTHING -> count;
        default -> random.nextInt(count + 1);
      };
    }
  }

  DiskNode(long number, boolean folder) {
    this.number = number;
    this.folder = folder;
  }

  long number() {
    return number;
  }

  boolean isFolder() {
    return folder;
  }

  int size() {
    return size;
  }

  List<WorldLock> locks() {
    return locks;
  }

  byte[] bytes() {
    return Arrays.copyOf(bytes, size);
  }

  void read(int at, byte[] target, int from, int count) {
    System.arraycopy(bytes, at, target, from, count);
  }

  void write(int at, byte[] from) {
    pending.add(new Change(at, from));
    bytes = put(bytes, size, at, from, 0, from.length);
    size = Math.max(size, at + from.length);
  }

  void truncate(int length) {
    if (length != size) {
      pending.add(new Change(length, null));
      bytes = resized(bytes, size, length);
      size = length;
    }
  }

  void force() {
    for (Change each : pending) {
      if (each.bytes == null) {
        kept = resized(kept, keptSize, each.at);
        keptSize = each.at;
      } else {
        kept = put(kept, keptSize, each.at, each.bytes, 0, each.bytes.length);
        keptSize = Math.max(keptSize, each.at + each.bytes.length);
      }
    }
    pending.clear();
  }

  /** Forgets that anything was not forced, though it is not on the disk. */
  void loseUnforced() {
    pending.clear();
    loses = true;
  }

  /** Drops from memory what a force that failed has lost: programs see the disk's content again. */
  void evict() {
    if (loses) {
      bytes = Arrays.copyOf(kept, keptSize);
      size = keptSize;
      List<Change> later = List.copyOf(pending);
      pending.clear();
      for (Change each : later) {
        if (each.bytes == null) {
          truncate(each.at);
        } else {
          write(each.at, each.bytes);
        }
      }
      loses = false;
    }
  }

  void flip(int offset, int bit) {
    bytes[offset] ^= (byte) (1 << bit);
    kept[offset] ^= (byte) (1 << bit);
  }

  void powerCut(Loss loss, RandomGenerator random) {
    int whole = loss == Loss.TAIL ? random.nextInt(pending.size() + 1) : 0;
    for (int i = 0; i < pending.size(); i++) {
      Change each = pending.get(i);
      boolean keeps =
          switch (loss) {
            case ALL -> false;
            case NOTHING -> true;
            case CHANGES, SECTORS -> random.nextBoolean();
            case TAIL -> i < whole;
          };
      if (each.bytes == null) {
        if (keeps) {
          kept = resized(kept, keptSize, each.at);
          keptSize = each.at;
        }
      } else if (loss == Loss.SECTORS || loss == Loss.TAIL && i == whole) {
        tear(each, random);
      } else if (keeps) {
        keep(each, 0, each.bytes.length);
      }
    }
    pending.clear();
    locks.clear();
    bytes = Arrays.copyOf(kept, kept.length);
    size = keptSize;
  }

  private void tear(Change change, RandomGenerator random) {
    for (int from = 0; from < change.bytes.length; ) {
      int inSector = (change.at + from) % WorldDisk.SECTOR;
      int part = Math.min(change.bytes.length - from, WorldDisk.SECTOR - inSector);
      if (random.nextBoolean()) {
        keep(change, from, part);
      }
      from += part;
    }
  }

  private void keep(Change change, int from, int part) {
    kept = put(kept, keptSize, change.at + from, change.bytes, from, part);
    keptSize = Math.max(keptSize, change.at + from + part);
  }

  private static byte[] put(byte[] to, int size, int at, byte[] from, int begin, int count) {
    byte[] room = to;
    if (at + count > to.length) {
      room = Arrays.copyOf(to, Math.max(at + count, to.length + to.length / 2));
    }
    System.arraycopy(from, begin, room, at, count);
    return room;
  }

  private static byte[] resized(byte[] old, int size, int length) {
    if (length > old.length) {
      return Arrays.copyOf(old, length);
    }
    if (length < size) {
      Arrays.fill(old, length, size, (byte) 0);
    }
    return old;
  }
}
