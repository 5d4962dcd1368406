package org.hyperslab.model;

import java.time.Instant;
import java.util.Optional;

/**
 * An object, whatever its kind.
 *
 * @param kind what it is
 * @param token what identifies it in its file
 * @param fileNumber distinguishes open files, so that (fileNumber, token) identifies an object
 *     behind external links too
 * @param referenceCount hard links that lead to it
 * @param attributeCount attributes on it
 * @param modified when its data were last modified, if the file says so; the HDF5 library leaves
 *     that at the time of creation in object headers of version 2, and sets it at changes of
 *     metadata in those of version 1
 * @param comment its comment, if it has one
 * @param creationOrderTracked whether the creation order of its attributes is tracked
 * @param header how its object header is stored, for statistics
 */
public record ObjectInfo(
    ObjectKind kind,
    ObjectToken token,
    long fileNumber,
    long referenceCount,
    long attributeCount,
    Optional<Instant> modified,
    Optional<String> comment,
    boolean creationOrderTracked,
    HeaderInfo header) {

  /**
   * The storage of an object header, counted as by {@code H5Oget_native_info}.
   *
   * @param version 1 or 2; 0 where the connector has no object headers
   * @param flags the status flags of version 2; 0 in version 1
   * @param chunkCount the blocks it is made of
   * @param messageCount messages in it
   * @param totalBytes bytes of all its blocks
   * @param messageBytes bytes of the content of its messages
   * @param freeBytes bytes of its blocks that hold nothing
   * @param presentTypes bit n is set if it has messages of type n
   * @param sharedTypes bit n is set if messages of type n are stored elsewhere
   */
  public record HeaderInfo(
      int version,
      int flags,
      int chunkCount,
      int messageCount,
      long totalBytes,
      long messageBytes,
      long freeBytes,
      long presentTypes,
      long sharedTypes) {

    /** The storage reported by connectors that have no object headers. */
    public static final HeaderInfo NONE = new HeaderInfo(0, 0, 0, 0, 0, 0, 0, 0, 0);
  }
}
