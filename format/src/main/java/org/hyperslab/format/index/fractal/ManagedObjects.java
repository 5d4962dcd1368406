package org.hyperslab.format.index.fractal;

import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.MetadataSpace;

/**
 * The objects in blocks. An insertion takes the smallest hole that is large enough; otherwise an
 * entry whose block was skipped or released; otherwise the next block in the order of the doubling
 * table, skipping and recording blocks that are too small.
 *
 * <p>Thread rule: as {@link FractalHeap}.
 */
final class ManagedObjects {

  private final MetadataSpace space;
  private final HeapHeader header;
  private final HeapLayout layout;
  private final DoublingTable table;
  private final ManagedBlocks blocks;

  ManagedObjects(MetadataSpace space, HeapHeader header, HeapFilter filter) {
    this.space = space;
    this.header = header;
    this.layout = header.layout;
    this.table = layout.table();
    this.blocks = new ManagedBlocks(space, header, filter);
  }

  /** Returns the object at a heap offset with a length. */
  HeapObject find(long offset, int length) {
    ManagedBlocks.Slot slot = blocks.slot(offset);
    DirectBlock block = blocks.block(slot);
    return new HeapObject(block.image(), within(slot, offset, length), length);
  }

  /** Returns the object's position in its block's image. */
  private int within(ManagedBlocks.Slot slot, long offset, int length) {
    long at = offset - slot.heapOffset();
    if (at < layout.overhead() || length < 1 || length > slot.sizeBytes() - at) {
      throw blocks.corrupt(
          DirectBlock.STRUCTURE,
          blocks.address(slot),
          "object actual="
              + length
              + " bytes at "
              + at
              + ", expected=within "
              + layout.overhead()
              + ".."
              + slot.sizeBytes());
    }
    return (int) at;
  }

  void replace(long offset, byte[] object) {
    ManagedBlocks.Slot slot = blocks.slot(offset);
    int at = within(slot, offset, object.length);
    DirectBlock block = blocks.editable(slot);
    System.arraycopy(object, 0, block.image(), at, object.length);
    markHeaderDirty();
  }

  /** Stores an object in a block and returns its heap offset. */
  long insert(byte[] object) {
    HeapFreeSpace free = editFreeSpace();
    HeapFreeSpace.Hole hole = free.take(object.length);
    if (hole == null) {
      ManagedBlocks.Slot fresh = newBlock(free, object.length);
      hole =
          new HeapFreeSpace.Hole(
              fresh.heapOffset() + layout.overhead(), fresh.sizeBytes() - layout.overhead());
    }
    ManagedBlocks.Slot slot = blocks.slot(hole.offset());
    int at = within(slot, hole.offset(), hole.bytes());
    DirectBlock block = blocks.editable(slot);
    System.arraycopy(object, 0, block.image(), at, object.length);
    if (hole.bytes() > object.length) {
      free.add(hole.offset() + object.length, hole.bytes() - object.length);
    }
    header.managedObjects++;
    header.freeBytes -= object.length;
    markHeaderDirty();
    return hole.offset();
  }

  void remove(long offset, int length) {
    ManagedBlocks.Slot slot = blocks.slot(offset);
    int at = within(slot, offset, length);
    HeapFreeSpace free = editFreeSpace();
    if (free.overlaps(offset, length) || header.managedObjects < 1) {
      throw blocks.corrupt(
          DirectBlock.STRUCTURE,
          blocks.address(slot),
          "object of " + length + " bytes at " + at + " lies in free space");
    }
    header.managedObjects--;
    header.freeBytes += length;
    if (header.managedObjects == 0) {
      blocks.releaseAll();
      free.clear();
    } else {
      HeapFreeSpace.Hole hole = free.add(offset, length);
      if (hole.bytes() == slot.sizeBytes() - layout.overhead() && slot.parent() != null) {
        free.remove(hole);
        releaseBlock(free, slot);
      }
    }
    markHeaderDirty();
  }

  void releaseAll() {
    if (header.freeSpaceAddress != FileGeometry.UNDEFINED) {
      HeapFreeSpace.delete(space, layout, header.freeSpaceAddress);
      header.freeSpaceAddress = FileGeometry.UNDEFINED;
    }
    header.freeSpace = null;
    blocks.releaseAll();
  }

