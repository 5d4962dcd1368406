package org.hyperslab.format.header;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.metadata.SpaceKind;

/**
 * An object header: the messages that describe an object, in version 1 or 2, in a first chunk and
 * continuations.
 *
 * <p>Every chunk is a block of the {@link MetadataSpace}, which finds this object again through the
 * first chunk. Callers open the header for each operation and do not keep it: a space may discard
 * clean blocks at any time, and later openings then return another object.
 *
 * <p>Thread rule: like blocks: edited by one thread under the file's write lock, read in any number
 * of threads between edits.
 *
 * <p>Source: HDF5 File Format Specification, IV.A "Data Object Headers"; reference {@code
 * H5Ocache.c}, {@code H5Oalloc.c}.
 */
public final class ObjectHeader {

  private final MetadataSpace space;
  private final HeaderChunks chunks;

  /** Changes the messages; null before the first edit. */
  private HeaderEdits edits;

  ObjectHeader(MetadataSpace space, List<HeaderChunk> chunks) {
    this.space = space;
    this.chunks = new HeaderChunks(space, chunks);
  }

  // ---------------------------------------------------------------- opening and creating

  /**
   * {@return the header at an address}
   *
   * @param space the metadata of the file
   * @param address the address, relative to the file's base address
   * @throws CorruptFileException if there is none, or its continuations overlap or form a cycle
   */
  public static ObjectHeader open(MetadataSpace space, long address) {
    Optional<HeaderChunk> known = space.cached(address, ChunkReader.STRUCTURE, HeaderChunk.class);
    HeaderChunk first = known.isPresent() ? known.get() : ChunkReader.loadFirst(space, address);
    ObjectHeader header = first.header();
    if (header != null) {
      return header;
    }
    if (!first.isFirst()) {
      throw ChunkReader.corrupt(space, address, "actual=the continuation of another header");
    }
    return first.assembled(new ObjectHeader(space, ChunkReader.follow(space, first)));
  }

  /**
   * Checks whether the bytes at an address begin an object header. Returns false for an address
   * that is undefined or beyond the end of the file.
   *
   * @param space the metadata of the file
   * @param address the address, relative to the file's base address
   * @return whether an object header begins there
   */
  public static boolean isAt(MetadataSpace space, long address) {
    try {
      Optional<HeaderChunk> known = space.cached(address, ChunkReader.STRUCTURE, HeaderChunk.class);
      if (known.isPresent()) {
        return known.get().isFirst();
      }
      byte[] start = space.peek(address, HeaderPrefix.SIGNATURE.length(), ChunkReader.STRUCTURE);
      return HeaderPrefix.begins(start);
    } catch (CorruptFileException outside) {
      return false; // beyond the end, or a block of another structure
    }
  }

  /**
   * A message for a new header.
   *
   * @param message the content
   * @param flags constants of {@link HeaderMessage}; {@link HeaderMessage#SHARED} is added
   *     automatically
   * @param creationIndex 0 to 65,535, stored only if the header tracks it
   */
  public record NewMessage(Message message, int flags, int creationIndex) {

    /**
     * Returns a message without flags and creation index.
     *
     * @param message the message
     * @return the message
     */
    public static NewMessage of(Message message) {
      return new NewMessage(message, 0, 0);
    }

    /**
     * {@return a message that never changes}
     *
     * @param message the message
     */
    public static NewMessage constant(Message message) {
      return new NewMessage(message, HeaderMessage.CONSTANT, 0);
    }
  }

  /**
   * Creates a header whose first chunk holds the given messages in order, and the reserve. Its
   * reference count is 1.
   *
   * @param space the metadata of the file
   * @param options the header's version, reserve and flags
   * @param messages the messages, in order
   * @return the header
   * @throws InvalidUseException if a message is too large for any header
   */
  public static ObjectHeader create(
      MetadataSpace space, HeaderOptions options, List<NewMessage> messages) {
    return Template.of(space, options, encode(space, options.version(), messages)).create(space);
  }

