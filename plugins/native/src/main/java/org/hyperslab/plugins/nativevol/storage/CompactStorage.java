package org.hyperslab.plugins.nativevol.storage;

import java.lang.foreign.MemorySegment;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.header.DataLayoutMessage;
import org.hyperslab.format.io.Bytes;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.plugins.nativevol.transfer.RawBytes;
import org.hyperslab.vol.DatasetOperation.Transfer;

/** Stores elements in the data layout message: always allocated, edited as metadata. */
public final class CompactStorage extends FlatStorage implements RawBytes {

  /**
   * The greatest size of the elements that fits in a header message beside the layout's own fields.
   */
  public static final int MAXIMUM_BYTES = 65_516;

  private final byte[] data;

  /**
   * Creates the storage of a dataset.
   *
   * @param header the dataset's header
   * @param description the content of the header
   * @param layout the layout, which holds the elements
   */
  public CompactStorage(
      DatasetHeader header, DatasetDescription description, DataLayoutMessage.Compact layout) {
    super(header, description);
    this.data = layout.data().toByteArray();
    if (data.length < description.totalBytes()) {
      throw new CorruptFileException(
          header.context().file().name(),
          "compact storage",
          description.address(),
          "size actual=" + data.length + " bytes, expected=" + description.totalBytes());
    }
  }

  @Override
  protected RawBytes bytes() {
    return this;
  }

  @Override
  public void write(Transfer transfer, DataBuffer source) {
    byte[] before = data.clone();
    try {
      overwrite(transfer, source);
    } catch (RuntimeException refused) {
      if (header().description().ownsHeapObjects()) {
        // The heap objects of the elements before the refused one are already freed.
        header().replaceLayout(new DataLayoutMessage.Compact(Bytes.of(data)));
        throw refused;
      }
      System.arraycopy(before, 0, data, 0, data.length);
      throw refused;
    }
    header().replaceLayout(new DataLayoutMessage.Compact(Bytes.of(data)));
  }

  @Override
  public boolean writesUnderReadLock(Transfer transfer) {
    return false;
  }

  @Override
  public void allocate() {}

  @Override
  public Runnable setExtent(Dataspace newSpace) {
    throw new InvalidUseException(
        "extent: actual=compact layout, expected=chunked, at="
            + header().context().file().name()
            + "; create the dataset with chunks to change its extent");
  }

  @Override
  public void delete() {}

  @Override
  public DatasetInfo.StorageInfo info(boolean counted) {
    return new DatasetInfo.StorageInfo(data.length, -1, "", 0, 0);
  }

  @Override
  public void read(long offset, MemorySegment target) {
    MemorySegment.copy(MemorySegment.ofArray(data), offset, target, 0, target.byteSize());
  }

  @Override
  public void write(long offset, MemorySegment source) {
    MemorySegment.copy(source, 0, MemorySegment.ofArray(data), offset, source.byteSize());
  }
}
