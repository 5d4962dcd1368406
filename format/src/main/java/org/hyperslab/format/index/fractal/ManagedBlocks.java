package org.hyperslab.format.index.fractal;

import java.util.HashSet;
import java.util.Set;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.metadata.SpaceKind;

/**
 * The blocks of a heap: finds them by heap offset, and loads, creates and releases them.
 *
 * <p>Thread rule: finding and loading in any number of threads; everything else under the write
 * lock.
 */
final class ManagedBlocks {

  /** The filter mask in which every filter is marked as skipped. */
  static final int UNFILTERED = -1;

  /**
   * The size of the largest block that is created. The C library's heaps have blocks of 64 KiB; a
   * header must not cause gigabytes to be allocated.
   */
  private static final int MAXIMUM_CREATED_BYTES = 1 << 24;

  private final MetadataSpace space;
  private final HeapHeader header;
  private final HeapLayout layout;
  private final DoublingTable table;
  private final HeapFilter filter;

  ManagedBlocks(MetadataSpace space, HeapHeader header, HeapFilter filter) {
    this.space = space;
    this.header = header;
    this.layout = header.layout;
    this.table = layout.table();
    this.filter = filter;
  }

  /**
   * The place of a direct block.
   *
   * @param parent the indirect block whose child it is; null for a direct root
   * @param parentAddress the address of that block
   * @param entry the entry in that block
   * @param heapOffset the direct block's heap offset
   * @param sizeBytes the direct block's unfiltered size in bytes
   */
  record Slot(
      IndirectBlock parent, long parentAddress, int entry, long heapOffset, int sizeBytes) {}

  CorruptFileException corrupt(String structure, long address, String problem) {
    return new CorruptFileException(layout.geometry().file(), structure, address, problem);
  }

  IndirectBlock root() {
    return indirect(header.rootAddress, 0, header.rootRows);
  }

  private IndirectBlock indirect(long address, long heapOffset, int rows) {
    if (rows < 1) {
      throw corrupt(IndirectBlock.STRUCTURE, address, "rows actual=" + rows + ", expected=1..");
    }
    IndirectBlock block =
        space.load(
            address,
            IndirectBlock.encodedBytes(layout, rows),
            IndirectBlock.STRUCTURE,
            IndirectBlock.class,
            reader -> IndirectBlock.decode(reader, layout, heapOffset, rows));
    if (block.heapOffset() != heapOffset
        || block.rows() != rows
        || block.layout().headerAddress() != layout.headerAddress()) {
      throw corrupt(IndirectBlock.STRUCTURE, address, "block claimed by two parents");
    }
    return block;
  }

  /** Returns the indirect block that is the child at an entry of another one. */
  IndirectBlock child(IndirectBlock parent, int entry) {
    long offset = parent.heapOffset() + table.entryOffset(entry);
    return indirect(parent.address(entry), offset, table.rowsOfChild(entry / table.width()));
  }

  /** Returns the slot of the direct block that covers a heap offset. */
  Slot slot(long heapOffset) {
    if (header.rootRows == 0) {
      if (heapOffset < 0 || heapOffset >= table.startBytes()) {
        throw outside(heapOffset);
      }
      return new Slot(null, header.rootAddress, 0, 0, (int) table.startBytes());
    }
    IndirectBlock block = root();
    long address = header.rootAddress;
    long left = heapOffset;
    while (true) {
      if (left < 0 || left >= table.span(block.rows())) {
        throw outside(heapOffset);
      }
      int entry = table.entryAt(left);
      int row = entry / table.width();
      if (row < table.directRows()) {
        long offset = block.heapOffset() + table.entryOffset(entry);
        return new Slot(block, address, entry, offset, (int) table.blockBytes(row));
      }
      left -= table.entryOffset(entry);
      address = block.address(entry);
      if (address == FileGeometry.UNDEFINED) {
        throw outside(heapOffset);
      }
      block = child(block, entry);
    }
  }

  private CorruptFileException outside(long heapOffset) {
    return corrupt(
        HeapHeader.STRUCTURE,
        layout.headerAddress(),
        "heap offset actual=" + heapOffset + ", expected=in an allocated block");
  }

  long address(Slot slot) {
    return slot.parent == null ? header.rootAddress : slot.parent.address(slot.entry);
  }

  private long storedBytes(Slot slot) {
    if (!layout.filtered()) {
      return slot.sizeBytes;
    }
    return slot.parent == null ? header.filteredRootBytes : slot.parent.filteredBytes(slot.entry);
  }

  private int mask(Slot slot) {
    return slot.parent == null ? header.filteredRootMask : slot.parent.filterMask(slot.entry);
  }

