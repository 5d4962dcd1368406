package org.hyperslab.plugins.nativevol.attribute;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.header.AttributeInfoMessage;
import org.hyperslab.format.header.AttributeMessage;
import org.hyperslab.format.header.DataspaceMessage;
import org.hyperslab.format.header.DatatypeMessage;
import org.hyperslab.format.header.Message;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.header.SharedMessage;
import org.hyperslab.format.header.SharedPointer;
import org.hyperslab.format.header.TextEncoding;
import org.hyperslab.format.index.DenseAddresses;
import org.hyperslab.format.io.Bytes;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenAccess;
import org.hyperslab.format.type.convert.Converter;
import org.hyperslab.model.AttributeInfo;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.model.PageRequest;
import org.hyperslab.plugins.nativevol.header.HeaderStyle;
import org.hyperslab.plugins.nativevol.header.ObjectHeaders;

/**
 * Manages the attributes of the objects in one file.
 *
 * <p>Thread rule: as {@link ObjectHeaders}; every edit under the file's write lock.
 */
public final class Attributes {

  private static final int MAXIMUM_MESSAGE_BYTES = 65_500;

  private final ObjectHeaders headers;
  private final AttributeMessages messages;

  /**
   * Creates the attributes of a file's objects.
   *
   * @param headers the headers of the file
   */
  public Attributes(ObjectHeaders headers) {
    this.headers = headers;
    this.messages = new AttributeMessages(headers);
  }

  /**
   * The parts of an attribute.
   *
   * @param name its name
   * @param charset the character set of the name
   * @param type the type of the elements, in memory or file form
   * @param committedType the header of the committed type that it shares
   * @param space the extent
   */
  public record Spec(
      String name,
      CharacterSet charset,
      Datatype type,
      OptionalLong committedType,
      Dataspace space) {}

  /**
   * {@return the attributes of an object}
   *
   * @param header the object's header
   */
  public AttributeStore store(ObjectHeader header) {
    Optional<AttributeInfoMessage> info = info(header);
    return info.isPresent() && info.get().isDense()
        ? new DenseAttributes(headers, info.get())
        : new CompactAttributes(headers, header);
  }

  /** Adds an attribute, in dense storage if it no longer fits in the header. */
  private void insert(ObjectHeader header, AttributeStore.Entry entry) {
    if (header.version() > 1) {
      // The HDF5 library does not count attributes in a version 2 header without such a message.
      requireInfo(header);
    }
    AttributeStore store = store(header);
    if (store instanceof CompactAttributes compact && header.version() > 1) {
      boolean many = compact.count() >= header.attributePhaseChange().maximumCompact();
      if (many || encodedBytes(entry.message()) >= MAXIMUM_MESSAGE_BYTES) {
        store = makeDense(header, compact);
      }
    }
    int before = header.version();
    store.insert(entry);
    if (before == 1 && header.version() > 1) { // it had no room as version 1
      requireInfo(header);
    }
  }

  private int encodedBytes(AttributeMessage message) {
    MetadataWriter writer = new MetadataWriter(headers.file().geometry(), 128);
    message.encode(writer);
    return writer.position();
  }

  private DenseAttributes makeDense(ObjectHeader header, CompactAttributes compact) {
    AttributeInfoMessage info = requireInfo(header);
    DenseAttributes dense = DenseAttributes.create(headers, info.indexed());
    for (AttributeStore.Entry entry : compact.all()) {
      dense.insert(entry);
      compact.remove(entry.message().name());
    }
    storeAddresses(header, dense.addresses());
    return dense;
  }