  private void markHeaderDirty() {
    space.markDirty(layout.headerAddress(), header);
  }

  // Free space

  /** Returns the free space for editing. Its record in the file is deleted until the next flush. */
  private HeapFreeSpace editFreeSpace() {
    if (header.freeSpace == null) {
      header.freeSpace =
          header.freeSpaceAddress == FileGeometry.UNDEFINED
              ? new HeapFreeSpace(layout)
              : HeapFreeSpace.read(space, header);
    }
    if (header.freeSpaceAddress != FileGeometry.UNDEFINED) {
      HeapFreeSpace.delete(space, layout, header.freeSpaceAddress);
      header.freeSpaceAddress = FileGeometry.UNDEFINED;
      markHeaderDirty();
    }
    if (!header.freeSpace.waiting()) {
      header.freeSpace.waiting(true);
      MetadataSpace target = space;
      HeapHeader edited = header;
      space.beforeFlush(layout.headerAddress(), () -> writeFreeSpace(target, edited));
    }
    return header.freeSpace;
  }

  /** Writes the record of a heap's free space to the file, if the heap still exists and has any. */
  private static void writeFreeSpace(MetadataSpace space, HeapHeader header) {
    if (header.freeSpace == null || !header.freeSpace.waiting()) {
      return;
    }
    header.freeSpace.waiting(false);
    long manager = header.freeSpace.write(space, header.parameters);
    if (manager >= 0) {
      header.freeSpaceAddress = manager;
      space.markDirty(header.layout.headerAddress(), header);
    }
  }

  // Blocks

  private ManagedBlocks.Slot newBlock(HeapFreeSpace free, int objectBytes) {
    int row = table.rowOfSize((long) objectBytes + layout.overhead());
    if (row >= table.directRows()) {
      throw blocks.corrupt(
          HeapHeader.STRUCTURE,
          layout.headerAddress(),
          "largest managed object exceeds the largest direct block, object=" + objectBytes);
    }
    if (header.rootAddress == FileGeometry.UNDEFINED && row == 0) {
      header.rootRows = 0;
      header.managedSpan = table.startBytes();
      header.freeBytes = table.freeInBlock(0);
      ManagedBlocks.Slot root =
          new ManagedBlocks.Slot(null, FileGeometry.UNDEFINED, 0, 0, (int) table.startBytes());
      blocks.create(root);
      return root;
    }
    if (header.rootRows == 0) {
      int rows = Math.max(header.parameters.startRootRows(), row + 1);
      blocks.createRoot(Math.min(rows, table.maximumRows()));
    }
    ManagedBlocks.Slot slot = reuseEntry(free, row);
    if (slot == null) {
      slot = nextEntry(free, row);
    }
    blocks.create(slot);
    return slot;
  }

  /** Returns an entry that was skipped or whose block was released, or null. */
  private ManagedBlocks.Slot reuseEntry(HeapFreeSpace free, int row) {
    while (true) {
      long offset = free.takeDirect(row == 1 ? 0 : row);
      if (offset >= 0) {
        ManagedBlocks.Slot slot = blocks.slot(offset);
        if (slot.heapOffset() != offset || blocks.address(slot) != FileGeometry.UNDEFINED) {
          throw blocks.corrupt(
              HeapHeader.STRUCTURE,
              layout.headerAddress(),
              "free space claims the block at heap offset " + offset + ", which is in use");
        }
        return slot;
      }
      if (!openUnusedIndirect(free, row)) {
        return null;
      }
    }
  }

  /**
   * Creates a skipped indirect block whose table has the wanted row, and returns whether there was
   * one.
   */
  private boolean openUnusedIndirect(HeapFreeSpace free, int row) {
    for (long offset : free.unusedIndirect()) {
      HeapPosition position = HeapPosition.of(table, offset, false);
      int rows = table.rowsOfChild(position.entry() / table.width());
      if (rows <= row) {
        continue;
      }
      free.unusedIndirect().remove(offset);
      Place place = placeOf(position);
      if (position.entry() >= place.block.entries()
          || place.block.address(position.entry()) != FileGeometry.UNDEFINED) {
        throw blocks.corrupt(
            IndirectBlock.STRUCTURE,
            place.address,
            "free space claims entry " + position.entry() + ", which is in use or does not exist");
      }
      IndirectBlock child = blocks.createChild(place.block, place.address, position.entry());
      for (int entry = 0; entry < child.entries(); entry++) {
        free.addUnused(offset + table.entryOffset(entry), entry / table.width());
      }
      return true;
    }
    return false;
  }

