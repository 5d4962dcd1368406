package org.hyperslab.mpi;

import static org.hyperslab.format.store.NativeFunction.value;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.hyperslab.error.InvalidUseException;

/**
 * Memory of the ranks of a communicator that other ranks access by one-sided calls, between {@code
 * MPI_Win_lock_all} when it is opened and {@code MPI_Win_unlock_all} when it is closed.
 *
 * <p>Bytes and numbers of 8 bytes: numbers are set and read atomically, and a number that is set
 * after {@link #flush} is seen by nobody before the bytes that were put before it.
 *
 * <p>Thread rule: {@link Mpi#threadLevel} applies; one thread at a time. Opening and closing are
 * collective, and wait for all ranks.
 */
public final class MpiWindow implements AutoCloseable {

  /**
   * Lengths are rounded up to this. MPICH 4.0.2 lets the numbers of one rank overwrite the end of
   * another's memory if lengths are no multiples of 16.
   */
  private static final long PAGE_BYTES = 4096;

  private final Library library;
  private final OpenWindows windows;
  private final long handle;
  private final MemorySegment memory;
  private final long bytes;
  private final long longs;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment given = arena.allocate(ValueLayout.JAVA_LONG);
  private final MemorySegment got = arena.allocate(ValueLayout.JAVA_LONG);
  private boolean closed;

  private MpiWindow(MpiCommunicator comm, long length) {
    this.library = comm.mpi().library();
    this.windows = comm.mpi().windows();
    this.bytes = library.handle(Predefined.BYTE);
    this.longs = library.handle(Predefined.INT64_T);
    try (Arena places = Arena.ofConfined()) {
      MemorySegment base = places.allocate(ValueLayout.ADDRESS);
      this.handle =
          library.newHandle(
              Call.WIN_ALLOCATE,
              value((length + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES),
              value(1),
              value(library.handle(Predefined.INFO_NULL)),
              value(comm.handle()),
              base);
      this.memory =
          length == 0 ? MemorySegment.NULL : base.get(ValueLayout.ADDRESS, 0).reinterpret(length);
    }
    long returning = library.handle(Predefined.ERRORS_RETURN);
    library.call(Call.WIN_SET_ERRHANDLER, value(handle), value(returning));
    memory.fill((byte) 0);
    library.call(Call.WIN_LOCK_ALL, value(0), value(handle));
    sync();
  }

  /**
   * Opens a window; collective. Ranks may access the memory of others once all have returned.
   *
   * @param comm the ranks
   * @param bytes the length of this rank's memory, which may differ; it is filled with zeros
   * @return the window, to be closed by every rank
   * @throws org.hyperslab.error.MpiException if the library refuses it
   */
  public static MpiWindow open(MpiCommunicator comm, long bytes) {
    if (bytes < 0 || bytes > 1L << 62) {
      throw new InvalidUseException("window: actual=" + bytes + " bytes, expected=0 to 2^62");
    }
    MpiWindow window = new MpiWindow(comm, bytes);
    window.windows.add(window);
    return window;
  }

  /**
   * {@return whether a library has one-sided communication}
   *
   * @param mpi the library
   */
  public static boolean isSupported(Mpi mpi) {
    return mpi.library().has(Call.WIN_ALLOCATE) && mpi.library().has(Call.FETCH_AND_OP);
  }

  /** {@return the memory of this rank; it must not be used after the window has been closed} */
  public MemorySegment memory() {
    return memory;
  }

  /**
   * Puts bytes into the memory of a rank; returns when they may be changed again.
   *
   * @param target the rank
   * @param at the offset in its memory
   * @param data the bytes
   */
  public void put(int target, long at, MemorySegment data) {
    try (LargeCount n = LargeCount.of(library, data.byteSize(), bytes);
        HeapStaging.Staged out = library.buffers().filled(data)) {
      library.call(
          Call.PUT,
          n.arguments(
              out.memory(),
              value(target),
              value(at),
              value(n.count()),
              value(n.type()),
              value(handle)));
      library.call(Call.WIN_FLUSH_LOCAL, value(target), value(handle));
    }
  }

  /**
   * Completes what this rank has put into the memory of a rank.
   *
   * @param target the rank
   */
  public void flush(int target) {
    library.call(Call.WIN_FLUSH, value(target), value(handle));
  }

  /**
   * Sets a number atomically.
   *
   * @param target the rank in whose memory it is
   * @param at its offset, a multiple of 8
   * @param number the number
   */
  public void set(int target, long at, long number) {
    given.set(ValueLayout.JAVA_LONG, 0, number);
    library.call(
        Call.ACCUMULATE,
        given,
        value(1),
        value(longs),
        value(target),
        value(at),
        value(1),
        value(longs),
        value(library.handle(Predefined.REPLACE)),
        value(handle));
    flush(target);
  }

  /**
   * {@return a number, read atomically}
   *
   * @param target the rank in whose memory it is
   * @param at its offset, a multiple of 8
   */
  public long get(int target, long at) {
    library.call(
        Call.FETCH_AND_OP,
        given,
        got,
        value(longs),
        value(target),
        value(at),
        value(library.handle(Predefined.NO_OP)),
        value(handle));
    flush(target);
    return got.get(ValueLayout.JAVA_LONG, 0);
  }

  /** Lets loads of this rank see what others have put, and the other way round. */
  public void sync() {
    library.call(Call.WIN_SYNC, value(handle));
  }

  /**
   * Frees the window; collective. Closing again does nothing. A window that is open when all ranks
   * end is freed then.
   */
  @Override
  public void close() {
    if (!closed && !library.isFinished()) {
      closed = true;
      windows.remove(this);
      library.call(Call.WIN_UNLOCK_ALL, value(handle));
      library.free(Call.WIN_FREE, handle);
      arena.close();
    }
  }
}
