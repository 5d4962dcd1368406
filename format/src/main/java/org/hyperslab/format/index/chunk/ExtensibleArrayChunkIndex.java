package org.hyperslab.format.index.chunk;

import java.util.HashSet;
import java.util.Set;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.index.array.ArrayPage;
import org.hyperslab.format.index.array.BlockRelease;
import org.hyperslab.format.index.array.ChunkChecks;
import org.hyperslab.format.index.array.ChunkElementFormat;
import org.hyperslab.format.index.array.ChunkElements;
import org.hyperslab.format.index.array.ChunkNumbering;
import org.hyperslab.format.index.array.ExtensibleArrayDataBlock;
import org.hyperslab.format.index.array.ExtensibleArrayHeader;
import org.hyperslab.format.index.array.ExtensibleArrayIndexBlock;
import org.hyperslab.format.index.array.ExtensibleArrayShape;
import org.hyperslab.format.index.array.ExtensibleArraySuperBlock;
import org.hyperslab.format.index.grid.ChunkGrid;
import org.hyperslab.format.index.grid.ChunkIndexSpec;
import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.format.index.grid.ChunkVisitor;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.BlockDecoder;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.metadata.SpaceKind;

/**
 * The index of a dataset with one unlimited dimension: an array that grows without being copied,
 * with one element per chunk, numbered by {@link ChunkNumbering}. A block is created with its first
 * chunk, and is never removed.
 *
 * <p>Source: HDF5 File Format Specification 3.0, section VII.D "Extensible Array Index"; H5EA.c,
 * H5Dearray.c.
 */
final class ExtensibleArrayChunkIndex extends RootedChunkIndex<ChunkIndexSpec.ExtensibleArray> {

  private static final String PAGE = "extensible array data block page";

  private final ChunkNumbering numbering;
  private final BlockDecoder<ExtensibleArrayHeader> headerDecoder;

  /**
   * The blocks read last; plain fields suffice, because every state that a racing reader may see is
   * valid.
   */
  private Top top;

  private Run recent;

  /** The header, the index block, and the super blocks read so far; the others are null. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Top(
      ExtensibleArrayHeader header,
      ExtensibleArrayIndexBlock indexBlock,
      ExtensibleArraySuperBlock[] superBlocks) {}

  /**
   * Consecutive elements stored in one block.
   *
   * @param first the number of the first element
   * @param end the number after that of the last element
   */
  private record Run(long first, long end, ChunkElements elements) {
    ChunkLocation get(long number) {
      return elements.get((int) (number - first));
    }
  }

  ExtensibleArrayChunkIndex(
      MetadataSpace space, ChunkGrid grid, ChunkIndexSpec.ExtensibleArray spec, long rootAddress) {
    super(space, grid, spec, rootAddress);
    if (grid.unlimitedDimensions() != 1 || !ChunkChecks.plausible(space.geometry(), rootAddress)) {
      throw ChunkChecks.corrupt(
          space,
          ExtensibleArrayHeader.STRUCTURE,
          rootAddress,
          "dataset actual=" + grid + ", expected=one unlimited dimension");
    }
    numbering = new ChunkNumbering(space.geometry().file(), grid);
    headerDecoder = reader -> ExtensibleArrayHeader.decode(space, grid, reader);
    newShape().check(space, ExtensibleArrayHeader.STRUCTURE, rootAddress);
  }

  private ExtensibleArrayShape newShape() {
    return new ExtensibleArrayShape(spec, ChunkElementFormat.forNew(space.geometry(), grid));
  }

  @Override
  public ChunkLocation find(long[] scaled) {
    long number = numbering.number(scaled);
    Run run = recent;
    if (run == null || number < run.first || number >= run.end) {
      run = locate(number);
      if (run == null) {
        return ChunkLocation.NONE;
      }
      recent = run;
    }
    return run.get(number);
  }

