package org.hyperslab.mpiio.collective;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.ExtentRuns;
import org.hyperslab.mpiio.access.MemoryExtents;

/**
 * A random access of several ranks to one file, with memory of random layout, and the sequential
 * model of its result.
 */
public final class AccessPattern {

  /** The file offset at which the pattern begins. */
  static final int MAX_SPAN = 20_000;

  public final long base;

  public final int span;
  public final List<ExtentRuns> lists = new ArrayList<>();
  private final boolean[] nativeMemory;
  private final boolean[] scattered;

  private AccessPattern(long base, int span, int ranks, Random random) {
    this.base = base;
    this.span = span;
    this.nativeMemory = new boolean[ranks];
    this.scattered = new boolean[ranks];
    for (int i = 0; i < ranks; i++) {
      nativeMemory[i] = random.nextBoolean();
      scattered[i] = random.nextInt(3) == 0;
    }
  }

  /** Any kind of pattern. */
  public static AccessPattern random(Random random) {
    int ranks = 1 + random.nextInt(7);
    long base = random.nextInt(4) == 0 ? (1L << 33) + random.nextInt(100_000) : random.nextInt(50);
    return random(random, ranks, base);
  }

  /** Returns a random pattern for a number of ranks, at most {@link #MAX_SPAN} bytes long. */
  public static AccessPattern random(Random random, int ranks, long base) {
    int span = 1 + random.nextInt(random.nextBoolean() ? 400 : MAX_SPAN);
    AccessPattern pattern = new AccessPattern(base, span, ranks, random);
    switch (random.nextInt(5)) {
      case 0 -> pattern.cyclic(random, ranks);
      case 1 -> pattern.blocks(ranks);
      case 2 -> pattern.owned(random, ranks);
      case 3 -> pattern.independent(random, ranks);
      default -> pattern.oneRank(random, ranks);
    }
    return pattern;
  }

  /**
   * Returns patterns whose extents are interleaved, without a common byte: one pattern, whose
   * extents are divided among accesses.
   */
  static List<AccessPattern> interleaved(Random random, int ranks, int accesses) {
    AccessPattern whole = random(random, ranks * accesses, random.nextInt(50));
    while (!whole.isDisjoint()) {
      whole = random(random, ranks * accesses, random.nextInt(50));
    }
    List<AccessPattern> patterns = new ArrayList<>();
    for (int i = 0; i < accesses; i++) {
      AccessPattern pattern = new AccessPattern(whole.base, whole.span, ranks, random);
      pattern.lists.addAll(whole.lists.subList(i * ranks, (i + 1) * ranks));
      patterns.add(pattern);
    }
    return patterns;
  }

  /** Blocks dealt out in turn, some of them to nobody. */
  private void cyclic(Random random, int ranks) {
    int block = 1 + random.nextInt(Math.min(span, 200));
    int turns = ranks + random.nextInt(2);
    for (int rank = 0; rank < ranks; rank++) {
      ExtentRuns.Builder list = ExtentRuns.builder();
      for (long at = (long) rank * block; at < span; at += (long) turns * block) {
        list.add(base + at, Math.min(block, span - at));
      }
      lists.add(list.build());
    }
  }

  private void blocks(int ranks) {
    for (int rank = 0; rank < ranks; rank++) {
      long from = (long) span * rank / ranks;
      lists.add(ExtentRuns.of(base + from, (long) span * (rank + 1) / ranks - from));
    }
  }

