package org.hyperslab.plugins.nativevol;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.hyperslab.format.header.AttributeMessage;
import org.hyperslab.model.PageRequest;

/**
 * Stores the attributes of one object, in its header or in dense storage. An instance is created
 * for every operation. It handles messages only; {@link Attributes} keeps the counts of the
 * references that messages hold and of the users of shared messages.
 *
 * <p>Thread rule: as {@link ObjectHeaders}.
 */
sealed interface AttributeStore permits CompactAttributes, DenseAttributes {

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

  /** Returns the number of attributes. */
  long count();

  /** Returns the attribute of the given name. */
  Optional<Entry> find(String name);

  /** Returns every attribute, in no particular order. */
  List<Entry> all();

  /**
   * Returns the attributes of a page, in its order.
   *
   * @param object the address of the object's header
   */
  List<Entry> list(long object, PageRequest page);

  /** Adds an attribute whose name is not in use; a shared message stays shared. */
  void insert(Entry entry);

  /** Replaces the attribute of the same name by a message that is not shared. */
  void replace(AttributeMessage attribute);

  /** Removes an attribute; its name must exist. */
  void remove(String name);

  /** Returns the size of the indexes outside the header, in bytes. */
  long indexBytes();

  /** Returns the size of the heap outside the header, in bytes. */
  long heapBytes();

  /** Frees the space of the store when its object is deleted. */
  void delete();
}
