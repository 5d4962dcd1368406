package org.hyperslab.plugins.nativevol.file;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.hyperslab.error.CorruptFileException;
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
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.metadata.SpaceKind;
import org.hyperslab.format.superblock.DriverInfo;
import org.hyperslab.format.superblock.Superblock;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.SpaceStrategy;
import org.hyperslab.plugins.nativevol.space.Allocator;

/**
 * The superblock extension: the object header in which a superblock of version 2 or 3 stores
 * messages about the whole file.
 *
 * <p>Free space that the file records on disk is read into memory before the first edit, and the
 * message then records that there are no managers, as in a file in which nothing was freed yet. If
 * the managers stayed, the HDF5 library would truncate the file at the end that they record. On
 * closing, the free space is recorded again, after everything else, except in paged files.
 *
 * <p>Thread rule: reads under the file's read lock, edits under its write lock.
 */
public final class SuperblockExtension {

  private static final int FILE_SECTION_CLASSES = 3;
  private static final int METADATA_MANAGER = 0;
  private static final int RAW_DATA_MANAGER = 2;
  private static final int FIRST_LARGE_MANAGER = 6;
  private static final int MANAGERS = 12;

  private final MetadataSpace space;
  private final Allocator allocator;
  private long address;

  /**
   * Creates the extension of a file; nothing is read yet.
   *
   * @param space the file's metadata
   * @param allocator the file's space
   * @param address the address of the extension's header; {@link FileGeometry#UNDEFINED} if there
   *     is none
   */
  SuperblockExtension(MetadataSpace space, Allocator allocator, long address) {
    this.space = space;
    this.allocator = allocator;
    this.address = address;
  }

  /** {@return the address of the header; {@link FileGeometry#UNDEFINED} if there is none} */
  long address() {
    return address;
  }

  private Optional<ObjectHeader> header() {
    return address == FileGeometry.UNDEFINED
        ? Optional.empty()
        : Optional.of(ObjectHeader.open(space, address));
  }

  /**
   * Returns the K values of B-trees: those of the extension, or else those of the superblock.
   *
   * @param superblock the file's superblock, which has the defaults if it stores no values
   * @return the K values
   */
  public BTreeKValuesMessage kValues(Superblock superblock) {
    return header()
        .flatMap(header -> header.find(MessageType.BTREE_K_VALUES, BTreeKValuesMessage.class))
        .orElse(
            new BTreeKValuesMessage(
                superblock.chunkInternalK(), superblock.groupInternalK(), superblock.groupLeafK()));
  }

  /**
   * Returns what the file records about its space. After an edit by a program that does not know
   * the message, that is no longer true, and the HDF5 library takes the defaults (H5Fsuper.c).
   */
  private Optional<FileSpaceInfoMessage> spaceInfo() {
    Optional<ObjectHeader> header = header();
    boolean isStale =
        header
            .flatMap(present -> present.find(MessageType.FILE_SPACE_INFO))
            .filter(message -> (message.flags() & HeaderMessage.WAS_UNKNOWN) != 0)
            .isPresent();
    return isStale
        ? Optional.empty()
        : header.flatMap(
            present -> present.find(MessageType.FILE_SPACE_INFO, FileSpaceInfoMessage.class));
  }