  /** Moves attributes back into the header if few enough are left. */
  private void makeCompactIfFew(ObjectHeader header, AttributeStore store) {
    if (!(store instanceof DenseAttributes dense)
        || dense.count() >= header.attributePhaseChange().minimumDense()) {
      return;
    }
    List<AttributeStore.Entry> all = dense.all();
    if (all.stream().anyMatch(each -> encodedBytes(each.message()) >= MAXIMUM_MESSAGE_BYTES)) {
      return;
    }
    dense.delete();
    long none = FileGeometry.UNDEFINED;
    storeAddresses(header, new DenseAddresses(none, none, none));
    CompactAttributes compact = new CompactAttributes(headers, header);
    all.forEach(compact::insert);
  }

  private AttributeInfoMessage requireInfo(ObjectHeader header) {
    return info(header)
        .orElseGet(() -> {
          AttributeInfoMessage made =
              AttributeInfoMessage.compact(
                  header.tracksAttributeOrder(), header.indexesAttributeOrder());
          header.add(made);
          return made;
        });
  }

  private void storeAddresses(ObjectHeader header, DenseAddresses addresses) {
    AttributeInfoMessage info = requireInfo(header);
    header.replace(
        header.find(MessageType.ATTRIBUTE_INFO).orElseThrow(),
        new AttributeInfoMessage(
            info.tracked(),
            info.indexed(),
            info.nextCreationIndex(),
            addresses.heap(),
            addresses.nameIndex(),
            addresses.orderIndex()));
  }

  private Optional<AttributeInfoMessage> info(ObjectHeader header) {
    return header.find(MessageType.ATTRIBUTE_INFO, AttributeInfoMessage.class);
  }

  /**
   * {@return the number of attributes of an object}
   *
   * @param header the object's header
   */
  public long count(ObjectHeader header) {
    return store(header).count();
  }

  /**
   * Elements in memory.
   *
   * @param memoryType the type of the elements, in its memory form
   * @param source the elements, one for each element of the attribute's extent
   */
  public record Content(Datatype memoryType, DataBuffer source) {}

  /**
   * Creates an attribute with all elements zero.
   *
   * @param object the address of the object's header
   * @param spec the attribute's properties
   */
  public void create(long object, Spec spec) {
    ObjectHeader header = headers.open(object);
    AttributeStore store = store(header);
    requireName(spec.name());
    requireAbsent(store, spec.name());
    insert(header, AttributeStore.Entry.own(messages.of(spec), nextIndex(header)));
    header.touch(HeaderStyle.now());
    spec.committedType().ifPresent(this::retainType);
  }

  /** Returns what removes the references that messages of an object held. */
  private LongConsumer users(ObjectHeader header) {
    return target -> headers.release(header, target);
  }

  /**
   * Creates an attribute with its elements, or replaces the attribute of that name. If that fails,
   * the previous attribute stays.
   *
   * @param object the address of the object's header
   * @param spec the attribute's properties
   * @param replace whether an attribute of that name is replaced
   * @param content the elements
   * @throws AlreadyExistsException if the name is in use and {@code replace} is false
   */
  public void set(long object, Spec spec, boolean replace, Content content) {
    ObjectHeader header = headers.open(object);
    requireName(spec.name());
    Optional<AttributeStore.Entry> old = store(header).find(spec.name());
    if (!replace) {
      requireAbsent(store(header), spec.name());
    }
    AttributeMessage message = withElements(messages.of(spec), content);
    try {
      AttributeStore.Entry made = AttributeStore.Entry.own(message, nextIndex(header));
      old.ifPresent(entry -> remove(header, entry));
      insertOver(header, made, old);
    } catch (RuntimeException refused) {
      releaseElements(message);
      throw refused;
    }
    header.touch(HeaderStyle.now());
    spec.committedType().ifPresent(this::retainType);
    old.ifPresent(entry -> release(entry, users(header)));
  }

  /** Inserts an attribute; if that fails, restores the attribute that it was to replace. */
  private void insertOver(
      ObjectHeader header, AttributeStore.Entry made, Optional<AttributeStore.Entry> old) {
    try {
      insert(header, made);
    } catch (RuntimeException refused) {
      old.ifPresent(entry -> insert(header, entry));
      throw refused;
    }
  }

