package org.hyperslab.plugins.nativevol.object;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.freespace.FreeSection;
import org.hyperslab.format.freespace.FreeSpaceClient;
import org.hyperslab.format.freespace.FreeSpaceManager;
import org.hyperslab.format.header.BTreeKValuesMessage;
import org.hyperslab.format.header.DriverInfoMessage;
import org.hyperslab.format.header.FileSpaceInfoMessage;
import org.hyperslab.format.header.HeaderMessage;
import org.hyperslab.format.header.HeaderOptions;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.MetadataCacheImageMessage;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.header.ObjectHeader.NewMessage;
import org.hyperslab.format.header.SharedMessageTableMessage;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.SpaceKind;
import org.hyperslab.format.shared.SharedMessages;
import org.hyperslab.format.superblock.DriverInfo;
import org.hyperslab.format.superblock.Superblock;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.SpaceStrategy;
import org.hyperslab.plugins.nativevol.file.NativeFile;

/**
 * What a superblock of version 2 or 3 says of the whole file in an object header of its own.
 *
 * <p>Free space that the file keeps on disk is taken over into memory before the first edit, and
 * the message then says that there are no managers: so does a file in which nothing was freed yet.
 * Managers left as they are would make the HDF5 library cut the file where they think it ends. On
 * closing, what is free is written down again, behind everything else; not in paged files.
 *
 * <p>Thread rule: as {@link FileObjects}.
 */
final class SuperblockExtension {

  private static final int FILE_SECTION_CLASSES = 3;
  private static final int METADATA_MANAGER = 0;
  private static final int RAW_DATA_MANAGER = 2;
  private static final int FIRST_LARGE_MANAGER = 6;
  private static final int MANAGERS = 12;

  private final NativeFile file;

  SuperblockExtension(NativeFile file) {
    this.file = file;
  }

  private Optional<ObjectHeader> header() {
    long address = file.superblock().extensionAddress();
    return address == FileGeometry.UNDEFINED
        ? Optional.empty()
        : Optional.of(ObjectHeader.open(file.metadata(), address));
  }

  /** The K values: those of the extension, of the superblock, or the defaults. */
  BTreeKValuesMessage kValues() {
    Superblock superblock = file.superblock();
    return header()
        .flatMap(header -> header.find(MessageType.BTREE_K_VALUES, BTreeKValuesMessage.class))
        .orElse(
            new BTreeKValuesMessage(
                superblock.chunkInternalK(), superblock.groupInternalK(), superblock.groupLeafK()));
  }

  private Optional<FileSpaceInfoMessage> spaceInfo() {
    return header()
        .flatMap(header -> header.find(MessageType.FILE_SPACE_INFO, FileSpaceInfoMessage.class));
  }

  /** How file space is managed. */
  SpaceStrategy space() {
    return spaceInfo().map(SuperblockExtension::strategy).orElse(SpaceStrategy.DEFAULT);
  }

  private static SpaceStrategy strategy(FileSpaceInfoMessage info) {
    SpaceStrategy.Kind kind =
        info.version() == 1
            ? modernKind(info.strategy())
            : switch (info.strategy()) {
              case 3 -> SpaceStrategy.Kind.AGGREGATION;
              case 4 -> SpaceStrategy.Kind.NONE;
              default -> SpaceStrategy.Kind.FREE_SPACE;
            };
    return new SpaceStrategy(kind, info.persistent(), info.thresholdBytes(), info.pageSizeBytes());
  }

  private static SpaceStrategy.Kind modernKind(int strategy) {
    return switch (strategy) {
      case FileSpaceInfoMessage.STRATEGY_PAGED -> SpaceStrategy.Kind.PAGE;
      case FileSpaceInfoMessage.STRATEGY_AGGREGATORS -> SpaceStrategy.Kind.AGGREGATION;
      case FileSpaceInfoMessage.STRATEGY_NONE -> SpaceStrategy.Kind.NONE;
      default -> SpaceStrategy.Kind.FREE_SPACE;
    };
  }

  /**
   * Requires the members of a family to have the size that its driver information tells. One member
   * that is not full can be read with another size, but not added to.
   *
   * @throws InvalidUseException if they have another one
   */
  void checkFamily() {
    long used = file.familyMemberBytes().orElse(0L);
    long stored =
        header()
            .flatMap(header -> header.find(MessageType.DRIVER_INFO, DriverInfoMessage.class))
            .map(DriverInfoMessage::info)
            .filter(info -> info.driver().equals(DriverInfo.FAMILY))
            .map(info -> info.familyMemberSize(file.geometry()))
            .orElse(used);
    boolean matters = file.writable() || file.superblock().endOfFile() > used;
    if (used > 0 && used != stored && matters) {
      throw new InvalidUseException(
          "size of a family's members: actual="
              + used
              + " bytes, expected="
              + stored
              + ", at="
              + file.name()
              + "; open it with the property family.memberBytes="
              + stored);
    }
  }

