package org.hyperslab.format.freespace;

import java.util.List;
import java.util.function.LongUnaryOperator;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.MetadataSpace;
import org.hyperslab.format.metadata.SpaceKind;

/**
 * Reads, writes and deletes a free-space manager as a whole: its header and its list of sections. A
 * manager is not edited in place; its owner keeps the sections in memory and writes a new manager.
 *
 * <p>Thread rule: {@link #read} in any number of threads; all other methods under the file's write
 * lock.
 */
public final class FreeSpaceManager {

  /**
   * The number of section classes of a file's managers: simple, small and large ones of paged
   * files.
   */
  private static final int FILE_CLASSES = 3;

  private FreeSpaceManager() {}

  /**
   * {@return the parameters of a file's managers as the C library writes them}
   *
   * @param geometry the file's sizes
   */
  public static FreeSpaceClient fileClient(FileGeometry geometry) {
    int bits = Math.min(63, 8 * geometry.sizeOfOffsets());
    long largest = bits == 63 ? Long.MAX_VALUE : (1L << bits) - 1;
    return new FreeSpaceClient(FreeSpaceClient.FILE, new int[FILE_CLASSES], 80, 120, bits, largest);
  }

  /**
   * {@return the sections that a manager stores}
   *
   * @param space the metadata of the file
   * @param address the address of the manager's header
   * @param clientId the required client: {@link FreeSpaceClient#FRACTAL_HEAP} or {@link
   *     FreeSpaceClient#FILE}
   * @param extraBytes the number of bytes stored with a section, by section class
   * @throws CorruptFileException if it is not such a manager
   */
  public static List<FreeSection> read(
      MetadataSpace space, long address, int clientId, int[] extraBytes) {
    FreeSpaceHeader header = header(space, address, clientId, extraBytes);
    if (header.stored() == 0) {
      return List.of();
    }
    if (header.listBytes() > Integer.MAX_VALUE - 16 || header.stored() > header.listBytes()) {
      throw new CorruptFileException(
          space.geometry().file(),
          FreeSpaceHeader.STRUCTURE,
          address,
          header.stored() + " sections in " + header.listBytes() + " bytes");
    }
    return space
        .load(
            header.listAddress(),
            header.listBytes(),
            FreeSectionList.STRUCTURE,
            FreeSectionList.class,
            reader -> FreeSectionList.decode(reader, address, header))
        .sections();
  }

  /**
   * The size of a manager in the file, computed as in the C library, and the free space that it
   * records.
   *
   * @param metadataBytes the size of header and list
   * @param freeBytes the sum of all sections
   */
  public record Sizes(long metadataBytes, long freeBytes) {}

  /**
   * {@return the sizes of a manager, without reading its list}
   *
   * @param space the metadata of the file
   * @param address the address, relative to the file's base address
   * @param clientId the ID of the client
   * @param extraBytes the bytes that the client adds to a section, by type of section
   * @throws CorruptFileException if it is not such a manager
   */
  public static Sizes sizes(MetadataSpace space, long address, int clientId, int[] extraBytes) {
    FreeSpaceHeader header = header(space, address, clientId, extraBytes);
    long list = header.stored() > 0 ? header.allocatedBytes() : header.listBytes();
    return new Sizes(header.encodedSize() + list, header.totalBytes());
  }

  private static FreeSpaceHeader header(
      MetadataSpace space, long address, int clientId, int[] extraBytes) {
    return space.load(
        address,
        FreeSpaceHeader.encodedBytes(space.geometry()),
        FreeSpaceHeader.STRUCTURE,
        FreeSpaceHeader.class,
        reader -> FreeSpaceHeader.decode(reader, clientId, extraBytes));
  }

  /**
   * Frees the space of a manager's header and list.
   *
   * @param space the metadata of the file
   * @param address the address, relative to the file's base address
   * @param clientId the ID of the client
   * @param extraBytes the bytes that the client adds to a section, by type of section
   */
  public static void delete(MetadataSpace space, long address, int clientId, int[] extraBytes) {
    FreeSpaceHeader header = header(space, address, clientId, extraBytes);
    if (header.listAddress() != FileGeometry.UNDEFINED) {
      space.discard(header.listAddress());
      space.free(SpaceKind.INDEX, header.listAddress(), header.allocatedBytes());
    }
    space.discard(address);
    space.free(SpaceKind.INDEX, address, header.encodedSize());
  }

  /**
   * Writes a new manager, all of whose sections are stored.
   *
   * @param space the metadata of the file
   * @param client the client whose free space it records
   * @param sections the free sections
   * @return the address of its header
   */
  public static long write(
      MetadataSpace space, FreeSpaceClient client, List<FreeSection> sections) {
    return write(space, client, sections, 0, total(sections));
  }

  private static long total(List<FreeSection> sections) {
    long total = 0;
    for (FreeSection section : sections) {
      total += section.sizeBytes();
    }
    return total;
  }

  /**
   * Writes a new manager, all of whose sections are stored, to space that the caller allocates.
   *
   * @param space the metadata of the file
   * @param client the client whose free space it records
   * @param sections the free sections
   * @param places allocates space of a given size in bytes and returns its address
   * @return the address of its header
   */
  public static long write(
      MetadataSpace space,
      FreeSpaceClient client,
      List<FreeSection> sections,
      LongUnaryOperator places) {
    return write(space, client, new Contents(sections, 0, total(sections)), places);
  }

  private record Contents(List<FreeSection> sections, long ghosts, long totalBytes) {}

  /**
   * Writes a new manager.
   *
   * @param space the metadata of the file
   * @param client the client whose free space it records
   * @param sections the free sections
   * @param ghosts the number of sections that a reader derives from the stored ones
   * @param totalBytes the total size of stored and derived sections in bytes
   * @return the address of its header
   */
  public static long write(
      MetadataSpace space,
      FreeSpaceClient client,
      List<FreeSection> sections,
      long ghosts,
      long totalBytes) {
    return write(
        space,
        client,
        new Contents(sections, ghosts, totalBytes),
        bytes -> space.allocate(SpaceKind.INDEX, bytes));
  }

  private static long write(
      MetadataSpace space, FreeSpaceClient client, Contents contents, LongUnaryOperator places) {
    List<FreeSection> sections = contents.sections;
    FileGeometry geometry = space.geometry();
    long address = places.applyAsLong(FreeSpaceHeader.encodedBytes(geometry));
    FreeSectionList list = new FreeSectionList(geometry, client, address, List.copyOf(sections));
    long listAddress = FileGeometry.UNDEFINED;
    long listBytes = 0;
    if (!sections.isEmpty()) {
      listBytes = list.encodedSize();
      listAddress = places.applyAsLong(listBytes);
      space.insert(listAddress, list);
    }
    int count = sections.size();
    space.insert(
        address,
        new FreeSpaceHeader(
            client,
            client.extraBytes().length,
            contents.totalBytes,
            count + contents.ghosts,
            count,
            contents.ghosts,
            listAddress,
            listBytes,
            listBytes,
            geometry));
    return address;
  }
}
