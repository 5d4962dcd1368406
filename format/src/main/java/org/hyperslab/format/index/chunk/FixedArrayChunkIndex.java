package org.hyperslab.format.index.chunk;

import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.index.array.ArrayPage;
import org.hyperslab.format.index.array.ChunkChecks;
import org.hyperslab.format.index.array.ChunkElementFormat;
import org.hyperslab.format.index.array.ChunkElements;
import org.hyperslab.format.index.array.ChunkNumbering;
import org.hyperslab.format.index.array.FixedArrayDataBlock;
import org.hyperslab.format.index.array.FixedArrayHeader;
import org.hyperslab.format.index.grid.ChunkGrid;
import org.hyperslab.format.index.grid.ChunkIndexSpec;
import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.format.index.grid.ChunkVisitor;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.BlockDecoder;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.metadata.SpaceKind;

/**
 * The index of a dataset with a fixed maximum extent: an array with one element per chunk, numbered
 * by {@link ChunkNumbering}. {@link #create} creates the header; the first chunk creates the data
 * block, and the first chunk of a page creates the page.
 *
 * <p>Source: HDF5 File Format Specification 3.0, section VII.C "Fixed Array Index"; H5FA.c,
 * H5Dfarray.c.
 */
final class FixedArrayChunkIndex extends RootedChunkIndex<ChunkIndexSpec.FixedArray> {

  private static final String PAGE = "fixed array data block page";

  /**
   * The greatest number of elements, which are all allocated at once; more would take 16 TiB or
   * more.
   */
  private static final long MAXIMUM_ELEMENTS = 1L << 40;

  private final ChunkNumbering numbering;
  private final BlockDecoder<FixedArrayHeader> headerDecoder;

  /**
   * The block read last; a plain field suffices, because both states that a racing reader may see
   * are valid.
   */
  private Recent recent;

  /**
   * The blocks that the last lookup used.
   *
   * @param page the number of the page; −1 if the data block is not paged
   */
  private record Recent(
      FixedArrayHeader header, FixedArrayDataBlock block, long page, ChunkElements elements) {}

  FixedArrayChunkIndex(
      MetadataSpace space, ChunkGrid grid, ChunkIndexSpec.FixedArray spec, long rootAddress) {
    super(space, grid, spec, rootAddress);
    boolean pageBits = spec.pageBits() >= 1 && spec.pageBits() <= 30;
    if (grid.unlimitedDimensions() > 0
        || !ChunkChecks.plausible(space.geometry(), rootAddress)
        || !pageBits) {
      throw ChunkChecks.corrupt(
          space,
          FixedArrayHeader.STRUCTURE,
          rootAddress,
          "dataset actual=" + grid + " " + spec + ", expected=a fixed maximum and 1..30 page bits");
    }
    numbering = new ChunkNumbering(space.geometry().file(), grid);
    headerDecoder = reader -> FixedArrayHeader.decode(space, grid, reader);
  }

  @Override
  public ChunkLocation find(long[] scaled) {
    long number = numbering.number(scaled);
    Recent last = recent;
    if (last != null && last.elements != null) {
      int shift = Integer.numberOfTrailingZeros(last.header.pageElements());
      if (last.page < 0) {
        return last.elements.get((int) number);
      }
      if (number >>> shift == last.page) {
        return last.elements.get((int) number & (last.header.pageElements() - 1));
      }
    }
    return findAnew(number, last);
  }

  private ChunkLocation findAnew(long number, Recent last) {
    Recent top = last != null ? last : loadTop();
    if (top == null) {
      return ChunkLocation.NONE;
    }
    FixedArrayHeader header = top.header;
    if (top.block.elements() != null) {
      recent = new Recent(header, top.block, -1, top.block.elements());
      return recent.elements.get((int) number);
    }
    long page = number / header.pageElements();
    if (!top.block.hasPage(page)) {
      recent = top;
      return ChunkLocation.NONE;
    }
    ChunkElements elements = page(header, page).elements();
    recent = new Recent(header, top.block, page, elements);
    return elements.get((int) (number % header.pageElements()));
  }

  /** Returns the header and the data block, or null if there is no data block yet. */
  private Recent loadTop() {
    if (root == FileGeometry.UNDEFINED) {
      return null;
    }
    FixedArrayHeader header = header();
    return header.dataBlockAddress() == FileGeometry.UNDEFINED
        ? null
        : new Recent(header, dataBlock(header), -2, null);
  }

  @Override
  public boolean put(long[] scaled, ChunkLocation location) {
    long number = numbering.number(scaled);
    ChunkChecks.location(location, grid);
    if (grid.filtered()) {
      ChunkChecks.fits(location.storedBytes(), sizeFieldBytes());
    }
    boolean changed = create();
    recent = null;
    FixedArrayHeader header = header();
    FixedArrayDataBlock block = dataBlockMade(header);
    if (!header.isPaged()) {
      block.elements().set((int) number, location);
      space.markDirty(header.dataBlockAddress(), block);
      return changed;
    }
    long page = number / header.pageElements();
    ArrayPage elements = pageMade(header, block, page);
    elements.elements().set((int) (number % header.pageElements()), location);
    space.markDirty(pageAddress(header, page), elements);
    return changed;
  }

  private int sizeFieldBytes() {
    return root == FileGeometry.UNDEFINED
        ? ChunkElementFormat.sizeFieldBytes(space.geometry(), grid)
        : header().format().sizeFieldBytes();
  }

  private FixedArrayDataBlock dataBlockMade(FixedArrayHeader header) {
    if (header.dataBlockAddress() != FileGeometry.UNDEFINED) {
      return dataBlock(header);
    }
    FixedArrayDataBlock block = FixedArrayDataBlock.unwritten(space, header, root);
    long bytes = FixedArrayDataBlock.bytesWithPages(space, header);
    long address = space.allocate(SpaceKind.INDEX, bytes);
    space.insert(address, block);
    header.dataBlockAddress(address);
    space.markDirty(root, header);
    return block;
  }

