package org.hyperslab.mpiio.collective;

/** Where bytes lie, as the rank that runs a schedule sees it. */
sealed interface Place {

  /**
   * {@return the place {@code bytes} further on}
   *
   * @param bytes the size in bytes
   */
  Place plus(long bytes);

  /**
   * The rank's own memory, from a packed position on.
   *
   * @param packed bytes before it in the packed order of the rank's access
   */
  record Memory(long packed) implements Place {
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
  record Buffer(int id, long offset) implements Place {
    @Override
    public Buffer plus(long bytes) {
      return new Buffer(id, offset + bytes);
    }
  }

  /**
   * Another rank's memory, reached directly; only where ranks share an address space.
   *
   * @param rank whose memory, which may be the rank itself
   * @param packed bytes before it in the packed order of that rank's access
   */
  record Peer(int rank, long packed) implements Place {
    @Override
    public Peer plus(long bytes) {
      return new Peer(rank, packed + bytes);
    }
  }
}
