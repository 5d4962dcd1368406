package org.hyperslab.plugins.nativevol.group;

import java.util.List;
import java.util.Optional;
import org.hyperslab.format.header.LinkMessage;
import org.hyperslab.model.GroupInfo;
import org.hyperslab.model.PageRequest;
import org.hyperslab.plugins.nativevol.header.ObjectHeaders;

/**
 * Stores the links of one group, in one of three formats. An instance is created for every
 * operation.
 *
 * <p>Thread rule: as {@link ObjectHeaders}.
 */
public sealed interface LinkStore permits SymbolTableLinks, CompactLinks, DenseLinks {

  /** {@return the storage format of the links} */
  GroupInfo.Storage kind();

  /** {@return the number of links} */
  long count();

  /**
   * {@return the link of the given name}
   *
   * @param name the name
   */
  Optional<LinkMessage> find(String name);

  /**
   * {@return whether no link has a name, which the next edit through this object may add}
   *
   * @param name the name
   */
  default boolean isFree(String name) {
    return find(name).isEmpty();
  }

  /**
   * Adds a link whose name is not in use.
   *
   * @param link the link
   */
  void insert(LinkMessage link);

  /**
   * Removes a link, which must exist; the caller updates the target's reference count.
   *
   * @param link the link
   */
  void remove(LinkMessage link);

  /**
   * {@return a page of the links in the requested order, which must be tracked}
   *
   * @param page the order, and the entries to return
   */
  List<LinkMessage> list(PageRequest page);

  /** {@return every link, in no particular order} */
  List<LinkMessage> all();

  /** {@return the size of the indexes outside the header, in bytes} */
  long indexBytes();

  /** {@return the size of the heap outside the header, in bytes} */
  long heapBytes();

  /**
   * Frees the space of the store when its group is deleted; the caller handles the linked objects.
   */
  void delete();
}
