package org.hyperslab.format.header;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.header.ObjectHeader.NewMessage;
import org.hyperslab.format.io.Bytes;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.metadata.SpaceKind;

/**
 * Manages the space in the chunks of one object header: finds a place for a message, adds a
 * continuation if there is none, and frees empty continuations.
 *
 * <p>Thread rule: under the file's write lock.
 */
final class HeaderSpace {

  private static final int MIN_CONTINUATION_BYTES = 128;
  private static final int GREATEST_SPARE_BYTES = 4096;
  private static final int MIN_ROUNDED_BYTES = 1024;
  private static final int SIZES_PER_DOUBLING = 4;

  private final MetadataSpace space;
  private final List<HeaderChunk> chunks;

  /**
   * Creates the space manager of some chunks.
   *
   * @param chunks the chunks, the first one first; changed as continuations are added and freed
   */
  HeaderSpace(MetadataSpace space, List<HeaderChunk> chunks) {
    this.space = space;
    this.chunks = chunks;
  }

  private HeaderPrefix prefix() {
    return chunks.getFirst().prefix();
  }

  static int continuationBytes(MetadataSpace space) {
    return ContinuationMessage.payloadSize(space.geometry());
  }

  static int aligned(int version, int bytes) {
    return version == 1 ? (bytes + 7) & ~7 : bytes;
  }

  private static String nameOf(int typeCode) {
    return MessageType.of(typeCode)
        .map(MessageType::structure)
        .orElseGet(() -> "message of type " + typeCode);
  }

  /** Returns a message with its payload encoded and padded. */
  static HeaderMessage encode(
      FileGeometry geometry, int version, NewMessage added, MetadataWriter scratch) {
    scratch.reset();
    added.message().encode(scratch);
    int greatest = version == 1 ? HeaderChunk.MAXIMUM_PAYLOAD_1 : HeaderChunk.MAXIMUM_PAYLOAD_2;
    if (scratch.position() > greatest) {
      throw new InvalidUseException(
          nameOf(added.message().typeCode())
              + " in an object header: actual="
              + scratch.position()
              + " bytes, expected=at most "
              + greatest
              + ", at="
              + geometry.file()
              + advice(added.message()));
    }
    scratch.zeros(aligned(version, scratch.position()) - scratch.position());
    boolean shared = added.message() instanceof SharedMessage;
    return new HeaderMessage(
        geometry,
        new HeaderMessage.Heading(
            added.message().typeCode(),
            added.flags() | (shared ? HeaderMessage.SHARED : 0),
            added.creationIndex()),
        Bytes.of(scratch),
        CorruptFileException.NO_OFFSET,
        added.message());
  }

  /** Returns what a program can do instead of storing a message that no header can hold. */
  private static String advice(Message message) {
    return switch (message) {
      case AttributeMessage _ ->
          "; a larger attribute needs a file or a session with bounds of V18 or newer, or keep the"
              + " values in a dataset";
      case DatatypeMessage _ ->
          "; use fewer members, shorter names of members, or several datasets";
      case FillValueMessage _, FillValueOldMessage _ ->
          "; use a smaller fill value, or none and write the elements";
      case DataLayoutMessage _ -> "; store the elements in a contiguous or chunked layout";
      default -> "; the file format has no larger form of it";
    };
  }

  /** Frees a chunk. */
  void release(HeaderChunk chunk) {
    space.discard(chunk.address());
    space.free(SpaceKind.OBJECT_HEADER, chunk.address(), chunk.encodedSize());
  }

  /** Returns the index of a message in a chunk, or -1. */
  static int indexOf(HeaderChunk chunk, HeaderMessage message) {
    for (int i = 0; i < chunk.messageCount(); i++) {
      if (isSame(chunk.message(i), message)) {
        return i;
      }
    }
    return -1;
  }

  @SuppressWarnings("ReferenceEquality") // header messages are identified by identity
  private static boolean isSame(HeaderMessage a, HeaderMessage b) {
    return a == b;
  }

  /** Prepares a chunk for an edit and returns the index of a message in it afterwards. */
  int edit(HeaderChunk chunk, HeaderMessage message) {
    edit(chunk);
    return indexOf(chunk, message);
  }

  /** Prepares a chunk for an edit. */
  void edit(HeaderChunk chunk) {
    chunk.edit();
    space.markDirty(chunk.address(), chunk);
  }

  /** Places a message where it fits best. */
  void place(HeaderMessage message) {
    int needed = HeaderChunk.headingBytes(prefix()) + message.payload().size();
    HeaderChunk best = null;
    int bestFree = Integer.MAX_VALUE;
    for (HeaderChunk chunk : chunks) {
      int free = chunk.freeBytes();
      if (free >= needed && free < bestFree) {
        best = chunk;
        bestFree = free;
      }
    }
    if (best != null) {
      edit(best);
      best.add(message);
    } else if (isTooSmallForLink()) {
      toVersion2();
      place(message);
    } else {
      placeInContinuation(message, needed);
    }
  }

  /**
   * Returns whether a header of version 1 has no room for a continuation message, even without its
   * other messages, but has it in version 2, whose prefix and headings are shorter.
   */
  private boolean isTooSmallForLink() {
    HeaderChunk first = chunks.getFirst();
    return prefix().version() == 1
        && chunks.size() == 1
        && first.capacityBytes() < linkBytes()
        && first.encodedSize() >= smallestVersion2();
  }

  /** Returns the bytes of a continuation message with its heading. */
  private int linkBytes() {
    return HeaderChunk.headingBytes(prefix())
        + aligned(prefix().version(), continuationBytes(space));
  }

  /** Returns the size of the smallest header of version 2 that can hold a continuation message. */
  private long smallestVersion2() {
    HeaderPrefix small = HeaderOptions.version(2).prefix(0);
    int link = HeaderChunk.headingBytes(small) + continuationBytes(space);
    return HeaderChunk.firstSize(small) + link;
  }

