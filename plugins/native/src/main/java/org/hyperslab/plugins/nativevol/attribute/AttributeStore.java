package org.hyperslab.plugins.nativevol.attribute;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.hyperslab.format.header.AttributeMessage;
import org.hyperslab.model.PageRequest;
import org.hyperslab.plugins.nativevol.header.ObjectHeaders;

/**
 * Stores the attributes of one object, in its header or in dense storage. An instance is created
 * for every operation. It handles messages only; {@link Attributes} keeps the counts of the
 * references that messages hold and of the users of shared messages.
 *
 * <p>Thread rule: as {@link ObjectHeaders}.
 */
public sealed interface AttributeStore permits CompactAttributes, DenseAttributes {

  /**
   * An attribute as it is stored.
   *
   * @param message the message as stored: its type and space may be shared
   * @param creationIndex 0 if it is not tracked
   * @param sharedId the id of the whole message in the heap of shared messages, eight bytes
   *     little-endian; empty if the message is stored with this object
   */
  record Entry(AttributeMessage message, int creationIndex, OptionalLong sharedId) {

    /** Returns an entry whose message is not shared. */
    static Entry own(AttributeMessage message, int creationIndex) {
      return new Entry(message, creationIndex, OptionalLong.empty());
    }
  }

  /** {@return the number of attributes} */
  long count();

  /**
   * {@return the attribute of the given name}
   *
   * @param name the name
   */
  Optional<Entry> find(String name);

  /** {@return every attribute, in no particular order} */
  List<Entry> all();

  /**
   * {@return the attributes of a page, in its order} A creation order that is not tracked is the
   * order in which the attributes are stored.
   *
   * @param object the address of the object's header
   * @param page the order, and the entries to return
   */
  List<Entry> list(long object, PageRequest page);

  /**
   * Adds an attribute whose name is not in use; a shared message stays shared.
   *
   * @param entry the attribute
   */
  void insert(Entry entry);

  /**
   * Replaces the attribute of the same name by a message that is not shared.
   *
   * @param attribute the attribute
   */
  void replace(AttributeMessage attribute);

  /**
   * Removes an attribute; its name must exist.
   *
   * @param name the name
   */
  void remove(String name);

  /** {@return the size of the indexes outside the header, in bytes} */
  long indexBytes();

  /** {@return the size of the heap outside the header, in bytes} */
  long heapBytes();

  /** Frees the space of the store when its object is deleted. */
  void delete();
}
