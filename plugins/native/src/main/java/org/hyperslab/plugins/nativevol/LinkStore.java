package org.hyperslab.plugins.nativevol;

import java.util.List;
import java.util.Optional;
import org.hyperslab.format.header.LinkMessage;
import org.hyperslab.model.GroupInfo;
import org.hyperslab.model.PageRequest;

/**
 * Stores the links of one group, in one of three formats. An instance is created for every
 * operation.
 *
 * <p>Thread rule: as {@link ObjectHeaders}.
 */
sealed interface LinkStore permits SymbolTableLinks, CompactLinks, DenseLinks {

  /** Returns the storage format of the links. */
  GroupInfo.Storage kind();

  /** Returns the number of links. */
  long count();

  /** Returns the link of the given name. */
  Optional<LinkMessage> find(String name);

  /** Returns whether no link has a name, which the next edit through this object may add. */
  default boolean isFree(String name) {
    return find(name).isEmpty();
  }

  /** Adds a link whose name is not in use. */
  void insert(LinkMessage link);

  /** Removes a link, which must exist; the caller updates the target's reference count. */
  void remove(LinkMessage link);

  /** Returns a page of the links in the requested order, which must be tracked. */
  List<LinkMessage> list(PageRequest page);

  /** Returns every link, in no particular order. */
  List<LinkMessage> all();

  /** Returns the size of the indexes outside the header, in bytes. */
  long indexBytes();

  /** Returns the size of the heap outside the header, in bytes. */
  long heapBytes();

  /**
   * Frees the space of the store when its group is deleted; the caller handles the linked objects.
   */
  void delete();
}