  /** Returns the run of elements that contains an element, or null if it has no block yet. */
  private Run locate(long number) {
    Top from = top();
    if (from == null) {
      return null;
    }
    ExtensibleArrayShape shape = from.header.shape();
    int inIndexBlock = shape.spec().indexBlockElements();
    if (number < inIndexBlock) {
      return new Run(0, inIndexBlock, from.indexBlock.elements());
    }
    if (number >= shape.capacity()) {
      return null;
    }
    long rest = number - inIndexBlock;
    int u = shape.superBlockOf(rest);
    long within = rest - shape.superBlockStart(u);
    int block = (int) (within >>> shape.blockElementsLog2(u));
    long inBlock = within & (shape.blockElements(u) - 1);
    boolean direct = u < shape.firstSuperBlock();
    ExtensibleArraySuperBlock superBlock = direct ? null : superBlock(from, u);
    if (!direct && superBlock == null) {
      return null;
    }
    long address =
        direct
            ? from.indexBlock.dataBlocks()[(int) shape.dataBlocksBefore(u) + block]
            : superBlock.dataBlocks()[block];
    if (address == FileGeometry.UNDEFINED) {
      return null;
    }
    long first = number - inBlock;
    if (shape.pages(u) == 0) {
      ChunkElements elements = dataBlock(shape, u, address).elements();
      return new Run(first, first + elements.count(), elements);
    }
    long page = inBlock >>> shape.spec().pageBits();
    if (!superBlock.hasPage(block, page)) {
      return null;
    }
    ChunkElements elements = page(shape, u, address, page).elements();
    long firstOfPage = first + page * shape.pageElements();
    return new Run(firstOfPage, firstOfPage + elements.count(), elements);
  }

  private Top top() {
    Top known = top;
    if (known != null || root == FileGeometry.UNDEFINED) {
      return known;
    }
    ExtensibleArrayHeader header = header();
    if (header.indexBlockAddress() == FileGeometry.UNDEFINED) {
      return null;
    }
    int superBlocks = header.shape().indexBlockSuperBlocks();
    top = new Top(header, indexBlock(header), new ExtensibleArraySuperBlock[superBlocks]);
    return top;
  }

  private ExtensibleArraySuperBlock superBlock(Top from, int u) {
    int slot = u - from.header.shape().firstSuperBlock();
    ExtensibleArraySuperBlock known = from.superBlocks[slot];
    if (known == null) {
      long address = from.indexBlock.superBlocks()[slot];
      if (address == FileGeometry.UNDEFINED) {
        return null;
      }
      known = loadSuperBlock(from.header.shape(), u, address);
      from.superBlocks[slot] = known;
    }
    return known;
  }

  @Override
  public boolean put(long[] scaled, ChunkLocation location) {
    long number = numbering.number(scaled);
    ChunkChecks.location(location, grid);
    ExtensibleArrayShape shape = root == FileGeometry.UNDEFINED ? newShape() : header().shape();
    if (grid.filtered()) {
      ChunkChecks.fits(location.storedBytes(), shape.format().sizeFieldBytes());
    }
    if (number >= shape.capacity()) {
      throw new UnsupportedFeatureException(
          "chunk number: actual="
              + number
              + ", expected=below "
              + shape.capacity()
              + ", at="
              + space.geometry().file()
              + " extensible array; use larger chunks");
    }
    boolean changed = create();
    forget();
    ExtensibleArrayHeader header = header();
    ExtensibleArrayIndexBlock indexBlock = indexBlockMade(header);
    set(header, indexBlock, number, location);
    if (number >= header.end()) {
      header.end(number + 1);
      space.markDirty(root, header);
    }
    return changed;
  }

  /** Sets one element, creating the blocks on the way to it. */
  private void set(
      ExtensibleArrayHeader header,
      ExtensibleArrayIndexBlock indexBlock,
      long number,
      ChunkLocation location) {
    ExtensibleArrayShape shape = header.shape();
    int inIndexBlock = shape.spec().indexBlockElements();
    if (number < inIndexBlock) {
      indexBlock.elements().set((int) number, location);
      space.markDirty(header.indexBlockAddress(), indexBlock);
      return;
    }
    long rest = number - inIndexBlock;
    int u = shape.superBlockOf(rest);
    long within = rest - shape.superBlockStart(u);
    int block = (int) (within >>> shape.blockElementsLog2(u));
    long inBlock = within & (shape.blockElements(u) - 1);
    if (u < shape.firstSuperBlock()) {
      int slot = (int) shape.dataBlocksBefore(u) + block;
      if (indexBlock.dataBlocks()[slot] == FileGeometry.UNDEFINED) {
        indexBlock.dataBlocks()[slot] = makeDataBlock(header, u, slot);
        space.markDirty(header.indexBlockAddress(), indexBlock);
      }
      setInDataBlock(shape, u, indexBlock.dataBlocks()[slot], inBlock, location);
      return;
    }
    ExtensibleArraySuperBlock superBlock = superBlockMade(header, indexBlock, u);
    long superAddress = indexBlock.superBlocks()[u - shape.firstSuperBlock()];
    if (superBlock.dataBlocks()[block] == FileGeometry.UNDEFINED) {
      superBlock.dataBlocks()[block] = makeDataBlock(header, u, block);
      space.markDirty(superAddress, superBlock);
    }
    long address = superBlock.dataBlocks()[block];
    if (shape.pages(u) == 0) {
      setInDataBlock(shape, u, address, inBlock, location);
      return;
    }
    long pageIndex = inBlock >>> shape.spec().pageBits();
    if (!superBlock.hasPage(block, pageIndex)) {
      ArrayPage made = ArrayPage.unwritten(shape.format(), shape.pageElements());
      space.insert(pageAddress(shape, u, address, pageIndex), made);
      superBlock.addPage(block, pageIndex);
      space.markDirty(superAddress, superBlock);
    }
    ArrayPage page = page(shape, u, address, pageIndex);
    page.elements().set((int) (inBlock & (shape.pageElements() - 1)), location);
    space.markDirty(pageAddress(shape, u, address, pageIndex), page);
  }

