package org.hyperslab.mpiio.comm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.format.memory.BufferPool;
import org.hyperslab.format.memory.Lease;
import org.hyperslab.format.store.FileAccess;
import org.hyperslab.format.store.FileStore;

/**
 * Opens windows of ranks that reach each other's memory.
 *
 * <p>Ranks that are threads use memory of the process. Ranks that are processes of one node map
 * files in memory, {@code /dev/shm}, whose names are removed as soon as all have mapped them. Their
 * room is reserved first, because a page for which there is none would end the process.
 */
final class PutWindows {

  private static final Path FOLDER = Path.of("/dev/shm");

  private PutWindows() {}

  /**
   * Opens a window of ranks that reach each other's memory.
   *
   * @param comm the ranks
   * @param bytes the length of this rank's memory; 0 for none
   * @return the window; empty if ranks are on several nodes, or one has no memory for it
   */
  static Optional<PutWindow> direct(Communicator comm, long bytes) {
    long[] here = {comm.node(), -comm.node(), SharedObjects.process(), -SharedObjects.process()};
    comm.allReduce(here, Reduction.MAX);
    if (here[2] == -here[3]) {
      return ofThreads(comm, bytes);
    }
    return here[0] == -here[1] ? ofProcesses(comm, bytes) : Optional.empty();
  }

  private static boolean agreed(Communicator comm, boolean mine) {
    long[] all = {mine ? 1 : 0};
    comm.allReduce(all, Reduction.MIN);
    return all[0] == 1;
  }

  private static Optional<PutWindow> ofThreads(Communicator comm, long bytes) {
    PutTarget mine = new PutTarget(leased(bytes, DirectWindow.headBytes(comm.size())));
    PutTarget[] joined = new PutTarget[comm.size()];
    MemorySegment[] targets = new MemorySegment[comm.size()];
    Runnable leaving =
        () -> Arrays.stream(joined).filter(Objects::nonNull).forEach(PutTarget::leave);
    long ticket = SharedObjects.post(mine);
    boolean all = false;
    try {
      joined[comm.rank()] = mine;
      targets[comm.rank()] = mine.segment();
      all = agreed(comm, join(comm, ticket, joined, targets) && mine.has(bytes));
    } finally {
      SharedObjects.withdraw(ticket);
      if (!all) {
        leaving.run();
      }
    }
    return all
        ? Optional.of(new DirectWindow(comm.rank(), targets, leaving, "into memory of the process"))
        : Optional.empty();
  }

  /** Returns memory of zeros, at least of its numbers; null if none is wanted, or there is none. */
  private static Lease leased(long bytes, long headBytes) {
    try (BufferPool pool = new BufferPool(0)) {
      Lease lease = bytes == 0 ? null : pool.take(Math.addExact(headBytes, bytes));
      if (lease != null) {
        lease.segment().asSlice(0, headBytes).fill((byte) 0);
      }
      return lease;
    } catch (OutOfMemoryError | IllegalArgumentException | ArithmeticException tooLong) {
      return null;
    }
  }

  /** Joins the other ranks' memory; returns whether all of it was found. */
  private static boolean join(
      Communicator comm, long ticket, PutTarget[] joined, MemorySegment[] targets) {
    long[] tickets = new long[comm.size()];
    comm.allGather(MemorySegment.ofArray(new long[] {ticket}), MemorySegment.ofArray(tickets));
    boolean found = true;
    for (int rank = 0; rank < tickets.length; rank++) {
      PutTarget target =
          joined[rank] == null ? SharedObjects.find(tickets[rank], PutTarget.class) : null;
      if (target != null && target.join()) {
        joined[rank] = target;
        targets[rank] = target.segment();
      }
      found &= joined[rank] != null; // else its rank has left already
    }
    return found;
  }

  private static Optional<PutWindow> ofProcesses(Communicator comm, long bytes) {
    Arena arena = Arena.ofShared();
    long length = bytes == 0 ? 0 : bytes + DirectWindow.headBytes(comm.size());
    Path mine = length == 0 ? null : reserved(length);
    byte[] name = (mine == null ? "" : mine.toString()).getBytes(StandardCharsets.UTF_8);
    MemorySegment[] targets = new MemorySegment[comm.size()];
    boolean all = false;
    try {
      byte[][] names = comm.allGatherBytes(name);
      boolean mapped = map(names, targets, arena);
      all = agreed(comm, mapped && (length == 0 || mine != null));
    } finally {
      remove(mine);
      if (!all) {
        arena.close();
      }
    }
    String text = "into memory that processes of a node share";
    return all
        ? Optional.of(new DirectWindow(comm.rank(), targets, arena::close, text))
        : Optional.empty();
  }

  /** Creates a file of zeros with all its room; returns null if there is none. */
  private static Path reserved(long bytes) {
    Path file = null;
    try {
      file = Files.createTempFile(FOLDER, "hyperslab-window-", "");
      try (FileStore store = FileStore.open(file, FileAccess.UPDATE)) {
        store.truncate(bytes);
        store.preallocate(0, bytes);
      }
      return file;
    } catch (IOException | HyperslabException noRoom) {
      remove(file);
      return null;
    }
  }

  /** Maps the files of all ranks that have one; returns whether that was possible. */
  private static boolean map(byte[][] names, MemorySegment[] targets, Arena arena) {
    try {
      for (int rank = 0; rank < names.length; rank++) {
        Path file = Path.of(new String(names[rank], StandardCharsets.UTF_8));
        targets[rank] = names[rank].length == 0 ? MemorySegment.NULL : map(file, arena);
      }
      return true;
    } catch (IOException | OutOfMemoryError unreachable) {
      return false;
    }
  }

  private static MemorySegment map(Path file, Arena arena) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size(), arena);
    }
  }

  private static void remove(Path file) {
    try {
      if (file != null) {
        Files.deleteIfExists(file);
      }
    } catch (IOException stays) {
      // A name that stays is no reason to fail.
    }
  }
}
