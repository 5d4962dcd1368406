package org.hyperslab.format.index.array;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.metadata.SpaceKind;

/**
 * Collects the blocks of an index that is to be deleted. They are collected first, so that an index
 * that names a block twice is refused before any block has been freed.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class BlockRelease {

  private record Block(long address, long bytes) {}

  private final MetadataSpace space;
  private final String structure;
  private final List<Block> blocks = new ArrayList<>();
  private final List<Long> parts = new ArrayList<>();
  private final Set<Long> seen = new HashSet<>();

  public BlockRelease(MetadataSpace space, String structure) {
    this.space = space;
    this.structure = structure;
  }

  /** Adds a block with space of its own; undefined addresses are ignored. */
  public void add(long address, long bytes) {
    if (address == FileGeometry.UNDEFINED) {
      return;
    }
    if (!seen.add(address)) {
      throw ChunkChecks.corrupt(
          space, structure, address, "block actual=referenced twice, expected=once");
    }
    blocks.add(new Block(address, bytes));
  }

  /** Adds a cached block that lies within another block's space. */
  public void addPart(long address) {
    parts.add(address);
  }

  /** Discards and frees all blocks. */
  public void run() {
    for (long part : parts) {
      space.discard(part);
    }
    for (Block block : blocks) {
      space.discard(block.address);
      space.free(SpaceKind.INDEX, block.address, block.bytes);
    }
  }
}
