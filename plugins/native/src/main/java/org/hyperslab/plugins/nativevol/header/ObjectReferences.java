package org.hyperslab.plugins.nativevol.header;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.hyperslab.format.header.ObjectHeader;

/**
 * Counts what keeps the objects of one file: their links and, for committed types, their uses,
 * which the headers record, and the handles that are open on them, which only memory records.
 *
 * <p>An <em>orphan</em> is an open object without a link: a new one before its first link, or one
 * whose last link was deleted. Its header keeps a reference count of 1, which needs no message: the
 * file holds such an object only while it is open here, and if the process ends before the object
 * is linked or deleted, no more than its space is lost.
 *
 * <p>Thread rule: handles in any thread; links under the file's write lock.
 */
public final class ObjectReferences {

  private final Set<Long> orphans = ConcurrentHashMap.newKeySet();
  private final ConcurrentHashMap<Long, Integer> handles = new ConcurrentHashMap<>();

  /** Creates the references of a file that was just opened: no object has a handle. */
  public ObjectReferences() {}

  /**
   * Adds a handle to an object.
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public void retain(long address) {
    handles.merge(address, 1, Integer::sum);
  }

  /**
   * Removes a handle from an object.
   *
   * @param address the address of the object's header, bytes from the file's base address
   * @return whether it was the last handle
   */
  public boolean release(long address) {
    return handles.computeIfPresent(address, (key, n) -> n == 1 ? null : n - 1) == null;
  }

  /**
   * {@return the number of handles of an object}
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public int handles(long address) {
    return handles.getOrDefault(address, 0);
  }

  /**
   * {@return whether a handle is open on an object}
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public boolean isOpen(long address) {
    return handles.containsKey(address);
  }

  /**
   * Records that an open object has no link.
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public void addOrphan(long address) {
    orphans.add(address);
  }

  /**
   * {@return whether an open object has no link}
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public boolean isOrphan(long address) {
    return !orphans.isEmpty() && orphans.contains(address);
  }

  /**
   * Forgets an object that has been deleted.
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public void forget(long address) {
    orphans.remove(address);
  }

  /**
   * {@return the number of links to an object and of its uses as a committed type, 0 for an orphan}
   *
   * @param header the object's header
   */
  public long links(ObjectHeader header) {
    return isOrphan(header.address()) ? 0 : header.referenceCount();
  }

  /**
   * Adds one link to an object, or one use of a committed type; the object is no orphan then.
   *
   * @param header the object's header
   */
  public void link(ObjectHeader header) {
    header.setReferenceCount(Math.addExact(links(header), 1));
    orphans.remove(header.address());
  }

  /**
   * Removes one link to an object, or one use of a committed type. An open object that loses the
   * last one becomes an orphan.
   *
   * @param header the object's header
   * @return whether nothing keeps the object any more, so that it is to be deleted
   */
  public boolean unlink(ObjectHeader header) {
    long count = header.referenceCount();
    if (count > 1) {
      header.setReferenceCount(count - 1);
      return false;
    }
    if (isOpen(header.address())) {
      orphans.add(header.address());
      return false;
    }
    return true;
  }
}
