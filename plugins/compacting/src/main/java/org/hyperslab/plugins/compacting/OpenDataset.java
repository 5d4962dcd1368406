package org.hyperslab.plugins.compacting;

import java.util.ArrayDeque;
import java.util.Deque;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.Layout;
import org.hyperslab.plugins.compacting.plan.DataKey;
import org.hyperslab.plugins.compacting.plan.ElementKind;
import org.hyperslab.vol.Handle;

/**
 * The state of an open dataset in the compacting connector: its stored type, its extent, and its
 * handles at the connector below.
 *
 * <p>Thread rule: any thread.
 */
final class OpenDataset {

  /** The way in which transfers of raw data are carried out. */
  enum Way {
    /** The compactor merges them. */
    COMPACTED,
    /** They are carried out one by one, ordered with other operations on the dataset. */
    ORDERED,
    /**
     * They are carried out one by one, ordered with all operations, because the elements may belong
     * to other datasets too.
     */
    SHARED
  }

  private final DataKey key;
  private final Deque<Handle> readers = new ArrayDeque<>();
  private final Deque<Handle> writers = new ArrayDeque<>();
  private volatile Datatype stored;
  private volatile Dataspace space;
  private volatile Way way;
  private volatile boolean contiguous;

  OpenDataset(DataKey key, DatasetInfo info) {
    this.key = key;
    learn(info);
  }

  /** Updates the type, extent and layout. */
  void learn(DatasetInfo info) {
    boolean plain = info.space().kind() != Dataspace.Kind.NULL && !info.type().hasOutOfLineParts();
    this.way =
        switch (info.options().layout()) {
          case Layout.Virtual _, Layout.External _ -> Way.SHARED;
          case Layout.Auto _, Layout.Compact _, Layout.Contiguous _, Layout.Chunked _ ->
              plain ? Way.COMPACTED : Way.ORDERED;
        };
    this.contiguous = info.options().layout() instanceof Layout.Contiguous;
    this.stored = info.type().inMemory();
    this.space = info.space();
  }

  DataKey key() {
    return key;
  }

  Way way() {
    return way;
  }

  /** {@return whether the elements are stored contiguously in the file} */
  boolean isContiguous() {
    return contiguous;
  }

  /** {@return the type of the elements, in memory form} */
  Datatype type() {
    return stored;
  }

  Dataspace space() {
    return space;
  }

  ElementKind kind(Datatype memoryType) {
    return new ElementKind(memoryType, memoryType.equals(stored));
  }

  synchronized void opened(Handle handle, boolean writable) {
    readers.add(handle);
    if (writable) {
      writers.add(handle);
    }
  }

  synchronized void closed(Handle handle) {
    readers.remove(handle);
    writers.remove(handle);
  }

  synchronized boolean isWritable(Handle handle) {
    return writers.contains(handle);
  }

  /**
   * Returns a handle through which requests can be carried out.
   *
   * @param writes whether it must allow writing
   * @return the handle
   * @throws InvalidUseException if the dataset is not open
   */
  synchronized Handle handle(boolean writes) {
    Handle handle = writes ? writers.peek() : readers.peek();
    if (handle == null) {
      throw new InvalidUseException("dataset: actual=closed, expected=open, at=" + key);
    }
    return handle;
  }
}
