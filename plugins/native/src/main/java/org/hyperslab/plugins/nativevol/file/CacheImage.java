package org.hyperslab.plugins.nativevol.file;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.MetadataCacheImage;
import org.hyperslab.format.header.MetadataCacheImageMessage;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.store.ByteStore;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.nativevol.store.OverlayStore;

/**
 * The metadata cache image with which the HDF5 library closed a file. The blocks of the image
 * replace the bytes at their addresses in the file.
 *
 * <p>A file opened for reading is read through the image. In a file opened for editing the blocks
 * are first written to their addresses, which does not affect readers that still use the image; the
 * first edit removes the message that refers to it.
 */
final class CacheImage {

  /**
   * The property of {@link OpenOptions} that makes the opening of a file for editing its first
   * edit.
   */
  static final String REMOVE = "removeCacheImage";

  private static final String STRUCTURE = "metadata cache image";
  private static final long LARGEST_BYTES = 1L << 30;

  private final MetadataCacheImage image;
  private final long baseAddress;

  private CacheImage(MetadataCacheImage image, long baseAddress) {
    this.image = image;
    this.baseAddress = baseAddress;
  }

  /** Returns whether the image of a file is removed although nothing else is edited. */
  static boolean isRemovedAtOnce(OpenOptions options) {
    return options.writable() && Boolean.parseBoolean(options.properties().get(REMOVE));
  }

  /**
   * Returns the image of a file, if it has one.
   *
   * @throws CorruptFileException if the extension names one that cannot be decoded
   */
  static Optional<CacheImage> find(NativeFile file, ByteStore store) {
    long extension = file.superblock().extensionAddress();
    if (extension == FileGeometry.UNDEFINED) {
      return Optional.empty();
    }
    MetadataSpace space = file.metadata();
    return ObjectHeader.open(space, extension)
        .find(MessageType.METADATA_CACHE_IMAGE, MetadataCacheImageMessage.class)
        .filter(message -> message.address() != FileGeometry.UNDEFINED)
        .map(message -> read(file, store, message));
  }

  private static CacheImage read(
      NativeFile file, ByteStore store, MetadataCacheImageMessage message) {
    long size = message.sizeBytes();
    long end = store.size() - file.baseAddress();
    if (size < 1 || size > LARGEST_BYTES || size > end || message.address() > end - size) {
      throw new CorruptFileException(
          store.name(),
          STRUCTURE,
          message.address(),
          "size actual=" + size + ", expected=within the file of " + end + " bytes");
    }
    byte[] bytes = new byte[(int) size];
    store.read(file.baseAddress() + message.address(), MemorySegment.ofArray(bytes));
    MetadataReader reader =
        new MetadataReader(file.geometry(), STRUCTURE, bytes, message.address());
    CacheImage found = new CacheImage(MetadataCacheImage.decode(reader), file.baseAddress());
    found.requireWithin(store, end);
    return found;
  }

  private void requireWithin(ByteStore store, long end) {
    for (MetadataCacheImage.Entry entry : image.entries()) {
      if (entry.address() > end - entry.content().size()) {
        throw new CorruptFileException(
            store.name(),
            STRUCTURE,
            entry.address(),
            "block of " + entry.content().size() + " bytes, expected=within " + end + " bytes");
      }
    }
  }

  /** Returns a view of the store with the blocks at their addresses. */
  ByteStore complete(ByteStore store) {
    if (!store.readOnly()) {
      for (MetadataCacheImage.Entry entry : image.entries()) {
        store.write(
            baseAddress + entry.address(), MemorySegment.ofArray(entry.content().toByteArray()));
      }
      return store;
    }
    Map<Long, byte[]> patches = new HashMap<>();
    for (MetadataCacheImage.Entry entry : image.entries()) {
      patches.put(baseAddress + entry.address(), entry.content().toByteArray());
    }
    return new OverlayStore(store, patches, store.size());
  }
}