  /** An indirect block and its address. */
  private record Place(IndirectBlock block, long address) {}

  /** Returns the indirect block at a position. */
  private Place placeOf(HeapPosition position) {
    IndirectBlock block = blocks.root();
    long address = header.rootAddress;
    while (block.heapOffset() != position.parent()) {
      long left = position.parent() - block.heapOffset();
      int entry = left < 0 || left >= table.span(block.rows()) ? -1 : table.entryAt(left);
      if (entry < 0
          || entry / table.width() < table.directRows()
          || block.address(entry) == FileGeometry.UNDEFINED) {
        throw blocks.corrupt(
            IndirectBlock.STRUCTURE,
            address,
            "no indirect block at heap offset " + position.parent());
      }
      address = block.address(entry);
      block = blocks.child(block, entry);
    }
    return new Place(block, address);
  }

  /**
   * Returns the entry at the iterator, or a later one if the blocks there are too small, and
   * advances the iterator past it.
   */
  private ManagedBlocks.Slot nextEntry(HeapFreeSpace free, int row) {
    long needed = table.blockBytes(row);
    Place place = null;
    int entry = 0;
    while (true) {
      if (place == null || entry >= place.block.entries()) {
        growRootFor(row);
        HeapPosition position = HeapPosition.of(table, header.iterator, false);
        place = placeOf(position);
        entry = position.entry();
      }
      int entryRow = entry / table.width();
      long size = table.blockBytes(entryRow);
      if (entryRow < table.directRows() && size >= needed) {
        requireUnused(place, entry);
        header.iterator += size;
        long offset = place.block.heapOffset() + table.entryOffset(entry);
        return new ManagedBlocks.Slot(place.block, place.address, entry, offset, (int) size);
      }
      requireUnused(place, entry);
      if (entryRow >= table.directRows()
          && table.largestDirect(table.rowsOfChild(entryRow)) >= needed) {
        IndirectBlock child = blocks.createChild(place.block, place.address, entry);
        place = new Place(child, place.block.address(entry));
        entry = 0;
      } else {
        free.addUnused(place.block.heapOffset() + table.entryOffset(entry), entryRow);
        header.iterator += size;
        entry++;
      }
    }
  }

  private void requireUnused(Place place, int entry) {
    if (place.block.address(entry) != FileGeometry.UNDEFINED) {
      throw blocks.corrupt(
          IndirectBlock.STRUCTURE,
          place.address,
          "the next block, entry " + entry + ", is already in use");
    }
  }

  /** Adds rows to the root if the iterator has passed its end. */
  private void growRootFor(int row) {
    while (header.iterator >= table.span(header.rootRows)) {
      if (header.rootRows >= table.maximumRows()) {
        throw new UnsupportedFeatureException(
            "fractal heap: actual=full, expected=less than 2^"
                + header.parameters.maximumIndexBits()
                + " bytes, at="
                + layout.geometry().file()
                + "@"
                + layout.headerAddress());
      }
      int rows = Math.max(2 * header.rootRows, row + 1);
      blocks.growRoot(Math.min(rows, table.maximumRows()));
    }
  }

  /**
   * Frees an empty direct block, and the indirect blocks that become empty. The iterator returns to
   * the end of the last remaining block, as in the C library, which shrinks the root to the
   * iterator and relies on having no unused entries beyond it.
   */
  private void releaseBlock(HeapFreeSpace free, ManagedBlocks.Slot slot) {
    blocks.release(slot);
    free.addUnused(slot.heapOffset(), slot.entry() / table.width());
    IndirectBlock block = slot.parent();
    while (block.children() == 0 && block.heapOffset() > 0) {
      long start = block.heapOffset();
      long end = start + table.span(block.rows());
      HeapPosition position = HeapPosition.of(table, start, false);
      Place parent = placeOf(position);
      blocks.releaseChild(parent.block, parent.address, position.entry());
      free.forget(start, end);
      free.addUnused(start, position.entry() / table.width());
      block = parent.block;
    }
    header.iterator = blocks.endOfLastBlock();
    free.forget(header.iterator, Long.MAX_VALUE);
  }
}