  private void setInDataBlock(
      ExtensibleArrayShape shape, int u, long address, long inBlock, ChunkLocation location) {
    ExtensibleArrayDataBlock dataBlock = dataBlock(shape, u, address);
    dataBlock.elements().set((int) inBlock, location);
    space.markDirty(address, dataBlock);
  }

  private ExtensibleArrayIndexBlock indexBlockMade(ExtensibleArrayHeader header) {
    if (header.indexBlockAddress() != FileGeometry.UNDEFINED) {
      return indexBlock(header);
    }
    ExtensibleArrayIndexBlock made =
        ExtensibleArrayIndexBlock.unwritten(space.geometry(), header.shape(), root);
    long address = space.allocate(SpaceKind.INDEX, made.encodedSize());
    space.insert(address, made);
    header.indexBlockMade(address);
    space.markDirty(root, header);
    return made;
  }

  private ExtensibleArraySuperBlock superBlockMade(
      ExtensibleArrayHeader header, ExtensibleArrayIndexBlock indexBlock, int u) {
    int slot = u - header.shape().firstSuperBlock();
    if (indexBlock.superBlocks()[slot] != FileGeometry.UNDEFINED) {
      return loadSuperBlock(header.shape(), u, indexBlock.superBlocks()[slot]);
    }
    ExtensibleArraySuperBlock made =
        ExtensibleArraySuperBlock.unwritten(space, header.shape(), u, root);
    long address = space.allocate(SpaceKind.INDEX, made.encodedSize());
    space.insert(address, made);
    indexBlock.superBlocks()[slot] = address;
    space.markDirty(header.indexBlockAddress(), indexBlock);
    header.superBlockMade(made.encodedSize());
    space.markDirty(root, header);
    return made;
  }

  /**
   * Creates a data block of super block {@code u}.
   *
   * @param number the number from which the C library computes the block offset
   * @return the block's address
   */
  private long makeDataBlock(ExtensibleArrayHeader header, int u, int number) {
    ExtensibleArrayShape shape = header.shape();
    long offset = shape.superBlockStart(u) + number * shape.blockElements(u);
    ExtensibleArrayDataBlock made =
        ExtensibleArrayDataBlock.unwritten(space, shape, u, root, offset);
    long bytes = ExtensibleArrayDataBlock.bytesWithPages(space, shape, u);
    long address = space.allocate(SpaceKind.INDEX, bytes);
    space.insert(address, made);
    header.dataBlockMade(bytes, shape.blockElements(u));
    space.markDirty(root, header);
    return address;
  }

  @Override
  public ChunkLocation remove(long[] scaled) {
    ChunkLocation was = find(scaled);
    if (was.isAllocated()) {
      forget();
      ExtensibleArrayHeader header = header();
      set(header, indexBlock(header), numbering.number(scaled), ChunkLocation.NONE);
    }
    return was;
  }

  @Override
  public void forEach(ChunkVisitor visitor) {
    if (top() != null) {
      new Walk(visitor).run();
    }
  }

  /** A pass over the elements in order, which skips blocks that do not exist. */
  private final class Walk {
    private final ChunkVisitor visitor;
    private final long[] scaled = new long[grid.rank()];
    private final ExtensibleArrayHeader header = header();
    private final ExtensibleArrayShape shape = header.shape();
    private final Set<Long> dataBlocks = new HashSet<>();