  /** Returns the block in a slot, for reading. */
  DirectBlock block(Slot slot) {
    long address = address(slot);
    if (address == FileGeometry.UNDEFINED) {
      throw outside(slot.heapOffset);
    }
    long stored = storedBytes(slot);
    DirectBlock block =
        space.load(
            address,
            stored,
            DirectBlock.STRUCTURE,
            DirectBlock.class,
            reader -> decode(reader, slot, address, stored));
    if (block.heapOffset() != slot.heapOffset
        || block.image().length != slot.sizeBytes
        || block.layout().headerAddress() != layout.headerAddress()) {
      throw corrupt(DirectBlock.STRUCTURE, address, "block claimed by two parents");
    }
    return block;
  }

  private DirectBlock decode(MetadataReader reader, Slot slot, long address, long stored) {
    if (!layout.filtered() || mask(slot) == UNFILTERED) {
      return DirectBlock.decode(reader, layout, slot.heapOffset, stored);
    }
    byte[] decoded =
        filter.decode(
            layout.pipeline(), mask(slot), reader.bytes(reader.remaining()), slot.sizeBytes);
    if (decoded.length != slot.sizeBytes) {
      throw corrupt(
          DirectBlock.STRUCTURE,
          address,
          "unfiltered size actual=" + decoded.length + ", expected=" + slot.sizeBytes);
    }
    MetadataReader inner =
        new MetadataReader(layout.geometry(), DirectBlock.STRUCTURE, decoded, address);
    return DirectBlock.decode(inner, layout, slot.heapOffset, stored);
  }

  /**
   * Returns the block in a slot for editing, marked as dirty. A filtered block is moved, to be
   * stored unfiltered.
   */
  DirectBlock editable(Slot slot) {
    DirectBlock block = block(slot);
    long address = address(slot);
    if (!layout.filtered() || mask(slot) == UNFILTERED) {
      space.markDirty(address, block);
      return block;
    }
    long stored = storedBytes(slot);
    space.discard(address);
    space.free(SpaceKind.HEAP, address, stored);
    DirectBlock moved = block.unfiltered();
    place(slot, moved);
    return moved;
  }

  /** Creates the block of an empty slot. */
  void create(Slot slot) {
    if (slot.sizeBytes > MAXIMUM_CREATED_BYTES) {
      throw new UnsupportedFeatureException(
          "fractal heap block: actual="
              + slot.sizeBytes
              + " bytes to create, expected=at most "
              + MAXIMUM_CREATED_BYTES
              + ", at="
              + layout.geometry().file()
              + "@"
              + layout.headerAddress());
    }
    place(slot, DirectBlock.create(layout, slot.heapOffset, slot.sizeBytes));
    header.managedAllocated += slot.sizeBytes;
  }

  private void place(Slot slot, DirectBlock block) {
    long address = space.allocate(SpaceKind.HEAP, slot.sizeBytes);
    space.insert(address, block);
    if (slot.parent == null) {
      header.rootAddress = address;
      if (layout.filtered()) {
        header.filteredRootBytes = slot.sizeBytes;
        header.filteredRootMask = UNFILTERED;
      }
    } else {
      slot.parent.address(slot.entry, address);
      slot.parent.filtered(slot.entry, slot.sizeBytes, UNFILTERED);
      space.markDirty(slot.parentAddress, slot.parent);
    }
  }

  /** Frees a slot's block. */
  void release(Slot slot) {
    long address = address(slot);
    space.discard(address);
    space.free(SpaceKind.HEAP, address, storedBytes(slot));
    header.managedAllocated -= slot.sizeBytes;
    if (slot.parent == null) {
      header.rootAddress = FileGeometry.UNDEFINED;
      header.filteredRootBytes = 0;
      header.filteredRootMask = 0;
    } else {
      slot.parent.address(slot.entry, FileGeometry.UNDEFINED);
      slot.parent.filtered(slot.entry, 0, 0);
      space.markDirty(slot.parentAddress, slot.parent);
    }
  }

  /**
   * Creates an indirect root block above the present root, which is absent or a direct block.
   *
   * @param rows the number of rows of the new block
   */
  void createRoot(int rows) {
    IndirectBlock root = new IndirectBlock(layout, 0, rows);
    boolean first = header.rootAddress != FileGeometry.UNDEFINED;
    if (first) {
      root.address(0, header.rootAddress);
      root.filtered(0, header.filteredRootBytes, header.filteredRootMask);
      header.filteredRootBytes = 0;
      header.filteredRootMask = 0;
      header.freeBytes -= table.freeInBlock(0);
    }
    header.rootAddress = place(root);
    header.rootRows = rows;
    header.iterator = first ? table.startBytes() : 0;
    header.managedSpan = table.span(rows);
    header.freeBytes += table.freeInRows(rows);
  }

