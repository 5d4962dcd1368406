package org.hyperslab.plugins.nativevol.object;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongConsumer;
import org.hyperslab.format.header.HeaderMessage;
import org.hyperslab.format.header.LinkMessage;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.plugins.nativevol.attribute.Attributes;
import org.hyperslab.plugins.nativevol.dataset.OpenDatasets;
import org.hyperslab.plugins.nativevol.group.Groups;
import org.hyperslab.plugins.nativevol.group.LinkStore;
import org.hyperslab.plugins.nativevol.header.ObjectHeaders;

/**
 * Deletes objects that nothing keeps, together with everything that was reachable only through
 * them. Groups that refer to each other in a circle keep each other alive, as in the HDF5 library.
 *
 * <p>An object with an open handle is deleted when its last handle is closed.
 *
 * <p>Thread rule: under the file's write lock.
 */
public final class Deletion {

  private final ObjectHeaders headers;
  private final Groups groups;
  private final Attributes attributes;
  private final OpenDatasets datasets;

  Deletion(ObjectHeaders headers, Groups groups, Attributes attributes, OpenDatasets datasets) {
    this.headers = headers;
    this.groups = groups;
    this.attributes = attributes;
    this.datasets = datasets;
  }

  /** The objects to be deleted, each once, even where a file's reference counts are wrong. */
  private static final class Doomed {
    private final Deque<Long> waiting = new ArrayDeque<>();
    private final Set<Long> known = new HashSet<>();

    void add(long address) {
      if (known.add(address)) {
        waiting.add(address);
      }
    }
  }

  /**
   * Deletes an object that nothing keeps, with what only it keeps.
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public void delete(long address) {
    Doomed doomed = new Doomed();
    doomed.add(address);
    delete(doomed);
  }

  private void delete(Doomed doomed) {
    while (!doomed.waiting.isEmpty()) {
      delete(doomed.waiting.removeFirst(), doomed);
    }
  }

  /**
   * Deletes an object without links if no handle is open on it; to be called after its last handle
   * was closed.
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public void deleteOrphan(long address) {
    if (headers.references().isOrphan(address) && !headers.references().isOpen(address)) {
      delete(address);
    }
  }

  private void unlink(long address, Doomed doomed) {
    if (headers.references().unlink(headers.open(address))) {
      doomed.add(address);
    }
  }

  private void delete(long address, Doomed doomed) {
    ObjectHeader header = headers.open(address);
    switch (headers.kind(header)) {
      case GROUP -> {
        LinkStore links = groups.links(address);
        for (LinkMessage link : links.all()) {
          if (link.target() instanceof LinkMessage.Hard(long target)) {
            unlink(target, doomed);
          }
        }
        links.delete();
      }
      case DATASET -> {
        datasets.at(address).delete();
        datasets.forget(address);
      }
      case COMMITTED_TYPE -> {}
    }
    LongConsumer others =
        target -> {
          if (target != address) {
            unlink(target, doomed);
          }
        };
    attributes.releaseAll(header, others);
    for (HeaderMessage message : header.messages()) {
      if (!message.is(MessageType.ATTRIBUTE)) {
        headers.shared().release(header, message, others);
      }
    }
    header.delete();
    headers.references().forget(address);
  }
}
