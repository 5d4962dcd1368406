package org.hyperslab.format.header;

import java.util.List;
import org.hyperslab.format.header.ObjectHeader.NewMessage;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataSpace;

/**
 * Changes the messages of one object header, and keeps the count of messages in its prefix.
 *
 * <p>Thread rule: under the file's write lock.
 */
final class HeaderEdits {

  private final MetadataSpace space;
  private final HeaderChunks chunks;
  private final HeaderSpace room;

  HeaderEdits(MetadataSpace space, HeaderChunks chunks) {
    this.space = space;
    this.chunks = chunks;
    this.room = new HeaderSpace(space, chunks.list());
  }

  /** Adds a message where there is room, or else in a new continuation. */
  HeaderMessage add(NewMessage message) {
    HeaderMessage encoded = encoded(message);
    markUnknown();
    room.place(encoded);
    countMessages();
    return encoded;
  }

  /** Replaces a message in its chunk if there is room there, otherwise elsewhere. */
  HeaderMessage replace(HeaderMessage old, NewMessage message) {
    HeaderMessage encoded = encoded(message);
    markUnknown();
    HeaderChunk chunk = chunks.chunkOf(old);
    int growth = encoded.payload().size() - old.payload().size();
    boolean sameCount = growth == 0 && chunk.isEdited();
    int at = room.edit(chunk, old);
    if (growth <= chunk.freeBytes()) {
      chunk.set(at, encoded);
    } else {
      chunk.remove(at);
      placeOver(chunk, old, encoded);
      room.releaseEmptyChunks();
    }
    if (!sameCount) {
      countMessages();
    }
    return encoded;
  }

  /** Places a message instead of one that was removed; if that fails, restores the old one. */
  private void placeOver(HeaderChunk chunk, HeaderMessage old, HeaderMessage message) {
    try {
      room.place(message);
    } catch (RuntimeException refused) {
      chunk.add(old);
      throw refused;
    }
  }

  /** Removes a message, and frees continuations that are empty afterwards. */
  void remove(HeaderMessage message) {
    markUnknown();
    HeaderChunk chunk = chunks.chunkOf(message);
    chunk.remove(room.edit(chunk, message));
    room.releaseEmptyChunks();
    countMessages();
  }

  private HeaderMessage encoded(NewMessage message) {
    MetadataWriter scratch = new MetadataWriter(space.geometry(), 64);
    return HeaderSpace.encode(space.geometry(), chunks.prefix().version(), message, scratch);
  }

  /**
   * Marks the unknown messages that request it, because a writer that does not know them changes
   * the object. Every edit of a header does this.
   */
  void markUnknown() {
    List<HeaderChunk> all = chunks.list();
    for (int c = 0; c < all.size(); c++) {
      HeaderChunk chunk = all.get(c);
      boolean may = chunk.mayHoldUnknown(HeaderMessage.MARK_IF_UNKNOWN);
      for (int i = 0; may && i < chunk.messageCount(); i++) { // marking one drops NIL messages
        HeaderMessage message = chunk.message(i);
        int flags = message.flags();
        if ((flags & HeaderMessage.MARK_IF_UNKNOWN) != 0
            && (flags & HeaderMessage.WAS_UNKNOWN) == 0
            && message.type().isEmpty()) {
          int at = room.edit(chunk, message);
          chunk.set(at, message.withFlags(flags | HeaderMessage.WAS_UNKNOWN));
          i = at;
        }
      }
    }
  }

  /** Replaces the prefix. */
  void setPrefix(HeaderPrefix prefix) {
    HeaderChunk first = chunks.first();
    first.prefix(prefix);
    space.markDirty(first.address(), first);
  }

  private void countMessages() {
    if (chunks.prefix().version() != 1) {
      return; // prefixes of version 2 have no count
    }
    int count = chunks.encodedMessageCount();
    if (count != chunks.prefix().messageCount()) {
      setPrefix(chunks.prefix().withMessageCount(count));
    }
  }

  /** Frees the space of every chunk. */
  void releaseChunks() {
    chunks.list().forEach(room::release);
  }
}
