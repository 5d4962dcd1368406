package org.hyperslab.mpiio.schedule;

/** A place of bytes, from the point of view of the rank that runs a schedule. */
public sealed interface ByteLocation {

  /**
   * {@return the place {@code bytes} further on}
   *
   * @param bytes the size in bytes
   */
  ByteLocation plus(long bytes);

  /**
   * The rank's own memory, from a packed position on.
   *
   * @param packed bytes before it in the packed order of the rank's access
   */
  record Memory(long packed) implements ByteLocation {
    @Override
    public Memory plus(long bytes) {
      return new Memory(packed + bytes);
    }
  }

  /**
   * A buffer that the schedule has allocated.
   *
   * @param id the buffer's number
   * @param offset bytes from its start
   */
  record Buffer(int id, long offset) implements ByteLocation {
    @Override
    public Buffer plus(long bytes) {
      return new Buffer(id, offset + bytes);
    }
  }

  /**
   * Another rank's memory, reached directly; only if ranks share an address space.
   *
   * @param rank the owner of the memory, which may be the rank itself
   * @param packed the packed position in that rank's access
   */
  record Peer(int rank, long packed) implements ByteLocation {
    @Override
    public Peer plus(long bytes) {
      return new Peer(rank, packed + bytes);
    }
  }

  /**
   * The rank's own window, into which other ranks put bytes.
   *
   * @param offset bytes from its start
   */
  record Window(long offset) implements ByteLocation {
    @Override
    public Window plus(long bytes) {
      return new Window(offset + bytes);
    }
  }
}
