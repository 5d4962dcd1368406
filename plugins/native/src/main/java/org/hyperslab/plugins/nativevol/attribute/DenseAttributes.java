package org.hyperslab.plugins.nativevol.attribute;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.header.AttributeInfoMessage;
import org.hyperslab.format.header.AttributeMessage;
import org.hyperslab.format.index.dense.DenseAddresses;
import org.hyperslab.format.index.dense.DenseEntry;
import org.hyperslab.format.index.dense.DenseStorage;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.model.PageRequest;
import org.hyperslab.plugins.nativevol.header.DensePages;
import org.hyperslab.plugins.nativevol.header.ListingCache;
import org.hyperslab.plugins.nativevol.header.ObjectHeaders;
import org.hyperslab.plugins.nativevol.header.SharedHeap;

/** Stores attributes in a fractal heap, indexed by version 2 B-trees. */
final class DenseAttributes implements AttributeStore {

  private final ObjectHeaders headers;
  private final DenseStorage storage;

  DenseAttributes(ObjectHeaders headers, AttributeInfoMessage info) {
    this(
        headers,
        DenseStorage.openAttributes(
            headers.space(),
            new DenseAddresses(
                info.heapAddress(), info.nameIndexAddress(), info.creationIndexAddress()),
            headers.shared().attributes()));
  }

  private DenseAttributes(ObjectHeaders headers, DenseStorage storage) {
    this.headers = headers;
    this.storage = storage;
  }

  /** Creates storage without attributes. */
  static DenseAttributes create(ObjectHeaders headers, boolean indexed) {
    return new DenseAttributes(
        headers,
        DenseStorage.createAttributes(headers.space(), indexed, headers.shared().attributes()));
  }

  /** Returns the addresses of the storage. */
  DenseAddresses addresses() {
    return storage.addresses();
  }

  @Override
  public long count() {
    return storage.size();
  }

  @Override
  public Optional<Entry> find(String name) {
    return storage.find(name).map(this::entry);
  }

  private Entry entry(DenseEntry entry) {
    MetadataReader reader =
        new MetadataReader(
            headers.file().geometry(),
            "attribute message in fractal heap",
            entry.message(),
            CorruptFileException.NO_OFFSET);
    return new Entry(
        AttributeMessage.decode(reader),
        (int) entry.creationOrder(),
        entry.shared() ? OptionalLong.of(SharedHeap.number(entry.heapId())) : OptionalLong.empty());
  }

  @Override
  public List<Entry> all() {
    List<Entry> all = new ArrayList<>();
    storage.forEach(0, entry -> all.add(entry(entry)));
    return all;
  }

  @Override
  public List<Entry> list(long object, PageRequest page) {
    var key = new ListingCache.Key(object, ListingCache.Kind.ATTRIBUTES, page.index());
    return DensePages.page(storage, headers.listings(), key, page).stream()
        .map(this::entry)
        .toList();
  }

  private byte[] encoded(AttributeMessage attribute) {
    MetadataWriter writer = new MetadataWriter(headers.file().geometry(), 128);
    attribute.encode(writer);
    return writer.toByteArray();
  }

  @Override
  public void insert(Entry entry) {
    AttributeMessage message = entry.message();
    if (entry.sharedId().isPresent()) {
      byte[] id = SharedHeap.bytes(entry.sharedId().getAsLong());
      storage.insertShared(message.name(), entry.creationIndex(), 0, id);
    } else {
      storage.insert(message.name(), entry.creationIndex(), encoded(message));
    }
  }

  @Override
  public void replace(AttributeMessage attribute) {
    storage.replace(attribute.name(), encoded(attribute));
  }

  @Override
  public void remove(String name) {
    storage.remove(name);
  }

  @Override
  public long indexBytes() {
    return storage.indexBytes();
  }

  @Override
  public long heapBytes() {
    return storage.heapBytes();
  }

  @Override
  public void delete() {
    storage.delete();
  }
}
