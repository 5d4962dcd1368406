package org.hyperslab.plugins.nativevol;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongConsumer;
import org.hyperslab.format.header.HeaderMessage;
import org.hyperslab.format.header.LinkMessage;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.ObjectHeader;

/**
 * Removes references to objects, and deletes objects without references together with everything
 * that was reachable only through them. Groups that refer to each other in a circle keep each other
 * alive, as in the HDF5 library.
 *
 * <p>An object with an open handle is deleted when its last handle is closed.
 *
 * <p>Thread rule: under the file's write lock.
 */
final class Deletion {

  private final FileObjects objects;

  Deletion(FileObjects objects) {
    this.objects = objects;
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
   * Removes one reference to an object.
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public void unlink(long address) {
    Doomed doomed = new Doomed();
    unlink(address, doomed);
    delete(doomed);
  }

  /**
   * Removes the reference to an object that a message of an object held.
   *
   * @param user the header of the object that held it
   * @param target the address of the header of the object that it led to
   */
  public void release(ObjectHeader user, long target) {
    if (target == user.address()) {
      releaseOwn(user);
    } else {
      unlink(target);
    }
  }

  /**
   * Removes a reference of an object to itself, such as that of an attribute whose type is the
   * committed type that has the attribute. Such a reference never was what kept the object, so that
   * the object stays even if its count says that there is no other: HDF5 1.10 decrements the count
   * and keeps the attribute when it fails to delete one, and the next removal would take the object
   * from its links.
   */
  private static void releaseOwn(ObjectHeader header) {
    long count = header.referenceCount();
    if (count > 1) {
      header.setReferenceCount(count - 1);
    }
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
    if (objects.isOrphan(address) && !objects.isOpen(address)) {
      Doomed doomed = new Doomed();
      doomed.add(address);
      delete(doomed);
    }
  }

  private void unlink(long address, Doomed doomed) {
    ObjectHeader header = objects.header(address);
    long count = header.referenceCount();
    if (count > 1) {
      header.setReferenceCount(count - 1);
    } else if (objects.isOpen(address)) {
      objects.addOrphan(address);
    } else {
      doomed.add(address);
    }
  }

  private void delete(long address, Doomed doomed) {
    ObjectHeader header = objects.header(address);
    switch (objects.kind(header)) {
      case GROUP -> {
        LinkStore links = objects.groups().links(address);
        for (LinkMessage link : links.all()) {
          if (link.target() instanceof LinkMessage.Hard(long target)) {
            unlink(target, doomed);
          }
        }
        links.delete();
      }
      case DATASET -> {
        objects.dataset(address).delete();
        objects.forgetDataset(address);
      }
      case COMMITTED_TYPE -> {}
    }
    LongConsumer others =
        target -> {
          if (target != address) {
            unlink(target, doomed);
          }
        };
    objects.attributes().releaseAll(header, others);
    for (HeaderMessage message : header.messages()) {
      if (!message.is(MessageType.ATTRIBUTE)) {
        objects.sharedMessages().release(header, message, others);
      }
    }
    header.delete();
    objects.removeOrphan(address);
  }
}
