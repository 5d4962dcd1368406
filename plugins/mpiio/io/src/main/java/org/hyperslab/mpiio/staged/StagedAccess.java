package org.hyperslab.mpiio.staged;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.hyperslab.mpiio.access.ExtentList;
import org.hyperslab.mpiio.access.MemoryExtents;
import org.hyperslab.mpiio.file.AccessStatus;

/**
 * An access whose bytes are ready to be moved, after all steps that can fail on this rank alone. If
 * the view's representation differs from that of memory, the bytes to be moved are a converted
 * copy.
 *
 * @param access the access
 * @param list the extents in the file; fewer than requested at the end of the file
 * @param memory the memory to be moved, in the same order
 * @param arena the arena of the copy, or null if there is none
 * @param copy the bytes in the file's representation, or null
 */
public record StagedAccess(
    PositionedAccess access, ExtentList list, MemoryExtents memory, Arena arena, MemorySegment copy)
    implements AutoCloseable {

  /**
   * {@return an access whose elements pass through memory of its own, if their representations
   * differ}
   *
   * @param access the access
   * @param list the extents
   */
  public static StagedAccess of(PositionedAccess access, ExtentList list) {
    long bytes = list.totalBytes();
    if (access.view().representation().verbatim()) {
      return new StagedAccess(
          access, list, AccessExtents.inMemory(access.buffer(), bytes), null, null);
    }
    Arena arena = Arena.ofShared();
    try {
      MemorySegment copy = access.write() ? inFile(access, arena) : allocate(arena, bytes);
      MemoryExtents memory = bytes == 0 ? MemoryExtents.none() : MemoryExtents.contiguous(copy);
      return new StagedAccess(access, list, memory, arena, copy);
    } catch (RuntimeException | Error e) {
      arena.close();
      throw e;
    }
  }

  /**
   * {@return the packed bytes of a write in the file's representation}
   *
   * @param access the access
   * @param arena the arena of the copy, or null if there is none
   */
  public static MemorySegment inFile(PositionedAccess access, Arena arena) {
    long bytes = access.buffer().bytes();
    MemorySegment packed = allocate(arena, bytes);
    AccessExtents.inMemory(access.buffer(), bytes).copyOut(0, packed, 0, bytes);
    if (access.view().representation().verbatim()) {
      return packed;
    }
    MemorySegment converted = allocate(arena, access.fileBytes());
    access.conversion().toFile(packed, converted);
    return converted;
  }

  private static MemorySegment allocate(Arena arena, long bytes) {
    return arena.allocate(Math.max(1, bytes), Long.BYTES).asSlice(0, bytes);
  }

  /**
   * Completes the access: converts bytes that were read to memory. To be called once the bytes have
   * been moved.
   *
   * @return how many bytes were moved
   */
  public AccessStatus finish() {
    if (copy == null) {
      return new AccessStatus(list.totalBytes());
    }
    if (access.write()) {
      return new AccessStatus(access.buffer().bytes());
    }
    long bytes = access.buffer().bytes();
    MemorySegment packed = allocate(arena, bytes);
    long filled = access.conversion().fromFile(copy, list.totalBytes(), packed);
    AccessExtents.inMemory(access.buffer(), bytes).copyIn(0, packed, 0, filled);
    return new AccessStatus(filled);
  }

  @Override
  public void close() {
    if (arena != null) {
      arena.close();
    }
  }
}
