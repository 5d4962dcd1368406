package org.hyperslab.format.space;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Cuts a tree along chunk borders, one dimension after another: the tree of level {@code d} has
 * already been cut in the dimensions before {@code d}.
 */
final class TreeChunkIterator extends ChunkIterator {

  private final SpanNode root;
  private final long[] extent;
  private final long[] chunkDims;
  private final int rank;
  private final SpanNode[] cuts;
  private final SpanNode[][] levels;
  private final long[] scaled;
  private final boolean regular;
  private int depth;

  TreeChunkIterator(SpanNode root, long[] extent, long[] chunkDims) {
    this.root = root;
    this.regular = root.isRegular();
    this.extent = extent.clone();
    this.chunkDims = chunkDims.clone();
    this.rank = extent.length;
    this.cuts = new SpanNode[rank + 1];
    this.levels = new SpanNode[rank][];
    this.scaled = new long[rank];
    if (root == SpanNode.EMPTY) {
      depth = -1;
    } else {
      open(0, root);
    }
  }

  private void open(int level, SpanNode cut) {
    depth = level;
    cuts[level] = cut;
    if (level < rank) {
      scaled[level] = -1;
      levels[level] = nodesAt(cut, level);
    }
  }

  private static SpanNode[] nodesAt(SpanNode cut, int level) {
    SpanNode only = cut;
    int above = level;
    while (above > 0 && only.size() == 1) {
      only = only.down(0);
      above--;
    }
    if (above == 0) {
      return new SpanNode[] {only};
    }
    Set<SpanNode> found = Collections.newSetFromMap(new IdentityHashMap<>());
    Set<SpanNode> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    collect(cut, level, found, seen);
    return found.toArray(new SpanNode[0]);
  }

  private static void collect(SpanNode node, int below, Set<SpanNode> found, Set<SpanNode> seen) {
    if (below == 0) {
      found.add(node);
    } else if (seen.add(node)) {
      for (int i = 0; i < node.size(); i++) {
        if (i == 0 || node.down(i) != node.down(i - 1)) {
          collect(node.down(i), below - 1, found, seen);
        }
      }
    }
  }

  @Override
  ChunkPiece find() {
    while (depth >= 0) {
      if (depth == rank) {
        depth--;
        return new ChunkPiece(scaled.clone(), extent, chunkDims, cuts[rank], root);
      }
      long index = nextTouched(depth, scaled[depth] + 1);
      if (index < 0) {
        depth--;
        continue;
      }
      scaled[depth] = index;
      long low = index * chunkDims[depth];
      long length = Math.min(chunkDims[depth], extent[depth] - low);
      SpanWindow window = new SpanWindow(depth, low, low + length, regular);
      open(depth + 1, window.cut(cuts[depth], 0));
    }
    return null;
  }

  private long nextTouched(int level, long fromChunk) {
    long from = fromChunk * chunkDims[level];
    if (from >= extent[level] || from < 0) {
      return -1;
    }
    long best = -1;
    for (SpanNode node : levels[level]) {
      long index = node.nextSelected(from);
      if (index >= 0 && (best < 0 || index < best)) {
        best = index;
        if (best == from) {
          break;
        }
      }
    }
    return best < 0 ? -1 : best / chunkDims[level];
  }
}
