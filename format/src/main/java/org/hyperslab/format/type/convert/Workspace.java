package org.hyperslab.format.type.convert;

import java.lang.foreign.MemorySegment;
import org.hyperslab.format.type.VlenAccess;

/**
 * The blocks and scratch memory of one conversion. Kernels read the source block and write the
 * destination block, both plain arrays, so that their loops do not depend on the kind of the
 * caller's memory.
 *
 * <p>Scratch arrays hold {@value #LANE} elements and fit in the first-level cache. Nested
 * conversions, of the elements of a sequence, have workspaces of their own.
 *
 * <p>Thread rule: confined to one thread.
 */
final class Workspace {

  /** The number of elements in the scratch arrays of number kernels. */
  static final int LANE = 1024;

  private static final byte[] NONE = {};
  private static final MemorySegment NOTHING = MemorySegment.ofArray(NONE);

  final VlenAccess from;
  final VlenAccess to;
  final WideNumber real = new WideNumber();
  byte[] source = NONE;
  byte[] target = NONE;
  MemorySegment sourceSegment = NOTHING;
  MemorySegment targetSegment = NOTHING;
  private byte[] staged = NONE;
  private Workspace nested;
  private Lanes lanes;

  Workspace(VlenAccess from, VlenAccess to) {
    this.from = from;
    this.to = to;
  }

  /** Typed scratch arrays of {@link #LANE} elements each. */
  static final class Lanes {
    final byte[] bytes = new byte[LANE];
    final short[] shorts = new short[LANE];
    final int[] ints = new int[LANE];
    final long[] longs = new long[LANE];
    final float[] floats = new float[LANE];
    final double[] doubles = new double[LANE];
  }

  /** Returns the typed scratch arrays, created on first use. */
  Lanes lanes() {
    if (lanes == null) {
      lanes = new Lanes();
    }
    return lanes;
  }

  /** Enlarges the blocks to at least the given sizes; contents are lost. */
  void ensureBlocks(int sourceBytes, int targetBytes) {
    if (source.length < sourceBytes) {
      source = new byte[sourceBytes];
      sourceSegment = MemorySegment.ofArray(source);
    }
    if (target.length < targetBytes) {
      target = new byte[targetBytes];
      targetSegment = MemorySegment.ofArray(target);
    }
  }

  /** Returns zeroed memory for assembling a sequence before it is stored; reused. */
  MemorySegment stage(int bytes) {
    if (staged.length < bytes) {
      staged =
          new byte[Math.max(bytes, (int) Math.min(Integer.MAX_VALUE - 8L, 2L * staged.length))];
    }
    MemorySegment segment = MemorySegment.ofArray(staged).asSlice(0, bytes);
    segment.fill((byte) 0);
    return segment;
  }

  /** Returns the workspace for the elements of sequences in this one. */
  Workspace nested() {
    if (nested == null) {
      nested = new Workspace(from, to);
    }
    return nested;
  }
}