  /**
   * Encodes the messages of new headers.
   *
   * @param space the file's metadata
   * @param version the version of the headers
   * @param messages the messages
   * @return the messages of any number of headers of that file and version, for {@link Template}
   */
  public static List<HeaderMessage> encode(
      MetadataSpace space, int version, List<NewMessage> messages) {
    List<HeaderMessage> encoded = new ArrayList<>(messages.size() + 1);
    MetadataWriter scratch = new MetadataWriter(space.geometry(), 256);
    for (NewMessage message : messages) {
      encoded.add(HeaderSpace.encode(space.geometry(), version, message, scratch));
    }
    return encoded;
  }

  /**
   * What new object headers of one file are copied from. Programs create many objects that differ
   * in their names only, and so have equal headers.
   *
   * <p>Thread rule: immutable; {@link #create} under the file's write lock.
   */
  public static final class Template {

    /** A first chunk that is in no file. */
    private final HeaderChunk first;

    private Template(HeaderChunk first) {
      this.first = first;
    }

    /**
     * {@return the template of headers whose first chunk holds the given messages in order, and the
     * reserve}
     *
     * @param space the metadata of the file
     * @param options the headers' version, reserve and flags
     * @param encoded the messages, encoded for this file and version by {@link #encode}
     */
    public static Template of(
        MetadataSpace space, HeaderOptions options, List<HeaderMessage> encoded) {
      HeaderPrefix empty = options.prefix(0);
      int heading = HeaderChunk.headingBytes(empty);
      int used = 0;
      for (HeaderMessage message : encoded) {
        used = Math.addExact(used, heading + message.payload().size());
      }
      int least =
          heading + HeaderSpace.aligned(empty.version(), HeaderSpace.continuationBytes(space));
      int bytes =
          HeaderSpace.aligned(options.version(), Math.max(least, used + options.reserveBytes()));
      HeaderPrefix prefix = options.prefix(bytes);
      HeaderChunk first = HeaderChunk.first(0, prefix);
      encoded.forEach(first::add);
      if (options.version() == 1) {
        int count = new HeaderChunks(space, List.of(first)).encodedMessageCount();
        first.prefix(prefix.withMessageCount(count));
      }
      return new Template(first);
    }

    /**
     * Creates a header. Its reference count is 1.
     *
     * @param space the metadata of the file
     * @return the header
     */
    public ObjectHeader create(MetadataSpace space) {
      long address = space.allocate(SpaceKind.OBJECT_HEADER, first.encodedSize());
      HeaderChunk chunk = first.copyAt(address);
      List<HeaderChunk> chunks = new ArrayList<>(1);
      chunks.add(chunk);
      ObjectHeader header = chunk.assembled(new ObjectHeader(space, chunks));
      space.insert(address, chunk);
      return header;
    }
  }

  // ---------------------------------------------------------------- reading

  /** {@return the address of the first chunk: the object's address} */
  public long address() {
    return chunks.first().address();
  }

  /**
   * Returns the version of the header.
   *
   * @return 1 or 2
   */
  public int version() {
    return prefix().version();
  }

  private HeaderPrefix prefix() {
    return chunks.prefix();
  }

  /** {@return the metadata of the file that holds this header} */
  public MetadataSpace space() {
    return space;
  }

  /** {@return the times, if the header stores them} */
  public Optional<ObjectTimes> times() {
    return prefix().times();
  }

  /** {@return whether attributes have a creation index} */
  public boolean tracksAttributeOrder() {
    return (prefix().flags() & HeaderPrefix.TRACK_ATTRIBUTES) != 0;
  }

  /** {@return whether dense attributes have an index by creation order} */
  public boolean indexesAttributeOrder() {
    return (prefix().flags() & HeaderPrefix.INDEX_ATTRIBUTES) != 0;
  }

  /**
   * {@return the thresholds at which attributes change between compact and dense storage}
   * Attributes in version 1 headers are never dense.
   */
  public PhaseChange attributePhaseChange() {
    return prefix().phaseChange().orElse(PhaseChange.DEFAULT);
  }

