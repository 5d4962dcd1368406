package org.hyperslab.plugins.nativevol.object;

import org.hyperslab.format.header.DataLayoutMessage;
import org.hyperslab.format.header.DatatypeMessage;
import org.hyperslab.format.header.ExternalFileListMessage;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.heap.GlobalHeapId;
import org.hyperslab.format.heap.LocalHeap;
import org.hyperslab.format.index.shared.SharedMessages;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.model.ObjectKind;
import org.hyperslab.model.StorageSizes;
import org.hyperslab.plugins.nativevol.attribute.AttributeStore;
import org.hyperslab.plugins.nativevol.attribute.Attributes;
import org.hyperslab.plugins.nativevol.file.SuperblockExtension;
import org.hyperslab.plugins.nativevol.group.Groups;
import org.hyperslab.plugins.nativevol.group.LinkStore;
import org.hyperslab.plugins.nativevol.header.ObjectHeaders;

/**
 * Measures the size of objects' metadata in one file.
 *
 * <p>Thread rule: as {@link ObjectHeaders}.
 */
public final class MetadataSizes {

  private final ObjectHeaders headers;
  private final Groups groups;
  private final Attributes attributes;

  MetadataSizes(ObjectHeaders headers, Groups groups, Attributes attributes) {
    this.headers = headers;
    this.groups = groups;
    this.attributes = attributes;
  }

  /**
   * {@return the sizes of an object, including those of the file for the root group}
   *
   * @param address the address of the object's header, bytes from the file's base address
   * @throws org.hyperslab.error.CorruptFileException if an index or heap cannot be walked
   */
  public StorageSizes of(long address) {
    ObjectHeader header = headers.open(address);
    AttributeStore stored = attributes.store(header);
    long index = 0;
    long heap;
    if (headers.kind(header) == ObjectKind.GROUP) {
      LinkStore links = groups.links(address);
      index = links.indexBytes();
      heap = links.heapBytes();
    } else {
      heap = externalHeap(header) + mappings(header);
    }
    return new StorageSizes(
        index,
        heap,
        type(header),
        stored.indexBytes(),
        stored.heapBytes(),
        address == headers.root() ? file() : StorageSizes.File.NONE);
  }

  private long externalHeap(ObjectHeader header) {
    return header
        .find(MessageType.EXTERNAL_FILE_LIST, ExternalFileListMessage.class)
        .map(list -> LocalHeap.open(headers.space(), list.heapAddress()).totalBytes())
        .orElse(0L);
  }

  private long mappings(ObjectHeader header) {
    return header
        .find(MessageType.DATA_LAYOUT, DataLayoutMessage.class)
        .map(message -> message.layout())
        .filter(layout -> layout instanceof DataLayoutMessage.Virtual)
        .map(layout -> mappings((DataLayoutMessage.Virtual) layout))
        .orElse(0L);
  }

  private long mappings(DataLayoutMessage.Virtual layout) {
    if (layout.heapAddress() == FileGeometry.UNDEFINED) {
      return 0;
    }
    GlobalHeapId id = new GlobalHeapId(layout.heapAddress(), (int) layout.heapIndex());
    return headers.heap().heap().content(id).byteSize();
  }

  private long type(ObjectHeader header) {
    return header
        .find(MessageType.DATATYPE, DatatypeMessage.class, headers)
        .map(message -> {
          MetadataWriter encoded = new MetadataWriter(headers.space().geometry(), 64);
          message.encode(encoded);
          return (long) encoded.position();
        })
        .orElse(0L);
  }

  private StorageSizes.File file() {
    SuperblockExtension extension = headers.file().extension();
    var shared = headers.shared().table();
    SuperblockExtension.Managers managers = extension.managers();
    return new StorageSizes.File(
        extension.headerBytes(),
        shared.map(SharedMessages::headerBytes).orElse(0L),
        shared.map(SharedMessages::indexBytes).orElse(0L),
        shared.map(SharedMessages::heapBytes).orElse(0L),
        managers.metadataBytes(),
        managers.freeBytes(),
        managers.sections());
  }
}
