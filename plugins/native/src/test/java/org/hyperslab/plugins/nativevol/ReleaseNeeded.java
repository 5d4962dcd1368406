package org.hyperslab.plugins.nativevol;

import java.nio.file.Path;
import java.util.Map;
import org.hyperslab.format.header.AttributeMessage;
import org.hyperslab.format.header.HeaderMessage;
import org.hyperslab.format.header.Message;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.header.SharedMessage;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.plugins.nativevol.BoundedStructures.Release;
import org.hyperslab.plugins.nativevol.attribute.AttributeStore;
import org.hyperslab.plugins.nativevol.object.FileObjects;
import org.hyperslab.plugins.nativevol.opening.FileLoader;
import org.hyperslab.plugins.nativevol.transfer.TransferResources;

/**
 * Determines the first release of the HDF5 library that supports all versions of superblock, object
 * headers and messages in a file. Source of the table: the versions that each release's {@code
 * H5O*.c} and {@code H5Fsuper_cache.c} decode.
 */
final class ReleaseNeeded {

  /** The newest version that 1.6, 1.8, 1.10, 1.12 and 2.0 know; -1 for none. */
  private static final Map<MessageType, int[]> NEWEST =
      Map.ofEntries(
          Map.entry(MessageType.DATASPACE, new int[] {1, 2, 2, 2, 2}),
          Map.entry(MessageType.LINK_INFO, new int[] {-1, 0, 0, 0, 0}),
          Map.entry(MessageType.DATATYPE, new int[] {2, 3, 3, 4, 5}),
          Map.entry(MessageType.FILL_VALUE, new int[] {2, 3, 3, 3, 3}),
          Map.entry(MessageType.LINK, new int[] {-1, 1, 1, 1, 1}),
          Map.entry(MessageType.EXTERNAL_FILE_LIST, new int[] {1, 1, 1, 1, 1}),
          Map.entry(MessageType.DATA_LAYOUT, new int[] {3, 3, 4, 4, 5}),
          Map.entry(MessageType.GROUP_INFO, new int[] {-1, 0, 0, 0, 0}),
          Map.entry(MessageType.FILTER_PIPELINE, new int[] {1, 2, 2, 2, 2}),
          Map.entry(MessageType.ATTRIBUTE, new int[] {2, 3, 3, 3, 3}),
          Map.entry(MessageType.ATTRIBUTE_INFO, new int[] {-1, 0, 0, 0, 0}),
          Map.entry(MessageType.MODIFICATION_TIME, new int[] {1, 1, 1, 1, 1}),
          Map.entry(MessageType.FILE_SPACE_INFO, new int[] {-1, -1, 1, 1, 1}));

  private ReleaseNeeded() {}

  static Release of(Path path) {
    FileLoader loader = new FileLoader(TransferResources.shared());
    FileObjects objects = loader.open(path.toString(), OpenOptions.READ);
    try {
      Release[] needed = {
        known("superblock", objects.file().superblock().version(), 1, 2, 3, 3, 3)
      };
      objects
          .file()
          .read(() -> {
            objects
                .descriptions()
                .forEachObject((address, kind) ->
                    needed[0] =
                        Release.max(needed[0], of(objects, objects.headers().open(address))));
            long extension = objects.file().superblock().extensionAddress();
            if (extension != FileGeometry.UNDEFINED) {
              needed[0] = Release.max(needed[0], of(objects, objects.headers().open(extension)));
            }
            return null;
          });
      return needed[0];
    } finally {
      loader.release(objects);
    }
  }

  private static Release of(FileObjects objects, ObjectHeader header) {
    Release needed = known("object header", header.version(), 1, 2, 2, 2, 2);
    for (HeaderMessage each : header.messages()) {
      if (each.type().isPresent() && NEWEST.containsKey(each.type().get()) && !each.isShared()) {
        needed = Release.max(needed, of(objects, each.type().get(), each.message()));
      }
    }
    if (objects.attributes().count(header) > 0) {
      for (AttributeStore.Entry entry : objects.attributes().store(header).all()) {
        needed = Release.max(needed, of(objects, MessageType.ATTRIBUTE, entry.message()));
      }
    }
    return needed;
  }

  private static Release of(FileObjects objects, MessageType type, Message message) {
    MetadataWriter writer = new MetadataWriter(objects.file().geometry(), 64);
    message.encode(writer);
    int first = writer.toByteArray()[0] & 0xFF;
    int version = type == MessageType.DATATYPE ? first >> 4 : first;
    Release needed = known(type.structure(), version, NEWEST.get(type));
    if (message instanceof AttributeMessage attribute) {
      for (Message part : new Message[] {attribute.typeMessage(), attribute.spaceMessage()}) {
        MessageType partType = MessageType.of(part.typeCode()).orElseThrow();
        if (!(part instanceof SharedMessage)) {
          needed = Release.max(needed, of(objects, partType, part));
        }
      }
    }
    return needed;
  }

  private static Release known(String structure, int version, int... newest) {
    return Release.first(version, newest)
        .orElseThrow(() -> new AssertionError(structure + " of version " + version));
  }
}