  /** Returns the message with the elements, converted before anything in the file is changed. */
  private AttributeMessage withElements(AttributeMessage message, Content content) {
    Datatype type = type(message);
    long count = space(message).elementCount();
    requireRoom(message.name(), content.memoryType(), count, content.source());
    byte[] data = message.data().toByteArray();
    MemorySegment elements = MemorySegment.ofArray(data);
    if (count > 0) {
      try {
        Converter.between(content.memoryType(), type)
            .open(content.source().heap(), heap())
            .convert(content.source().elements(), 0, elements, 0, count);
      } catch (RuntimeException refused) {
        headers.heap().release(type, elements, count);
        throw refused;
      }
    }
    return message.withData(Bytes.of(data));
  }

  private void retainType(long committedType) {
    headers.link(committedType);
  }

  private static void requireName(String name) {
    if (name.isEmpty() || name.indexOf('\0') >= 0) {
      throw new InvalidUseException(
          "attribute name: actual=\"" + name + "\", expected=not empty, no NUL");
    }
    NameBytes.requireEncodable(name);
  }

  private void requireAbsent(AttributeStore store, String name) {
    if (store.find(name).isPresent()) {
      throw new AlreadyExistsException(
          "attribute: actual=exists, expected=none, at=" + headers.file().name() + " " + name);
    }
  }

  /** Returns the creation index of a new attribute and counts it; 0 if the object tracks none. */
  private int nextIndex(ObjectHeader header) {
    if (!header.tracksAttributeOrder()) {
      return 0;
    }
    AttributeInfoMessage info = requireInfo(header);
    int index = info.nextCreationIndex();
    if (index >= 0xFFFF) {
      throw new InvalidUseException(
          "attributes created on one object: actual=65535, expected=fewer where creation order is"
              + " tracked, at="
              + headers.file().name());
    }
    setNextIndex(header, info, index + 1);
    return index;
  }

  private static void setNextIndex(ObjectHeader header, AttributeInfoMessage info, int next) {
    header.replace(
        header.find(MessageType.ATTRIBUTE_INFO).orElseThrow(),
        new AttributeInfoMessage(
            info.tracked(),
            info.indexed(),
            next,
            info.heapAddress(),
            info.nameIndexAddress(),
            info.creationIndexAddress()));
  }

  private AttributeStore.Entry require(ObjectHeader header, String name) {
    Optional<AttributeStore.Entry> found = store(header).find(name);
    if (found.isEmpty()) {
      throw new NotFoundException(
          "attribute not found: actual=none, expected=\""
              + name
              + "\", at="
              + headers.file().name());
    }
    return found.get();
  }

  /**
   * {@return whether an object has an attribute of that name}
   *
   * @param object the address of the object's header
   * @param name the name
   */
  public boolean exists(long object, String name) {
    return store(headers.open(object)).find(name).isPresent();
  }

  /**
   * {@return the description of an attribute}
   *
   * @param object the address of the object's header
   * @param name the name
   */
  public AttributeInfo describe(long object, String name) {
    ObjectHeader header = headers.open(object);
    return info(header, require(header, name));
  }

  private AttributeInfo info(ObjectHeader header, AttributeStore.Entry entry) {
    AttributeMessage message = entry.message();
    Datatype type = type(message);
    Dataspace space = space(message);
    Optional<ObjectToken> committed =
        message.typeMessage() instanceof SharedMessage shared
                && shared.pointer() instanceof SharedPointer.InHeader there
            ? Optional.of(new ObjectToken(there.headerAddress()))
            : Optional.empty();
    return new AttributeInfo(
        message.name(),
        message.encoding() == TextEncoding.UTF_8 ? CharacterSet.UTF8 : CharacterSet.ASCII,
        type,
        committed,
        space,
        header.tracksAttributeOrder()
            ? OptionalLong.of(entry.creationIndex())
            : OptionalLong.empty(),
        Math.multiplyExact(space.elementCount(), (long) type.size()));
  }

