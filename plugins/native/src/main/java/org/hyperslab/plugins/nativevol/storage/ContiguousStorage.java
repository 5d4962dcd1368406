package org.hyperslab.plugins.nativevol.storage;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.header.DataLayoutMessage;
import org.hyperslab.format.header.FillValueMessage;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.SpaceKind;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.plugins.nativevol.file.NativeFile;
import org.hyperslab.plugins.nativevol.space.MovableExtent;
import org.hyperslab.plugins.nativevol.transfer.FillPattern;
import org.hyperslab.plugins.nativevol.transfer.RawBytes;
import org.hyperslab.vol.DatasetOperation.Transfer;

/**
 * Stores elements in one block of the file. The block is allocated at the first write unless the
 * dataset was created with early allocation; until then all elements read as the fill value.
 */
public final class ContiguousStorage extends FlatStorage implements RawBytes, MovableExtent {

  private static final long MOVED_BYTES = 1 << 20;

  private final NativeFile file;
  private final long address;
  private final long sizeBytes;

  /**
   * Creates the storage of a dataset.
   *
   * @param header the dataset's header
   * @param description the content of the header
   * @param layout the place of the elements
   */
  public ContiguousStorage(
      DatasetHeader header, DatasetDescription description, DataLayoutMessage.Contiguous layout) {
    super(header, description);
    this.file = header.context().file();
    this.address = layout.address();
    this.sizeBytes = description.totalBytes();
    boolean stated = layout.sizeBytes() != FileGeometry.UNDEFINED;
    if (address != FileGeometry.UNDEFINED && stated && layout.sizeBytes() < sizeBytes) {
      throw new CorruptFileException(
          file.name(),
          "contiguous storage",
          description.address(),
          "size actual=" + layout.sizeBytes() + " bytes, expected=at least " + sizeBytes);
    }
  }

  @Override
  protected RawBytes bytes() {
    return this;
  }

  @Override
  protected boolean isStored() {
    return address != FileGeometry.UNDEFINED;
  }

  @Override
  public void write(Transfer transfer, DataBuffer source) {
    if (!isStored() && sizeBytes > 0) {
      long selected = transfer.fileSelection().elementCount(description().space().dims());
      // A failure half-way must not leave slots that were never written.
      boolean fill =
          description().type().hasOutOfLineParts()
              || selected < description().space().elementCount();
      place(placed -> {
        placed.fillIf(fill);
        placed.writeFirst(placed, transfer, source);
      });
    } else {
      (mustMove() ? moved() : this).overwrite(transfer, source);
    }
  }

  /**
   * Returns whether elements refer to heaps and are already durable. If they were overwritten in
   * place, they could refer after a crash to heap objects that no flush has made durable.
   */
  private boolean mustMove() {
    return sizeBytes > 0
        && description().type().hasOutOfLineParts()
        && !file.raw().isFresh(address, sizeBytes);
  }

  /** Moves all elements to space that nothing durable refers to, and returns the storage there. */
  private ContiguousStorage moved() {
    long at = file.raw().allocate(header().address(), sizeBytes);
    MemorySegment piece = MemorySegment.ofArray(new byte[(int) Math.min(sizeBytes, MOVED_BYTES)]);
    for (long done = 0; done < sizeBytes; done += piece.byteSize()) {
      MemorySegment part = piece.asSlice(0, Math.min(piece.byteSize(), sizeBytes - done));
      read(done, part);
      file.raw().write(at + done, part);
    }
    free(address);
    return at(at);
  }

  /** Puts another address into the header, and returns the storage at that address. */
  private ContiguousStorage at(long newAddress) {
    DataLayoutMessage.Contiguous layout = new DataLayoutMessage.Contiguous(newAddress, sizeBytes);
    header().replaceLayout(layout);
    return new ContiguousStorage(header(), header().description(), layout);
  }

  @Override
  public List<MovableExtent> movable() {
    return isStored() && sizeBytes > 0 ? List.of(this) : List.of();
  }

  @Override
  public long address() {
    return address;
  }

  @Override
  public long sizeBytes() {
    return sizeBytes;
  }

  @Override
  public void refer(long newAddress) {
    at(newAddress);
  }

  @Override
  public boolean writesUnderReadLock(Transfer transfer) {
    return isStored() && !description().type().hasOutOfLineParts();
  }

  @Override
  public void allocate() {
    if (!isStored() && sizeBytes > 0) {
      place(placed -> placed.fillIf(true));
    }
  }

  /**
   * Allocates the block, and puts its address into the header once its first bytes are written. If
   * storage refuses them, the dataset has no block, as before; unless elements refer to heaps,
   * which have been edited then.
   *
   * @param first writes the first bytes
   */
  private void place(Consumer<ContiguousStorage> first) {
    requireBounded();
    long block = file.raw().allocate(header().address(), sizeBytes);
    var layout = new DataLayoutMessage.Contiguous(block, sizeBytes);
    ContiguousStorage placed = new ContiguousStorage(header(), description(), layout);
    if (description().type().hasOutOfLineParts()) {
      first.accept(placed);
    } else {
      file.attempt(() -> first.accept(placed), () -> free(block));
    }
    header().replaceLayout(layout);
  }

  private void requireBounded() {
    if (sizeBytes == Long.MAX_VALUE) {
      throw new InvalidUseException(
          "contiguous storage: actual="
              + description().space()
              + " of "
              + description().type().size()
              + " bytes each, expected=below 2^63 bytes in all to be written, at="
              + file.name()
              + "; give the dataset chunks");
    }
  }

  private void free(long block) {
    header().context().space().free(SpaceKind.RAW_DATA, block, sizeBytes);
  }

  /** Writes the fill value, if it is needed and the dataset has one to be written. */
  private void fillIf(boolean needed) {
    if (needed && description().fill().write() != FillValueMessage.Write.NEVER) {
      fill();
    }
  }

  /**
   * Writes the fill value. Zeros are written only where the space was used before; new space reads
   * as zeros.
   */
  private void fill() {
    FillPattern pattern = description().fillPattern(header().context().heap());
    long used = file.raw().usedBytes(address, sizeBytes);
    long length = pattern.isZero() ? used : sizeBytes;
    if (length > 0) {
      pattern.write(this, 0, length);
    }
  }

  @Override
  public Runnable setExtent(Dataspace newSpace) {
    throw new InvalidUseException(
        "extent: actual=contiguous layout, expected=chunked, at="
            + file.name()
            + "; create the dataset with chunks to change its extent");
  }

  @Override
  public void delete() {
    if (isStored()) {
      free(address);
    }
  }

  @Override
  public DatasetInfo.StorageInfo info(boolean counted) {
    return new DatasetInfo.StorageInfo(
        isStored() ? sizeBytes : 0, isStored() ? file.baseAddress() + address : -1, "", 0, 0);
  }

  @Override
  public void read(long offset, MemorySegment target) {
    if (!isStored()) {
      description().fillPattern(header().context().heap()).fill(target);
      return;
    }
    file.raw().readAllocated(address + offset, target);
  }

  @Override
  public void write(long offset, MemorySegment source) {
    file.raw().write(address + offset, source);
  }
}
