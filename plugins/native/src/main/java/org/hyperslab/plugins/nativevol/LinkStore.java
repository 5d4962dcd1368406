package org.hyperslab.plugins.nativevol;

import java.util.List;
import java.util.Optional;
import org.hyperslab.format.header.LinkMessage;
import org.hyperslab.model.GroupInfo;
import org.hyperslab.model.PageRequest;

/**
 * The links of one group, however they are stored. Made anew for every operation.
 *
 * <p>Thread rule: as {@link FileObjects}.
 */
sealed interface LinkStore permits SymbolTableLinks, CompactLinks, DenseLinks {

  /** Returns how the links are stored. */
  GroupInfo.Storage kind();

  /** Returns the number of links. */
  long count();

  /** Returns the link of a name. */
  Optional<LinkMessage> find(String name);

  /** Adds a link whose name is not in use. */
  void insert(LinkMessage link);

  /** Removes the link of a name, which exists; objects' reference counts are the caller's. */
  void remove(LinkMessage link);

  /** Returns a page of the links in the order asked for, which is tracked. */
  List<LinkMessage> list(PageRequest page);

  /** Returns every link, in no particular order. */
  List<LinkMessage> all();

  /** Returns the number of bytes of the indexes outside of the header. */
  long indexBytes();

  /** Returns the number of bytes of the heap outside of the header. */
  long heapBytes();

  /** Gives back the space of the store, when its group is deleted; objects are the caller's. */
  void delete();
}