  /** Pieces of random length, each of one rank or of none. */
  private void owned(Random random, int ranks) {
    List<ExtentRuns.Builder> builders = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      builders.add(ExtentRuns.builder());
    }
    boolean holes = random.nextBoolean();
    int longest = 1 + random.nextInt(300);
    for (int at = 0; at < span; ) {
      int length = Math.min(span - at, 1 + random.nextInt(longest));
      int owner = random.nextInt(ranks + (holes ? 2 : 0));
      if (owner < ranks) {
        builders.get(owner).add(base + at, length);
      }
      at += length;
    }
    builders.forEach(builder -> lists.add(builder.build()));
  }

  /** Lists that know nothing of each other and so overlap. */
  private void independent(Random random, int ranks) {
    for (int rank = 0; rank < ranks; rank++) {
      ExtentRuns.Builder list = ExtentRuns.builder();
      int density = random.nextInt(4);
      for (int at = random.nextInt(span); at < span; ) {
        int length = Math.min(span - at, 1 + random.nextInt(100));
        if (random.nextInt(4) < density) {
          list.add(base + at, length);
        }
        at += length;
      }
      lists.add(list.build());
    }
  }

  private void oneRank(Random random, int ranks) {
    int only = random.nextInt(ranks);
    int piece = 1 + random.nextInt(Math.min(span, 100));
    int count = (span - piece) / (2 * piece) + 1;
    for (int rank = 0; rank < ranks; rank++) {
      lists.add(
          rank == only ? ExtentRuns.strided(base, piece, 2L * piece, count) : ExtentRuns.empty());
    }
  }

  /** Whether no byte belongs to two ranks. */
  boolean isDisjoint() {
    long sum = lists.stream().mapToLong(ExtentRuns::totalBytes).sum();
    return ExtentRuns.union(lists).totalBytes() == sum;
  }

  public int ranks() {
    return lists.size();
  }

  /** The byte that a rank writes at a file offset. */
  static byte value(int rank, long offset) {
    return (byte) (offset * 31 + rank * 101L + (offset >> 8) * 7 + 1);
  }

  /** Memory for a rank's bytes, of this pattern's layout, filled with {@code filler}. */
  MemoryExtents memory(int rank, Arena arena, byte filler) {
    long bytes = lists.get(rank).totalBytes();
    boolean pieces = scattered[rank] && bytes > 0;
    long size = pieces ? 2 * bytes + 64 : bytes;
    MemorySegment segment =
        nativeMemory[rank]
            ? arena.allocate(Math.max(1, size)).asSlice(0, size)
            : MemorySegment.ofArray(new byte[(int) size]);
    segment.fill(filler);
    MemoryExtents.Builder builder = MemoryExtents.builder(segment);
    if (pieces) {
      long piece = 1 + bytes / 7;
      for (long done = 0, at = 5; done < bytes; done += piece, at += piece + 4) {
        builder.add(at, Math.min(piece, bytes - done));
      }
    } else {
      builder.add(0, bytes);
    }
    return builder.build();
  }

  /** Puts into a rank's memory what it is to write. */
  void fill(int rank, MemoryExtents memory) {
    byte[] packed = new byte[(int) lists.get(rank).totalBytes()];
    ExtentList.Cursor cursor = lists.get(rank).cursor();
    int at = 0;
    while (cursor.next()) {
      for (long i = 0; i < cursor.length(); i++) {
        packed[at++] = value(rank, cursor.offset() + i);
      }
    }
    memory.copyIn(0, MemorySegment.ofArray(packed), 0, packed.length);
  }

  /** A rank's memory in packed order. */
  static byte[] packed(MemoryExtents memory) {
    byte[] packed = new byte[(int) memory.totalBytes()];
    memory.copyOut(0, MemorySegment.ofArray(packed), 0, packed.length);
    return packed;
  }

  /** Counts the bytes of the memory's segment that differ from {@code filler}. */
  static long changed(MemoryExtents memory, byte filler) {
    long changed = 0;
    for (long i = 0; i < memory.base().byteSize(); i++) {
      changed += memory.base().get(ValueLayout.JAVA_BYTE, i) == filler ? 0 : 1;
    }
    return changed;
  }

  /**
   * Describes the first byte of {@code after}, the file's bytes from the base, that cannot result
   * from writing this pattern over {@code before}; returns null if there is none.
   */
  String wrong(byte[] before, byte[] after) {
    boolean[] touched = new boolean[span];
    boolean[] right = new boolean[span];
    for (int rank = 0; rank < ranks(); rank++) {
      ExtentList.Cursor cursor = lists.get(rank).cursor();
      while (cursor.next()) {
        for (long i = 0; i < cursor.length(); i++) {
          int at = (int) (cursor.offset() + i - base);
          touched[at] = true;
          right[at] |= at < after.length && after[at] == value(rank, base + at);
        }
      }
    }
    for (int at = 0; at < span; at++) {
      byte old = at < before.length ? before[at] : 0;
      byte now = at < after.length ? after[at] : 0;
      if (touched[at] ? !right[at] : now != old) {
        return (touched[at] ? "wrong byte at " : "changed a byte outside at ") + (base + at);
      }
    }
    return null;
  }

  /** Returns the bytes that a rank must read from a file with {@code content} from the base. */
  byte[] expected(int rank, byte[] content) {
    byte[] expected = new byte[(int) lists.get(rank).totalBytes()];
    ExtentList.Cursor cursor = lists.get(rank).cursor();
    int at = 0;
    while (cursor.next()) {
      for (long i = 0; i < cursor.length(); i++) {
        expected[at++] = content[(int) (cursor.offset() + i - base)];
      }
    }
    return expected;
  }

  @Override
  public String toString() {
    return ranks() + " ranks from " + base + ": " + lists;
  }
}