  private Datatype type(AttributeMessage message) {
    return ((DatatypeMessage) resolved(message.typeMessage())).type();
  }

  private Dataspace space(AttributeMessage message) {
    return ((DataspaceMessage) resolved(message.spaceMessage())).space();
  }

  private Message resolved(Message part) {
    return part instanceof SharedMessage shared
        ? headers.resolve(shared.typeCode(), shared.pointer())
        : part;
  }

  /**
   * {@return a page of an object's attributes}
   *
   * @param object the address of the object's header
   * @param page the order, and the entries to return
   */
  public List<AttributeInfo> list(long object, PageRequest page) {
    ObjectHeader header = headers.open(object);
    if (page.index() == IterationIndex.CREATION_ORDER && !header.tracksAttributeOrder()) {
      throw new InvalidUseException(
          "order: actual=creation order, which the object does not track, expected=name, at="
              + headers.file().name());
    }
    List<AttributeInfo> infos = new ArrayList<>();
    for (AttributeStore.Entry entry : store(header).list(object, page)) {
      infos.add(info(header, entry));
    }
    return infos;
  }

  /**
   * Reads all elements, converting them.
   *
   * @param object the address of the object's header
   * @param name the name
   * @param memoryType the type of the elements in memory
   * @param target the memory to read into
   */
  public void read(long object, String name, Datatype memoryType, DataBuffer target) {
    AttributeMessage message = require(headers.open(object), name).message();
    Datatype type = type(message);
    long count = space(message).elementCount();
    requireRoom(name, memoryType, count, target);
    MemorySegment stored = stored(message, type, count);
    if (!type.hasOutOfLineParts() && type.equals(memoryType)) {
      MemorySegment.copy(stored, 0, target.elements(), 0, count * type.size());
    } else if (count > 0) {
      Converter.between(type, memoryType)
          .open(heap(), target.heap())
          .convert(stored, 0, target.elements(), 0, count);
    }
  }

  /**
   * Writes all elements, converting them.
   *
   * @param object the address of the object's header
   * @param name the name
   * @param memoryType the type of the elements in memory
   * @param source the memory to write from
   */
  public void write(long object, String name, Datatype memoryType, DataBuffer source) {
    ObjectHeader header = headers.open(object);
    AttributeStore.Entry entry = require(header, name);
    AttributeMessage message = entry.message();
    Datatype type = type(message);
    long count = space(message).elementCount();
    requireRoom(name, memoryType, count, source);
    MemorySegment old = stored(message, type, count);
    byte[] data = new byte[Math.toIntExact(count * type.size())];
    MemorySegment.copy(old, 0, MemorySegment.ofArray(data), 0, data.length);
    if (count > 0) {
      Converter.between(memoryType, type)
          .open(source.heap(), heap())
          .convert(source.elements(), 0, MemorySegment.ofArray(data), 0, count);
    }
    header.touch(HeaderStyle.now());
    if (entry.sharedId().isPresent()) {
      headers.shared().retainParts(message, this::retainType);
      store(header).replace(message.withData(Bytes.of(data)));
      release(entry, users(header));
    } else {
      store(header).replace(message.withData(Bytes.of(data)));
      headers.heap().release(type, old, count);
    }
  }

  /**
   * Returns the elements as stored, after checking their size against the type.
   *
   * @param type the type of the elements, which is the message's own or the one that it shares
   */
  private MemorySegment stored(AttributeMessage message, Datatype type, long count) {
    long bytes = message.data().size();
    if (count > bytes / Math.max(1, type.size())) {
      throw new CorruptFileException(
          headers.file().name(),
          "attribute " + message.name(),
          CorruptFileException.NO_OFFSET,
          "data actual="
              + bytes
              + " bytes, expected="
              + count
              + " elements of "
              + type.size()
              + " bytes");
    }
    return MemorySegment.ofArray(message.data().toByteArray());
  }

