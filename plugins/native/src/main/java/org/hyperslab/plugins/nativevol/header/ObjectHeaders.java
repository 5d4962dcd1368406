package org.hyperslab.plugins.nativevol.header;

import java.util.function.LongConsumer;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.header.HeaderMessage;
import org.hyperslab.format.header.LibraryVersion;
import org.hyperslab.format.header.Message;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.header.SharedMessageResolver;
import org.hyperslab.format.header.SharedPointer;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.plugins.nativevol.file.FileSettings;
import org.hyperslab.plugins.nativevol.file.NativeFile;
import org.hyperslab.plugins.nativevol.heap.HeapAccess;

/**
 * The object headers of an open file, with what they share: messages, out-of-line values, and the
 * references that keep an object. It knows the kind of an object, but not what groups, datasets and
 * attributes contain.
 *
 * <p>Thread rule: edits under the file's write lock, everything else under its read lock.
 */
public final class ObjectHeaders implements SharedMessageResolver {

  private static final int MAXIMUM_SHARING_DEPTH = 4;

  private final NativeFile file;
  private final FileSettings settings;
  private final SharedHeap shared;
  private final HeapAccess heap;
  private final ListingCache listings;
  private final ObjectReferences references = new ObjectReferences();
  private final LongConsumer deletion;

  /**
   * Creates the headers of a file.
   *
   * @param file the open file
   * @param settings the settings of the whole file
   * @param deletion deletes the object with a header's address, to which nothing refers any more
   */
  public ObjectHeaders(NativeFile file, FileSettings settings, LongConsumer deletion) {
    this.file = file;
    this.settings = settings;
    this.shared = new SharedHeap(file, file.extension().sharedMessageTable());
    this.heap = new HeapAccess(file, settings.bounds());
    this.listings = new ListingCache(file);
    this.deletion = deletion;
  }

  /** {@return the open file} */
  public NativeFile file() {
    return file;
  }

  /** {@return the file's metadata} */
  public MetadataSpace space() {
    return file.metadata();
  }

  /** {@return the settings that the superblock and its extension give for the whole file} */
  public FileSettings settings() {
    return settings;
  }

  /** {@return the generation of added structures, unless an object needs a newer one} */
  public LibraryVersion low() {
    return settings.low();
  }

  /** {@return the global heap, which holds the out-of-line parts of elements} */
  public HeapAccess heap() {
    return heap;
  }

  /** {@return the table of shared messages} */
  public SharedHeap shared() {
    return shared;
  }

  /** {@return the cached listings of groups and attributes} */
  public ListingCache listings() {
    return listings;
  }

  /** {@return the links and handles that keep objects} */
  public ObjectReferences references() {
    return references;
  }

  /** {@return the address of the root group's header} */
  public long root() {
    long root = file.superblock().rootHeaderAddress();
    if (root == FileGeometry.UNDEFINED) {
      throw new CorruptFileException(
          file.name(), "superblock", file.baseAddress(), "root group actual=none, expected=one");
    }
    return root;
  }

  /**
   * {@return the object header at an address}
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public ObjectHeader open(long address) {
    ObjectHeader header = ObjectHeader.open(space(), address);
    header.requireUnderstood(file.writable());
    return header;
  }

  /**
   * {@return the header of the object at an address, which must be of the expected kind}
   *
   * @param address the address of the object's header, bytes from the file's base address
   * @param expected the kind that it must have
   */
  public ObjectHeader open(long address, ObjectKind expected) {
    ObjectHeader header = open(address);
    ObjectKind actual = kind(header);
    if (actual != expected) {
      throw new InvalidUseException(
          "object: actual="
              + actual
              + ", expected="
              + expected
              + ", at="
              + file.name()
              + "@"
              + address);
    }
    return header;
  }

  /**
   * {@return the kind of the object at an address}
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public ObjectKind kindAt(long address) {
    return kind(open(address));
  }

  /**
   * {@return the kind of object that a header belongs to}
   *
   * @param header the object's header
   */
  public ObjectKind kind(ObjectHeader header) {
    if (header.has(MessageType.SYMBOL_TABLE) || header.has(MessageType.LINK_INFO)) {
      return ObjectKind.GROUP;
    }
    if (header.has(MessageType.DATATYPE)) {
      return header.has(MessageType.DATASPACE) ? ObjectKind.DATASET : ObjectKind.COMMITTED_TYPE;
    }
    throw new CorruptFileException(
        file.name(),
        "object header",
        file.baseAddress() + header.address(),
        "kind of object actual=none of group, dataset and committed datatype");
  }

  /**
   * Adds one link to the object at an address, or one use of a committed type.
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public void link(long address) {
    references.link(open(address));
  }

  /**
   * Removes one link to the object at an address, and deletes the object if nothing keeps it.
   *
   * @param address the address of the object's header, bytes from the file's base address
   */
  public void unlink(long address) {
    if (references.unlink(open(address))) {
      deletion.accept(address);
    }
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

  /**
   * Removes one user of a header's message if the message is shared or indexed. To be called before
   * the header replaces or removes the message.
   *
   * @param header the object's header
   * @param message the message
   */
  public void release(ObjectHeader header, HeaderMessage message) {
    shared.release(header, message, target -> release(header, target));
  }

  @Override
  public Message resolve(int typeCode, SharedPointer pointer) {
    return resolve(typeCode, pointer, 0);
  }

  private Message resolve(int typeCode, SharedPointer pointer, int depth) {
    if (depth > MAXIMUM_SHARING_DEPTH) {
      throw corrupt(typeCode, "shared messages lead to each other");
    }
    return switch (pointer) {
      case SharedPointer.InHeader there -> inHeader(typeCode, there.headerAddress(), depth);
      case SharedPointer.InHeap there -> shared.find(typeCode, there.heapId());
    };
  }

  private Message inHeader(int typeCode, long address, int depth) {
    MessageType type = MessageType.of(typeCode).orElseThrow();
    HeaderMessage found =
        ObjectHeader.open(space(), address)
            .find(type)
            .orElseThrow(() -> corrupt(typeCode, "not in the header at address " + address));
    return found.message((innerType, innerPointer) -> resolve(innerType, innerPointer, depth + 1));
  }

  private CorruptFileException corrupt(int typeCode, String problem) {
    String structure = MessageType.of(typeCode).map(MessageType::structure).orElse("message");
    return new CorruptFileException(
        file.name(), "shared " + structure, CorruptFileException.NO_OFFSET, problem);
  }
}
