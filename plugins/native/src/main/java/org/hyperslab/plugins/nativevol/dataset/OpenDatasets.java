package org.hyperslab.plugins.nativevol.dataset;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.hyperslab.plugins.nativevol.space.MovableExtent;
import org.hyperslab.plugins.nativevol.storage.DatasetContext;
import org.hyperslab.plugins.nativevol.virtual.SourceDatasets;

/**
 * The open datasets of one file: one instance for each header address, so that all handles of a
 * dataset share its chunk cache.
 *
 * <p>Thread rule: any thread.
 */
public final class OpenDatasets {

  private final DatasetContext context;
  private final SourceDatasets sources;
  private final ConcurrentHashMap<Long, NativeDataset> open = new ConcurrentHashMap<>();

  /**
   * Creates the datasets of a file; none is open.
   *
   * @param context the parts of the file that its datasets use
   * @param sources opens the source datasets of virtual datasets
   */
  public OpenDatasets(DatasetContext context, SourceDatasets sources) {
    this.context = context;
    this.sources = sources;
  }

  /** {@return the parts of the file that its datasets use} */
  public DatasetContext context() {
    return context;
  }

  /**
   * {@return the dataset at an address: the same instance as long as it is open}
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public NativeDataset at(long address) {
    NativeDataset known = open.get(address);
    return known != null
        ? known
        : open.computeIfAbsent(address, at -> new NativeDataset(context, sources, at));
  }

  /**
   * {@return the raw data of a dataset that may be moved within the file} Under the file's write
   * lock.
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public List<MovableExtent> movable(long address) {
    return at(address).movable();
  }

  /**
   * Writes the pending changes of an open dataset, to which no handle leads, and forgets it.
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public void close(long address) {
    NativeDataset dataset = open.get(address);
    if (dataset != null) {
      dataset.close();
      forget(address);
    }
  }

  /**
   * Forgets the open dataset at an address, which has no pending changes.
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public void forget(long address) {
    NativeDataset dataset = open.remove(address);
    if (dataset != null) {
      context.file().removeParticipant(dataset);
    }
  }
}