  /** Frees the objects in the global heap that an attribute's elements refer to. */
  private void releaseElements(AttributeMessage message) {
    Datatype type = type(message);
    if (type.hasOutOfLineParts()) {
      long count = space(message).elementCount();
      headers.heap().release(type, stored(message, type, count), count);
    }
  }

  private VlenAccess heap() {
    return headers.heap();
  }

  private static void requireRoom(String name, Datatype memoryType, long count, DataBuffer buffer) {
    long needed = Math.multiplyExact(count, (long) memoryType.size());
    if (buffer.elements().byteSize() < needed) {
      throw new InvalidUseException(
          "buffer: actual="
              + buffer.elements().byteSize()
              + " bytes, expected=at least "
              + needed
              + " for attribute "
              + name);
    }
  }

  /**
   * Renames an attribute.
   *
   * @param object the address of the object's header
   * @param from the present name
   * @param to the new name
   */
  public void rename(long object, String from, String to) {
    ObjectHeader header = headers.open(object);
    AttributeStore store = store(header);
    AttributeStore.Entry entry = require(header, from);
    if (from.equals(to)) {
      return;
    }
    requireName(to);
    requireAbsent(store, to);
    AttributeMessage renamed = entry.message().withName(to);
    if (entry.sharedId().isPresent()) {
      headers.shared().retainParts(renamed, this::retainType);
    }
    store.remove(from);
    insert(header, AttributeStore.Entry.own(renamed, entry.creationIndex()));
    header.touch(HeaderStyle.now());
    if (entry.sharedId().isPresent() && releaseShared(entry)) {
      // The heap objects of the elements belong to the renamed attribute.
      headers.shared().releaseParts(renamed, users(header));
    }
  }

  /**
   * Deletes an attribute.
   *
   * @param object the address of the object's header
   * @param name the name
   */
  public void delete(long object, String name) {
    ObjectHeader header = headers.open(object);
    AttributeStore.Entry entry = require(header, name);
    remove(header, entry);
    forgetIfNone(header);
    header.touch(HeaderStyle.now());
    release(entry, users(header));
  }

  /** Removes an attribute from its object; the heap objects that it refers to stay. */
  private void remove(ObjectHeader header, AttributeStore.Entry entry) {
    AttributeStore store = store(header);
    store.remove(entry.message().name());
    makeCompactIfFew(header, store);
  }

  /**
   * Removes the attribute info message from an object without attributes. The HDF5 library expects
   * the message only where there are attributes. Creation order then begins at 0 again, as in that
   * library.
   */
  private void forgetIfNone(ObjectHeader header) {
    AttributeStore store = store(header);
    if (store.count() > 0) {
      return;
    }
    if (store instanceof DenseAttributes dense) {
      dense.delete();
    }
    header.find(MessageType.ATTRIBUTE_INFO).ifPresent(header::remove);
  }

  /**
   * Releases the references to shared messages and committed types that an object's attributes
   * hold, when the object is deleted.
   *
   * @param header the object's header
   * @param release receives the address of each committed type that was used
   */
  public void releaseAll(ObjectHeader header, LongConsumer release) {
    AttributeStore store = store(header);
    for (AttributeStore.Entry entry : store.all()) {
      release(entry, release);
    }
    store.delete();
  }

  /** Removes one user of a shared attribute and returns whether it was the last. */
  private boolean releaseShared(AttributeStore.Entry entry) {
    return headers.shared().release(MessageType.ATTRIBUTE, entry.sharedId().getAsLong());
  }

  /**
   * Releases what a removed attribute refers to: heap objects and its type. A shared message keeps
   * these until its last user is gone.
   */
  private void release(AttributeStore.Entry entry, LongConsumer release) {
    if (entry.sharedId().isPresent() && !releaseShared(entry)) {
      return;
    }
    releaseElements(entry.message());
    headers.shared().releaseParts(entry.message(), release);
  }
}
