package org.hyperslab.plugins.nativevol.attribute;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.header.AttributeMessage;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.header.SharedMessage;
import org.hyperslab.format.header.SharedPointer;
import org.hyperslab.format.header.TextEncoding;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
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

  private final ObjectHeaders headers;
  private final AttributeMessages messages;
  private final AttributeElements elements;
  private final AttributeStores stores;

  /**
   * Creates the attributes of a file's objects.
   *
   * @param headers the headers of the file
   */
  public Attributes(ObjectHeaders headers) {
    this.headers = headers;
    this.messages = new AttributeMessages(headers);
    this.elements = new AttributeElements(headers);
    this.stores = new AttributeStores(headers);
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
   * {@return the attributes of an object, as they are stored}
   *
   * @param header the object's header
   */
  public AttributeStore store(ObjectHeader header) {
    return stores.of(header);
  }

  /**
   * {@return the number of attributes of an object}
   *
   * @param header the object's header
   */
  public long count(ObjectHeader header) {
    return stores.of(header).count();
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
    AttributeStore store = stores.of(header);
    requireName(spec.name());
    requireAbsent(store, spec.name());
    stores.insert(header, AttributeStore.Entry.own(messages.of(spec), stores.nextIndex(header)));
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
    Optional<AttributeStore.Entry> old = stores.of(header).find(spec.name());
    if (!replace) {
      requireAbsent(stores.of(header), spec.name());
    }
    AttributeMessage message = elements.with(messages.of(spec), content);
    try {
      AttributeStore.Entry made = AttributeStore.Entry.own(message, stores.nextIndex(header));
      old.ifPresent(entry -> stores.remove(header, entry));
      insertOver(header, made, old);
    } catch (RuntimeException refused) {
      elements.release(message);
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
      stores.insert(header, made);
    } catch (RuntimeException refused) {
      old.ifPresent(entry -> stores.insert(header, entry));
      throw refused;
    }
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

  private AttributeStore.Entry require(ObjectHeader header, String name) {
    Optional<AttributeStore.Entry> found = stores.of(header).find(name);
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
    return stores.of(headers.open(object)).find(name).isPresent();
  }

  /**
   * {@return the description of an attribute}
   *
   * @param object the address of the object's header
   * @param name the name
   */
  public AttributeInfo describe(long object, String name) {
    ObjectHeader header = headers.open(object);
    AttributeStore.Entry entry = require(header, name);
    return info(entry, order(header, entry));
  }

  private static OptionalLong order(ObjectHeader header, AttributeStore.Entry entry) {
    return header.tracksAttributeOrder()
        ? OptionalLong.of(entry.creationIndex())
        : OptionalLong.empty();
  }

  private AttributeInfo info(AttributeStore.Entry entry, OptionalLong order) {
    AttributeMessage message = entry.message();
    Datatype type = elements.type(message);
    Dataspace space = elements.space(message);
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
        order,
        Math.multiplyExact(space.elementCount(), (long) type.size()));
  }

  /**
   * {@return a page of an object's attributes}
   *
   * @param object the address of the object's header
   * @param page the order, and the entries to return
   * @param orStored whether attributes whose creation order is not tracked come as they are stored,
   *     if creation order is asked for; those in a header are then numbered by their place in it,
   *     as the HDF5 library does
   */
  public List<AttributeInfo> list(long object, PageRequest page, boolean orStored) {
    ObjectHeader header = headers.open(object);
    if (page.index() == IterationIndex.CREATION_ORDER
        && !orStored
        && !header.tracksAttributeOrder()) {
      throw new InvalidUseException(
          "order: actual=creation order, which the object does not track, expected=name, at="
              + headers.file().name());
    }
    AttributeStore store = stores.of(header);
    Map<String, Integer> places = new HashMap<>();
    if (orStored && !header.tracksAttributeOrder() && store instanceof CompactAttributes) {
      store.all().forEach(entry -> places.putIfAbsent(entry.message().name(), places.size()));
    }
    List<AttributeInfo> infos = new ArrayList<>();
    for (AttributeStore.Entry entry : store.list(object, page)) {
      Integer place = places.get(entry.message().name());
      infos.add(info(entry, place == null ? order(header, entry) : OptionalLong.of(place)));
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
    elements.read(require(headers.open(object), name).message(), memoryType, target);
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
    AttributeMessage written = elements.over(message, memoryType, source);
    header.touch(HeaderStyle.now());
    if (entry.sharedId().isPresent()) {
      headers.shared().retainParts(message, this::retainType);
      stores.of(header).replace(written);
      release(entry, users(header));
    } else {
      stores.of(header).replace(written);
      elements.release(message);
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
    AttributeStore store = stores.of(header);
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
    stores.insert(header, AttributeStore.Entry.own(renamed, entry.creationIndex()));
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
    stores.remove(header, entry);
    stores.forgetIfNone(header);
    header.touch(HeaderStyle.now());
    release(entry, users(header));
  }

  /**
   * Releases the references to shared messages and committed types that an object's attributes
   * hold, when the object is deleted.
   *
   * @param header the object's header
   * @param release receives the address of each committed type that was used
   */
  public void releaseAll(ObjectHeader header, LongConsumer release) {
    AttributeStore store = stores.of(header);
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
    elements.release(entry.message());
    headers.shared().releaseParts(entry.message(), release);
  }
}