  /** Changes the header to version 2 where it is: its address is what links refer to. */
  private void toVersion2() {
    HeaderChunk first = chunks.getFirst();
    long references = first.prefix().referenceCount();
    edit(first);
    first.toVersion2();
    if (references != 1) {
      NewMessage count = NewMessage.of(new ReferenceCountMessage(references));
      place(encode(space.geometry(), 2, count, new MetadataWriter(space.geometry(), 32)));
    }
  }

  /**
   * Adds a chunk for a message, and for the messages that must make room for the continuation
   * message.
   */
  private void placeInContinuation(HeaderMessage message, int needed) {
    int heading = HeaderChunk.headingBytes(prefix());
    int link = linkBytes();
    HeaderChunk holder = holder(link, heading);
    edit(holder);
    List<HeaderMessage> moved = makeRoom(holder, link);
    int wanted = needed;
    for (HeaderMessage each : moved) {
      wanted += heading + each.payload().size();
    }
    int bytes =
        aligned(prefix().version(), Math.max(rounded(wanted), leastBytes()))
            + HeaderChunk.continuationOverhead(prefix());
    long address = space.allocate(SpaceKind.OBJECT_HEADER, bytes);
    HeaderChunk chunk = HeaderChunk.continuation(address, bytes, prefix());
    moved.forEach(chunk::add);
    chunk.add(message);
    NewMessage continuation = NewMessage.of(new ContinuationMessage(address, bytes));
    MetadataWriter scratch = new MetadataWriter(space.geometry(), 32);
    holder.add(encode(space.geometry(), prefix().version(), continuation, scratch));
    chunks.add(chunk);
    space.insert(address, chunk);
  }

  /**
   * Returns the least size of a continuation: it grows with their number, so that a header of many
   * messages has few of them, but stays below a third of the header, so that little of it is
   * unused.
   */
  private int leastBytes() {
    long header = 0;
    for (HeaderChunk chunk : chunks) {
      header += chunk.capacityBytes();
    }
    int byNumber = MIN_CONTINUATION_BYTES << Math.min(chunks.size() - 1, 8);
    long third = Math.max(MIN_CONTINUATION_BYTES, header / 3);
    return (int) Math.min(Math.min(byNumber, GREATEST_SPARE_BYTES), third);
  }

  /**
   * Returns the size of a continuation for the given number of bytes. It is one of a few sizes in
   * each power of two, so that a message that is replaced by a somewhat larger one finds room in
   * the same place.
   */
  private static int rounded(int bytes) {
    int step = Math.max(8, Integer.highestOneBit(bytes) / SIZES_PER_DOUBLING);
    return bytes < MIN_ROUNDED_BYTES ? bytes : Math.ceilDiv(bytes, step) * step;
  }

  /** Returns the last chunk that has, or can be given, room for a continuation message. */
  private HeaderChunk holder(int link, int heading) {
    HeaderChunk movable = null;
    for (HeaderChunk chunk : chunks) {
      if (chunk.freeBytes() >= link) {
        return chunk;
      }
      int possible = chunk.freeBytes();
      for (HeaderMessage message : chunk.messages()) {
        if (isMovable(message)) {
          possible += heading + message.payload().size();
        }
      }
      if (possible >= link) {
        movable = chunk;
      }
    }
    if (movable == null) {
      throw new UnsupportedFeatureException(
          "free space in the object header: actual=less than "
              + link
              + " bytes, expected=at least that, for a continuation message; copy the object, at="
              + space.geometry().file()
              + "@"
              + chunks.getFirst().address());
    }
    return movable;
  }

  private static boolean isMovable(HeaderMessage message) {
    return !message.is(MessageType.CONTINUATION) && !message.is(MessageType.NIL);
  }

  /**
   * Removes from a chunk the smallest message that makes enough room, or otherwise its last
   * messages.
   */
  private List<HeaderMessage> makeRoom(HeaderChunk chunk, int link) {
    List<HeaderMessage> moved = new ArrayList<>();
    int heading = HeaderChunk.headingBytes(prefix());
    int missing = link - chunk.freeBytes();
    if (missing <= 0) {
      return moved;
    }
    HeaderMessage smallest = null;
    for (HeaderMessage message : chunk.messages()) {
      int size = heading + message.payload().size();
      if (isMovable(message)
          && size >= missing
          && (smallest == null || message.payload().size() < smallest.payload().size())) {
        smallest = message;
      }
    }
    if (smallest != null) {
      chunk.remove(indexOf(chunk, smallest));
      moved.add(smallest);
      return moved;
    }
    for (int i = chunk.messages().size() - 1; i >= 0 && chunk.freeBytes() < link; i--) {
      if (isMovable(chunk.messages().get(i))) {
        moved.addFirst(chunk.remove(i));
      }
    }
    return moved;
  }

  /** Frees continuations without messages, and then those that only referred to them. */
  void releaseEmptyChunks() {
    for (int i = chunks.size() - 1; i > 0; i--) {
      HeaderChunk chunk = chunks.get(i);
      boolean empty = chunk.messages().stream().allMatch(message -> message.is(MessageType.NIL));
      if (empty) {
        chunks.remove(i);
        removeLinkTo(chunk);
        release(chunk);
      }
    }
  }

  private void removeLinkTo(HeaderChunk target) {
    for (HeaderChunk chunk : chunks) {
      for (HeaderMessage message : chunk.messages()) {
        if (message.is(MessageType.CONTINUATION)
            && message.message() instanceof ContinuationMessage link
            && link.address() == target.address()) {
          chunk.remove(edit(chunk, message));
          return;
        }
      }
    }
  }
}
