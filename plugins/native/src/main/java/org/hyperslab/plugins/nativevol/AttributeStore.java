package org.hyperslab.plugins.nativevol;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.hyperslab.format.header.AttributeMessage;

/**
 * The attributes of one object, however they are stored. Made anew for every operation. It moves
 * messages only: references that they hold or that are held on them are counted by {@link
 * Attributes}.
 *
 * <p>Thread rule: as {@link FileObjects}.
 */
sealed interface AttributeStore permits CompactAttributes, DenseAttributes {

  /**
   * An attribute as it stands.
   *
   * @param message as stored: type and space may be shared
   * @param creationIndex 0 if it is not tracked
   * @param sharedId where the whole message stands in the heap of shared messages, eight bytes
   *     little-endian; empty if it is this object's own
   */
  record Entry(AttributeMessage message, int creationIndex, OptionalLong sharedId) {

    /** Returns a message of the object's own. */
    static Entry own(AttributeMessage message, int creationIndex) {
      return new Entry(message, creationIndex, OptionalLong.empty());
    }
  }

  /** Returns the number of attributes. */
  long count();

  /** Returns the attribute of a name. */
  Optional<Entry> find(String name);

  /** Returns every attribute, in no particular order. */
  List<Entry> all();

  /** Adds an attribute whose name is not in use; a shared one stays shared. */
  void insert(Entry entry);

  /** Puts a message of the object's own in the place of the attribute of the same name. */
  void replace(AttributeMessage attribute);

  /** Removes the attribute of a name, which exists. */
  void remove(String name);

  /** Returns the number of bytes of the indexes outside of the header. */
  long indexBytes();

  /** Returns the number of bytes of the heap outside of the header. */
  long heapBytes();

  /** Gives back the space of the store, when its object is deleted. */
  void delete();
}
