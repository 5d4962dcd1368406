package org.hyperslab.plugins.nativevol.storage;

import java.util.concurrent.locks.StampedLock;
import org.hyperslab.format.header.DataLayoutMessage;
import org.hyperslab.format.header.DataspaceMessage;
import org.hyperslab.format.header.HeaderMessage;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.plugins.nativevol.header.HeaderStyle;

/**
 * The header of an open dataset: its decoded content, and the edits that the storage of its
 * elements makes. One instance lives as long as the dataset is open, whatever changes the header.
 *
 * <p>The extent of a virtual dataset is the one that transfers use, which may differ from the one
 * that the header states; see {@link #useExtent}.
 *
 * <p>Thread rule: look-ups under the file's read or write lock, edits under its write lock.
 */
public final class DatasetHeader {

  private final DatasetContext context;
  private final long address;
  private final StampedLock writers = new StampedLock();
  private volatile DatasetDescription description;

  /** The extent that transfers of a virtual dataset have; null until it is needed. */
  private volatile long[] usedExtent;

  /** Whether {@link #usedExtent} comes from the sources, not from the file or the program. */
  private volatile boolean following;

  private volatile long generation;

  /**
   * Opens the header at an address.
   *
   * @param context the parts of the file that its datasets use
   * @param address the address of the header, bytes from the file's base address
   */
  public DatasetHeader(DatasetContext context, long address) {
    this.context = context;
    this.address = address;
    this.generation = context.file().generation();
  }

  /** {@return the parts of the file that its datasets use} */
  public DatasetContext context() {
    return context;
  }

  /** {@return the address of the header, bytes from the file's base address} */
  public long address() {
    return address;
  }

  /** {@return the header, to be edited or to find other messages} */
  public ObjectHeader open() {
    return ObjectHeader.open(context.space(), address);
  }

  /** {@return the decoded content: another instance after every change} */
  public DatasetDescription description() {
    followWriter();
    DatasetDescription known = description;
    if (known == null) {
      known = DatasetDescription.of(open(), context.headers());
      if (known.isVirtual()) {
        return withUsedExtent(known);
      }
      description = known;
    }
    return known;
  }

  private synchronized DatasetDescription withUsedExtent(DatasetDescription stated) {
    if (usedExtent == null) {
      usedExtent = stated.space().dims();
    }
    description = stated.withSpace(stated.space().withDims(usedExtent));
    return description;
  }

  /** Discards decoded content if another process may have written the file since. */
  private void followWriter() {
    long now = context.file().generation();
    if (now != generation) {
      synchronized (this) {
        if (now != generation) {
          if (!following) {
            usedExtent = null;
          }
          description = null;
          generation = now;
        }
      }
    }
  }

  /** {@return the extent that the header states} */
  public Dataspace statedSpace() {
    return DatasetDescription.of(open(), context.headers()).space();
  }

  /** {@return whether transfers of a virtual dataset have an extent} */
  public boolean hasUsedExtent() {
    return usedExtent != null;
  }

  /** {@return whether the extent of transfers comes from the sources of a virtual dataset} */
  public boolean followsSources() {
    return following;
  }

  /**
   * Sets the extent that transfers of a virtual dataset have from now on.
   *
   * @param extent the extent in elements; null for that of the header
   * @param ofSources whether it comes from the sources
   */
  public synchronized void useExtent(long[] extent, boolean ofSources) {
    usedExtent = extent;
    following = ofSources;
    DatasetDescription known = description;
    description =
        known == null || extent == null ? null : known.withSpace(known.space().withDims(extent));
  }

  /**
   * Takes the content of the header, which was just created.
   *
   * @param content the content
   */
  public void created(DatasetDescription content) {
    description = content;
  }

  /** Discards the decoded content, because the dataset is deleted. */
  public void forget() {
    description = null;
  }

  /**
   * Puts another layout into the header.
   *
   * @param layout the layout
   */
  public void replaceLayout(DataLayoutMessage.Layout layout) {
    ObjectHeader header = open();
    HeaderMessage old = header.find(MessageType.DATA_LAYOUT).orElseThrow();
    DatasetDescription before = description();
    int version = Math.max(3, before.layout().version());
    DataLayoutMessage message = new DataLayoutMessage(version, layout);
    header.replace(old, message);
    header.touch(HeaderStyle.now());
    description = before.isVirtual() ? null : before.withLayout(message);
  }

  /**
   * Puts another extent into the header.
   *
   * @param space the extent
   */
  public void replaceSpace(Dataspace space) {
    ObjectHeader header = open();
    DatasetDescription before = description();
    HeaderMessage old = header.find(MessageType.DATASPACE).orElseThrow();
    DataspaceMessage message = (DataspaceMessage) old.message(context.headers());
    context.headers().release(header, old);
    header.replace(old, message.with(space));
    header.touch(HeaderStyle.now());
    description =
        before.isVirtual() ? null : before.withSpace(space); // whose extent is its sources'
  }

  /**
   * Begins a write of elements, beside other writes unless it must be alone: a write that reads the
   * bytes between its elements and writes them back would undo concurrent writes there.
   *
   * @param alone whether no other write may run at the same time
   * @return the stamp to be given to {@link #endWrite}
   */
  public long beginWrite(boolean alone) {
    return alone ? writers.writeLock() : writers.readLock();
  }

  /**
   * Ends a write of elements.
   *
   * @param stamp what {@link #beginWrite} returned
   */
  public void endWrite(long stamp) {
    writers.unlock(stamp);
  }
}
