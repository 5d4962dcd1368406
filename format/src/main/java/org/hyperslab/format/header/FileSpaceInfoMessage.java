package org.hyperslab.format.header;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;

/**
 * The file space info message, which describes how file space is managed; in the superblock
 * extension.
 *
 * <pre>
 *   version 0                             version 1
 *   1  version                            1  version
 *   1  strategy, 1 to 4                   1  strategy, 0 to 3
 *   L  threshold                          1  whether free space persists
 *   O  6 free-space managers              L  threshold
 *      (strategy 1 only)                  L  page size
 *                                         2  page end metadata threshold
 *                                         O  end of allocation before the managers' own space
 *                                         O  12 free-space managers (if persisting)
 * </pre>
 *
 * <p>Source: HDF5 File Format Specification, IV.A.2.x; reference {@code H5Ofsinfo.c}.
 *
 * @param version 0 or 1
 * @param strategy the number in the file. Version 0: 1 all with persistent free space, 2 all, 3
 *     aggregators, 4 none; version 1: 0 managers and aggregators, 1 paged, 2 aggregators, 3 none
 * @param persistent whether free space is written to the file
 * @param thresholdBytes the size of the smallest free section that is tracked
 * @param pageSizeBytes the page size of strategy "paged"; 4,096 in version 0
 * @param pageEndThreshold the least free space at the end of a metadata page that is tracked, in
 *     bytes
 * @param endBeforeManagers the end of allocated space before the managers' own space
 * @param managers the addresses of the free-space managers; empty unless persistent
 */
public record FileSpaceInfoMessage(
    int version,
    int strategy,
    boolean persistent,
    long thresholdBytes,
    long pageSizeBytes,
    int pageEndThreshold,
    long endBeforeManagers,
    List<Long> managers)
    implements Message {

  /** Version 1: free-space managers, then aggregators. */
  public static final int STRATEGY_MANAGERS = 0;

  /** Version 1: pages. */
  public static final int STRATEGY_PAGED = 1;

  /** Version 1: aggregators only. */
  public static final int STRATEGY_AGGREGATORS = 2;

  /** Version 1: free space is not tracked. */
  public static final int STRATEGY_NONE = 3;

  private static final int OLD_ALL_PERSISTENT = 1;
  private static final int OLD_MANAGERS = 6;
  private static final int MANAGERS = 12;
  private static final long DEFAULT_PAGE_SIZE = 4096;
  private static final int MINIMUM_PAGE_SIZE = 512;
  private static final long MAXIMUM_PAGE_SIZE = 1L << 30;

  /** Copies the list. */
  public FileSpaceInfoMessage {
    managers = List.copyOf(managers);
  }

  @Override
  public int typeCode() {
    return MessageType.FILE_SPACE_INFO.code();
  }

  /**
   * Decodes the payload.
   *
   * @param reader reads the bytes, from its position
   * @return the message
   */
  public static FileSpaceInfoMessage decode(MetadataReader reader) {
    int version = reader.u8();
    return switch (version) {
      case 0 -> hasNewLayout(reader) ? decodeNew(reader) : decodeOld(reader);
      case 1 -> decodeNew(reader);
      default ->
          throw new UnsupportedFeatureException(
              "file space info message version: actual="
                  + version
                  + ", expected=0 or 1, at="
                  + reader.geometry().file());
    };
  }

  /**
   * Returns whether a message of version 0 has the fields of version 1, as development releases of
   * 1.10 wrote it.
   */
  private static boolean hasNewLayout(MetadataReader reader) {
    int fixed = 4 + 2 * reader.geometry().sizeOfLengths() + reader.geometry().sizeOfOffsets();
    int padding = reader.remaining() - fixed;
    int paddingAfterManagers = padding - MANAGERS * reader.geometry().sizeOfOffsets();
    return (padding >= 0 && padding < 8) || (paddingAfterManagers >= 0 && paddingAfterManagers < 8);
  }

  private static FileSpaceInfoMessage decodeOld(MetadataReader reader) {
    int strategy = reader.u8();
    if (strategy < 1 || strategy > 4) {
      throw reader.corrupt("strategy actual=" + strategy + ", expected=1..4");
    }
    long threshold = reader.length();
    boolean persistent = strategy == OLD_ALL_PERSISTENT;
    List<Long> managers = persistent ? addresses(reader, OLD_MANAGERS) : List.of();
    return new FileSpaceInfoMessage(
        0, strategy, persistent, threshold, DEFAULT_PAGE_SIZE, 0, FileGeometry.UNDEFINED, managers);
  }

  private static FileSpaceInfoMessage decodeNew(MetadataReader reader) {
    int strategy = reader.u8();
    if (strategy > STRATEGY_NONE) {
      throw reader.corrupt("strategy actual=" + strategy + ", expected=0..3");
    }
    boolean persistent = reader.u8() != 0;
    long threshold = reader.length();
    long page = reader.length();
    if (strategy == STRATEGY_PAGED && (page < MINIMUM_PAGE_SIZE || page > MAXIMUM_PAGE_SIZE)) {
      throw reader.corrupt("page size actual=" + page + ", expected=512..1073741824");
    }
    int pageEnd = reader.u16();
    long end = reader.offset();
    List<Long> managers = persistent ? addresses(reader, MANAGERS) : List.of();
    return new FileSpaceInfoMessage(
        1, strategy, persistent, threshold, page, pageEnd, end, managers);
  }

  private static List<Long> addresses(MetadataReader reader, int count) {
    List<Long> addresses = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      addresses.add(reader.offset());
    }
    return addresses;
  }

  @Override
  public void encode(MetadataWriter writer) {
    writer.u8(version).u8(strategy);
    if (version == 0) {
      writer.length(thresholdBytes);
    } else {
      writer.u8(persistent ? 1 : 0).length(thresholdBytes).length(pageSizeBytes);
      writer.u16(pageEndThreshold).offset(endBeforeManagers);
    }
    for (long address : managers) {
      writer.offset(address);
    }
  }
}