    Walk(ChunkVisitor visitor) {
      this.visitor = visitor;
    }

    void run() {
      ExtensibleArrayIndexBlock indexBlock = indexBlock(header);
      if (!visit(indexBlock.elements(), 0)) {
        return;
      }
      for (int u = 0; u < shape.superBlocks(); u++) {
        boolean more =
            u < shape.firstSuperBlock()
                ? direct(indexBlock, u)
                : throughSuperBlock(indexBlock.superBlocks()[u - shape.firstSuperBlock()], u);
        if (!more) {
          return;
        }
      }
    }

    private boolean direct(ExtensibleArrayIndexBlock indexBlock, int u) {
      for (int block = 0; block < shape.dataBlocks(u); block++) {
        long address = indexBlock.dataBlocks()[(int) shape.dataBlocksBefore(u) + block];
        if (isNew(address) && !visit(dataBlock(shape, u, address).elements(), first(u, block))) {
          return false;
        }
      }
      return true;
    }

    private boolean throughSuperBlock(long superAddress, int u) {
      if (superAddress == FileGeometry.UNDEFINED) {
        return true;
      }
      ExtensibleArraySuperBlock superBlock = loadSuperBlock(shape, u, superAddress);
      for (int block = 0; block < superBlock.dataBlocks().length; block++) {
        long address = superBlock.dataBlocks()[block];
        if (!isNew(address)) {
          continue;
        }
        boolean more =
            shape.pages(u) == 0
                ? visit(dataBlock(shape, u, address).elements(), first(u, block))
                : pages(superBlock, u, block);
        if (!more) {
          return false;
        }
      }
      return true;
    }

    /** Returns whether a data block exists; it must not have been visited before. */
    private boolean isNew(long address) {
      if (address != FileGeometry.UNDEFINED && !dataBlocks.add(address)) {
        throw ChunkChecks.notOwn(space, ExtensibleArrayDataBlock.STRUCTURE, address);
      }
      return address != FileGeometry.UNDEFINED;
    }

    private boolean pages(ExtensibleArraySuperBlock superBlock, int u, int block) {
      for (long page = 0; page < shape.pages(u); page++) {
        if (superBlock.hasPage(block, page)) {
          ChunkElements elements = page(shape, u, superBlock.dataBlocks()[block], page).elements();
          if (!visit(elements, first(u, block) + page * shape.pageElements())) {
            return false;
          }
        }
      }
      return true;
    }

    private long first(int u, int block) {
      return shape.spec().indexBlockElements()
          + shape.superBlockStart(u)
          + block * shape.blockElements(u);
    }

    private boolean visit(ChunkElements elements, long first) {
      return elements.visit(numbering, first, scaled, visitor);
    }
  }

  @Override
  public boolean create() {
    if (root != FileGeometry.UNDEFINED) {
      return false;
    }
    ExtensibleArrayHeader header = new ExtensibleArrayHeader(space.geometry(), newShape());
    root = space.allocate(SpaceKind.INDEX, header.encodedSize());
    space.insert(root, header);
    return true;
  }

  @Override
  public void delete() {
    if (root == FileGeometry.UNDEFINED) {
      return;
    }
    forget();
    ExtensibleArrayHeader header = header();
    BlockRelease release = new BlockRelease(space, ExtensibleArrayHeader.STRUCTURE);
    release.add(root, header.encodedSize());
    if (header.indexBlockAddress() != FileGeometry.UNDEFINED) {
      collect(header, indexBlock(header), release);
    }
    release.run();
    root = FileGeometry.UNDEFINED;
  }

  private void collect(
      ExtensibleArrayHeader header, ExtensibleArrayIndexBlock indexBlock, BlockRelease release) {
    ExtensibleArrayShape shape = header.shape();
    release.add(header.indexBlockAddress(), indexBlock.encodedSize());
    for (int u = 0; u < shape.firstSuperBlock(); u++) {
      long bytes = ExtensibleArrayDataBlock.bytes(space, shape, u);
      for (int block = 0; block < shape.dataBlocks(u); block++) {
        release.add(indexBlock.dataBlocks()[(int) shape.dataBlocksBefore(u) + block], bytes);
      }
    }
    for (int u = shape.firstSuperBlock(); u < shape.superBlocks(); u++) {
      long superAddress = indexBlock.superBlocks()[u - shape.firstSuperBlock()];
      if (superAddress != FileGeometry.UNDEFINED) {
        collectSuperBlock(shape, u, superAddress, release);
      }
    }
  }