  /** {@return the strategy for managing the file's space} */
  public SpaceStrategy spaceStrategy() {
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

  /** {@return the size of a family's members in bytes, if the extension records it} */
  Optional<Long> familyMemberBytes() {
    return header()
        .flatMap(header -> header.find(MessageType.DRIVER_INFO, DriverInfoMessage.class))
        .map(DriverInfoMessage::info)
        .filter(info -> info.driver().equals(DriverInfo.FAMILY))
        .map(info -> info.familyMemberSize(space.geometry()));
  }

  /** {@return the size of the extension's object header in bytes; 0 if there is none} */
  public long headerBytes() {
    return header().map(header -> header.info().totalBytes()).orElse(0L);
  }

  /**
   * The size of the free-space managers on disk and the free space that they record.
   *
   * @param metadataBytes the size of headers and lists
   * @param freeBytes the sum of all sections
   * @param sections the lengths of the sections in lists that can be read
   */
  public record Managers(long metadataBytes, long freeBytes, List<Long> sections) {}

  /** {@return the sizes of the free-space managers on disk} */
  public Managers managers() {
    long metadataBytes = 0;
    long freeBytes = 0;
    List<Long> sections = new ArrayList<>();
    for (long manager : spaceInfo().map(FileSpaceInfoMessage::managers).orElse(List.of())) {
      if (manager != FileGeometry.UNDEFINED) {
        int[] extraBytes = new int[FILE_SECTION_CLASSES];
        var sizes = FreeSpaceManager.sizes(space, manager, FreeSpaceClient.FILE, extraBytes);
        metadataBytes += sizes.metadataBytes();
        freeBytes += sizes.freeBytes();
        for (FreeSection section : sections(manager)) {
          sections.add(section.sizeBytes());
        }
      }
    }
    return new Managers(metadataBytes, freeBytes, sections);
  }

  /** Returns the sections of a manager; none if its list is damaged. */
  private List<FreeSection> sections(long manager) {
    try {
      return FreeSpaceManager.read(
          space, manager, FreeSpaceClient.FILE, new int[FILE_SECTION_CLASSES]);
    } catch (CorruptFileException damaged) {
      return List.of();
    }
  }

  /**
   * {@return the message that holds the address of the table of shared messages, if the file has
   * one}
   */
  public Optional<SharedMessageTableMessage> sharedMessageTable() {
    return header()
        .flatMap(header ->
            header.find(MessageType.SHARED_MESSAGE_TABLE, SharedMessageTableMessage.class));
  }

  /**
   * Prepares the file before the first edit: reads the free space recorded on disk, and removes the
   * image of a metadata cache. Under the write lock.
   */
  void beforeFirstEdit() {
    removeCacheImage();
    takeOverFreeSpace();
  }

  /**
   * Removes the image of the HDF5 library's cache, whose blocks have been written to their
   * addresses.
   */
  private void removeCacheImage() {
    Optional<ObjectHeader> header = header();
    Optional<HeaderMessage> found =
        header.flatMap(present -> present.find(MessageType.METADATA_CACHE_IMAGE));
    if (found.isEmpty()) {
      return;
    }
    if (found.get().message() instanceof MetadataCacheImageMessage image
        && image.address() != FileGeometry.UNDEFINED) {
      allocator.addFree(SpaceKind.INDEX, image.address(), image.sizeBytes());
    }
    header.get().remove(found.get());
  }

  /** Reads the free space recorded on disk into memory, if there is any. */
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
   * Records the end of allocations in a file that keeps its free space on disk. The HDF5 library
   * takes everything after it for space of the managers, and refuses a file that does not record
   * it. Under the write lock.
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
   * Records the free space on disk, if the file keeps it there. The manager of metadata is placed
   * after everything else, where the HDF5 library expects it: that library frees everything from
   * the end of allocations on before it allocates (H5MF.c, on managers that manage their own
   * space). Under the write lock.
   *
   * @param end the end of allocations
   * @return the end of the file
   */
  long keepFreeSpace(long end) {
    Optional<FileSpaceInfoMessage> found = spaceInfo();
    if (found.isEmpty()) {
      return end;
    }
    FileSpaceInfoMessage info = found.get();
    boolean paged = info.strategy() == FileSpaceInfoMessage.STRATEGY_PAGED;
    if (!info.persistent() || paged || hasManagers(info) || info.managers().size() != MANAGERS) {
      return end;
    }
    List<Long> managers = new ArrayList<>(info.managers());
    allocator.cutFreeEnd();
    List<FreeSection> raw = sections(SpaceKind.RAW_DATA, info.thresholdBytes());
    if (!raw.isEmpty()) {
      managers.set(RAW_DATA_MANAGER, FreeSpaceManager.write(space, client(), raw));
      allocator.cutFreeEnd();
    }
    long allocated = raw.isEmpty() ? end : allocator.endOfFile();
    List<FreeSection> metadata = sections(SpaceKind.INDEX, info.thresholdBytes());
    metadata.removeIf(section -> section.address() + section.sizeBytes() > allocated);
    if (!metadata.isEmpty()) {
      // This manager manages the space in which it would itself be allocated.
      long address = FreeSpaceManager.write(space, client(), metadata, allocator::append);
      managers.set(METADATA_MANAGER, address);
    }
    if (raw.isEmpty() && metadata.isEmpty()) {
      return end;
    }
    replace(info, allocated, managers);
    return metadata.isEmpty() ? allocated : allocator.endOfFile();
  }

  private FreeSpaceClient client() {
    return FreeSpaceManager.fileClient(space.geometry());
  }

  private List<FreeSection> sections(SpaceKind kind, long leastBytes) {
    List<FreeSection> sections = new ArrayList<>();
    allocator.forEachFree(
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
      sections = FreeSpaceManager.read(space, address, FreeSpaceClient.FILE, extraBytes);
      FreeSpaceManager.delete(space, address, FreeSpaceClient.FILE, extraBytes);
    } catch (CorruptFileException unreadable) {
      return; // its free space is lost, which is harmless
    }
    for (FreeSection section : sections) {
      allocator.addFree(kind, section.address(), section.sizeBytes());
    }
  }

  /**
   * Creates the extension of a new file if its options need one. Under the write lock.
   *
   * @param options the options for creating the file
   * @param superblockVersion the version of its superblock; versions before 2 store K values
   *     themselves
   * @param familyMemberBytes the size of members, if the file is a family
   */
  void create(CreateOptions options, int superblockVersion, Optional<Long> familyMemberBytes) {
    List<NewMessage> messages = new ArrayList<>();
    SpaceStrategy strategy = options.space();
    if (!strategy.equals(SpaceStrategy.DEFAULT)) {
      messages.add(NewMessage.of(message(strategy)));
    }
    if (superblockVersion >= 2) {
      familyMemberBytes
          .map(bytes -> new DriverInfoMessage(DriverInfo.family(space.geometry(), bytes)))
          .ifPresent(driver -> messages.add(NewMessage.of(driver)));
    }
    boolean plainK =
        options.symbolLeafK() == Superblock.DEFAULT_GROUP_LEAF_K
            && options.symbolInternalK() == Superblock.DEFAULT_GROUP_INTERNAL_K
            && options.chunkInternalK() == Superblock.DEFAULT_CHUNK_INTERNAL_K;
    if (!plainK && superblockVersion >= 2) {
      messages.add(
          NewMessage.of(
              new BTreeKValuesMessage(
                  options.chunkInternalK(), options.symbolInternalK(), options.symbolLeafK())));
    }
    if (!messages.isEmpty()) {
      address = ObjectHeader.create(space, HeaderOptions.version(2), messages).address();
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