  /** Bytes of the extension's object header; 0 if there is none. */
  long headerBytes() {
    return header().map(header -> header.info().totalBytes()).orElse(0L);
  }

  /**
   * What the free-space managers on disk take, and what they say is free.
   *
   * @param metadataBytes headers and lists
   * @param freeBytes the sum of all sections
   */
  record Managers(long metadataBytes, long freeBytes) {}

  /** The free-space managers on disk. */
  Managers managers() {
    long metadataBytes = 0;
    long freeBytes = 0;
    for (long manager : spaceInfo().map(FileSpaceInfoMessage::managers).orElse(List.of())) {
      if (manager != FileGeometry.UNDEFINED) {
        int[] extraBytes = new int[FILE_SECTION_CLASSES];
        var sizes =
            FreeSpaceManager.sizes(file.metadata(), manager, FreeSpaceClient.FILE, extraBytes);
        metadataBytes += sizes.metadataBytes();
        freeBytes += sizes.freeBytes();
      }
    }
    return new Managers(metadataBytes, freeBytes);
  }

  /** The table of shared messages. */
  SharedHeap sharedMessages() {
    Optional<SharedMessages> table =
        header()
            .flatMap(header ->
                header.find(MessageType.SHARED_MESSAGE_TABLE, SharedMessageTableMessage.class))
            .map(found ->
                SharedMessages.open(
                    file.metadata(),
                    found.tableAddress(),
                    found.indexCount(),
                    new IndexedInHeaders(file.metadata())));
    return new SharedHeap(file, table);
  }

  /** What has to happen before anything else is edited. Under the write lock. */
  void beforeFirstEdit() {
    removeCacheImage();
    takeOverFreeSpace();
  }

  /** Removes the image of another library's cache, whose blocks are in their places by now. */
  private void removeCacheImage() {
    Optional<ObjectHeader> header = header();
    Optional<HeaderMessage> found =
        header.flatMap(present -> present.find(MessageType.METADATA_CACHE_IMAGE));
    if (found.isEmpty()) {
      return;
    }
    if (found.get().message() instanceof MetadataCacheImageMessage image
        && image.address() != FileGeometry.UNDEFINED) {
      file.addFreeSpace(SpaceKind.INDEX, image.address(), image.sizeBytes());
    }
    header.get().remove(found.get());
  }

  /** Takes over the free space on disk, if there is any. */
  private void takeOverFreeSpace() {
    Optional<FileSpaceInfoMessage> info = spaceInfo();
    if (info.isEmpty() || !hasManagers(info.get())) {
      return;
    }
    List<Long> managers = info.get().managers();
    for (int i = 0; i < managers.size(); i++) {
      if (managers.get(i) != FileGeometry.UNDEFINED) {
        takeOver(managers.get(i), kind(i));
      }
    }
    List<Long> none = Collections.nCopies(managers.size(), FileGeometry.UNDEFINED);
    replace(info.get(), FileGeometry.UNDEFINED, none);
  }

  /**
   * Notes where allocations end in a file that keeps its free space: the HDF5 library takes what is
   * behind that for space of the managers, and refuses a file that does not say. Under the write
   * lock.
   */
  void beforeEndIsWritten(long end) {
    Optional<FileSpaceInfoMessage> info = spaceInfo();
    boolean kept = info.isPresent() && hasManagers(info.get());
    if (info.isPresent()
        && !kept
        && info.get().persistent()
        && info.get().endBeforeManagers() != end) {
      replace(info.get(), end, info.get().managers());
    }
  }

  private static boolean hasManagers(FileSpaceInfoMessage info) {
    return info.managers().stream().anyMatch(each -> each != FileGeometry.UNDEFINED);
  }

  /**
   * Writes down what is free, if the file keeps that. The manager of metadata stands behind
   * everything else, where the HDF5 library expects it: it gives back all from the end of
   * allocations on before it allocates (H5MF.c, on managers that manage their own space). Under the
   * write lock.
   *
   * @return where the file ends
   */
  long keepFreeSpace(long end) {
    Optional<FileSpaceInfoMessage> found = spaceInfo();
    if (found.isEmpty() || file.publishes()) {
      return end;
    }
    FileSpaceInfoMessage info = found.get();
    boolean paged = info.strategy() == FileSpaceInfoMessage.STRATEGY_PAGED;
    if (!info.persistent() || paged || hasManagers(info) || info.managers().size() != MANAGERS) {
      return end;
    }
    List<Long> managers = new ArrayList<>(info.managers());
    file.cutFreeEnd();
    List<FreeSection> raw = sections(SpaceKind.RAW_DATA, info.thresholdBytes());
    if (!raw.isEmpty()) {
      managers.set(RAW_DATA_MANAGER, FreeSpaceManager.write(file.metadata(), client(), raw));
      file.cutFreeEnd();
    }
    long allocated = raw.isEmpty() ? end : file.endOfAllocations();
    List<FreeSection> metadata = sections(SpaceKind.INDEX, info.thresholdBytes());
    metadata.removeIf(section -> section.address() + section.sizeBytes() > allocated);
    if (!metadata.isEmpty()) {
      // This one manages the space in which it would itself be allocated.
      long address =
          FreeSpaceManager.write(file.metadata(), client(), metadata, file::appendedSpace);
      managers.set(METADATA_MANAGER, address);
    }
    if (raw.isEmpty() && metadata.isEmpty()) {
      return end;
    }
    replace(info, allocated, managers);
    return metadata.isEmpty() ? allocated : file.endOfAllocations();
  }

