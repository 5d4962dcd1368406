package org.hyperslab.plugins.compacting;

import java.util.ArrayDeque;
import java.util.Deque;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.Layout;
import org.hyperslab.vol.Handle;

/**
 * What a compacting connector must know of a dataset that is open: what it stores, its extent, and
 * the handles by which it can be reached below.
 *
 * <p>Thread rule: any thread.
 */
final class OpenDataset {

  /** How its raw data must be treated. */
  enum Way {
    /** By the compactor. */
    COMPACTED,
    /** One by one, ordered against what concerns the same dataset. */
    ORDERED,
    /** One by one, ordered against everything: its elements may be those of other datasets. */
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

  /** Takes note of what it is like now. */
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

  /** Whether its elements are one piece of the file, at places that are known. */
  boolean isContiguous() {
    return contiguous;
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

  /** A handle through which requests can be carried out. */
  synchronized Handle handle(boolean writes) {
    Handle handle = writes ? writers.peek() : readers.peek();
    if (handle == null) {
      throw new InvalidUseException("dataset: actual=closed, expected=open, at=" + key);
    }
    return handle;
  }
}