  private ArrayPage pageMade(FixedArrayHeader header, FixedArrayDataBlock block, long page) {
    if (block.hasPage(page)) {
      return page(header, page);
    }
    ArrayPage made = ArrayPage.unwritten(header.format(), header.elementsIn(page));
    space.insert(pageAddress(header, page), made);
    block.addPage(page);
    space.markDirty(header.dataBlockAddress(), block);
    return made;
  }

  @Override
  public ChunkLocation remove(long[] scaled) {
    ChunkLocation was = find(scaled);
    if (was.isAllocated()) {
      recent = null;
      long number = numbering.number(scaled);
      FixedArrayHeader header = header();
      FixedArrayDataBlock block = dataBlock(header);
      if (header.isPaged()) {
        long page = number / header.pageElements();
        ArrayPage elements = page(header, page);
        elements.elements().set((int) (number % header.pageElements()), ChunkLocation.NONE);
        space.markDirty(pageAddress(header, page), elements);
      } else {
        block.elements().set((int) number, ChunkLocation.NONE);
        space.markDirty(header.dataBlockAddress(), block);
      }
    }
    return was;
  }

  @Override
  public void forEach(ChunkVisitor visitor) {
    Recent top = loadTop();
    if (top == null) {
      return;
    }
    long[] scaled = new long[grid.rank()];
    if (top.block.elements() != null) {
      top.block.elements().visit(numbering, 0, scaled, visitor);
      return;
    }
    long pages = top.header.pages();
    for (long page = 0; page < pages; page++) {
      if (top.block.hasPage(page)) {
        ChunkElements elements = page(top.header, page).elements();
        if (!elements.visit(numbering, page * top.header.pageElements(), scaled, visitor)) {
          return;
        }
      }
    }
  }

  @Override
  public boolean create() {
    if (root != FileGeometry.UNDEFINED || numbering.total() == 0) {
      return false;
    }
    if (numbering.total() > MAXIMUM_ELEMENTS) {
      throw new UnsupportedFeatureException(
          "fixed array elements: actual="
              + numbering.total()
              + ", expected=at most "
              + MAXIMUM_ELEMENTS
              + ", at="
              + space.geometry().file()
              + "; use larger chunks, a smaller maximum extent, or an unlimited dimension");
    }
    FixedArrayHeader header =
        new FixedArrayHeader(
            space.geometry(),
            ChunkElementFormat.forNew(space.geometry(), grid),
            spec.pageBits(),
            numbering.total(),
            FileGeometry.UNDEFINED);
    root = space.allocate(SpaceKind.INDEX, header.encodedSize());
    space.insert(root, header);
    return true;
  }

  @Override
  public void delete() {
    if (root == FileGeometry.UNDEFINED) {
      return;
    }
    recent = null;
    FixedArrayHeader header = header();
    if (header.dataBlockAddress() != FileGeometry.UNDEFINED) {
      FixedArrayDataBlock block = dataBlock(header);
      for (long page = 0; page < header.pages(); page++) {
        if (block.hasPage(page)) {
          space.discard(pageAddress(header, page));
        }
      }
      space.discard(header.dataBlockAddress());
      long bytes = FixedArrayDataBlock.bytesWithPages(space, header);
      space.free(SpaceKind.INDEX, header.dataBlockAddress(), bytes);
    }
    space.discard(root);
    space.free(SpaceKind.INDEX, root, header.encodedSize());
    root = FileGeometry.UNDEFINED;
  }

  @Override
  public long metadataBytes() {
    if (root == FileGeometry.UNDEFINED) {
      return 0;
    }
    FixedArrayHeader header = header();
    return header.dataBlockAddress() == FileGeometry.UNDEFINED
        ? header.encodedSize()
        : header.encodedSize() + FixedArrayDataBlock.bytesWithPages(space, header);
  }

  private FixedArrayHeader header() {
    FixedArrayHeader header =
        space.load(
            root,
            FixedArrayHeader.bytes(space.geometry()),
            FixedArrayHeader.STRUCTURE,
            FixedArrayHeader.class,
            headerDecoder);
    ChunkChecks.own(space, FixedArrayHeader.STRUCTURE, root, header.format().suits(grid));
    if (header.count() != numbering.total()) {
      throw ChunkChecks.corrupt(
          space,
          FixedArrayHeader.STRUCTURE,
          root,
          "number of elements actual=" + header.count() + ", expected=" + numbering.total());
    }
    return header;
  }

  private FixedArrayDataBlock dataBlock(FixedArrayHeader header) {
    long bytes = FixedArrayDataBlock.bytes(space, header);
    FixedArrayDataBlock block =
        space.load(
            header.dataBlockAddress(),
            bytes,
            FixedArrayDataBlock.STRUCTURE,
            FixedArrayDataBlock.class,
            reader -> FixedArrayDataBlock.decode(header, root, reader));
    boolean own = block.isOf(root, header.format()) && block.encodedSize() == bytes;
    ChunkChecks.own(space, FixedArrayDataBlock.STRUCTURE, header.dataBlockAddress(), own);
    return block;
  }

  private ArrayPage page(FixedArrayHeader header, long page) {
    int count = header.elementsIn(page);
    return ArrayPage.load(space, PAGE, pageAddress(header, page), header.format(), count);
  }

  private long pageAddress(FixedArrayHeader header, long page) {
    long prefix = FixedArrayDataBlock.bytes(space, header);
    return ChunkChecks.address(
        space, PAGE, header.dataBlockAddress(), header.pageOffset(page, prefix));
  }
}