  private FreeSpaceClient client() {
    return FreeSpaceManager.fileClient(file.geometry());
  }

  private List<FreeSection> sections(SpaceKind kind, long leastBytes) {
    List<FreeSection> sections = new ArrayList<>();
    file.forEachFree(
        kind,
        Long.MAX_VALUE,
        (start, endExclusive) -> {
          if (endExclusive - start >= leastBytes) {
            sections.add(FreeSection.plain(start, endExclusive - start, 0));
          }
        });
    return sections;
  }

  private void replace(FileSpaceInfoMessage old, long endBeforeManagers, List<Long> managers) {
    ObjectHeader header = header().orElseThrow();
    header.replace(
        header.find(MessageType.FILE_SPACE_INFO).orElseThrow(),
        new FileSpaceInfoMessage(
            old.version(),
            old.strategy(),
            old.persistent(),
            old.thresholdBytes(),
            old.pageSizeBytes(),
            old.pageEndThreshold(),
            endBeforeManagers,
            managers));
  }

  private static SpaceKind kind(int manager) {
    return manager == RAW_DATA_MANAGER || manager >= FIRST_LARGE_MANAGER
        ? SpaceKind.RAW_DATA
        : SpaceKind.INDEX;
  }

  private void takeOver(long address, SpaceKind kind) {
    int[] extraBytes = new int[FILE_SECTION_CLASSES];
    List<FreeSection> sections;
    try {
      sections = FreeSpaceManager.read(file.metadata(), address, FreeSpaceClient.FILE, extraBytes);
      FreeSpaceManager.delete(file.metadata(), address, FreeSpaceClient.FILE, extraBytes);
    } catch (CorruptFileException unreadable) {
      return; // its free space is lost, which does no harm
    }
    for (FreeSection section : sections) {
      file.addFreeSpace(kind, section.address(), section.sizeBytes());
    }
  }

  /** Makes the extension of a new file if its options need one. Under the write lock. */
  void create(CreateOptions options) {
    List<NewMessage> messages = new ArrayList<>();
    SpaceStrategy space = options.space();
    if (!space.equals(SpaceStrategy.DEFAULT)) {
      messages.add(NewMessage.of(message(space)));
    }
    file.familyMemberBytes()
        .filter(_ -> file.superblock().version() >= 2)
        .map(bytes -> new DriverInfoMessage(DriverInfo.family(file.geometry(), bytes)))
        .ifPresent(driver -> messages.add(NewMessage.of(driver)));
    boolean plainK =
        options.symbolLeafK() == Superblock.DEFAULT_GROUP_LEAF_K
            && options.symbolInternalK() == Superblock.DEFAULT_GROUP_INTERNAL_K
            && options.chunkInternalK() == Superblock.DEFAULT_CHUNK_INTERNAL_K;
    if (!plainK && file.superblock().version() >= 2) {
      messages.add(
          NewMessage.of(
              new BTreeKValuesMessage(
                  options.chunkInternalK(), options.symbolInternalK(), options.symbolLeafK())));
    }
    if (!messages.isEmpty()) {
      ObjectHeader header =
          ObjectHeader.create(file.metadata(), HeaderOptions.version(2), messages);
      file.setExtension(header.address());
    }
  }

  private static FileSpaceInfoMessage message(SpaceStrategy space) {
    List<Long> managers =
        space.persist() ? Collections.nCopies(MANAGERS, FileGeometry.UNDEFINED) : List.of();
    return new FileSpaceInfoMessage(
        1,
        switch (space.kind()) {
          case FREE_SPACE -> FileSpaceInfoMessage.STRATEGY_MANAGERS;
          case PAGE -> FileSpaceInfoMessage.STRATEGY_PAGED;
          case AGGREGATION -> FileSpaceInfoMessage.STRATEGY_AGGREGATORS;
          case NONE -> FileSpaceInfoMessage.STRATEGY_NONE;
        },
        space.persist(),
        space.thresholdBytes(),
        space.pageBytes(),
        0,
        FileGeometry.UNDEFINED,
        managers);
  }
}