  /** {@return every message except NIL and continuation messages, in the order of the chunks} */
  public List<HeaderMessage> messages() {
    return chunks.messages();
  }

  /** Returns every message, including NIL and continuation messages, in the order of the chunks. */
  List<HeaderMessage> allMessages() {
    return chunks.allMessages();
  }

  /**
   * {@return the messages of a type, in the order of the chunks}
   *
   * @param type the type of the messages
   */
  public List<HeaderMessage> findAll(MessageType type) {
    return chunks.findAll(type);
  }

  /**
   * {@return the first message of a type}
   *
   * @param type the type of the messages
   */
  public Optional<HeaderMessage> find(MessageType type) {
    return Optional.ofNullable(chunks.find(type));
  }

  /**
   * {@return the number of messages of a type}
   *
   * @param type the type of the messages
   */
  public int count(MessageType type) {
    return chunks.count(type);
  }

  /**
   * {@return whether there is a message of a type}
   *
   * @param type the type of the messages
   */
  public boolean has(MessageType type) {
    return chunks.find(type) != null;
  }

  /**
   * {@return the decoded first message of a kind, which must not be shared}
   *
   * @param <M> the class of the message
   * @param type the type of the messages
   * @param kind the class of the message
   * @throws CorruptFileException if it is shared or cannot be decoded
   */
  public <M extends Message> Optional<M> find(MessageType type, Class<M> kind) {
    return find(type, kind, new NoSharing());
  }

  /**
   * {@return the decoded first message of a kind; if it is shared, the message that it refers to}
   *
   * @param <M> the class of the message
   * @param type the type of the messages
   * @param kind the class of the message
   * @param resolver finds messages that are stored elsewhere
   */
  public <M extends Message> Optional<M> find(
      MessageType type, Class<M> kind, SharedMessageResolver resolver) {
    HeaderMessage found = chunks.find(type); // several times for each request: no lambda
    return found == null ? Optional.empty() : Optional.of(cast(found.message(resolver), kind));
  }

  private <M extends Message> M cast(Message message, Class<M> kind) {
    if (!kind.isInstance(message)) {
      throw ChunkReader.corrupt(
          space,
          address(),
          "message actual="
              + message.getClass().getSimpleName()
              + ", expected="
              + kind.getSimpleName());
    }
    return kind.cast(message);
  }

  /** Refuses shared messages. */
  private final class NoSharing implements SharedMessageResolver {
    @Override
    public Message resolve(int typeCode, SharedPointer pointer) {
      throw ChunkReader.corrupt(
          space, address(), "message of type " + typeCode + " actual=shared: " + pointer);
    }
  }

  /** {@return the number of hard links to the object} */
  public long referenceCount() {
    if (version() == 1) {
      return prefix().referenceCount();
    }
    Optional<ReferenceCountMessage> stored =
        find(MessageType.REFERENCE_COUNT, ReferenceCountMessage.class);
    return stored.isPresent() ? stored.get().count() : 1;
  }

  /** {@return the sizes of the header's parts} */
  public HeaderInfo info() {
    return chunks.info();
  }

  /**
   * Requires that no message of unknown type forbids this library to open the object.
   *
   * @param writing whether the object is to be edited
   * @throws UnsupportedFeatureException if one does
   */
  public void requireUnderstood(boolean writing) {
    int forbidden =
        HeaderMessage.FAIL_IF_UNKNOWN | (writing ? HeaderMessage.FAIL_IF_UNKNOWN_AND_WRITING : 0);
    HeaderMessage unknown = chunks.findUnknown(forbidden);
    if (unknown != null) {
      throw new UnsupportedFeatureException(
          "object header message: actual=unknown type "
              + unknown.typeCode()
              + " that readers must understand"
              + (writing ? " to write" : "")
              + ", expected=types 0..24, at="
              + space.geometry().file()
              + "@"
              + address());
    }
  }

