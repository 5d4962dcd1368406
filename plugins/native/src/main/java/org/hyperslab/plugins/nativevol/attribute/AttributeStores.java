package org.hyperslab.plugins.nativevol.attribute;

import java.util.List;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.header.AttributeInfoMessage;
import org.hyperslab.format.header.AttributeMessage;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.index.dense.DenseAddresses;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.plugins.nativevol.header.ObjectHeaders;

/**
 * Chooses where the attributes of an object are stored, in its header or in dense storage, and
 * moves them when their number or size demands it.
 *
 * <p>Thread rule: as {@link ObjectHeaders}; every edit under the file's write lock.
 */
final class AttributeStores {

  private static final int MAXIMUM_MESSAGE_BYTES = 65_500;

  private final ObjectHeaders headers;

  AttributeStores(ObjectHeaders headers) {
    this.headers = headers;
  }

  /** Returns the attributes of an object. */
  AttributeStore of(ObjectHeader header) {
    Optional<AttributeInfoMessage> info = info(header);
    return info.isPresent() && info.get().isDense()
        ? new DenseAttributes(headers, info.get())
        : new CompactAttributes(headers, header);
  }

  /** Adds an attribute, in dense storage if it no longer fits in the header. */
  void insert(ObjectHeader header, AttributeStore.Entry entry) {
    if (header.version() > 1) {
      // The HDF5 library does not count attributes in a version 2 header without such a message.
      requireInfo(header);
    }
    AttributeStore store = of(header);
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

  /** Returns the creation index of a new attribute and counts it; 0 if the object tracks none. */
  int nextIndex(ObjectHeader header) {
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

  /** Removes an attribute from its object; the heap objects that it refers to stay. */
  void remove(ObjectHeader header, AttributeStore.Entry entry) {
    AttributeStore store = of(header);
    store.remove(entry.message().name());
    makeCompactIfFew(header, store);
  }

  /**
   * Removes the attribute info message from an object without attributes. The HDF5 library expects
   * the message only where there are attributes. Creation order then begins at 0 again, as in that
   * library.
   */
  void forgetIfNone(ObjectHeader header) {
    AttributeStore store = of(header);
    if (store.count() > 0) {
      return;
    }
    if (store instanceof DenseAttributes dense) {
      dense.delete();
    }
    header.find(MessageType.ATTRIBUTE_INFO).ifPresent(header::remove);
  }
}