  private void collectSuperBlock(
      ExtensibleArrayShape shape, int u, long superAddress, BlockRelease release) {
    ExtensibleArraySuperBlock superBlock = loadSuperBlock(shape, u, superAddress);
    release.add(superAddress, superBlock.encodedSize());
    long bytes = ExtensibleArrayDataBlock.bytesWithPages(space, shape, u);
    for (int block = 0; block < superBlock.dataBlocks().length; block++) {
      long address = superBlock.dataBlocks()[block];
      release.add(address, bytes);
      for (long page = 0; page < shape.pages(u) && address >= 0; page++) {
        if (superBlock.hasPage(block, page)) {
          release.addPart(pageAddress(shape, u, address, page));
        }
      }
    }
  }

  @Override
  public long metadataBytes() {
    if (root == FileGeometry.UNDEFINED) {
      return 0;
    }
    ExtensibleArrayHeader header = header();
    long indexBlock =
        header.indexBlockAddress() == FileGeometry.UNDEFINED
            ? 0
            : ExtensibleArrayIndexBlock.bytes(space.geometry(), header.shape());
    return header.encodedSize() + indexBlock + header.blockBytes();
  }

  /** Drops the blocks that lookups cache; every edit does this first. */
  private void forget() {
    top = null;
    recent = null;
  }

  private ExtensibleArrayHeader header() {
    ExtensibleArrayHeader header =
        space.load(
            root,
            ExtensibleArrayHeader.bytes(space.geometry()),
            ExtensibleArrayHeader.STRUCTURE,
            ExtensibleArrayHeader.class,
            headerDecoder);
    boolean own = header.shape().format().suits(grid);
    ChunkChecks.own(space, ExtensibleArrayHeader.STRUCTURE, root, own);
    return header;
  }

  private ExtensibleArrayIndexBlock indexBlock(ExtensibleArrayHeader header) {
    ExtensibleArrayShape shape = header.shape();
    ExtensibleArrayIndexBlock block =
        space.load(
            header.indexBlockAddress(),
            ExtensibleArrayIndexBlock.bytes(space.geometry(), shape),
            ExtensibleArrayIndexBlock.STRUCTURE,
            ExtensibleArrayIndexBlock.class,
            reader -> ExtensibleArrayIndexBlock.decode(shape, root, reader));
    boolean own = block.headerAddress() == root && block.shape().equals(shape);
    ChunkChecks.own(space, ExtensibleArrayIndexBlock.STRUCTURE, header.indexBlockAddress(), own);
    return block;
  }

  private ExtensibleArraySuperBlock loadSuperBlock(
      ExtensibleArrayShape shape, int u, long address) {
    ExtensibleArraySuperBlock block =
        space.load(
            address,
            ExtensibleArraySuperBlock.bytes(space, shape, u),
            ExtensibleArraySuperBlock.STRUCTURE,
            ExtensibleArraySuperBlock.class,
            reader -> ExtensibleArraySuperBlock.decode(shape, u, root, reader));
    boolean own = block.index() == u && block.headerAddress() == root;
    ChunkChecks.own(space, ExtensibleArraySuperBlock.STRUCTURE, address, own);
    return block;
  }

  private ExtensibleArrayDataBlock dataBlock(ExtensibleArrayShape shape, int u, long address) {
    long bytes = ExtensibleArrayDataBlock.bytes(space, shape, u);
    ExtensibleArrayDataBlock block =
        space.load(
            address,
            bytes,
            ExtensibleArrayDataBlock.STRUCTURE,
            ExtensibleArrayDataBlock.class,
            reader -> ExtensibleArrayDataBlock.decode(shape, u, root, reader));
    boolean own = block.encodedSize() == bytes && block.headerAddress() == root;
    ChunkChecks.own(space, ExtensibleArrayDataBlock.STRUCTURE, address, own);
    return block;
  }

  private ArrayPage page(ExtensibleArrayShape shape, int u, long address, long page) {
    long pageAddress = pageAddress(shape, u, address, page);
    return ArrayPage.load(space, PAGE, pageAddress, shape.format(), shape.pageElements());
  }

  private long pageAddress(ExtensibleArrayShape shape, int u, long address, long page) {
    long prefix = ExtensibleArrayDataBlock.bytes(space, shape, u);
    long pageBytes = ArrayPage.bytes(shape.format(), shape.pageElements());
    return ChunkChecks.address(space, PAGE, address, prefix + page * pageBytes);
  }
}
