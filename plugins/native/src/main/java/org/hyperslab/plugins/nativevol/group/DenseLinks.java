package org.hyperslab.plugins.nativevol.group;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.header.LinkInfoMessage;
import org.hyperslab.format.header.LinkMessage;
import org.hyperslab.format.index.dense.DenseAddresses;
import org.hyperslab.format.index.dense.DenseEntry;
import org.hyperslab.format.index.dense.DenseStorage;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.model.GroupInfo;
import org.hyperslab.model.PageRequest;
import org.hyperslab.plugins.nativevol.header.DensePages;
import org.hyperslab.plugins.nativevol.header.ListingCache;
import org.hyperslab.plugins.nativevol.header.ObjectHeaders;

/**
 * Stores links in a fractal heap, indexed by version 2 B-trees. The name index is in the order of
 * hashes, so a listing by name is sorted once and cached until the file is edited.
 */
final class DenseLinks implements LinkStore {

  private final ObjectHeaders headers;
  private final long group;
  private final DenseStorage storage;

  DenseLinks(ObjectHeaders headers, long group, LinkInfoMessage info) {
    this(
        headers,
        group,
        DenseStorage.openLinks(
            headers.space(),
            new DenseAddresses(
                info.heapAddress(), info.nameIndexAddress(), info.creationIndexAddress()),
            new FilteredHeap(headers.file())));
  }

  private DenseLinks(ObjectHeaders headers, long group, DenseStorage storage) {
    this.headers = headers;
    this.group = group;
    this.storage = storage;
  }

  /** Creates storage without links. */
  static DenseLinks create(ObjectHeaders headers, long group, boolean indexed) {
    return new DenseLinks(headers, group, DenseStorage.createLinks(headers.space(), indexed));
  }

  /** Returns the addresses of the storage. */
  DenseAddresses addresses() {
    return storage.addresses();
  }

  @Override
  public GroupInfo.Storage kind() {
    return GroupInfo.Storage.DENSE;
  }

  @Override
  public long count() {
    return storage.size();
  }

  @Override
  public Optional<LinkMessage> find(String name) {
    return storage.find(name).map(this::decode);
  }

  private LinkMessage decode(DenseEntry entry) {
    return LinkMessage.decode(
        new MetadataReader(
            headers.file().geometry(),
            "link message in fractal heap",
            entry.message(),
            CorruptFileException.NO_OFFSET));
  }

  @Override
  public void insert(LinkMessage link) {
    MetadataWriter writer = new MetadataWriter(headers.file().geometry(), 64);
    link.encode(writer);
    storage.insert(link.name(), link.creationIndex().orElse(0), writer.toByteArray());
  }

  @Override
  public void remove(LinkMessage link) {
    storage.remove(link.name());
  }

  @Override
  public List<LinkMessage> list(PageRequest page) {
    var key = new ListingCache.Key(group, ListingCache.Kind.LINKS, page.index());
    return DensePages.page(storage, headers.listings(), key, page).stream()
        .map(this::decode)
        .toList();
  }

  @Override
  public List<LinkMessage> all() {
    List<LinkMessage> links = new ArrayList<>();
    storage.forEach(0, entry -> links.add(decode(entry)));
    return links;
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