  // ---------------------------------------------------------------- editing

  private HeaderEdits edits() {
    HeaderEdits known = edits;
    if (known == null) {
      known = new HeaderEdits(space, chunks);
      edits = known;
    }
    return known;
  }

  /**
   * Adds a message without flags and creation index.
   *
   * @param message the message
   * @return the message as the header holds it
   */
  public HeaderMessage add(Message message) {
    return add(NewMessage.of(message));
  }

  /**
   * Adds a message where there is room, or else in a new continuation.
   *
   * @param message the message with its flags and creation index
   * @return the message as the header holds it
   * @throws InvalidUseException if it is too large for any header
   */
  public HeaderMessage add(NewMessage message) {
    return edits().add(message);
  }

  /**
   * Replaces the content of a message, keeping its creation index and its flags other than those of
   * sharing: in the same chunk if there is room, otherwise elsewhere.
   *
   * @param old a message that this header holds
   * @param message the message
   * @return the new message as the header holds it
   */
  public HeaderMessage replace(HeaderMessage old, Message message) {
    int flags = old.flags() & ~(HeaderMessage.SHARED | HeaderMessage.SHARABLE);
    return replace(old, new NewMessage(message, flags, old.creationIndex()));
  }

  /**
   * Replaces a message, with new flags and a new creation index.
   *
   * @param old the message to replace
   * @param message the message with its flags and creation index
   * @return the new message
   */
  public HeaderMessage replace(HeaderMessage old, NewMessage message) {
    return edits().replace(old, message);
  }

  /**
   * Removes a message that this header holds, and frees continuations that are empty afterwards.
   *
   * @param message a message of this header
   */
  public void remove(HeaderMessage message) {
    edits().remove(message);
  }

  /**
   * Sets the number of hard links, 0 to 2^32-1; at 0 the caller deletes the object.
   *
   * @param count the number of hard links
   */
  public void setReferenceCount(long count) {
    if (count < 0 || count > 0xFFFF_FFFFL) {
      throw new InvalidUseException(
          "reference count: actual=" + count + ", expected=0..2^32-1, at=" + address());
    }
    if (version() == 1) {
      edits().setPrefix(prefix().withReferenceCount(count));
      return;
    }
    Optional<HeaderMessage> old = find(MessageType.REFERENCE_COUNT);
    if (count == 1) {
      old.ifPresent(this::remove);
    } else if (old.isPresent()) {
      replace(old.get(), new ReferenceCountMessage(count));
    } else {
      add(new ReferenceCountMessage(count));
    }
  }

  /**
   * Records that the object's metadata changed, in this header or elsewhere: sets the access and
   * change times, or in a version 1 header the time in its message, if the header stores any.
   *
   * @param epochSecond the present time in seconds since 1970-01-01 UTC, 0 to 2^32-1
   */
  public void touch(long epochSecond) {
    edits().markUnknown();
    Optional<ObjectTimes> times = times();
    if (times.isPresent()) {
      setTimes(times.get().changed(epochSecond));
    }
    HeaderMessage old = version() == 1 ? chunks.find(MessageType.MODIFICATION_TIME) : null;
    boolean same = // most edits follow another at once
        old == null
            || old.message() instanceof ModificationTimeMessage(long second)
                && second == epochSecond;
    if (!same) {
      replace(old, new ModificationTimeMessage(epochSecond));
    }
  }

  /**
   * Sets the times of a header that stores them; has no effect on other headers.
   *
   * @param times the times to store
   */
  public void setTimes(ObjectTimes times) {
    Optional<ObjectTimes> old = times();
    if (old.isPresent() && !old.get().equals(times)) {
      edits().setPrefix(prefix().withTimes(times));
    }
  }

  /** Frees every chunk. The caller must first release the objects that the messages refer to. */
  public void delete() {
    edits().releaseChunks();
  }

  @Override
  public String toString() {
    return ChunkReader.STRUCTURE + "@" + address() + " " + messages();
  }
}