  private long place(IndirectBlock block) {
    long address = space.allocate(SpaceKind.HEAP, block.encodedSize());
    space.insert(address, block);
    return address;
  }

  /** Replaces the indirect root by one of more rows. */
  void growRoot(int rows) {
    IndirectBlock root = root();
    IndirectBlock grown = root.grown(rows);
    long oldAddress = header.rootAddress;
    header.freeBytes += table.freeInRows(rows) - table.freeInRows(root.rows());
    header.rootAddress = place(grown);
    header.rootRows = rows;
    header.managedSpan = table.span(rows);
    space.discard(oldAddress);
    space.free(SpaceKind.HEAP, oldAddress, root.encodedSize());
  }

  /** Creates an indirect block at an entry without a child. */
  IndirectBlock createChild(IndirectBlock parent, long parentAddress, int entry) {
    long offset = parent.heapOffset() + table.entryOffset(entry);
    IndirectBlock child =
        new IndirectBlock(layout, offset, table.rowsOfChild(entry / table.width()));
    parent.address(entry, place(child));
    space.markDirty(parentAddress, parent);
    return child;
  }

  /** Frees the indirect block at an entry; it must have no children. */
  void releaseChild(IndirectBlock parent, long parentAddress, int entry) {
    IndirectBlock child = child(parent, entry);
    space.discard(parent.address(entry));
    space.free(SpaceKind.HEAP, parent.address(entry), child.encodedSize());
    parent.address(entry, FileGeometry.UNDEFINED);
    space.markDirty(parentAddress, parent);
  }

  /**
   * Returns the heap offset after the last direct block below an indirect root; 0 if there is none.
   */
  long endOfLastBlock() {
    return endOfLastBlock(root(), new HashSet<>());
  }

  private long endOfLastBlock(IndirectBlock block, Set<Long> seen) {
    for (int entry = block.entries() - 1; entry >= 0; entry--) {
      if (block.address(entry) == FileGeometry.UNDEFINED) {
        continue;
      }
      int row = entry / table.width();
      if (row < table.directRows()) {
        return block.heapOffset() + table.entryOffset(entry) + table.blockBytes(row);
      }
      if (!seen.add(block.address(entry))) {
        throw corrupt(
            IndirectBlock.STRUCTURE, block.address(entry), "block claimed by two parents");
      }
      long end = endOfLastBlock(child(block, entry), seen);
      if (end > 0) {
        return end;
      }
    }
    return 0;
  }

  /** Returns the size of all indirect blocks in bytes. */
  long indirectBytes() {
    boolean none = header.rootRows == 0 || header.rootAddress == FileGeometry.UNDEFINED;
    return none ? 0 : indirectBytes(root(), new HashSet<>());
  }

  private long indirectBytes(IndirectBlock block, Set<Long> seen) {
    long bytes = block.encodedSize();
    int first = table.directRows() * table.width();
    for (int entry = first; entry < block.entries(); entry++) {
      long child = block.address(entry);
      if (child == FileGeometry.UNDEFINED) {
        continue;
      }
      if (!seen.add(child)) {
        throw corrupt(IndirectBlock.STRUCTURE, child, "block claimed by two parents");
      }
      bytes += indirectBytes(child(block, entry), seen);
    }
    return bytes;
  }

  /** Frees all blocks. */
  void releaseAll() {
    if (header.rootAddress != FileGeometry.UNDEFINED) {
      if (header.rootRows == 0) {
        release(new Slot(null, header.rootAddress, 0, 0, (int) table.startBytes()));
      } else {
        releaseTree(root(), header.rootAddress, new HashSet<>());
      }
    }
    header.rootAddress = FileGeometry.UNDEFINED;
    header.rootRows = 0;
    header.managedSpan = 0;
    header.managedAllocated = 0;
    header.iterator = 0;
    header.freeBytes = 0;
  }

  private void releaseTree(IndirectBlock block, long address, Set<Long> seen) {
    for (int entry = 0; entry < block.entries(); entry++) {
      long child = block.address(entry);
      if (child == FileGeometry.UNDEFINED) {
        continue;
      }
      if (!seen.add(child)) {
        throw corrupt(IndirectBlock.STRUCTURE, address, "two entries point at " + child);
      }
      int row = entry / table.width();
      if (row >= table.directRows()) {
        releaseTree(child(block, entry), child, seen);
      } else {
        space.discard(child);
        long bytes = layout.filtered() ? block.filteredBytes(entry) : table.blockBytes(row);
        space.free(SpaceKind.HEAP, child, bytes);
      }
    }
    space.discard(address);
    space.free(SpaceKind.HEAP, address, block.encodedSize());
  }
}
